"""The path tracer: its surfaces against what the ray marcher has, its pictures against the truth."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba", reason="numba is not installed (the `train` extra)")
pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")

from trainingkit import colour, middle_of, plain_scene, small_camera

from workshop.training import generate
from workshop.training.faces.typeface import FontFace
from workshop.training.generate import choose_renderer
from workshop.training.path_traced.ground import things
from workshop.training.path_traced.hand_surface import hand
from workshop.training.path_traced.path_tracer import merge, missing, trace
from workshop.training.path_traced.room import random_room
from workshop.training.path_traced.stacks import bodies, faces
from workshop.training.path_traced.surface import Surface
from workshop.training.photograph import march, photograph
from workshop.training.scene.build import Scene, board_scene, lay_table, random_setting
from workshop.training.scene.canvas import PLASTIC, TILE
from workshop.training.scene.content import Content

pytestmark = pytest.mark.slow

CONE = np.array([[3.5, 3.5, 1.0, 3.5, 3.5, 1.6, 0.9, 0.9, 0]], np.float32)
HAND = (CONE, np.array([3.5, 3.5, 1.3, 2.2], np.float32), np.full((2, 3), 0.5, np.float32))
STACKS = {(1, 2): 3, (6, 5): 1}
traces = pytest.mark.skipif(missing() != "", reason=missing())


def check_faces(part: Surface | None) -> Surface:
    """Check that the surface's triangles face as its normals do, and return it."""
    assert part is not None
    a, b, c = (part.points[part.triangles[:, k]] * [1.0, -1.0, 1.0] for k in range(3))
    faces = np.cross(b - a, c - a)
    large = np.linalg.norm(faces, axis=1) > 1e-7
    normals = part.normals[part.triangles].sum(axis=1) * [1.0, -1.0, 1.0]
    assert (np.einsum("ij,ij->i", faces, normals)[large] > 0).all()
    assert np.abs(np.linalg.norm(part.normals, axis=1) - 1).max() < 1e-6
    return part


def test_raised_faces_slope_and_have_round_corners(fonts: list[FontFace]) -> None:
    scene = plain_scene(fonts, {(1, 2): 1}).arrays
    shape = scene.shape._replace(shelf=0.06, nested=1.0, plateau=0.08, bevel=0.04, corner=0.1, slope=1.0)
    top = check_faces(faces(scene._replace(shape=shape))).points[:, :2] - (2.5, 1.5)
    assert np.abs(top).max() == pytest.approx(0.34, abs=5e-3)
    assert np.linalg.norm(top, axis=1).max() < 0.34 * 2**0.5 - 0.02
    body = check_faces(bodies(scene._replace(shape=shape))).points
    lower = body[np.abs(body[:, 2] - 0.19) < 1e-3]
    assert np.isclose(np.abs(lower[:, 0] - 2.5), 0.38, atol=5e-3).any()


def test_stacks_are_as_high_and_as_wide_as_their_tiles(fonts: list[FontFace]) -> None:
    scene = plain_scene(fonts, STACKS)
    tops = check_faces(faces(scene.arrays)).points
    assert sorted(set(np.round(tops[:, 2], 3))) == [0.25, 0.75]
    body = check_faces(bodies(scene.arrays)).points
    for (row, col), layers in STACKS.items():
        near = np.abs(body[:, :2] - (col + 0.5, row + 0.5)).max(axis=1) < 0.6
        assert np.ptp(body[near], axis=0) == pytest.approx([0.92, 0.92, 0.25 * layers], abs=5e-3)
    assert bodies(plain_scene(fonts, {}).arrays) is None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("nested", [0.0, 1.0])
def test_random_stacks_fill_their_outlines_and_no_more(fonts: list[FontFace], seed: int, nested: float) -> None:
    setting = random_setting(np.random.default_rng(seed), fonts, 8)
    content = Content(np.arange(64).reshape(8, 8) % 6, (("A",) * 8,) * 8)
    scene = lay_table(np.random.default_rng(seed), setting, content).arrays
    shape = scene.shape._replace(shelf=0.08, nested=nested, plateau=0.05)
    scene = scene._replace(shape=shape)
    body, top = check_faces(bodies(scene)), check_faces(faces(scene))
    assert body.points[:, 2].max() == pytest.approx(scene.stacks[:, 2].max(), abs=1e-4)
    levels = np.unique(np.round(scene.stacks[:, 2].astype(float), 4))
    assert np.unique(np.round(top.points[:, 2], 4)) == pytest.approx(levels, abs=3e-4)
    spots = np.concatenate([scene.tiles[k, : int(scene.stacks[k, 1])] for k in range(len(scene.stacks))])
    x, y, c, s = spots.astype(float).T
    dx, dy = body.points[:, :1] - x, body.points[:, 1:2] - y
    beside = np.maximum(np.abs(c * dx + s * dy), np.abs(c * dy - s * dx)).min(axis=1)
    assert shape.half - shape.draft - 0.01 < beside.max() < shape.half + 1e-5
    assert 0.0 <= top.uv.min() <= top.uv.max() <= 1.0


def test_the_board_stands_as_high_as_the_map_says(fonts: list[FontFace]) -> None:
    scene = board_scene(np.random.default_rng(2), fonts).arrays
    part = check_faces(things(scene)[PLASTIC])
    col = np.round((part.points[:, 0] - scene.x0) * scene.res).astype(int)
    row = np.round((part.points[:, 1] - scene.y0) * scene.res).astype(int)
    solid = scene.material[row, col] > 0
    there = np.maximum(scene.ground[row, col], scene.table_z + 0.002)
    assert np.abs(part.points[solid, 2] - there[solid]).max() < 1e-4


def test_a_hands_surface_is_where_the_marcher_meets_it(fonts: list[FontFace]) -> None:
    part = check_faces(hand(plain_scene(fonts, STACKS, hand=HAND).arrays))
    along = np.clip(part.points[:, 2], 1.0, 1.6)
    away = np.linalg.norm(part.points - np.column_stack([np.full((len(along), 2), 3.5), along]), axis=1)
    assert np.abs(away - 0.9).max() < 0.03
    assert hand(plain_scene(fonts, STACKS).arrays) is None


def test_nothing_stands_between_the_camera_and_the_board(fonts: list[FontFace]) -> None:
    scene = plain_scene(fonts, STACKS)
    for seed in range(40):
        camera = small_camera(8, tilt=seed % 60, turn=37.0 * seed)
        room = random_room(np.random.default_rng(seed), scene.arrays, 8, camera)
        away = np.linalg.norm(camera.centre - (4, 4, 0))
        for light in room.lights:
            assert np.linalg.norm(light.face.points - (4, 4, 0), axis=1).min() > away
            assert (light.radiance > 0).all()
        assert room.dome.min() >= 0.0


VIEWS: list[dict[str, Any]] = [
    {"tilt": 0.0},
    {"tilt": 50.0, "turn": 200.0, "roll": 25.0},
    {"tilt": 10.0, "turn": -60.0, "roll": 45.0, "dist": (-0.25, 0.2), "hfov": 85.0},
]


def matt(scene: Scene) -> Scene:
    """Return the scene with tiles that mirror nothing."""
    materials = scene.arrays.materials.copy()
    materials[TILE] = 1.0, 0.0
    return replace(scene, arrays=scene.arrays._replace(materials=materials, emboss=0.0))


@traces
@pytest.mark.parametrize("view", VIEWS, ids=["above", "corner", "lens"])
def test_faces_are_seen_where_the_truth_has_them(fonts: list[FontFace], view: dict[str, Any]) -> None:
    scene, camera = matt(plain_scene(fonts, STACKS)), small_camera(8, **view)
    light, hidden = trace(np.random.default_rng(3), scene, camera, 16)
    sample = photograph(np.random.default_rng(3), scene, camera, lambda *_: (light, hidden))
    assert light.shape == (120, 160, 3)
    assert not hidden.any()
    y, x = np.indices(light.shape[:2])
    for (row, col), layers in STACKS.items():
        middle = sample.face_corners[row, col].mean(axis=0)
        near = np.hypot(x - middle[0], y - middle[1]) < 12
        face = colour(light, 1) & near
        assert face.sum() > 20, layers
        assert np.abs(middle_of(face) - middle).max() < 0.6, layers


@traces
def test_a_hand_is_told_from_what_it_hides(fonts: list[FontFace]) -> None:
    scene, camera = plain_scene(fonts, {(3, 3): 1}, hand=HAND), small_camera(8, tilt=20.0)
    sample = photograph(np.random.default_rng(5), scene, camera, partial(trace, samples=4))
    _, hidden = march(np.random.default_rng(5), scene, camera)
    assert hidden.sum() > 100
    assert (sample.hand_mask != hidden).mean() < 0.01


@traces
def test_the_same_seed_gives_the_same_traced_picture(fonts: list[FontFace]) -> None:
    scene, camera = plain_scene(fonts, STACKS), small_camera(8, tilt=35.0)
    first, second = (trace(np.random.default_rng(6), scene, camera, 4)[0] for _ in range(2))
    assert first == pytest.approx(second, rel=1e-3, abs=1e-4)
    assert first.std() > 0.01


def test_highlights_are_pressed_together_and_the_rest_is_left() -> None:
    light = np.full((96, 128, 3), 0.2, np.float32)
    light[:8] *= np.geomspace(1, 200, 128, dtype=np.float32)[:, None]
    light[90:] *= 0.5
    pressed = merge(light)
    assert (np.diff(pressed[0, :, 0]) > 0).all()
    assert pressed.max() < 4 * 0.2
    assert pressed[50] == pytest.approx(light[50], rel=0.06)
    assert pressed[95] == pytest.approx(light[95], rel=0.02)


def test_what_is_missing_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(generate, "missing", lambda: "the path tracer needs something")
    parser = argparse.ArgumentParser()
    assert choose_renderer(parser, argparse.Namespace(path_traced=False)) is march
    with pytest.raises(SystemExit):
        choose_renderer(parser, argparse.Namespace(path_traced=True))
    assert "needs something" in capsys.readouterr().err
