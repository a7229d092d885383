"""Rooms: the dome's colours, windows and lamps as rectangular lights."""

from __future__ import annotations

import numpy as np

from workshop.training.rendering.scene_arrays import Float
from workshop.training.scene.textures import hsv


def random_light(rng: np.random.Generator, n: int) -> tuple[Float, Float]:
    """Return `sky` (3, 3) and `lights` (l, 14) of `SceneArrays` for an n x n grid."""
    warmth = _tint(rng)
    ambient = rng.uniform(0.15, 0.7)
    zenith = warmth * ambient * rng.uniform(0.7, 1.3)
    horizon = _tint(rng) * ambient * rng.uniform(0.5, 1.3)
    table = hsv(rng, (0, 1), (0, 0.4), (0.2, 0.9)) / 255
    bounce = table * ambient * rng.uniform(0.3, 0.7)
    sky = np.stack([zenith, horizon, bounce]).astype(np.float32)
    count = int(rng.choice([1, 2, 3], p=[0.4, 0.4, 0.2]))
    lights = [_light(rng, n) for _ in range(count)]
    return sky, np.asarray(lights, np.float32)


def _tint(rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    warm = rng.normal(0, 0.12)
    return np.array([1 - warm, 1.0, 1 + warm], np.float32)


def low_lamp(rng: np.random.Generator, n: int) -> tuple[Float, Float]:
    """Return `sky` and `lights` as `random_light` does: of a dark room with one warm lamp that stands low."""
    warmth = np.array([0.7, 1.0, 1.2], np.float32)
    sky = np.stack([warmth * rng.uniform(0.03, 0.1)] * 3).astype(np.float32)
    lamp = np.asarray(_rectangle(rng, n, rng.uniform(14, 30), np.radians(rng.uniform(10, 18)), (0.03, 0.1)))
    lamp[9:12] *= warmth
    return sky, lamp[None].astype(np.float32)


def _light(rng: np.random.Generator, n: int) -> list[float]:
    window = rng.random() < 0.5
    distance = rng.uniform(40, 150) if window else rng.uniform(14, 60)
    height = np.radians(rng.uniform(18, 60) if window else rng.uniform(35, 88))
    return _rectangle(rng, n, distance, height, (0.06, 0.35) if window else (0.015, 0.12))


def _rectangle(
    rng: np.random.Generator, n: int, distance: float, height: float, spreads: tuple[float, float]
) -> list[float]:
    """Draw a light at this distance from the board's middle, squares, and angle above it; its size is a share."""
    turn = rng.uniform(0, 2 * np.pi)
    toward = np.array([np.cos(turn) * np.cos(height), np.sin(turn) * np.cos(height), np.sin(height)])
    place = np.array([n / 2, n / 2, 0]) + toward * distance + rng.normal(0, n / 3, 3) * [1, 1, 0]
    side = np.cross(toward, [0, 0, 1.0])
    side /= np.linalg.norm(side) + 1e-9
    rise = np.cross(side, toward)
    spread = rng.uniform(*spreads)
    half_u = side * distance * spread * rng.uniform(0.6, 1.6)
    half_v = rise * distance * spread * rng.uniform(0.6, 1.6)
    colour = _tint(rng) * rng.uniform(0.25, 1.5)
    area = 4 * np.linalg.norm(half_u) * np.linalg.norm(half_v)
    return [*place, *half_u, *half_v, *colour, float(area), float(distance)]
