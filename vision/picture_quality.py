"""Pictures taken in the evening: what is dark is lightened, as a longer exposure would have done.

Multiplying the values of a picture multiplies the light behind them, as these are a power of it (the gamma of sRGB, IEC
61966-2-1). Of a picture that is bright elsewhere, before a window or beside a lamp, what lies in the dark is lightened.

How sharp a picture is, whatever it shows, and whichever way the camera was shaken.

An edge that is sharp rises from pixel to pixel as far as it does from pixel to pixel of a picture a quarter the size; a
blurred one rises by less. The strongest slopes of both sizes are compared, direction by direction, as a shaken camera
blurs in one of them (after Crete et al., "The blur effect", HVEI 2007, who
compare slopes before and after blurring).

What is wrong with a picture in which no board, or no letter, can be made out, as a sentence that says what to do.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import BoardNotFound
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
but for a bright window (`workshop/bench/reading/spoiled.py`, 0.1 and 0.06), 91 and 51 were found, two of the latter
in a wrong place without a doubt; exposed for the dark 107 and 107, none so. Histogram equalisation does as well."""


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


class Fault(Enum):
    """What is wrong with a picture, as a sentence for people."""

    DARK = "The picture is too dark: switch on a light, and take it again."
    BLURRED = "The picture is blurred: hold the camera still, let it focus, and take it again."
    DAZZLED = "The picture is so bright that letters fade: take it again with less light on the board."


_SHARP = 0.5
"""`sharpness` below which a picture is blurred. Of 311 (development sets, real ones, drawn lots) seven lie below, drawn
soft; out of focus by 6 thousandths of their longer side 90 % do, shaken by 25 thousandths 96 %."""
_WHITE, _FADED = 250, 0.4
"""What the darkest channel of a faded place shows at least, of 255, and the share of a picture that is faded. By
eye: of 438 pictures in which boards are found five are, with bare squares of plain white."""


def fault_of(image: Image) -> Fault | None:
    """What is wrong with a picture (h, w, 3), lightened, in which nothing can be made out; None where it is well."""
    if is_nearly_black(image):
        return Fault.DARK
    if float((image.min(axis=2) >= _WHITE).mean()) >= _FADED:
        return Fault.DAZZLED
    return Fault.BLURRED if sharpness(image) < _SHARP else None


def blamed(refusal: BoardNotFound, image: Image) -> BoardNotFound:
    """The refusal of a picture (h, w, 3), with what is wrong with the picture for its reason where that is known."""
    fault = fault_of(image)
    return refusal if fault is None else BoardNotFound(fault.value)
