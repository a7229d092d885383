"""The camera model and its fit, on exact points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readings import camera

from vision.geometry.camera import (
    corners_of,
    focal_from_homography,
    grid_corners,
    homography_from_corners,
    pose_from_homography,
    sides_of_squares,
)
from vision.geometry.camera_fit import Correspondences, fit_camera, initial_camera

tilts = st.floats(0.0, 0.9)
turns = st.floats(-3.0, 3.0)


@given(tilts, turns, st.floats(-0.08, 0.08), st.floats(0, 1.5))
def test_projection_and_its_inverse(tilt: float, turn: float, k1: float, height: float) -> None:
    view = camera(8, tilt, turn, k1)
    points = np.array([[0.5, 0.5], [7.5, 0.5], [4.0, 4.0], [2.0, 7.0]])
    pixels = view.project(np.column_stack([points, np.full(4, height)]))
    assert np.allclose(view.to_board(pixels, height), points, atol=1e-3)


def test_squares_look_smaller_from_afar_and_aslant() -> None:
    near, far = sides_of_squares(camera(8, 0.0), 8), sides_of_squares(camera(8, 0.0).scaled(0.5), 8)
    assert np.allclose(near, near[0, 0])
    assert np.isclose(near[0, 0], np.linalg.norm(np.diff(corners_of(camera(8, 0.0), 8)[:2], axis=0)) / 8)
    assert np.allclose(far, near / 2)
    aslant = sides_of_squares(camera(8, 0.8), 8)
    assert aslant.min() < 0.9 * aslant.max()


@given(tilts, turns, st.integers(0, 3))
def test_turning_the_board_moves_its_corners_round(tilt: float, turn: float, quarters: int) -> None:
    view = camera(10, tilt, turn)
    assert np.allclose(corners_of(view.turned(quarters, 10), 10), np.roll(corners_of(view, 10), -quarters, axis=0))


def test_higher_points_are_seen_nearer_the_camera() -> None:
    view = camera(8, 0.7)
    low, high = view.project([[4, 4, 0.0], [4, 4, 1.0]])
    assert high[1] < low[1]
    assert view.position[2] > 0


@pytest.mark.parametrize("tilt", [0.5, 0.8])
def test_focal_length_from_a_tilted_view(tilt: float) -> None:
    view = camera(8, tilt)
    homography = homography_from_corners(corners_of(view, 8), 8)
    assert focal_from_homography(homography, view.centre) == pytest.approx(900.0, rel=1e-2)
    posed = pose_from_homography(homography, 900.0, view.centre)
    assert np.allclose(posed.position, view.position, atol=1e-2)


def test_the_fit_finds_lens_and_pose_in_spite_of_outliers() -> None:
    rng = np.random.default_rng(1)
    view = camera(10, 0.7, 0.4, k1=0.05)
    x, y = np.meshgrid(np.arange(11.0), np.arange(11.0))
    board = np.column_stack([x.ravel(), y.ravel()])
    pixels = view.project(np.column_stack([board, np.zeros(len(board))])) + rng.normal(0, 0.5, board.shape)
    pixels[::9] += 25
    start = initial_camera(homography_from_corners(corners_of(view, 10) + 6.0, 10), (1280, 960))
    fit = fit_camera(start, Correspondences(board, pixels, np.full(len(board), 0.7)), (1280, 960))
    found = fit.camera.project(np.column_stack([grid_corners(10), np.zeros(4)]))
    assert np.linalg.norm(found - corners_of(view, 10), axis=1).max() < 1.0
    assert fit.camera.focal == pytest.approx(900, rel=0.05)
    assert 0.8 < fit.inliers < 0.95
    faces = np.array([[4.5, 4.5, 1.2], [8.5, 2.5, 0.6]])
    assert np.linalg.norm(fit.camera.project(faces) - view.project(faces), axis=1).max() < 2.0


@given(tilts, turns, st.floats(0.85, 1.2), st.integers(0, 3))
def test_cells_that_are_not_square(tilt: float, turn: float, aspect: float, quarters: int) -> None:
    view = replace(camera(15, tilt, turn), aspect=aspect)
    points = np.array([[0.5, 0.5], [14.5, 0.5], [4.0, 9.0]])
    pixels = view.project(np.column_stack([points, np.full(3, 0.4)]))
    assert np.allclose(view.to_board(pixels, 0.4), points, atol=1e-3)
    turned = view.turned(quarters, 15)
    assert np.allclose(corners_of(turned, 15), np.roll(corners_of(view, 15), -quarters, axis=0))
    assert turned.tilt((7.5, 7.5)) == pytest.approx(view.tilt((7.5, 7.5)))
    assert np.allclose(turned.turned(4 - quarters, 15).project([[3, 8, 0.7]]), view.project([[3, 8, 0.7]]))


@pytest.mark.parametrize("square", [True, False])
def test_the_fit_stretches_cells_only_where_they_may_be_stretched(square: bool) -> None:
    view = replace(camera(15, 0.5, 0.4), aspect=1.08)
    x, y = np.meshgrid(np.arange(16.0), np.arange(16.0))
    board = np.column_stack([x.ravel(), y.ravel()])
    pixels = view.project(np.column_stack([board, np.zeros(len(board))]))
    start = initial_camera(homography_from_corners(corners_of(view, 15), 15), (1280, 960), square=square)
    points = Correspondences(board, pixels, np.full(len(board), 0.7))
    fit = fit_camera(start, points, (1280, 960), square=square)
    assert fit.camera.aspect == pytest.approx(1.0 if square else 1.08, abs=0.01)
    assert (np.abs(corners_of(fit.camera, 15) - corners_of(view, 15)).max() < 1.0) is not square
