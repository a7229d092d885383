"""The lens of a camera from views of a target, with a report of how far to trust it.

The target is a ChArUco board, on paper or on a screen. A chessboard gives precise corners. A marker in each white
square names them, so part of the board is enough (OpenCV's `aruco` module). The board may have any size, but it must be
flat.

Zhang's method ("A flexible new technique for camera calibration", 2000) as OpenCV has it, for the model of
`vision.geometry.camera`: a principal point, one radial coefficient, and square pixels unless the views show others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from cv2 import aruco

from calibration.errors import CalibrationError
from vision import Lens
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
    """The target in one picture. Errors name the picture.

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


MIN_VIEWS = 6
"""Fewest views for a calibration. OpenCV advises ten or more. [by eye]"""
MIN_COVERAGE = 0.5
"""Least share of the frame in which some view shows corners. [by eye]"""
MIN_TILT_DEGREES = 20.0
"""Least angle between two views of the target, in degrees.

From one direction alone, focal length and distance can't be told apart. [by eye]
"""
MAX_RELATIVE_RMS = 0.0008
"""Largest residual, relative to the picture's longer side: 1.5 px of 1920. [by eye]"""
MAX_FOCAL_SPREAD = 0.02
"""Largest relative standard deviation of a focal length that is trusted. [by eye]"""
_FRAME_CELLS = (8, 6)
"""Columns and rows of the frame's cells for counting how much of it the corners cover. [by eye]"""
_MAX_RESIDUAL_RATIO = 2.5
"""Largest residual of a view relative to the median of all views. Beyond it, the view is blurred or the target was
bent. [by eye]
"""
_MIN_STRETCH = 0.02
"""Relative difference between the focal lengths across and down from which pixels count as not square.

Network cameras that squeeze pictures do so by at least 6 %: 4:3 shown as 5:4. [by eye]
"""
_MIN_MISFIT_SIGMAS = 4.0
"""Standard deviations by which square pixels must also fit the corners worse, before they are given up. [by eye]"""
_FLAGS = cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3 | cv2.CALIB_USE_INTRINSIC_GUESS


@dataclass(frozen=True)
class LensReport:
    """A calibrated lens and the evidence for it.

    Attributes:
        rms: root mean square of the corners' residuals, px.
        coverage: share of the frame in which some view shows corners.
        tilt: angle between the two most different attitudes of the target, degrees.
        focal_spread: relative standard deviation of the focal length.
        used, dropped: names of the pictures that were used, and of those that disagreed with the others.
    """

    lens: Lens
    rms: float
    coverage: float
    tilt: float
    focal_spread: float
    used: tuple[str, ...]
    dropped: tuple[str, ...]

    def check(self) -> None:
        """Check that the lens can be trusted; raise CalibrationError, one line that says what to do, if not."""
        max_rms = MAX_RELATIVE_RMS * max(self.lens.size_wh)
        if self.rms > max_rms:
            raise CalibrationError(
                f"The corners do not fit a lens: they are {self.rms:.2f} px off, and {max_rms:.2f} are allowed. Keep "
                "the target flat, leave zoom and focus alone, and take sharp pictures again."
            )
        if self.coverage < MIN_COVERAGE:
            raise CalibrationError(
                f"The target was seen in only {self.coverage:.0%} of the frame, {MIN_COVERAGE:.0%} are needed: take "
                "more pictures with it in the corners and at the edges."
            )
        if self.tilt < MIN_TILT_DEGREES:
            raise CalibrationError(
                f"The target was seen from nearly one direction ({self.tilt:.0f} degrees apart, "
                f"{MIN_TILT_DEGREES:.0f} are needed): take more pictures of it tilted to all sides."
            )
        if not self.focal_spread < MAX_FOCAL_SPREAD:
            raise CalibrationError(
                f"The focal length is only known to {self.focal_spread:.1%}: take more pictures, near and tilted."
            )


def calibrate_lens(views: Sequence[TargetView]) -> LensReport:
    """Find the lens that explains the views, all of one size.

    Drop odd views; raise CalibrationError if too few are left.
    """
    if len(views) < MIN_VIEWS:
        raise CalibrationError(
            f"Pictures that show the target: {len(views)}; at least {MIN_VIEWS} are needed. Take about 15 sharp "
            "ones, with most of the target in view, from near and far and tilted to all sides."
        )
    kept = list(views)
    solution = _solve(kept)
    agrees = solution.each <= _MAX_RESIDUAL_RATIO * float(np.median(solution.each))
    if not agrees.all() and int(agrees.sum()) >= MIN_VIEWS:
        kept = [view for view, good in zip(kept, agrees, strict=True) if good]
        solution = _solve(kept)
    matrix = solution.matrix
    focal = float(matrix[1, 1])
    centre = (float(matrix[0, 2]), float(matrix[1, 2]))
    normals = np.stack([turn[:, 2] for turn in solution.turns])  # of the target, in the camera's frame
    names = {view.name for view in kept}
    return LensReport(
        lens=Lens(focal, centre, float(solution.dist[0]), kept[0].size_wh, float(matrix[0, 0]) / focal),
        rms=solution.rms,
        coverage=coverage(kept),
        tilt=float(np.degrees(np.arccos(np.clip(normals @ normals.T, -1.0, 1.0)).max())),
        focal_spread=float(solution.spreads[1]) / focal,
        used=tuple(view.name for view in kept),
        dropped=tuple(view.name for view in views if view.name not in names),
    )


def coverage(views: Sequence[TargetView]) -> float:
    """Return the share of the frame's cells in which some view shows a corner."""
    covered = np.zeros(_FRAME_CELLS, dtype=bool)
    for view in views:
        cells = (view.pixels + 0.5) / view.size_wh * _FRAME_CELLS
        x, y = np.clip(cells.astype(int), 0, np.array(_FRAME_CELLS) - 1).T
        covered[x, y] = True
    return float(covered.mean())


class _Solution(NamedTuple):
    """OpenCV's solution for the views. `turns` are their rotations, (3, 3) each.

    `matrix` (3, 3) has the intrinsics, the focal length at [1, 1], and `spreads` their standard deviations. Residuals
    are in px: `rms` of all views, `each` of every one.
    """

    rms: float
    matrix: Floats
    dist: Floats
    turns: list[Floats]
    spreads: Floats
    each: Floats


def _solve(views: Sequence[TargetView]) -> _Solution:
    """Solve for the lens, with square pixels unless the views clearly show others."""
    free, fixed = _solve_with(views, _FLAGS), _solve_with(views, _FLAGS | cv2.CALIB_FIX_ASPECT_RATIO)
    across, down = np.diag(free.matrix)[:2]
    corners = sum(len(view.board) for view in views)
    missed = corners * ((fixed.rms / max(free.rms, 1e-9)) ** 2 - 1.0)
    return free if abs(np.log(across / down)) > _MIN_STRETCH and missed > _MIN_MISFIT_SIGMAS**2 else fixed


def _solve_with(views: Sequence[TargetView], flags: int) -> _Solution:
    """Solve for the lens under OpenCV's `flags`."""
    width, height = views[0].size_wh
    start = np.array([[max(width, height), 0, (width - 1) / 2], [0, max(width, height), (height - 1) / 2], [0, 0, 1.0]])
    ground = [np.column_stack([view.board, np.zeros(len(view.board))]).astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32) for view in views]
    rms, matrix, dist, turns, _, spreads, _, each = cv2.calibrateCameraExtended(
        ground, pixels, (width, height), start, np.zeros(5), flags=flags
    )
    return _Solution(
        float(rms),
        np.asarray(matrix, dtype=np.float64),
        np.asarray(dist, dtype=np.float64).ravel(),
        [np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64) for turn in turns],
        np.asarray(spreads, dtype=np.float64).ravel(),
        np.asarray(each, dtype=np.float64).ravel(),
    )
