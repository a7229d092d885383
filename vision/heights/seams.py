"""Measuring the thickness of a layer from the seams on the side walls of stacks.

Down a stack's near wall every layer ends in a dark seam: brightness along the height is periodic, and the period is
the layer. All walls of a picture are searched for one period together (a periodogram with a common phase, which
takes up how far the walls stand back from the squares' edges).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView
from vision.geometry.tile_shape import TILE
from vision.heights.elevations import SliceState
from vision.heights.thickness import THICKNESSES

Floats = npt.NDArray[np.float64]

_ACROSS = TILE.seam_span * np.linspace(-1.0, 1.0, 13)
"""Places along a wall, cells from its middle, whose mean is taken."""


@dataclass(frozen=True)
class SeamSearch:
    """How seams are looked for; chosen by eye, not measured, where nothing else is said.

    Attributes:
        step: distance, cells, of the samples down a wall.
        least_top: elevation, cells, of a face from which its walls are looked at: two layers of the thinnest sets.
        edge: how far below a face its wall's samples end, cells: the face's own edge is no seam.
        least_samples: samples, a quarter of a cell, without which a wall tells nothing.
        smooth: samples over which slow changes are taken out: about the thickest layer.
        phase: standard deviation, cells, of how far walls seem to stand off their place, and
        phases: how far, both ways, that is tried.
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
    """How well each of THICKNESSES agrees with the seams seen, (m,) log likelihood ratios.

    The camera looks from the lower side of the board (`quarter_towards_camera`).
    """
    return seam_scores(view, state.tops(), THICKNESSES)


def seam_scores(view: ReducedView, tops: Floats, layers: Floats) -> Floats:
    """How well each of the thicknesses `layers` (m,) agrees with the seams below faces at `tops` (n, n), cells."""
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
    # one sum serves all phases; seams are dark, so the wave that fits runs against the brightness
    total = -(waves * np.exp(-2j * np.pi * _PHASES[:, None] / layers)).real
    scores = total / np.sqrt(max(samples, 1)) - 0.5 * (_PHASES[:, None] / SEARCH.phase) ** 2
    return np.asarray(scores.max(axis=0), dtype=np.float64)


def _profile(grey: npt.NDArray[np.uint8], camera: Camera, row: int, col: int, heights: Floats) -> Floats:
    """Brightness along a near wall at `heights`, slow changes taken out, of about unit deviation."""
    z, x = np.meshgrid(heights, _ACROSS, indexing="ij")
    places = np.stack([col + 0.5 + x, np.full_like(x, row + 0.5 + TILE.seam_wall), z], axis=-1)
    maps = camera.project(places).astype(np.float32)
    seen = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = np.asarray(seen, dtype=np.float64).mean(axis=1)
    padded = np.pad(values, SEARCH.smooth // 2, mode="edge")
    detail = values - np.convolve(padded, np.ones(SEARCH.smooth) / SEARCH.smooth, "valid")
    return np.asarray(detail / (detail.std() + 2.0), dtype=np.float64)
