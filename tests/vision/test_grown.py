"""A stack that has grown beside a play is asked about, though its letter is as it was."""

from __future__ import annotations

import pytest
from readings import played, reading_of

from engine.board import Board
from engine.editions import edition_named
from engine.lexicon import Lexicon
from engine.play import parse_play
from engine.squares import parse_square
from vision.grown import grown
from vision.reading import BoardReading
from vision.session import GameWatch

MOOD = played(Board.empty(8), "M@b4 O@c4 O@d4 D@e4")
WOOL = "W@b4 L@e4"


def one_layer_more(name: str) -> BoardReading:
    """The board after WOOL, the stack at `name` a layer higher."""
    reading = reading_of(played(MOOD, WOOL), sure=0.9999, height_sure=0.9999)
    square = parse_square(name)
    reading.height_probs[square.row, square.col] = [0.0, 0.02, 0.95, 0.01, 0.01, 0.01]
    return reading


@pytest.mark.parametrize("name", ["c4", "d4"])
def test_a_stack_on_the_line_of_the_play(name: str) -> None:
    assert grown(one_layer_more(name), MOOD, parse_play(WOOL)) == parse_square(name)


def test_stacks_off_the_line_and_hidden_ones_say_nothing() -> None:
    crossed = played(MOOD, "N@d5 E@d6")
    reading = reading_of(played(crossed, WOOL))
    reading.height_probs[5, 3] = [0.0, 0.02, 0.95, 0.01, 0.01, 0.01]
    assert grown(reading, crossed, parse_play(WOOL)) is None
    hidden = one_layer_more("c4")
    hidden.hidden[3, 2] = 0.9
    assert grown(hidden, MOOD, parse_play(WOOL)) is None


def test_the_turn_is_asked_about() -> None:
    words = Lexicon.from_words(["MOOD", "WOOL"], name="test")
    for reading, asked in (
        (one_layer_more("c4"), True),
        (reading_of(played(MOOD, WOOL), sure=0.9999), False),
    ):
        watch = GameWatch(None, MOOD, edition=edition_named("8x8"), lexicon=words)  # type: ignore[arg-type]
        inference = watch.take(reading).inference
        assert inference.play == parse_play(WOOL)
        assert inference.needs_review is asked
        assert ("c4" in (inference.reason or "")) is asked
