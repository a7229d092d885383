"""Pictures taken in the evening: what is dark is lightened, as a longer exposure would have done.

Multiplying the values of a picture multiplies the light behind them, as these are a power of it (the gamma of sRGB, IEC
61966-2-1). Of a picture that is bright elsewhere, before a window or beside a lamp, what lies in the dark is lightened.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.images import Image

Floats = npt.NDArray[np.float64]

_EVERY = 8
"""Pixels between those that are looked at for how bright a picture is."""
_BRIGHT = 99.0
"""Percentile of the brightest channel that tells it: a lamp, or a date that was burnt in, fills less."""
_DARK, _LIT = 150.0, 230.0
"""What it is, of 255, from which nothing is done, and what it becomes. In the development sets it is 170 and more.
Darkened to 0.15, 0.08 and 0.04 of that, with noise of 2, of 43 of their pictures 39, 34 and 17 were found, and 412, 356
and 107 of 463 letters read; lightened all are, and 456, 456 and 454: as many as of those that are not dark, 456."""
_DARK_BOARD, _LIT_BOARD = 60.0, 160.0
"""The same within the board: of those pictures a bare dark board has 64, none with tiles on it less than 100."""
_MOST_GAIN = 60.0
"""What values are multiplied by at most. Darkened to 0.025 and 0.015, 42 and 36 of those 43 are found, 446 of 454 and
366 of 388 letters read: noise of single pixels is gone when the picture is reduced."""
_FEW_STEPS = 12
"""Values of 256 that a picture holds at most that was all but black: darkened to 0.04 it holds about so many."""
_GLOOM, _GLOOMY, _GLARE, _GLARING = 60, 0.3, 200, 0.01
"""The brightest channel of what lies in the dark, the share of the picture that does, and the same of what is bright: a
picture that has both is unevenly lit. By eye: of 438 pictures (development sets, rendered games) 39 are, with dark
tables, and each is read as it was, as its board does not lie in the dark."""
_SHADE = 100
"""The brightest channel below which a pixel lies in the dark for that. Of 109 of the development sets' pictures, dark
but for a bright window (`bench/reading/spoiled.py`, 0.1 and 0.06), 91 and 51 were found, two of the latter in a wrong
place without a doubt; exposed for the dark 107 and 107, none so. Histogram equalisation does as well."""


class Lightened(NamedTuple):
    """A picture (h, w, 3) BGR, and by what its values were multiplied: by `gain`, 1 where they were left."""

    image: Image
    gain: float


def lightened(image: Image) -> Lightened:
    """The picture (h, w, 3) BGR, as bright as if it had been exposed for longer where it is dark; else itself."""
    brightest = _brightness(_brightest_channel(image))
    return Lightened(image, 1.0) if brightest >= _DARK else _exposed(image, brightest, _LIT)


def is_nearly_black(image: Image) -> bool:
    """Whether a picture (h, w, 3), once `lightened`, holds next to nothing: black, and a few steps above it."""
    steps = np.unique(_brightest_channel(image))
    return len(steps) <= _FEW_STEPS and int(steps[0]) == 0


def lightened_board(image: Image, corners: Floats) -> Lightened:
    """The picture (h, w, 3), exposed for the board between `corners` (4, 2) px where that lies in the dark."""
    values = _brightest_channel(image)
    inside = np.zeros(values.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners / _EVERY).astype(np.int32), 1)
    brightest = _brightness(values[inside > 0] if inside.any() else values)
    return Lightened(image, 1.0) if brightest >= _DARK_BOARD else _exposed(image, brightest, _LIT_BOARD)


def is_unevenly_lit(image: Image) -> bool:
    """Whether much of the picture (h, w, 3) lies in the dark, and some of it in the light."""
    values = _brightest_channel(image)
    return float((values < _GLOOM).mean()) > _GLOOMY and float((values > _GLARE).mean()) > _GLARING


def lightened_gloom(image: Image) -> Image:
    """The picture (h, w, 3), exposed for what lies in the dark of it: what is bright burns out."""
    values = _brightest_channel(image)
    return _exposed(image, _brightness(values[values < _SHADE]), _LIT).image


def _brightest_channel(image: Image) -> npt.NDArray[np.uint8]:
    """What the brightest channel of some of the picture's pixels shows, a table of them."""
    some = image[::_EVERY, ::_EVERY]
    return np.asarray(np.maximum(np.maximum(some[..., 0], some[..., 1]), some[..., 2]), dtype=np.uint8)


def _brightness(values: npt.NDArray[np.uint8]) -> float:
    return float(np.percentile(values, _BRIGHT))


def _exposed(image: Image, brightest: float, wanted: float) -> Lightened:
    """The picture (h, w, 3), what is the `brightest` of it as bright as is `wanted`."""
    gain = min(wanted / max(brightest, 1.0), _MOST_GAIN)
    table = np.minimum(np.arange(256) * gain, 255.0).round().astype(np.uint8)
    return Lightened(np.asarray(cv2.LUT(image, table), dtype=np.uint8), gain)
