"""What is known of a set's thickness, as log weights over `vision.heights.thickness.THICKNESSES`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration.errors import CalibrationError
from vision.heights.thickness import LEAST_WEIGHT, THICKNESSES

Floats = npt.NDArray[np.float64]

STACK = 5
"""Tiles that are measured on top of each other."""
_RULER = 0.04
"""Relative standard deviation of a thickness measured with a ruler: a millimetre in the 26 of five tiles."""
LEAST_PICTURES = 4
"""Pictures of a game from which the thickness is learned: their median then withstands one that is far off. By eye."""
_SEEN = 0.06
"""Relative standard deviation that pictures leave however many there are: their errors are alike. By eye,
not measured."""


def thickness_from_stack(stack: float, side: float, size: int) -> Floats:
    """Log weights (m,) for a stack of five tiles `stack` high on an n x n grid of `side`, both in one unit.

    Raises CalibrationError where no set is like that.
    """
    layer = stack / STACK / (side / size) if side > 0 else 0.0
    if not THICKNESSES[0] <= layer <= THICKNESSES[-1]:
        raise CalibrationError(
            f"A stack of five tiles {stack:g} high on a grid of {side:g} makes layers of {layer:.2f} of a square, and "
            f"sets have {THICKNESSES[0]:.2f} to {THICKNESSES[-1]:.2f}: measure both in the same unit."
        )
    return np.asarray(
        np.maximum(-0.5 * (np.log(THICKNESSES / layer) / _RULER) ** 2, LEAST_WEIGHT), dtype=np.float64
    )


def thickness_from_pictures(estimates: Sequence[float]) -> Floats | None:
    """Log weights (m,) from the thicknesses (cells) that single pictures showed; None where these are too few.

    One picture can be far off, so the median counts, as sure as the pictures agree.
    """
    if len(estimates) < LEAST_PICTURES:
        return None
    logs = np.log(np.asarray(estimates, dtype=np.float64))
    variance = _SEEN**2 + float(logs.var(ddof=1)) / len(logs)
    return np.asarray(
        np.maximum(-0.5 * (np.log(THICKNESSES) - np.median(logs)) ** 2 / variance, LEAST_WEIGHT),
        dtype=np.float64,
    )


def most_probable_thickness(logs: Floats) -> float:
    """The thickness of most weight, cells, in log weights (m,) of THICKNESSES."""
    return float(THICKNESSES[int(np.argmax(logs))])
