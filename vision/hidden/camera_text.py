"""Text that a camera writes over its picture, such as date and time, and the squares that it hides.

Such text makes another letter of the tile below it. It differs from text that was photographed. Its signs stand on one
level line and are equally high to the pixel, whatever the perspective. They are white, black or of a pure colour,
however the light falls, and their edges rise within a pixel or two.

So the search looks for rows of such signs. Letters on neighbouring tiles lie too far apart for a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine import Square, square_name
from engine.wording import join_names, phrase, plural
from vision.arrays import Flags, Floats, Ints
from vision.geometry.camera import Camera
from vision.geometry.rectify import resize
from vision.geometry.tile_shape import TILE
from vision.images import Image

Plane = npt.NDArray[np.uint8]
Signs = Ints
Places = Ints

_SIDE, _KEEP_SIZE = 1080, 0.8
"""Shorter side, px, to which larger pictures are reduced, and the factor from which they are kept as they are: cameras
that write the time have about so many lines. [by eye]"""
_WHITE, _BLACK = 215, 30
"""Least darkest channel of a white sign, and greatest brightest channel of a black one. Compression makes thin strokes
grey. [by hand, dev00 to dev16]"""
_PURE, _PURE_BRIGHT = 90, 220
"""Least distance between the channels of a coloured sign, and least brightest channel of it. Compression blurs colours.
[by hand, dev00 to dev16]"""
_HEIGHTS, _WIDTHS = (0.0085, 0.075), (0.08, 2.0)
"""Least and greatest height of a sign, shares of the picture's shorter side; and its width, in heights: a one is
narrow, and two signs may touch. [by eye]"""
_OUTLINES = (1.6, 14.0)
"""Least and greatest number of pixels around a sign, in heights: others are passed over quickly. [by eye]"""
_ALIGNED = 0.05
"""Heights by which the tops and bottoms of a row may differ. A pixel is always allowed. [by eye]"""
_MAX_GAP, _CLOSE_GAP = 1.7, 0.6
"""Widest gap in a row, in heights, as between date and time; and widest gap in a word. Letters on neighbouring tiles
are 0.7 heights and more apart. [by eye]"""
_MAX_INK, _MAX_USUAL_WIDTH = 0.8, 0.85
"""Largest usual share of a sign's box that it fills, and its largest usual width, in heights. Squares of a board are
full and as wide as they are high. [by hand, dev00 to dev16, real]"""
_MIN_CONTRAST = 60
"""Grey levels against which the edges of signs with less contrast are measured: faint print, however sharp, is no text
of a camera. [by hand, real]"""
_LINE_ALIGNED, _MAX_REACH = 0.12, 8.0
"""Heights by which tops and bottoms of a line's other signs may differ from the row's, and how far these may be from
the next one: something bright may hide those between. [by eye]"""
_MARGINS = (1.0, 0.25)
"""Heights around a line's signs, across and down, that its outline or a sign that was not found may fill. [by eye]"""


@dataclass(frozen=True)
class _Row:
    """Limits of a row of signs that a camera has written.

    Attributes:
        signs: least number of signs.
        close: least share of the gaps that are as wide as in a word.
        drift: most px by which the bottoms rise or fall along the row; a twentieth of the height is always allowed.
        uneven: most px by which tops and bottoms usually differ.
        spread: most by which the colour of most signs differs from the usual one.
        white: least usual value of bright signs.
        black: greatest usual value of black signs.
        hard: least usual share of a sign's contrast that its hardest edges rise in a pixel.
    """

    signs: int
    close: float
    drift: float
    uneven: float
    spread: float
    white: float
    black: float
    hard: float


_ROWS = (
    _Row(5, 0.5, 1.0, 0.7, 2.5, 240.0, 15.0, 0.5),
    _Row(6, 0.4, 1.5, 1.2, 4.0, 225.0, 25.0, 0.4),
    _Row(9, 0.4, 1.3, 1.2, 9.0, 200.0, 35.0, 0.25),
)
"""Rows that are taken for a camera's: the longer, the less exact they need to be. In 696 pictures without such text
(development sets, real, sample images) no row is taken. [by hand, dev00 to dev16, real]"""
_FACE_POINTS = 9
"""Points a side that measure how much of a face lies under text. [by eye]"""
_MIN_SHARE = 0.04
"""Share of a face under text from which its square counts as hidden: a stroke makes another letter. [by eye]"""
_POSSIBLE = 0.01
"""Probability from which a stack may be so high. [by eye]"""
_MAX_NAMED = 6
"""Most squares that the sentence names one by one. [by eye]"""


@dataclass(frozen=True)
class CameraText:
    """Text of the camera over the board: the squares (n, n) that it hides."""

    squares: Flags

    def text(self) -> str:
        """Return the sentence that says where the text lies and what to do."""
        names = [square_name(Square(int(row), int(col))) for row, col in np.argwhere(self.squares)]
        where = (
            join_names(names)
            if len(names) <= _MAX_NAMED
            else plural("%(number)s square", "%(number)s squares", len(names), number=len(names))
        )
        return phrase(
            "The camera writes text over %(where)s, so tiles there can't be read: switch off the date, the time and "
            "the name in the camera's settings, or move them off the board.",
            where=where,
        )


def find_hidden_by_text(lines: Floats, camera: Camera, height_probs: Floats, elevations: Floats) -> CameraText | None:
    """Return the squares whose top face the text's `lines` (m, 4) may cross; None if there are none.

    `height_probs` (n, n, 6) say how high each stack may be; one more tile may lie there unseen. `elevations` (6,)
    are those of the faces, cells.
    """
    n = len(height_probs)
    if not len(lines):
        return None
    most = np.where(height_probs >= _POSSIBLE, np.arange(len(elevations)), 0).max(axis=-1) + 1
    row, col = np.indices((n, n))
    across, down = np.meshgrid(*(np.linspace(-TILE.half, TILE.half, _FACE_POINTS),) * 2)
    hidden = np.zeros((n, n), dtype=np.bool_)
    for height, elevation in enumerate(elevations):
        x, y = (at[..., None] + 0.5 + shift.ravel() for at, shift in ((col, across), (row, down)))
        at = camera.project(np.stack([x, y, np.full_like(x, elevation)], axis=-1))[..., None, :]
        inside = ((at >= lines[:, :2]) & (at <= lines[:, 2:])).all(axis=-1).any(axis=-1)
        hidden |= (inside.mean(axis=-1) > _MIN_SHARE) & (height <= most)
    return CameraText(hidden) if hidden.any() else None


def find_camera_text(image: Image) -> Floats:
    """Return the lines of text (m, 4) that a camera wrote over the picture (h, w, 3): left, top, right, bottom px."""
    factor = _SIDE / min(image.shape[:2])
    small = resize(image, factor) if factor < _KEEP_SIZE else image
    grey = _plane(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    lines = [
        _line(signs, row)
        for ink in _inks(small)
        for signs in (_signs(ink.mask),)
        for row in _rows(signs)
        if _is_written(signs[row], ink, grey)
    ]
    return np.asarray(np.reshape(lines, (-1, 4)) * (image.shape[1] / small.shape[1]), dtype=np.float64)


@dataclass(frozen=True)
class _Ink:
    """A colour that text may have: the pixels (h, w) of that colour, and values (h, w) that hardly vary in a text."""

    mask: Plane
    values: Plane
    bright: bool


def _inks(image: Image) -> Iterator[_Ink]:
    """Yield white, black, and all pure colours together, for a picture (h, w, 3)."""
    blue, green, red = cv2.split(image)
    brightest, darkest = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    yield _Ink(_above(darkest, _WHITE), _plane(darkest), bright=True)
    yield _Ink(_above(cv2.bitwise_not(brightest), 255 - _BLACK), _plane(brightest), bright=False)
    pure = cv2.bitwise_and(_above(brightest, _PURE_BRIGHT), _above(cv2.subtract(brightest, darkest), _PURE))
    yield _Ink(_plane(pure), _plane(brightest), bright=True)


def _above(values: cv2.typing.MatLike, limit: int) -> Plane:
    return _plane(cv2.threshold(values, limit, 255, cv2.THRESH_BINARY)[1])


def _plane(values: cv2.typing.MatLike) -> Plane:
    return np.asarray(values, dtype=np.uint8)


def _signs(mask: Plane) -> Signs:
    """Return the boxes (k, 4) of what may be signs, from left to right: left, top, width, height."""
    least, most = (share * min(mask.shape) for share in _HEIGHTS)
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    few, many = least * _OUTLINES[0], most * _OUTLINES[1]
    boxes = [cv2.boundingRect(outline) for outline in outlines if few <= len(outline) <= many]
    signs = np.array(boxes, dtype=np.int64).reshape(-1, 4)
    width, height = signs[:, 2], signs[:, 3]
    fits = (height >= least) & (height <= most)
    fits &= (width >= _WIDTHS[0] * height) & (width <= _WIDTHS[1] * height)
    signs = signs[fits]
    ordered: Signs = signs[np.argsort(signs[:, 0], kind="stable")]
    return ordered


def _rows(signs: Signs) -> Iterator[Places]:
    """Yield the indices of signs that form a row: level, equally high, and near each other."""
    fewest = min(row.signs for row in _ROWS)
    tops, bottoms, ends = signs[:, 1], signs[:, 1] + signs[:, 3], signs[:, 0] + signs[:, 2]
    free = np.ones(len(signs), dtype=np.bool_)
    for first, height in enumerate(signs[:, 3]):
        if not free[first]:
            continue
        near = max(1.0, _ALIGNED * height)
        level = (np.abs(tops - tops[first]) <= near) & (np.abs(bottoms - bottoms[first]) <= near)
        same = np.flatnonzero(level)
        if len(same) < fewest:
            continue
        # a sign within another is a hole in it
        reached = np.concatenate([[-1], np.maximum.accumulate(ends[same])[:-1]])
        same = same[signs[same, 0] >= reached - 1]
        gaps = signs[same[1:], 0] - ends[same[:-1]]
        for row in np.split(same, np.flatnonzero(gaps > _MAX_GAP * height) + 1):
            if len(row) >= fewest and free[row].any():
                free[row] = False
                yield row


def _is_written(row: Signs, ink: _Ink, grey: Plane) -> bool:
    """Return whether a camera wrote a row of signs (k, 4)."""
    left, top, width, height = row.T
    usual = float(np.median(height))
    gaps = left[1:] - (left + width)[:-1]
    filled = np.median([ink.mask[_box(sign)].mean() / 255.0 for sign in row])
    if filled > _MAX_INK or np.median(width) > _MAX_USUAL_WIDTH * usual:
        return False
    slope = np.polyfit(left + width / 2, top + height, 1)[0]
    drift = abs(float(slope)) * float(left[-1] + width[-1] - left[0])
    uneven = _usual_distance(top) + _usual_distance(top + height)
    values = np.array([_share_value(ink.values[_box(sign, 2)], 0.92 if ink.bright else 0.08) for sign in row])
    value = float(np.median(values))
    spread = float(np.percentile(np.abs(values - value), 80))
    hard = float(np.median([_hardness(grey[_box(sign, 2)]) for sign in row]))
    return any(
        len(row) >= limits.signs
        and float(np.mean(gaps < _CLOSE_GAP * usual)) >= limits.close
        and drift <= max(limits.drift, _ALIGNED * usual)
        and uneven <= limits.uneven
        and spread <= limits.spread
        and (value >= limits.white if ink.bright else value <= limits.black)
        and hard >= limits.hard
        for limits in _ROWS
    )


def _box(sign: Signs, around: int = 0) -> tuple[slice, slice]:
    """Return the pixels of a sign (4,) and of a margin, px, around it."""
    left, top, width, height = (int(side) for side in sign)
    return (slice(max(0, top - around), top + height + around), slice(max(0, left - around), left + width + around))


def _usual_distance(places: Places) -> float:
    """Return how far places (k,) lie from their median, on average."""
    return float(np.abs(places - np.median(places)).mean())


def _share_value(values: Plane, share: float) -> int:
    """Return the value that a share of all values lies below: a percentile, but faster."""
    ordered = np.sort(values, axis=None)
    return int(ordered[int(share * (len(ordered) - 1))])


def _hardness(grey: Plane) -> float:
    """Return the largest step from pixel to pixel in the usual row of a sign (h, w), as a share of its contrast."""
    steps = _plane(cv2.absdiff(grey[:, 1:], grey[:, :-1]))
    contrast = _share_value(grey, 0.95) - _share_value(grey, 0.05)
    return float(np.median(steps.max(axis=1))) / max(contrast, _MIN_CONTRAST)


def _line(signs: Signs, row: Places) -> tuple[float, float, float, float]:
    """Return the box of a row and of the other signs of its line: left, top, right, bottom px."""
    top, bottom = (float(np.median(at)) for at in (signs[row, 1], signs[row, 1] + signs[row, 3]))
    height = bottom - top
    near = max(1.0, _LINE_ALIGNED * height)
    level = (np.abs(signs[:, 1] - top) <= near) & (np.abs(signs[:, 1] + signs[:, 3] - bottom) <= near)
    lefts, rights = signs[level, 0], (signs[:, 0] + signs[:, 2])[level]
    left, right = float(signs[row[0], 0]), float(signs[row[-1], 0] + signs[row[-1], 2])
    for start in lefts[::-1]:
        left = min(left, float(start)) if start > left - _MAX_REACH * height else left
    for end in rights:
        right = max(right, float(end)) if end < right + _MAX_REACH * height else right
    across, down = (margin * height for margin in _MARGINS)
    return left - across, top - down, right + across, bottom + down
