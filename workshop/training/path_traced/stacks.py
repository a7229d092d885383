"""Stacks of tiles as surfaces: rounded feet and edges, the raised face with its letter on top."""

from __future__ import annotations

import numpy as np

from workshop.training.path_traced.ground import linear
from workshop.training.path_traced.surface import Floats, Surface, join, lattice_triangles, surface
from workshop.training.rendering.scene_arrays import ATLAS, SceneArrays, TileShape

_ARC = 5
"""Points of a rounded corner, and of a rounded edge. [by eye]"""
_NOWHERE = -40.0
"""Stacks that stand lower than this are put away below the table."""

Template = tuple[Floats, Floats, np.ndarray]
"""Points (v, 3) and normals (v, 3) about a tile's middle, and triangles (t, 3)."""


def _outline(shape: TileShape, inset: float, *, raised: bool = False) -> tuple[Floats, Floats]:
    """Return points and outward directions (4 * _ARC, 2) of a tile's rounded square, moved in by `inset` cells.

    `raised`: it is the outline of the raised face.
    """
    half = max(shape.half - inset, 0.0)
    widest = shape.plateau + shape.corner if raised and shape.corner > 0 else shape.radius
    radius = min(max(widest - inset, 0.0), half)
    turns = np.concatenate([np.linspace(0, np.pi / 2, _ARC) + quarter * np.pi / 2 for quarter in range(4)])
    out = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    signs = np.repeat(np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], np.float64), _ARC, axis=0)
    return signs * (half - radius) + out * radius, out


def _turn(shape: TileShape, profile: list[tuple[float, float, float, float]], *, raised: bool = False) -> Template:
    """Return the body whose outline at height z is `inset`, for a profile of (z, inset, normal outward, normal up)."""
    points, normals = [], []
    for z, inset, outward, up in profile:
        ring, out = _outline(shape, inset, raised=raised)
        points.append(np.column_stack([ring, np.full(len(ring), z)]))
        normal = np.column_stack([out * outward, np.full(len(ring), up)])
        normals.append(normal / np.linalg.norm(normal, axis=1, keepdims=True))
    triangles = lattice_triangles(len(profile), 4 * _ARC, closed=True)
    return np.concatenate(points), np.concatenate(normals), triangles


def _skirt(shape: TileShape, span: float) -> list[tuple[float, float, float, float]]:
    """Return a tile's side from its foot (z = 0) to its upper edge (`span`), closed below and above."""
    bends = np.linspace(0, np.pi / 2, _ARC)
    lean = shape.draft / span
    profile = [(0.0, shape.half, 0.0, -1.0), (0.0, shape.foot, 0.0, -1.0)]
    for bend in bends[::-1]:
        rise = shape.foot * (1 - np.sin(bend))
        inset = lean * rise + shape.foot * (1 - np.cos(bend))
        profile.append((rise, inset, np.cos(bend), -np.sin(bend) + lean * np.cos(bend)))
    for bend in bends:
        rise = span - shape.bevel * (1 - np.sin(bend))
        inset = lean * rise + shape.bevel * (1 - np.cos(bend))
        profile.append((rise, inset, np.cos(bend), np.sin(bend) + lean * np.cos(bend)))
    return [*profile, (span, shape.draft + shape.bevel, 0.0, 1.0), (span, shape.half, 0.0, 1.0)]


def _raise_face(shape: TileShape) -> list[tuple[float, float, float, float]]:
    """Return the side of the raised face, from the shelf (z = 0) up to the face."""
    edge = min(shape.bevel, shape.shelf)
    if shape.slope > 0.5:
        return [
            (rise, shape.plateau + inset, shape.shelf, shape.bevel)
            for rise, inset in ((0.0, 0.0), (shape.shelf, shape.bevel))
        ]
    profile = [(0.0, shape.plateau, 1.0, 0.0)]
    for bend in np.linspace(0, np.pi / 2, _ARC):
        rise = shape.shelf - edge * (1 - np.sin(bend))
        profile.append((rise, shape.plateau + edge * (1 - np.cos(bend)), np.cos(bend), np.sin(bend)))
    return profile


def _place(template: Template, spot: Floats, foot: float) -> tuple[Floats, Floats]:
    """Return points and normals of a template at a tile's place (x, y, cos, sin), its z = 0 at `foot`."""
    x, y, c, s = spot
    turn = np.array([[c, s], [-s, c]])
    points, normals, _ = template
    moved = np.column_stack([points[:, :2] @ turn + [x, y], points[:, 2] + foot])
    return moved, np.column_stack([normals[:, :2] @ turn, normals[:, 2]])


def _list_shown(scene: SceneArrays) -> list[int]:
    return [k for k in range(len(scene.stacks)) if scene.stacks[k, 0] > _NOWHERE]


def bodies(scene: SceneArrays) -> Surface | None:
    """Return all tiles except the faces on top of their stacks, in their colours; None if there are none."""
    shape, parts = scene.shape, []
    nested = shape.nested > 0.5
    side = _turn(shape, _skirt(shape, shape.layer_h if nested else shape.layer_h - shape.shelf))
    raised = _turn(shape, _raise_face(shape), raised=True) if shape.shelf > 0 else None
    for k in _list_shown(scene):
        layers = int(scene.stacks[k, 1])
        for layer in range(layers):
            foot = float(scene.stacks[k, 0]) + layer * shape.layer_h - (shape.shelf if nested else 0.0)
            spot, colour = scene.tiles[k, layer].astype(float), scene.bodies[k, layer].astype(float)
            parts.append(surface(*_place(side, spot, foot), side[2], None, colour))
            if raised and (layer == layers - 1 or not nested):
                above = float(scene.stacks[k, 0]) + (layer + 1) * shape.layer_h - shape.shelf
                parts.append(surface(*_place(raised, spot, above), raised[2], None, colour))
    return join(parts) if parts else None


def faces(scene: SceneArrays) -> Surface | None:
    """Return the faces on top of the stacks; `uv` is for `faces_picture`."""
    shape, parts = scene.shape, []
    inset = shape.draft + shape.bevel
    if shape.shelf > 0:
        inset = shape.plateau + (shape.bevel if shape.slope > 0.5 else min(shape.bevel, shape.shelf))
    ring, _ = _outline(shape, inset, raised=shape.shelf > 0)
    flat = np.column_stack([np.concatenate([ring, np.zeros((1, 2))]), np.zeros(len(ring) + 1)])
    around = np.arange(len(ring))
    fan = np.column_stack([around, np.roll(around, -1), np.full(len(ring), len(ring))])
    up = np.tile([0.0, 0.0, 1.0], (len(flat), 1))
    side = _sheet_side(len(scene.atlas))
    for k in _list_shown(scene):
        layers = int(scene.stacks[k, 1])
        spot = scene.tiles[k, layers - 1].astype(float)
        # a hair above the body, which is closed there
        points, normals = _place((flat, up, fan), spot, float(scene.stacks[k, 2]) + 1e-4)
        uv = (flat[:, :2] + 0.5 + [k % side, k // side]) / side
        parts.append(surface(points, normals, fan, uv))
    return join(parts) if parts else None


def _sheet_side(count: int) -> int:
    return int(np.ceil(np.sqrt(count)))


def _sheet(scene: SceneArrays) -> np.ndarray:
    """Return all face textures side by side on one square sheet, 4 channels."""
    side = _sheet_side(len(scene.atlas))
    sheet = np.zeros((side * ATLAS, side * ATLAS, 4), np.uint8)
    for k, face in enumerate(scene.atlas):
        i, j = k // side * ATLAS, k % side * ATLAS
        sheet[i : i + ATLAS, j : j + ATLAS] = face
    return sheet


def faces_picture(scene: SceneArrays) -> Floats:
    """Return the faces' colours (s, s, 3 linear BGR), all on one sheet."""
    return linear(_sheet(scene)[..., :3])


def faces_relief(scene: SceneArrays) -> Floats:
    """Return how far (cells) letters or moulded marks stand above their faces, (s, s), on the same sheet."""
    # the marcher takes its slopes over two pixels of a face
    return _sheet(scene)[..., 3] / 255.0 * scene.emboss * 2 / ATLAS
