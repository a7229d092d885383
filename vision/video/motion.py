"""Telling, frame by frame and cheaply, whether the board lies free and still: motion, and what reaches over its edge.

All of it works on small grey pictures from which slow changes of light are divided out, so that a passing shadow or
drifting daylight is not taken for a hand.

Whether a camera still stands where it stood when a person showed it the board's corners.
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

SMALL = 320
"""Width of the working picture, px."""
_AROUND = 41
"""Side, px, of the surroundings by whose light each of its pixels is divided. By eye, not measured."""
_DARK = 12.0
"""Grey levels added before that, so that the noise of what is dark is no motion. By eye, not measured."""
_MOVED = 0.10
"""Relative change of a pixel against the last frame that counts as motion."""
_COVERED = 0.16
"""Relative change against the free board that counts as something lying there."""
_LEAST_MOTION, _LEAST_COVER = 0.10, 0.22
"""Areas, in squares of the board, from which motion or cover is believed."""
_ADAPT_S, _ADAPT_COVERED_S = 1.63, 13.3
"""Seconds in which the picture of the free board comes within 1/e of what is seen, and while something lies over it.
By eye, not measured."""
_TALLEST = 1.5
"""Height (squares) of a full stack: what stands on the board may be seen past its edge."""


_WATCHED, _RING = 0.9, 1.1
"""Squares around the grid within which motion counts, and within which what reaches over the board's edge is seen. By
eye, not measured."""


@dataclass(frozen=True)
class FrameState:
    """One frame: `motion` within the board and around it, `reach` of something over the board's edge, in squares."""

    motion: float
    reach: float

    @property
    def still(self) -> bool:
        return self.motion < _LEAST_MOTION

    @property
    def free(self) -> bool:
        return self.reach < _LEAST_COVER


def reduce(frame: Image) -> Plane:
    """The small grey working picture, light divided out: about 1 where a pixel is as bright as its surroundings."""
    scale = SMALL / frame.shape[1]
    size = (SMALL, max(1, round(frame.shape[0] * scale)))
    grey = cv2.cvtColor(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY).astype(
        np.float32
    )
    around = cv2.blur(grey, (_AROUND, _AROUND)) + _DARK
    return np.asarray(cv2.GaussianBlur(grey + _DARK, (3, 3), 0) / around, dtype=np.float32)


class MotionGate:
    """Watches one board from one place; made anew when the camera or the board has moved."""

    def __init__(self, camera: Camera, size: int, frame: Image) -> None:
        scale = SMALL / frame.shape[1]
        self.camera, self._size, self._small = camera, size, camera.scaled(scale)
        first = reduce(frame)
        self._whole = self._area(first.shape, _WATCHED, 0.0)
        self._ring = cv2.subtract(self._area(first.shape, _RING, 0.0), self._area(first.shape, 0.0, _TALLEST))
        self._square = float(side_lengths(corners_of(self._small, size)).mean() / size) ** 2
        self._last = first
        self._free = first.copy()

    def look(self, frame: Image, seconds: float) -> FrameState:
        """Return the state of the next frame, which came so many `seconds` after the last one."""
        now = reduce(frame)
        moved = (np.abs(now - self._last) > _MOVED).astype(np.uint8)
        over = (np.abs(now - self._free) > _COVERED).astype(np.uint8)
        motion = self._squares(moved & self._whole)
        reach = self._squares(cv2.morphologyEx(over & self._ring, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)))
        self._last = now
        state = FrameState(motion, reach)
        if state.still:
            # what lies still long enough becomes part of the table
            needed = _ADAPT_S if state.free else _ADAPT_COVERED_S
            self._free += (1.0 - np.exp(-seconds / needed)) * (now - self._free)
        return state

    def displaced(self, corners: npt.NDArray[np.float64]) -> float:
        """How far (squares) the grid's corners (4, 2) px lie from where they were, whichever of them comes first."""
        old = corners_of(self.camera, self._size)
        gap = float(corner_gaps(corners, old).max(axis=1).min())
        return gap / float(np.linalg.norm(old[1] - old[0]) / self._size)

    def settle(self) -> None:
        """The last frame shows the board free: remember it so."""
        self._free = self._last.copy()

    def _squares(self, mask: npt.NDArray[np.generic]) -> float:
        return float(np.count_nonzero(mask)) / self._square

    def _area(self, shape: tuple[int, ...], wider: float, tall: float) -> Mask:
        """Pixels of the grid widened by `wider` squares, and of what stands up to `tall` squares high on it."""
        mask = np.zeros(shape[:2], dtype=np.uint8)
        low, high = -wider, self._size + wider
        outline = [(low, low), (high, low), (high, high), (low, high)]
        points = [(x, y, z) for z in (0.0, tall) for x, y in outline]
        hull = cv2.convexHull(self._small.project(points).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
        return mask


Thumbnail = npt.NDArray[np.uint8]

MOVED = 0.006
"""Share of the picture's width by which it must have shifted for the camera, or the board, to have been moved: about a
tenth of a square. In three films of a camera that stood still, hands in view, it was at most 0.003."""
_WIDTH = 160
"""Width of the small picture that is compared, px. By eye, not measured."""
_SCALE = 96.0
"""Grey levels of a pixel as bright as its surroundings."""
_AGREEMENT = 0.1
"""Height of the correlation's peak below which two pictures are not of the same view: 0.13 to 0.7 in those films, below
0.1 where the camera was turned by 10 degrees."""


def seen_from(frame: Image) -> Thumbnail:
    """What is kept of a view: a small grey picture, (h, 160), with the light divided out."""
    small = reduce(frame)
    height = max(1, round(small.shape[0] * _WIDTH / small.shape[1]))
    kept = cv2.resize(small, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(kept * _SCALE, 0, 255), dtype=np.uint8)


def shift(before: Thumbnail, now: Thumbnail) -> float:
    """How far a view has shifted, as a share of its width; infinite where the two do not agree (phase correlation)."""
    if before.shape != now.shape:
        return float("inf")
    window = cv2.createHanningWindow((before.shape[1], before.shape[0]), cv2.CV_32F)
    one, other = before.astype(np.float32), now.astype(np.float32)
    (right, down), agreement = cv2.phaseCorrelate(one, other, window)
    return float(np.hypot(right, down)) / before.shape[1] if agreement >= _AGREEMENT else float("inf")
