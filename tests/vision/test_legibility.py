"""A picture in which known letters cannot be read is not believed about new ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readings import played, reading_of

from engine.board import Board
from engine.editions import edition_named
from engine.faces import FACES
from engine.lexicon import Lexicon
from engine.play import parse_play
from vision.infer import SURE
from vision.legibility import demanded, unread
from vision.reading import BoardReading
from vision.session import GameWatch

BEFORE = played(played(Board.empty(8), "M@b4 O@c4 O@d4 D@e4"), "E@e5 A@e6 R@e7")
AFTER = played(BEFORE, "L@e4")


def bleached(count: int) -> BoardReading:
    """The reading of AFTER in which `count` of the letters that lay there have gone white."""
    reading = reading_of(AFTER, sure=0.9999, height_sure=0.9999)
    for square in list(BEFORE.occupied())[:count]:
        reading.face_probs[square.row, square.col] = 1 / len(FACES)
    return reading


@pytest.mark.parametrize(("count", "share"), [(0, 0.0), (3, 0.5), (6, 1.0)])
def test_the_share_of_known_letters_that_cannot_be_read(count: int, share: float) -> None:
    played_on = {tile.square for tile in parse_play("D@e4").tiles}
    reading = reading_of(BEFORE)
    for square in [s for s in BEFORE.occupied() if s not in played_on][:count]:
        reading.face_probs[square.row, square.col] = 1 / len(FACES)
    assert unread(reading, BEFORE, played_on) == pytest.approx(share)


def test_few_tiles_in_view_tell_nothing() -> None:
    reading = reading_of(BEFORE)
    reading.face_probs[:] = 1 / len(FACES)
    assert unread(reading, BEFORE, ()) == 1.0
    reading.hidden[3:6] = 0.9
    assert unread(reading, BEFORE, ()) == 0.0


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_less_is_read_the_more_is_demanded(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert demanded(low) <= demanded(high) < 1.0
    assert demanded(0.05) <= SURE


def test_a_bleached_picture_is_asked_about() -> None:
    words = Lexicon.from_words(["MOOD", "MOOL", "LEAR", "DEAR"], name="test")

    def watch() -> GameWatch:
        return GameWatch(None, BEFORE, edition=edition_named("8x8"), lexicon=words)  # type: ignore[arg-type]

    clear = watch().take(bleached(0)).inference
    assert (clear.kind, clear.play, clear.needs_review) == ("play", parse_play("L@e4"), False)
    doubtful = bleached(3)
    new = parse_play("L@e4").tiles[0].square
    doubtful.face_probs[new.row, new.col] = np.where(np.array(FACES) == "L", 0.6, 0.4 / 25)
    white = watch().take(doubtful).inference
    assert white.play == clear.play
    assert white.confidence > SURE
    assert white.needs_review
    assert white.reason is not None
    assert "Many letters cannot be read" in white.reason
