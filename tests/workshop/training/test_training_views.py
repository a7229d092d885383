"""Where cameras stand in the pictures that are hard for the reader."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="numba is not installed (the `train` extra)")

from workshop.training.rendering.ray_marcher import Camera
from workshop.training.views import VIEWS, WIDEST_FROM_ABOVE, from_above, grid_corners, random_camera

pytestmark = pytest.mark.slow


def draw_camera(kind: str, seed: int, n: int = 8) -> Camera:
    return VIEWS[kind](np.random.default_rng(seed), n, (480, 860))


def tilt(camera: Camera, n: int = 8) -> float:
    away = camera.centre - [n / 2, n / 2, 0]
    return float(np.degrees(np.arccos(away[2] / np.linalg.norm(away))))


def span(camera: Camera, n: int = 8) -> float:
    return float((np.ptp(camera.project(grid_corners(n)), axis=0) / [camera.width, camera.height]).max())


@pytest.mark.parametrize("seed", range(6))
def test_hard_places_are_what_they_are_called(seed: int) -> None:
    assert 45 < tilt(draw_camera("low", seed)) < 70
    assert span(draw_camera("small", seed)) < 0.6
    azimuth = np.degrees(np.arctan2(*(draw_camera("diamond", seed).centre[[1, 0]] - 4.0)))
    assert abs(azimuth % 90 - 45) < 25
    camera = draw_camera("cut", seed)
    corners = camera.project(grid_corners(8))
    assert ((corners < 0) | (corners > [camera.width - 1, camera.height - 1])).any()


@pytest.mark.parametrize("seed", range(6))
def test_from_above_squares_stay_large_however_far_the_camera_is(seed: int) -> None:
    camera = from_above(np.random.default_rng(seed), 10)
    assert tilt(camera, 10) < 26
    corners = camera.project(grid_corners(10))
    side = float(np.mean(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)))
    assert side / 10 > 20
    assert max(camera.width, camera.height) <= WIDEST_FROM_ABOVE


def test_a_view_depends_on_the_seed_alone() -> None:
    first, second = (random_camera(np.random.default_rng(5), 10) for _ in range(2))
    assert np.array_equal(first.matrix, second.matrix)
    assert np.array_equal(first.rotation, second.rotation)
