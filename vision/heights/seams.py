"""Measuring the thickness of a layer from the seams on the side walls of stacks.

Down a stack's near wall every layer ends in a dark seam: brightness along the height is periodic, and the period is
the layer. All walls of a picture are searched for one period together (a periodogram with a common phase, which
takes up how far the walls stand back from the squares' edges).
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.images import Image

Floats = npt.NDArray[np.float64]

_WALL = 0.47
"""Distance (squares) of a near wall from the middle of its square."""
_ACROSS = np.linspace(-0.28, 0.28, 13)
_STEP = 0.01
_LEAST_SAMPLES = 25
_SMOOTH = 31
_PHASES = np.linspace(-0.12, 0.12, 13)
_PHASE_SPREAD = 0.05


def seam_scores(image: Image, camera: Camera, tops: Floats, layers: Floats) -> Floats:
    """How well each thickness of `layers` (m,) cells agrees with the seams seen, (m,) log likelihood ratios.

    `camera` looks from the lower side of the board (`quarter_towards_camera`); `tops` (n, n) are the elevations of
    the stacks' faces, cells.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    size = len(tops)
    waves, samples = np.zeros(len(layers), dtype=np.complex128), 0
    for row, col in np.argwhere(tops > 0.35):
        below = float(tops[row + 1, col]) if row + 1 < size else 0.0
        heights = np.arange(below, tops[row, col] - 0.05, _STEP)
        if len(heights) >= _LEAST_SAMPLES:
            profile = _profile(grey, camera, int(row), int(col), heights)
            waves += profile @ np.exp(2j * np.pi * heights[:, None] / layers)
            samples += len(heights)
    # one sum serves all phases; seams are dark, so the wave that fits runs against the brightness
    total = -(waves * np.exp(-2j * np.pi * _PHASES[:, None] / layers)).real
    scores = total / np.sqrt(max(samples, 1)) - 0.5 * (_PHASES[:, None] / _PHASE_SPREAD) ** 2
    return np.asarray(scores.max(axis=0), dtype=np.float64)


def _profile(grey: npt.NDArray[np.uint8], camera: Camera, row: int, col: int, heights: Floats) -> Floats:
    """Brightness along a near wall at `heights`, slow changes taken out, of about unit deviation."""
    z, x = np.meshgrid(heights, _ACROSS, indexing="ij")
    places = np.stack([col + 0.5 + x, np.full_like(x, row + 0.5 + _WALL), z], axis=-1)
    maps = camera.project(places).astype(np.float32)
    seen = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = np.asarray(seen, dtype=np.float64).mean(axis=1)
    padded = np.pad(values, _SMOOTH // 2, mode="edge")
    detail = values - np.convolve(padded, np.ones(_SMOOTH) / _SMOOTH, "valid")
    return np.asarray(detail / (detail.std() + 2.0), dtype=np.float64)
