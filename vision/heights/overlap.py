"""Faces that more than one square claims.

A face high on a near square and a lower one on the square behind it fall on the same place in the picture. Seen by
itself each square may claim it; but one face belongs to one stack, and a nearer stack hides what lies behind. The
claims are weighed against each other, over and over, until they agree: mean-field inference (D. Koller and
N. Friedman, "Probabilistic Graphical Models", 2009, section 11.5) of a model in which overlapping faces exclude
each other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView
from vision.geometry.tile_shape import TILE
from vision.heights.elevations import SliceState
from vision.heights.plane_sweep import SLICE_STEP

Floats = npt.NDArray[np.float64]

_CLAIM = 0.004
"""Probability from which a face at an elevation counts as claimed; keeps the claims few. By eye, not measured."""
_SHARED = (0.25, 0.55)
"""Overlap, as a share of a face, from which two faces begin to exclude each other, and at which they do. By eye, not
measured."""
_OVER_LOWER, _OVER_HIGHER = 0.99, 0.9
"""How far a face excludes a lower one that it overlaps, and a higher one: the higher is nearer, and hides the other.
By eye; with the step that brought this in, heights seen from the side in the development sets went from 97 to 98 %."""
_FOOLED = 0.1
"""How often a bare square behind a high stack passes for one that bears the stack's face. By eye, not measured."""
_ROUNDS = 6
"""Times the claims are weighed: enough for a chain of stacks to agree. By eye, not measured."""


def overlap_log_odds(view: ReducedView, state: SliceState) -> Floats:
    """Log odds (n, n, SLICES) by which other squares' claims to a square's faces change what is believed of it."""
    return resolve_overlaps(view.camera, state.log_probs, state.expected) - state.log_probs


def resolve_overlaps(camera: Camera, elevations: Floats, expected: Floats | None = None) -> Floats:
    """Log probabilities (n, n, k) of the faces' slices, now that no face is claimed twice.

    `elevations` (n, n, k) are those of each square by itself, slices `SLICE_STEP` apart, the first for an empty square.
    `expected` (n, n, k), a log prior, tells whose claims weigh more; it is not in the probabilities of any square.
    """
    size = len(elevations)
    chance = np.exp(elevations).reshape(size * size, -1)
    prior = np.ones_like(chance) if expected is None else np.exp(expected).reshape(chance.shape)
    believed = _shares(chance * prior)
    square, level = np.nonzero(np.maximum(chance, believed)[:, 1:] > _CLAIM)
    if not len(square):
        return elevations
    overlaps = _overlaps(camera, square, level + 1, size)
    overlaps[square[:, None] == square] = 0.0
    hides = overlaps * (level > level[:, None])
    excludes = _OVER_LOWER * hides + _OVER_HIGHER * (overlaps - hides)
    owner = np.zeros((size * size, len(square)))
    owner[square, np.arange(len(square))] = 1.0
    claimed = chance[square, level + 1]
    for _ in range(_ROUNDS):
        claims = believed[square, level + 1]
        # what each square holds against each claim: any of its own faces that overlap
        free = np.prod(1.0 - np.clip(owner @ (excludes * claims).T, 0.0, 1.0), axis=0)
        behind = 1.0 - np.prod(1.0 - np.clip(owner @ (hides * claims).T, 0.0, 1.0), axis=0)
        weighed = chance.copy()
        weighed[square, level + 1] *= free
        weighed[:, 0] += _FOOLED * (owner @ (claimed * behind))
        believed = 0.5 * (believed + _shares(weighed * prior))
    return np.asarray(np.log(_shares(weighed) + 1e-9).reshape(elevations.shape), dtype=np.float64)


def _shares(weights: Floats) -> Floats:
    """Weights (m, k) as probabilities, each row by itself."""
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)


def _overlaps(
    camera: Camera, square: npt.NDArray[np.int64], level: npt.NDArray[np.int64], size: int
) -> Floats:
    """How far (m, m) each claimed face excludes each other: 0 where they lie apart, 1 where one covers the other."""
    x, y, z = square % size + 0.5, square // size + 0.5, level * SLICE_STEP
    pixels = camera.project(np.column_stack([x, y, z]))
    apart = np.empty((len(square), len(square), 2))
    for height in np.unique(level):
        rows = level == height
        seen = camera.to_board(pixels, height * SLICE_STEP)
        apart[rows] = seen[None] - np.column_stack([x, y])[rows, None]
    shared = np.clip(1.0 - np.abs(apart) / TILE.footprint, 0.0, None).prod(axis=-1)
    shared = np.minimum(shared, shared.T)
    return np.asarray(np.interp(shared, _SHARED, (0.0, 1.0)), dtype=np.float64)
