"""From views of the target to the lens of a camera, with a report of how far it can be trusted.

Zhang's method ("A flexible new technique for camera calibration", 2000) as OpenCV has it, for the model of
`vision.geometry.camera`: a principal point, one radial coefficient, and square pixels unless the views show others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from calibration.errors import CalibrationError
from calibration.target import TargetView
from vision import Lens

Floats = npt.NDArray[np.float64]

LEAST_VIEWS = 6
"""Views without which nothing is calibrated; this and what follows by eye, after OpenCV's advice of ten views and
more."""
LEAST_COVERAGE = 0.5
"""Share of the frame in which corners must have been seen."""
LEAST_TILT = 20.0
"""Degrees between the target's attitudes: seen from one alone, focal length and distance cannot be told apart."""
MOST_RMS = 0.0008
"""Residual over the longer side of the picture: 1.5 px of 1920."""
MOST_FOCAL_SPREAD = 0.02
"""Relative standard deviation of the focal length up to which it is trusted."""
_CELLS = (8, 6)
"""The frame is divided like this to see how much of it the corners cover."""
_OUTLYING = 2.5
"""A view whose residual is so many times the median's is left out: it is blurred, or the target was bent."""
_UNEVEN = 0.02
"""Relative difference of the focal lengths across and down from which pixels are taken not to be square: of what
cameras in the network squeeze pictures by, 4:3 as 5:4 is the least (6 %). By eye, not measured."""
_SURELY = 4.0
"""Standard deviations by which square pixels must miss the corners more, too. By eye, not measured."""
_FLAGS = cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3 | cv2.CALIB_USE_INTRINSIC_GUESS


@dataclass(frozen=True)
class LensReport:
    """A calibrated lens and what it rests on.

    Attributes:
        lens: the lens.
        rms: root mean square of the corners' residuals, px.
        coverage: share of the frame in which corners were seen.
        tilt: degrees between the two most different attitudes of the target.
        focal_spread: standard deviation of the focal length, relative.
        used: names of the pictures that were used.
        dropped: names of those that did not agree with the others.
    """

    lens: Lens
    rms: float
    coverage: float
    tilt: float
    focal_spread: float
    used: tuple[str, ...]
    dropped: tuple[str, ...]

    def check(self) -> None:
        """Raise CalibrationError, with one line that says what to do, unless the lens can be trusted."""
        longer = max(self.lens.size_wh)
        if self.rms > MOST_RMS * longer:
            raise CalibrationError(
                f"The corners do not fit a lens: {self.rms:.2f} px off where {MOST_RMS * longer:.2f} would do. Keep "
                "the target flat, zoom and focus as they are, and the pictures sharp, and take them again."
            )
        if self.coverage < LEAST_COVERAGE:
            raise CalibrationError(
                f"The target was seen in only {self.coverage:.0%} of the frame, {LEAST_COVERAGE:.0%} are needed: take "
                "more pictures with it in the corners and at the edges."
            )
        if self.tilt < LEAST_TILT:
            raise CalibrationError(
                f"The target was seen from nearly one direction ({self.tilt:.0f} degrees apart, {LEAST_TILT:.0f} are "
                "needed): take more pictures of it tilted to all sides."
            )
        if not self.focal_spread < MOST_FOCAL_SPREAD:
            raise CalibrationError(
                f"The focal length is only known to {self.focal_spread:.1%}: take more pictures, near and tilted."
            )


def calibrate_lens(views: Sequence[TargetView]) -> LensReport:
    """The lens that explains all views, which must be of one size; views that disagree are left out.

    Raises CalibrationError where there are too few views.
    """
    kept = list(views)
    _enough(kept)
    solution = _solve(kept)
    agrees = solution.each <= _OUTLYING * float(np.median(solution.each))
    if not agrees.all() and int(agrees.sum()) >= LEAST_VIEWS:
        kept = [view for view, good in zip(kept, agrees, strict=True) if good]
        solution = _solve(kept)
    matrix = solution.matrix
    focal = float(matrix[1, 1])
    centre = (float(matrix[0, 2]), float(matrix[1, 2]))
    names = {view.name for view in kept}
    return LensReport(
        lens=Lens(focal, centre, float(solution.dist[0]), kept[0].size_wh, float(matrix[0, 0]) / focal),
        rms=solution.rms,
        coverage=coverage(kept),
        tilt=_widest_angle(solution.turns),
        focal_spread=float(solution.spreads[1]) / focal,
        used=tuple(view.name for view in kept),
        dropped=tuple(view.name for view in views if view.name not in names),
    )


def coverage(views: Sequence[TargetView]) -> float:
    """Share of the frame's cells in which a corner was seen in some view."""
    covered = np.zeros(_CELLS, dtype=bool)
    for view in views:
        cells = (view.pixels + 0.5) / view.size_wh * _CELLS
        x, y = np.clip(cells.astype(int), 0, np.array(_CELLS) - 1).T
        covered[x, y] = True
    return float(covered.mean())


def _enough(views: Sequence[TargetView]) -> None:
    if len(views) < LEAST_VIEWS:
        raise CalibrationError(
            f"Pictures in which the target is made out: {len(views)}; at least {LEAST_VIEWS} are needed. Take some "
            "15, sharp, with most of the target in view, from near and far and tilted to all sides."
        )


class _Solution(NamedTuple):
    """What OpenCV makes of the views.

    Attributes:
        rms: residual, px.
        matrix: (3, 3) intrinsics; [1, 1] is the focal length.
        dist: distortion.
        turns: rotations (3, 3) of the views.
        spreads: standard deviations of the intrinsics.
        each: residual of each view, px.
    """

    rms: float
    matrix: Floats
    dist: Floats
    turns: list[Floats]
    spreads: Floats
    each: Floats


def _solve(views: Sequence[TargetView]) -> _Solution:
    """What explains the views, with square pixels unless they show surely that these are none."""
    free, fixed = _solved(views, _FLAGS), _solved(views, _FLAGS | cv2.CALIB_FIX_ASPECT_RATIO)
    across, down = np.diag(free.matrix)[:2]
    corners = sum(len(view.board) for view in views)
    missed = corners * ((fixed.rms / max(free.rms, 1e-9)) ** 2 - 1.0)
    return free if abs(np.log(across / down)) > _UNEVEN and missed > _SURELY**2 else fixed


def _solved(views: Sequence[TargetView], flags: int) -> _Solution:
    """The views' solution under OpenCV's `flags`."""
    width, height = views[0].size_wh
    start = np.array(
        [[max(width, height), 0, (width - 1) / 2], [0, max(width, height), (height - 1) / 2], [0, 0, 1.0]]
    )
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


def _widest_angle(turns: Sequence[Floats]) -> float:
    """The largest angle, degrees, between the target's normals in the camera's frame."""
    normals = np.stack([turn[:, 2] for turn in turns])
    return float(np.degrees(np.arccos(np.clip(normals @ normals.T, -1.0, 1.0)).max()))
