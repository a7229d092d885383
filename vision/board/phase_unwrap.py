"""Unwrapping the lattice's phases: displacements beyond half a square, told by all squares together.

A phase knows a displacement up to whole squares. The displacements of a grid that was placed askew grow steadily across
it: the steady growth that agrees best with all phases is the peak of their two-dimensional Fourier transform.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
