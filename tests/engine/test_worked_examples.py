"""The rule sheets' own play-by-play, as a golden game on both boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
import second_referee as second
from enginekit import Words, board_of, make_play, play_transposed

from engine import Game, Play, find_edition, parse_play, referee

WORDS = Words("MOOD", "DEAR", "NET", "ON", "WOOD", "WOOL", "LEAP", "SNACK", "LEAN", "PLUS", "NETS")

TURNS: list[tuple[list[tuple[int, int, str]], Mapping[str, int]]] = [
    ([(0, 0, "M"), (0, 1, "O"), (0, 2, "O"), (0, 3, "D")], {"MOOD": 8}),
    ([(1, 3, "E"), (2, 3, "A"), (3, 3, "R")], {"DEAR": 8}),
    ([(1, 2, "N"), (1, 4, "T")], {"NET": 6, "ON": 4}),
    ([(0, 0, "W")], {"WOOD": 5}),
    ([(0, 3, "L"), (3, 3, "P")], {"WOOL": 6, "LEAP": 6}),
    ([(3, 2, "S"), (3, 3, "N"), (3, 4, "A"), (3, 5, "C"), (3, 6, "K")], {"SNACK": 7, "LEAN": 7}),
    ([(-2, 5, "P"), (-1, 5, "L"), (0, 5, "U"), (1, 5, "S")], {"PLUS": 8, "NETS": 8}),
]
"""Tiles of each turn from where MOOD begins, and what the sheets score for it."""


def turn_plays(row: int, col: int) -> list[Play]:
    return [make_play((row + down, col + right, face) for down, right, face in tiles) for tiles, _ in TURNS]


@pytest.mark.parametrize(("edition", "row", "col"), [("8x8", 3, 1), ("10x10", 4, 2)])
@pytest.mark.parametrize("upright", [False, True])
def test_the_sheets_game(edition: str, row: int, col: int, *, upright: bool) -> None:
    game = Game.start(find_edition(edition), ["Red", "Blue"], lexicon=WORDS)
    for play in turn_plays(row, col):
        game = game.play(play_transposed(play) if upright else play)
    for record, (_, expected) in zip(game.turns, TURNS, strict=True):
        assert record.verdict is not None
        assert record.verdict.violations == ()
        assert {word.word: word.points for word in record.verdict.words} == expected
        assert record.points == sum(expected.values())
    assert game.totals == {"Red": 8 + 10 + 12 + 16, "Blue": 8 + 5 + 14}
    assert game.flags == ()


@pytest.mark.parametrize(("size", "row", "col"), [(8, 3, 1), (10, 4, 2)])
def test_the_second_referee_reproduces_the_sheets_game(size: int, row: int, col: int) -> None:
    stacks: dict[second.Spot, str] = {}
    for tiles, words in TURNS:
        placed = [((row + down, col + right), letter) for down, right, letter in tiles]
        ruling = second.rule_on(
            size,
            stacks,
            placed,
            is_word=lambda word: True,
            plural=lambda one, word: True,
            inflection=lambda one, word: True,
        )
        assert (dict(ruling.words), ruling.broken) == (words, Counter())
        stacks = second.stack(stacks, placed)


def test_belated() -> None:
    board = board_of(10, "c5-CATER")
    edition = find_edition("10x10")
    lexicon = Words("CATER", "BELATED")
    first = referee(board_of(10, ""), parse_play("c5-CATER"), edition=edition, lexicon=lexicon)
    assert (first.legal, first.points) == (True, 10)
    verdict = referee(board, parse_play("a5-BEL...D"), edition=edition, lexicon=lexicon)
    assert verdict.legal
    assert [(word.word, word.points, word.rule) for word in verdict.words] == [("BELATED", 9, "6B")]
