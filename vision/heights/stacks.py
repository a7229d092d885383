"""Telling how high each stack is: the elevations of the faces, and one thickness of a layer that explains them all.

A network says at which elevation each square's face lies. Heights follow once the thickness of a layer is known, and
that is the same for all tiles of a set: every thickness is tried against all faces at once, together with the
seams that show on the walls. What stays open is carried on as probability.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.board import MAX_HEIGHT
from vision.geometry.camera import Camera
from vision.geometry.rectify import Tensor, outside
from vision.heights.apparent_size import weighed_by_size
from vision.heights.colour import colour_odds
from vision.heights.overlap import settled_claims
from vision.heights.plane_sweep import (
    SLICE_STEP,
    SLICES,
    SWEEP_MARGIN,
    mirrored,
    quarter_towards_camera,
    sweep,
)
from vision.heights.seams import seam_scores
from vision.images import Image
from vision.networks import log_probabilities, network

Floats = npt.NDArray[np.float64]
Heights = npt.NDArray[np.int64]

LAYERS: Floats = np.exp(np.linspace(np.log(0.17), np.log(0.34), 57))
"""Thicknesses of a layer that are tried, over the pitch."""
_USUAL, _SPREAD = 0.25, 0.13
"""Sets measure 0.20 to 0.32: the middle, and the standard deviation of the logarithm."""
_FEET = ((-0.09, 0.12), (-0.06, 0.2), (-0.03, 0.23), (0.0, 0.25), (0.03, 0.2), (0.06, 0.08), (0.09, 0.03))
"""How far above the board's plane the lowest tiles may stand (cells), and how often by comparison.

Further than any set's do: a grid fitted a little askew lifts or sinks all faces alike.
"""
_FEET_USUAL = np.log([share / sum(often for _, often in _FEET) for _, share in _FEET])
STACKED = np.log([0.34, 0.23, 0.17, 0.14, 0.12])
"""Log shares of the stacks that are one to five high."""
_STYLES = ((0.9, STACKED), (0.1, np.log([0.84, 0.12, 0.025, 0.01, 0.005])))
"""How often people play so, and the log shares then: some hardly stack, and have nearly all tiles on the board itself.

They serve to tell the thickness: without the second, a board of single tiles passes for one of pairs half as thick.
"""
_TOGETHER = 0.6
"""Weight of each face in the search for the thickness: what moves one face's elevation moves its neighbours' too."""
_FINENESS = 0.22
"""Standard deviation of an elevation within what the network can tell apart, slices."""
_SEAMS_SAY = 0.3
"""Weight of the seams beside the faces: blur and bevels make them less independent than they look."""
_LEAST = -9.0
_SURELY_EMPTY = float(np.log(0.9995))
LEAST_WEIGHT = -25.0
"""Log weight below which no thickness sinks: a few misread boards must not settle it for good."""


@dataclass(frozen=True)
class StackReading:
    """What was seen of all stacks.

    Attributes:
        elevations: (n, n, SLICES) log probability of the slice in which the top face lies; the first: none is there.
        hidden: (n, n) probability that a hand or another object hides the square.
        seams: (m,) log evidence of each thickness in LAYERS from the walls.
        height_logits: (n, n, 6) log probability of each height.
        layer: most probable thickness of a layer, cells.
        foot: how far the lowest tiles stand above the board's plane, cells; below 0 where squares are sunk.
        contested: (n, n) share of the odds of a tile that went to other squares, whose face it is.
        around: (n + 2, n + 2) elevations, cells, of what looks like faces on the grid's squares and on those one beyond
            its sides, each by itself; 0 where none does, where a hand may be, and out of the picture.
    """

    elevations: Floats
    contested: Floats
    hidden: Floats
    seams: Floats
    height_logits: Floats
    layer: float
    around: Floats
    foot: float = 0.0

    def elevations_of(self, heights: npt.ArrayLike) -> Floats:
        """How far (cells) above the board's plane the faces of stacks `heights` (...) high lie; 0 where none stands."""
        count = np.asarray(heights)
        return np.where(count > 0, self.foot + self.layer * count, 0.0)

    def median_tops(self, chances: Floats) -> Floats:
        """Elevations (n, n) of the faces, cells, for `chances` (n, n, 6) of the heights.

        The median, so that a stack has a face only where one likely stands; 0 elsewhere.
        """
        return self.elevations_of((chances.cumsum(axis=-1) >= 0.5).argmax(axis=-1))

    def turned(self, turns: int) -> StackReading:
        """The same in the frame of `Camera.turned(turns)`."""
        return replace(
            self, elevations=np.rot90(self.elevations, turns), contested=np.rot90(self.contested, turns),
            hidden=np.rot90(self.hidden, turns), height_logits=np.rot90(self.height_logits, turns),
            around=np.rot90(self.around, turns),
        )  # fmt: skip


def read_stacks(image: Image, camera: Camera, size: int, layers: Floats | None = None) -> StackReading:
    """Read all stacks in a picture that `shrink_to_pitch` has reduced.

    `layers` (m,), log weights of LAYERS, is what earlier pictures told of the set.
    """
    turns = quarter_towards_camera(camera, size)
    towards = camera.turned(turns, size)
    out = seen_both_ways(sweep(image, towards, size)).astype(np.float64)
    out_of_view = outside(image, towards.moved((-1.0, -1.0)), size + 2)
    around = np.where(out_of_view < 0.5, _alone(out), 0.0)
    inner = slice(SWEEP_MARGIN, SWEEP_MARGIN + size)
    out = out[:, inner, inner].transpose(1, 2, 0)
    hidden = np.maximum(1.0 / (1.0 + np.exp(-out[..., SLICES])), out_of_view[inner, inner])
    alone = log_probabilities(out[..., :SLICES])
    alone[..., 1:] += colour_odds(image, towards, alone, hidden)
    alone = log_probabilities(alone)
    elevations = settled_claims(towards, alone)
    contested = np.clip(1.0 - _odds(elevations) / _odds(alone), 0.0, 1.0)
    elevations = weighed_by_size(image, towards, elevations, hidden)
    tops = np.where(hidden < 0.5, elevations.argmax(axis=-1), 0) * SLICE_STEP
    seen = StackReading(
        elevations,
        contested,
        hidden,
        seam_scores(image, towards, tops, LAYERS),
        np.zeros((size, size, 6)),
        _USUAL,
        around,
    )
    return explained(seen.turned(-turns), layers)


def _alone(out: Floats) -> Floats:
    """Elevations (k, k), cells, of the faces that each square of the network's output (SLICES + 1, k, k) shows."""
    return np.where(out[SLICES] < 0.0, out[:SLICES].argmax(axis=0), 0) * SLICE_STEP


def seen_both_ways(planes: Tensor) -> Tensor:
    """What the network tells of a sweep (CHANNELS, side, side): logits (SLICES + 1, k, k).

    The mean of the scene and its mirror image, in which it errs otherwise.
    """
    look = network("stacks")
    other = look(mirrored(planes)[None])[0]
    return np.asarray(0.5 * (look(planes[None])[0] + other[..., ::-1]), dtype=np.float32)


def explained(
    seen: StackReading, layers: Floats | None = None, expected: Floats | None = None
) -> StackReading:
    """The heights that explain the elevations.

    `layers` (m,) are log weights of the thicknesses known from before, `expected` (n, n, 6) a log prior of the heights
    that helps to tell the thickness; the heights' own probabilities do not contain it.
    """
    # squares that are empty beyond doubt say nothing of the thickness, and theirs does not matter
    tiles = seen.elevations[..., 0] < _SURELY_EMPTY
    given = _density(seen.elevations[tiles])
    bears = (1.0 - np.exp(seen.elevations[tiles][:, 0])) * (seen.hidden[tiles] < 0.5)
    styles = _STYLES if expected is None else ((1.0, log_probabilities(expected[tiles][:, 1:])),)
    weights = np.logaddexp.reduce([
        np.log(usual) + _layer_weights(np.logaddexp.reduce(given + heights, axis=-1), bears, seen.seams, layers)
        for usual, heights in styles
    ])  # fmt: skip
    share = np.exp(weights - np.logaddexp.reduce(weights.ravel()))
    stacked = np.broadcast_to(np.exp(STACKED), (*seen.hidden.shape, MAX_HEIGHT)).copy()
    stacked[tiles] = np.einsum("lf,lfth->th", share, np.exp(log_probabilities(given + STACKED)))
    empty = np.exp(seen.elevations[..., :1])
    heights = np.concatenate([empty, (1.0 - empty) * stacked], axis=-1)
    best, foot = np.unravel_index(int(share.argmax()), share.shape)
    return replace(
        seen, height_logits=np.log(heights + 1e-4), layer=float(LAYERS[best]), foot=_FEET[int(foot)][0]
    )


def layer_evidence(elevations: Floats, hidden: Floats, heights: Heights) -> Floats:
    """Log evidence (m,) of each thickness in LAYERS where the heights (n, n) of what was seen are known."""
    tiles = (heights > 0) & (hidden < 0.3) & (elevations[..., 0] < np.log(0.5))
    given = _density(elevations[tiles])
    known = np.take_along_axis(
        given, np.broadcast_to(heights[tiles][:, None] - 1, (*given.shape[:-1], 1)), axis=-1
    )
    feet = _TOGETHER * np.maximum(known, _LEAST).sum(axis=(-1, -2)) + _FEET_USUAL
    return np.asarray(np.logaddexp.reduce(feet, axis=-1), dtype=np.float64)


def relative_weights(layers: Floats) -> Floats:
    """The same log weights (m,) of LAYERS with that of the most probable 0 and none below `LEAST_WEIGHT`."""
    return np.asarray(np.maximum(layers - layers.max(), LEAST_WEIGHT), dtype=np.float64)


def _layer_weights(tiles: Floats, bears: Floats, seams: Floats, layers: Floats | None) -> Floats:
    """Log weight (m, feet) of each thickness and foot.

    `tiles` (m, feet, t) says how well it explains each face, `bears` (t,) how probable each is; `seams` (m,).
    """
    weights = _TOGETHER * (np.maximum(tiles, _LEAST) * bears).sum(axis=-1) + _FEET_USUAL
    usual = -0.5 * (np.log(LAYERS / _USUAL) / _SPREAD) ** 2
    known = usual if layers is None else usual + layers
    return np.asarray(weights + (known + _SEAMS_SAY * seams)[:, None], dtype=np.float64)


def _odds(elevations: Floats) -> Floats:
    """Odds (n, n) that a tile is there at all."""
    empty = np.exp(elevations[..., 0])
    return np.asarray((1.0 - empty + 1e-6) / (empty + 1e-6), dtype=np.float64)


def _density(elevations: Floats) -> Floats:
    """Log density (m, feet, t, 5) of faces (t, SLICES), if they are there, at each height for each thickness and foot.

    To a fraction of a slice: the probability near by, less what its centre of gravity lies off.
    """
    feet = np.array([foot for foot, _ in _FEET])
    faces = (LAYERS[:, None, None] * np.arange(1, MAX_HEIGHT + 1) + feet[:, None]) / SLICE_STEP
    chance = np.exp(log_probabilities(elevations[..., 1:]))
    slices = np.arange(1, SLICES, dtype=np.float64)
    at = faces.ravel()
    near = np.clip(1.0 - np.abs(slices[:, None] - at) / 2.0, 0.0, None)
    mass = chance @ near + 1e-6
    centre = ((chance * slices) @ near + 1e-6 * at) / mass
    density = np.log(mass) - 0.5 * ((centre - at) / _FINENESS) ** 2
    return np.asarray(density.reshape(len(elevations), *faces.shape).transpose(1, 2, 0, 3), dtype=np.float64)
