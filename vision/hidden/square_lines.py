"""The lines around bare squares: nothing lies over a square whose lines are plain, something where none shows.

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
DARK = 8.0
"""Grey levels that are added before the logarithm is taken: in the dark noise is no line, and no colour. By eye."""
_LEAST_SIDES = 3
"""Sides between bare squares from which their usual profile is known. By eye."""
_FAINT = 0.0025
"""Root mean square, log units, of a usual profile below which it is no line to be looked for. By eye."""
_UNEVEN = 0.4
"""Spread of the shares of the usual line that bare squares show, beyond which one tells nothing. By eye."""
_LEAST_TOLD = 2
"""Sides of a square that must be told for it to be. By eye: with one a thing that ends beside a tile passes."""
_SHOWN, _GONE = 0.6, 0.15
"""Share of the usual line from which it shows, and up to which nothing is seen of it. Measured in pictures of games,
and the same with a patch of one colour or a drawn thing laid on the last play (the development sets and four lots). Of
82 bare squares that seem to be hidden by their colour 48 show as much on every side, 4 of the 9 beside a play; of 65
hidden tiles none does. Of 54 hidden tiles that no colour tells 25 show nothing on any side, of 1,404 bare squares
beside a play 2, of 17,907 others 23."""


def line_shares(view: ReducedView, bare: Flags, perhaps: Flags) -> Floats:
    """(4, n, n) how much of its usual line each square shows on each side: about 1 where it is bare.

    `bare` (n, n) are the squares that surely seem to be, and in view: their lines are the usual ones, those at the rim
    side by side. `perhaps` are those that are looked at. NaN where nothing is told: between a square that is not looked
    at and any other, and where the usual line is faint.
    """
    n = view.size
    grey = rectify(view.image, view.camera, n, _PX, 0.5).astype(np.float64).mean(axis=-1)
    lines = np.log(grey / view.gain + DARK)
    lying, upright = _of_one_way(lines, bare, perhaps), _of_one_way(lines.T, bare.T, perhaps.T)
    return np.stack([lying[:-1], lying[1:], upright[:-1].T, upright[1:].T])


def all_show(shares: Floats) -> Flags:
    """(n, n) whether two sides or more are told, and each shows its line: nothing lies over such a square."""
    least = np.where(np.isfinite(shares), shares, np.inf).min(axis=0)
    return np.asarray(_told(shares) & (least > _SHOWN))


def none_shows(shares: Floats) -> Flags:
    """(n, n) whether two sides or more are told, and none shows a line, as others do: something hides them."""
    most = np.abs(np.where(np.isfinite(shares), shares, 0.0)).max(axis=0)
    return np.asarray(_told(shares) & (most < _GONE))


def _told(shares: Floats) -> Flags:
    return np.asarray(np.isfinite(shares).sum(axis=0) >= _LEAST_TOLD)


def _of_one_way(lines: Floats, bare: Flags, perhaps: Flags) -> Floats:
    """The shares (n + 1, n) of the lying sides of a canvas of logarithms."""
    n = len(bare)
    inside = lines[:, _HALF:-_HALF].reshape(n + 1, _PX, n, _PX)[..., _ALONG]
    profiles = _level(np.median(inside, axis=-1).transpose(0, 2, 1))
    known, told = _between(bare), _between(perhaps)
    shares = np.full(told.shape, np.nan)
    for group in (slice(0, 1), slice(1, n), slice(n, n + 1)):
        shares[group] = np.where(told[group], _of_usual(profiles[group], known[group]), np.nan)
    return shares


def _between(squares: Flags) -> Flags:
    """(n + 1, n) the lying sides that lie between two of the squares (n, n), or one of them and the rim."""
    rim = np.ones((1, len(squares)), dtype=np.bool_)
    return np.asarray(np.concatenate([rim, squares]) & np.concatenate([squares, rim]))


def _level(profiles: Floats) -> Floats:
    """Profiles (..., px) less the straight line that fits each best: what light does across a side."""
    place = np.linspace(-1.0, 1.0, profiles.shape[-1])
    terms = np.stack([np.ones_like(place), place], axis=1)
    return np.asarray(profiles - profiles @ np.linalg.pinv(terms).T @ terms.T, dtype=np.float64)


def _of_usual(profiles: Floats, known: Flags) -> Floats:
    """How much of the usual profile, of the `known` sides, each of profiles (rows, n, px) shows; NaN if there is none.

    The share by least squares; where more is to be seen than the usual line, how like it that is (correlation).
    """
    nothing = np.full(known.shape, np.nan)
    if known.sum() < _LEAST_SIDES:
        return nothing
    usual = np.median(profiles[known], axis=0)
    due = float(np.linalg.norm(usual))
    if due < _FAINT * len(usual) ** 0.5:
        return nothing
    shares = profiles @ usual / (due * np.maximum(due, np.linalg.norm(profiles, axis=-1)))
    spread = 1.4826 * float(np.median(np.abs(shares[known] - np.median(shares[known]))))
    return np.asarray(shares, dtype=np.float64) if spread < _UNEVEN else nothing
