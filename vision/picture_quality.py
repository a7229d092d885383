"""How well a picture was taken: whether it is dark or blurred, and what to tell people about it.

A dark picture is lightened as a longer exposure would have done. Values are a power of light (the gamma
of sRGB, IEC 61966-2-1), so multiplying them multiplies the light. If a window or a lamp makes part of a picture bright,
its dark part is lightened.

A sharp edge rises as far from pixel to pixel as it does in a picture a quarter the size; a blurred edge
rises less. The strongest slopes of both sizes are compared, direction by direction, because a shaken camera blurs in
one of them. Crete et al. ("The blur effect", HVEI 2007) compare slopes before and after blurring instead.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from engine.wording import phrase
from vision.arrays import Flags, Floats, Tensor
from vision.errors import BoardNotFound
from vision.images import Image

_BRIGHTNESS_STEP = 8
"""Pixels from one sample to the next when brightness is measured. [by eye]"""
_BRIGHTNESS_PERCENTILE = 99.0
"""Percentile of the brightest channel that measures a picture's brightness. A lamp or a burnt-in date fills less.
[by eye]"""
_DARK, _LIT = 150.0, 230.0
"""Brightness, of 255, below which a picture is lightened, and the brightness that it then gets. In the development sets
it is 170 and more. Forty-three of their pictures were darkened to 0.15, 0.08 and 0.04, with noise of 2. Then 39, 34 and
17 were found, and 412, 356 and 107 of 463 letters read. Lightened, all are found, and 456, 456 and 454 letters read; of
the pictures that are not dark, 456. [by hand, sets]"""
_DARK_BOARD, _LIT_BOARD = 60.0, 160.0
"""Limit and goal of brightness within the board. Of those pictures a bare dark board has 64, none with tiles on it less
than 100. [by hand, sets]"""
_MAX_GAIN = 60.0
"""Largest factor by which values are multiplied. Darkened to 0.025 and 0.015, 42 and 36 of those 43 pictures are found,
446 of 454 and 366 of 388 letters read: reducing the picture removes noise of single pixels. [by hand, sets]"""
_MAX_BLACK_STEPS = 12
"""Most values, of 256, in a picture that was all but black. Darkened to 0.04 it holds about so many. [by eye]"""
_GLOOM, _GLOOMY, _GLARE, _GLARING = 60, 0.3, 200, 0.01
"""Limits of an unevenly lit picture: the brightest channel of dark pixels and their share, that of bright pixels and
theirs. Of 438 pictures (development sets, rendered games) 39 are, with dark tables. Each is read as it was, because its
board does not lie in the dark. [by hand, sets]"""
_SHADE = 100
"""Brightest channel below which a pixel lies in the dark, for lightening it. Of 109 development pictures, dark but for
a bright window (`workshop/bench/reading/spoiled.py`, 0.1 and 0.06), 91 and 51 were found, two of the latter in a wrong
place without a doubt. Exposed for the dark 107 and 107 were, none in a wrong place. Histogram equalisation does as
well. [bench spoiled, sets]"""


class Lightened(NamedTuple):
    """A picture (h, w, 3) BGR and the `gain` by which its values were multiplied, 1 if none."""

    image: Image
    gain: float


def lighten(image: Image) -> Lightened:
    """Lighten a dark picture (h, w, 3) BGR, as if it had been exposed for longer. Leave any other as it is."""
    brightest = _brightness(_brightest_channel(image))
    return Lightened(image, 1.0) if brightest >= _DARK else _expose(image, brightest, _LIT)


def is_nearly_black(image: Image) -> bool:
    """Return whether a picture (h, w, 3), already lightened, is black or at most a few steps brighter."""
    steps = np.unique(_brightest_channel(image))
    return len(steps) <= _MAX_BLACK_STEPS and int(steps[0]) == 0


def lighten_board(image: Image, corners: Floats) -> Lightened:
    """Lighten the picture (h, w, 3) if the board between `corners` (4, 2) px lies in the dark."""
    values = _brightest_channel(image)
    inside = np.zeros(values.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners / _BRIGHTNESS_STEP).astype(np.int32), 1)
    brightest = _brightness(values[inside > 0] if inside.any() else values)
    return Lightened(image, 1.0) if brightest >= _DARK_BOARD else _expose(image, brightest, _LIT_BOARD)


def is_unevenly_lit(image: Image) -> bool:
    """Return whether much of the picture (h, w, 3) is dark and some of it bright."""
    values = _brightest_channel(image)
    return float((values < _GLOOM).mean()) > _GLOOMY and float((values > _GLARE).mean()) > _GLARING


def lighten_gloom(image: Image) -> Image:
    """Expose the picture (h, w, 3) for its dark part. Bright parts burn out."""
    values = _brightest_channel(image)
    return _expose(image, _brightness(values[values < _SHADE]), _LIT).image


def _brightest_channel(image: Image) -> npt.NDArray[np.uint8]:
    """Return the brightest channel of every `_BRIGHTNESS_STEP`-th pixel of every `_BRIGHTNESS_STEP`-th row."""
    some = image[::_BRIGHTNESS_STEP, ::_BRIGHTNESS_STEP]
    return np.maximum(np.maximum(some[..., 0], some[..., 1]), some[..., 2])


def _brightness(values: npt.NDArray[np.uint8]) -> float:
    return float(np.percentile(values, _BRIGHTNESS_PERCENTILE))


def _expose(image: Image, brightest: float, wanted: float) -> Lightened:
    """Multiply the values of a picture (h, w, 3), so that `brightest` becomes `wanted`."""
    gain = min(wanted / max(brightest, 1.0), _MAX_GAIN)
    table = np.minimum(np.arange(256) * gain, 255.0).round().astype(np.uint8)
    return Lightened(np.asarray(cv2.LUT(image, table), dtype=np.uint8), gain)


_SIDE = 480
"""Longest side, px, at which sharpness is measured: what is blurred there is blurred for letters. [by eye]"""
_COARSE_SCALE = 0.25
"""Scale of the smaller picture. [by eye]"""
_SLOPE_PERCENTILE = 99.7
"""Percentile of the slopes that measures how steep the edges are: lines and letters are few of the pixels. [by eye]"""
_DIRECTIONS = 8
"""Number of directions in which slopes are measured, over half a turn. [by eye]"""
_MIN_RISE = 8.0
"""Least rise of an edge, grey levels a pixel of the smaller picture. A bare table has no such edge, blurred or not.
[by eye]"""
_SCHARR_SCALE = 1 / 32
"""Factor that turns the output of Scharr's operator into grey levels a pixel."""
_NOISE_BLUR = 0.7
"""Standard deviation, px, of the blur that removes noise. [by eye]"""


def sharpness(image: Image) -> float:
    """Return how steep the edges of a picture (h, w, 3) are, relative to one a quarter the size.

    The least of all directions counts. It is about 1 if the picture is sharp or shows no edge, and towards
    `_COARSE_SCALE` if it is blurred.
    """
    scale = min(1.0, _SIDE / max(image.shape[:2]))
    whole = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    coarse = cv2.resize(grey, None, fx=_COARSE_SCALE, fy=_COARSE_SCALE, interpolation=cv2.INTER_AREA)
    near, far = _slopes(grey), _slopes(coarse)
    angles = np.arange(_DIRECTIONS) * np.pi / _DIRECTIONS
    rises = ((_strongest_slope(near, angle), _strongest_slope(far, angle)) for angle in angles)
    return min((fine / large for fine, large in rises if large > _MIN_RISE), default=1.0)


def _slopes(grey: cv2.typing.MatLike) -> tuple[Tensor, Tensor]:
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _NOISE_BLUR)
    across, down = (cv2.Scharr(smooth, cv2.CV_32F, *way, scale=_SCHARR_SCALE) for way in ((1, 0), (0, 1)))
    return np.asarray(across, dtype=np.float32), np.asarray(down, dtype=np.float32)


def _strongest_slope(slopes: tuple[Tensor, Tensor], angle: float) -> float:
    across, down = slopes
    return float(np.percentile(np.abs(across * np.cos(angle) + down * np.sin(angle)), _SLOPE_PERCENTILE))


_MISSING_GREYS = 120, 240
"""Grey levels of what is missing of a picture: 128, or lighter if the picture was lightened. [by eye]"""
_INCOMPLETE = phrase("A part of the picture is missing, and no board was found in the rest. Copy the photograph again.")


class Fault(Enum):
    """A fault of a picture, as a sentence for people."""

    DARK = phrase("The picture is too dark: switch on a light, and take it again.")
    BLURRED = phrase("The picture is blurred: hold the camera still, let it focus, and take it again.")
    DAZZLED = phrase("The picture is so bright that letters fade: take it again with less light on the board.")


_MIN_SHARPNESS = 0.5
"""`sharpness` below which a picture is blurred. Of 311 (development sets, real ones, simulated datasets) seven lie
below, rendered soft. Out of focus by 6 thousandths of their longer side 90 % do, shaken by 25 thousandths 96 %.
[by hand, sets]"""
_WHITE, _FADED = 250, 0.4
"""Least value, of 255, of the darkest channel of a faded place, and the share of a faded picture that such places fill.
Of 438 pictures in which boards are found five are, with bare squares of plain white. [by hand, sets]"""


def fault_of(image: Image) -> Fault | None:
    """Return the reason why nothing can be read in a picture (h, w, 3), already lightened; None if it has no fault."""
    if is_nearly_black(image):
        return Fault.DARK
    if float((image.min(axis=2) >= _WHITE).mean()) >= _FADED:
        return Fault.DAZZLED
    return Fault.BLURRED if sharpness(image) < _MIN_SHARPNESS else None


def find_shown_area(image: Image) -> tuple[int, int, int, int]:
    """Return the part of the picture (h, w, 3) that shows something: left, top, right, bottom px.

    The rest is bands of one grey at the edges: that is how decoders paint the missing part of a damaged file.
    """
    top, bottom = _between_grey_bands(image)
    left, right = _between_grey_bands(image.transpose(1, 0, 2))
    height, width = image.shape[:2]
    return (0, 0, width, height) if top >= bottom or left >= right else (left, top, right, bottom)


def has_missing_part(image: Image) -> bool:
    """Return whether the picture (h, w, 3) has a grey band at an edge. Its file is damaged, or somebody framed it."""
    return find_shown_area(image) != (0, 0, image.shape[1], image.shape[0])


def _between_grey_bands(image: Image) -> tuple[int, int]:
    """Return the first row of the picture that shows something, and the row after the last."""
    if not _is_grey(image[[0, -1]]).any():
        return 0, len(image)
    shown = np.flatnonzero(~_is_grey(image))
    return (int(shown[0]), int(shown[-1]) + 1) if len(shown) else (0, 0)


def _is_grey(rows: Image) -> Flags:
    """Return which rows (m, k, 3) are of one grey, neither black nor white."""
    first = rows[:, 0, 0]
    one_grey = (rows == first[:, None, None]).all(axis=(1, 2))
    return np.asarray(one_grey & (first >= _MISSING_GREYS[0]) & (first <= _MISSING_GREYS[1]))


def error_of_picture(refusal: BoardNotFound, image: Image) -> BoardNotFound:
    """Return an error that names the fault of the picture (h, w, 3), or `refusal` if it has none."""
    if has_missing_part(image):
        return BoardNotFound(_INCOMPLETE)
    fault = fault_of(image)
    return refusal if fault is None else BoardNotFound(fault.value)
