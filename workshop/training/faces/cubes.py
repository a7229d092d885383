"""Real letters for the letter network: photographs of letter cubes, turned upright.

    python -m workshop.training.faces.cubes --photos FOLDER --out FILE.npz [--seed S]

FOLDER holds pictures and `annotations.csv` (filename, width, height, class, xmin, ymin, xmax, ymax), as of the
public-domain "Boggle Boards" on Roboflow. Which way round a cube lies is not told there: it is taken from how the
network for letters reads it best as the letter that it is; cubes that it cannot read so at any angle are left out.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from engine import FACES
from engine.errors import NotationError
from engine.faces import parse_face
from vision.images import Image
from vision.letters.classifier import FACE_PX, read_faces
from workshop.training.faces.files import Faces, label, passes_turned, write_faces

Floats = npt.NDArray[np.float64]

ANGLES: Floats = np.radians(np.arange(0, 360, 10))
SCALES = (0.95, 1.2)
"""Sides of the window over the longer side of the box: a box around a cube that lies askew is too large. [by eye]"""
TRAINED = frozenset({1, 2})
"""Thirds of the pictures that are trained on; the first is kept for measuring (`workshop/bench/reading/cubes.py`)."""
_SURE = 0.5
_COPIES = 12
_REJECTS = 4
_UNDERLINED = frozenset("MW")
"""Faces that are underlined on all of these cubes: turned by half they have a line above them, and are no letter."""


@dataclass(frozen=True)
class Cube:
    """A letter cube in a picture (h, w, 3): middle x, y and longer side of its box, px, and the face it shows."""

    picture: Image
    middle: tuple[float, float]
    side: float
    face: str


def cubes_of(folder: Path, thirds: Collection[int]) -> Iterator[Cube]:
    """Yield the cubes that show one face of Upwords, in the pictures whose place by name modulo 3 is in `thirds`."""
    with (folder / "annotations.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    for place, name in enumerate(sorted({row["filename"] for row in rows})):
        if place % 3 not in thirds:
            continue
        picture = np.asarray(cv2.imread(str(folder / name)), dtype=np.uint8)
        for row in rows:
            face = _face(row["class"])
            if row["filename"] == name and face is not None:
                x0, y0, x1, y1 = (float(row[key]) for key in ("xmin", "ymin", "xmax", "ymax"))
                yield Cube(picture, ((x0 + x1) / 2, (y0 + y1) / 2), max(x1 - x0, y1 - y0), face)


def _face(name: str) -> str | None:
    """Return the face of a class; None for cubes with two letters and jokers, and for a Q by itself."""
    try:
        return parse_face(name) if name != "q" else None
    except NotationError:
        return None


def window(cube: Cube, angle: float, scale: float, off: tuple[float, float] = (0.0, 0.0)) -> Image:
    """Return the cube (FACE_PX, FACE_PX, 3) turned by `angle` radians; `off` is in windows."""
    step = cube.side * scale / FACE_PX
    c, s = np.cos(angle) * step, np.sin(angle) * step
    middle = np.array(cube.middle) + np.array([[c, -s], [s, c]]) @ (np.array(off) * FACE_PX)
    shift = middle - np.array([[c, -s], [s, c]]) @ np.full(2, (FACE_PX - 1) / 2)
    matrix = np.array([[c, -s, shift[0]], [s, c, shift[1]]], dtype=np.float64)
    picture = cube.picture
    if step > 1.5:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 * step), dtype=np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(picture, matrix, (FACE_PX, FACE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.uint8)


def views_of(cube: Cube) -> tuple[Image, list[tuple[float, float]]]:
    """Return the cube at every angle and scale (m, FACE_PX, FACE_PX, 3), and which these are."""
    views = [(float(angle), scale) for angle in ANGLES for scale in SCALES]
    return np.stack([window(cube, *view) for view in views]), views


def upright(cube: Cube) -> tuple[float, float] | None:
    """Return the angle and scale at which the cube is best read as its letter, None if it is not."""
    windows, views = views_of(cube)
    chances = np.exp(read_faces(windows))[:, FACES.index(cube.face)]
    return views[int(chances.argmax())] if chances.max() > _SURE else None


def examples(cube: Cube, view: tuple[float, float], rng: np.random.Generator) -> list[Image]:
    """Return the cube upright, a little misplaced, turned and larger or smaller."""
    return [
        window(
            cube,
            view[0] + rng.normal(0, 0.07),
            view[1] * float(np.exp(rng.normal(0, 0.08))),
            (float(rng.normal(0, 0.035)), float(rng.normal(0, 0.035))),
        )
        for _ in range(_COPIES)
    ]


def rejects(cube: Cube, view: tuple[float, float], rng: np.random.Generator) -> list[Image]:
    """Return the cube far from upright, where its letter could not pass for another."""
    if cube.face in _UNDERLINED:
        turns = np.pi + rng.normal(0, 0.07, _REJECTS)
        return [window(cube, view[0] + float(turn), view[1]) for turn in turns]
    if passes_turned(cube.face, 1) or passes_turned(cube.face, 2):
        return []
    turns = rng.uniform(0.6, 2 * np.pi - 0.6, _REJECTS)
    return [window(cube, view[0] + float(turn), view[1]) for turn in turns]


def windows_in(folder: Path, rng: np.random.Generator) -> Iterator[Faces]:
    """Yield windows and labels of each cube that is trained on."""
    for cube in cubes_of(folder, TRAINED):
        view = upright(cube)
        if view is not None:
            yield label(examples(cube, view, rng), rejects(cube, view, rng), cube.face)


if __name__ == "__main__":
    write_faces("Cut real letters for the letter network.", "photos", windows_in)
