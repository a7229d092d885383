"""Letters cut from pictures for the letter network: rendered boards, and photographs of letter cubes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont
from presencekit import there

pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")
pytest.importorskip("torch", reason="PyTorch is not installed (the `train` extra)")

from engine import FACES
from vision import Camera
from vision.letters.classifier import FACE_PX
from workshop.training.board_samples import BoardSample
from workshop.training.cuts.whole_faces import windows_of
from workshop.training.faces.cubes import TRAINED, cubes_of, examples, rejects, upright, views_of, window
from workshop.training.faces.files import NO_LETTER

pytestmark = pytest.mark.slow

ABOVE = Camera(300.0, (199.5, 199.5), 0.0, np.eye(3), np.array([-4.0, -4.0, 10.0]))
TILES = {(0, 0): 1, (2, 3): 4, (5, 5): 2, (7, 1): 1}


def board(**changes: object) -> BoardSample:
    """Return a board of 8 x 8 squares, bright tiles on a dark ground, seen from straight above."""
    heights = np.zeros((8, 8), np.int64)
    picture = np.full((400, 400, 3), 40, np.uint8)
    for (row, col), height in TILES.items():
        heights[row, col] = height
        corners = [(col + x, row + y, 0.25 * height) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
        cv2.fillConvexPoly(picture, np.round(ABOVE.project(corners)).astype(np.int32), (220, 220, 220))
    made = {"visible": np.ones((8, 8)), "hand": np.zeros((8, 8))} | changes
    return BoardSample(picture, 8, ABOVE, 0.25, 0.0, heights, **made)  # type: ignore[arg-type]


def faces(face: str = "O") -> list[list[str]]:
    return [[face if (row, col) in TILES else "" for col in range(8)] for row in range(8)]


def test_faces_of_a_board_are_cut_where_they_stand() -> None:
    rng = np.random.default_rng(1)
    bright = []
    for _ in range(20):
        windows, labels = windows_of(board(), faces(), rng)
        assert windows.shape == (len(labels), FACE_PX, FACE_PX, 3)
        assert labels.count(FACES.index("O")) == len(TILES)  # an O turned by any quarter is still one
        bright += [w[10:22, 10:22].min() for w, n in zip(windows, labels, strict=True) if n != NO_LETTER]
    assert np.mean(np.array(bright) > 200) > 0.95


def test_hidden_faces_are_left_out_and_blank_ones_are_no_letters() -> None:
    rng = np.random.default_rng(2)
    assert set(windows_of(board(), faces(""), rng)[1]) == {NO_LETTER}
    _, labels = windows_of(board(hand=np.full((8, 8), 0.5)), faces(), rng)
    assert labels == []


def test_letters_on_their_side_become_rejects() -> None:
    rng = np.random.default_rng(3)
    labels = [label for _ in range(40) for label in windows_of(board(), faces("R"), rng)[1]]
    upright_share = labels.count(FACES.index("R")) / (40 * len(TILES))
    assert 0.75 < upright_share < 0.95


@pytest.fixture(scope="module")
def cubes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six pictures of two cubes each, R and E lying askew, with their annotations."""
    out = tmp_path_factory.mktemp("cubes")
    rows = ["filename,width,height,class,xmin,ymin,xmax,ymax"]
    for number in range(6):
        picture = Pictures.new("RGB", (200, 100), (60, 60, 150))
        for place, letter in enumerate("RE"):
            face = Pictures.new("RGB", (64, 64), (235, 235, 225))
            at = {"anchor": "mm", "font": ImageFont.load_default(46), "fill": (20, 20, 60)}
            ImageDraw.Draw(face).text((32, 32), letter, **at)  # type: ignore[arg-type]
            turned = face.rotate(30 * number, fillcolor=(60, 60, 150))
            picture.paste(turned, (18 + 100 * place, 18))
            box = f"{18 + 100 * place},18,{82 + 100 * place},82"
            rows.append(f"{number}.png,200,100,{letter.lower()},{box}")
        rows.append(f"{number}.png,200,100,an,0,0,10,10")
        picture.save(out / f"{number}.png")
    (out / "annotations.csv").write_text("\n".join(rows) + "\n")
    return out


def test_a_third_of_the_pictures_is_never_trained_on(cubes: Path) -> None:
    trained = [cube.face for cube in cubes_of(cubes, TRAINED)]
    kept = [cube.face for cube in cubes_of(cubes, {0, 1, 2} - TRAINED)]
    assert trained == ["R", "E"] * 4
    assert kept == ["R", "E"] * 2


def test_cubes_are_turned_upright(cubes: Path) -> None:
    for number, cube in enumerate(cubes_of(cubes, {0, 1, 2})):
        view = there(upright(cube))
        turned = np.degrees(view[0]) + 30 * (number // 2)
        assert abs((turned + 180) % 360 - 180) < 25


def test_examples_and_rejects(cubes: Path) -> None:
    cube = next(cubes_of(cubes, {0}))
    rng = np.random.default_rng(1)
    windows, views = views_of(cube)
    assert len(windows) == len(views)
    made = examples(cube, (0.0, 1.0), rng)
    plain = window(cube, 0.0, 1.0).astype(float)
    turned = rejects(cube, (0.0, 1.0), rng)
    near = [np.corrcoef(each.ravel(), plain.ravel())[0, 1] for each in made]
    far = [np.corrcoef(each.ravel(), plain.ravel())[0, 1] for each in turned]
    assert np.mean(near) > np.mean(far) + 0.2


def test_cubes_that_are_underlined_on_these_photographs_are_no_letter_upside_down(cubes: Path) -> None:
    cube = replace(next(cubes_of(cubes, {0})), face="M")
    upside_down = np.rot90(window(cube, 0.0, 1.0), 2).astype(float)
    turned = rejects(cube, (0.0, 1.0), np.random.default_rng(1))
    assert turned
    assert all(np.corrcoef(each.ravel(), upside_down.ravel())[0, 1] > 0.7 for each in turned)
