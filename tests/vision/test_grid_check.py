"""Lines, letters and the words they spell tell whether a grid is the board's own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from enginekit import play_all
from readings import camera, reading_of
from samples import photograph, squares_off

from engine import Board, Lexicon, parse_play
from vision import BoardNotFound, BoardReader, BoardReading, GridDoubt, pipeline
from vision.board.grid_doubt import are_scattered, is_lettered, lies_there, spell_words
from vision.board.lattice import Lattice, is_board, may_be_board
from vision.board.localize import find_lattice
from vision.geometry.camera_fit import CameraFit
from vision.geometry.rectify import ReducedView
from vision.pipeline import confirms_faint_grid, doubt_of

EMPTY = Board.empty(8)
MOODY = play_all(EMPTY, "M@b4 O@c4 O@d4 D@e4", "Y@e5 E@e6 T@e7")
WORDS = Lexicon.from_words(["MOOD", "DYET", "OD"], name="few")
BARE = np.zeros((8, 8), dtype=bool)
SAMPLE = "classic_8x8/06.jpg"
VIEW = ReducedView(np.full((60, 80, 3), 120, np.uint8), camera(8), 8)


def test_a_faint_lattice_may_be_a_boards_if_its_border_is_where_it_belongs() -> None:
    found = find_lattice(photograph(SAMPLE)[0], 8)
    assert not found.unproven
    faint = Lattice(CameraFit(found.fit.camera, 1.0), 0.055, 0.0, 0.0)
    assert may_be_board(faint)
    assert not is_board(faint)
    assert not may_be_board(replace(faint, spread=0.07))
    assert not may_be_board(replace(faint, border_error=0.3))
    assert not may_be_board(replace(faint, fit=replace(faint.fit, inliers=0.8)))


def test_a_sharp_lattice_may_be_a_boards_on_a_floor_of_squares() -> None:
    found = find_lattice(photograph(SAMPLE)[0], 8)
    tiled = Lattice(CameraFit(found.fit.camera, 1.0), 0.026, 1.06, 0.0, beyond=1.05)
    assert may_be_board(tiled)
    assert not is_board(tiled)
    for other in (
        replace(tiled, spread=0.04),
        replace(tiled, border_error=2.0, beyond=1.9),
        replace(tiled, border_error=1.3),
        replace(tiled, outside=0.3),
        replace(tiled, fit=replace(tiled.fit, inliers=0.9)),
    ):
        assert not may_be_board(other)
    reading = reading_of(MOODY)
    assert doubt_of(replace(tiled, unproven=True), reading, VIEW) is GridDoubt.BORDER
    faint = replace(tiled, spread=0.055, border_error=0.0, beyond=0.0, unproven=True)
    assert doubt_of(faint, reading, VIEW) is GridDoubt.FAINT


def test_letters_that_spell_two_long_words_bear_a_grid_out() -> None:
    letters = reading_of(MOODY).letters()
    assert spell_words(letters, BARE, WORDS)
    assert not spell_words(letters, BARE, Lexicon.from_words(["MOOD"], name="one"))


def test_most_of_what_stands_in_a_row_must_be_words() -> None:
    more = MOODY.with_play(parse_play("X@c3 Z@d3"))
    assert not spell_words(reading_of(more).letters(), BARE, WORDS)


def test_hidden_letters_spell_nothing() -> None:
    hidden = BARE.copy()
    hidden[4, 4] = True
    assert not spell_words(reading_of(MOODY).letters(), hidden, WORDS)


def test_no_letters_spell_no_words_and_known_boards_are_not_empty() -> None:
    letters = reading_of(EMPTY).letters()
    assert not spell_words(letters, BARE, WORDS)
    assert not lies_there(letters, EMPTY)


def test_tiles_known_from_before_bear_a_grid_out_where_most_lie_there() -> None:
    letters = reading_of(MOODY).letters()
    assert lies_there(letters, MOODY)
    assert not lies_there(letters, play_all(EMPTY, "M@b5 O@c5 O@d5 D@e5"))
    many = play_all(MOODY, "C@a8 R@b8 A@c8 Z@d8 Y@e8")
    assert not lies_there(letters, many)


def test_without_words_and_known_tiles_nothing_bears_a_grid_out() -> None:
    reading = reading_of(MOODY)
    assert not confirms_faint_grid(reading, None, None)
    assert confirms_faint_grid(reading, None, WORDS)
    assert confirms_faint_grid(reading, MOODY, None)


def reader_of_a_faint_grid(monkeypatch: pytest.MonkeyPatch, words: Lexicon | None = None) -> BoardReader:
    """Return a reader that finds the sample's lattice, but too faintly."""
    faint = replace(find_lattice(photograph(SAMPLE)[0], 8), unproven=True)
    monkeypatch.setattr(pipeline, "find_lattice", lambda *_: faint)
    return BoardReader(without={"tesseract"}, words=words)


def test_a_faint_grid_is_read_where_words_or_known_tiles_bear_it_out_and_refused_where_none_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image, true = photograph(SAMPLE)
    sure = BoardReader(without={"tesseract"}).read(image, 8)
    spelt = [word for word in _runs(sure.letters()) if len(word) > 1]
    assert sum(len(word) > 2 for word in spelt) >= 2
    reader = reader_of_a_faint_grid(monkeypatch, Lexicon.from_words(spelt, name="these"))
    reading = reader.read(image, 8)
    assert reading.grid_doubt is GridDoubt.FAINT
    assert (reading.confidence() < 0.95).all(), "no square of a faint grid is sure"
    assert squares_off(reading.corners, true, 8) < 0.2
    with pytest.raises(BoardNotFound, match="No 8 × 8 board"):
        reader_of_a_faint_grid(monkeypatch).read(image, 8)


def test_letters_beside_a_faint_grid_speak_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    image, _ = photograph(SAMPLE)
    monkeypatch.setattr(pipeline, "confirms_faint_grid", lambda *_: True)
    reader = reader_of_a_faint_grid(monkeypatch)
    assert reader.read(image, 8).grid_doubt is GridDoubt.FAINT
    monkeypatch.setattr(pipeline, "letters_off_grid", lambda *_: [(8, 2)])
    with pytest.raises(BoardNotFound, match="No 8 × 8 board"):
        reader.read(image, 8)


def _runs(letters: list[list[str]]) -> list[str]:
    """Return what stands in a row, across and down, in capitals."""
    lines = (*letters, *zip(*letters, strict=True))
    return [run for line in lines for run in "".join(face.upper() or " " for face in line).split()]


def test_a_faint_lattice_that_looks_printed_is_a_faint_one_first() -> None:
    faint = Lattice(CameraFit(camera(8), 1.0), 0.06, 0.01, 0.0, printed=True, unproven=True)
    assert doubt_of(faint, reading_of(play_all(Board.empty(8), "b4-MOOD")), VIEW) is GridDoubt.FAINT


MOOD = play_all(EMPTY, "M@b4 O@c4 O@d4 D@e4")


def is_lettered_grid(reading: BoardReading) -> bool:
    return is_lettered(reading.height_probs, reading.face_probs)


def test_letters_read_plainly_tell_the_game() -> None:
    assert is_lettered_grid(reading_of(MOOD, sure=0.99))
    assert not is_lettered_grid(reading_of(MOOD, sure=0.8))


def test_a_bare_grid_and_one_letter_tell_nothing() -> None:
    assert not is_lettered_grid(reading_of(EMPTY))
    assert not is_lettered_grid(reading_of(play_all(EMPTY, "M@b4"), sure=0.99))


def test_most_of_what_seems_to_be_tiles_must_be_plain() -> None:
    reading = reading_of(play_all(MOOD, "A@c5 T@d5 A@e5 R@f5 E@g5"), sure=0.99)
    assert is_lettered_grid(reading)
    discs = reading.face_probs.copy()
    discs[4] = 1 / 26
    assert not is_lettered_grid(replace(reading, face_probs=discs))


def is_scattered(reading: BoardReading) -> bool:
    return are_scattered(reading.height_probs, reading.face_probs, reading.find_occluded())


def test_letters_that_lie_about_are_another_games() -> None:
    words = play_all(MOOD, "A@c5 T@d5 A@e5")
    assert not is_scattered(reading_of(words, sure=0.99))
    about = play_all(EMPTY, "K@a1 Q@c2 R@e1 N@g4 B@b6 P@e7")
    assert is_scattered(reading_of(about, sure=0.99))
    few = play_all(EMPTY, "K@a1 Q@c2 R@e1")
    assert not is_scattered(reading_of(few, sure=0.99))


def test_what_hides_squares_may_hide_what_joins_the_letters() -> None:
    reading = reading_of(play_all(EMPTY, "M@b4 O@d4 O@b6 D@d6"), sure=0.99)
    assert is_scattered(reading)
    hidden = reading.hidden.copy()
    hidden[3:6, 1:4] = 1.0
    hidden[3:6:2, 1:4:2] = 0.0
    assert not is_scattered(replace(reading, hidden=hidden))


@pytest.mark.parametrize(("name", "doubt"), [("00.jpg", GridDoubt.UNLETTERED), ("03.jpg", None)])
def test_a_bare_board_may_be_another_games_and_one_with_words_is_not(name: str, doubt: GridDoubt | None) -> None:
    image, _ = photograph(f"classic_8x8/{name}")
    reading = BoardReader(without={"tesseract"}).read(image, 8)
    assert reading.grid_doubt is doubt
    assert bool(reading.confidence().max() < 0.9) is (doubt is not None)
    assert reading.said_doubt is None
