"""Apparent sizes: which faces are measured, and how."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from readings import camera, slices_with

from vision import Camera
from vision.geometry.rectify import ReducedView, square_places
from vision.heights import comparison
from vision.heights.comparison import apparent_sizes, log_magnification, read_sizes, size_windows
from vision.heights.plane_sweep import SLICE_STEP

ABOVE = camera(tilt=0.02)
PICTURE = np.full((960, 1280, 3), 60, np.uint8)
TILES = {(1, 1): 3, (1, 2): 3, (1, 3): 8, (4, 4): 5, (6, 2): 3}
"""Slices in which the faces of some squares lie."""


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every face measures 0.85 squares in the plane of its window."""
    monkeypatch.setattr(comparison, "size_windows", lambda image, seen, places: places)
    monkeypatch.setattr(comparison, "read_sizes", lambda at: (np.full(len(at), np.log(0.85)), np.full(len(at), 0.01)))


def sizes(view: Camera, hidden: np.ndarray | None = None) -> np.ndarray:
    return apparent_sizes(ReducedView(PICTURE, view, 8), slices_with(TILES, hidden))


@pytest.mark.usefixtures("measured")
def test_faces_are_told_as_if_they_lay_on_the_board() -> None:
    told = sizes(ABOVE)
    away = float(ABOVE.position[2])
    for square, at in TILES.items():
        assert told[(*square, 0)] == pytest.approx(np.log(0.85 * away / (away - at * SLICE_STEP)))
    assert {(int(row), int(col)) for row, col in np.argwhere(np.isfinite(told[..., 1]))} == set(TILES)


@pytest.mark.usefixtures("measured")
def test_hidden_faces_lone_tiles_and_views_from_the_side_are_not_measured() -> None:
    hidden = np.zeros((8, 8))
    hidden[4, 4] = 1.0
    assert np.isfinite(sizes(ABOVE, hidden)[..., 1]).sum() == len(TILES) - 1
    hidden[1, 1:3] = 1.0
    assert np.isinf(sizes(ABOVE, hidden)[..., 1]).all()
    assert np.isinf(sizes(camera(tilt=0.6))[..., 1]).all()


def test_what_is_nearer_looks_larger() -> None:
    assert np.exp(log_magnification(np.array([0.0, 1.0, 5.0]), 10.0)) == pytest.approx([1.0, 10 / 9, 2.0])


def test_larger_faces_are_measured_larger() -> None:
    picture = np.full_like(PICTURE, (40, 30, 90))
    squares = [(1, 1), (1, 5), (5, 1), (5, 5)]
    widths = (0.80, 0.84, 0.88, 0.92)
    for (row, col), width in zip(squares, widths, strict=True):
        corners = [
            (col + 0.5 + x * width / 2, row + 0.5 + y * width / 2, 0.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        pixels = np.round(ABOVE.project(corners) * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, pixels, (215, 230, 235), cv2.LINE_AA, 4)
    logs, errors = read_sizes(size_windows(picture, ABOVE, square_places(squares, 0.0)))
    assert np.diff(logs) == pytest.approx(np.diff(np.log(widths)), abs=0.02)
    assert (errors > 0).all()
