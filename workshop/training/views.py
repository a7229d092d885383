"""Where cameras stand: anywhere a phone may be held, or in one of the places that are hard for the reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from workshop.training.rendering.ray_marcher import Array, Camera, look_at

View = Callable[[np.random.Generator, int, tuple[int, int]], Camera]
"""Draws a camera that looks at an n x n grid, the range of its pictures' longer side, px, given."""

SPAN, SPAN_CUT = (0.45, 0.98), (0.98, 1.15)
"""How much of the frame, along the side where it is larger, the grid takes up: mostly, and where it may be cut.
[by eye]"""
LONGEST = (480, 860)
"""Range of the picture's longer side, pixels. [by eye]"""
SQUARE_FROM_ABOVE, WIDEST_FROM_ABOVE = (34.0, 72.0), 1400
"""Range of a square's side in pictures from above, and how wide such pictures may be, pixels. [by eye]"""
SPAN_ABOVE, AWAY_ABOVE, STEEPEST_ABOVE = (0.8, 0.98), (11.0, 42.0), 25.0
"""Of pictures cut close around boards seen from above: how much of them the grid takes up, how far away the camera is,
cells, and how far off the vertical, degrees. [by eye]"""
_CUT_SHARE = (0.03, 0.25)
"""Share of the squares that lie out of the picture where a board is cut. [by eye]"""
_TRIES = 200


def grid_corners(n: int) -> Array:
    """Return TL, TR, BR, BL of an n x n grid as board points (4, 3)."""
    return np.array([[0, 0, 0], [n, 0, 0], [n, n, 0], [0, n, 0]], np.float64)


@dataclass(frozen=True)
class Lens:
    """A camera's frame, pixels, horizontal field of view, degrees, and distortion (k1, k2)."""

    width: int
    height: int
    hfov: float
    dist: tuple[float, float]


def random_camera(rng: np.random.Generator, n: int, longest: tuple[int, int] = LONGEST) -> Camera:
    """Draw a view of an n x n grid: overhead or tilted, any side, near or far.

    `longest`: range of the picture's longer side in pixels.
    """
    width, height = random_frame(rng, longest)
    tilt = rng.uniform(0.3, 9) if rng.random() < 0.3 else rng.uniform(9, 58)
    away = direction(tilt, np.degrees(rng.uniform(0, 2 * np.pi)))
    lens = Lens(width, height, *random_lens(rng))
    roll = rng.normal(0, 6) if rng.random() < 0.85 else rng.uniform(-180, 180)
    span = rng.uniform(*SPAN) if rng.random() < 0.92 else rng.uniform(*SPAN_CUT)
    slack = max(0.0, 1.1 - span) * n
    return aim_camera(lens, n, away, roll, span, rng.uniform(-0.3, 0.3, 2) * slack)


def random_frame(rng: np.random.Generator, longest: tuple[int, int]) -> tuple[int, int]:
    """Draw the width and height of a picture."""
    width = int(rng.integers(longest[0], longest[1] + 1)) // 4 * 4
    height = int(width / rng.choice([4 / 3, 4 / 3, 16 / 9, 3 / 2]) / 4) * 4
    return (height, width) if rng.random() < 0.2 else (width, height)


def random_lens(rng: np.random.Generator) -> tuple[float, tuple[float, float]]:
    """Draw a horizontal field of view, degrees, and distortion."""
    hfov = rng.uniform(42, 85)
    return hfov, (0.0, 0.0) if rng.random() < 0.3 else (rng.normal(0, 0.05), rng.normal(0, 0.02))


def direction(tilt: float, azimuth: float) -> Array:
    """Return the direction (3,) of a camera, given its degrees off the vertical and around it."""
    off, turn = np.radians(tilt), np.radians(azimuth)
    return np.array([np.sin(off) * np.cos(turn), np.sin(off) * np.sin(turn), np.cos(off)])


def aim_camera(lens: Lens, n: int, away: Array, roll: float, span: float, aside: Array) -> Camera:
    """Return the camera in the direction `away` (3,) of an n x n grid, at the distance at which it spans that share of
    the frame.

    It is aimed `aside` (2,) cells of the grid's middle.
    """
    middle, reach = np.array([n / 2, n / 2, 0.0]), 1.6 * n

    def at(target: Array) -> Camera:
        return look_at(lens.width, lens.height, lens.hfov, lens.dist, target + away * reach, target, roll)

    for _ in range(6):
        size = np.ptp(at(middle).project(grid_corners(n)), axis=0) / [lens.width, lens.height]
        if not np.isfinite(size).all():
            reach *= 1.3
        else:
            reach = max(0.75 * n, reach * float(np.clip(size.max() / span, 0.5, 2.0)))
    return at(middle + np.array([*aside, 0.0]))


def from_above(rng: np.random.Generator, n: int) -> Camera:
    """Draw a view from an arm, a ceiling, or a person who stands over the board: up to 24 degrees off the vertical.

    However far away the camera is, squares are so large that faces nearer by a hundredth differ.
    """
    away, span = direction(24.0 * rng.random() ** 1.5, rng.uniform(0, 360)), rng.uniform(0.28, 1.0)
    longest = min(int(n * rng.uniform(*SQUARE_FROM_ABOVE) / span), WIDEST_FROM_ABOVE)
    return _view(rng, n, away, (span, span), (longest, longest), 0.1)


def close_from_above(rng: np.random.Generator, n: int) -> Camera:
    """Draw a view from above, near or far, that cuts off what surrounds the board: small pictures of large squares."""
    away = direction(STEEPEST_ABOVE * rng.random() ** 1.4, rng.uniform(0, 360))
    span = rng.uniform(*SPAN_ABOVE)
    reach = np.exp(rng.uniform(*np.log(AWAY_ABOVE)))
    side = int(n * rng.uniform(30.0, 50.0) / span) // 4 * 4
    _, (k1, k2) = random_lens(rng)
    hfov = float(np.degrees(2 * np.arctan(n / span / 2 / reach)))
    target = np.array([n / 2, n / 2, 0.0]) + np.array([*(rng.uniform(-0.04, 0.04, 2) * n), 0.0])
    eye = target + away * reach
    return look_at(side, side, hfov, (k1 * 0.3, k2 * 0.1), eye, target, rng.normal(0, 5))


def _view(
    rng: np.random.Generator,
    n: int,
    away: Array,
    span: tuple[float, float],
    longest: tuple[int, int],
    aside: float = 0.0,
) -> Camera:
    """Draw a camera in a direction, aimed at most this many boards off the middle."""
    lens = Lens(*random_frame(rng, longest), *random_lens(rng))
    return aim_camera(lens, n, away, rng.normal(0, 5), rng.uniform(*span), rng.uniform(-aside, aside, 2) * n)


def _low(rng: np.random.Generator, n: int, longest: tuple[int, int]) -> Camera:
    """Draw a view from a low chair: 50 to 65 degrees off the vertical, any side."""
    return _view(rng, n, direction(rng.uniform(50, 65), rng.uniform(0, 360)), (0.5, 0.98), longest)


def _diamond(rng: np.random.Generator, n: int, longest: tuple[int, int]) -> Camera:
    """Draw a view over a corner of the board: its sides run aslant."""
    azimuth = 45 + 90 * int(rng.integers(4)) + rng.normal(0, 5)
    return _view(rng, n, direction(rng.uniform(15, 60), azimuth), (0.6, 0.98), longest)


def _cut(rng: np.random.Generator, n: int, longest: tuple[int, int]) -> Camera:
    """Draw a view that cuts off a corner or a side."""
    for _ in range(_TRIES):
        away = direction(rng.uniform(10, 60), rng.uniform(0, 360))
        camera = _view(rng, n, away, (0.8, 1.2), longest, 0.35)
        if _CUT_SHARE[0] < _share_outside(camera, n) < _CUT_SHARE[1]:
            return camera
    raise AssertionError("no view cuts the board")


def _small(rng: np.random.Generator, n: int, longest: tuple[int, int]) -> Camera:
    """Draw a view from far away: the board fills a small part of the picture."""
    return _view(rng, n, direction(rng.uniform(20, 60), rng.uniform(0, 360)), (0.18, 0.35), longest, 0.8)


VIEWS: dict[str, View] = {"low": _low, "diamond": _diamond, "cut": _cut, "small": _small}
"""Places that are hard for the reader."""


def hard_view(rng: np.random.Generator, n: int, longest: tuple[int, int] = LONGEST) -> Camera:
    """Draw a view of an n x n grid from one of VIEWS."""
    return list(VIEWS.values())[int(rng.integers(len(VIEWS)))](rng, n, longest)


def _share_outside(camera: Camera, n: int) -> float:
    """Return the share of the squares' middles that are out of the picture."""
    x, y = np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5)
    pixels = camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1))
    inside = ((pixels > 0) & (pixels < [camera.width - 1, camera.height - 1])).all(axis=-1)
    return float(1.0 - inside.mean())
