"""Heights of views from above, by elevations, sizes and walls together.

From above parallax shows elevations badly, and their errors are common to a picture: a grid one hundredth too large
already causes them. Differences of height show in the sizes of the faces, because nearer things look larger and all
tiles of a set are equally large. Heights show in the visible walls. So every thickness of a layer, every width of the
tiles, and every common error of the elevations are tried together against all faces at once.

Outliers among the sizes are allowed for as in D. Hogg et al., "Data analysis recipes: fitting a model to data", 2010.
The heights and the lean of the sizes explain each other. They are estimated in turns, as in A. Dempster et al.,
"Maximum likelihood from incomplete data via the EM algorithm", 1977.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import MAX_HEIGHT
from vision.arrays import Flags, Floats
from vision.heights.comparison import log_magnification, pool_heights
from vision.heights.elevations import Elevations
from vision.heights.thickness import STACK_PRIOR, THICKNESSES, Style, densities_at, thickness_prior
from vision.heights.walls import STEEPEST, walls_log_likelihood

_THICKNESSES: Floats = THICKNESSES[::3]
"""Thicknesses of a layer that are tried from above, cells. [by eye]"""
_HEIGHTS: Floats = np.arange(1, MAX_HEIGHT + 1, dtype=np.float64)
_WIDTHS = (float(np.log(0.55)), float(np.log(1.08)))
"""Range of a face's width, logarithms of cells. It holds all sets on sale, with some room. [by eye]"""
_WIDTH_STEP = 0.0025
"""Step of the widths that are tried, a logarithm. It is a third of what a layer adds from afar. [by eye]"""
_WIDTH_MARGIN = 0.03
"""Range of the widths that are tried beyond the faces' own sizes, a logarithm. [by eye]"""
_TILTS = (6.0, float(np.degrees(STEEPEST)))
"""Tilts, degrees. Below the first elevations are doubtful as the next numbers say. Beyond the second, up to which walls
are measured, they are as sure as in a view from the side.

This and the weights that follow were measured on 6,995 tiles seen from less than 20 degrees off the vertical, in 79
pictures of the development sets, 319 of games and 119 of simulated boards. If nothing else is known, 946 heights are
wrong (log loss 2,791; without walls 980 and 2,889). The numbers were tuned in steps with earlier networks. With the
present ones each was tried again at two to four other values, and none gained more than a hundredth of the log loss.
[by hand, sets]"""
_ELEVATION_WEIGHTS = (0.4, 0.75)
"""Weight of each face's elevation at these tilts, because an error of one moves its neighbours', too.
[by hand, sets]"""
_LEAST_DENSITY = -9.0
"""Least log density of a face's elevation against an explanation. [by hand, sets]"""
_SCALES = ((0.72, 0.25), (0.9, 0.45), (1.08, 0.3))
"""Pairs of a factor on all elevations of a picture, and how often it occurs. [by hand, sets]"""
_BASE_OFFSET, _OFFSET_AWAY = (-0.01, 0.035), 0.005
"""Mean and standard deviation, cells, of the lowest tiles' apparent height above the board's plane; and what a grid a
little too large or too small adds to that deviation, for each cell of distance. [by hand, sets]"""
_ERROR_FACTOR, _SET_SPREAD, _OUTLIER_SHARE = 1.3, 0.002, 0.05
"""Factor by which the errors of sizes are larger than the network says, the standard deviation of the logarithms of one
set's face widths, and the share of the faces whose size is entirely wrong. [by hand, sets]"""
_WALL_WEIGHT = 0.8
"""Weight of each face's walls where elevations are most doubtful. It falls to none where they are sure. Light and blur
make all walls look higher or lower together. In rendered games, with the full weight, 20 of 434 heights seen from 22 to
26 degrees were wrong, and 9 without walls. [by hand, sets]"""
_SHADE = 0.01
"""What the shade at their foot adds to walls, cells. In the middle of the sets it adds 0.06. Where grids are too large,
less costs less. [by hand, sets]"""
_LEAN_SPREAD = 0.02
"""Standard deviation of what a slightly wrong pose adds to the logarithms from side to side. [by hand, sets]"""
_OUTLIER_DENSITY = _OUTLIER_SHARE / (_WIDTHS[1] - _WIDTHS[0])
"""Likelihood of any size if it is entirely wrong."""
_BASES: Floats = np.linspace(-2.0, 2.0, 5)
"""Values at which the base offset is tried, standard deviations. [by eye]"""


class Weighed(NamedTuple):
    """The explanation of the faces of a picture.

    Attributes:
        heights: (t, m, 5) log probability of each height of each tile, for each of m thicknesses of a layer.
        layers: (m,) log probability of each of these thicknesses.
        layer_thickness: most probable thickness of a layer, cells.
        base_offset: most probable height of the lowest tiles above the board's plane with that thickness, cells.
    """

    heights: Floats
    layers: Floats
    layer_thickness: float
    base_offset: float


class _Faces(NamedTuple):
    """The faces of one picture, with their likelihoods and measurements.

    Attributes:
        elevations: (t, m, bases, 5) likelihood of each thickness, base and height, from elevations and walls.
        larger: (m, 5) the amount that each thickness and height adds to the logarithm of a size.
        sizes: (t,) logarithms of the apparent widths, 0 if not measured.
        errors: (t,) standard errors of the sizes, infinite if not measured.
        places: (t, 2) row and column from the board's middle, over its side.
        widths: (w,) logarithms of the tiles' widths that are tried.
    """

    elevations: Floats
    larger: Floats
    sizes: Floats
    errors: Floats
    places: Floats
    widths: Floats


def weigh_from_above(elevations: Elevations, tiles: Flags, styles: tuple[Style, ...], known: Floats | None) -> Weighed:
    """Weigh the heights of t `tiles` (n, n) of a view from above by elevations, sizes, walls and the comparison.

    `styles` are the ways to play. `known` (57,) are log weights of THICKNESSES from before.
    """
    doubt = float(np.interp(np.degrees(elevations.tilt), _TILTS, (1.0, 0.0)))
    bases, base_prior = _bases(elevations.away, doubt)
    faces = _faces(elevations, tiles, bases, doubt)
    fixed = thickness_prior(elevations.thickness, known)[::3, None, None] + base_prior[:, None]
    presence = elevations.presence(tiles)
    sized = _size_likelihoods(faces, np.zeros(2))
    lean = _lean(faces, sized, _shares(faces, sized, presence, styles, fixed))
    sized = _size_likelihoods(faces, lean)
    shares = _shares(faces, sized, presence, styles, fixed)
    best, base, _ = np.unravel_index(int(shares.argmax()), shares.shape)
    measured = (_weigh(faces, sized, shares) * sized).sum(axis=2)
    heights, layers = pool_heights(measured, _THICKNESSES, elevations.compared[tiles], elevations.tilt)
    return Weighed(heights, layers, float(_THICKNESSES[best]), float(bases[base][0]))


def _bases(away: float, doubt: float) -> tuple[Floats, Floats]:
    """Return possible common errors of the elevations, (b, 2), and the log prior (b,) of each.

    An error is the apparent height of the lowest tiles, cells, and a factor on all elevations. `doubt` is 1 in views
    from straight above and 0 in views from the side.
    """
    spread = float(np.hypot(_BASE_OFFSET[1], doubt * _OFFSET_AWAY * away))
    scales, shares = np.array(_SCALES).T
    base, scale = np.meshgrid(_BASE_OFFSET[0] + spread * _BASES, 1.0 + doubt * (scales - 1.0))
    prior = np.log(shares)[:, None] - 0.5 * _BASES**2
    return np.column_stack([base.ravel(), scale.ravel()]), (prior - np.log(np.exp(prior).sum())).ravel()


def _faces(elevations: Elevations, tiles: Flags, bases: Floats, doubt: float) -> _Faces:
    """Collect the faces of the `tiles` (n, n), for the `bases` (b, 2) and the `doubt` of `_bases`."""
    stacked = _THICKNESSES[:, None] * _HEIGHTS
    apparent = bases[:, 1, None] * stacked[:, None, :] + bases[:, 0, None]
    logs, errors = elevations.sizes[tiles].T
    larger = log_magnification(stacked, elevations.away)
    middle = float(np.clip(np.median(logs[np.isfinite(errors)]), *_WIDTHS))
    lowest = max(middle - float(larger.max()) - _WIDTH_MARGIN, _WIDTHS[0])
    widths = np.arange(lowest, min(middle + _WIDTH_MARGIN, _WIDTHS[1]), _WIDTH_STEP)
    weight = float(np.interp(doubt, (0.0, 1.0), _ELEVATION_WEIGHTS[::-1]))
    density = np.maximum(densities_at(elevations.log_probs[tiles], apparent), _LEAST_DENSITY)
    walls = doubt * _WALL_WEIGHT * walls_log_likelihood(elevations.walls[tiles], stacked + _SHADE)
    return _Faces(
        elevations=np.exp(weight * density + walls[:, :, None, :]),
        larger=larger,
        sizes=logs,
        errors=errors,
        places=(np.argwhere(tiles) + 0.5) / len(tiles) - 0.5,
        widths=widths,
    )


def _size_likelihoods(faces: _Faces, lean: Floats) -> Floats:
    """Return the likelihood (t, m, w, 5) of each thickness, width and height by the sizes of the faces.

    `lean` (2,) is the growth of the sizes' logarithms over the whole board, down the rows and across the columns.
    """
    measured = np.isfinite(faces.errors)[:, None, None, None]
    spread = np.where(measured, _spread(faces)[:, None, None, None], 1.0)
    off = _residuals(faces, faces.sizes - faces.places @ lean) / spread
    right = (1.0 - _OUTLIER_SHARE) * np.exp(-0.5 * off**2) / (spread * np.sqrt(2 * np.pi))
    return np.where(measured, right + _OUTLIER_DENSITY, 1.0)


def _spread(faces: _Faces) -> Floats:
    """Return the standard deviation (t,) of the logarithm of each size."""
    return np.hypot(_ERROR_FACTOR * faces.errors, _SET_SPREAD)


def _residuals(faces: _Faces, sizes: Floats) -> Floats:
    """Return the residuals (t, m, w, 5) of the sizes (t,) for each thickness, width and height."""
    return np.asarray(sizes[:, None, None, None] - faces.larger[:, None, :] - faces.widths[:, None], dtype=np.float64)


def _explain(faces: _Faces, sized: Floats, heights: Floats) -> Floats:
    """Return the likelihood (t, m, b, w) of each face for each thickness, base and width.

    `sized` are the likelihoods by sizes. `heights` (5,) or (t, 5) is a log prior of the heights.
    """
    prior = np.broadcast_to(np.exp(heights), (len(faces.sizes), MAX_HEIGHT))[:, None, None, :]
    return np.asarray(np.matmul(faces.elevations * prior, sized.swapaxes(2, 3)), dtype=np.float64)


def _shares(faces: _Faces, sized: Floats, presence: Floats, styles: tuple[Style, ...], fixed: Floats) -> Floats:
    """Return the probability (m, b, w) of each thickness, base and width by all faces together.

    `presence` (t,) is the probability of each face. `fixed` (m, b, 1) is the log prior without the faces.
    """
    logs = [
        np.log(often) + np.einsum("t,tmbw->mbw", presence, np.log(_explain(faces, sized, heights)))
        for often, heights in styles
    ]
    total = fixed + np.logaddexp.reduce(logs)
    shares = np.exp(total - total.max())
    return np.asarray(shares / shares.sum(), dtype=np.float64)


def _weigh(faces: _Faces, sized: Floats, shares: Floats) -> Floats:
    """Return the probability (t, m, w, 5) of each thickness, width and height of each face, without its own size.

    Multiplied by the likelihood by size (t, m, w, 5), `sized`, it is the full probability.
    """
    parts = shares / _explain(faces, sized, STACK_PRIOR)
    return np.asarray(np.matmul(parts.swapaxes(2, 3), faces.elevations * np.exp(STACK_PRIOR)), dtype=np.float64)


def _lean(faces: _Faces, sized: Floats, shares: Floats) -> Floats:
    """Estimate the lean (2,): the growth of the sizes' logarithms over the board, down the rows and across the columns.

    It is a least squares fit held near 0, because a lean comes from a slightly wrong pose and not from stacks that grow
    towards one side.
    """
    reliable = _weigh(faces, sized, shares) * (sized - _OUTLIER_DENSITY)
    weights = 1.0 / _spread(faces) ** 2
    residuals = (reliable * _residuals(faces, faces.sizes)).sum(axis=(1, 2, 3)) * weights
    normal = faces.places.T @ (faces.places * (reliable.sum(axis=(1, 2, 3)) * weights)[:, None])
    normal += np.eye(2) / _LEAN_SPREAD**2
    return np.linalg.solve(normal, faces.places.T @ residuals)
