"""Measures of quadrilaterals in a picture, each given by its corners (4, 2) px in their order around it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_BEGUN_WITH_EACH = np.array([np.roll(np.arange(4), k) for k in range(4)])


def side_lengths(corners: Floats) -> Floats:
    """The lengths (4,) px of the sides of a quadrilateral (4, 2) px, that to the first corner first."""
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1), dtype=np.float64)


def corner_gaps(one: Floats, other: Floats) -> Floats:
    """How far the corners (4, 2) px of one quadrilateral lie from another's, (4, 4) px.

    In each row the first one is begun with another of its corners: which of them comes first need not be known.
    """
    return np.asarray(np.linalg.norm(one[_BEGUN_WITH_EACH] - other, axis=-1), dtype=np.float64)
