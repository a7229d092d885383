"""Heights seen from above: what lies nearer to the camera looks larger, and all tiles of a set are equally large.

From above parallax tells elevations badly and all of one picture astray together, as a grid that is a hundredth too
large does. Differences of height show in how large the faces look, and heights in how much of the walls shows. So
every thickness of a layer, every width of the tiles, and every way in which elevations may be astray are tried together
against all faces at once.

Faces measured quite wrongly are allowed for as by D. Hogg et al., "Data analysis recipes: fitting a model to data",
2010; heights and the lean of the sizes, which explain each other, are found in turns, as by A. Dempster et al.,
"Maximum likelihood from incomplete data via the EM algorithm", 1977.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT
from vision.heights.apparent_size import nearness
from vision.heights.comparison import pooled
from vision.heights.elevations import Elevations
from vision.heights.thickness import (
    STACK_PRIOR,
    THICKNESSES,
    Style,
    densities_at,
    thickness_prior,
)
from vision.heights.walls import STEEPEST, walls_log_likelihood

Floats = npt.NDArray[np.float64]

_THICKNESSES: Floats = THICKNESSES[::3]
"""Thicknesses of a layer that are tried, cells."""
_HEIGHTS: Floats = np.arange(1, MAX_HEIGHT + 1, dtype=np.float64)
_WIDTHS = (float(np.log(0.55)), float(np.log(1.08)))
"""Range of a tile's face, cells, as logarithms: all that sets on sale have, and room around them."""
_WIDTH_STEP = 0.0025
"""Step of the widths that are tried, as a logarithm: a third of what a layer adds from afar."""
_BESIDE = 0.03
"""How far beyond the faces' own sizes widths are tried, as a logarithm."""


@dataclass(frozen=True)
class FromAbove:
    """How elevations, sizes and walls are weighed.

    Of 6,995 tiles seen from less than 20 degrees off the vertical, in 79 pictures of the development sets, 319 of games
    and 119 of drawn boards, 946 heights are wrong with nothing known besides (log loss 2,791; without walls 980 and
    2,889). With earlier networks the figures were tried in steps; with these each was tried again at two to four other
    values, and none gained more than a hundredth of the log loss.

    Attributes:
        tilts: degrees; below the first elevations are as doubtful as the figures after this say, beyond the second,
            up to which walls are measured, as those of a view from the side.
        elevations: weight of each face's elevation at these tilts: what moves one moves its neighbours', too.
        least: log density below which no face's elevation speaks against an explanation.
        scales: how much of its elevation a face may seem to have, all of one picture alike, and how often.
        base_offset: mean and standard deviation, cells, of how far above the board's plane the lowest tiles seem to
            stand.
        offset_away: what a grid a little too large or too small adds to that deviation, for each cell of distance.
        errors: how many times larger than the network believes the errors of sizes are.
        set_spread: standard deviation of the logarithm by which the faces of one set differ.
        outliers: share of the faces whose size is mistaken altogether.
        walls: weight of what each face's walls say where elevations are as doubtful as can be; none where they are not.
            Light and blur make all walls look higher or lower alike: in rendered games, with their weight as it is
            from above, 20 of 434 heights seen from 22 to 26 degrees were wrong, and 9 without them.
        shade: what the shade at their foot adds to walls, cells. In the middle of the sets it adds 0.06; where grids
            are too large less costs less.
        lean_spread: standard deviation of what a pose a little askew adds to the logarithm from side to side.
    """

    tilts: tuple[float, float] = (6.0, float(np.degrees(STEEPEST)))
    elevations: tuple[float, float] = (0.4, 0.75)
    least: float = -9.0
    scales: tuple[tuple[float, float], ...] = ((0.72, 0.25), (0.9, 0.45), (1.08, 0.3))
    base_offset: tuple[float, float] = (-0.01, 0.035)
    offset_away: float = 0.005
    errors: float = 1.3
    set_spread: float = 0.002
    outliers: float = 0.05
    walls: float = 0.8
    shade: float = 0.01
    lean_spread: float = 0.02


MODEL = FromAbove()
_MISTAKEN = MODEL.outliers / (_WIDTHS[1] - _WIDTHS[0])
"""Likelihood of any size, where it is mistaken."""
_BASES: Floats = np.linspace(-2.0, 2.0, 5)
"""Places at which the base is tried, standard deviations."""


class Weighed(NamedTuple):
    """What explains the faces of a picture.

    Attributes:
        heights: (t, 5) log probability of each height, of each tile.
        layer_thickness: most probable thickness of a layer, cells.
        base_offset: how far above the board's plane the lowest tiles then most probably stand, cells.
    """

    heights: Floats
    layer_thickness: float
    base_offset: float


class _Faces(NamedTuple):
    """The faces of one picture, and what each explanation says of them.

    Attributes:
        elevations: (t, m, bases, 5) likelihood of each thickness, base and height, from where they lie and from their
            walls.
        larger: (m, 5) what each thickness and height adds to the logarithm of a size.
        sizes: (t,) logarithms of how wide they look, those not measured 0.
        errors: (t,) standard errors of that, infinite where none was measured.
        places: (t, 2) row and column from the board's middle, over its side.
        widths: (w,) logarithms of the tiles' widths that are tried.
    """

    elevations: Floats
    larger: Floats
    sizes: Floats
    errors: Floats
    places: Floats
    widths: Floats


def weigh_from_above(
    seen: Elevations, tiles: npt.NDArray[np.bool_], styles: tuple[Style, ...], known: Floats | None
) -> Weighed:
    """The heights of the `tiles` (n, n) of a view from above, t of them, by elevations and sizes.

    `styles` are how people play, `known` (57,) log weights of THICKNESSES.
    """
    doubt = float(np.interp(np.degrees(seen.tilt), MODEL.tilts, (1.0, 0.0)))
    bases, base_prior = _bases(seen.away, doubt)
    faces = _faces(seen, tiles, bases, doubt)
    fixed = thickness_prior(seen.thickness, known)[::3, None, None] + base_prior[:, None]
    bears = seen.presence(tiles)
    sized = _size_likelihoods(faces, np.zeros(2))
    lean = _lean(faces, sized, _shares(faces, sized, bears, styles, fixed))
    sized = _size_likelihoods(faces, lean)
    shares = _shares(faces, sized, bears, styles, fixed)
    best, base, _ = np.unravel_index(int(shares.argmax()), shares.shape)
    measured = (_given(faces, sized, shares) * sized).sum(axis=2)
    heights = pooled(measured, _THICKNESSES, seen.compared[tiles], seen.tilt)
    return Weighed(heights, float(_THICKNESSES[best]), float(bases[base][0]))


def _bases(away: float, doubt: float) -> tuple[Floats, Floats]:
    """How elevations may be astray, (b, 2): where the lowest tiles stand, cells, and by what elevations are multiplied;
    and the log prior (b,) of each.

    `doubt` is 1 where they are told from straight above, 0 where they are told from the side.
    """
    spread = float(np.hypot(MODEL.base_offset[1], doubt * MODEL.offset_away * away))
    scales, shares = np.array(MODEL.scales).T
    base, scale = np.meshgrid(MODEL.base_offset[0] + spread * _BASES, 1.0 + doubt * (scales - 1.0))
    prior = np.log(shares)[:, None] - 0.5 * _BASES**2
    return np.column_stack([base.ravel(), scale.ravel()]), (prior - np.log(np.exp(prior).sum())).ravel()


def _faces(seen: Elevations, tiles: npt.NDArray[np.bool_], bases: Floats, doubt: float) -> _Faces:
    """The faces of the `tiles` (n, n), with `bases` (b, 2) and `doubt` as `_bases` has them."""
    stacked = _THICKNESSES[:, None] * _HEIGHTS
    lying = bases[:, 1, None] * stacked[:, None, :] + bases[:, 0, None]
    logs, errors = seen.sizes[tiles].T
    larger = nearness(stacked, seen.away)
    middle = float(np.clip(np.median(logs[np.isfinite(errors)]), *_WIDTHS))
    lowest = max(middle - float(larger.max()) - _BESIDE, _WIDTHS[0])
    widths = np.arange(lowest, min(middle + _BESIDE, _WIDTHS[1]), _WIDTH_STEP)
    weight = float(np.interp(doubt, (0.0, 1.0), MODEL.elevations[::-1]))
    density = np.maximum(densities_at(seen.log_probs[tiles], lying), MODEL.least)
    walls = doubt * MODEL.walls * walls_log_likelihood(seen.walls[tiles], stacked + MODEL.shade)
    return _Faces(
        np.exp(weight * density + walls[:, :, None, :]), larger, logs, errors,
        (np.argwhere(tiles) + 0.5) / len(tiles) - 0.5, widths,
    )  # fmt: skip


def _size_likelihoods(faces: _Faces, lean: Floats) -> Floats:
    """Likelihood (t, m, w, 5) of each thickness, width and height, from how large the faces look.

    `lean` (2,) is what sizes grow by from row to row and from column to column over the whole board.
    """
    measured = np.isfinite(faces.errors)[:, None, None, None]
    spread = np.where(measured, _spread(faces)[:, None, None, None], 1.0)
    off = _left(faces, faces.sizes - faces.places @ lean) / spread
    right = (1.0 - MODEL.outliers) * np.exp(-0.5 * off**2) / (spread * np.sqrt(2 * np.pi))
    return np.asarray(np.where(measured, right + _MISTAKEN, 1.0), dtype=np.float64)


def _spread(faces: _Faces) -> Floats:
    """Standard deviation (t,) of the logarithm of each size."""
    return np.asarray(np.hypot(MODEL.errors * faces.errors, MODEL.set_spread), dtype=np.float64)


def _left(faces: _Faces, sizes: Floats) -> Floats:
    """What of the sizes (t,) no thickness, width and height accounts for, (t, m, w, 5)."""
    left = sizes[:, None, None, None] - faces.larger[:, None, :] - faces.widths[:, None]
    return np.asarray(left, dtype=np.float64)


def _explained(faces: _Faces, sized: Floats, heights: Floats) -> Floats:
    """How well each thickness, base and width explains each face, (t, m, b, w), for log priors (5,) or (t, 5) of the
    heights."""
    prior = np.broadcast_to(np.exp(heights), (len(faces.sizes), MAX_HEIGHT))[:, None, None, :]
    return np.asarray(np.matmul(faces.elevations * prior, sized.swapaxes(2, 3)), dtype=np.float64)


def _shares(faces: _Faces, sized: Floats, bears: Floats, styles: tuple[Style, ...], fixed: Floats) -> Floats:
    """Probability (m, b, w) of each thickness, base and width, by all faces together.

    `bears` (t,) says how probable each face is, `fixed` (m, b, 1) what is known without them, as logarithms.
    """
    logs = [
        np.log(often) + np.einsum("t,tmbw->mbw", bears, np.log(_explained(faces, sized, heights)))
        for often, heights in styles
    ]
    total = fixed + np.logaddexp.reduce(logs)
    shares = np.exp(total - total.max())
    return np.asarray(shares / shares.sum(), dtype=np.float64)


def _given(faces: _Faces, sized: Floats, shares: Floats) -> Floats:
    """Probability (t, m, w, 5) of each thickness, width and height of each face over its likelihood there by size."""
    parts = shares / _explained(faces, sized, STACK_PRIOR)
    return np.asarray(
        np.matmul(parts.swapaxes(2, 3), faces.elevations * np.exp(STACK_PRIOR)), dtype=np.float64
    )


def _lean(faces: _Faces, sized: Floats, shares: Floats) -> Floats:
    """What sizes seem to grow by from row to row and from column to column over the whole board, (2,).

    Least squares held near to none: a pose a little askew, not stacks that grow to one side.
    """
    meant = _given(faces, sized, shares) * (sized - _MISTAKEN)
    weights = 1.0 / _spread(faces) ** 2
    left = (meant * _left(faces, faces.sizes)).sum(axis=(1, 2, 3)) * weights
    held = faces.places.T @ (faces.places * (meant.sum(axis=(1, 2, 3)) * weights)[:, None])
    return np.asarray(
        np.linalg.solve(held + np.eye(2) / MODEL.lean_spread**2, faces.places.T @ left), dtype=np.float64
    )
