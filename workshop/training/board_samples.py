"""Rendered boards as they are loaded for training, and what is varied about them each time.

A folder written by `workshop.training.generate` holds NNNNN.jpg and NNNNN.json; files may still be added while a
network trains.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision import Camera
from vision.geometry.camera import corners_of, homography_from_corners, pose_from_homography
from vision.geometry.rectify import resize
from vision.images import Image

Floats = npt.NDArray[np.float64]
Example = TypeVar("Example")

HELD_OUT = 200
"""Boards of the lowest numbers that are kept for checking."""
TRAINED_ON = (HELD_OUT, 10**9)
"""The range of numbers of the boards that networks learn from."""


POOL = 3
"""Batches that wait to be drawn from, so that the examples of one picture are spread over several. [by eye]"""
_LEAST_WITHIN = 0.75
"""Share of the squares that a part of the picture shows at least: what is cut off more is not looked for. [by eye]"""


@dataclass(frozen=True)
class BoardSample:
    """One rendered picture and its truth; `size` is 0, and the arrays are empty, where there is no board.

    A face of `heights` layers lies `foot` + `layer` times that above the board, cells.

    `visible` and `hand` (n, n) are the shares of each square's top face that show and that the hand hides.
    """

    image: Image
    size: int
    camera: Camera
    layer: float
    foot: float
    heights: npt.NDArray[np.int64]
    visible: Floats
    hand: Floats

    @property
    def elevations(self) -> Floats:
        """(n, n) how high, cells, each top face lies above the board; 0 if no tile is."""
        return np.where(self.heights > 0, self.foot + self.layer * self.heights, 0.0)

    def in_sight(self, least: float) -> Iterator[tuple[int, int]]:
        """Yield the row and column of each square whose face, or bare ground, shows by that share and under no hand."""
        for row, col in np.argwhere((self.visible >= least) & (self.hand <= 0)):
            yield int(row), int(col)


def load_board(record: Path) -> BoardSample:
    """Return the sample whose truth is in `seen` (NNNNN.json)."""
    truth = json.loads(record.read_text())
    image = cv2.imread(str(record.with_suffix(".jpg")))
    matrix = np.array(truth["K"])
    camera = Camera(
        focal=float(matrix[0, 0]), centre=(float(matrix[0, 2]), float(matrix[1, 2])), k1=float(truth["dist"][0]),
        rotation=np.array(truth["R"]) * (1.0, 1.0, -1.0), translation=np.array(truth["tvec"]),
    )  # fmt: skip
    return BoardSample(
        np.asarray(image, dtype=np.uint8), truth["n"], camera, truth["layer_h"], truth["foot"],
        np.array(truth["heights"], np.int64), np.array(truth["visible"]), np.array(truth["hand_hidden"]),
    )  # fmt: skip


def records_in(folders: Iterable[Path], part: tuple[int, int]) -> list[Path]:
    """Return the records of some folders whose numbers are in the range `part`; raise FileNotFoundError if none is."""
    first, last = part
    folders = list(folders)
    found = [record for folder in folders for record in sorted(folder.glob("*.json"))]
    chosen = [record for record in found if first <= int(record.stem) < last]
    if not chosen:
        where = ", ".join(str(folder) for folder in folders)
        raise FileNotFoundError(f"no boards from number {first} on in {where}: generate some first")
    return chosen


def draw_from(waiting: list[Example], count: int, rng: np.random.Generator) -> list[Example]:
    """Take `count` at random out of the examples that wait."""
    order = rng.permutation(len(waiting))
    chosen = [waiting[k] for k in order[:count]]
    waiting[:] = [waiting[k] for k in order[count:]]
    return chosen


def boards_with_faces(folders: Iterable[Path]) -> Iterator[tuple[BoardSample, Floats]]:
    """Yield every picture of some folders that is not held out, and the corners (n, n, 4, 2), px, of its top faces."""
    for record in (record for folder in folders for record in sorted(folder.glob("*.json"))):
        if int(record.stem) >= HELD_OUT:
            yield load_board(record), np.array(json.loads(record.read_text())["face_corners"])


def boards_with_letters(folder: Path) -> Iterator[tuple[BoardSample, list[list[str]]]]:
    """Yield every board of a folder that is not held out, and the letters (n, n) on top, `""` where there is none."""
    for record in sorted(folder.glob("*.json")):
        sample = load_board(record)
        if int(record.stem) >= HELD_OUT and sample.size:
            yield sample, json.loads(record.read_text())["faces"]


class Askew(NamedTuple):
    """How far off a lattice fit leaves a camera, as standard deviations.

    Attributes:
        corners: of the grid's corners, squares.
        scale: of the logarithm of the grid's size.
        focal: of that of the focal length.
    """

    corners: float
    scale: float
    focal: float


def jitter(camera: Camera, size: int, rng: np.random.Generator, askew: Askew | None = None) -> Camera:
    """Return the camera as a lattice fit would leave it: off by `askew`, or by what its tilt lets one expect."""
    aslant = camera.tilt((size / 2, size / 2)) > 0.35
    askew = askew or Askew(corners=0.025, scale=0.0, focal=0.02 if aslant else 0.08)
    ideal = replace(camera, k1=0.0)
    true = corners_of(ideal, size)
    pitch = float(np.mean(np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1))) / size
    amount = pitch * abs(rng.normal(0, askew.corners))
    shifted = true + rng.normal(0, amount, 2) + rng.normal(0, amount, (4, 2))
    if askew.scale:
        middle = shifted.mean(axis=0)
        shifted = middle + (shifted - middle) * np.exp(rng.normal(0, askew.scale))
    focal = camera.focal * float(np.exp(rng.normal(0, askew.focal)))
    posed = pose_from_homography(homography_from_corners(shifted, size), focal, camera.centre)
    return replace(posed, k1=camera.k1 + float(rng.normal(0, 0.005)))


def cut_frame(sample: BoardSample, rng: np.random.Generator) -> tuple[Image, Camera]:
    """Cut the picture, at times, so that the board is larger and its edges are cut.

    Three quarters of its squares stay within the part at least: two corners may be out of it.
    """
    height, width = sample.image.shape[:2]
    if rng.random() < 0.6:
        return sample.image, sample.camera
    w, h = (int(side * rng.uniform(0.6, 1.0)) for side in (width, height))
    x, y = int(rng.integers(width - w + 1)), int(rng.integers(height - h + 1))
    if sample.size and _share_within(sample, (x, y, x + w, y + h)) < _LEAST_WITHIN:
        return sample.image, sample.camera
    cx, cy = sample.camera.centre
    cropped = replace(sample.camera, centre=(cx - x, cy - y))
    return np.ascontiguousarray(sample.image[y : y + h, x : x + w]), cropped


def _share_within(sample: BoardSample, part: tuple[int, int, int, int]) -> float:
    """Return the share of the squares' middles that lie within a part of the picture: left, top, right, bottom, px."""
    x, y = np.meshgrid(np.arange(sample.size) + 0.5, np.arange(sample.size) + 0.5)
    pixels = sample.camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1))
    return float(((pixels > part[:2]) & (pixels < part[2:])).all(axis=-1).mean())


def recolour(image: Image, rng: np.random.Generator) -> Image:
    """Change the colours of the picture, since the place of a board does not depend on them."""
    if rng.random() < 0.4:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.1:
        image = 255 - image
    if rng.random() < 0.1:
        image = np.repeat(image.mean(axis=-1, keepdims=True), 3, axis=-1).astype(np.uint8)
    return np.ascontiguousarray(image)


def develop(image: Image, rng: np.random.Generator) -> Image:
    """Apply another camera's processing: exposure, colour, gamma, blur, noise, loss of resolution."""
    values: npt.NDArray[np.floating[Any]] = image.astype(np.float32)
    if rng.random() < 0.7:
        values = values * rng.uniform(0.65, 1.3) * rng.uniform(0.88, 1.12, 3)
    if rng.random() < 0.4:
        values = 255.0 * (np.clip(values, 0, 255) / 255.0) ** rng.uniform(0.65, 1.5)
    if rng.random() < 0.15:
        values = values[..., rng.permutation(3)]
    if rng.random() < 0.25:
        values = np.asarray(cv2.GaussianBlur(values, (0, 0), rng.uniform(0.3, 1.1)), values.dtype)
    height, width = image.shape[:2]
    if rng.random() < 0.5:
        grain = rng.normal(0, 1, (height // 2, width // 2)).astype(np.float32)
        values = values + rng.uniform(0, 9) * cv2.resize(grain, (width, height))[..., None]
    out: Image = np.clip(values, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        coarse = resize(out, rng.uniform(0.5, 0.9))
        out = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    return out
