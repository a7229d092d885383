"""Where the grid's border lies: phases cannot tell one square from the next, the map of what is inside can."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt

from vision.board.lattice import rough_camera
from vision.board.sightings import LATTICE_MARGIN, take_sightings
from vision.geometry.camera import Camera, grid_corners
from vision.images import Image

Floats = npt.NDArray[np.float64]

SIDES = (((3, 0), 0), ((1, 2), 0), ((0, 1), 1), ((2, 3), 1))
"""Corners and axis of the left, right, upper and lower side."""
_MOVES = (*SIDES, *(((corner,), axis) for corner in range(4) for axis in (0, 1)))
"""Sides first, then corners by themselves."""
_STEPS, _PASSES, _LEAST_GAIN = (1.0, 0.5, 0.25), 3, 0.3
"""Squares by which borders are moved, how often with each, and the gain in log likelihood from which one is; by eye."""
_CLIP = (0.02, 0.98)
"""Range of the network's probabilities that are believed. By eye, not measured."""
_SOFT = 6.0
"""How sharply a square counts as inside, log odds for a cell. By eye, not measured."""


def cameras_at_border(image: Image, camera: Camera, size: int, shifts: int) -> Iterator[Camera]:
    """Cameras whose n x n grid may have its border where the picture (h, w, 3) shows it, likeliest first.

    The first has the quadrilateral that agrees best; then come the `shifts` likeliest of those that have a side, or
    the whole grid, a square aside.
    """
    sure = _log_odds(take_sightings(image, camera, size).inside)
    shifted = sorted(_shifted_grids(size), key=lambda quad: -_agreement(quad, sure))
    for quad in (_best_border(sure, size), *shifted[:shifts]):
        corners = camera.project(np.column_stack([quad, np.zeros(4)]))
        yield rough_camera(image, corners, size, like=camera)


def _log_odds(inside: Floats) -> Floats:
    """Log odds (k, k) that a square belongs to the grid."""
    return np.asarray(
        np.log(np.clip(inside, *_CLIP)) - np.log(np.clip(1.0 - inside, *_CLIP)), dtype=np.float64
    )


def _shifted_grids(size: int) -> Iterator[Floats]:
    """The grid's corners (4, 2), board coordinates, with a side or the whole grid a square aside."""
    whole = tuple(((0, 1, 2, 3), axis) for axis in (0, 1))
    for (corners, axis), step in product((*SIDES, *whole), (-1.0, 1.0)):
        quad = grid_corners(size)
        quad[list(corners), axis] += step
        yield quad


def _best_border(sure: Floats, size: int) -> Floats:
    """The corners (4, 2), in board coordinates, of the quadrilateral that agrees best with the log odds `sure`.

    Phases cannot tell one square from the next: this can. Found by moving one corner coordinate at a time.
    """
    quad = grid_corners(size)
    best = _agreement(quad, sure)
    for step in _STEPS:
        for _ in range(_PASSES):
            before = best
            for (corners, axis), change in product(_MOVES, (-step, step)):
                trial = quad.copy()
                trial[list(corners), axis] += change
                score = _agreement(trial, sure)
                if score > best + _LEAST_GAIN:
                    quad, best = trial, score
            if best == before:
                break
    return quad


def _agreement(quad: Floats, sure: Floats) -> float:
    """Log likelihood of the log odds `sure` (k, k) of squares around the grid for a border (4, 2), clockwise."""
    at = np.arange(len(sure)) - LATTICE_MARGIN + 0.5
    sides = np.roll(quad, -1, axis=0) - quad
    along = (sides / np.maximum(np.linalg.norm(sides, axis=1), 1e-6)[:, None])[:, :, None, None]
    away = at[:, None] - quad[:, 1, None, None], at[None, :] - quad[:, 0, None, None]
    beyond = along[:, 0] * away[0] - along[:, 1] * away[1]
    within = np.prod(1.0 / (1.0 + np.exp(np.clip(-_SOFT * beyond, -30, 30))), axis=0)
    return float((sure * within).sum())
