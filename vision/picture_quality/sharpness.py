"""How sharp a picture is, whatever it shows, and whichever way the camera was shaken.

An edge that is sharp rises from pixel to pixel as far as it does from pixel to pixel of a picture a quarter the size; a
blurred one rises by less. The strongest slopes of both sizes are compared, direction by direction, as a shaken camera
blurs in one of them (after Crete et al., "The blur effect", HVEI 2007, who
compare slopes before and after blurring).
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.images import Image

Tensor = npt.NDArray[np.float32]

_SIDE = 480
"""Longest side, px, in which a picture is looked at: what is blurred there is blurred for letters."""
_SMALLER = 0.25
"""How much smaller the smaller picture is. By eye."""
_STRONGEST = 99.7
"""Percentile of the slopes of a picture that tells how steep its edges are: lines and letters are few of its pixels."""
_DIRECTIONS = 8
"""In how many directions slopes are looked at, over half a turn. By eye."""
_FLAT = 8.0
"""Grey levels a pixel of the smaller picture that an edge rises by at least: a bare table has none, blurred or not. By
eye."""
_A_PIXEL = 1 / 32
"""What Scharr's operator is multiplied by for grey levels a pixel."""
_NOISE = 0.7
"""Standard deviation, px, of what noise is smoothed with. By eye."""


def sharpness(image: Image) -> float:
    """How steep the edges of a picture (h, w, 3) are, over how steep they are in one a quarter the size: about 1 where
    it is sharp, or shows no edge, and towards `_SMALLER` where it is not, in the direction in which it is the least."""
    scale = min(1.0, _SIDE / max(image.shape[:2]))
    whole = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    coarse = cv2.resize(grey, None, fx=_SMALLER, fy=_SMALLER, interpolation=cv2.INTER_AREA)
    near, far = _slopes(grey), _slopes(coarse)
    angles = np.arange(_DIRECTIONS) * np.pi / _DIRECTIONS
    rises = ((_strongest(near, angle), _strongest(far, angle)) for angle in angles)
    return min((fine / large for fine, large in rises if large > _FLAT), default=1.0)


def _slopes(grey: cv2.typing.MatLike) -> tuple[Tensor, Tensor]:
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _NOISE)
    across, down = (cv2.Scharr(smooth, cv2.CV_32F, *way, scale=_A_PIXEL) for way in ((1, 0), (0, 1)))
    return np.asarray(across, dtype=np.float32), np.asarray(down, dtype=np.float32)


def _strongest(slopes: tuple[Tensor, Tensor], angle: float) -> float:
    across, down = slopes
    return float(np.percentile(np.abs(across * np.cos(angle) + down * np.sin(angle)), _STRONGEST))
