"""Fitting the whole lattice: from a rough quadrilateral to a camera precise to a few hundredths of a square.

The board is rectified with the camera so far; a network tells for every square how far it really lies from where
it should be, and how sure it is of that (tiles hide the board, glare and hands too); the camera is fitted to all of
these sightings at once. Two or three rounds settle it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.camera import Camera, homography_from_corners
from vision.fitting import CameraFit, Correspondences, fit_camera, initial_camera
from vision.images import Image
from vision.networks import network
from vision.warp import normalised, rectify, shrink_to_pitch

Floats = npt.NDArray[np.float64]

LATTICE_PX = 16
LATTICE_MARGIN = 2
_ROUNDS = 4
_SETTLED = 0.015
"""Mean displacement (cells) at which another round would change nothing that matters."""
_CORRELATED = 2.5
"""Neighbouring sightings err together: their spread is widened so that the fit does not count them as independent."""


@dataclass(frozen=True)
class Lattice:
    """The fitted grid.

    Attributes:
        fit: the camera and its quality.
        spread: median of the network's own spread over the grid's squares, cells: large where no lattice is.
    """

    fit: CameraFit
    spread: float


def fit_lattice(image: Image, corners: npt.ArrayLike, size: int, *, focal: float | None = None) -> Lattice:
    """The lattice of an n x n board near `corners` (4, 2) px, any of them first, clockwise."""
    height, width = image.shape[:2]
    camera = initial_camera(homography_from_corners(corners, size), (width, height), focal)
    return refine_lattice(image, camera, size)


def refine_lattice(
    image: Image, camera: Camera, size: int, *, rounds: int = _ROUNDS, known_lens: bool = False
) -> Lattice:
    """The lattice near that of `camera`."""
    height, width = image.shape[:2]
    fit, spread = CameraFit(camera, float("inf"), 0.0, float("inf")), float("inf")
    for _ in range(rounds):
        moved, spreads = sight(image, camera, size)
        points = _correspondences(camera, size, moved, spreads)
        fit = fit_camera(camera, points, (width, height), size, known_lens=known_lens)
        camera = fit.camera
        inner = slice(LATTICE_MARGIN, LATTICE_MARGIN + size)
        spread = float(np.median(spreads[inner, inner]))
        weight = 1.0 / spreads**2
        if float((np.linalg.norm(moved, axis=-1) * weight).sum() / weight.sum()) < _SETTLED:
            break
    return Lattice(fit, spread)


def sight(image: Image, camera: Camera, size: int) -> tuple[Floats, Floats]:
    """Displacement (k, k, 2) and spread (k, k), cells, of every square and of two squares around the grid."""
    small, reduced = shrink_to_pitch(image, camera, size, LATTICE_PX)
    canvas = rectify(small, reduced, size, LATTICE_PX, LATTICE_MARGIN)
    out = network("lattice")(normalised(canvas)[None])[0].astype(np.float64)
    return out[:2].transpose(1, 2, 0), np.exp(np.clip(out[2], -7.0, 3.0))


def _correspondences(camera: Camera, size: int, moved: Floats, spreads: Floats) -> Correspondences:
    """Sightings of the grid's squares and of one square around it, as board points and pixels."""
    ring = slice(LATTICE_MARGIN - 1, LATTICE_MARGIN + size + 1)
    at = np.arange(-1, size + 1) + 0.5
    x, y = np.meshgrid(at, at)
    nominal = np.stack([x, y], axis=-1).reshape(-1, 2)
    board = nominal + moved[ring, ring].reshape(-1, 2)
    ground = np.zeros(len(nominal))
    pixels = camera.project(np.column_stack([nominal, ground]))
    reach = camera.project(np.column_stack([nominal + (0.5, 0.5), ground])) - camera.project(
        np.column_stack([nominal - (0.5, 0.5), ground])
    )
    pitch = np.linalg.norm(reach, axis=1) / np.sqrt(2)
    return Correspondences(board, pixels, _CORRELATED * spreads[ring, ring].reshape(-1) * pitch + 0.05)
