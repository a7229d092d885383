"""Whether the lines around bare squares show: nothing lies over a square whose lines are plain to see.

The squares of a board are set off by grooves, ridges or print, which look alike all over it in one picture. Light
changes their colour with that of the squares, and leaves their shape.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry.rectify import rectify
from vision.geometry.reduced_view import ReducedView

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_PX, _HALF = 24, 12
"""Pixels a square on the canvas, and half of them: how much of the rim is on it, and the width of a profile."""
_ALONG = slice(5, 19)
"""Pixels of a side, along it, that the lines that meet it at its ends hardly touch. By eye."""
_DARK = 8.0
"""Grey levels that are added before the logarithm is taken: in the dark noise is no line. By eye."""
_LEAST_SIDES = 3
"""Sides between bare squares from which their usual profile is known. By eye."""
_FAINT = 0.0025
"""Root mean square, log units, of a usual profile below which it is no line to be looked for. By eye."""
_UNEVEN = 0.4
"""Spread of the shares of the usual line that bare squares show, beyond which one tells nothing. By eye."""


def least_line(view: ReducedView, bare: Flags) -> Floats:
    """(n, n) how much of its usual line each square shows on the side where it shows least: about 1 where it is bare.

    `bare` (n, n) are the squares that seem to be, and in view. NaN where fewer than two sides can be told: those
    beside another such square, or the rim.
    """
    across, down = _shares(view, bare)
    sides = np.stack([across[:-1], across[1:], down[:-1].T, down[1:].T])
    told = np.isfinite(sides).sum(axis=0) >= 2
    least = np.where(np.isfinite(sides), sides, np.inf).min(axis=0)
    return np.where(told, least, np.nan)


def _shares(view: ReducedView, bare: Flags) -> tuple[Floats, Floats]:
    """How much of the usual line shows on each side: (n + 1, n) lying sides, row by row, then upright ones, by columns.

    NaN where that is not told. The lines of the rim are held against each other, side by side.
    """
    n = view.size
    grey = rectify(view.image, view.camera, n, _PX, 0.5).astype(np.float64).mean(axis=-1)
    lines = np.log(grey + _DARK)
    return _of_one_way(lines, bare), _of_one_way(lines.T, bare.T)


def _of_one_way(lines: Floats, bare: Flags) -> Floats:
    """The shares (n + 1, n) of the lying sides of a canvas of logarithms."""
    n = len(bare)
    inside = lines[:, _HALF:-_HALF].reshape(n + 1, _PX, n, _PX)[..., _ALONG]
    profiles = _level(np.median(inside, axis=-1).transpose(0, 2, 1))
    rim = np.ones((1, n), dtype=np.bool_)
    told = np.concatenate([rim, bare]) & np.concatenate([bare, rim])
    shares = np.full(told.shape, np.nan)
    for group in (slice(0, 1), slice(1, n), slice(n, n + 1)):
        shares[group] = _of_usual(profiles[group], told[group])
    return shares


def _level(profiles: Floats) -> Floats:
    """Profiles (..., px) less the straight line that fits each best: what light does across a side."""
    place = np.linspace(-1.0, 1.0, profiles.shape[-1])
    terms = np.stack([np.ones_like(place), place], axis=1)
    return np.asarray(profiles - profiles @ np.linalg.pinv(terms).T @ terms.T, dtype=np.float64)


def _of_usual(profiles: Floats, told: Flags) -> Floats:
    """How much of the usual profile each of profiles (rows, n, px) shows; NaN where that says nothing.

    The share by least squares; where more is to be seen than the usual line, how like it that is (correlation).
    """
    nothing = np.full(told.shape, np.nan)
    if told.sum() < _LEAST_SIDES:
        return nothing
    usual = np.median(profiles[told], axis=0)
    due = float(np.linalg.norm(usual))
    if due < _FAINT * len(usual) ** 0.5:
        return nothing
    shares = profiles @ usual / (due * np.maximum(due, np.linalg.norm(profiles, axis=-1)))
    spread = 1.4826 * float(np.median(np.abs(shares[told] - np.median(shares[told]))))
    return np.where(told & (spread < _UNEVEN), shares, np.nan)
