"""The board seen from straight above between corners that a person gave, to check them by eye."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.images import Image

_SQUARE = 64
"""Side of a square in the flat view, px. By eye, not measured."""
_LINE = (77, 195, 255)


def flat_view(image: Image, corners: npt.ArrayLike, size: int) -> Image:
    """The n x n board between `corners` (4, 2) px, TL TR BR BL, flattened, half a square around it, with its grid."""
    margin, side = _SQUARE // 2, _SQUARE * size
    low, high = margin, margin + side
    there = np.array([(low, low), (high, low), (high, high), (low, high)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, dtype=np.float32), there)
    flat = cv2.warpPerspective(image, matrix, (side + 2 * margin, side + 2 * margin))
    for at in range(low, high + 1, _SQUARE):
        cv2.line(flat, (at, low), (at, high), _LINE, 1, cv2.LINE_AA)
        cv2.line(flat, (low, at), (high, at), _LINE, 1, cv2.LINE_AA)
    return np.asarray(flat, dtype=np.uint8)
