"""What lies on the board: random words, stacks and piles, deliberately not legal games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine import FACES, MAX_HEIGHT

_GROWN, _STAIRS = 0.35, 0.25
"""Shares of the boards on which tiles pile up along lines, as turn follows turn, and on which lines rise like stairs.

Seen along such a line the faces of one colour run into each other: nothing but letters and outline tell them apart.
[by eye]"""


@dataclass(frozen=True)
class Content:
    """`heights` (n, n) tiles a square; `faces` (n, n) letters on top, "" if empty."""

    heights: NDArray[np.int64]
    faces: tuple[tuple[str, ...], ...]


def random_content(rng: np.random.Generator, n: int, flat: bool, letters: Sequence[str] = FACES) -> Content:
    """Draw a board; `flat` games never stack. All `letters` are equally frequent."""
    pick = 1.0 if flat else rng.random()
    if pick < _GROWN:
        heights = _grown(rng, n)
    elif pick < _GROWN + _STAIRS:
        heights = stairs(rng, n, int(rng.integers(1, 8)))
    else:
        filled = _draw_filled(rng, n)
        heights = np.where(filled, 1 if flat else _heights(rng, n), 0).astype(np.int64)
    faces = tuple(
        tuple(letters[int(rng.integers(len(letters)))] if heights[i, j] else "" for j in range(n)) for i in range(n)
    )
    return Content(heights, faces)


def _draw_filled(rng: np.random.Generator, n: int) -> NDArray[np.bool_]:
    """Draw which squares hold tiles: none, a few, words as in a game, scattered, or nearly all."""
    filled = np.zeros((n, n), bool)
    pick = rng.random()
    if pick < 0.1:
        return filled
    if pick < 0.2:
        for _ in range(int(rng.integers(1, 8))):
            filled[rng.integers(n), rng.integers(n)] = True
        return filled
    if pick < 0.8:
        _words(rng, filled, int(rng.integers(1, 4 + n)))
        return filled
    if pick < 0.92:
        return rng.random((n, n)) < rng.uniform(0.15, 0.7)
    return rng.random((n, n)) < rng.uniform(0.8, 1.0)


def _words(rng: np.random.Generator, filled: NDArray[np.bool_], count: int) -> None:
    """Lay straight runs that cross or touch the middle, as a game grows."""
    n = len(filled)
    for k in range(count):
        length = min(n, int(rng.integers(2, 9)))
        if k == 0 or not filled.any():
            row, col = n // 2 - int(rng.integers(2)), int(rng.integers(0, n - length + 1))
            across = True
        else:
            spots = np.argwhere(filled)
            row, col = (int(c) for c in spots[rng.integers(len(spots))])
            across = bool(rng.integers(2))
            back = int(rng.integers(length))
            row, col = (row, col - back) if across else (row - back, col)
        row, col = int(np.clip(row, 0, n - 1)), int(np.clip(col, 0, n - 1))
        if rng.random() < 0.5 and k == 0:
            row, col, across = col, row, False
        if across:
            filled[row, col : col + length] = True
        else:
            filled[row : row + length, col] = True


def _grown(rng: np.random.Generator, n: int) -> NDArray[np.int64]:
    """Lay runs that cross what lies there, each on some of its squares a tile more: words changed again and again."""
    heights = np.zeros((n, n), np.int64)
    for _ in range(int(rng.integers(1, 16))):
        run = np.zeros((n, n), bool)
        _words(rng, run, 1)
        spots, odds = np.argwhere(heights), heights[heights > 0] ** 2.0
        if len(spots) and rng.random() < 0.9:
            run = _through(rng, run, spots[rng.choice(len(spots), p=odds / odds.sum())])
        more = run & ((heights == 0) | (rng.random((n, n)) < rng.uniform(0.2, 0.9)))
        heights = np.minimum(heights + more, MAX_HEIGHT)
    return heights


def stairs(rng: np.random.Generator, n: int, lines: int) -> NDArray[np.int64]:
    """Return heights (n, n) of lines that cross: along each the stacks grow from square to square, or stay as high."""
    heights = np.zeros((n, n), np.int64)
    for _ in range(lines):
        run = np.zeros((n, n), bool)
        _words(rng, run, 1)
        spots = np.argwhere(heights)
        if len(spots):
            run = _through(rng, run, spots[rng.integers(len(spots))])
        squares = np.argwhere(run)[:: int(rng.choice([-1, 1]))]
        rises = rng.random(len(squares)) < rng.uniform(0.4, 1.0)
        level = np.minimum(rng.integers(1, 4) + np.cumsum(rises), MAX_HEIGHT)
        heights[tuple(squares.T)] = np.maximum(heights[tuple(squares.T)], level)
    return heights


def _through(rng: np.random.Generator, run: NDArray[np.bool_], spot: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the run, laid across or down, moved so that it passes over a square."""
    run = run.T if rng.random() < 0.5 else run
    first, last = np.argwhere(run).min(axis=0), np.argwhere(run).max(axis=0)
    shift = spot - rng.integers(first, last + 1)
    low, high = -first, np.array(run.shape) - 1 - last
    return np.roll(run, tuple(np.clip(shift, low, high)), axis=(0, 1))


def _heights(rng: np.random.Generator, n: int) -> NDArray[np.int64]:
    """Draw stack heights 1..5: mostly low, sometimes a tall board, sometimes uniform."""
    pick = rng.random()
    if pick < 0.15:
        return np.ones((n, n), np.int64)
    if pick < 0.65:
        odds = np.array([0.6, 0.22, 0.1, 0.05, 0.03])
    elif pick < 0.85:
        odds = np.array([0.35, 0.27, 0.18, 0.12, 0.08])
    else:
        odds = np.full(5, 0.2)
    return rng.choice(np.arange(1, 6), size=(n, n), p=odds)
