"""A hand's skin and sleeve as triangles, drawn out of the distance that the marcher follows (surface nets)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workshop.training.path_traced.surface import Floats, Surface, surface
from workshop.training.rendering.hand_rays import hand_distance
from workshop.training.rendering.scene_arrays import Float, SceneArrays, jit

_STEP = 0.13
"""Cells between the points at which the distance is taken: a finger tip is 0.55 across. [by eye]"""
_ROOM = 0.5
_CORNERS = np.array([[q & 1, q >> 1 & 1, q >> 2] for q in range(8)])
_EDGES = [(a, a | bit) for bit in (1, 2, 4) for a in range(8) if not a & bit]


@jit
def distances(capsules: Float, ball: Float, points: Float, out: Float, parts: NDArray[np.int64]) -> None:
    """Fill the distance `out` (m,) from points (m, 3) to a hand, and its nearest part."""
    for i in range(points.shape[0]):
        out[i], parts[i] = hand_distance(capsules, ball, points[i, 0], points[i, 1], points[i, 2])


def hand(scene: SceneArrays) -> Surface | None:
    """Return the hand in its colours; None if there is none."""
    if scene.ball[3] <= 0:
        return None
    radius = scene.capsules[:, 6:8].max() + _ROOM
    ends = scene.capsules[:, :6].reshape(-1, 3)
    low, high = ends.min(axis=0) - radius, ends.max(axis=0) + radius
    shape = tuple(np.ceil((high - low) / _STEP).astype(int) + 1)
    grid = np.moveaxis(np.indices(shape), 0, -1).reshape(-1, 3) * _STEP + low
    field, _ = _measure(scene, grid)
    at, triangles = _net(field.reshape(shape))
    points = at * _STEP + low
    _, parts = _measure(scene, points)
    return surface(points, _slopes(scene, points), triangles, None, scene.skins[parts].astype(np.float64))


def _measure(scene: SceneArrays, points: Floats) -> tuple[Float, NDArray[np.int64]]:
    out, parts = np.zeros(len(points), np.float32), np.zeros(len(points), np.int64)
    distances(scene.capsules, scene.ball, np.ascontiguousarray(points, np.float32), out, parts)
    return out, parts


def _slopes(scene: SceneArrays, points: Floats) -> Floats:
    """Return the unit normals (m, 3): the way the distance grows."""
    reach = _STEP / 4
    steps = [_measure(scene, points + sign * reach * np.eye(3)[axis])[0] for axis in range(3) for sign in (1, -1)]
    slope = np.stack([steps[2 * axis] - steps[2 * axis + 1] for axis in range(3)], axis=1).astype(np.float64)
    return np.asarray(slope / (np.linalg.norm(slope, axis=1, keepdims=True) + 1e-9), np.float64)


def _net(field: Float) -> tuple[Floats, NDArray[np.int64]]:
    """Return points (v, 3), in steps of the grid, and triangles of the surface on which `field` (x, y, z) is 0.

    One point a cell that the surface goes through, in the middle of where it cuts the cell's edges; four around
    each edge of the grid that is cut make two triangles.
    """
    inside = field < 0
    x, y, z = field.shape
    corner = [slice(None, -1), slice(1, None)]
    eight = [inside[corner[q & 1], corner[q >> 1 & 1], corner[q >> 2]] for q in range(8)]
    count = np.sum(eight, axis=0)
    cells = np.argwhere((count > 0) & (count < 8))
    values = [field[tuple((cells + _CORNERS[q]).T)] for q in range(8)]
    total, cuts = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a, b in _EDGES:
        cut = (values[a] < 0) != (values[b] < 0)
        share = np.where(cut, values[a] / np.where(cut, values[a] - values[b], 1), 0)
        way = _CORNERS[b] - _CORNERS[a]
        total += cut[:, None] * (_CORNERS[a] + share[:, None] * way)
        cuts += cut
    number = np.full((x - 1, y - 1, z - 1), -1, np.int64)
    number[tuple(cells.T)] = np.arange(len(cells))
    triangles = []
    for axis in range(3):
        u, v = np.eye(3, dtype=int)[(axis + 1) % 3], np.eye(3, dtype=int)[(axis + 2) % 3]
        along = np.argwhere(np.diff(inside, axis=axis))
        along = along[(along[:, [(axis + 1) % 3, (axis + 2) % 3]] > 0).all(axis=1)]
        ring = [number[tuple((along - side).T)] for side in (0 * u, u, u + v, v)]
        triangles += [np.stack([ring[0], ring[1], ring[2]], 1), np.stack([ring[0], ring[2], ring[3]], 1)]
    return cells + total / cuts[:, None], np.concatenate(triangles)
