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

from vision import Camera
from vision.geometry.camera import corners_of, homography_from_corners
from vision.geometry.tile_shape import TILE
from vision.images import Image
from workshop.training.board_samples import BoardSample
from workshop.training.sunlight.shining import Sun, random_sun, shone_on

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

_FAR = 8000.0
"""Pixels, and cells, beyond which nothing is told apart: beside the picture, and towards the horizon. [by eye]"""
_AS_LARGE = 9
"""Squares a side of the board that would fill a picture in which none is. [by eye]"""


def in_sunlight(sample: BoardSample, rng: np.random.Generator) -> BoardSample:
    """Return the sample with the sun shining on it through something."""
    size, elevations = sample.size, sample.elevations
    if not size:
        return replace(sample, image=_without_tiles(sample.image, rng))
    ground = homography_from_corners(corners_of(sample.camera, size), size)
    faces = top_faces(sample.camera, elevations)
    return replace(sample, image=sunlit(sample.image, ground, faces, elevations, random_sun(rng, size)))


def sunlit(image: Image, ground: Floats, faces: Floats, elevations: Floats, sun: Sun) -> Image:
    """Return the picture (h, w, 3) with the sun on it.

    `ground` (3, 3) takes board points to pixels; `faces` (n, n, 4, 2) px are the corners TL TR BR BL of the top faces,
    which lie `elevations` (n, n) cells above the board, 0 if no tile is.
    """
    points = _cast_points(image.shape[:2], ground, faces, elevations, sun.slant)
    return shone_on(image, sun.pattern(points), sun)


def top_faces(camera: Camera, elevations: Floats) -> Floats:
    """Return corners (n, n, 4, 2), px, of tiles' top faces."""
    rows, cols = (np.asarray(part) for part in np.indices(elevations.shape))
    corners = np.stack([cols, rows], axis=-1)[..., None, :] + 0.5 + TILE.corners()
    tops = np.broadcast_to(elevations[..., None, None], (*elevations.shape, 4, 1))
    return camera.project(np.concatenate([corners, tops], axis=-1))


def _without_tiles(image: Image, rng: np.random.Generator) -> Image:
    """Return a picture (h, w, 3) without a board, in the sun. The patterns are as large as if a board filled it."""
    height, width = image.shape[:2]
    low, high = 0.15 * min(height, width) * rng.uniform(0.3, 1.0, 2)
    corners = [(low, low), (width - low, low), (width - high, height - high), (high, height - high)]
    ground = homography_from_corners(corners, _AS_LARGE)
    return sunlit(image, ground, np.zeros((0, 0, 4, 2)), np.zeros((0, 0)), random_sun(rng, _AS_LARGE))


def _cast_points(shape: tuple[int, ...], ground: Floats, faces: Floats, elevations: Floats, slant: Floats) -> Points:
    """Return where on the board's plane the sun's ray through what each pixel shows would meet it, (h, w, 2) cells."""
    height, width = shape[:2]
    to_board = np.linalg.inv(ground)
    places = np.zeros((height, width, 2), dtype=np.float32)
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    _fill(places, frame, to_board, np.zeros(2))
    for row, col in _from_afar(ground, elevations):
        rise, face = float(elevations[row, col]), faces[row, col].astype(np.float32)
        tile = np.asarray(TILE.corners() + np.array([col + 0.5, row + 0.5]), dtype=np.float32)
        whole = cv2.convexHull(np.concatenate([_map_points(tile, ground), face]))[:, 0]
        _fill(places, np.asarray(whole, dtype=np.float32), to_board, 0.5 * rise * slant)
        _fill(places, face, cv2.getPerspectiveTransform(face, tile), rise * slant)
    return places


def _from_afar(ground: Floats, elevations: Floats) -> list[tuple[int, int]]:
    """Return row and column of the tiles, those that others may hide first."""
    tiles = np.argwhere(elevations > 0)
    depth = np.column_stack([tiles[:, 1] + 0.5, tiles[:, 0] + 0.5, np.ones(len(tiles))]) @ ground[2]
    return [(int(row), int(col)) for row, col in tiles[np.argsort(-depth)]]


def _fill(places: Points, outline: Points, matrix: npt.NDArray[Any], off: Floats) -> None:
    """Set the places within an outline (m, 2) px to what `matrix` makes of the pixels, less how far off they lie."""
    high, wide = places.shape[:2]
    corners = np.clip(np.round(outline), -_FAR, _FAR).astype(np.int32)
    (x0, y0), (x1, y1) = np.maximum(corners.min(0), 0), np.minimum(corners.max(0) + 1, (wide, high))
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, corners - (x0, y0), 1)
    rows, cols = np.nonzero(mask)
    pixels = np.column_stack([cols + x0, rows + y0]).astype(np.float32)
    places[rows + y0, cols + x0] = _map_points(pixels, matrix) - off.astype(np.float32)


def _map_points(points: Points, matrix: npt.NDArray[Any]) -> Points:
    """Return points (m, 2) under a homography."""
    at = cv2.perspectiveTransform(points[None], matrix)[0]
    return np.asarray(np.clip(at, -_FAR, _FAR), dtype=np.float32)
