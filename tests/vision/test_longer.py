"""Whether a hand may hide more of a play: only where something lawful could lie there."""

from __future__ import annotations

import numpy as np
import pytest
from readings import played

from engine.board import Board
from engine.editions import edition_named
from engine.lexicon import Lexicon
from engine.play import parse_play
from engine.squares import parse_square
from vision.context import Context
from vision.longer import may_be_longer

WORDS = Lexicon.from_words(
    ["MOOD", "MOODY", "MOODIER", "DEAR", "DEAL", "ROOD", "RED", "REDDER", "DEALS"], name="test"
)
CONTEXT = Context(edition_named("8x8"), WORDS)
EMPTY = Board.empty(8)
MOOD = played(EMPTY, "M@b4 O@c4 O@d4 D@e4")


def under_a_hand(*names: str) -> np.ndarray:
    hidden = np.zeros((8, 8), dtype=bool)
    for name in names:
        square = parse_square(name)
        hidden[square.row, square.col] = True
    return hidden


@pytest.mark.parametrize(
    ("before", "play", "hidden", "longer"),
    [
        (EMPTY, "M@b4 O@c4 O@d4 D@e4", ["f4"], True),  # MOODY
        (EMPTY, "M@b4 O@c4 O@d4 D@e4", ["a4"], False),
        (EMPTY, "M@b4 O@c4 O@d4 D@e4", ["g4"], False),  # beyond a bare square
        (EMPTY, "R@b4 O@c4 O@d4 D@e4", ["f4", "g4", "h4"], False),
        (EMPTY, "R@b4 E@c4 D@d4", ["e4", "f4", "g4"], True),  # REDDER, by all three
        (EMPTY, "R@b4 E@c4 D@d4", ["e4", "f4"], False),
        (EMPTY, "D@b4 E@c4 A@d4 L@e4", ["f4"], True),  # DEALS: the S by itself would be refused
        (MOOD, "Y@f4", ["g4", "f5"], False),  # beside it across and down, which are no one line
        (MOOD, "Y@f4", ["a4", "b4", "c4", "d4", "e4", "g4"], False),
        (MOOD, "Y@f4", ["a4", "b4", "c4", "d4", "e4", "g4", "h4"], True),  # more than are looked at
        (MOOD, "E@e5 A@e6 R@e7", ["e8"], False),
        (MOOD, "E@e5 A@e6", ["e7"], True),  # DEA is no word by itself: it must go on
        (MOOD, "E@e5 A@e6 R@e7", ["a1", "h8", "d5"], False),
        (MOOD, "R@b4", ["e4"], False),
        (MOOD, "Y@f4", ["b4"], False),
        (played(EMPTY, "D@c4 E@d4 A@e4 R@f4"), "L@f4", ["e4"], False),
    ],
)
def test_only_where_a_lawful_play_would_go_on(
    before: Board, play: str, hidden: list[str], longer: bool
) -> None:
    assert may_be_longer(parse_play(play), before, under_a_hand(*hidden), CONTEXT) is longer


def test_a_stack_within_the_play_may_have_grown_under_the_hand() -> None:
    words = Lexicon.from_words(["MOOD", "FOOD", "FOOT", "FORT"], name="test")
    context = Context(edition_named("8x8"), words)
    play = parse_play("F@b4 T@e4")
    assert may_be_longer(play, MOOD, under_a_hand("d4"), context)
    assert not may_be_longer(play, MOOD, under_a_hand("c4"), context)
    full = played(MOOD, "R@d4", "O@d4", "R@d4", "O@d4")
    assert not may_be_longer(play, full, under_a_hand("d4"), context)


class Spoken:
    """A list of words that only says whether a word is in it."""

    name = "spoken"

    def __contains__(self, word: object) -> bool:
        return word in WORDS


def test_by_a_list_that_cannot_be_searched_anything_may_lie_there() -> None:
    context = Context(edition_named("8x8"), Spoken())
    assert may_be_longer(parse_play("R@b4 O@c4 O@d4 D@e4"), EMPTY, under_a_hand("f4"), context)


def test_without_words_anything_may_lie_there() -> None:
    play = parse_play("M@b4 O@c4 O@d4 D@e4")
    assert may_be_longer(play, EMPTY, under_a_hand("a4"), Context(edition_named("8x8")))
    assert not may_be_longer(play, EMPTY, under_a_hand(), Context(edition_named("8x8")))
