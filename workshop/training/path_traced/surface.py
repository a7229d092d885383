"""Triangles as arrays, in board coordinates, before mitsuba takes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Triangles = NDArray[np.int64]


@dataclass(frozen=True)
class Surface:
    """Triangles (t, 3) over points (v, 3) in cells; `uv` (v, 2) of a picture and `colours` (v, 3 linear BGR) there.

    Points and the normals (v, 3) are in board coordinates: x right, y down, z up.
    """

    points: Floats
    normals: Floats
    triangles: Triangles
    uv: Floats
    colours: Floats


def surface(
    points: Floats, normals: Floats, triangles: Triangles, uv: Floats | None = None, colour: Floats | None = None
) -> Surface:
    """Return a surface, its triangles turned so that they face as their normals do; `colour` is (3,) or (v, 3)."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    # y points down, so that what turns like a clock here does not in mitsuba's right-handed frame
    away = -np.einsum("ij,ij->i", np.cross(b - a, c - a), normals[triangles].sum(axis=1)) < 0
    turned = triangles.copy()
    turned[away] = triangles[away][:, ::-1]
    uv = np.zeros((len(points), 2)) if uv is None else uv
    colour = np.ones(3) if colour is None else colour
    return Surface(points, normals, turned, uv, np.broadcast_to(colour, points.shape))


def join(parts: list[Surface]) -> Surface:
    """Return several surfaces as one."""
    starts = np.cumsum([0, *(len(part.points) for part in parts[:-1])])
    return Surface(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.triangles + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.uv for part in parts]),
        np.concatenate([part.colours for part in parts]),
    )


def lattice_triangles(rows: int, cols: int, *, closed: bool) -> Triangles:
    """Return triangles between the points of `rows` lines of `cols` points; `closed` lines go back to their first."""
    across = np.arange(cols if closed else cols - 1)
    i, j = (axis.ravel() for axis in np.meshgrid(np.arange(rows - 1), across, indexing="ij"))
    here, beside = i * cols + j, i * cols + (j + 1) % cols
    return np.concatenate([np.stack([here, beside, here + cols], 1), np.stack([beside, beside + cols, here + cols], 1)])


def parallelogram(middle: Floats, u: Floats, v: Floats, facing: Floats, colour: Floats | None = None) -> Surface:
    """Return the parallelogram middle ± u ± v, on the side that `facing` (3,) is on."""
    normal = np.cross(u, v)
    normal /= np.linalg.norm(normal)
    normal = normal if normal @ facing > 0 else -normal
    points = np.stack([middle - u - v, middle + u - v, middle + u + v, middle - u + v])
    return surface(points, np.tile(normal, (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]), None, colour)


def box(low: Floats, high: Floats, colour: Floats | None = None) -> Surface:
    """Return the six sides of the box between two corners (3,)."""
    middle, half = (low + high) / 2, (high - low) / 2
    sides = []
    for axis in range(3):
        out = np.eye(3)[axis]
        u, v = np.eye(3)[(axis + 1) % 3] * half, np.eye(3)[(axis + 2) % 3] * half
        sides += [parallelogram(middle + sign * out * half, u, v, sign * out, colour) for sign in (-1.0, 1.0)]
    return join(sides)
