"""Fitting the whole lattice: from a rough quadrilateral to a camera precise to a few hundredths of a square.

The board is rectified with the camera so far; a network tells for every square how far it really lies from where
it should be, and how sure it is of that (tiles hide the board, glare and hands too); the camera is fitted to all of
these sightings at once. Two or three rounds settle it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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

    @property
    def doubt(self) -> float:
        """The spread, widened where squares do not agree with the fit; large where there is no such board."""
        return self.spread / max(self.fit.inliers, 0.1) ** 2


def fit_lattice(image: Image, corners: npt.ArrayLike, size: int, *, focal: float | None = None) -> Lattice:
    """The lattice of an n x n board near `corners` (4, 2) px, any of them first, clockwise."""
    height, width = image.shape[:2]
    camera = initial_camera(homography_from_corners(corners, size), (width, height), focal)
    return refine_lattice(image, camera, size)


def given_lattice(image: Image, corners: npt.ArrayLike, size: int) -> Lattice:
    """The lattice of corners (4, 2) px that are taken as they are."""
    height, width = image.shape[:2]
    camera = initial_camera(homography_from_corners(corners, size), (width, height))
    return Lattice(CameraFit(camera, 1.0, 1.0, 0.05), 0.05)


def refine_lattice(
    image: Image, camera: Camera, size: int, *, rounds: int = _ROUNDS, known_lens: bool = False
) -> Lattice:
    """The lattice near that of `camera`."""
    height, width = image.shape[:2]
    fit, seen = CameraFit(camera, float("inf"), 0.0, float("inf")), None
    for _ in range(rounds):
        seen = sight(image, camera, size)
        shift = _whole_squares_off(seen.inside, size)
        if shift.any():
            camera = replace(camera, translation=camera.translation + camera.rotation @ (*shift, 0.0))
            continue
        points = _correspondences(camera, size, seen)
        fit = fit_camera(camera, points, (width, height), size, known_lens=known_lens)
        camera = fit.camera
        weight = 1.0 / seen.spread**2
        if float((np.abs(seen.moved) * weight).sum() / weight.sum()) < _SETTLED:
            break
    inner = slice(LATTICE_MARGIN, LATTICE_MARGIN + size)
    spread = float("inf") if seen is None else float(np.median(seen.spread[inner, inner]))
    return Lattice(fit, spread)


def _whole_squares_off(inside: Floats, size: int) -> Floats:
    """By how many whole squares (x, y) the grid seen lies beside the one expected: phases cannot tell."""
    sure = np.log(np.clip(inside, 0.02, 0.98)) - np.log(np.clip(1.0 - inside, 0.02, 0.98))
    best, found = -np.inf, (0, 0)
    for y in range(-LATTICE_MARGIN, LATTICE_MARGIN + 1):
        for x in range(-LATTICE_MARGIN, LATTICE_MARGIN + 1):
            top, left = LATTICE_MARGIN + y, LATTICE_MARGIN + x
            score = float(sure[top : top + size, left : left + size].sum()) - 0.5 * (x != 0) - 0.5 * (y != 0)
            if score > best:
                best, found = score, (x, y)
    return np.array(found, dtype=np.float64)


@dataclass(frozen=True)
class Sightings:
    """What the network tells of every square of the canvas (the grid and LATTICE_MARGIN squares around it).

    Attributes:
        moved: (k, k, 2) displacement x, y of the lattice, cells, from -0.5 to 0.5.
        spread: (k, k, 2) standard deviations of these, cells.
        inside: (k, k) probability that the square belongs to the grid.
    """

    moved: Floats
    spread: Floats
    inside: Floats


def sight(image: Image, camera: Camera, size: int) -> Sightings:
    """Look at the board rectified by `camera`."""
    small, reduced = shrink_to_pitch(image, camera, size, LATTICE_PX)
    canvas = rectify(small, reduced, size, LATTICE_PX, LATTICE_MARGIN)
    out = network("lattice")(normalised(canvas)[None])[0].astype(np.float64)
    cosine, sine = out[[0, 2]].transpose(1, 2, 0), out[[1, 3]].transpose(1, 2, 0)
    moved = np.arctan2(sine, cosine) / (2 * np.pi)
    # the standard deviation of a von Mises distribution of concentration k is about 1 / sqrt(k)
    spread = 1.0 / (2 * np.pi * np.sqrt(np.hypot(cosine, sine) + 0.1))
    return Sightings(moved, spread, 1.0 / (1.0 + np.exp(-out[4])))


def _correspondences(camera: Camera, size: int, seen: Sightings) -> Correspondences:
    """Sightings of the grid's squares and of one square around it, as board points and pixels."""
    ring = slice(LATTICE_MARGIN - 1, LATTICE_MARGIN + size + 1)
    at = np.arange(-1, size + 1) + 0.5
    x, y = np.meshgrid(at, at)
    nominal = np.stack([x, y], axis=-1).reshape(-1, 2)
    ground = np.zeros(len(nominal))
    pixels = camera.project(np.column_stack([nominal, ground]))
    across = camera.project(np.column_stack([nominal + 0.5, ground])) - camera.project(
        np.column_stack([nominal - 0.5, ground])
    )
    pitch = np.linalg.norm(across, axis=1) / np.sqrt(2)
    spread = np.sqrt(np.mean(seen.spread[ring, ring] ** 2, axis=-1)).reshape(-1)
    board = nominal + seen.moved[ring, ring].reshape(-1, 2)
    return Correspondences(board, pixels, _CORRELATED * spread * pitch + 0.05)
