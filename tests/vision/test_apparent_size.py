"""Heights by apparent size: of like tiles the nearer one looks larger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readings import camera

from vision.geometry.camera import Camera
from vision.geometry.rectify import square_places
from vision.geometry.reduced_view import ReducedView
from vision.heights import apparent_size
from vision.heights.apparent_size import apparent_size_log_odds, read_sizes, size_windows
from vision.heights.elevations import SliceState
from vision.heights.plane_sweep import SLICE_STEP, SLICES

ABOVE = camera(tilt=0.02)
PICTURE = np.full((960, 1280, 3), 60, np.uint8)
HEIGHTS = {(1, 1): 3, (1, 2): 3, (1, 3): 8, (4, 4): 5, (6, 2): 3, (6, 6): 10}
"""Slices in which the faces of some squares lie."""


def vague(spread: float, middle: float | None = None) -> np.ndarray:
    """Elevations (8, 8, SLICES), log probabilities: tiles for certain, in slices hardly known.

    They are believed in the `middle` slice, all of them, or around the true one.
    """
    out = np.full((8, 8, SLICES), -40.0)
    out[..., 0] = 0.0
    slices = np.arange(1, SLICES)
    for square, at in HEIGHTS.items():
        logs = -0.5 * ((slices - (at if middle is None else middle)) / spread) ** 2
        out[square] = [-7.0, *(logs - np.logaddexp.reduce(logs))]
    return np.asarray(out - np.logaddexp.reduce(out, axis=-1)[..., None])


def measure(
    patch: pytest.MonkeyPatch,
    view: Camera,
    lean: tuple[float, float] = (0.0, 0.0),
    mistaken: tuple[int, int] | None = None,
    width: float = 0.87,
) -> None:
    """Have every face measured rightly, but for a lean over the board and one face that is measured quite wrongly."""
    away = view.position[2]

    def sizes(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        squares = [(int(y), int(x)) for x, y, _ in places]
        true = np.array([HEIGHTS[square] for square in squares]) * SLICE_STEP
        logs = np.log(width * (away - places[:, 2]) / (away - true))
        logs += ((np.array(squares) + 0.5) / 8 - 0.5) @ lean
        logs[[square == mistaken for square in squares]] += 0.06
        return logs, np.full(len(logs), 0.002)

    patch.setattr(apparent_size, "size_windows", lambda image, seen, places: places)
    patch.setattr(apparent_size, "read_sizes", sizes)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return partial(measure, monkeypatch)


def weighed(view: Camera, log_probs: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    """Elevations (8, 8, SLICES), log probabilities, with what apparent sizes tell joined in."""
    state = SliceState(log_probs, hidden)
    return state.joined(apparent_size_log_odds(ReducedView(PICTURE, view, 8), state)).log_probs


def slices_of(elevations: np.ndarray) -> np.ndarray:
    """The slice (tiles,) in the middle of what is believed of each face."""
    chance = np.exp(elevations[tuple(np.transpose(list(HEIGHTS)))][:, 1:])
    return np.asarray((chance / chance.sum(axis=1, keepdims=True)) @ np.arange(1, SLICES))


TRUE = np.array(list(HEIGHTS.values()), float)


@settings(deadline=None, max_examples=25)
@given(width=st.floats(0.75, 0.97))
def test_differences_of_height_come_out_whatever_the_tiles_measure(width: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        measure(patch, ABOVE, width=width)
        told = slices_of(weighed(ABOVE, vague(4.0, middle=6.0), np.zeros((8, 8))))
    assert np.abs((told - told.mean()) - (TRUE - TRUE.mean())).max() < 1.5


def test_a_pose_a_little_askew_passes_for_little_height(
    measured: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured(ABOVE, lean=(0.04, 0.0))
    off = []
    for rounds in (apparent_size.MODEL.rounds, 0):
        monkeypatch.setattr(apparent_size, "MODEL", replace(apparent_size.MODEL, rounds=rounds))
        told = slices_of(weighed(ABOVE, vague(1.0), np.zeros((8, 8))))
        off.append(np.abs(told - TRUE).max())
    fitted, ignored = off
    assert fitted < 1.0
    assert fitted < 0.6 * ignored


def test_one_mistaken_size_misleads_no_other_face(measured: Callable[..., None]) -> None:
    measured(ABOVE, mistaken=(6, 2))
    told = slices_of(weighed(ABOVE, vague(1.5), np.zeros((8, 8))))
    right = np.array([square != (6, 2) for square in HEIGHTS])
    assert np.abs(told - TRUE)[right].max() < 1.0


def test_whether_a_tile_is_there_stays_as_it_was(measured: Callable[..., None]) -> None:
    measured(ABOVE)
    before = vague(3.0)
    after = weighed(ABOVE, before, np.zeros((8, 8)))
    assert after[..., 0] == pytest.approx(before[..., 0])
    assert np.logaddexp.reduce(after, axis=-1) == pytest.approx(0.0, abs=1e-9)


def test_views_from_the_side_and_lone_tiles_are_left_alone(measured: Callable[..., None]) -> None:
    tilted = camera(tilt=0.6)
    measured(tilted)
    assert np.allclose(weighed(tilted, vague(3.0), np.zeros((8, 8))), vague(3.0))
    hidden = np.ones((8, 8))
    hidden[1, 1:3] = 0.0
    assert np.allclose(weighed(ABOVE, vague(3.0), hidden), vague(3.0))


def test_larger_faces_are_measured_larger() -> None:
    picture = np.full_like(PICTURE, (40, 30, 90))
    squares = [(1, 1), (1, 5), (5, 1), (5, 5)]
    widths = (0.80, 0.84, 0.88, 0.92)
    for (row, col), width in zip(squares, widths, strict=True):
        corners = [
            (col + 0.5 + x * width / 2, row + 0.5 + y * width / 2, 0.0)
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        pixels = np.round(ABOVE.project(corners) * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, pixels, (215, 230, 235), cv2.LINE_AA, 4)
    sizes, errors = read_sizes(size_windows(picture, ABOVE, square_places(squares, 0.0)))
    assert np.diff(sizes) == pytest.approx(np.diff(np.log(widths)), abs=0.02)
    assert (errors > 0).all()
