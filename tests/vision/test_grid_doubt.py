"""What tells that a grid is the board's own: letters on tiles, and tiles on tiles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from readings import played, reading_of
from samples import photograph

from engine.board import Board
from vision.board.grid_doubt import GridDoubt, are_stacked, is_flat_print, is_lettered
from vision.pipeline import BoardReader
from vision.reading import BoardReading

EMPTY = Board.empty(8)
MOOD = played(EMPTY, "M@b4 O@c4 O@d4 D@e4")


def lettered(reading: BoardReading) -> bool:
    return is_lettered(reading.height_probs, reading.face_probs)


def test_letters_read_plainly_tell_the_game() -> None:
    assert lettered(reading_of(MOOD, sure=0.99))
    assert not lettered(reading_of(MOOD, sure=0.8))


def test_a_bare_grid_and_one_letter_tell_nothing() -> None:
    assert not lettered(reading_of(EMPTY))
    assert not lettered(reading_of(played(EMPTY, "M@b4"), sure=0.99))


def test_most_of_what_seems_to_be_tiles_must_be_plain() -> None:
    reading = reading_of(played(MOOD, "A@c5 T@d5 A@e5 R@f5 E@g5"), sure=0.99)
    assert lettered(reading)
    discs = reading.face_probs.copy()
    discs[4] = 1 / 26
    assert not lettered(replace(reading, face_probs=discs))


def test_tiles_on_tiles_do_not_lie_on_paper() -> None:
    flat = np.tile([0.0, 1.0, 0.0, 0.0, 0.0, 0.0], (8, 8, 1))
    assert not are_stacked(flat)
    stacked = flat.copy()
    stacked[2, 2:4] = (0.0, 0.01, 0.5, 0.49, 0.0, 0.0)
    assert are_stacked(stacked)
    stacked[2, 2] = (0.0, 0.1, 0.9, 0.0, 0.0, 0.0)
    assert not are_stacked(stacked)


def test_letters_everywhere_and_none_on_another_are_print() -> None:
    heights = np.zeros((8, 8, 6))
    heights[..., 0] = 1.0
    assert not is_flat_print(heights)
    heights[:5] = (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    assert is_flat_print(heights)
    heights[2, 2:4] = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    assert not is_flat_print(heights)


@pytest.mark.parametrize(("name", "doubt"), [("00.jpg", GridDoubt.UNLETTERED), ("03.jpg", None)])
def test_a_bare_board_may_be_another_games_and_one_with_words_is_not(
    name: str, doubt: GridDoubt | None
) -> None:
    image, _ = photograph(f"classic_8x8/{name}")
    reading = BoardReader(without={"tesseract"}).read(image, 8)
    assert reading.grid_doubt is doubt
    assert bool(reading.confidence().max() < 0.9) is (doubt is not None)
    assert reading.said_doubt is None
