"""Measurement of the thickness of a layer from the seams on the side walls of stacks.

On a stack's near wall every layer ends in a dark seam. So the brightness along the height is periodic, and its period
is the thickness of a layer. All walls of a picture are searched for one common period (a periodogram). Their common
phase allows for the distance of the walls from the squares' edges.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView
from vision.geometry.tile_shape import TILE
from vision.heights.elevations import SliceState
from vision.heights.thickness import THICKNESSES

_ACROSS = TILE.seam_span * np.linspace(-1.0, 1.0, 13)
"""Places along a wall, cells from its middle, over which brightness is averaged. [by eye]"""


@dataclass(frozen=True)
class SeamSearch:
    """The limits of the search for seams. [by eye]

    Attributes:
        step: distance of the samples down a wall, cells.
        least_top: least elevation of a face whose walls are examined, cells: two layers of the thinnest sets.
        edge: distance below a face at which its wall's samples end, cells, because the face's own edge is no seam.
        least_samples: least samples of a wall that counts, a quarter of a cell.
        smooth: samples over which slow changes are removed, about the thickest layer.
        phase: standard deviation of the apparent offset of walls from their place, cells.
        phases: largest offset that is tried each way, cells.
    """

    step: float = 0.01
    least_top: float = 0.35
    edge: float = 0.05
    least_samples: int = 25
    smooth: int = 31
    phase: float = 0.05
    phases: float = 0.12


SEARCH = SeamSearch()
_PHASES = np.linspace(-SEARCH.phases, SEARCH.phases, 13)


def seam_log_odds(view: ReducedView, state: SliceState) -> Floats:
    """Return the log likelihood ratio (m,) of each of THICKNESSES by the seams in the view.

    The camera must stand on the lower side of the board (`quarter_towards_camera`).
    """
    return seam_scores(view, state.tops(), THICKNESSES)


def seam_scores(view: ReducedView, tops: Floats, layers: Floats) -> Floats:
    """Return the log likelihood ratio (m,) of the thicknesses `layers` (m,) by the seams below faces.

    `tops` (n, n) are the faces' elevations. All lengths are in cells.
    """
    image, camera = view.image, view.camera
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    size = len(tops)
    waves, samples = np.zeros(len(layers), dtype=np.complex128), 0
    for row, col in np.argwhere(tops > SEARCH.least_top):
        below = float(tops[row + 1, col]) if row + 1 < size else 0.0
        heights = np.arange(below, tops[row, col] - SEARCH.edge, SEARCH.step)
        if len(heights) >= SEARCH.least_samples:
            profile = _profile(grey, camera, int(row), int(col), heights)
            waves += profile @ np.exp(2j * np.pi * heights[:, None] / layers)
            samples += len(heights)
    # One sum serves all phases. Seams are dark, so the wave that fits runs against the brightness.
    total = -(waves * np.exp(-2j * np.pi * _PHASES[:, None] / layers)).real
    scores = total / np.sqrt(max(samples, 1)) - 0.5 * (_PHASES[:, None] / SEARCH.phase) ** 2
    return np.asarray(scores.max(axis=0), dtype=np.float64)


def _profile(grey: npt.NDArray[np.uint8], camera: Camera, row: int, col: int, heights: Floats) -> Floats:
    """Return the brightness of a near wall at `heights` (k,), without slow changes, scaled to about unit deviation."""
    z, x = np.meshgrid(heights, _ACROSS, indexing="ij")
    places = np.stack([col + 0.5 + x, np.full_like(x, row + 0.5 + TILE.seam_wall), z], axis=-1)
    maps = camera.project(places).astype(np.float32)
    wall = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = np.asarray(wall, dtype=np.float64).mean(axis=1)
    padded = np.pad(values, SEARCH.smooth // 2, mode="edge")
    detail = values - np.convolve(padded, np.ones(SEARCH.smooth) / SEARCH.smooth, "valid")
    return np.asarray(detail / (detail.std() + 2.0), dtype=np.float64)
