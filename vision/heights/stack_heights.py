"""Heights from elevations: one thickness explains all faces, and the heights stay probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT, Board
from vision.arrays import Flags, Floats, Ints, log_softmax, logsumexp, softmax
from vision.geometry.camera_fit import CameraFit
from vision.geometry.rectify import ReducedView
from vision.heights.elevations import Elevations, SliceState, Source
from vision.heights.from_above import Weighed, weigh_from_above
from vision.heights.plane_sweep import SLICE_STEP, SLICES
from vision.heights.thickness import (
    BASE_OFFSETS,
    STACK_PRIOR,
    STYLES,
    THICKNESSES,
    LayeredHeights,
    Style,
    average,
    face_densities,
    face_elevations,
    group_by_layer,
    log_odds_of_other_thickness,
    thickness_prior,
    thickness_weights,
)
from vision.hidden.occlusion import VISIBLE

_SURELY_EMPTY = float(np.log(0.9995))
"""Log probability from which an empty square is left out of the fit. It says nothing there, and costs time. [by eye]"""
_TILT_DOUBT = ((18.0, 24.0), (0.1, 0.03))
"""Tilts (degrees) between which heights become visible, and the share of all evidence that is not believed there.

From above it is 0.1. A smaller share has the least log loss, but then of 700 heights from straight above that would be
sure 29 were wrong. With 0.1 none of them is sure. [by hand]
"""
_DARK_DOUBT = ((4.0, 8.0), (0.0, 0.04))
"""Gains by which a dark picture was lightened, and the further share of the evidence that is not believed there.
Without it, 13 of 15,400 sure squares were wrong at 0.05 of their values, by lamplight at 0.06 and before a window at
0.1. All of these were stacks one layer off or behind another. [bench spoiled, sets]"""
_NONE_SURE = 0.1
"""Share of the evidence that isn't believed where no height may be sure."""
_MANY_TILES = 15
"""Tiles from which a board without a single tile is doubtful if neither its set nor the board before is known. In the
development sets no board of so many tiles lacks single ones, but 45 smaller ones do, of 409. Of 28 thick flat tiles,
all read two high, 25 were sure. [by hand, sets, real]"""
MAX_BULGE = 0.03
"""Bulge of a board, cells, from which no height is sure (`vision.geometry.camera_fit.measure_bulge`). Of 41 pictures of
flat boards, seen from 18 degrees and more, none has more than 0.028. Of 222 pictures of boards bent in six ways, whose
edges stand 0.2 of a square up or down, three in four have more than 0.03. None of the 345 sure heights in the others is
wrong, one of 247 up to 0.035, and 13 of 679 beyond. [by hand, dev]"""
_OTHER_THICKNESS_ODDS = 0.3
"""Log odds of another thickness than was supposed, from which no height is sure. Of 408 sure heights in 71 pictures of
dev it takes none, with 0 it would take ten. With tiles of 0.36 to 0.42, 94 were sure and 11 of them wrong, now none is;
with tiles of 0.12 to 0.165, 221 and 39, now 129 and 20. [by hand, dev, hard_views]"""
_STRAY, _STRAY_SHARE, _STRAY_TILES = 0.3, 0.15, 8
"""Distance, layers, from which a face strays from the elevation of its height; the share of such faces beyond which no
height is sure if neither the set nor the board before is known; and the least number of tiles. Tiles pushed off their
squares and boards that aren't flat look so: 0.30 of the faces stray on a real board with 14 single tiles surely two.
Of 43 real boards 5 are in doubt, 4 of which have wrong heights; of 144 pictures of the development sets 2, of which 1
has. [by hand, sets, real]"""
_GROWTH_LOG_PRIOR, _OTHER_LOG_PRIOR = {0: 0.0, 1: -0.7, -1: -3.0}, -5.0
"""Log prior, up to a constant, of a height by its growth since one turn before, and of any other growth.

It helps to determine the thickness, where to look, and which square has a face that several squares explain. No
height's probability contains it. [by eye]
"""
_FACE_SPREAD, _LEAST_SLICE_SHARE = 0.08, 1e-6
"""Standard deviation, cells, of a face's elevation around its expected height, and the least share of any slice.
[by eye]"""
_EXPECTED_WEIGHT = 0.7
"""Weight of the board before when faces are assigned to stacks. With it and the board before known, misread letters go
from 34 to 29 of 3,049 tiles (log loss 75 to 56), and wrong heights from 213 to 209 (547 to 532). With a weight of 1
letters are as good, but 14 of 234 turns in view are asked about, not 12. [by hand, sets]"""


@dataclass(frozen=True)
class Heights:
    """The heights of the stacks of one picture.

    Attributes:
        logits: (n, n, 6) log probability of each height, up to a constant.
        layer_thickness: most probable thickness of a layer, cells.
        base_offset: how far the lowest tiles stand above the board's plane, cells, below 0 if squares are sunk.
        layered: the same heights for each group of thicknesses; None if they weren't fitted.
    """

    logits: Floats
    layer_thickness: float
    base_offset: float = 0.0
    layered: LayeredHeights | None = None

    def face_elevations(self, heights: npt.ArrayLike) -> Floats:
        """Return the elevations (...), cells above the board's plane, of stacks of `heights` (...), 0 for no stack."""
        return face_elevations(heights, self.layer_thickness, self.base_offset)

    def median_tops(self, chances: Floats) -> Floats:
        """Return the elevations (n, n) of the faces, cells, for probabilities `chances` (n, n, 6) of the heights.

        Each is the elevation at the median height, so it is 0 unless a stack is likely.
        """
        return self.face_elevations((chances.cumsum(axis=-1) >= 0.5).argmax(axis=-1))

    def join(self, log_odds: Floats) -> Heights:
        """Return the heights with `log_odds` (n, n, 6) of each added."""
        layered = None if self.layered is None else self.layered.join(log_odds[..., 1:])
        return replace(self, logits=log_softmax(self.logits + log_odds), layered=layered)

    def turn(self, turns: int) -> Heights:
        """Return the heights in the frame of `Camera.turn(turns)`."""
        layered = None if self.layered is None else self.layered.turn(turns)
        return replace(self, logits=np.rot90(self.logits, turns), layered=layered)


def fit_heights(
    elevations: Elevations,
    thickness: Floats | None = None,
    expected: Floats | None = None,
    styles: tuple[Style, ...] = STYLES,
) -> Heights:
    """Fit the heights that explain the elevations.

    `thickness` (m,) are log weights of THICKNESSES known from before. `expected` (n, n, 6) is a log prior of the
    heights that helps to determine the thickness. The heights' own probabilities don't contain it.
    """
    # Certainly empty squares say nothing about the thickness, and their heights don't matter.
    tiles = elevations.log_probs[..., 0] < _SURELY_EMPTY
    prior = None if expected is None else log_softmax(expected[tiles][:, 1:])
    styles = styles if prior is None else ((1.0, prior),)
    weigh = weigh_from_above if np.isfinite(elevations.sizes[..., 1]).any() else _weigh_elevations
    weighed = weigh(elevations, tiles, styles, thickness)
    stacked = np.broadcast_to(np.exp(STACK_PRIOR), (*elevations.hidden.shape, MAX_HEIGHT)).copy()
    stacked[tiles] = np.exp(average(weighed.heights, weighed.layers))
    weights, by_layer = group_by_layer(
        weighed.layers,
        weighed.heights,
        np.broadcast_to(STACK_PRIOR, weighed.heights[:, 0].shape) if prior is None else prior,
        elevations.presence(tiles),
    )
    layered = np.broadcast_to(np.exp(STACK_PRIOR), (len(weights), *stacked.shape)).copy()
    layered[:, tiles] = np.exp(by_layer).swapaxes(0, 1)
    empty = np.exp(elevations.log_probs[..., :1])
    heights = np.concatenate([empty, (1.0 - empty) * stacked], axis=-1)
    return Heights(
        np.log(heights + 1e-4), weighed.layer_thickness, weighed.base_offset, LayeredHeights(weights, layered)
    )


def fit_heights_again(
    elevations: Elevations,
    view: ReducedView,
    sources: Sequence[Source[SliceState]],
    thickness: Floats | None,
    expected: Floats | None,
) -> tuple[Elevations, Heights]:
    """Fit the heights of a `view` whose letters stand upright. Return its new elevations and heights.

    If heights `expected` from the board before are given, `sources` that are `between_squares` assign faces that
    several squares explain once more. `thickness` and `expected` are those of `fit_heights`.
    """
    heights = fit_heights(elevations, thickness, expected)
    if expected is None:
        return elevations, heights
    # The first fit's thickness says where the faces of the board before should lie.
    elevations = elevations.shared_out(view, sources, expect_slices(expected, heights))
    return elevations, fit_heights(elevations, thickness, expected)


def _weigh_elevations(elevations: Elevations, tiles: Flags, styles: tuple[Style, ...], known: Floats | None) -> Weighed:
    """Weigh the heights of t `tiles` (n, n) by their elevations alone.

    `styles` are the ways to play. `known` (m,) are log weights of THICKNESSES from before.
    """
    given = face_densities(elevations.log_probs[tiles])
    prior = thickness_prior(elevations.thickness, known)
    weights = logsumexp(thickness_weights(given, elevations.presence(tiles), styles, prior))
    layers = logsumexp(weights)
    by_offset = np.einsum("motk,mo->tmk", softmax(given + STACK_PRIOR), softmax(weights))
    heights = np.log(np.maximum(by_offset, np.finfo(np.float64).tiny))
    best, offset = np.unravel_index(int(weights.argmax()), weights.shape)
    return Weighed(heights, log_softmax(layers), float(THICKNESSES[best]), float(BASE_OFFSETS[offset]))


def expect_heights(board: Board | None) -> Floats | None:
    """Return the log prior (n, n, 6) of the heights one turn after `board`, or None if there is no board."""
    if board is None:
        return None
    heights = np.array([[len(stack) for stack in row] for row in board.stacks])
    more = np.arange(MAX_HEIGHT + 1) - heights[..., None]
    grown = [more == change for change in _GROWTH_LOG_PRIOR]
    return np.asarray(np.select(grown, list(_GROWTH_LOG_PRIOR.values()), _OTHER_LOG_PRIOR), dtype=np.float64)


def expect_slices(expected: Floats, heights: Heights) -> Floats:
    """Return the log prior (n, n, SLICES) of the faces' slices from a log prior `expected` (n, n, 6) of the heights."""
    elevations = np.arange(1, SLICES) * SLICE_STEP
    faces = heights.face_elevations(np.arange(1, MAX_HEIGHT + 1))
    near = np.exp(-0.5 * ((elevations - faces[:, None]) / _FACE_SPREAD) ** 2)
    chance = np.exp(log_softmax(expected))
    near /= near.sum(axis=1, keepdims=True) + 1e-12
    slices = np.concatenate([chance[..., :1], chance[..., 1:] @ near], axis=-1)
    return _EXPECTED_WEIGHT * log_softmax(np.log(slices + _LEAST_SLICE_SHARE))


def temper_heights(heights: Floats, doubt: float) -> Floats:
    """Return P(height) (n, n, 6), ignoring a share `doubt` of the evidence.

    The result is mixed with the usual shares of the heights, STACK_PRIOR. The probability that there is any tile stays
    the same.
    """
    tile = heights[..., 1:].sum(axis=-1, keepdims=True)
    mixed = (1.0 - doubt) * heights[..., 1:] + doubt * tile * np.exp(STACK_PRIOR)
    return np.concatenate([heights[..., :1], mixed], axis=-1)


def temper_layers(layered: LayeredHeights, doubt: float) -> LayeredHeights:
    """Return heights by layer with as much doubt as `temper_heights` adds."""
    return replace(layered, heights=(1.0 - doubt) * layered.heights + doubt * np.exp(STACK_PRIOR))


def doubt_by_view(view: ReducedView) -> float:
    """Return the share of the evidence about heights to ignore in this view.

    From straight above a stack differs from a single tile by little more than scale. In the dark, walls hardly show.
    """
    return float(np.interp(np.degrees(view.tilt), *_TILT_DOUBT) + np.interp(view.gain, *_DARK_DOUBT))


def doubt_by_fit(fit: CameraFit) -> float:
    """Return the share of the evidence to ignore if the camera is in doubt, or the board bulges.

    Either lifts or sinks whole parts of the board.
    """
    return _NONE_SURE if fit.framing_in_doubt or fit.bulge > MAX_BULGE else 0.0


def doubt_by_elevations(elevations: Elevations, heights: Heights, tops: Ints) -> float:
    """Return the share of the evidence to ignore if the faces lie between layers.

    `tops` (n, n) are the likeliest heights. One thickness must explain all faces. If it leaves many unexplained, tiles
    lie beside their squares or the board isn't flat.
    """
    there = (tops > 0) & (elevations.hidden < VISIBLE.hidden)
    slices = np.exp(log_softmax(elevations.log_probs[there][:, 1:])) @ np.arange(1, SLICES) * SLICE_STEP
    strays = np.abs(slices - heights.face_elevations(tops[there])) > _STRAY * heights.layer_thickness
    return _NONE_SURE if len(strays) >= _STRAY_TILES and strays.mean() > _STRAY_SHARE else 0.0


def doubt_by_scale(tops: Ints) -> float:
    """Return the share of the evidence to ignore if none of the heights `tops` (n, n) is that of a single tile.

    If all tiles are single and thick, they look like stacks of thin ones. On a board with many tiles some are single.
    """
    return _NONE_SURE if (tops > 0).sum() >= _MANY_TILES and not (tops == 1).any() else 0.0


def doubt_by_thickness(elevations: Elevations, known: Floats | None) -> float:
    """Return the share of the evidence to ignore if tiles of another thickness explain the faces as well.

    The other thickness is none of a known set or, if one is `known` (m,), as in `fit_heights`, any but that one.
    """
    tiles = elevations.log_probs[..., 0] < _SURELY_EMPTY
    if not tiles.any():
        return 0.0
    odds = log_odds_of_other_thickness(elevations.log_probs[tiles], elevations.presence(tiles), known)
    return _NONE_SURE if odds > _OTHER_THICKNESS_ODDS else 0.0
