"""The solver against the referee: the same plays, the same points, each once, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from random import Random

import pytest
from enginekit import play_transposed, transpose_board
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from solverkit import AFTER_THE_EXAMPLES, brute_force, pile_board, play_board, some_edition, standard

from engine import (
    EDITIONS,
    FACES,
    SHEET_RULES,
    Board,
    Edition,
    HouseRules,
    Lexicon,
    Play,
    format_play,
    grid_edition,
    parse_play,
    referee,
)
from engine.errors import RulesError
from engine.faces import parse_faces
from engine.formats.notation import parse_diagram
from engine.solver.plays import ScoredPlay
from engine.solver.search import legal_plays

SMALL, LARGE = EDITIONS["8x8"], EDITIONS["10x10"]

SWITCHES = [rule.name for rule in fields(HouseRules) if isinstance(rule.default, bool)]


def by_play(plays: list[ScoredPlay]) -> dict[Play, int]:
    found = {scored.play: scored.points for scored in plays}
    assert len(found) == len(plays), "a play appears twice"
    return found


@examples(25)
@given(seed=st.integers(0, 10**9), turns=st.integers(0, 10), piled=st.booleans())
def test_finds_what_brute_force_finds(seed: int, turns: int, piled: bool) -> None:
    random = Random(seed)
    edition = some_edition(random)
    board = play_board(edition, turns, random)
    if piled:
        board = pile_board(board, random)
    rack = random.choices(FACES if random.random() < 0.3 else ("E", "S", "A", "T", "Qu", "I"), k=2)
    plays = legal_plays(board, rack, edition=edition, lexicon=standard())
    assert by_play(plays) == brute_force(board, rack, edition, standard())


@cache
def some_board(seed: int, turns: int) -> tuple[Edition, Board]:
    random = Random(seed)
    edition = some_edition(random)
    return edition, play_board(edition, turns, random)


def check_house_rules(seed: int, turns: int, switches: set[str], rack: Sequence[str]) -> None:
    edition, board = some_board(seed, turns)
    defaults = HouseRules()
    rules = HouseRules(**{name: not getattr(defaults, name) for name in switches})
    plays = legal_plays(board, rack, edition=edition, lexicon=standard(), rules=rules)
    assert by_play(plays) == brute_force(board, rack, edition, standard(), rules)


@pytest.mark.parametrize("switch", SWITCHES)
def test_agrees_under_every_house_rule(switch: str) -> None:
    check_house_rules(seed=0, turns=0, switches={switch}, rack=("Qu", "I"))
    for seed in (1, 2):
        check_house_rules(seed, turns=5, switches={switch}, rack=("S", "E"))


@examples(25)
@given(
    seed=st.integers(0, 10**9), turns=st.integers(0, 8), switches=st.sets(st.sampled_from(SWITCHES)),
    rack=st.lists(st.sampled_from(("S", "E", "A", "Qu", "I", "T")), min_size=2, max_size=2),
)  # fmt: skip
def test_agrees_under_several_house_rules_at_once(seed: int, turns: int, switches: set[str], rack: list[str]) -> None:
    check_house_rules(seed, turns, switches, rack)


@examples(15)
@given(seed=st.integers(0, 10**9), turns=st.integers(0, 12), piled=st.booleans())
def test_every_play_of_a_full_rack_is_legal_and_scored_alike(seed: int, turns: int, piled: bool) -> None:
    random = Random(seed)
    edition = some_edition(random)
    board = play_board(edition, turns, random)
    if piled:
        board = pile_board(board, random)
    plays = legal_plays(board, random.choices(FACES, k=7), edition=edition, lexicon=standard())
    for scored in random.sample(plays, min(60, len(plays))):
        verdict = referee(board, scored.play, edition=edition, lexicon=standard())
        assert verdict.legal, format_play(scored.play)
        assert (verdict.points, verdict.words) == (scored.points, scored.words)
    assert [scored.points for scored in plays] == sorted((s.points for s in plays), reverse=True)
    by_play(plays)


@examples(15)
@given(seed=st.integers(0, 10**9), turns=st.integers(0, 12))
def test_a_mirrored_board_has_the_mirrored_plays(seed: int, turns: int) -> None:
    random = Random(seed)
    edition = some_edition(random)
    board = play_board(edition, turns, random)
    rack = random.choices(FACES, k=6)
    plays = legal_plays(board, rack, edition=edition, lexicon=standard())
    mirrored = legal_plays(transpose_board(board), rack, edition=edition, lexicon=standard())
    assert {play_transposed(scored.play): scored.points for scored in mirrored} == by_play(plays)


COUNTED_WORDS = (
    "AT ATE ATES EAT EATS ETA SEA SEAT SEATS SET SETS TEA TEAS TEASE QUA QUAS QUIT QUITE QUIET TIE TIES IT ITS "
    "IS AS TA TAE SAT SIT SITE SITES NEST NESTS NET NETS ON NO SO SON MOO MOOD MOODS WOOD WOOL LEAN LEAP SNACK "
    "SNACKS PLUS DEAR DEAL TEN TENS ONE ONES STONE STONES"
)

FIVE_HIGH = parse_diagram(
    """
    . . .     . .     . . .
    . . .     . .     . . .
    . . S     . .     . . .
    . . ABCDE T E     . . .
    . . T     O AEIOT . . .
    . . .     N .     . . .
    . . .     E .     . . .
    . . .     . .     . . .
    """
)

COUNTS = [
    ("empty 8x8", Board.empty(8), "EAT", 104),
    ("empty 10x10", Board.empty(10), "QuITE", 84),
    ("worked examples", AFTER_THE_EXAMPLES, "EAT", 9),
    ("worked examples, full rack", AFTER_THE_EXAMPLES, "AEINSTQu", 37),
    ("stacks of five", FIVE_HIGH, "AES", 9),
    ("stacks of five, full rack", FIVE_HIGH, "AEINSTQu", 51),
]


@pytest.mark.parametrize(("board", "rack", "count"), [row[1:] for row in COUNTS], ids=[row[0] for row in COUNTS])
def test_node_counts(board: Board, rack: str, count: int) -> None:
    edition = grid_edition(board.size)
    lexicon = Lexicon.from_words(COUNTED_WORDS.split(), name="counted")
    plays = legal_plays(board, parse_faces(rack), edition=edition, lexicon=lexicon)
    assert len(plays) == count
    if len(rack) < 4:
        assert by_play(plays) == brute_force(board, parse_faces(rack), edition, lexicon)


def plays_of(board: Board, rack: str, words: str, rules: HouseRules = SHEET_RULES) -> dict[str, int]:
    """The plays as notation, with a word list of just these words."""
    lexicon = Lexicon.from_words(words.split(), name="few")
    edition = grid_edition(board.size)
    plays = legal_plays(board, parse_faces(rack), edition=edition, lexicon=lexicon, rules=rules)
    return {format_play(scored.play): scored.points for scored in plays}


def on_empty(size: int, play: str) -> Board:
    return Board.empty(size).with_play(parse_play(play))


def test_a_first_play_covers_the_centre_and_has_two_tiles() -> None:
    assert plays_of(Board.empty(8), "QuA", "QUA A QU") == {
        f"Qu@{first} A@{second}": 6
        for first, second in (
            *(("c4", "d4"), ("d4", "e4"), ("e4", "f4"), ("c5", "d5"), ("d5", "e5"), ("e5", "f5")),
            *(("d3", "d4"), ("d4", "d5"), ("d5", "d6"), ("e3", "e4"), ("e4", "e5"), ("e5", "e6")),
        )
    }


def test_a_lone_qu_starts_only_where_the_house_lets_it() -> None:
    rules = HouseRules(lone_qu_first_play=True)
    assert plays_of(Board.empty(8), "Qu", "QU") == {}
    assert plays_of(Board.empty(8), "Qu", "QU", rules) == {f"Qu@{name}": 4 for name in ("d4", "e4", "d5", "e5")}
    assert plays_of(Board.empty(8), "Qu", "QUA", rules) == {}
    board, lexicon = Board.empty(8), Lexicon.from_words(["QU"])
    scored = legal_plays(board, ["Qu"], edition=SMALL, lexicon=lexicon, rules=rules)[0]
    assert [word.word for word in scored.words] == ["QU"]


def test_a_word_is_never_covered_whole() -> None:
    plays = plays_of(on_empty(8, "d4-AT"), "ONE", "AT ON AN OT ONE")
    assert {"N@e4", "O@d4"} < set(plays)
    assert not {"O@d4 N@e4", "O@d4 N@e4 E@f4"} & set(plays)


def test_no_letter_goes_on_itself_or_on_a_stack_of_five() -> None:
    assert plays_of(on_empty(8, "d4-AT"), "T", "AT") == {"T@d5": 4}
    high = Board.of([[()] * 4, [("A",), ("B", "C", "D", "E", "T"), (), ()], [()] * 4, [()] * 4])
    assert plays_of(high, "N", "AN NAT ATN") == {"N@a3": 4, "N@c2": 7}


def test_a_lone_s_is_found_only_with_a_word_of_its_own() -> None:
    board = on_empty(8, "d4-NET")
    assert plays_of(board, "S", "NET NETS") == {}
    assert plays_of(board, "S", "NET NETS", HouseRules(plural_rule=False)) == {"S@g4": 8}
    assert plays_of(board, "SO", "NET NETS SO") == {"S@g4 O@g5": 12}


def test_a_verb_s_is_found_where_the_house_and_the_list_allow_it() -> None:
    board, rules = on_empty(8, "d4-BEG"), HouseRules(verb_s_plural=False)
    lexicon = Lexicon.from_words(["BEG", "BEGS"], not_plurals=["BEGS"])
    assert len(legal_plays(board, ["S"], edition=SMALL, lexicon=lexicon, rules=rules)) == 1
    assert legal_plays(board, ["S"], edition=SMALL, lexicon=lexicon) == []


def test_all_seven_tiles_earn_the_bonus_and_fewer_only_where_the_house_says_so() -> None:
    board, rules = on_empty(10, "a5-A"), HouseRules(bonus_for_short_rack=True)
    assert plays_of(board, "BCDEFGH", "ABCDEFGH") == {"B@b5 C@c5 D@d5 E@e5 F@f5 G@g5 H@h5": 36}
    assert plays_of(board, "BCH", "ABC AB", rules)["B@b5 C@c5"] == 6
    assert plays_of(board, "BC", "ABC AB", rules) == {**{"B@b5": 4, "B@a6": 4}, **{"B@b5 C@c5": 26, "B@a6 C@a7": 26}}


def test_qu_is_one_tile_and_worth_two_more_when_flat() -> None:
    board = on_empty(8, "d4-IT")
    assert plays_of(board, "Qu", "IT QUIT") == {"Qu@c4": 8}
    assert plays_of(on_empty(8, "d4-A"), "QuT", "QUAT")["Qu@c4 T@e4"] == 8
    stacked = board.with_play(parse_play("A@d4"))
    assert plays_of(stacked, "Qu", "AT QUAT") == {"Qu@c4": 4}


def test_words_of_one_letter_are_no_plays() -> None:
    assert set(plays_of(on_empty(8, "d4-AT"), "A", "A AT TA")) == {"A@e5", "A@e3"}


def test_the_best_play_of_the_worked_examples_scores_what_the_sheets_give() -> None:
    board = on_empty(10, "c5-MOOD")
    plays = legal_plays(board, parse_faces("EAR"), edition=LARGE, lexicon=standard())
    assert {scored.points for scored in plays if format_play(scored.play) == "E@f6 A@f7 R@f8"} == {8}


def test_an_empty_rack_has_no_plays() -> None:
    assert legal_plays(on_empty(8, "d4-AT"), [], edition=SMALL, lexicon=standard()) == []


@pytest.mark.parametrize(
    ("rack", "size", "message"),
    [(["A"] * 8, 8, "8 tiles"), (["A", "Q"], 8, "'Q' is not a tile"), (["A"], 10, "10 rows")],
)
def test_what_cannot_be_is_refused(rack: list[str], size: int, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        legal_plays(Board.empty(size), rack, edition=SMALL, lexicon=standard())
