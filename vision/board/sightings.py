"""Unwrapping the lattice's phases: displacements beyond half a square, told by all squares together.

A phase knows a displacement up to whole squares. The displacements of a grid that was placed askew grow steadily across
it: the steady growth that agrees best with all phases is the peak of their two-dimensional Fourier transform.

What the lattice network tells of every square: how far it lies from its place, how surely, and if it is grid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.camera_fit import Correspondences
from vision.geometry.rectify import Tensor, normalised, parallax, rectify, shrink_to_pitch
from vision.images import Image
from vision.networks import network
from vision.probability import sigmoid

Floats = npt.NDArray[np.float64]

_BINS = 64
"""Frequencies that are tried each way: slopes 1/64 cell apart, a sixth of a cell across a board of ten."""
_STEEPEST = 0.3
"""Cells by which the displacement may grow from square to square: a first guess is hardly more askew. By eye."""
_ASKEW = 1.1
"""How much better than none a steady growth must agree with the phases to be believed. By eye, not measured."""


def unwrap_phases(phases: Floats, spread: Floats) -> Floats:
    """The displacements (k, k, 2), cells, whose `phases` these are, each within half a cell.

    `spread` (k, k, 2), cells, says how sure each phase is. As a whole the field lies where it moves least. The method
    finds a frequency at the peak of the periodogram (D. C. Rife and R. R. Boorstyn, "Single-tone parameter estimation
    from discrete-time observations", 1974), here in two dimensions.
    """
    weight = 1.0 / spread**2
    field = np.stack([_steady(phases[..., axis], weight[..., axis]) for axis in (0, 1)], axis=-1)
    middle = (field * weight).sum(axis=(0, 1)) / weight.sum(axis=(0, 1))
    return np.asarray(field - np.round(middle), dtype=np.float64)


def _steady(phase: Floats, weight: Floats) -> Floats:
    """One component (k, k): its phases, each as many whole cells off as the steady growth has it."""
    spectrum = np.fft.fft2(weight * np.exp(2j * np.pi * phase), (_BINS, _BINS))
    slopes = np.fft.fftfreq(_BINS)
    believed = np.abs(slopes) < _STEEPEST
    strength = np.abs(spectrum) * believed[:, None] * believed
    if strength.max() < _ASKEW * strength[0, 0]:
        return phase
    row, col = np.unravel_index(int(strength.argmax()), strength.shape)
    y, x = np.indices(phase.shape)
    growth = slopes[row] * y + slopes[col] * x + np.angle(spectrum[row, col]) / (2 * np.pi)
    return np.asarray(phase + np.round(growth - phase), dtype=np.float64)


LATTICE_PX, LATTICE_MARGIN, LATTICE_CHANNELS = 16, 2, 5
"""Pixels a square, squares around the grid, and planes that the network was trained on."""
_CORRELATED = 2.5
"""Neighbouring sightings err together: their spread is widened so that the fit does not count them as independent. By
eye."""
_RIM = 2.0
"""How much less sure sightings around the grid are: rims stand higher than the squares, or bear a line of their own.
With it (and the last step of the fit) corners went from 0.043 to 0.041 square off on the development sets; less loses
boards under hands."""
_LEAST_SPREAD = 0.05
"""Pixels: what no sighting is surer than. By eye, not measured."""
_LEAST_CONCENTRATION = 0.1
"""Keeps the spread of a sighting finite."""


@dataclass(frozen=True)
class Sightings:
    """What the network tells of every square of the canvas (the grid and LATTICE_MARGIN squares around it).

    Attributes:
        displacement: (k, k, 2) displacement x, y of the lattice, cells, from -0.5 to 0.5.
        spread: (k, k, 2) standard deviations of these, cells.
        inside: (k, k) probability that the square belongs to the grid.
    """

    displacement: Floats
    spread: Floats
    inside: Floats

    def unwrapped(self) -> Sightings:
        """The same, displacements beyond half a square told by all squares together."""
        return replace(self, displacement=unwrap_phases(self.displacement, self.spread))

    def mean_displacement(self) -> float:
        """How far, cells, the squares lie from their places in the mean, the surest counting most."""
        weight = 1.0 / self.spread**2
        return float((np.abs(self.displacement) * weight).sum() / weight.sum())


def take_sightings(image: Image, camera: Camera, size: int) -> Sightings:
    """What the network tells of a picture (h, w, 3), the board rectified by `camera`."""
    small, reduced = shrink_to_pitch(image, camera, size)
    out = network("lattice")(lattice_planes(small, reduced, size)[None])[0].astype(np.float64)
    cosine, sine = out[[0, 2]].transpose(1, 2, 0), out[[1, 3]].transpose(1, 2, 0)
    displacement = np.arctan2(sine, cosine) / (2 * np.pi)
    # the standard deviation of a von Mises distribution of concentration k is about 1 / sqrt(k)
    spread = 1.0 / (2 * np.pi * np.sqrt(np.hypot(cosine, sine) + _LEAST_CONCENTRATION))
    return Sightings(displacement, spread, sigmoid(out[4]))


def lattice_planes(image: Image, camera: Camera, size: int) -> Tensor:
    """What the network sees, (LATTICE_CHANNELS, side, side) with side = (size + 2 LATTICE_MARGIN) LATTICE_PX.

    The board rectified by `camera`, and the parallax there: lines that stand up from the board, as ridges around the
    squares do, are seen beside the place where they stand.
    """
    canvas = rectify(image, camera, size, LATTICE_PX, LATTICE_MARGIN)
    return np.concatenate([normalised(canvas), parallax(camera, size, LATTICE_PX, LATTICE_MARGIN)])


def correspondences(camera: Camera, size: int, seen: Sightings) -> Correspondences:
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
    board = nominal + seen.displacement[ring, ring].reshape(-1, 2)
    return Correspondences(board, pixels, _CORRELATED * spread.reshape(-1) * pitch + _LEAST_SPREAD)
