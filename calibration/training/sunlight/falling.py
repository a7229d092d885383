"""Lets the sun fall on a picture of a board: a pattern of light and shade that is displaced on top of stacks.

What a pattern throws on a face that lies higher is displaced along the board by as much as the sun is low, which is
how shade that crosses a stack differs from a print on the board.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.training.board_samples import BoardSample
from calibration.training.sunlight.shining import Sun, random_sun, shone_on
from vision.geometry.camera import Camera, corners_of, homography_from_corners
from vision.images import Image

Floats = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.floating[Any]]

_INSET = 0.07
"""Room between a tile and the side of its square, cells."""
_AS_LARGE = 9
"""Squares a side of the board that would fill a picture in which none is."""


def in_sunlight(sample: BoardSample, rng: np.random.Generator) -> BoardSample:
    """The sample with the sun shining on it through something."""
    size, elevations = sample.size, sample.elevations
    if not size:
        return replace(sample, image=_without_tiles(sample.image, rng))
    ground = homography_from_corners(corners_of(sample.camera, size), size)
    faces = _top_faces(sample.camera, elevations)
    return replace(sample, image=sunlit(sample.image, ground, faces, elevations, random_sun(rng, size)))


def sunlit(image: Image, ground: Floats, faces: Floats, elevations: Floats, sun: Sun) -> Image:
    """The picture (h, w, 3) with the sun on it.

    `ground` (3, 3) takes board points to pixels; `faces` (n, n, 4, 2) px are the corners TL TR BR BL of the top faces,
    which lie `elevations` (n, n) cells above the board, 0 where no tile is.
    """
    points = _shaded_points(image.shape[:2], ground, faces, elevations, sun.slant)
    return shone_on(image, sun.pattern(points), sun)


def _without_tiles(image: Image, rng: np.random.Generator) -> Image:
    """The picture (h, w, 3), in which no board is, in the sun: the patterns are as large as if a board filled it."""
    height, width = image.shape[:2]
    low, high = 0.15 * min(height, width) * rng.uniform(0.3, 1.0, 2)
    corners = [(low, low), (width - low, low), (width - high, height - high), (high, height - high)]
    ground = homography_from_corners(corners, _AS_LARGE)
    return sunlit(image, ground, np.zeros((0, 0, 4, 2)), np.zeros((0, 0)), random_sun(rng, _AS_LARGE))


def _top_faces(camera: Camera, elevations: Floats) -> Floats:
    """Corners (n, n, 4, 2), px, of tiles' top faces."""
    rows, cols = (np.asarray(part) for part in np.indices(elevations.shape))
    x, y = (
        part[..., None] + np.array(side)
        for part, side in (
            (cols, (_INSET, 1 - _INSET, 1 - _INSET, _INSET)),
            (rows, (_INSET, _INSET, 1 - _INSET, 1 - _INSET)),
        )
    )
    return camera.project(np.stack([x, y, np.broadcast_to(elevations[..., None], x.shape)], axis=-1))


def _shaded_points(
    shape: tuple[int, ...], ground: Floats, faces: Floats, elevations: Floats, slant: Floats
) -> npt.NDArray[np.float32]:
    """Where on the board's plane the sun's ray through what each pixel shows would meet it, (h, w, 2) cells."""
    height, width = shape[:2]
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float32)
    board = _mapped(pixels.reshape(-1, 2), np.linalg.inv(ground)).reshape(height, width, 2)
    places = board.copy()
    for row, col in _from_afar(ground, elevations):
        rise, face = float(elevations[row, col]), faces[row, col]
        foot = _mapped(_square(row, col), ground)
        whole = cv2.convexHull(np.concatenate([foot, face]).astype(np.float32))
        _fill(places, board, whole, 0.5 * rise * slant)
        on_top = cv2.getPerspectiveTransform(_square(row, col), face.astype(np.float32))
        _fill(places, pixels, face, rise * slant, np.linalg.inv(on_top))
    return places


def _from_afar(ground: Floats, elevations: Floats) -> list[tuple[int, int]]:
    """Row and column of the tiles, those that others may hide first."""
    tiles = np.argwhere(elevations > 0)
    depth = np.column_stack([tiles[:, 1] + 0.5, tiles[:, 0] + 0.5, np.ones(len(tiles))]) @ ground[2]
    return [(int(row), int(col)) for row, col in tiles[np.argsort(-depth)]]


def _square(row: int, col: int) -> npt.NDArray[np.float32]:
    low, high = _INSET, 1 - _INSET
    corners = np.array([(low, low), (high, low), (high, high), (low, high)])
    return np.asarray(corners + np.array([col, row]), dtype=np.float32)


def _fill(
    places: npt.NDArray[np.float32], source: npt.NDArray[np.float32], outline: npt.NDArray[Any], off: Floats,
    matrix: Matrix | None = None,
) -> None:  # fmt: skip
    """Within an outline (m, 2) px set the points to the `source`'s, mapped by `matrix`, less how far off they lie."""
    high, wide = places.shape[:2]
    corners = np.clip(np.round(np.reshape(outline, (-1, 2))), -4000, 4000).astype(np.int32)
    (x0, y0), (x1, y1) = np.maximum(corners.min(0), 0), np.minimum(corners.max(0) + 1, (wide, high))
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, corners - (x0, y0), 1)
    within = mask > 0
    points = source[y0:y1, x0:x1][within]
    if matrix is not None:
        points = _mapped(points, matrix)
    places[y0:y1, x0:x1][within] = points - off.astype(np.float32)


def _mapped(points: npt.NDArray[np.float32], matrix: Matrix) -> npt.NDArray[np.float32]:
    """Points (m, 2) under a homography; those behind its horizon lie far away."""
    x, y = points[:, 0], points[:, 1]
    m = matrix / matrix[2, 2]
    depth = m[2, 0] * x + m[2, 1] * y + m[2, 2]
    depth = np.where(np.abs(depth) < 1e-4, 1e-4, depth)
    at = np.stack([m[k, 0] * x + m[k, 1] * y + m[k, 2] for k in (0, 1)], axis=-1) / depth[:, None]
    return np.clip(at, -1e3, 1e3).astype(np.float32)
