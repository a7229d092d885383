"""Photographs of genuine boards with their truth, and the cameras that took them.

A folder holds pictures and `truth.json`: for each its `rows`, its `cells` (a letter, `.` for a bare square, `_` or `?`
for a tile without a letter that is known), perhaps its `heights` (1 where none are told), and the true `corners`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import Camera
from vision.geometry.camera import homography_from_corners
from vision.geometry.camera_fit import camera_at_corners, initial_camera
from vision.geometry.rectify import pitch_of, resize, square_places, windows_at
from vision.images import Image
from workshop.training.rendering.scene_arrays import Float, TileShape

MAX_PITCH = 96.0
"""Pixels of a square at most: as many as the renderer has texture for. [by eye]"""
_AROUND = 1.2
"""Cells kept around the tiles. [by eye]"""


@dataclass(frozen=True)
class Genuine:
    """A photograph, cut around its tiles, of a board of n x n squares.

    `heights` (n, n) are the layers of tiles, `faces` (n, n) the letters on top, "" if there is none or none is known.
    """

    name: str
    image: Image
    camera: Camera
    heights: npt.NDArray[np.int64]
    faces: tuple[tuple[str, ...], ...]

    @property
    def size(self) -> int:
        """Squares along a side."""
        return len(self.heights)


def pictures_in(folder: Path) -> Iterator[Genuine]:
    """Yield the pictures of a folder that show tiles."""
    for truth in json.loads((folder / "truth.json").read_text(encoding="utf-8")):
        image = cv2.imread(str(folder / truth["image"]))
        if image is None:
            raise FileNotFoundError(f"{folder / truth['image']} is no picture")
        picture = _read(truth, np.asarray(image, np.uint8))
        if len(find_lettered(picture)):
            yield cut_around_tiles(picture)


def _read(truth: dict[str, Any], image: Image) -> Genuine:
    size, corners = int(truth["rows"]), np.array(truth["corners"], np.float64)
    shape = (image.shape[1], image.shape[0])
    start = initial_camera(homography_from_corners(corners, size), shape)
    camera = camera_at_corners(start, corners, size, shape, square=True)
    cells: list[str] = truth["cells"]
    told: list[str] = truth.get("heights") or ["".join("01"[sign != "."] for sign in row) for row in cells]
    heights = np.array([[int(sign) if sign.isdigit() else 0 for sign in row] for row in told], np.int64)
    faces = tuple(tuple(sign if sign.isalpha() else "" for sign in row) for row in cells)
    return reduce(Genuine(Path(truth["image"]).stem, image, camera, heights, faces), MAX_PITCH)


def reduce(picture: Genuine, pitch: float) -> Genuine:
    """Return the photograph, smaller if need be, so that a square is `pitch` pixels wide at most."""
    scale = min(1.0, pitch / pitch_of(picture.camera, picture.size))
    return replace(picture, image=resize(picture.image, scale), camera=picture.camera.scale(scale))


def cut_around_tiles(picture: Genuine) -> Genuine:
    """Return the part of the picture that shows the tiles whose letters are known, and a little around them."""
    squares = find_lettered(picture)
    (top, left), (low, right) = squares.min(axis=0) - _AROUND, squares.max(axis=0) + 1 + _AROUND
    x, y = np.meshgrid([left, right], [top, low])
    pixels = picture.camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1)).reshape(-1, 2)
    height, width = picture.image.shape[:2]
    x0, y0 = np.clip(np.floor(pixels.min(axis=0)), 0, [width, height]).astype(int)
    x1, y1 = np.clip(np.ceil(pixels.max(axis=0)), 0, [width, height]).astype(int)
    cx, cy = picture.camera.centre
    part = np.ascontiguousarray(picture.image[y0:y1, x0:x1])
    return replace(picture, image=part, camera=replace(picture.camera, centre=(cx - x0, cy - y0)))


def to_light(image: Image) -> Float:
    """Return the linear light of a picture's bytes."""
    return np.asarray((image / np.float32(255)) ** np.float32(2.2), np.float32)


def find_lettered(picture: Genuine) -> npt.NDArray[np.int64]:
    """Return the squares (m, 2), row and column, of the tiles whose letter is known."""
    return np.array(
        [(i, j) for i, row in enumerate(picture.faces) for j, face in enumerate(row) if face and picture.heights[i, j]]
    )


def faces_of(image: Image, picture: Genuine, squares: npt.NDArray[np.int64], shape: TileShape, px: int) -> Image:
    """Return the top faces (m, px, px, 3), a square wide each, that a picture in this pose shows."""
    heights = picture.heights[tuple(squares.T)] * shape.layer_h
    return windows_at(image, picture.camera, square_places([tuple(s) for s in squares.tolist()], heights), px)
