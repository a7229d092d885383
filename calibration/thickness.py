"""What is known of a set's thickness, as log weights over `vision.heights.stacks.LAYERS`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration.errors import CalibrationError
from vision.heights.stacks import LAYERS, LEAST_WEIGHT

Floats = npt.NDArray[np.float64]

STACK = 5
"""Tiles that are measured on top of each other."""
_RULER = 0.04
"""Relative standard deviation of a thickness measured with a ruler."""
LEAST_PICTURES = 4
"""Pictures of a game from which the thickness is learned."""
_SEEN = 0.06
"""Relative standard deviation that pictures leave however many there are: their errors are alike."""


def layers_of(stack: float, side: float, size: int) -> Floats:
    """Log weights (m,) for a stack of five tiles `stack` high on an n x n grid of `side`, both in one unit.

    Raises CalibrationError where no set is like that.
    """
    layer = stack / STACK / (side / size) if side > 0 else 0.0
    if not LAYERS[0] <= layer <= LAYERS[-1]:
        raise CalibrationError(
            f"A stack of five tiles {stack:g} high on a grid of {side:g} makes layers of {layer:.2f} of a square, and "
            f"sets have {LAYERS[0]:.2f} to {LAYERS[-1]:.2f}: measure both in the same unit."
        )
    return np.asarray(
        np.maximum(-0.5 * (np.log(LAYERS / layer) / _RULER) ** 2, LEAST_WEIGHT), dtype=np.float64
    )


def layers_seen(estimates: Sequence[float]) -> Floats | None:
    """Log weights (m,) from the thicknesses (cells) that single pictures showed; None where these are too few.

    One picture can be far off, so the median counts, as sure as the pictures agree.
    """
    if len(estimates) < LEAST_PICTURES:
        return None
    logs = np.log(np.asarray(estimates, dtype=np.float64))
    variance = _SEEN**2 + float(logs.var(ddof=1)) / len(logs)
    return np.asarray(
        np.maximum(-0.5 * (np.log(LAYERS) - np.median(logs)) ** 2 / variance, LEAST_WEIGHT), dtype=np.float64
    )


def most_probable(logs: Floats) -> float:
    """The thickness of most weight, cells."""
    return float(LAYERS[int(np.argmax(logs))])
