"""A cheap check, frame by frame, whether the board lies free and still: no motion, and nothing over its edge.

It works on small grey pictures from which slow changes of light are divided out, so that a passing shadow or drifting
daylight isn't taken for a hand.

Check whether a camera still stands where it stood when a person gave the board's corners.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera, corner_gaps, corners_of, side_lengths
from vision.images import Image

Plane = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]

_WORKING_WIDTH = 320
"""Width of the working picture, px. [by eye]"""
_LIGHT_PX = 41
"""Side of the surroundings whose mean light divides each pixel of the working picture, px. [by eye]"""
_DARK_LEVELS = 12.0
"""Grey levels added before that division, so that the noise of dark pixels isn't taken for motion. [by eye]"""
_MOTION_CHANGE = 0.10
"""Relative change of a pixel since the last frame that counts as motion. [by eye]"""
_COVER_CHANGE = 0.16
"""Relative change of a pixel, compared with the free board, that counts as a cover. [by eye]"""
_LEAST_MOTION, _LEAST_COVER = 0.10, 0.22
"""Areas, in squares of the board, from which there is motion or a cover. [by eye]"""
_ADAPT_S, _ADAPT_COVERED_S = 1.63, 13.3
"""Time constants, seconds, with which the picture of the free board follows the view: usually, and while something
covers the board. After that time 1/e of a difference is left. [by eye]"""
_IN_ONE_NINTH = 0.5
"""Share of the motion in one ninth of the board from which something moves there. In two films it was at most 0.39
while the camera focused, and at least 0.78 with a hand. [by hand, two films]"""
_OUT_OF_FOCUS, _FOCUS_PX = 0.5, 9
"""Sharpness of one picture relative to another's below which the camera has lost its focus between them, and the side,
px of the working picture, of the blur with which they are then compared: edges differ everywhere, and a hand is larger
than that. In a film without focus it was 0.20 to 0.27; hands left 0.6 and more. [by hand, drawn films]"""
_FULL_STACK_SQUARES = 1.5
"""Height of a full stack, squares. What stands on the board may be seen past its edge."""
_MOTION_MARGIN, _COVER_MARGIN = 0.9, 1.1
"""Squares around the grid within which motion counts, and within which a cover of the board's edge counts. [by eye]"""


@dataclass(frozen=True)
class FrameState:
    """The state of one frame.

    Attributes:
        motion: area of motion on the board and around it, squares.
        reach: area of something that covers the board's edge, squares.
        spread: whether the motion is everywhere on the board, as when the camera focuses or a lamp flickers.
    """

    motion: float
    reach: float
    spread: bool

    @property
    def still(self) -> bool:
        """True if nothing moves on the board or around it."""
        return self.motion < _LEAST_MOTION

    @property
    def free(self) -> bool:
        """True if nothing reaches over the board's edge."""
        return self.reach < _LEAST_COVER


def working_picture(frame: Image) -> Plane:
    """Make the small grey working picture of a frame (h, w, 3), with the light divided out.

    A pixel that is as bright as its surroundings is about 1.
    """
    scale = _WORKING_WIDTH / frame.shape[1]
    size = (_WORKING_WIDTH, max(1, round(frame.shape[0] * scale)))
    grey = cv2.cvtColor(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY).astype(np.float32)
    light = cv2.blur(grey, (_LIGHT_PX, _LIGHT_PX)) + _DARK_LEVELS
    return np.asarray(cv2.GaussianBlur(grey + _DARK_LEVELS, (3, 3), 0) / light, dtype=np.float32)


class MotionGate:
    """A watch on one board from one place. When the camera or the board has moved, make a new one."""

    def __init__(self, camera: Camera, size: int, frame: Image) -> None:
        scale = _WORKING_WIDTH / frame.shape[1]
        self.camera, self._size, self._small = camera, size, camera.scale(scale)
        first = working_picture(frame)
        self._whole = self._mask(first.shape, _MOTION_MARGIN, 0.0)
        ring = cv2.subtract(
            self._mask(first.shape, _COVER_MARGIN, 0.0), self._mask(first.shape, 0.0, _FULL_STACK_SQUARES)
        )
        self._ring: Mask = np.asarray(ring, dtype=np.uint8)
        self._square = float(side_lengths(corners_of(self._small, size)).mean() / size) ** 2
        self._last = first
        self._free = first.copy()

    def look(self, frame: Image, seconds: float) -> FrameState:
        """Return the state of the next frame (h, w, 3), which came `seconds` after the last one."""
        now = working_picture(frame)
        moved = (np.abs(now - self._last) > _MOTION_CHANGE).astype(np.uint8) & self._whole
        over = np.asarray(self._measure_change(now) > _COVER_CHANGE, dtype=np.uint8)
        motion = self._area_in_squares(moved)
        reach = self._area_in_squares(cv2.morphologyEx(over & self._ring, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))
        self._last = now
        state = FrameState(motion, reach, self._spread(moved))
        if state.still:
            # A cover that lies still long enough becomes part of the table.
            needed = _ADAPT_S if state.free else _ADAPT_COVERED_S
            self._free += (1.0 - np.exp(-seconds / needed)) * (now - self._free)
        return state

    def displacement(self, corners: npt.NDArray[np.float64]) -> float:
        """Return the greatest distance, squares, of the corners (4, 2) px from the known grid's, in any rotation."""
        old = corners_of(self.camera, self._size)
        gap = float(corner_gaps(corners, old).max(axis=1).min())
        return gap / float(np.linalg.norm(old[1] - old[0]) / self._size)

    def mark_free(self, picture: Image) -> None:
        """Remember a picture (h, w, 3) as that of the free board."""
        self._free = working_picture(picture)

    def _measure_change(self, now: Plane) -> Plane:
        """Return how much each pixel differs from the free board. Lost focus is no difference."""
        sharp, usual = self._measure_sharpness(now), self._measure_sharpness(self._free)
        change = now - self._free
        if min(sharp, usual) < _OUT_OF_FOCUS * max(sharp, usual):
            change = np.asarray(cv2.blur(change, (_FOCUS_PX, _FOCUS_PX)), dtype=np.float32)
        return np.asarray(np.abs(change), dtype=np.float32)

    def _measure_sharpness(self, picture: Plane) -> float:
        return float(cv2.Laplacian(picture, cv2.CV_32F)[self._whole > 0].var())

    def _spread(self, moved: Mask) -> bool:
        """Return whether the motion is spread out: no ninth of the board has most of it."""
        x, y, width, height = cv2.boundingRect(self._whole)
        around = moved[y : y + height, x : x + width].astype(np.float32)
        ninths = cv2.resize(around, (3, 3), interpolation=cv2.INTER_AREA)
        return float(ninths.max()) < _IN_ONE_NINTH * float(ninths.sum())

    def _area_in_squares(self, mask: npt.NDArray[np.generic]) -> float:
        return float(np.count_nonzero(mask)) / self._square

    def _mask(self, shape: tuple[int, ...], wider: float, tall: float) -> Mask:
        """Return a mask of the grid widened by `wider` squares, and of what stands up to `tall` squares high on it."""
        mask = np.zeros(shape[:2], dtype=np.uint8)
        low, high = -wider, self._size + wider
        outline = [(low, low), (high, low), (high, high), (low, high)]
        points = [(x, y, z) for z in (0.0, tall) for x, y in outline]
        hull = cv2.convexHull(self._small.project(points).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
        return mask


Thumbnail = npt.NDArray[np.uint8]

MOVED_SHARE = 0.006
"""Shift of the view, as a share of the picture's width, from which the camera or the board was moved. It is about a
tenth of a square. In three films of a camera that stood still, with hands in view, the shift was at most 0.003.
[by hand, three films]"""
_THUMBNAIL_WIDTH = 160
"""Width of the small picture that is compared, px. [by eye]"""
_GREY_LEVELS = 96.0
"""Grey levels of a pixel that is as bright as its surroundings. [by eye]"""
_LEAST_AGREEMENT = 0.1
"""Height of the correlation's peak below which two pictures don't show the same view. It was 0.13 to 0.7 in those
films, and below 0.1 after the camera was turned by 10 degrees. [by hand, three films]"""


def view_thumbnail(frame: Image) -> Thumbnail:
    """Make a small grey picture (h, 160) of a view (h, w, 3), with the light divided out."""
    small = working_picture(frame)
    height = max(1, round(small.shape[0] * _THUMBNAIL_WIDTH / small.shape[1]))
    thumbnail = cv2.resize(small, (_THUMBNAIL_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(thumbnail * _GREY_LEVELS, 0, 255), dtype=np.uint8)


def view_shift(before: Thumbnail, now: Thumbnail) -> float:
    """Return how far a view has shifted, as a share of its width, by phase correlation.

    Return infinity if the two thumbnails don't show the same view.
    """
    if before.shape != now.shape:
        return float("inf")
    window = cv2.createHanningWindow((before.shape[1], before.shape[0]), cv2.CV_32F)
    one, other = before.astype(np.float32), now.astype(np.float32)
    (right, down), agreement = cv2.phaseCorrelate(one, other, window)
    return float(np.hypot(right, down)) / before.shape[1] if agreement >= _LEAST_AGREEMENT else float("inf")
