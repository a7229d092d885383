"""The target for calibrating cameras, a ChArUco board on paper or on a screen, and the search for it in pictures.

A chessboard gives precise corners. A marker in each white square names them, so part of the board is enough (OpenCV's
`aruco` module). The board may have any size, but it must be flat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from cv2 import aruco

from vision.arrays import Floats
from vision.images import Image

COLUMNS, ROWS, SQUARE_MM, DPI = 10, 7, 25, 300
"""Squares of the target across and down, their side in mm, and dots per inch for printing: it fills a sheet of A4."""
_MARKER_SIDE = 0.74
"""Side of a marker relative to its square. It leaves the corners a white border, as OpenCV demands. [by eye]"""
_MARGIN_MM = 12
"""White border around the target, mm, where printers can't print. [by eye]"""
_MIN_CORNERS = 12
"""Fewest corners for a view to tell more than its pose. [by eye]"""
_NOTE = (
    f"Upscore camera target: {COLUMNS} x {ROWS} squares of {SQUARE_MM} mm when printed at 100 % ({DPI} dpi). "
    "Any size will do, on paper or a screen, if it is flat."
)


@dataclass(frozen=True)
class TargetView:
    """The target in one picture, which errors call by its name.

    `board` (m, 2) has corners on the target, in squares, `pixels` (m, 2) the same in the picture, px, with pixel
    centres at whole numbers.
    """

    name: str
    size_wh: tuple[int, int]
    board: Floats
    pixels: Floats


def draw_target() -> Image:
    """Draw the target (h, w, 3), for printing at DPI or for a screen, with a note of its size."""
    square = round(SQUARE_MM / 25.4 * DPI)
    margin = round(_MARGIN_MM / 25.4 * DPI)
    picture = _board().generateImage((COLUMNS * square, ROWS * square), marginSize=0, borderBits=1)
    framed = cv2.copyMakeBorder(picture, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    at = (margin, framed.shape[0] - margin // 3)
    cv2.putText(framed, _NOTE, at, cv2.FONT_HERSHEY_SIMPLEX, 1.15, (0, 0, 0), 2, cv2.LINE_AA)
    return np.asarray(cv2.cvtColor(framed, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def find_target(image: Image, name: str) -> TargetView | None:
    """Find the target in a picture (h, w, 3); return None if too little of it shows."""
    height, width = image.shape[:2]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, numbers, _, _ = aruco.CharucoDetector(_board()).detectBoard(grey)
    if corners is None or numbers is None or len(numbers) < _MIN_CORNERS:
        return None
    places = np.asarray(_board().getChessboardCorners(), dtype=np.float64)[numbers.ravel(), :2]
    if np.linalg.matrix_rank(places - places.mean(axis=0), tol=0.5) < 2:
        return None  # corners on one line show no pose
    return TargetView(name, (width, height), places, np.asarray(corners, dtype=np.float64).reshape(-1, 2))


@cache
def _board() -> aruco.CharucoBoard:
    dictionary = aruco.getPredefinedDictionary(aruco.DICT_4X4_50)
    return aruco.CharucoBoard((COLUMNS, ROWS), 1.0, _MARKER_SIDE, dictionary)
