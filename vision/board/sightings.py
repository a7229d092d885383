"""The output of the lattice network: how far each square lies from its place, how surely, and if it is in the grid.

The network's phases give displacements up to whole squares. Those of a grid that was placed askew grow steadily across
it. The growth that agrees best with all phases is the peak of their two-dimensional Fourier transform.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.arrays import Flags, Floats, Tensor, sigmoid
from vision.geometry.camera import Camera
from vision.geometry.camera_fit import Correspondences
from vision.geometry.rectify import normalise, parallax, rectify, shrink_to_pitch
from vision.images import Image
from vision.networks import network

_BINS = 64
"""Number of frequencies each way. Their slopes lie 1/64 cell apart, a sixth of a cell across a board of ten.
[by eye]"""
_MAX_SLOPE = 0.3
"""Most growth of the displacement from square to square, cells, because first guesses are hardly more askew.
[by eye]"""
_LEAST_GAIN = 1.1
"""Ratio by which a growth must agree better with the phases than no growth does, to be believed. [by eye]"""


def unwrap_phases(phases: Floats, spread: Floats) -> Floats:
    """Return the displacements (k, k, 2), cells, that have these `phases` (k, k, 2), each within half a cell.

    `spread` (k, k, 2), cells, is the standard deviation of each phase. Among all fields that differ by whole cells, it
    takes the one with the least mean displacement. The method finds a frequency at the peak of the periodogram (D. C.
    Rife and R. R. Boorstyn, "Single-tone parameter estimation from discrete-time observations", 1974), here in two
    dimensions.
    """
    weight = 1.0 / spread**2
    field = np.stack([_steady(phases[..., axis], weight[..., axis]) for axis in (0, 1)], axis=-1)
    middle = (field * weight).sum(axis=(0, 1)) / weight.sum(axis=(0, 1))
    return np.asarray(field - np.round(middle), dtype=np.float64)


def _steady(phase: Floats, weight: Floats) -> Floats:
    """Unwrap one component (k, k): add the whole cells to each phase that steady growth implies."""
    spectrum = np.fft.fft2(weight * np.exp(2j * np.pi * phase), (_BINS, _BINS))
    slopes = np.fft.fftfreq(_BINS)
    believed = np.abs(slopes) < _MAX_SLOPE
    strength = np.abs(spectrum) * believed[:, None] * believed
    if strength.max() < _LEAST_GAIN * strength[0, 0]:
        return phase
    row, col = np.unravel_index(int(strength.argmax()), strength.shape)
    y, x = np.indices(phase.shape)
    growth = slopes[row] * y + slopes[col] * x + np.angle(spectrum[row, col]) / (2 * np.pi)
    return np.asarray(phase + np.round(growth - phase), dtype=np.float64)


LATTICE_PX, LATTICE_MARGIN, LATTICE_CHANNELS = 16, 2, 5
"""Pixels a square, squares around the grid, and input planes, with which the network was trained."""
_CORRELATION_FACTOR = 2.5
"""Factor by which spreads are widened, because neighbouring sightings err together and aren't independent. [by eye]"""
_RIM_FACTOR = 2.0
"""Factor by which spreads around the grid are widened, because rims stand higher than the squares or bear lines of
their own. With it, and with the last step of the fit, the error of corners in the development sets went from 0.043 to
0.041 of a square. A smaller factor loses boards under hands. [by hand, sets]"""
_LEAST_SPREAD = 0.05
"""Least standard deviation of a sighting, pixels. [by eye]"""
_WINDOW, _SHARP_SPREAD = 3, 0.06
"""Side, squares, of the windows in which a grid is compared with the lines, and the usual spread, cells, below which
these are seen sharply. [by eye]"""
_LEAST_CONCENTRATION = 0.1
"""Number added to a sighting's concentration to keep its spread finite. Its origin is not on record."""


@dataclass(frozen=True)
class Sightings:
    """The network's output for every square of the canvas: the grid and LATTICE_MARGIN squares around it.

    Attributes:
        displacement: (k, k, 2) displacement x, y of the lattice, cells, from -0.5 to 0.5 before unwrapping.
        spread: (k, k, 2) standard deviations of these, cells.
        inside: (k, k) probability that the square belongs to the grid.
    """

    displacement: Floats
    spread: Floats
    inside: Floats

    def unwrap(self) -> Sightings:
        """Return the sightings with displacements beyond half a square, which all squares together determine."""
        return replace(self, displacement=unwrap_phases(self.displacement, self.spread))

    def mean_displacement(self) -> float:
        """Return the mean distance of the squares from their places, cells, weighted by how sure they are."""
        weight = 1.0 / self.spread**2
        return float((np.abs(self.displacement) * weight).sum() / weight.sum())

    def largest_misfit(self, in_view: Flags) -> float:
        """Return how far the lines lie from the grid's, cells, in the worst window of _WINDOW by _WINDOW squares.

        A smaller grid is one window. Only windows that the network sees sharply count, and in these the squares
        `in_view` (n, n).
        """
        inner = slice(LATTICE_MARGIN, LATTICE_MARGIN + len(in_view))
        displacement, spread = self.displacement[inner, inner], self.spread[inner, inner]
        weight = np.where(in_view, 1.0 / np.mean(spread**2, axis=-1), 0.0)
        side = min(_WINDOW, len(in_view))
        means, weights, blur = (
            sliding_window_view(each, (side, side), axis=(0, 1))
            for each in (displacement * weight[..., None], weight, spread.mean(axis=-1))
        )
        total = np.maximum(weights.sum(axis=(-2, -1)), 1e-9)
        off = np.linalg.norm(means.sum(axis=(-2, -1)) / total[..., None], axis=-1)
        sharp = np.median(blur, axis=(-2, -1)) < _SHARP_SPREAD
        return float(np.max(np.where(sharp, off, 0.0), initial=0.0))


def take_sightings(image: Image, camera: Camera, size: int) -> Sightings:
    """Run the lattice network on a picture (h, w, 3) that `camera` rectifies."""
    small, reduced = shrink_to_pitch(image, camera, size)
    out = network("lattice")(lattice_planes(small, reduced, size)[None])[0].astype(np.float64)
    cosine, sine = out[[0, 2]].transpose(1, 2, 0), out[[1, 3]].transpose(1, 2, 0)
    displacement = np.arctan2(sine, cosine) / (2 * np.pi)
    # The standard deviation of a von Mises distribution of concentration k is about 1 / sqrt(k).
    spread = 1.0 / (2 * np.pi * np.sqrt(np.hypot(cosine, sine) + _LEAST_CONCENTRATION))
    return Sightings(displacement, spread, sigmoid(out[4]))


def lattice_planes(image: Image, camera: Camera, size: int) -> Tensor:
    """Return the network's input, (LATTICE_CHANNELS, side, side) with side = (size + 2 LATTICE_MARGIN) LATTICE_PX.

    It holds the board rectified by `camera` and the parallax at each pixel. The parallax matters because raised lines,
    such as ridges around the squares, appear beside the place where they stand.
    """
    canvas = rectify(image, camera, size, LATTICE_PX, LATTICE_MARGIN)
    return np.concatenate([normalise(canvas), parallax(camera, size, LATTICE_PX, LATTICE_MARGIN)])


def correspondences(camera: Camera, size: int, sightings: Sightings) -> Correspondences:
    """Return the sightings of the grid and of one square around it as pairs of board points and pixels."""
    ring = slice(LATTICE_MARGIN - 1, LATTICE_MARGIN + size + 1)
    centres = np.arange(-1, size + 1) + 0.5
    x, y = np.meshgrid(centres, centres)
    nominal = np.stack([x, y], axis=-1).reshape(-1, 2)
    ground = np.zeros(len(nominal))
    pixels = camera.project(np.column_stack([nominal, ground]))
    across = camera.project(np.column_stack([nominal + 0.5, ground])) - camera.project(
        np.column_stack([nominal - 0.5, ground])
    )
    pitch = np.linalg.norm(across, axis=1) / np.sqrt(2)
    spread = np.sqrt(np.mean(sightings.spread[ring, ring] ** 2, axis=-1))
    spread *= np.pad(np.ones((size, size)), 1, constant_values=_RIM_FACTOR)
    board = nominal + sightings.displacement[ring, ring].reshape(-1, 2)
    return Correspondences(board, pixels, _CORRELATION_FACTOR * spread.reshape(-1) * pitch + _LEAST_SPREAD)
