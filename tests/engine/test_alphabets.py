"""Alphabets of other sets: faces beyond A to Z, tiles of several letters, and games played with them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import ENGLISH, FACES, Alphabet, Board, Game, Lexicon, UpscoreError, parse_play, parse_square
from engine.editions import Edition, edition_from_data, edition_table
from engine.errors import NotationError
from engine.faces import capitals, format_faces, is_face, is_vowel
from engine.formats.game_json import game_from_dict, game_to_dict
from engine.formats.notation import format_game, parse_diagram, parse_game
from engine.lexicon.dawg import build_dawg
from engine.lexicon.hooks import hooks_of
from engine.solver.search import legal_plays

SPANISH = Alphabet(("A", "C", "Ch", "E", "H", "L", "Ll", "Ñ", "O", "Qu", "S", "U"))
GERMAN = Alphabet(tuple("AÄEKLNOÖQRSTUÜ"))


def edition_of(alphabet: Alphabet, count: int = 4) -> Edition:
    return edition_from_data(
        {"name": "Ours", "size": 8, "plural_rule": False, "tiles": dict.fromkeys(alphabet.faces, count)}
    )


def test_a_set_with_other_letters_has_those_alone_in_alphabetical_order() -> None:
    assert edition_of(GERMAN).alphabet == GERMAN
    assert edition_of(ENGLISH).alphabet is ENGLISH
    table = edition_table(edition_of(SPANISH))
    assert list(table["tiles"]) == list(SPANISH.faces)
    shuffled = {**table, "tiles": dict(reversed(table["tiles"].items()))}
    assert edition_from_data(json.loads(json.dumps(shuffled))).alphabet == SPANISH


@pytest.mark.parametrize(
    ("written", "face"), [("LL", "Ll"), ("ll", "Ll"), ("ñ", "Ñ"), ("N\u0303", "Ñ"), ("q", "Qu"), ("QU", "Qu")]
)
def test_a_face_is_named_in_any_case(written: str, face: str) -> None:
    assert SPANISH.parse_face(written) == face


@pytest.mark.parametrize("written", ["", "N", "LA", "7", "\u017f", "K", "\u0131", "Ä"])
def test_what_is_not_in_the_alphabet_is_no_face(written: str) -> None:
    with pytest.raises(NotationError, match="is not a tile"):
        SPANISH.parse_face(written)


@pytest.mark.parametrize(
    ("written", "faces"),
    [
        ("CALLE", ("C", "A", "L", "L", "E")),
        ("CALlE", ("C", "A", "Ll", "E")),
        ("calle", ("C", "A", "Ll", "E")),
        ("ChOQUE", ("Ch", "O", "Qu", "E")),
        ("AÑO", ("A", "Ñ", "O")),
    ],
)
def test_two_letters_are_one_tile_where_they_are_not_both_capitals(written: str, faces: tuple[str, ...]) -> None:
    assert SPANISH.parse_faces(written) == faces


@given(st.lists(st.sampled_from(SPANISH.faces), max_size=9))
def test_faces_are_read_as_they_are_written(faces: list[str]) -> None:
    assert SPANISH.parse_faces(format_faces(faces)) == tuple(faces)


@given(st.lists(st.sampled_from(FACES), max_size=9))
def test_english_is_one_alphabet_among_others(faces: list[str]) -> None:
    assert ENGLISH.parse_faces(format_faces(faces).upper()) == tuple(faces)
    (spelt,) = ENGLISH.tiled(format_faces(faces).upper())
    assert [FACES[ENGLISH.signs.index(sign)] for sign in spelt] == faces


def test_a_word_is_spelt_in_every_way_that_tiles_allow() -> None:
    assert len(SPANISH.tiled("LLECHE")) == 4
    assert SPANISH.tiled("QUESO") == ["".join(SPANISH.signs[SPANISH.number[face]] for face in ("Qu", "E", "S", "O"))]
    assert SPANISH.tiled("PAN") == []


def test_a_letter_without_a_tile_goes_without_its_mark() -> None:
    assert GERMAN.folded("KÄSÉ") == "KÄSE"
    assert GERMAN.folded(capitals("straße")) == "STRASSE"
    assert Alphabet((*GERMAN.faces, "ẞ")).folded(capitals("straße")) == "STRAẞE"


@pytest.mark.parametrize(
    ("text", "right"),
    [("Ä", True), ("Dzs", True), ("LL", False), ("a", False), ("Abcd", False), ("A1", False), ("", False)],
)
def test_what_a_face_looks_like(text: str, right: bool) -> None:
    assert is_face(text) == right


def test_the_graph_has_as_many_faces_as_the_alphabet() -> None:
    many = Alphabet(tuple(chr(0x410 + k) for k in range(32)) + tuple("ÄÖÜÉÈÇ"))
    words = {"АБЯ", "ÄÇ"}
    dawg = build_dawg(words, many)
    for word in ("АБЯ", "ÄÇ", "АБ", "ÇÄ"):
        node = dawg.root
        for letter in word:
            node = dawg.table[node + many.number[letter]] if node else 0
        assert bool(node and dawg.table[node + dawg.flags] & dawg.final) == (word in words)
    assert build_dawg(words, many, longest=2).node_count < dawg.node_count


def test_the_solver_plays_umlauts_and_tiles_of_two_letters() -> None:
    words = Lexicon.from_words(["CALLE", "CALLO", "LLANO"], alphabet=Alphabet((*SPANISH.faces, "N")))
    found = legal_plays(Board.empty(8, SPANISH), ("C", "A", "Ll", "E"), edition=edition_of(SPANISH), lexicon=words)
    assert {play.play.faces for play in found} == {("C", "A", "Ll", "E")}
    assert {play.points for play in found} == {8}
    german = Lexicon.from_words(["KÄSE", "KASE"], alphabet=GERMAN)
    board = Board.empty(8, GERMAN).with_play(parse_play("c4-KASE", alphabet=GERMAN))
    stacked = legal_plays(board, ("Ä",), edition=edition_of(GERMAN), lexicon=german)
    assert [(play.words[0].word, play.points) for play in stacked] == [("KÄSE", 5)]


def test_words_near_a_word_have_its_letters() -> None:
    words = Lexicon.from_words(["TÖNE", "TONE", "TÖNEN", "ÖTNE"], alphabet=GERMAN)
    near = hooks_of("TÖNE", words)
    assert (near.back, near.stacked, near.anagrams) == (("TÖNEN",), ("TONE",), ("ÖTNE",))


def test_a_game_with_other_letters_is_kept_and_written() -> None:
    game = Game.start(edition_of(SPANISH), ["Red", "Blue"], lexicon=None)
    for play in ("c4-CALlE", "Ñ@e4", "c4|QuESO"):
        game = game.play(parse_play(play, alphabet=SPANISH))
    assert game.board.tops()[3][2:6] == ("Qu", "A", "Ñ", "E")
    assert parse_game(format_game(game), None).board == game.board
    again = game_from_dict(json.loads(json.dumps(game_to_dict(game))), None)
    assert (again.board, again.board.alphabet) == (game.board, SPANISH)


def test_a_diagram_is_read_with_its_alphabet() -> None:
    assert parse_diagram("Ch .\n. LlÑ", SPANISH).tops() == (("Ch", ""), ("", "Ñ"))
    with pytest.raises(NotationError):
        parse_diagram("Ñ .\n. .")


@pytest.mark.parametrize("play", ["Ñ@d4", "Ch@d4"])
def test_an_english_board_takes_no_other_letters(play: str) -> None:
    game = Game.start(edition_of(ENGLISH), ["Red", "Blue"], lexicon=None)
    with pytest.raises(UpscoreError):
        game.play(parse_play(play, alphabet=SPANISH))


HUNGARIAN = Alphabet(("A", "Á", "D", "Dz", "Dzs", "G", "Gy", "L", "Ly", "N", "Ny", "R", "S", "Z", "Zs"))


def test_letters_that_no_tile_shows_alone_are_part_of_a_tile() -> None:
    assert HUNGARIAN.parse_faces("GYÁR") == ("Gy", "Á", "R")
    assert HUNGARIAN.parse_faces("DZSA") == ("D", "Z", "S", "A")
    assert HUNGARIAN.parse_faces("dzsa") == ("Dzs", "A")
    assert parse_play("c4-LYANY", alphabet=HUNGARIAN).faces == ("Ly", "A", "Ny")


def test_a_word_has_as_few_tiles_as_can_be() -> None:
    turkish = Alphabet((*"AIİKLN", "Ş"))
    assert HUNGARIAN.tiles_of("GYLA") == ("Gy", "L", "A")
    assert HUNGARIAN.tiles_of("DZSADZ") == ("Dzs", "A", "Dz")
    assert ENGLISH.tiles_of("QUIT") == ("Qu", "I", "T")
    assert HUNGARIAN.tiles_of("LY" * 500) == ("Ly",) * 500, "a word takes no longer than its length"
    assert (turkish.tiles_of("İKİ"), turkish.tiles_of("X")) == (("İ", "K", "İ"), ())
    assert hooks_of("İKİ", Lexicon.from_words(["İKİ", "İKİN"], alphabet=turkish)).back == ("İKİN",)


@pytest.mark.parametrize(
    ("face", "vowel"), [("Ä", True), ("Ij", True), ("Œ", True), ("Ő", True), ("Qu", False), ("Ж", False)]
)
def test_vowels_may_have_marks(face: str, vowel: bool) -> None:
    assert is_vowel(face) == vowel


TRECE = edition_from_data(
    {
        "name": "Trece", "size": 13, "start": ["f7", "g7"], "stack_limit": 4, "rack_size": 8, "full_rack_bonus": 25,
        "plural_rule": False,
        "tiles": {face: 9 if face in "AEO" else 3 for face in (*"ABCDEFGHIJKLMNÑOPRSTUVXYZ", *"ÁÉÍÚ", "Ch", "Ll")},
    }
)  # fmt: skip


def test_a_game_on_thirteen_squares_with_two_digraphs_goes_to_its_end() -> None:
    assert (len(TRECE.alphabet), TRECE.alphabet.is_english) == (31, False)
    words = Lexicon.from_words(["CHULLO", "CHULÍN", "LLANO", "CHUPO", "PANO"], alphabet=TRECE.alphabet)
    game = Game.start(TRECE, ["Ana", "Eva"], lexicon=words)
    best = legal_plays(game.board, ("Ch", "U", "Ll", "O", "E", "Ñ", "Á", "Z"), edition=TRECE, lexicon=words)
    assert {play.play.faces for play in best} == {("Ch", "U", "Ll", "O")}
    for play in ("d7-ChULlO", "f7|.ANO", "P@f7"):
        game = game.play(parse_play(play, alphabet=TRECE.alphabet))
    told = [[word.word for word in turn.verdict.words] for turn in game.turns if turn.verdict is not None]
    assert told == [["CHULLO"], ["LLANO"], ["CHUPO", "PANO"]]
    assert game.totals == {"Ana": 8 + 5 + 5, "Eva": 8}
    corner = parse_square("f7")
    upheld = game.challenge("Eva", upheld=True)
    assert (upheld.board.top(corner), upheld.undo().board.top(corner)) == ("Ll", "P")
    again = parse_game(format_game(game), words)
    assert (again.board, again.totals) == (game.board, game.totals)
    ended = game.end("agreed", (8, 3))
    assert ended.totals == {"Ana": 18 - 40, "Eva": 8 - 15}
