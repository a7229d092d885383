"""What stands between the sun and a table, as the pattern of light and shade that it throws on the board's plane.

Points are board coordinates (x, y), cells; light is 1 where the sun shines and 0 where it does not. Its edges are as
soft as the sun is wide: a hundredth of how far away that is which throws the shade.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.floating[Any]]
Light = npt.NDArray[np.floating[Any]]
Pattern = Callable[[Points], Light]
"""Light (...) at points (..., 2)."""

_SLATS = (0.4, 4.0)
"""Range of how far apart the stripes of a blind are, cells: slats are 16 to 50 mm apart, and a low sun spreads them.
[by eye]"""
_BARS = (3.0, 9.0)
"""That of the panes of a window. [by eye]"""
_SOFT = (0.01, 0.25)
"""That of how wide edges are, cells: from things on the table to things outside the window. [by eye]"""
_LEAF_GRID = 64
"""Points a side of what leaves look like before they are cut out; it repeats. [by eye]"""


def random_pattern(rng: np.random.Generator, size: int) -> Pattern:
    """Light that falls on an n x n board in patches: three times in five through slats."""
    kinds = (_slats, _panes, _leaves, _past_edges)
    return kinds[int(rng.choice(len(kinds), p=(0.6, 0.1, 0.15, 0.15)))](rng, size)


def stripes(period: float, lit: float, soft: float, angle: float, shift: float = 0.0) -> Pattern:
    """Return parallel stripes `period` cells apart, of which a share `lit` is sunny, their edges `soft` cells wide."""
    across = np.array([np.cos(angle), np.sin(angle)]) / period

    def light(points: Points) -> Light:
        within = points @ across.astype(points.dtype) + points.dtype.type(shift)
        from_middle = np.abs(within - np.floor(within) - 0.5)
        return np.asarray(np.clip((lit / 2 - from_middle) * period / soft + 0.5, 0.0, 1.0))

    return light


def _slats(rng: np.random.Generator, size: int) -> Pattern:
    period = float(np.exp(rng.uniform(*np.log(_SLATS))))
    soft = min(_softness(rng), 0.4 * period)
    return stripes(period, rng.uniform(0.25, 0.75), soft, rng.uniform(0, np.pi), rng.random())


def _panes(rng: np.random.Generator, size: int) -> Pattern:
    soft, angle = _softness(rng), rng.uniform(0, np.pi)
    across, along = (
        stripes(rng.uniform(*_BARS), rng.uniform(0.7, 0.95), soft, turn, rng.random())
        for turn in (angle, angle + rng.normal(np.pi / 2, 0.3))
    )
    return lambda points: np.asarray(across(points) * along(points))


def _leaves(rng: np.random.Generator, size: int) -> Pattern:
    grain = rng.normal(0, 1, (_LEAF_GRID, _LEAF_GRID)).astype(np.float32)
    blobs = cv2.GaussianBlur(np.tile(grain, (3, 3)), (0, 0), rng.uniform(1.0, 2.5))
    blobs = np.ascontiguousarray(blobs[_LEAF_GRID:-_LEAF_GRID, _LEAF_GRID:-_LEAF_GRID] / blobs.std())
    steps, sharp, least = rng.uniform(2, 8), rng.uniform(1.5, 12), rng.normal(0, 0.5)

    def light(points: Points) -> Light:
        x, y = (np.asarray((points[..., k] * steps) % _LEAF_GRID, dtype=np.float32) for k in (0, 1))
        seen = cv2.remap(blobs, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
        return np.asarray(np.clip((seen - least) * sharp + 0.5, 0.0, 1.0))

    return light


def _past_edges(rng: np.random.Generator, size: int) -> Pattern:
    """Return what lies on one side of up to four straight edges: a patch of sun, or somebody's shade."""
    soft, inside = _softness(rng), bool(rng.random() < 0.7)
    edges = [
        (rng.uniform(0, 2 * np.pi), rng.uniform(0, size, 2), rng.uniform(0.5, 1.5) * size / 4)
        for _ in range(int(rng.integers(1, 5)))
    ]

    def light(points: Points) -> Light:
        within = np.ones(points.shape[:-1], points.dtype)
        for angle, at, beyond in edges:
            across = np.array([np.cos(angle), np.sin(angle)])
            depth = points @ across.astype(points.dtype) - points.dtype.type(at @ across - beyond)
            within = within * np.clip(depth / soft + 0.5, 0.0, 1.0)
        return np.asarray(within if inside else 1.0 - within)

    return light


def _softness(rng: np.random.Generator) -> float:
    return float(np.exp(rng.uniform(*np.log(_SOFT))))
