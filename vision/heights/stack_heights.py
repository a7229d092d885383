"""Heights from elevations: one thickness explains all faces, and what stays open is carried on as probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT, Board
from vision.geometry.rectify import ReducedView
from vision.heights.elevations import Elevations, SliceState, Source
from vision.heights.from_above import Weighed, weigh_from_above
from vision.heights.plane_sweep import SLICE_STEP, SLICES
from vision.heights.thickness import (
    BASE_OFFSETS,
    STACK_PRIOR,
    STYLES,
    THICKNESSES,
    Style,
    face_densities,
    thickness_weights,
)  # fmt: skip
from vision.probability import log_softmax, logsumexp

Floats = npt.NDArray[np.float64]

_SURELY_EMPTY = float(np.log(0.9995))
"""Log probability from which an empty square is left out of the fit: it says nothing, and costs time. By eye."""
_TILT_DOUBT = ((18.0, 24.0), (0.1, 0.03))
"""Tilts (degrees) between which heights become visible, and the share of the word of all evidence that is not believed.

From above 0.1: what costs least by log loss is less, but then no height seen from straight above is sure, and of 700
that would be 29 were wrong. It was 0.4 before sizes and elevations were weighed together.
"""
_DARK_DOUBT = ((4.0, 8.0), (0.0, 0.04))
"""What a dark picture's values were multiplied by, and the share that is not believed beside that. Of 15,400 squares
called sure at 0.05, by lamplight at 0.06 and before a window at 0.1 (`workshop/bench/reading/spoiled.py`) 13 were
wrong without it, all of them stacks a layer off or behind another."""
_EXPECTED, _UNEXPECTED = {0: 0.0, 1: -0.7, -1: -3.0}, -5.0
"""Log prior, up to a constant, of a height by how much it is more than one turn before, and of any other.

By eye, not measured. It helps to tell the thickness, where to look and whose face it is that several squares explain,
and is in no height's probability.
"""
_LIES_WITHIN, _ANYWHERE = 0.08, 1e-6
"""Standard deviation, cells, of where a face lies by the height that is expected, and the least share of any slice. By
eye."""
_HELD_TO = 0.7
"""Share of the word of the board before that is taken where faces are given to stacks. Of 3,049 tiles of the
development sets, the board before known, letters misread go from 34 to 29 (log loss 75 to 56), heights from 213 to 209
(547 to 532) with it; with all of its word letters are as good, but 14 of 234 turns in view are asked about, not 12."""


@dataclass(frozen=True)
class Heights:
    """How high the stacks are.

    Attributes:
        logits: (n, n, 6) log probability of each height, up to a constant.
        layer_thickness: most probable thickness of a layer, cells.
        base_offset: how far the lowest tiles stand above the board's plane, cells; below 0 where squares are sunk.
    """

    logits: Floats
    layer_thickness: float
    base_offset: float = 0.0

    def __post_init__(self) -> None:
        n = len(self.logits)
        if self.logits.shape != (n, n, MAX_HEIGHT + 1) or not self.layer_thickness > 0:
            raise ValueError(f"no heights: {self.logits.shape}, layers of {self.layer_thickness}")

    def face_elevations(self, heights: npt.ArrayLike) -> Floats:
        """How far (cells) above the board's plane the faces of stacks `heights` (...) high lie; 0 where none stands."""
        count = np.asarray(heights)
        return np.where(count > 0, self.base_offset + self.layer_thickness * count, 0.0)

    def median_tops(self, chances: Floats) -> Floats:
        """Elevations (n, n) of the faces, cells, for `chances` (n, n, 6) of the heights.

        The median, so that a stack has a face only where one likely stands; 0 elsewhere.
        """
        return self.face_elevations((chances.cumsum(axis=-1) >= 0.5).argmax(axis=-1))

    def turned(self, turns: int) -> Heights:
        """The same in the frame of `Camera.turned(turns)`."""
        return replace(self, logits=np.rot90(self.logits, turns))


def fit_heights(seen: Elevations, thickness: Floats | None = None, expected: Floats | None = None) -> Heights:
    """The heights that explain the elevations.

    `thickness` (m,) are log weights of THICKNESSES known from before, `expected` (n, n, 6) a log prior of the heights
    that helps to tell the thickness; the heights' own probabilities do not contain it.
    """
    # squares that are empty beyond doubt say nothing of the thickness, and theirs does not matter
    tiles = seen.log_probs[..., 0] < _SURELY_EMPTY
    styles = STYLES if expected is None else ((1.0, log_softmax(expected[tiles][:, 1:])),)
    weigh = weigh_from_above if np.isfinite(seen.sizes[..., 1]).any() else _weigh_elevations
    told = weigh(seen, tiles, styles, thickness)
    stacked = np.broadcast_to(np.exp(STACK_PRIOR), (*seen.hidden.shape, MAX_HEIGHT)).copy()
    stacked[tiles] = np.exp(told.heights)
    empty = np.exp(seen.log_probs[..., :1])
    heights = np.concatenate([empty, (1.0 - empty) * stacked], axis=-1)
    return Heights(np.log(heights + 1e-4), told.layer_thickness, told.base_offset)


def fit_heights_again(
    seen: Elevations,
    view: ReducedView,
    sources: Sequence[Source[SliceState]],
    thickness: Floats | None,
    expected: Floats | None,
) -> tuple[Elevations, Heights]:
    """The elevations of a `view` whose letters stand upright, and the heights that explain them, by what is known then.

    `thickness` and `expected` as `fit_heights` has them. Where the heights before are known, faces that several squares
    explain are given to one of them anew, by those `sources` that speak of that.
    """
    heights = fit_heights(seen, thickness, expected)
    if expected is None:
        return seen, heights
    # where the faces of the board before lie is known with the thickness that it told
    seen = seen.shared_out(view, sources, expected_slices(expected, heights))
    return seen, fit_heights(seen, thickness, expected)


def _weigh_elevations(
    seen: Elevations, tiles: npt.NDArray[np.bool_], styles: tuple[Style, ...], known: Floats | None
) -> Weighed:
    """The heights of the `tiles` (n, n), t of them, by their elevations alone; as `weigh_from_above` else."""
    given = face_densities(seen.log_probs[tiles])
    bears = seen.presence(tiles)
    weights = logsumexp(np.stack([
        np.log(often) + thickness_weights(logsumexp(given + heights), bears, seen.thickness, known)
        for often, heights in styles
    ], axis=-1))  # fmt: skip
    share = np.exp(weights - logsumexp(weights.ravel()))
    heights = np.einsum("lf,lfth->th", share, np.exp(log_softmax(given + STACK_PRIOR)))
    best, offset = np.unravel_index(int(share.argmax()), share.shape)
    return Weighed(np.log(heights), float(THICKNESSES[best]), float(BASE_OFFSETS[offset]))


def expected_heights(board: Board | None) -> Floats | None:
    """Log prior (n, n, 6) of the heights one turn after `board`: as they were, or one tile more."""
    if board is None:
        return None
    heights = np.array([[len(stack) for stack in row] for row in board.stacks])
    more = np.arange(MAX_HEIGHT + 1) - heights[..., None]
    priors = [(more == change, log) for change, log in _EXPECTED.items()]
    chosen = np.select([where for where, _ in priors], [log for _, log in priors], _UNEXPECTED)
    return np.asarray(chosen, dtype=np.float64)


def expected_slices(expected: Floats, heights: Heights) -> Floats:
    """Log prior (n, n, SLICES) of where faces lie if stacks are as high as `expected` (n, n, 6), a log prior, says."""
    elevations = np.arange(1, SLICES) * SLICE_STEP
    faces = heights.face_elevations(np.arange(1, MAX_HEIGHT + 1))
    near = np.exp(-0.5 * ((elevations - faces[:, None]) / _LIES_WITHIN) ** 2)
    chance = np.exp(log_softmax(expected))
    near /= near.sum(axis=1, keepdims=True) + 1e-12
    told = np.concatenate([chance[..., :1], chance[..., 1:] @ near], axis=-1)
    return np.asarray(_HELD_TO * log_softmax(np.log(told + _ANYWHERE)), dtype=np.float64)


def temper_by_view(heights: Floats, view: ReducedView) -> Floats:
    """P(height) (n, n, 6) believed no further than a view can tell heights, by its tilt and its light.

    Seen from straight above a stack differs from a single tile by little more than scale: what the network says there
    is mixed with how often stacks are how high. Whether a tile is there at all stays as it is.
    """
    doubt = float(np.interp(np.degrees(view.tilt), *_TILT_DOUBT) + np.interp(view.gain, *_DARK_DOUBT))
    tile = heights[..., 1:].sum(axis=-1, keepdims=True)
    mixed = (1.0 - doubt) * heights[..., 1:] + doubt * tile * np.exp(STACK_PRIOR)
    return np.concatenate([heights[..., :1], mixed], axis=-1)
