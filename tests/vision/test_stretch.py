"""Pictures whose pixels are not square."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readings import camera
from samples import photograph, squares_off

from bench.reading.spoiled import stretched
from vision.board.localize import find_lattice
from vision.geometry.camera import Camera, corners_of, homography_from_corners
from vision.geometry.camera_fit import Correspondences, fit_camera, initial_camera
from vision.geometry.stretch import SQUARE_PIXELS, STRETCHES, fit_any_stretch, rough_stretch
from vision.pipeline import BoardReader

WH = (1280, 960)
ABOVE, ASIDE = "blue_10x10/08.jpg", "blue_10x10/11.jpg"
"""Seen from 19 and from 41 degrees."""

tilts, turns = st.floats(0.0, 0.9), st.floats(-3.0, 3.0)
stretches = st.sampled_from(sorted(STRETCHES))


def seen(view: Camera, noise: float = 0.0) -> Correspondences:
    """The middles of an 8 x 8 board's squares as `view` has them, told within half a pixel."""
    x, y = np.meshgrid(np.arange(8) + 0.5, np.arange(8) + 0.5)
    board = np.column_stack([x.ravel(), y.ravel()])
    pixels = view.project(np.column_stack([board, np.zeros(64)]))
    pixels = pixels + np.random.default_rng(3).normal(0.0, noise, pixels.shape)
    return Correspondences(board, pixels, np.full(64, 0.5))


@given(tilts, turns, stretches, st.floats(0, 1.5))
def test_projection_and_its_inverse(tilt: float, turn: float, stretch: float, height: float) -> None:
    plain = camera(8, tilt, turn, k1=0.04)
    view = replace(plain, stretch=stretch)
    points = np.array([[0.5, 0.5], [7.5, 0.5], [4.0, 4.0], [2.0, 7.0]])
    at = np.column_stack([points, np.full(4, height)])
    assert np.allclose(view.project(at) - view.centre, (plain.project(at) - plain.centre) * (stretch, 1.0))
    assert np.allclose(view.to_board(view.project(at), height), points, atol=1e-3)


@given(tilts, turns, stretches)
def test_slopes_are_those_of_the_projection(tilt: float, turn: float, stretch: float) -> None:
    view = replace(camera(8, tilt, turn, k1=0.04), stretch=stretch)
    points = np.array([[0.5, 0.5, 0.0], [7.0, 3.0, 0.0]])
    pixels, slopes = view.project_with_slopes(points)
    assert np.allclose(pixels, view.project(points))
    nearer = replace(view, translation=view.translation + np.array([0.0, 0.0, 1e-6]))
    wider = replace(view, focal=view.focal * np.exp(1e-6))
    assert np.allclose((nearer.project(points) - pixels) / 1e-6, slopes[..., 8], rtol=1e-3, atol=1e-2)
    assert np.allclose((wider.project(points) - pixels) / 1e-6, slopes[..., 0], rtol=1e-3, atol=1e-2)


@given(tilts, turns)
def test_square_pixels_stay_square(tilt: float, turn: float) -> None:
    view = camera(8, tilt, turn)
    assert rough_stretch(corners_of(view, 8), 8, WH) == SQUARE_PIXELS
    points = seen(view, 0.3)
    start = initial_camera(homography_from_corners(corners_of(view, 8), 8), WH)
    assert fit_any_stretch(fit_camera(start, points, WH), points, 8, WH).camera.stretch == SQUARE_PIXELS


@given(st.floats(0.0, 0.1), turns, stretches)
def test_the_stretch_is_told_from_above(tilt: float, turn: float, stretch: float) -> None:
    view = replace(camera(8, tilt, turn), stretch=stretch)
    corners = corners_of(view, 8)
    points = seen(view, 0.3)
    start = initial_camera(homography_from_corners(corners, 8), WH)
    fit = fit_any_stretch(fit_camera(start, points, WH), points, 8, WH)
    assert fit.camera.stretch == pytest.approx(stretch, rel=0.1)
    assert np.abs(corners_of(fit.camera, 8) - corners).max() < 2.0


def test_what_a_lens_has_is_left() -> None:
    measured = replace(camera(8, 0.1), stretch=0.7443)
    points = seen(measured, 2.0)
    fit = fit_camera(measured, points, WH)
    assert fit_any_stretch(fit, points, 8, WH) is fit


@pytest.mark.parametrize("name", [ABOVE, ASIDE])
def test_a_squeezed_picture_is_found_where_it_is(name: str) -> None:
    image, corners = photograph(name)
    lattice = find_lattice(stretched(image, 0.75), 10)
    assert lattice.fit.camera.stretch == 0.75
    assert squares_off(corners_of(lattice.fit.camera, 10), corners * (0.75, 1.0), 10) < 0.15
    assert find_lattice(image, 10).fit.camera.stretch == SQUARE_PIXELS


def test_a_squeezed_picture_is_read_as_the_whole_one_is() -> None:
    image, _ = photograph(ABOVE)
    reader = BoardReader(without={"tesseract"})
    plain, squeezed = (reader.read(picture, 10) for picture in (image, stretched(image, 0.75)))
    assert (squeezed.height_probs.argmax(axis=2) == plain.height_probs.argmax(axis=2)).all()
    tiles = plain.height_probs.argmax(axis=2) > 0
    assert (squeezed.face_probs.argmax(axis=2) == plain.face_probs.argmax(axis=2))[tiles].all()
