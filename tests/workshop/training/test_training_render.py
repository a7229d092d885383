"""The renderer against the projection that the truth is computed with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba", reason="numba is not installed (the `train` extra)")
pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")

from trainingkit import colour, middle_of, plain_scene, small_camera

from workshop.training.faces.typeface import FontFace
from workshop.training.photograph import photograph
from workshop.training.rendering.ray_marcher import render
from workshop.training.scene.textures import draw_pattern, table_texture
from workshop.training.views import SPAN, SPAN_CUT, random_camera

pytestmark = pytest.mark.slow

VIEWS: list[dict[str, Any]] = [
    {"tilt": 0.0},
    {"tilt": 30.0, "turn": 90.0},
    {"tilt": 50.0, "turn": 200.0, "roll": 25.0},
    {"tilt": 10.0, "turn": -60.0, "roll": 45.0, "dist": (-0.25, 0.2), "hfov": 85.0},
]


@pytest.mark.parametrize("view", VIEWS, ids=["above", "front", "corner", "lens"])
def test_faces_and_marks_are_seen_where_they_are_projected(fonts: list[FontFace], view: dict[str, Any]) -> None:
    scene = plain_scene(fonts, {(1, 2): 3, (6, 5): 1}, mark=(7.4, 0.6))
    camera = small_camera(scene.n, **view)
    light, ids = render(scene.arrays, camera, 3)
    steps = np.linspace(-0.4, 0.4, 9)
    for number, (x, y, height) in enumerate([(2.5, 1.5, 0.75), (5.5, 6.5, 0.25)]):
        face = colour(light, 1) & (ids == number)
        points = np.array([(x + u, y + v, height) for u in steps for v in steps])
        assert face.sum() > 20
        assert np.abs(middle_of(face) - camera.project(points).mean(axis=0)).max() < 0.5
    mark = colour(light, 0)
    assert mark.sum() > 8
    assert np.abs(middle_of(mark) - camera.project(np.array([7.4, 0.6, 0.0]))).max() < 0.5


def test_from_above_letters_read_upright_and_left_to_right(fonts: list[FontFace]) -> None:
    camera = small_camera(8, tilt=0.0)
    top_left, top_right, bottom_left = camera.project(np.array([[0, 0, 0], [8, 0, 0], [0, 8, 0]], np.float64))
    assert top_left[0] < top_right[0]
    assert top_left[1] < bottom_left[1]
    assert np.linalg.det(camera.rotation) == pytest.approx(-1.0)


def test_what_a_stack_hides_is_not_visible(fonts: list[FontFace]) -> None:
    scene = plain_scene(fonts, {(4, 4): 5})
    sample = photograph(np.random.default_rng(1), scene, small_camera(8, tilt=55.0, turn=90.0))
    assert sample.visible[4, 4] == 1.0
    assert sample.visible[3, 4] < 0.5  # the camera looks over row 7: row 3 lies behind the stack
    assert sample.visible[5, 4] == 1.0
    assert sample.visible[3, 2] == 1.0
    assert sample.heights[4, 4] == 5
    assert not sample.hand_mask.any()


def test_a_hand_hides_what_is_under_it(fonts: list[FontFace]) -> None:
    cone = np.array([[3.5, 3.5, 1.0, 3.5, 3.5, 1.6, 0.9, 0.9, 0]], np.float32)
    ball = np.array([3.5, 3.5, 1.3, 2.2], np.float32)
    scene = plain_scene(fonts, {(3, 3): 1, (0, 0): 2}, hand=(cone, ball, np.full((2, 3), 0.5, np.float32)))
    camera = small_camera(8, tilt=0.0)
    sample = photograph(np.random.default_rng(1), scene, camera)
    assert sample.hand_hidden[3, 3] == 1.0
    assert sample.visible[3, 3] == 0.0
    assert sample.hand_hidden[0, 0] == 0.0
    assert sample.visible[0, 0] == 1.0
    x, y = np.round(camera.project(np.array([3.5, 3.5, 1.9]))).astype(int)
    assert sample.hand_mask[y, x]
    assert not sample.hand_mask[:, 0].any()


def test_the_same_seed_gives_the_same_picture(fonts: list[FontFace]) -> None:
    scene, camera = plain_scene(fonts, {(2, 2): 2}), small_camera(8, tilt=35.0)
    first, second = (photograph(np.random.default_rng(5), scene, camera).image for _ in range(2))
    assert first.shape == (120, 160, 3)
    assert first.dtype == np.uint8
    assert (first == second).all()
    assert first.std() > 5


def test_views_frame_the_board_as_asked() -> None:
    rng = np.random.default_rng(2)
    spans, corners = [], np.array([[0, 0, 0], [8, 0, 0], [8, 8, 0], [0, 8, 0]], np.float64)
    for _ in range(200):
        camera = random_camera(rng, 8)
        assert 480 <= max(camera.width, camera.height) <= 860
        spans.append((np.ptp(camera.project(corners), axis=0) / [camera.width, camera.height]).max())
    known = np.array([span for span in spans if np.isfinite(span)])
    assert len(known) >= 195
    assert SPAN[0] - 0.06 < known.min()  # the view is moved sideways last, which changes the span a little
    assert known.max() < SPAN_CUT[1] + 0.06
    assert 0.02 < (known > SPAN[1]).mean() < 0.16


@pytest.mark.parametrize("texture", [table_texture, draw_pattern])
def test_tables_have_one_layout_in_memory(texture: Callable[[np.random.Generator, int], np.ndarray]) -> None:
    tables = [texture(np.random.default_rng(seed), 256) for seed in range(24)]
    assert all(table.flags.c_contiguous and table.shape == (256, 256, 3) for table in tables)
