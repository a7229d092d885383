"""Whether a camera still stands where it stood when a person showed it the board's corners."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.images import Image
from vision.video.motion_gate import reduce

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
