"""Boards for chess and draughts: squares of two colours in turn, which no letter-tile game has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.rectify import outside, rectify
from vision.images import Image

Floats = npt.NDArray[np.float64]

_PX = 12
"""Pixels a square at which colours are looked up."""
_EDGE = (2, 9)
"""First pixels, each way, of the patches of 2 by 2 near a square's corners, which pieces leave free."""
_IN_TURN = 0.85
"""Share of the squares in view whose colour must be the one that is in turn. Measured: 1 on eight drawn boards for
chess and draughts with pieces on a third of the squares, 0.6 at most on 225 letter-tile boards (development sets and
drawn)."""
_LEAST_IN_VIEW = 0.5
"""Share of the board that must be in view to tell. By eye."""


def is_chequered(image: Image, camera: Camera, size: int) -> bool:
    """Whether the squares of the n x n grid that `camera` sees in the picture (h, w, 3) are of two colours in turn."""
    in_view = outside(image, camera, size) == 0.0
    if in_view.mean() < _LEAST_IN_VIEW:
        return False
    return share_in_turn(_colours(image, camera, size)[in_view], _parity(size)[in_view]) >= _IN_TURN


def share_in_turn(colours: Floats, odd: npt.NDArray[np.bool_]) -> float:
    """The share of squares (m,) whose colour (m, 3) is nearer the usual one of those in turn with it."""
    middle = [np.median(colours[odd == which], axis=0) for which in (False, True)]
    across = middle[1] - middle[0]
    towards_odd = (colours - (middle[0] + middle[1]) / 2.0) @ across > 0.0
    return float(np.mean(towards_odd == odd))


def _colours(image: Image, camera: Camera, size: int) -> Floats:
    """The median colour (n, n, 3) near the corners of each square."""
    flat = rectify(image, camera, size, _PX, 0.0).reshape(size, _PX, size, _PX, 3).transpose(0, 2, 1, 3, 4)
    at = np.add.outer(_EDGE, (0, 1)).ravel()
    near = flat[:, :, at][:, :, :, at].reshape(size, size, -1, 3)
    return np.asarray(np.median(near, axis=2), dtype=np.float64)


def _parity(size: int) -> npt.NDArray[np.bool_]:
    return np.asarray(np.add.outer(np.arange(size), np.arange(size)) % 2 == 1)
