"""Grids taken a square beside the board's own: the letters left outside tell, where the lattice allows for it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from drawn import BOARD, draw_stack
from enginekit import play_all
from readings import along_columns, elevations_with, reading_of, veil
from samples import photograph, squares_off

from engine import ENGLISH, Board, parse_play
from vision import BoardNotFound, BoardReader, BoardReading, Hints, pipeline
from vision.board import grid_doubt
from vision.board.grid_doubt import (
    STEPS,
    is_in_doubt,
    is_rival,
    letters_together,
    mark_rivalled,
    more_letters_together,
    neighbour_lattices,
    step_onto_grid,
)
from vision.board.lattice import GOOD, Lattice, refine_lattice, rough_camera
from vision.geometry.camera_fit import CameraFit
from vision.geometry.rectify import ReducedView
from vision.heights.plane_sweep import SLICES
from vision.images import Image
from vision.letters.classifier import is_legible
from vision.letters.faces import letters_off_grid

LAYER = 0.25
VIEW = along_columns(0.75)
TRUE = Lattice(CameraFit(VIEW, 1.0), 0.02, 0.0, 0.0)
SAMPLE = "blue_10x10/11.jpg"
"""Two tiles of it lie on the first column."""
PITCH = 60


def step(tiles: dict[tuple[int, int], str]) -> tuple[float, float] | None:
    """Return what is called for on a plain board with tiles at (row, column), one beyond its sides among them."""
    picture, around = np.full((960, 1280, 3), BOARD, np.uint8), np.zeros((10, 10))
    for row, col in sorted(tiles):
        draw_stack(picture, VIEW, (row, col), LAYER, tiles[row, col])
        around[row + 1, col + 1] = LAYER
    seen = elevations_with(np.zeros((8, 8, SLICES)), around)
    return step_onto_grid(letters_off_grid(ReducedView(picture, VIEW, 8), seen, ENGLISH), 8)


def shows_more(other: BoardReading, taken: BoardReading) -> bool:
    """Return whether more letters hang together in one reading than in another."""
    there, here = (
        letters_together(each.heights() > 0, each.find_occluded(), is_legible(each.face_probs, ENGLISH))
        for each in (other, taken)
    )
    return more_letters_together(there, here)


@pytest.mark.parametrize(
    ("tiles", "called_for"),
    [
        ({(3, -1): "T", (4, -1): "E", (5, 0): "N"}, (-1.0, 0.0)),
        ({(3, 8): "T", (6, 8): "E"}, (1.0, 0.0)),
        ({(-1, 2): "T", (-1, 3): "E", (4, 8): "N"}, (0.0, -1.0)),
        ({(8, 2): "T", (8, 3): "E", (-1, 3): "N"}, (0.0, 1.0)),
        ({(3, 0): "T", (4, 0): "E"}, None),  # on the grid
        ({(3, -1): "O", (4, -1): "I"}, None),  # rings and lines are printed on rims
        ({(3, -1): "T", (4, 8): "E"}, None),  # one each beyond two sides
        ({(3, -1): "", (4, -1): ""}, None),  # a rim without letters
        ({(-1, -1): "T", (8, 8): "E"}, None),  # a corner belongs to no side
    ],
)
def test_letters_beyond_a_side_call_for_a_step(
    tiles: dict[tuple[int, int], str], called_for: tuple[float, float] | None
) -> None:
    assert step(tiles) == called_for


def test_a_lattice_is_a_rival_that_the_picture_bears_out_nearly_as_well() -> None:
    assert is_rival(replace(TRUE, spread=0.025), TRUE)
    assert not is_rival(replace(TRUE, spread=0.035), TRUE)
    assert is_rival(replace(TRUE, border_error=0.6), TRUE)
    assert not is_rival(replace(TRUE, border_error=0.8), TRUE)


def test_rivals_and_much_out_of_the_picture_leave_a_lattice_in_doubt() -> None:
    assert not is_in_doubt(TRUE)
    assert not is_in_doubt(replace(TRUE, outside=0.1))
    assert is_in_doubt(replace(TRUE, outside=0.3))
    assert is_in_doubt(replace(TRUE, rivalled=True))


def test_letters_on_a_rim_do_not_hang_together_with_those_of_the_game() -> None:
    mood = play_all(Board.empty(8), "M@b4 O@c4 O@d4 D@e4")
    rim = mood.with_play(parse_play("W@c8 O@d8 R@e8 D@f8"))
    more = mood.with_play(parse_play("Y@f4 E@f5"))
    one_more = mood.with_play(parse_play("Y@f4"))
    corner = mood.with_play(parse_play("A@f5 B@g5 C@h5"))
    assert not shows_more(reading_of(rim), reading_of(mood))
    assert shows_more(reading_of(more), reading_of(mood))
    assert not shows_more(reading_of(one_more), reading_of(mood))
    assert not shows_more(reading_of(corner), reading_of(mood))
    assert not shows_more(reading_of(more, sure=0.5), reading_of(mood))


def test_what_a_hand_hides_may_join_letters() -> None:
    mood = play_all(Board.empty(8), "M@b4 O@c4 O@d4 D@e4")
    more = mood.with_play(parse_play("R@e6 E@e7"))
    apart = reading_of(more)
    assert not shows_more(apart, reading_of(mood))
    assert shows_more(veil(apart, (4, 4)), reading_of(mood))


def sample_reader(lattice: Lattice, monkeypatch: pytest.MonkeyPatch) -> BoardReader:
    """Return a reader that finds just this lattice."""
    reader = BoardReader(without={"tesseract"})
    monkeypatch.setattr(reader, "find", lambda *_, **__: lattice)
    return reader


@cache
def lattices() -> tuple[Lattice, list[Lattice]]:
    """Return the lattice of the sample, upright, and those a square beside it."""
    image, _ = photograph(SAMPLE)
    upright = refine_lattice(image, BoardReader(without={"tesseract"}).read(image, 10).camera, 10)
    return upright, list(neighbour_lattices(image, upright.fit, 10))


def test_a_square_beside_where_no_board_can_be_read_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    image, here = photograph(SAMPLE)[0], reading_of(Board.empty(10))
    beside = [np.full((4, 2), float(at)) for at in range(3)]
    monkeypatch.setattr(pipeline, "neighbour_corners", lambda *_: beside)
    reader = BoardReader(without={"tesseract"})

    def read(image: Image, size: int, *, corners: np.ndarray, **hints: object) -> BoardReading:
        if corners is beside[1]:
            raise BoardNotFound("The picture is mirrored.")
        return replace(here, corners=corners)

    monkeypatch.setattr(reader, "read", read)
    found = reader.neighbour_readings(image, here, Hints())
    assert [float(each.corners[0, 0]) for each in found] == [0.0, 2.0]


@pytest.mark.slow
def test_the_grid_moves_back_to_the_tiles_that_were_left_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    image, true = photograph(SAMPLE)
    _, beside = lattices()
    reading = sample_reader(beside[STEPS.index((1.0, 0.0))], monkeypatch).read(image, 10)
    assert squares_off(reading.corners, true, 10) < 0.2
    assert reading.upright > 0.9
    assert reading.grid < 1.0


def test_the_grid_stays_where_nothing_was_left_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    image, true = photograph(SAMPLE)
    _, beside = lattices()
    reading = sample_reader(beside[STEPS.index((-1.0, 0.0))], monkeypatch).read(image, 10)
    assert squares_off(reading.corners, true, 10) > 0.5


@pytest.mark.parametrize(("lattice_allows", "more_letters"), [(True, False), (False, True)])
def test_the_grid_stays_where_lattice_or_letters_speak_against_another(
    lattice_allows: bool, more_letters: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, true = photograph(SAMPLE)
    found, _ = lattices()
    monkeypatch.setattr(pipeline, "step_onto_grid", lambda *_: (1.0, 0.0))
    if lattice_allows:
        monkeypatch.setattr(grid_doubt, "is_rival", lambda *_: True)
    if more_letters:
        monkeypatch.setattr(pipeline, "more_letters_together", lambda *_: True)
    reading = sample_reader(found, monkeypatch).read(image, 10)
    assert squares_off(reading.corners, true, 10) < 0.2
    assert reading.grid == 1.0


def test_a_lattice_in_doubt_is_told_and_one_given_by_a_person_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    image, true = photograph(SAMPLE)
    reader = sample_reader(replace(lattices()[0], outside=0.3), monkeypatch)
    assert reader.read(image, 10).grid < 1.0
    assert reader.read(image, 10, corners=true).grid == 1.0


def test_a_lattice_is_compared_with_those_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    image, _ = photograph(SAMPLE)
    found, beside = lattices()
    assert not mark_rivalled(image, found, 10).rivalled
    near = [*beside[:3], replace(found, spread=1.2 * found.spread)]
    monkeypatch.setattr(grid_doubt, "neighbour_lattices", lambda *_: near)
    # a lattice beyond doubt is not compared, unless its border is in doubt or out of the picture
    assert not mark_rivalled(image, found, 10).rivalled
    assert mark_rivalled(image, replace(found, border_error=0.1), 10).rivalled
    assert mark_rivalled(image, replace(found, outside=0.1), 10).rivalled
    assert mark_rivalled(image, replace(found, spread=0.028), 10).rivalled
    # nor is one that fits well; one that fits only moderately is, even if its border is exact
    near[3] = replace(found, spread=1.2 * 0.024)
    assert not mark_rivalled(image, replace(found, spread=0.02), 10).rivalled
    assert mark_rivalled(image, replace(found, spread=0.024), 10).rivalled


def test_a_lattice_that_fits_badly_is_in_doubt_whatever_lies_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    image, _ = photograph(SAMPLE)
    found = lattices()[0]
    monkeypatch.setattr(grid_doubt, "neighbour_lattices", lambda *_: [])
    assert not mark_rivalled(image, replace(found, spread=1.05 * GOOD, border_error=0.0), 10).rivalled
    assert mark_rivalled(image, replace(found, spread=1.2 * GOOD, border_error=0.0), 10).rivalled


def test_a_grid_that_ends_where_the_picture_does_is_compared_with_those_that_go_on_beyond() -> None:
    picture, flat = _from_above()
    cut = 2
    aside = flat + np.array([cut * PITCH, 0], np.float32)
    assert not mark_rivalled(picture, _take(picture, aside), 10).rivalled, "the squares beyond are in view"
    left = (3 + cut) * PITCH
    rest = np.ascontiguousarray(picture[:, left:])
    assert mark_rivalled(rest, _take(rest, aside - np.array([left, 0], np.float32)), 10).rivalled


def test_a_row_that_the_picture_cuts_through_may_be_the_boards_however_well_the_grid_beside_it_fits() -> None:
    picture, flat = _from_above()
    a_row_off = flat - np.array([0, PITCH], np.float32)
    assert not mark_rivalled(picture, _take(picture, a_row_off), 10).rivalled, "that row is in view"
    cut = np.ascontiguousarray(picture[: 13 * PITCH - PITCH // 2])
    assert mark_rivalled(cut, _take(cut, a_row_off), 10).rivalled


def _from_above() -> tuple[Image, np.ndarray]:
    """Return the sample as from straight above, squares PITCH px wide and three of them around it, and its corners
    (4, 2)."""
    image, true = photograph(SAMPLE)
    flat = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], np.float32) * PITCH + 3 * PITCH
    to_flat = cv2.getPerspectiveTransform(true.astype(np.float32), flat)
    return np.asarray(cv2.warpPerspective(image, to_flat, (16 * PITCH, 16 * PITCH)), np.uint8), flat


def _take(image: Image, corners: np.ndarray) -> Lattice:
    """Return a lattice at corners (4, 2) that fits well."""
    return Lattice(CameraFit(rough_camera(image, corners, 10), 1.0), 0.02, 0.0, 0.0)
