"""Table, board and the things around it as surfaces: the height map of a scene, cut up by material."""

from __future__ import annotations

import cv2
import numpy as np

from workshop.training.path_traced.surface import Floats, Surface, box, surface
from workshop.training.rendering.scene_arrays import Byte, SceneArrays
from workshop.training.scene.canvas import TABLE

_STEEP = 0.8
"""Height over width from which a step of the map has an edge, not a rounding. [by eye]"""
_LIFT = 0.002
"""How far (cells) the lowest of a thing stays above the table, so that the table does not show through. [by eye]"""
TABLE_THICK = 1.5
FLOOR = 30.0
"""How far (cells) below the table the floor is: about 70 cm. [by eye]"""


def linear(colours: Byte) -> Floats:
    """Convert sRGB bytes to linear light as the ray marcher takes them."""
    share = colours.astype(np.float64) / 255
    return share * share * (0.8 + 0.2 * share)


def things_picture(scene: SceneArrays) -> Floats:
    """Return the colours (h, w, 3 linear BGR) of everything but the table, drawn out by a pixel past its edges."""
    solid = scene.material != TABLE
    spread = cv2.dilate(scene.albedo * solid[..., None].astype(np.uint8), np.ones((3, 3), np.uint8))
    return linear(np.where(solid[..., None], scene.albedo, spread).astype(np.uint8))


def things(scene: SceneArrays) -> dict[int, Surface]:
    """Return the surface of what lies on the table, by material; `uv` is for `things_picture`."""
    solid = scene.material != TABLE
    heights = np.where(solid, np.maximum(scene.ground, scene.table_z + _LIFT), scene.table_z).astype(np.float64)
    corners = np.stack([scene.material[a, b] for a in _SLICES for b in _SLICES])
    material = corners.max(axis=0)
    return {int(row): _cut(scene, heights, material == row) for row in np.unique(material) if row != TABLE}


_SLICES = (slice(None, -1), slice(1, None))


def _cut(scene: SceneArrays, heights: Floats, quads: np.ndarray) -> Surface:
    """Return the part `quads` (h - 1, w - 1) of the map: rounded where it slopes, with edges where it is steep."""
    h, w = heights.shape
    i, j = np.indices((h, w))
    points = np.stack([j / scene.res + scene.x0, i / scene.res + scene.y0, heights], axis=-1).reshape(-1, 3)
    uv = np.stack([(j + 0.5) / w, (i + 0.5) / h], axis=-1).reshape(-1, 2)
    normals = _normals(heights, scene.res).reshape(-1, 3)
    four = np.stack([heights[a, b] for a in _SLICES for b in _SLICES])
    steep = np.ptp(four, axis=0) * scene.res > _STEEP
    smooth, sharp = _triangles(quads & ~steep, w), _triangles(quads & steep, w)
    a, b, c = (points[sharp[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    face *= np.where(face[:, 2:] < 0, -1.0, 1.0)
    face /= np.linalg.norm(face, axis=1, keepdims=True)
    used, renamed = np.unique(smooth, return_inverse=True)
    own = np.arange(3 * len(sharp)).reshape(-1, 3) + len(used)
    return surface(
        np.concatenate([points[used], points[sharp].reshape(-1, 3)]),
        np.concatenate([normals[used], np.repeat(face, 3, axis=0)]),
        np.concatenate([renamed.reshape(-1, 3), own]),
        np.concatenate([uv[used], uv[sharp].reshape(-1, 2)]),
    )


def _triangles(quads: np.ndarray, w: int) -> np.ndarray:
    i, j = np.nonzero(quads)
    first = i * w + j
    return np.concatenate(
        [np.stack([first, first + 1, first + w], 1), np.stack([first + 1, first + w + 1, first + w], 1)]
    )


def _normals(heights: Floats, res: float) -> Floats:
    """Return normals (h, w, 3) by the gentler of the slopes on both sides of a point: no edge is smeared over its
    plane."""
    slopes = []
    for axis in (1, 0):
        step = np.diff(heights, axis=axis) * res
        none = np.zeros_like(step.take([0], axis=axis))
        before, after = np.concatenate([none, step], axis=axis), np.concatenate([step, none], axis=axis)
        slopes.append(np.where(np.abs(before) < np.abs(after), before, after))
    normals = np.stack([-slopes[0], -slopes[1], np.ones_like(heights)], axis=-1)
    return np.asarray(normals / np.linalg.norm(normals, axis=-1, keepdims=True), np.float64)


def table(scene: SceneArrays, beyond: Floats) -> Surface:
    """Return the table as a slab that goes on `beyond` (4,) cells left, above, right and below the map; `uv`
    repeats."""
    wide = (np.array(scene.ground.shape[::-1]) - 1) / scene.res
    origin = np.array([scene.x0, scene.y0])
    low, high = origin - beyond[:2], origin + wide + beyond[2:]
    slab = box(np.array([*low, scene.table_z - TABLE_THICK]), np.array([*high, scene.table_z]))
    size = scene.table.shape[0]
    uv = ((slab.points[:, :2] - origin) * scene.table_px + 0.5) / size
    return Surface(slab.points, slab.normals, slab.triangles, uv, slab.colours)
