"""Fitting the whole lattice: from a rough quadrilateral to a camera precise to a few hundredths of a square.

The board is rectified with the camera so far; a network tells for every square how far it really lies from where
it should be, and how sure it is of that (tiles hide the board, glare and hands too); the camera is fitted to all of
these sightings at once. Two or three rounds settle it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.editions import EDITIONS
from vision.board.phase_unwrap import unwrapped
from vision.geometry.camera import Camera, grid_corners, homography_from_corners
from vision.geometry.camera_fit import CameraFit, Correspondences, fit_camera, initial_camera
from vision.geometry.rectify import Tensor, normalised, outside, parallax, rectify, shrink_to_pitch
from vision.images import Image
from vision.networks import network

Floats = npt.NDArray[np.float64]
Step = tuple[float, float]
"""Squares, x and y, by which a grid is moved."""

STEPS: tuple[Step, ...] = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
LATTICE_PX = 16
LATTICE_MARGIN = 2
LATTICE_CHANNELS = 5
_ROUNDS = 4
GOOD = 0.026
"""Doubt below which a lattice is taken without looking further."""
_SETTLED = 0.015
"""Mean displacement (cells) at which another round would change nothing that matters."""
_CORRELATED = 2.5
"""Neighbouring sightings err together: their spread is widened so that the fit does not count them as independent."""

_RIVAL, _ASTRAY = 1.5, 1.0
"""Doubt of a rival, by that of the grid it would replace, and squares on the wrong side of its border, over a side's
length, below which it is one."""
_OUTSIDE = 0.2
"""Share of the grid out of the picture from which nobody can count which of the squares in view is the first."""
_RIM = 2.0
"""How much less sure sightings around the grid are: rims stand higher than the squares, or bear a line of their own."""


@dataclass(frozen=True)
class Lattice:
    """The fitted grid.

    Attributes:
        fit: the camera and its quality.
        spread: median of the network's own spread over the grid's squares, cells: large where no lattice is.
        astray: squares seen more likely on the wrong side of the border than not, over the length of a side.
        outside: share of the grid's squares that lie outside the picture.
        rivalled: the picture bears out a grid a whole square beside this one nearly as well.
    """

    fit: CameraFit
    spread: float
    astray: float
    outside: float
    rivalled: bool = False

    @property
    def doubt(self) -> float:
        """The spread, widened where squares or the border do not agree with the fit, and where much of it is not seen.

        Large where no such board is.
        """
        agreed = max(self.fit.inliers, 0.1) ** 2 * max(1.0 - self.outside, 0.1)
        return self.spread / agreed * (1.0 + self.astray)

    @property
    def in_doubt(self) -> bool:
        """Whether it may be another grid's place: rivalled, or not to be told as too much is out of the picture."""
        return self.rivalled or self.outside > _OUTSIDE

    def is_rival_of(self, other: Lattice) -> bool:
        """Whether the picture bears this grid out nearly as well as the `other`."""
        return self.astray < _ASTRAY and self.doubt < _RIVAL * other.doubt


def rough_camera(image: Image, corners: npt.ArrayLike, size: int) -> Camera:
    """A first camera from the grid's corners (4, 2) px, any of them first, clockwise."""
    height, width = image.shape[:2]
    return initial_camera(homography_from_corners(corners, size), (width, height), square=_square(size))


def given_lattice(image: Image, corners: npt.ArrayLike, size: int) -> Lattice:
    """The lattice of corners (4, 2) px that are taken as they are."""
    camera = rough_camera(image, corners, size)
    return Lattice(CameraFit(camera, 1.0), 0.05, 0.0, 0.0)


def _square(size: int) -> bool:
    """Whether cells are known to be square: those of Upwords's boards are, another game's need not be."""
    return any(edition.size == size for edition in EDITIONS.values())


def compared(image: Image, lattice: Lattice, size: int) -> Lattice:
    """The lattice, and whether one a whole square beside it rivals it."""
    beside = lattices_beside(image, lattice.fit, size)
    return replace(lattice, rivalled=any(other.is_rival_of(lattice) for other in beside))


def one_beside(image: Image, lattice: Lattice, size: int) -> Lattice:
    """The lattice, or the one a whole square beside it where the border agrees better with that."""
    return min([lattice, *lattices_beside(image, lattice.fit, size)], key=lambda each: each.doubt)


def lattices_beside(image: Image, fit: CameraFit, size: int) -> list[Lattice]:
    """The four lattices a whole square beside a fit, in the order of STEPS, with their doubts."""
    beside = [replace(fit, camera=camera) for camera in cameras_beside(fit.camera)]
    return [_judged(image, sight(image, each.camera, size), each, size) for each in beside]


def cameras_beside(camera: Camera) -> list[Camera]:
    """The views of the four grids that lie a whole square beside that of `camera`, in the order of STEPS."""
    return [camera.moved(step) for step in STEPS]


def settled(image: Image, camera: Camera, size: int) -> Lattice:
    """The lattice on which the phases settle from `camera`."""
    small, camera = shrink_to_pitch(image, camera, size)
    height, width = small.shape[:2]
    fit = CameraFit(camera, 0.0)
    for _ in range(_ROUNDS):
        seen = sight(small, camera, size)
        seen = replace(seen, moved=unwrapped(seen.moved, seen.spread))
        points = _correspondences(camera, size, seen)
        fit = fit_camera(camera, points, (width, height), square=_square(size))
        camera = fit.camera
        weight = 1.0 / seen.spread**2
        moved = float((np.abs(seen.moved) * weight).sum() / weight.sum())
        if moved < _SETTLED:
            break
    seen = sight(small, camera, size)
    # the sighting by which the grid is judged serves for a last step, too
    fit = fit_camera(camera, _correspondences(camera, size, seen), (width, height), square=_square(size))
    judged = _judged(small, seen, fit, size)
    return replace(judged, fit=replace(fit, camera=fit.camera.scaled(image.shape[1] / width)))


def _judged(image: Image, seen: Sightings, fit: CameraFit, size: int) -> Lattice:
    """How well what was seen in the picture bears out a fitted grid."""
    inner = slice(LATTICE_MARGIN, LATTICE_MARGIN + size)
    expected = np.zeros(seen.inside.shape)
    expected[inner, inner] = 1.0
    # where a hand hides the border the network does not know, which speaks against no grid
    astray = float(np.maximum(2.0 * np.abs(seen.inside - expected) - 1.0, 0.0).sum()) / size
    spread = float(np.median(seen.spread[inner, inner]))
    return Lattice(fit, spread, astray, float(outside(image, fit.camera, size).mean()))


def at_border(image: Image, camera: Camera, size: int) -> Camera:
    """A camera whose grid has its border where the picture shows it."""
    border = _border(sight(image, camera, size).inside, size)
    corners = camera.project(np.column_stack([border, np.zeros(4)]))
    return rough_camera(image, corners, size)


def _border(inside: Floats, size: int) -> Floats:
    """The corners (4, 2), in board coordinates, of the quadrilateral that agrees best with `inside`.

    Phases cannot tell one square from the next: this can. Found by moving one corner coordinate at a time.
    """
    sure = np.log(np.clip(inside, 0.02, 0.98)) - np.log(np.clip(1.0 - inside, 0.02, 0.98))
    at = np.arange(-LATTICE_MARGIN, size + LATTICE_MARGIN) + 0.5
    x, y = np.meshgrid(at, at)
    squares = np.stack([x, y], axis=-1)
    quad = grid_corners(size)
    best = _agreement(quad, squares, sure)
    # sides first, then corners by themselves
    moves = [
        ((3, 0), 0),
        ((1, 2), 0),
        ((0, 1), 1),
        ((2, 3), 1),
        *(((c,), axis) for c in range(4) for axis in (0, 1)),
    ]
    for step in (1.0, 0.5, 0.25):
        for _ in range(3):
            before = best
            for corners, axis in moves:
                for change in (-step, step):
                    trial = quad.copy()
                    trial[list(corners), axis] += change
                    score = _agreement(trial, squares, sure)
                    if score > best + 0.3:
                        quad, best = trial, score
            if best == before:
                break
    return quad


def _agreement(quad: Floats, squares: Floats, sure: Floats) -> float:
    """Log likelihood of the inside map for a border (4, 2), clockwise."""
    within = np.ones(sure.shape)
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
        away = squares - start
        within = within / (
            1.0 + np.exp(np.clip(-6.0 * (along[0] * away[..., 1] - along[1] * away[..., 0]), -30, 30))
        )
    return float((sure * within).sum())


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
    small, reduced = shrink_to_pitch(image, camera, size)
    out = network("lattice")(lattice_planes(small, reduced, size)[None])[0].astype(np.float64)
    cosine, sine = out[[0, 2]].transpose(1, 2, 0), out[[1, 3]].transpose(1, 2, 0)
    moved = np.arctan2(sine, cosine) / (2 * np.pi)
    # the standard deviation of a von Mises distribution of concentration k is about 1 / sqrt(k)
    spread = 1.0 / (2 * np.pi * np.sqrt(np.hypot(cosine, sine) + 0.1))
    return Sightings(moved, spread, 1.0 / (1.0 + np.exp(-out[4])))


def lattice_planes(image: Image, camera: Camera, size: int) -> Tensor:
    """What the network sees, (LATTICE_CHANNELS, side, side) with side = (size + 2 LATTICE_MARGIN) LATTICE_PX.

    The board rectified by `camera`, and the parallax there: lines that stand up from the board, as ridges around the
    squares do, are seen beside the place where they stand.
    """
    canvas = rectify(image, camera, size, LATTICE_PX, LATTICE_MARGIN)
    return np.concatenate([normalised(canvas), parallax(camera, size, LATTICE_PX, LATTICE_MARGIN)])


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
    spread = np.sqrt(np.mean(seen.spread[ring, ring] ** 2, axis=-1))
    spread *= np.pad(np.ones((size, size)), 1, constant_values=_RIM)
    board = nominal + seen.moved[ring, ring].reshape(-1, 2)
    return Correspondences(board, pixels, _CORRELATED * spread.reshape(-1) * pitch + 0.05)
