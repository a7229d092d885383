"""What tells that a grid is this game's: letters on tiles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from readings import played, reading_of
from samples import photograph

from engine import Board
from vision import BoardReader, BoardReading, GridDoubt
from vision.board.grid_doubt import are_scattered, is_lettered

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


def scattered(reading: BoardReading) -> bool:
    return are_scattered(reading.height_probs, reading.face_probs, reading.occluded())


def test_letters_that_lie_about_are_another_games() -> None:
    words = played(MOOD, "A@c5 T@d5 A@e5")
    assert not scattered(reading_of(words, sure=0.99))
    about = played(EMPTY, "K@a1 Q@c2 R@e1 N@g4 B@b6 P@e7")
    assert scattered(reading_of(about, sure=0.99))
    few = played(EMPTY, "K@a1 Q@c2 R@e1")
    assert not scattered(reading_of(few, sure=0.99))


def test_what_hides_squares_may_hide_what_joins_the_letters() -> None:
    reading = reading_of(played(EMPTY, "M@b4 O@d4 O@b6 D@d6"), sure=0.99)
    assert scattered(reading)
    hidden = reading.hidden.copy()
    hidden[3:6, 1:4] = 1.0
    hidden[3:6:2, 1:4:2] = 0.0
    assert not scattered(replace(reading, hidden=hidden))


@pytest.mark.parametrize(("name", "doubt"), [("00.jpg", GridDoubt.UNLETTERED), ("03.jpg", None)])
def test_a_bare_board_may_be_another_games_and_one_with_words_is_not(name: str, doubt: GridDoubt | None) -> None:
    image, _ = photograph(f"classic_8x8/{name}")
    reading = BoardReader(without={"tesseract"}).read(image, 8)
    assert reading.grid_doubt is doubt
    assert bool(reading.confidence().max() < 0.9) is (doubt is not None)
    assert reading.said_doubt is None
