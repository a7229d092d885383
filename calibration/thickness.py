"""The thickness of a set's tiles, as log weights over `vision.heights.thickness.THICKNESSES`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.errors import CalibrationError
from vision.arrays import Floats
from vision.heights.thickness import LEAST_WEIGHT, THICKNESSES

STACK_TILES = 5
"""Tiles in the stack that people measure."""
_RULER_SIGMA = 0.04
"""Relative standard deviation of a thickness measured with a ruler: a millimetre in the 26 of five tiles. [by eye]"""
MIN_PICTURES = 4
"""Fewest pictures of a game for learning the thickness. Their median then withstands one that is far off. [by eye]"""
_PICTURES_SIGMA = 0.06
"""Relative standard deviation that remains however many pictures there are, since their errors are alike. [by eye]"""


def thickness_from_stack(stack: float, side: float, size: int) -> Floats:
    """Return log weights (m,) for a stack of five tiles `stack` high on an n x n grid of `side`, both in one unit.

    Raises CalibrationError if no set is like that.
    """
    layer = stack / STACK_TILES / (side / size) if side > 0 else 0.0
    if not THICKNESSES[0] <= layer <= THICKNESSES[-1]:
        raise CalibrationError(
            f"A stack of five tiles {stack:g} high on a grid of {side:g} makes layers of {layer:.2f} of a square, and "
            f"sets have {THICKNESSES[0]:.2f} to {THICKNESSES[-1]:.2f}: measure both in the same unit."
        )
    return np.maximum(-0.5 * (np.log(THICKNESSES / layer) / _RULER_SIGMA) ** 2, LEAST_WEIGHT)


def thickness_from_pictures(estimates: Sequence[float]) -> Floats | None:
    """Return log weights (m,) from the thicknesses (cells) that single pictures showed; None if these are too few.

    One picture can be far off, so the median counts. The more the pictures agree, the surer it is.
    """
    if len(estimates) < MIN_PICTURES:
        return None
    logs = np.log(np.asarray(estimates, dtype=np.float64))
    variance = _PICTURES_SIGMA**2 + float(logs.var(ddof=1)) / len(logs)
    return np.asarray(
        np.maximum(-0.5 * (np.log(THICKNESSES) - np.median(logs)) ** 2 / variance, LEAST_WEIGHT), dtype=np.float64
    )


def most_probable_thickness(logs: Floats) -> float:
    """Return the thickness of most weight, in cells, given log weights (m,) of THICKNESSES."""
    return float(THICKNESSES[int(np.argmax(logs))])
