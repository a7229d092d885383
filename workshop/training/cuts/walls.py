"""How much of stacks' walls shows: windows for the wall network, cut from rendered boards as the reader cuts them.

    python -m workshop.training.cuts.walls --data FOLDER [FOLDER ...] --out FILE.npz [--seed S]

The folders were written by `workshop.training.generate`. Windows lie beside their faces, above and below them: a
wall's width is to be told by its edges, not by where it lies.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry.rectify import ReducedView
from vision.heights.walls import Wall, find_walls, wall_windows
from workshop.training.board_samples import BoardSample
from workshop.training.cuts.measured import MeasuredWindows, write_windows

Floats = npt.NDArray[np.float64]

_STEEPEST = np.radians(30.0)
"""Tilt of the camera up to which pictures serve: somewhat further than walls are asked for. [by eye]"""
_SEEN = 0.9
"""Share of a face that shows. [by eye]"""
_TIMES = 3
"""Windows of each wall, each cut anew. [by eye]"""
_BESIDE, _ABOVE, _ZOOM = 0.05, 0.08, 0.04
"""Standard deviations of how far windows lie beside their face and above it, cells, and of the logarithm of how much
wider they are: somewhat more than poses and elevations err by. [by eye]"""


def cut_seen_walls(sample: BoardSample, corners: Floats, rng: np.random.Generator) -> MeasuredWindows | None:
    """Return walls of a picture whose top faces have `corners` (n, n, 4, 2), px; None if none is seen.

    Windows are of WALL_PX. Figures are how wide the walls show, squares, as if each window spanned WALL_SPAN of them.
    """
    size = sample.size
    if not size or sample.camera.tilt((size / 2, size / 2)) > _STEEPEST:
        return None
    view = ReducedView.of(sample.image, sample.camera, size)
    walls, elevations = [], []
    for row, col in np.argwhere((sample.heights > 0) & (sample.visible >= _SEEN) & (sample.hand == 0)):
        elevation = sample.foot + sample.layer * float(sample.heights[row, col])
        face = sample.camera.to_board(corners[row, col], elevation)
        half = float((face.max(axis=0) - face.min(axis=0)).mean()) / 2
        shown = find_walls(sample.camera.position, (int(row), int(col)), elevation, half)
        walls += shown * _TIMES
        elevations += [elevation] * len(shown) * _TIMES
    if not walls:
        return None
    zoom = np.exp(rng.normal(0, _ZOOM, len(walls)))
    cut = [_move(wall, rng) for wall in walls]
    widths = [wall.width(height, sample.foot) for wall, height in zip(cut, elevations, strict=True)]
    return MeasuredWindows(wall_windows(view, cut, zoom), np.array(widths) / zoom)


def _move(wall: Wall, rng: np.random.Generator) -> Wall:
    """Return the wall looked at a little above or below its face, and beside it."""
    height = wall.place[2] + float(rng.normal(0, _ABOVE))
    x, y = np.array(wall.place[:2]) + rng.normal(0, _BESIDE, 2)
    return wall._replace(place=(float(x), float(y), height))


if __name__ == "__main__":
    write_windows("Cut walls whose width is known from rendered boards.", "widths", cut_seen_walls)
