"""Apparent size: of two like tiles the one nearer to the camera looks larger.

From straight above parallax hardly tells heights, and a tile that lies a little beside the middle of its square hides
what it does tell. How large a face looks knows nothing of that. A network measures each face in the window it was
cut from; what that says of the heights is weighed in `vision.heights.from_above`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, square_places, windows_at
from vision.heights.elevations import SliceState, unmeasured
from vision.heights.plane_sweep import SLICE_STEP
from vision.hidden.occlusion import VISIBLE
from vision.images import Image
from vision.networks import network, standardised

Floats = npt.NDArray[np.float64]

SIZE_PX = 48
"""Side of a window, pixels; what the network was trained on, like the three that follow."""
SIZE_SPAN = 1.3
"""Squares that a window spans: a face and what surrounds it."""
SIZE_UNIT = 0.02
"""What the network tells sizes and their errors in, natural logarithms."""
SIZE_ERRORS = (-6.0, 3.0)
"""Range of the logarithm of an error, in that unit, that the network can mean."""
STEEPEST = float(np.radians(25.0))
"""Tilt of the camera, radians, from which parallax and walls tell all that sizes do."""
FEWEST = 3
"""Faces from which on comparing them tells something."""


def apparent_sizes(view: ReducedView, state: SliceState) -> Floats:
    """How large the faces look, (n, n, 2): the logarithm of each one's width, squares, and its standard error.

    Widths are told as the faces would measure them if they lay on the board. Errors are infinite where no face was
    measured: on bare and hidden squares, and in views from the side and of few tiles everywhere.
    """
    told = unmeasured(state.hidden.shape)
    squares, looked = faces_from_above(view, state)
    if squares:
        sizes, errors = read_sizes(size_windows(view.image, view.camera, square_places(squares, looked)))
        rows, cols = np.array(squares).T
        told[rows, cols] = np.column_stack([sizes + nearness(looked, float(view.camera.position[2])), errors])
    return told


def faces_from_above(
    view: ReducedView, state: SliceState, steepest: float = STEEPEST
) -> tuple[list[tuple[int, int]], Floats]:
    """The squares (row, col) of the faces that are measured, and their likeliest elevations (m,), cells.

    None where the camera is tilted by more than `steepest`, radians, and where there are too few to be compared.
    """
    tiles = (state.log_probs[..., 0] < np.log(0.5)) & (state.hidden < VISIBLE.hidden)
    if tiles.sum() < FEWEST or view.tilt > steepest:
        return [], np.zeros(0)
    looked = (1 + state.log_probs[tiles][:, 1:].argmax(axis=1)) * SLICE_STEP
    return [(int(row), int(col)) for row, col in np.argwhere(tiles)], looked


def size_windows(image: Image, camera: Camera, places: npt.ArrayLike, zoom: npt.ArrayLike = 1.0) -> Image:
    """Windows (m, SIZE_PX, SIZE_PX, 3) around board points `places` (m, 3).

    They are SIZE_SPAN squares wide, `zoom` times as wide, a number or (m,), in training.
    """
    return windows_at(image, camera, places, SIZE_PX, SIZE_SPAN * np.asarray(zoom))


def read_sizes(windows: Image) -> tuple[Floats, Floats]:
    """Logarithms (m,) of the faces' widths, over a square in the plane of their window, and their standard errors.

    `windows` (m, SIZE_PX, SIZE_PX, 3) are those of `size_windows`.
    """
    out = network("sizes")(standardised(windows)).astype(np.float64)
    return out[:, 0] * SIZE_UNIT, np.exp(np.clip(out[:, 1], *SIZE_ERRORS)) * SIZE_UNIT


def nearness(elevations: Floats, away: float) -> Floats:
    """By how much, as a logarithm, things at `elevations` (...), cells, look larger than on the board.

    Planes parallel to the board look alike but for one factor, the ratio of their distances from the camera, which is
    `away` cells above the board.
    """
    return np.asarray(-np.log(np.maximum(1.0 - elevations / away, 1e-3)), dtype=np.float64)
