"""Plays that a look suggests: what can be seen is read, and what is hidden is filled in with every lawful word."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from readings import reading_of, tear, veil
from turnkit import CLASSIC, COMMON, DEAR, EMPTY, MOOD, NO_LIST, SMALL, at, context_of, records, sharp
from turnkit import Record as Game

from engine import FACES, SQUARES, Board, Lexicon, PlacedTile, Play, Square, parse_play, parse_square
from vision import BoardReading, GameSettings, Look
from vision.turn.candidates import SearchInput, board_arrays, candidates, extend, one_line


def search_of(board: Board, reading: BoardReading, settings: GameSettings = COMMON) -> SearchInput:
    look = Look.of(reading)
    return SearchInput(board, look.table, look.legible, settings)


def find(board: Board, reading: BoardReading, settings: GameSettings = COMMON) -> list[Play]:
    return [candidate.play for candidate in candidates(search_of(board, reading, settings))]


@pytest.mark.parametrize(
    ("before", "play"),
    [
        (EMPTY, "M@b4 O@c4 O@d4 D@e4"),
        (MOOD, "W@b4"),
        (MOOD, "E@e5 A@e6 R@e7"),
        (MOOD, "F@b4 L@e4"),
        (DEAR, "L@e7"),
        (MOOD, "Z@b4"),
        (MOOD, "Qu@d5"),
    ],
)
def test_what_was_played_comes_first(before: Board, play: str) -> None:
    assert find(before, sharp(play_all(before, play)))[0] == parse_play(play)


@examples(25)
@given(records())
def test_the_play_of_any_lawful_game_comes_first(game: Game) -> None:
    for before, play, after in zip(game.boards, game.plays, game.boards[1:], strict=False):
        assert find(before, reading_of(after), SMALL)[0] == play


def test_two_letters_alike_are_both_thought_of() -> None:
    reading = tear(reading_of(play_all(MOOD, "W@b4")), *at("b4"), W=0.5, F=0.45)
    assert set(find(MOOD, reading)[:2]) == {parse_play("W@b4"), parse_play("F@b4")}


def test_an_unchanged_board_suggests_nothing_that_is_likelier_than_no_play() -> None:
    assert all(candidate.gain < 0.0 for candidate in candidates(search_of(DEAR, sharp(DEAR))))


def test_candidates_come_once_and_the_likeliest_first() -> None:
    reading = veil(tear(reading_of(play_all(MOOD, "E@e5 A@e6 R@e7")), *at("e6"), A=0.4, O=0.4), at("e7"))
    listed = candidates(search_of(MOOD, reading))
    assert len({each.play for each in listed}) == len(listed) > 3
    assert all(one.gain >= other.gain for one, other in pairwise(listed))


def test_the_same_letter_and_a_sixth_tile_are_no_tiles_to_come() -> None:
    full = play_all(MOOD, "W@b4", "F@b4", "G@b4", "M@b4")
    gains = search_of(full, sharp(full)).gains()
    assert np.isneginf(gains[at("b4")]).all()
    assert np.isneginf(gains[at("c4")][FACES.index("O")])
    assert np.isfinite(np.delete(gains[at("c4")], FACES.index("O"))).all()
    assert np.isfinite(gains[at("a1")]).all()


@given(records())
def test_a_board_as_arrays(game: Game) -> None:
    board = game.boards[-1]
    tall, tops = board_arrays(board)
    for square in board.squares():
        assert tall[square.row, square.col] == board.height(square)
        top = tops[square.row, square.col]
        assert (FACES[top] if top >= 0 else "") == board.top(square)


def test_one_line() -> None:
    assert one_line((Square(0, 0), Square(0, 5)))
    assert one_line((Square(0, 3), Square(5, 3), Square(1, 3)))
    assert not one_line((Square(0, 0), Square(0, 5), Square(1, 5)))


# what a hand hides

LONGER = context_of("MOOD", "MOODY", "MOODIER", "DEAR", "DEAL", "ROOD", "RED", "REDDER", "DEALS")


def under_a_hand(*names: str) -> np.ndarray:
    hidden = np.zeros((8, 8), dtype=bool)
    for name in names:
        hidden[at(name)] = True
    return hidden


def goes_on(before: Board, play: str, hidden: list[str], settings: GameSettings = LONGER) -> set[Play]:
    nothing = search_of(before, sharp(before), settings)
    return set(extend(parse_play(play), nothing, under_a_hand(*hidden)))


@pytest.mark.parametrize(
    ("before", "play", "hidden", "whole"),
    [
        (EMPTY, "M@b4 O@c4 O@d4 D@e4", ["f4"], "b4-MOODY"),
        (EMPTY, "M@b4 O@c4 O@d4 D@e4", ["a4"], None),
        (EMPTY, "M@b4 O@c4 O@d4 D@e4", ["g4"], None),  # beyond a bare square
        (EMPTY, "R@b4 O@c4 O@d4 D@e4", ["f4", "g4", "h4"], None),
        (EMPTY, "R@b4 E@c4 D@d4", ["e4", "f4", "g4"], "b4-REDDER"),
        (EMPTY, "R@b4 E@c4 D@d4", ["e4", "f4"], None),
        (EMPTY, "D@b4 E@c4 A@d4 L@e4", ["f4"], "b4-DEALS"),  # the S by itself would be refused
        (MOOD, "Y@f4", ["g4", "f5"], None),  # beside it, one across and one down, which isn't one line
        (MOOD, "E@e5 A@e6 R@e7", ["e8"], None),
        (MOOD, "E@e5 A@e6", ["e7"], "e5|EAR"),
        (MOOD, "E@e5 R@e7", ["e6"], "e5|EAR"),  # between two tiles that can be seen
        (MOOD, "E@e5 A@e6 R@e7", ["a1", "h8", "d5"], None),
        (MOOD, "R@b4", ["e4"], None),
        (MOOD, "Y@f4", ["b4"], "R@b4 Y@f4"),
    ],
)
def test_what_a_hand_hides_is_filled_in_where_something_lawful_could_lie(
    before: Board, play: str, hidden: list[str], whole: str | None
) -> None:
    if whole == "R@b4 Y@f4":
        settings = context_of("MOOD", "MOODY", "ROODY")
        assert parse_play(whole) in goes_on(before, play, hidden, settings)
        return
    plays = goes_on(before, play, hidden)
    assert (parse_play(whole) in plays) if whole else not plays


def test_a_stack_within_the_play_may_have_grown_under_the_hand() -> None:
    settings = context_of("MOOD", "FOOD", "FOOT", "FORT")
    assert goes_on(MOOD, "F@b4 T@e4", ["d4"], settings) == {parse_play("F@b4 R@d4 T@e4")}
    assert not goes_on(MOOD, "F@b4 T@e4", ["c4"], settings)
    full = play_all(MOOD, "R@d4", "O@d4", "R@d4", "O@d4")
    assert not goes_on(full, "F@b4 T@e4", ["d4"], settings)


class Spoken:
    """A list of words that only says whether a word is in it."""

    name = "spoken"

    def __contains__(self, word: object) -> bool:
        return word in {"MOOD", "MOODY"}


@pytest.mark.parametrize("settings", [NO_LIST, GameSettings(CLASSIC, Spoken())])
def test_without_words_to_search_nothing_is_filled_in(settings: GameSettings) -> None:
    assert not goes_on(EMPTY, "M@b4 O@c4 O@d4 D@e4", ["f4"], settings)


def lawful_plays(board: Board, words: Lexicon, settings: GameSettings) -> set[Play]:
    """Every lawful play, by trying each word in every place."""
    plays = set()
    for word in words:
        for row in range(board.size):
            for col in range(board.size - len(word) + 1):
                for down in (False, True):
                    squares = [SQUARES[col + k][row] if down else SQUARES[row][col + k] for k in range(len(word))]
                    tiles = [
                        PlacedTile(square, letter)
                        for square, letter in zip(squares, word, strict=True)
                        if board.top(square) != letter
                    ]
                    if tiles and all(board.height(tile.square) < 5 for tile in tiles):
                        play = Play(tuple(tiles))
                        if settings.verdict(board, play).legal:
                            plays.add(play)
    return plays


TINY = context_of("AD", "BAD", "BED", "RED", "READ", "BEAD", "BREAD", "DARE", "BARE", "EAR", "BEAR")


@examples(12)
@given(st.data())
def test_every_lawful_word_that_agrees_with_what_can_be_seen_is_thought_of(data: st.DataObject) -> None:
    assert isinstance(TINY.lexicon, Lexicon)
    before = EMPTY
    for _ in range(data.draw(st.integers(0, 1))):
        lawful = sorted(lawful_plays(before, TINY.lexicon, TINY), key=lambda play: play.tiles)
        before = before.with_play(data.draw(st.sampled_from(lawful)))
    lawful = sorted(lawful_plays(before, TINY.lexicon, TINY), key=lambda play: play.tiles)
    play = data.draw(st.sampled_from([each for each in lawful if len(each.tiles) > 1]))
    hidden = set(data.draw(st.lists(st.sampled_from(play.squares), min_size=1, max_size=2, unique=True)))
    hidden = hidden - {play.squares[0]} if len(hidden) == len(play.squares) else hidden
    seen = {tile for tile in play.tiles if tile.square not in hidden}
    veils = [(square.row, square.col) for square in hidden]
    reading = veil(reading_of(before.with_play(play)), *veils)
    agree = {
        each for each in lawful
        if {tile for tile in each.tiles if tile.square not in hidden} == seen
    }  # fmt: skip
    assert play in agree
    assert agree <= set(find(before, reading, TINY))


def test_a_hidden_square_where_no_letter_can_be_is_left_out() -> None:
    reading = veil(reading_of(play_all(EMPTY, "M@b4 O@c4 O@d4 D@e4")), at("h8"))
    squares = {square for play in find(EMPTY, reading) for square in play.squares}
    assert parse_square("h8") not in squares
