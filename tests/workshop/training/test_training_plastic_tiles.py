"""Real tiles with outlines turned upright for the letter network, and what lens and phone do to drawn faces."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont
from presencekit import there

pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")

from engine import FACES
from vision.letters.classifier import FACE_PX, read_faces
from workshop.training.faces import processed
from workshop.training.faces.flat_tiles import DRAW, print_ink
from workshop.training.faces.made import random_moulding, random_value
from workshop.training.faces.plastic_tiles import (
    CLASSES,
    TRAINED,
    corners_of,
    examples,
    rejects,
    tiles_of,
    upright,
    window,
)

pytestmark = pytest.mark.slow

SIDE = 640
WIDE, TALL = 100, 116


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pictures of an R, an E and a letter of another language, tall tiles that lie askew, with their outlines."""
    out = tmp_path_factory.mktemp("tiles")
    font = ImageFont.load_default(70)
    for number in range(4):
        picture = np.full((SIDE, SIDE, 3), 60, np.uint8)
        lines = []
        for place, (letter, turn) in enumerate((("R", 25), ("E", 200), ("O", 70))):
            tile = Pictures.new("RGB", (WIDE, TALL), (225, 235, 240))
            ImageDraw.Draw(tile).text((WIDE / 2, TALL / 2), letter, fill=(20, 20, 20), font=font, anchor="mm")
            middle = (130 + 190 * place, 150 + 100 * number)
            matrix = np.asarray(cv2.getRotationMatrix2D((WIDE / 2, TALL / 2), turn, 1.0), np.float64)
            matrix[:, 2] += np.array(middle) - (WIDE / 2, TALL / 2)
            cv2.warpAffine(np.asarray(tile), matrix, (SIDE, SIDE), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
            corners = np.array([[0, 0, 1], [WIDE, 0, 1], [WIDE, TALL, 1], [0, TALL, 1]]) @ matrix.T / SIDE
            kind = CLASSES.index(letter) if letter != "O" else CLASSES.index("O") + 1
            lines.append(" ".join([str(kind), *(f"{share:.5f}" for share in corners.ravel())]))
        cv2.imwrite(str(out / f"{number:03d}.jpg"), picture)
        (out / f"{number:03d}.txt").write_text("\n".join(lines))
    return out


def test_a_third_of_the_photographs_is_never_trained_on(photographs: Path) -> None:
    assert len(list(tiles_of(photographs, TRAINED))) == 6
    assert len(list(tiles_of(photographs, {0, 1, 2} - TRAINED))) == 6


def test_tiles_are_turned_upright(photographs: Path) -> None:
    for tile in tiles_of(photographs, TRAINED):
        if not tile.face:
            continue
        quarter = there(upright(tile))
        read = read_faces(window(tile, quarter)[None])[0]
        assert FACES[int(read.argmax())] == tile.face


def test_examples_show_the_letter_and_rejects_show_it_lying(photographs: Path) -> None:
    rng = np.random.default_rng(1)
    tile = next(tiles_of(photographs, {0}))
    quarter = there(upright(tile))
    good, bad = examples(tile, quarter, rng), rejects(tile, quarter, rng)
    right = read_faces(np.stack(good)).argmax(axis=1) == FACES.index("R")
    assert right.mean() > 0.8
    assert not (read_faces(np.stack(bad)).argmax(axis=1) == FACES.index("R")).any()


def test_letters_of_another_language_have_no_face(photographs: Path) -> None:
    assert [tile.face for tile in tiles_of(photographs, {0})] == ["R", "E", "", "R", "E", ""]


def test_an_outline_with_rounded_corners_has_four_and_they_go_round_clockwise() -> None:
    round_tile = np.zeros((300, 300), np.uint8)
    cv2.rectangle(round_tile, (70, 60), (210, 240), 255, -1)
    cv2.rectangle(round_tile, (60, 70), (220, 230), 255, -1)
    (outline,), _ = cv2.findContours(round_tile, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    corners = corners_of(outline[:, 0].astype(np.float64))
    assert corners.shape == (4, 2)
    assert np.abs(corners - [(60, 60), (220, 60), (220, 240), (60, 240)]).max() < 14
    x, y = corners.T
    assert x @ np.roll(y, -1) - y @ np.roll(x, -1) > 0


@pytest.mark.parametrize(
    "change",
    [
        processed.unfocus,
        processed.soft_side,
        processed.sharpen,
        processed.map_tones,
        processed.denoise,
        processed.compress,
    ],
)
def test_what_lens_and_phone_do_leaves_a_window_of_light(change: object) -> None:
    rng = np.random.default_rng(3)
    for low, high in ((0, 255), (-40, 300)):
        window = rng.uniform(low, high, (FACE_PX, FACE_PX, 3)).astype(np.float32)
        seen = change(window.copy(), rng)  # type: ignore[operator]
        assert seen.shape == window.shape
        assert np.isfinite(seen).all()
        assert np.abs(seen - window).mean() > 0.1


def test_out_of_focus_a_point_becomes_a_spot_that_keeps_its_light() -> None:
    rng = np.random.default_rng(6)
    point = np.zeros((FACE_PX, FACE_PX, 3), np.float32)
    point[FACE_PX // 2, FACE_PX // 2] = 255
    for _ in range(20):
        spot = processed.unfocus(point.copy(), rng)
        assert spot.max() < 0.7 * 255
        assert np.allclose(spot.sum(axis=(0, 1)), 255, rtol=0.01)
    kernel = processed.disc(4.0)
    assert kernel.max() == kernel[kernel.shape[0] // 2, kernel.shape[1] // 2]
    assert np.count_nonzero(kernel == kernel.max()) > 30


def test_sharpening_leaves_halos_and_a_soft_side_keeps_the_other_sharp() -> None:
    rng = np.random.default_rng(4)
    edge = np.full((FACE_PX, FACE_PX, 3), 60, np.float32)
    edge[:, FACE_PX // 2 :] = 180
    assert all(processed.sharpen(edge.copy(), rng).max() > 182 for _ in range(20))
    stripes = np.tile(np.array([40, 200], np.float32).repeat(2), FACE_PX // 4)
    image = np.broadcast_to(stripes[None, :, None], (FACE_PX, FACE_PX, 3)).astype(np.float32)
    contrasts = []
    for _ in range(30):
        rows = processed.soft_side(image.copy(), rng).std(axis=(1, 2))
        contrasts.append(rows.min() / rows.max())
    assert min(contrasts) < 0.6


def test_values_stand_clear_of_their_letter_and_fit_on_the_tile() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        style = random_value(rng)
        letter = np.array([rng.uniform(4, 40), rng.uniform(19, 33)])
        value = letter[1] * style.size * np.array([rng.uniform(0.3, 1.2), 1.0])
        shrink, first, second = style.place(tuple(letter), tuple(value))
        if style.where == "corner":
            assert second == style.corner
            continue
        assert 0.3 < shrink <= 1.0
        between = np.abs(np.subtract(first, second)) - shrink * (letter + value) / 2
        assert between.max() > -0.5
        for middle, size in ((first, letter), (second, value)):
            assert (np.abs(middle) + shrink * size / 2 < 0.46 * DRAW).all()


def test_what_is_moulded_is_lit_on_one_side_and_dark_on_the_other_and_paler_than_ink() -> None:
    rng = np.random.default_rng(7)
    shades = np.stack([random_moulding(0.3, rng).shade for _ in range(100)])
    lightest, darkest = shades.max(axis=(1, 2)), shades.min(axis=(1, 2))
    assert np.mean((lightest > 0.01) & (darkest < -0.01)) > 0.9
    strengths = np.maximum(lightest, -darkest)
    assert strengths.max() < 0.3
    assert np.median(strengths) < 0.15


def test_a_moulding_shades_its_own_tile_alone() -> None:
    canvas = np.full((3 * DRAW, 3 * DRAW, 3), 150, np.float32)
    random_moulding(0.8, np.random.default_rng(8)).lay(canvas, (1.5 * DRAW, 1.5 * DRAW))
    changed = np.argwhere((canvas != 150).any(axis=2))
    assert len(changed)
    assert (np.abs(changed - 1.5 * DRAW).max(axis=1) < 0.56 * DRAW).all()


def test_ink_that_hangs_over_the_canvas_is_cut_off() -> None:
    canvas, black = np.full((20, 20, 3), 200, np.float32), np.zeros(3)
    print_ink(canvas, np.ones((10, 10), np.float32), (0.0, 0.0), black)
    assert (canvas[:5, :5] == 0).all()
    assert canvas.sum() == (400 - 25) * 600
    print_ink(canvas, np.ones((10, 10), np.float32), (-30.0, 5.0), black)
    assert canvas.sum() == (400 - 25) * 600
