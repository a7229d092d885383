"""Walls: which of them are measured, how they are looked at, and what their width tells."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readings import camera, slices_with

from vision import Camera
from vision.geometry.rectify import ReducedView
from vision.heights import walls as walls_module
from vision.heights.plane_sweep import SLICE_STEP
from vision.heights.walls import (
    WALL_AHEAD,
    WALL_PX,
    WALL_SPAN,
    Wall,
    find_walls,
    read_walls,
    wall_heights,
    wall_windows,
)

HALF = 0.45
ABOVE = Camera(900.0, (639.5, 479.5), 0.0, np.eye(3), np.array([-4.0, -4.0, 11.0]))
TILES = {(0, 0): 3, (1, 6): 8, (4, 1): 5, (7, 7): 12}
"""Slices in which the faces of some squares lie."""


def paint(light: Camera = ABOVE) -> np.ndarray:
    """Return a dark board with light tiles, whose walls are lighter still."""
    picture = np.full((960, 1280, 3), 40, np.uint8)
    for (row, col), at in TILES.items():
        middle = np.array((col + 0.5, row + 0.5))
        square = middle + np.array([(-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)])
        face, foot = (np.column_stack([square, np.full(4, z)]) for z in (at * SLICE_STEP, 0.0))
        for k in range(4):
            wall = light.project([foot[k], foot[k - 1], face[k - 1], face[k]])
            cv2.fillConvexPoly(picture, np.round(wall * 16).astype(np.int32), (240,) * 3, cv2.LINE_AA, 4)
        cv2.fillConvexPoly(picture, np.round(light.project(face) * 16).astype(np.int32), (140,) * 3, cv2.LINE_AA, 4)
    return picture


@given(st.floats(0.1, 1.5), st.floats(-0.2, 0.2), st.floats(0.8, 4.0), st.floats(8.0, 40.0))
def test_a_width_tells_the_elevation_that_it_comes_from(
    elevation: float, guessed: float, reach: float, away: float
) -> None:
    wall = Wall((3, 4), (1, 0), (4.5, 3.5, max(elevation + guessed, 0.1)), reach, away)
    told, error = wall.elevation(wall.width(elevation), 0.01)
    assert told == pytest.approx(elevation)
    further, _ = wall.elevation(wall.width(elevation) + 0.01, 0.01)
    assert error == pytest.approx(further - told, rel=0.2)


def test_the_walls_that_show_are_those_towards_the_camera() -> None:
    position = ABOVE.position
    assert [wall.towards for wall in find_walls(position, (0, 0), 0.25)] == [(1, 0), (0, 1)]
    assert [wall.towards for wall in find_walls(position, (7, 6), 0.25)] == [(-1, 0), (0, -1)]
    assert find_walls(position, (3, 4), 0.25) == []


def test_windows_show_the_wall_below_its_face_as_wide_as_it_is() -> None:
    view = ReducedView(paint(), ABOVE, 8)
    for square, at in TILES.items():
        for wall in find_walls(ABOVE.position, square, at * SLICE_STEP):
            (window,) = wall_windows(view, [wall])
            strip = window[:, WALL_PX // 2 - 6 : WALL_PX // 2 + 6, 0].mean(axis=1)
            shown = strip > 190
            wide = shown.sum() / WALL_PX * WALL_SPAN
            assert wide == pytest.approx(wall.width(at * SLICE_STEP), abs=0.04)
            if wide > 0.05:
                first = np.flatnonzero(shown)[0] / WALL_PX * WALL_SPAN
                assert first == pytest.approx(WALL_SPAN / 2 - WALL_AHEAD + HALF, abs=0.04)


@pytest.mark.parametrize("lean", [0.0, 0.15])
def test_measured_widths_become_elevations_of_each_face(monkeypatch: pytest.MonkeyPatch, lean: float) -> None:
    view = camera(tilt=lean) if lean else ABOVE
    monkeypatch.setattr(walls_module, "wall_windows", lambda seen, walls: walls)

    def exact(walls: list[Wall]) -> tuple[np.ndarray, np.ndarray]:
        return np.array([w.width(TILES[w.square] * SLICE_STEP) for w in walls]), np.full(len(walls), 0.01)

    monkeypatch.setattr(walls_module, "read_walls", exact)
    hidden = np.zeros((8, 8))
    hidden[4, 1] = 1.0
    told = wall_heights(ReducedView(paint(view), view, 8), slices_with(TILES, hidden))
    measured = {(int(row), int(col)) for row, col, side in np.argwhere(np.isfinite(told[..., 1]))}
    assert measured == set(TILES) - {(4, 1)}
    for square in measured:
        finite = np.isfinite(told[(*square, slice(None), 1)])
        assert told[square][finite, 0] == pytest.approx(TILES[square] * SLICE_STEP)


def test_views_from_the_side_and_of_few_tiles_are_not_measured() -> None:
    side = camera(tilt=0.6)
    assert np.isinf(wall_heights(ReducedView(paint(side), side, 8), slices_with(TILES))[..., 1]).all()
    hidden = np.zeros((8, 8))
    hidden[0, 0] = hidden[1, 6] = 1.0
    assert np.isinf(wall_heights(ReducedView(paint(), ABOVE, 8), slices_with(TILES, hidden))[..., 1]).all()


def test_a_board_of_many_squares_has_more_walls_than_one_resampling_takes() -> None:
    view = ReducedView(paint(), ABOVE, 8)
    walls = find_walls(ABOVE.position, (0, 0), 0.25) * 400
    assert wall_windows(view, walls).shape == (800, WALL_PX, WALL_PX, 3)


def test_wider_walls_are_measured_wider() -> None:
    view = ReducedView(paint(), ABOVE, 8)
    walls = [wall for square, at in TILES.items() for wall in find_walls(ABOVE.position, square, at * SLICE_STEP)]
    widths, errors = read_walls(wall_windows(view, walls))
    true = [wall.width(TILES[wall.square] * SLICE_STEP) for wall in walls]
    assert np.corrcoef(widths, true)[0, 1] > 0.9
    assert (errors > 0).all()
