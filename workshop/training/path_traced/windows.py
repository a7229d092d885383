"""What shines in a room: windows with bars, blinds or curtains, lamps with shades or tubes, a low sun."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from workshop.training.path_traced.surface import Floats, Surface, join, parallelogram, surface

_KINDS = {"plain": 0.25, "bars": 0.35, "blinds": 0.25, "curtains": 0.15}
"""Things that hang before a window, and how often. [by eye]"""
_FAR = 1.35
"""Lights stand at least so many times as far off as the camera, so that none comes between it and the board.
[by eye]"""
_SUN = 0.22
"""Share of the rooms that the sun shines into, half of them through blinds. [by eye]"""


@dataclass(frozen=True)
class Light:
    """A surface that shines with `radiance` (3 linear BGR)."""

    face: Surface
    radiance: Floats


def lights(rng: np.random.Generator, rectangles: Floats, middle: Floats, camera: Floats) -> list[Light]:
    """Return the marcher's rectangular lights, `rectangles` (l, 14), as windows and lamps round the board's `middle`
    (3,)."""
    away = float(np.linalg.norm(camera - middle))
    return [_light(rng, row, middle, away) for row in rectangles]


def _light(rng: np.random.Generator, row: Floats, middle: Floats, away: float) -> Light:
    place, u, v = row[:3] - middle, row[3:6], row[6:9]
    distance = float(np.linalg.norm(place))
    # grown with its distance a light stays as bright as it was
    grown = max(1.0, _FAR * away / distance)
    place, u, v = middle + place * grown, u * grown, v * grown
    window = row[2] < 0.8 * distance and np.linalg.norm(u) > 0.05 * distance
    panes = _window(rng) if window else _lamp(rng)
    facing = middle - place
    parts = [
        _lamp_disc(place, u, v, facing)
        if round_one
        else parallelogram(place + u * (a + b) / 2 + v * (c + d) / 2, u * (b - a) / 2, v * (d - c) / 2, facing)
        for a, b, c, d, round_one in panes
    ]
    lit = sum((b - a) * (d - c) / 4 * (np.pi / 4 if disc else 1) for a, b, c, d, disc in panes)
    area = float(row[12]) * lit
    # the marcher's colour is the light that a white sheet sends back from the middle of the board
    radiance = np.pi * row[9:12] * float(row[13]) ** 2 / area
    return Light(join(parts), np.asarray(radiance, np.float64))


Pane = tuple[float, float, float, float, bool]
"""Left, right, low and high end of what shines, -1..1 of the light's own size, and whether it is round."""


def _window(rng: np.random.Generator) -> list[Pane]:
    kind = str(rng.choice(list(_KINDS), p=list(_KINDS.values())))
    if kind == "bars":
        return _grid(int(rng.integers(1, 4)), int(rng.integers(1, 4)), rng.uniform(0.85, 0.95))
    if kind == "blinds":
        return _grid(1, int(rng.integers(6, 16)), rng.uniform(0.3, 0.75))
    if kind == "curtains":
        left, right = rng.uniform(-0.9, -0.1), rng.uniform(0.1, 0.9)
        return [(left, right, -1.0, 1.0, False)]
    return [(-1.0, 1.0, -1.0, 1.0, False)]


def _grid(cols: int, rows: int, share: float) -> list[Pane]:
    """Return panes that fill `share` of the width and the height of each part."""
    wide = 1.0 if cols == 1 else share
    x, y = np.linspace(-1, 1, cols + 1), np.linspace(-1, 1, rows + 1)
    return [
        (float(a), float(a + (b - a) * wide), float(c), float(c + (d - c) * share), False)
        for a, b in pairwise(x)
        for c, d in pairwise(y)
    ]


def _lamp(rng: np.random.Generator) -> list[Pane]:
    pick = rng.random()
    if pick < 0.5:
        return [(-1.0, 1.0, -1.0, 1.0, True)]
    if pick < 0.7:
        return _grid(1, 2, rng.uniform(0.3, 0.6))
    if pick < 0.85:
        return _grid(int(rng.integers(2, 4)), 1, rng.uniform(0.4, 0.7))
    return [(-1.0, 1.0, -1.0, 1.0, False)]


def _lamp_disc(place: Floats, u: Floats, v: Floats, facing: Floats) -> Surface:
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    rim = place + np.cos(turns)[:, None] * u + np.sin(turns)[:, None] * v
    normal = np.cross(u, v)
    normal *= np.sign(normal @ facing) / np.linalg.norm(normal)
    around = np.arange(24)
    fan = np.column_stack([around, np.roll(around, -1), np.full(24, 24)])
    return surface(np.concatenate([rim, place[None]]), np.tile(normal, (25, 1)), fan)


def sun(rng: np.random.Generator, ambient: float, middle: Floats, camera: Floats) -> tuple[list[Light], list[Surface]]:
    """Return the sun, in some rooms, and the slats of a blind before it."""
    if rng.random() >= _SUN:
        return [], []
    turn, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(20, 60))
    toward = np.array([np.cos(turn) * np.cos(height), np.sin(turn) * np.cos(height), np.sin(height)])
    side = np.cross(toward, [0, 0, 1.0])
    side /= np.linalg.norm(side)
    rise = np.cross(side, toward)
    size = np.radians(rng.uniform(0.27, 0.8))
    disc = _lamp_disc(middle + toward * 400, side * 400 * size, rise * 400 * size, -toward)
    tone = np.array([rng.uniform(0.7, 0.95), rng.uniform(0.9, 1.0), 1.0])
    strength = ambient * rng.uniform(1.5, 9.0)
    shining = Light(disc, np.asarray(tone * strength / size**2, np.float64))
    if rng.random() < 0.5:
        return [shining], []
    away = max(float(rng.uniform(14, 26)), _FAR * float(np.linalg.norm(camera - middle)))
    step, share = rng.uniform(1.2, 3.5), rng.uniform(0.35, 0.65)
    tilt = rng.normal(0, 0.15)
    across = side * np.cos(tilt) + rise * np.sin(tilt)
    over = np.cross(across, toward)
    colour = np.full(3, rng.uniform(0.5, 0.85))
    slats = [
        parallelogram(middle + toward * away + over * k * step, across * 40, over * step * share / 2, -toward, colour)
        for k in range(-9, 10)
    ]
    return [shining], [join(slats)]
