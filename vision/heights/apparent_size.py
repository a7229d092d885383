"""Apparent size: of two equal tiles the one nearer to the camera looks larger.

From straight above parallax hardly shows heights, and a tile that lies off the middle of its square hides even that.
The apparent size of a face doesn't depend on its place. A network measures each face in a window around it.
`vision.heights.from_above` then weighs what the sizes say about the heights.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, square_places, windows_at
from vision.heights.elevations import SliceState, unmeasured
from vision.heights.plane_sweep import SLICE_STEP
from vision.hidden.occlusion import VISIBLE
from vision.images import Image
from vision.networks import network, standardised

SIZE_PX = 48
"""Side of a window, pixels. The network was trained with it and with the other three SIZE constants."""
SIZE_SPAN = 1.3
"""Squares that a window spans: a face and its surroundings."""
SIZE_UNIT = 0.02
"""Unit of the network's sizes and errors, natural logarithms."""
SIZE_ERRORS = (-6.0, 3.0)
"""Range of the logarithm of an error, in SIZE_UNIT, that the network can give."""
STEEPEST = float(np.radians(25.0))
"""Largest tilt of the camera, radians, at which sizes add anything to parallax and walls. [by eye]"""
FEWEST = 3
"""Least number of faces that can be compared. [by eye]"""


def apparent_sizes(view: ReducedView, state: SliceState) -> Floats:
    """Measure the faces' apparent widths, (n, n, 2): the logarithm of each width, squares, and its standard error.

    A width is given on the scale of the board's plane. The error is infinite if a face wasn't measured: on bare and
    hidden squares, and everywhere in views from the side and with few tiles.
    """
    measured = unmeasured(state.hidden.shape)
    squares, elevations = faces_from_above(view, state)
    if squares:
        sizes, errors = read_sizes(size_windows(view.image, view.camera, square_places(squares, elevations)))
        rows, cols = np.array(squares).T
        larger = log_magnification(elevations, float(view.camera.position[2]))
        measured[rows, cols] = np.column_stack([sizes + larger, errors])
    return measured


def faces_from_above(
    view: ReducedView, state: SliceState, steepest: float = STEEPEST
) -> tuple[list[tuple[int, int]], Floats]:
    """Return the squares (row, col) of m faces to be measured, and their likeliest elevations (m,), cells.

    Return no faces if the camera is tilted by more than `steepest`, radians, or if there are fewer than FEWEST.
    """
    tiles = (state.log_probs[..., 0] < np.log(0.5)) & (state.hidden < VISIBLE.hidden)
    if tiles.sum() < FEWEST or view.tilt > steepest:
        return [], np.zeros(0)
    elevations = (1 + state.log_probs[tiles][:, 1:].argmax(axis=1)) * SLICE_STEP
    return [(int(row), int(col)) for row, col in np.argwhere(tiles)], elevations


def size_windows(image: Image, camera: Camera, places: npt.ArrayLike, zoom: npt.ArrayLike = 1.0) -> Image:
    """Cut windows (m, SIZE_PX, SIZE_PX, 3), SIZE_SPAN squares wide (times `zoom` in training), at `places` (m, 3)."""
    return windows_at(image, camera, places, SIZE_PX, SIZE_SPAN * np.asarray(zoom))


def read_sizes(windows: Image) -> tuple[Floats, Floats]:
    """Read the logarithms (m,) of the faces' widths, squares, and their errors (m,) from windows of `size_windows`."""
    out = network("sizes")(standardised(windows)).astype(np.float64)
    return out[:, 0] * SIZE_UNIT, np.exp(np.clip(out[:, 1], *SIZE_ERRORS)) * SIZE_UNIT


def log_magnification(elevations: Floats, away: float) -> Floats:
    """Return the logarithm of how much larger things at `elevations` (...), cells, look than on the board.

    Planes parallel to the board look alike except for one factor, the ratio of their distances from the camera. The
    camera is `away` cells above the board.
    """
    return -np.log(np.maximum(1.0 - elevations / away, 1e-3))
