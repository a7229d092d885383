"""How large faces look: windows for the size network, cut from rendered boards as the reader cuts them.

    python -m workshop.training.cuts.sizes --data FOLDER [FOLDER ...] --out FILE.npz [--seed S]

The folders were written by `workshop.training.generate`. Cameras are the true ones: a pose a little askew changes
what sizes mean, which is for the reader to allow for, and no error of the measure.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry.rectify import shrink_to_pitch, square_places
from vision.heights.comparison import size_windows
from vision.heights.plane_sweep import SLICE_STEP, SLICES
from workshop.training.board_samples import BoardSample
from workshop.training.cuts.measured import MeasuredWindows, write_windows

Floats = npt.NDArray[np.float64]

_STEEPEST = np.radians(38.0)
"""Tilt of the camera up to which pictures serve: somewhat further than sizes are asked for. [by eye]"""
_SEEN = 0.9
"""Share of a face that shows. [by eye]"""
_FEWEST, _MOST = 4, 32
"""Faces of a picture: fewer cannot be compared, more bring little. [by eye]"""
_ZOOM = 0.06
"""Standard deviation of the logarithm by which windows are wider or narrower.

What a face's size does to a window must be learnt over more than the range that the stacks of one picture show.
[by eye]"""
_BESIDE = (-2, -1, 0, 0, 0, 1, 2)
"""Slices by which windows are cut above or below their face. [by eye]"""


def cut_sized_faces(
    sample: BoardSample, corners: Floats, rng: np.random.Generator, fewest: int = _FEWEST
) -> MeasuredWindows | None:
    """Return faces of a picture whose top faces have `corners` (n, n, 4, 2), px, or None if there are too few.

    Windows are of SIZE_PX. Figures are logarithms of the faces' widths, as if each window spanned SIZE_SPAN squares.
    """
    size = sample.size
    if not size or sample.camera.tilt((size / 2, size / 2)) > _STEEPEST:
        return None
    shown = np.argwhere((sample.heights > 0) & (sample.visible >= _SEEN) & (sample.hand == 0))
    if len(shown) < fewest:
        return None
    squares = [(int(row), int(col)) for row, col in rng.permutation(shown)[:_MOST]]
    rows, cols = np.array(squares).T
    true = (sample.foot + sample.layer * sample.heights[rows, cols]) / SLICE_STEP
    cut = np.clip(np.round(true) + rng.choice(_BESIDE, len(true)), 1, SLICES - 1) * SLICE_STEP
    small, camera = shrink_to_pitch(sample.image, sample.camera, size)
    zoom = np.exp(rng.normal(0, _ZOOM, len(true)))
    windows = size_windows(small, camera, square_places(squares, cut), zoom)
    planes = [sample.camera.to_board(quad, float(z)) for quad, z in zip(corners[rows, cols], cut, strict=True)]
    return MeasuredWindows(windows, np.array([0.5 * np.log(_area(plane)) for plane in planes]) - np.log(zoom))


def _area(corners: Floats) -> float:
    """Return the area of a quadrilateral (4, 2), by the shoelace formula."""
    x, y = corners.T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


if __name__ == "__main__":
    write_windows("Cut faces whose size is known from rendered boards.", "sizes", cut_sized_faces)
