"""Faces behind other tiles: a part of a window covered by a piece of another one, and what the reader would say of it.

What the geometry says is covered is never quite what is: stacks lean, and grids are found a hundredth of a square off.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.images import Image
from vision.letters.classifier import FACE_PX

Masks = npt.NDArray[np.bool_]

_SHARE = 0.15
"""Share of the whole windows that are put behind another tile. [by eye]"""
_OVERLOOKED = 0.1
"""Share of these of which the reader would not know. [by eye]"""
_OFF_PX, _GROWN_PX = 0.8, 1
"""By how much, px, what is taken for covered lies beside what is (standard deviation), and is larger or smaller.
[by eye]"""


def some_behind(
    windows: Image, covered: Masks, rng: np.random.Generator, off_px: float = _OFF_PX, grown_px: int = _GROWN_PX
) -> tuple[Image, Masks]:
    """Return windows (m, FACE_PX, FACE_PX, 3), some of the whole ones put behind another of the batch.

    Beside them: what the reader takes for `covered` (m, FACE_PX, FACE_PX) of them then.
    """
    windows, covered = windows.copy(), covered.copy()
    behind = np.flatnonzero(~covered.any(axis=(1, 2)) & (rng.random(len(windows)) < _SHARE))
    before = windows[rng.permutation(len(windows))[: len(behind)]]
    for k, nearer in zip(behind, before, strict=True):
        part, shift = _outline(rng)
        shown = np.roll(nearer, shift, axis=(0, 1)).astype(np.float32) * rng.uniform(0.8, 1.2)
        windows[k][part] = np.clip(shown, 0, 255).astype(np.uint8)[part]
        if rng.random() >= _OVERLOOKED:
            covered[k] = _tell_covered(part, rng, off_px, grown_px)
    return windows, covered


def _outline(rng: np.random.Generator) -> tuple[Masks, tuple[int, int]]:
    """Return the part of the window that a tile in any direction covers, and the place of its own window: px down, px
    right.
    """
    turn = rng.choice([0.0, 0.5, 1.0, 1.5]) * np.pi + rng.normal(0, 0.15)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    near, aside = rng.uniform(0.05, 0.42), rng.normal(0, 0.2)
    half = rng.uniform(0.4, 0.55)
    corners = [
        (0.5, 0.5) + along * depth + across * (aside + side)
        for depth, side in ((near, -half), (near, half), (2.0, half * 1.2), (2.0, -half * 1.2))
    ]
    mask = np.zeros((FACE_PX, FACE_PX), dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.array(corners) * FACE_PX).astype(np.int32), 1)
    right, down = np.round((along * (near + 0.46) + across * aside) * FACE_PX).astype(int)
    return mask.astype(np.bool_), (int(down), int(right))


def _tell_covered(part: Masks, rng: np.random.Generator, off_px: float, grown_px: int) -> Masks:
    """Return what the reader takes for covered where `part` (FACE_PX, FACE_PX) is."""
    grown = int(rng.integers(-grown_px, grown_px + 1))
    told = part.astype(np.uint8)
    if grown:
        change = cv2.dilate if grown > 0 else cv2.erode
        told = np.asarray(change(told, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    right, down = rng.normal(0, off_px, 2)
    moved = cv2.warpAffine(told, np.array([[1, 0, right], [0, 1, down]]), (FACE_PX, FACE_PX), flags=cv2.INTER_NEAREST)
    return np.asarray(moved, dtype=np.bool_)
