"""Apparent size: of two like tiles the one nearer to the camera looks larger.

From straight above parallax hardly tells heights, and a tile that lies a little beside the middle of its square hides
what it does tell. How large a face looks knows nothing of that. A network measures each face in the window it was
cut from; as all tiles of a set are equally large, faces that look larger than others lie higher. How large the
tiles are need not be known: every size is tried against all faces at once.

Faces and lean that explain each other are found in turns, as by A. Dempster et al., "Maximum likelihood from
incomplete data via the EM algorithm", 1977; faces measured quite wrongly are allowed for as by D. Hogg et al., "Data
analysis recipes: fitting a model to data", 2010.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.rectify import square_places, windows_at
from vision.geometry.reduced_view import ReducedView
from vision.geometry.visibility import VISIBLE
from vision.heights.elevations import SliceState
from vision.heights.plane_sweep import SLICE_STEP, SLICES
from vision.images import Image
from vision.networks import network, standardised
from vision.probability import log_softmax, logsumexp

Floats = npt.NDArray[np.float64]

SIZE_PX = 48
"""Side of a window, pixels; what the network was trained on, like the three that follow."""
SIZE_SPAN = 1.3
"""Squares that a window spans: a face and what surrounds it."""
SIZE_UNIT = 0.02
"""What the network tells sizes and their errors in, natural logarithms."""
SIZE_ERRORS = (-6.0, 3.0)
"""Range of the logarithm of an error, in that unit, that the network can mean."""
_SLICES: Floats = np.arange(1, SLICES, dtype=np.float64) * SLICE_STEP
"""Elevations at which a face may lie, cells."""
_WIDTHS = np.asarray(np.log(np.linspace(0.6, 1.05, 226)), dtype=np.float64)
"""Widths of a tile's face that are tried, cells, as logarithms: all that sets on sale have, and room around them."""


@dataclass(frozen=True)
class SizeModel:
    """How apparent sizes are weighed.

    Measured as a whole on the development sets and five lots of rendered games, where heights wrong in views tilted by
    less than 20 degrees went from 276 to 227 of 640 and from 389 to 334 of 4,096. What each figure adds by itself was
    not measured.

    Attributes:
        steepest: tilt of the camera, radians, from which parallax and walls tell all that sizes do.
        fewest: faces from which on comparing them tells something.
        errors: how many times larger than the network believes its errors are.
        set_spread: standard deviation of the logarithm by which the faces of one set differ.
        outliers: share of the faces whose size is mistaken altogether.
        lean_spread: standard deviation of what a pose a little askew adds to the logarithm from side to side.
        rounds: how often the lean is fitted anew: it and the heights depend on each other.
    """

    steepest: float = float(np.radians(25.0))
    fewest: int = 3
    errors: float = 1.3
    set_spread: float = 0.003
    outliers: float = 0.05
    lean_spread: float = 0.015
    rounds: int = 3

    @property
    def outlier_density(self) -> float:
        """Likelihood of any size, where it is mistaken."""
        return self.outliers / float(np.ptp(_WIDTHS))


MODEL = SizeModel()


def apparent_size_log_odds(view: ReducedView, state: SliceState) -> Floats:
    """Log odds (n, n, SLICES) of each slice from how large the faces look.

    Whether a tile is there at all stays as it was, and so do views from the side.
    """
    nothing = np.zeros_like(state.log_probs)
    tiles = (state.log_probs[..., 0] < np.log(0.5)) & (state.hidden < VISIBLE.hidden)
    if tiles.sum() < MODEL.fewest or view.tilt > MODEL.steepest:
        return nothing
    squares = [(int(row), int(col)) for row, col in np.argwhere(tiles)]
    chance = state.log_probs[tiles][:, 1:]
    looked = (1 + chance.argmax(axis=1)) * SLICE_STEP
    sizes, errors = read_sizes(size_windows(view.image, view.camera, square_places(squares, looked)))
    believed = log_softmax(chance)
    evidence = _joint_evidence(
        sizes + _nearness(view.camera, looked),
        np.hypot(MODEL.errors * errors, MODEL.set_spread),
        (np.array(squares) + 0.5) / view.size - 0.5,
        _nearness(view.camera, _SLICES),
        believed,
    )
    nothing[tiles, 1:] = logsumexp(chance)[:, None] + log_softmax(believed + evidence) - chance
    return nothing


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


def _nearness(camera: Camera, heights: Floats) -> Floats:
    """By how much, as a logarithm, things at `heights` (m,), cells, look larger than on the board.

    Planes parallel to the board look alike but for one factor, the ratio of their distances from the camera.
    """
    away = float(camera.position[2])
    return np.asarray(-np.log(np.maximum(1.0 - heights / away, 1e-3)), dtype=np.float64)


def _joint_evidence(seen: Floats, spread: Floats, at: Floats, near: Floats, believed: Floats) -> Floats:
    """Log evidence (m, SLICES - 1) of each face's slice, weighed by what the others say of the tiles' size.

    `seen` (m,) are the faces' sizes in the plane of the board, `spread` (m,) their errors, `at` (m, 2) their places
    from the middle of the board, over its side; `near` (SLICES - 1,) what each slice adds; `believed` (m, SLICES - 1)
    what is known of the slices, log probabilities.
    """
    given: Floats = np.exp(believed)
    lean: Floats = np.zeros(2)
    for _ in range(MODEL.rounds):
        likelihoods = _likelihoods(seen - at @ lean, spread, near)
        lean = _lean(seen, spread, at, near, given[:, :, None] * likelihoods)
    likelihoods = _likelihoods(seen - at @ lean, spread, near)
    each = np.log(np.einsum("ms,msw->mw", given, likelihoods))
    others = np.exp(log_softmax(each.sum(axis=0) - each))
    return np.asarray(np.log(np.einsum("msw,mw->ms", likelihoods, others)), dtype=np.float64)


def _likelihoods(seen: Floats, spread: Floats, near: Floats) -> Floats:
    """Likelihood (m, SLICES - 1, sizes) of each face's slice and each size of the tiles."""
    off = (seen[:, None, None] - near[:, None] - _WIDTHS) / spread[:, None, None]
    measured = np.exp(-0.5 * off**2) / (spread[:, None, None] * np.sqrt(2 * np.pi))
    return np.asarray((1.0 - MODEL.outliers) * measured + MODEL.outlier_density, dtype=np.float64)


def _lean(seen: Floats, spread: Floats, at: Floats, near: Floats, joint: Floats) -> Floats:
    """What sizes seem to grow by from row to row and from column to column over the whole board, (2,).

    `joint` (m, SLICES - 1, sizes) says how probable each slice and size of the tiles are by each face alone. Least
    squares held near to none: a pose a little askew, not stacks that grow to one side.
    """
    each = joint.sum(axis=1)
    size = np.exp(log_softmax(np.log(each).sum(axis=0)))
    weights = joint * (size / each)[:, None, :]
    left = seen - np.einsum("msw,s->m", weights, near) - np.einsum("msw,w->m", weights, _WIDTHS)
    right = (1.0 - MODEL.outlier_density / each) @ size
    sure = (at * (right / spread**2)[:, None]).T
    return np.asarray(
        np.linalg.solve(sure @ at + np.eye(2) / MODEL.lean_spread**2, sure @ left), dtype=np.float64
    )
