"""Faces that more than one square claims.

A face high on a near square and a lower face on the square behind it appear at the same place in the picture. Each
square alone may claim it. But a face belongs to one stack, and a nearer stack hides the squares behind it. The claims
are weighed against each other, over and over, until they agree. This is mean-field inference (D. Koller and
N. Friedman, "Probabilistic Graphical Models", 2009, section 11.5) of a model in which overlapping faces exclude each
other.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats, Ints
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView
from vision.geometry.tile_shape import TILE
from vision.heights.elevations import SliceState
from vision.heights.plane_sweep import SLICE_STEP

_LEAST_CLAIM = 0.004
"""Probability from which a square claims a face at an elevation. It keeps the claims few. [by eye]"""
_OVERLAP_RANGE = (0.25, 0.55)
"""Overlaps, as shares of a face, at which two faces begin to exclude each other and exclude each other fully.
[by eye]"""
_EXCLUDES_LOWER, _EXCLUDES_HIGHER = 0.99, 0.9
"""Weights with which a face excludes a lower one that it overlaps, and a higher one. The higher face is nearer and
hides the other. With the change that introduced this, the share of right heights seen from the side in the development
sets rose from 97 to 98 %. [by eye]"""
_MISTAKEN_CLAIM = 0.1
"""How often a bare square behind a high stack seems to bear that stack's face. [by eye]"""
_ROUNDS = 6
"""Number of times the claims are weighed, enough for a chain of stacks to agree. [by eye]"""


def overlap_log_odds(view: ReducedView, state: SliceState) -> Floats:
    """Return the log odds (n, n, SLICES) by which other squares' claims change the belief about each square."""
    return resolve_overlaps(view.camera, state.log_probs, state.expected) - state.log_probs


def resolve_overlaps(camera: Camera, elevations: Floats, expected: Floats | None = None) -> Floats:
    """Return the log probabilities (n, n, k) of the faces' slices after all claims to the same face are settled.

    `elevations` (n, n, k) are the log probabilities of each square alone, for slices `SLICE_STEP` apart. The first
    slice means no face. `expected` (n, n, k), a log prior, says whose claims weigh more. The result doesn't contain it.
    """
    size = len(elevations)
    chance = np.exp(elevations).reshape(size * size, -1)
    prior = np.ones_like(chance) if expected is None else np.exp(expected).reshape(chance.shape)
    believed = _normalise_rows(chance * prior)
    square, level = np.nonzero(np.maximum(chance, believed)[:, 1:] > _LEAST_CLAIM)
    if not len(square):
        return elevations
    overlaps = _overlaps(camera, square, level + 1, size)
    overlaps[square[:, None] == square] = 0.0
    hides = overlaps * (level > level[:, None])
    excludes = _EXCLUDES_LOWER * hides + _EXCLUDES_HIGHER * (overlaps - hides)
    owner = np.zeros((size * size, len(square)))
    owner[square, np.arange(len(square))] = 1.0
    claimed = chance[square, level + 1]
    for _ in range(_ROUNDS):
        claims = believed[square, level + 1]
        # A square's own overlapping faces speak against each claim of another square.
        free = np.prod(1.0 - np.clip(owner @ (excludes * claims).T, 0.0, 1.0), axis=0)
        behind = 1.0 - np.prod(1.0 - np.clip(owner @ (hides * claims).T, 0.0, 1.0), axis=0)
        weighed = chance.copy()
        weighed[square, level + 1] *= free
        weighed[:, 0] += _MISTAKEN_CLAIM * (owner @ (claimed * behind))
        believed = 0.5 * (believed + _normalise_rows(weighed * prior))
    return np.log(_normalise_rows(weighed) + 1e-9).reshape(elevations.shape)


def _normalise_rows(weights: Floats) -> Floats:
    """Scale each row of weights (m, k) to a sum of 1."""
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)


def _overlaps(camera: Camera, square: Ints, level: Ints, size: int) -> Floats:
    """Return how far (m, m) the claimed faces exclude each other: 0 if they lie apart, 1 if one covers the other."""
    x, y, z = square % size + 0.5, square // size + 0.5, level * SLICE_STEP
    pixels = camera.project(np.column_stack([x, y, z]))
    apart = np.empty((len(square), len(square), 2))
    for height in np.unique(level):
        rows = level == height
        places = camera.to_board(pixels, height * SLICE_STEP)
        apart[rows] = places[None] - np.column_stack([x, y])[rows, None]
    shared = np.clip(1.0 - np.abs(apart) / TILE.footprint, 0.0, None).prod(axis=-1)
    shared = np.minimum(shared, shared.T)
    return np.asarray(np.interp(shared, _OVERLAP_RANGE, (0.0, 1.0)), dtype=np.float64)
