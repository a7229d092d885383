"""Rendered boards beside genuine ones: "photographs" are rendered here, so that their light and shape are known."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="numba is not installed (the `train` extra)")
pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")

from trainingkit import plain_scene, small_camera

from vision import Camera
from workshop.training.beside.__main__ import compare, draw
from workshop.training.beside.genuine import Genuine, pictures_in, to_light
from workshop.training.beside.likeness import FLAT, marcher_camera, to_picture
from workshop.training.beside.profiles import STEPS, measure
from workshop.training.faces.typeface import FontFace
from workshop.training.rendering.ray_marcher import render
from workshop.training.rendering.scene_arrays import SceneArrays, TileShape
from workshop.training.rendering.solids import stack_inset
from workshop.training.scene import tiles
from workshop.training.scene.tiles import random_tile_style

pytestmark = pytest.mark.slow

GRID = 15
WORD = {(6, 5): "E", (6, 6): "A", (6, 7): "T", (8, 6): "L"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, fonts: list[FontFace]) -> Path:
    """A folder with a rendered "photograph" of flat tiles under a lamp, and its truth."""
    place = tmp_path_factory.mktemp("pictures")
    camera = small_camera(GRID, tilt=25.0)
    camera = replace(
        camera, width=640, height=480, matrix=np.array([[4, 0, 1.5], [0, 4, 1.5], [0, 0, 1]]) @ camera.matrix
    )
    corners = camera.project(np.array([[0, 0, 0], [GRID, 0, 0], [GRID, GRID, 0], [0, GRID, 0]], np.float64))
    cells = ["".join(WORD.get((row, col), ".") for col in range(GRID)) for row in range(GRID)]
    truth = [{"image": "one.png", "rows": GRID, "cells": cells, "corners": corners.tolist()}]
    (place / "truth.json").write_text(json.dumps(truth))
    cv2.imwrite(str(place / "one.png"), np.full((480, 640, 3), 128, np.uint8))
    (blank,) = pictures_in(place)
    scene = plain_scene(fonts, dict.fromkeys(WORD, 1), n=GRID).arrays
    lights = np.array([[7.5, 60, 60, 2, 0, 0, 0, 1.4, -1.4, 1, 1, 1, 16, 85]], np.float32)
    cream = np.broadcast_to(np.array([150, 190, 200, 0], np.uint8), scene.atlas.shape).copy()
    scene = scene._replace(lights=lights, sky=np.full((3, 3), 0.2, np.float32), atlas=cream, shape=FLAT)
    scene.bodies[:] = to_light(cream[0, 0, 0, :3])
    for number in range(len(WORD)):
        scene.atlas[number, 40:68, 46:62, :3] = 30
    light, _ = render(scene, camera, 2)
    assert blank.size == GRID
    cv2.imwrite(str(place / "one.png"), to_picture(light))
    return place


def test_a_photograph_is_read_with_its_truth_and_cut_around_its_tiles(folder: Path) -> None:
    (picture,) = pictures_in(folder)
    assert picture.heights.sum() == len(WORD)
    assert picture.faces[6][5:8] == ("E", "A", "T")
    height, width = picture.image.shape[:2]
    assert height < 300
    assert width < 300
    x, y = np.round(picture.camera.project((6.2, 6.2, 0.2))).astype(int)
    assert picture.image[y, x].min() > 60  # a tile where the camera has it: the board is darker


def test_light_and_colours_are_estimated_and_the_chart_shows_no_photograph(folder: Path, fonts: list[FontFace]) -> None:
    (picture,) = pictures_in(folder)
    done = compare("one", picture, fonts)
    assert done.likeness.lamp.azimuth % 360 == pytest.approx(90, abs=25)
    assert done.likeness.lamp.tilt == pytest.approx(41, abs=20)
    assert (done.likeness.seen > 0.9).all()
    assert done.rendered.shape == picture.image.shape
    assert np.nanmean(np.abs(done.genuine_profile.across - done.rendered_profile.across)) < 0.1
    assert done.figures()["ink takes"]["genuine"] == pytest.approx(done.figures()["ink takes"]["rendered"], abs=0.1)
    magenta = replace(picture, image=np.full_like(picture.image, (255, 0, 255)))
    svg = draw([replace(done, picture=magenta)])
    assert svg.count("<polyline") == 6
    (data,) = re.findall(r"base64,([^\"]+)", svg)
    piece = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)
    assert piece is not None
    assert (np.abs(piece.astype(int) - (255, 0, 255)).max(axis=2) > 100).all()


def flat_view(fonts: list[FontFace]) -> tuple[Genuine, SceneArrays]:
    """A picture of one blank tile from straight above, and its scene."""
    scene = plain_scene(fonts, {(4, 4): 1})
    seen = small_camera(8, tilt=0.0)
    camera = Camera(seen.matrix[0, 0], tuple(seen.matrix[:2, 2]), 0.0, seen.rotation * (1, 1, -1), seen.translation)
    faces = tuple(tuple("A" if (i, j) == (4, 4) else "" for j in range(8)) for i in range(8))
    picture = Genuine("one", np.zeros((120, 160, 3), np.uint8), camera, scene.content.heights, faces)
    return picture, scene.arrays


def test_what_is_measured_is_what_was_painted(fonts: list[FontFace]) -> None:
    picture, arrays = flat_view(fonts)
    image = np.full((120, 160, 3), 60, np.uint8)
    corners = picture.camera.project([(4, 4, 0.25), (5, 5, 0.25)])
    low, high = np.sort(corners, axis=0)
    image[round(low[1]) : round(high[1]) + 1, round(low[0]) : round(high[0]) + 1] = 200
    x, y = np.round(corners.mean(axis=0)).astype(int)
    image[y - 1 : y + 2, x - 1 : x + 2] = 40
    profile = measure(image, picture, np.array([[4, 4]]), arrays, marcher_camera(picture))
    assert profile.ink == pytest.approx(1 - (40 / 200) ** 2.2, abs=0.1)
    assert profile.across.shape == (STEPS,)
    assert np.nanmedian(profile.across) == pytest.approx(1.0, abs=0.02)
    assert profile.mottle < 0.02
    assert 0.01 < profile.edge < 0.3


def test_plastic_lets_light_through_to_where_none_falls(fonts: list[FontFace]) -> None:
    scene, camera = plain_scene(fonts, {(4, 4): 2}).arrays, small_camera(8, tilt=50.0, turn=90.0)
    behind = np.array([[4, -60, 40, 1, 0, 0, 0, 0, 1, 1, 1, 1, 4, 70]], np.float32)
    scene = scene._replace(lights=behind, sky=np.full((3, 3), 0.05, np.float32))
    (dull, ids), (clear, _) = (render(scene._replace(glow=glow, reach=0.3), camera, 0) for glow in (0.0, 0.5))
    wall = np.round(camera.project(np.array([[4.5, 4.97, 0.45], [4.5, 4.97, 0.1]]))).astype(int)
    (high, low), ground = ((clear[y, x].max() / dull[y, x].max() for x, y in wall), ids == -2)
    assert high > 1.5
    assert high > low
    assert np.abs(clear[ground] - dull[ground]).max() < 1e-6


def test_a_slope_is_straight_and_a_rounded_edge_is_not() -> None:
    shape = TileShape(0.47, 0.05, 0.3, 0.1, 1.0, 0.08, 0.04, 0.01, 0.0)
    straight = [stack_inset(shape._replace(slope=1.0), 0.3 - left, 1.0) for left in (0.099, 0.05, 0.0)]
    assert straight == pytest.approx([0.08, 0.1, 0.12], abs=1e-3)
    assert stack_inset(shape, 0.25, 1.0) == pytest.approx(0.08)
    assert stack_inset(shape, 0.3, 1.0) == pytest.approx(0.12)


def test_new_looks_leave_what_is_drawn_afterwards(fonts: list[FontFace], monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn() -> tuple[tiles.TileStyle, float]:
        rng = np.random.default_rng(12)
        return random_tile_style(rng, fonts, flat=False), rng.random()

    monkeypatch.setattr(tiles, "GLOWING", 0.0)
    monkeypatch.setattr(tiles, "MARKED", 0.0)
    without, after = drawn()
    monkeypatch.setattr(tiles, "GLOWING", 1.0)
    monkeypatch.setattr(tiles, "MARKED", 1.0)
    with_both, after_both = drawn()
    assert after == after_both
    assert without.glow == 0
    assert without.marks is None
    assert tiles.GLOW[0] <= with_both.glow <= tiles.GLOW[1]
    assert with_both.marks is not None
    assert with_both.marks.max() > 100
    assert without.shape.half == with_both.shape.half
    texture = tiles.face_textures(np.random.default_rng(1), with_both, ["A", ""])
    assert (texture[..., 3] == with_both.marks).all()
