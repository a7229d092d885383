"""Colours in a picture: looked up on the board, likened to models of tiles and board, rid of uneven light.

Colours are L*a*b* (..., 3) as OpenCV has them for float pictures: L* 0 to 100, a* and b* around 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.rectify import resample
from vision.images import Image

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_DEGREES_OF_FREEDOM = 4.0
"""Of the colours' distributions; the textbook's choice where outliers are expected, not measured here."""
_IN_AND_OUT = ((8.0, 16.0), (1.0, 0.0))
"""Squared Mahalanobis distances up to which a colour belongs to a model, and from which it does not (2.8 and 4 standard
deviations); chosen by eye, not measured."""
_OUTLYING = 4.5
"""Median deviations, three standard ones of a normal distribution, beyond which a colour is clipped to its model."""
_GRAIN = 1.0
"""By how much, at least, a colour must lie off to be clipped: so much differ those of one even patch. By eye."""
_NEIGHBOURS = 6
"""Bare squares near by that tell how light falls on a square: half of them may be painted. By eye, not measured."""
_BLACK = 1e-3
"""Least light, of 1, that a square counts as having; keeps the gain finite."""


@dataclass(frozen=True)
class ColourModel:
    """Colours that belong together, as a Student's t distribution: middle (3,), inverse scatter (3, 3), half its log
    determinant.

    Light, shade and paint leave outliers, which the broad tails allow for.
    """

    middle: Floats
    inverse: Floats
    half_log_det: float

    @staticmethod
    def of(known: Floats, differ: Floats) -> ColourModel:
        """The model of the colours `known` (m, 3), which `differ` (3,) at least; a few outliers do no harm."""
        middle = np.median(known, axis=0)
        off = known - middle
        wide = _OUTLYING * np.median(np.abs(off), axis=0) + _GRAIN
        off = np.clip(off, -wide, wide)
        spread = off.T @ off / len(off) + np.diag(differ**2)
        inverse = np.asarray(np.linalg.inv(spread), dtype=np.float64)
        return ColourModel(np.asarray(middle), inverse, 0.5 * float(np.linalg.slogdet(spread)[1]))

    def squared_distance(self, colours: Floats) -> Floats:
        """Squared Mahalanobis distance (...) of colours (..., 3) from the middle."""
        away = colours - self.middle
        return np.asarray(np.einsum("...i,ij,...j->...", away, self.inverse, away), dtype=np.float64)


def log_odds(colours: Floats, one: ColourModel, other: ColourModel) -> Floats:
    """Log odds (...) of `one` model against the `other` for colours (..., 3); 0 where they resemble neither."""
    off, off_other = one.squared_distance(colours), other.squared_distance(colours)
    power = 0.5 * (_DEGREES_OF_FREEDOM + 3.0)
    ratio = np.log1p(off_other / _DEGREES_OF_FREEDOM) - np.log1p(off / _DEGREES_OF_FREEDOM)
    odds = other.half_log_det - one.half_log_det + power * ratio
    nearer = np.where(odds > 0, off, off_other)
    return np.asarray(odds * np.interp(nearer, *_IN_AND_OUT), dtype=np.float64)


def colours_at(image: Image, camera: Camera, places: Floats) -> Floats:
    """Median colours (..., 3) of the picture at board points `places` (..., k, 3): x, y and height in cells."""
    maps = camera.project(places).astype(np.float32).reshape(-1, places.shape[-2], 2)
    seen = resample(image, maps, grey_outside=False).astype(np.float32) / 255.0
    colours = np.median(cv2.cvtColor(seen, cv2.COLOR_BGR2LAB), axis=1)
    return np.asarray(colours, dtype=np.float64).reshape(*places.shape[:-2], 3)


def illumination_gain(squares: Floats, bare: Flags) -> Floats:
    """By how much (n, n, 3) light is to be changed on each square for its board to look as it does elsewhere.

    `squares` (n, n, 3) are colours of the board, `bare` (n, n) where it is seen; blue, green, red, in linear light.
    """
    light = np.maximum(_linear(squares), _BLACK)
    known = np.argwhere(bare)
    away = np.indices(bare.shape).reshape(2, -1).T[:, None] - known
    nearest = known[np.argsort((away**2).sum(axis=-1), axis=-1, kind="stable")[:, :_NEIGHBOURS]]
    there = np.median(light[nearest[..., 0], nearest[..., 1]], axis=1).reshape(squares.shape)
    return np.asarray(np.median(light[bare], axis=0) / there, dtype=np.float64)


def relight(colours: Floats, change: Floats) -> Floats:
    """Colours (..., 3) in light changed as `illumination_gain` tells; what becomes brighter than white is white."""
    light = (_linear(colours) * change).astype(np.float32).reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(light, cv2.COLOR_LBGR2LAB), dtype=np.float64).reshape(colours.shape)


def _linear(colours: Floats) -> Floats:
    flat = colours.astype(np.float32).reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_LAB2LBGR), dtype=np.float64).reshape(colours.shape)
