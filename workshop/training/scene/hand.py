"""A hand with forearm and sleeve as round cones, reaching over the board from a side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workshop.training.rendering.scene_arrays import Float
from workshop.training.scene.textures import hsv

Point = NDArray[np.float64]

SKIN, SLEEVE = 0, 1
_AT_WORK = 0.6
"""Share of the hands whose fingers end beside a tile. [by eye]"""
_FINGERS = ((-0.38, 0.86), (-0.13, 1.0), (0.13, 0.95), (0.36, 0.75))


def no_hand() -> tuple[Float, Float, Float]:
    """Return capsules, bounding ball and skins that mean: nothing there."""
    return np.zeros((1, 9), np.float32), np.array([0, 0, 0, -1], np.float32), np.zeros((2, 3), np.float32)


def _target(rng: np.random.Generator, n: int, tiles: NDArray[np.int64], forward: Point) -> Point:
    """Draw the board point (3,) where the fingers of a hand that points `forward` end: beside a tile, or anywhere."""
    target, reach = rng.uniform(-0.5, n + 0.5, 2), rng.uniform(0.2, 1.6)
    if len(tiles) and rng.random() < _AT_WORK:
        row, col = tiles[rng.integers(len(tiles))]
        short = forward[:2] * rng.uniform(0.2, 1.3)
        target = np.array([col + 0.5, row + 0.5]) - short + rng.normal(0, 0.3, 2)
        reach = rng.uniform(0.2, 1.0)
    return np.array([*target, reach])


def random_hand(rng: np.random.Generator, n: int, tiles: NDArray[np.int64]) -> tuple[Float, Float, Float]:
    """Return capsules (k, 9), bounding ball (4,) and skins (2, 3 linear BGR) over an n x n grid.

    `tiles` (m, 2) are the squares (row, col) that hold tiles: most hands reach for one of them.
    """
    wide = rng.uniform(3.2, 4.8)
    turn = rng.uniform(0, 2 * np.pi)
    forward = np.array([np.cos(turn), np.sin(turn), 0.0])
    side = np.array([-np.sin(turn), np.cos(turn), 0.0]) * rng.choice([-1, 1])
    tip = _target(rng, n, tiles, forward)
    arch = rng.uniform(0.35, 0.8) * wide
    knuckle = tip - forward * wide * rng.uniform(0.55, 0.85)
    knuckle[2] = max(tip[2] + 0.3 * arch, arch)
    wrist = knuckle - forward * wide * 0.95
    wrist[2] = max(0.3 * wide, knuckle[2] * rng.uniform(0.7, 1.2))
    parts: list[tuple[float, ...]] = []

    def add(a: Point, b: Point, ra: float, rb: float, part: int) -> None:
        parts.append((*a, *b, ra * wide, rb * wide, part))

    spread = rng.uniform(0.8, 1.3)
    for across, length in _FINGERS:
        base = knuckle + side * across * wide * 0.95
        curl = rng.uniform(0.0, 0.5)
        end = base + (tip - knuckle) * length + side * across * wide * (spread - 0.95)
        end[2] = tip[2] + rng.uniform(0, 0.35) * curl * wide
        bend = (base + end) / 2 + np.array([0, 0, rng.uniform(0.05, 0.2) * wide])
        add(wrist + side * across * wide * 0.5, base, 0.17, 0.145, SKIN)
        add(base, bend, 0.115, 0.105, SKIN)
        add(bend, end, 0.105, 0.082, SKIN)
    root = wrist + (knuckle - wrist) * 0.3 - side * wide * 0.38
    joint = knuckle - side * wide * 0.72 - np.array([0, 0, 0.15 * wide])
    thumb = tip - forward * wide * 0.25 - side * wide * rng.uniform(0.3, 0.65)
    add(root, joint, 0.17, 0.13, SKIN)
    add(joint, thumb, 0.12, 0.095, SKIN)
    parts += _arm(rng, wrist, forward, wide)
    capsules = np.asarray(parts, np.float32)
    ball = _bounding_ball(capsules, 0.6 * wide)
    return capsules, ball, _skins(rng)


def _arm(rng: np.random.Generator, wrist: Point, forward: Point, wide: float) -> list[tuple[float, ...]]:
    """Return capsules of the arm that ends at `wrist` and of its sleeve, for a hand `wide` across."""
    rise = np.array([0, 0, rng.uniform(-0.05, 0.35)])
    cuff = wrist - (forward - rise) * wide * rng.uniform(0.3, 1.6)
    elbow = wrist - (forward - rise) * wide * 3.4
    dressed = SLEEVE if rng.random() < 0.75 else SKIN
    parts = [(*wrist, *cuff, 0.26 * wide, 0.31 * wide, SKIN)]
    for k in range(4):  # short pieces have tight bounding spheres
        here, there = cuff + (elbow - cuff) * k / 4, cuff + (elbow - cuff) * (k + 1) / 4
        parts.append((*here, *there, (0.36 + 0.05 * k) * wide, (0.41 + 0.05 * k) * wide, dressed))
    return parts


def _bounding_ball(capsules: Float, room: float) -> Float:
    """Return the middle and radius (4,) of a ball around capsules (k, 9), with `room` for their own radii."""
    ends = capsules[:, :6].reshape(-1, 3)
    centre = (ends.min(axis=0) + ends.max(axis=0)) / 2
    return np.array([*centre, np.linalg.norm(ends - centre, axis=1).max() + room], np.float32)


def _skins(rng: np.random.Generator) -> Float:
    """Return linear BGR (2, 3) of skin and sleeve."""
    tone = rng.uniform(0.22, 0.97)
    skin = np.array([0.62 * tone**1.5, 0.74 * tone**1.2, tone]) * [rng.uniform(0.85, 1.1), 1.0, 1.0]
    sleeve = hsv(rng, (0, 1), (0, 0.8), (0.05, 0.9)) / 255
    return np.stack([skin, sleeve]).clip(0.01, 1).astype(np.float32) ** np.float32(2.2)
