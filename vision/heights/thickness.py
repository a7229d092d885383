"""The thickness of a set's tiles, and how far above the board's plane the lowest tiles stand.

Both are equal for all tiles of a picture. So every thickness and base offset of a grid is tried against all faces at
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT
from vision.arrays import Floats, Ints, log_softmax, logsumexp, softmax
from vision.heights.plane_sweep import SLICE_STEP, SLICES
from vision.hidden.occlusion import VISIBLE

Style: TypeAlias = tuple[float, Floats]
"""A way to play: how often people play so, and the log shares, (5,) or (t, 5), of stacks one to five high."""

STACK_PRIOR: Floats = np.log([0.34, 0.23, 0.17, 0.14, 0.12])
"""Log shares of stacks one to five high. [by eye]"""
STYLES: tuple[Style, ...] = (
    (0.4, np.log([0.84, 0.12, 0.025, 0.01, 0.005])),
    (0.3, np.log([0.2, 0.24, 0.2, 0.16, 0.2])),
    (0.3, np.log([0.1, 0.15, 0.2, 0.25, 0.3])),
)
"""Ways to play: some people hardly stack, some stack now and then, and some build towers.

They help to determine the thickness. Without the first, a board of single tiles passes for pairs half as thick (seen in
a picture of the development sets). Without the last, a board of towers passes for fewer, thicker tiles. How people
really play isn't known, so the shares were chosen by eye among nine such mixtures. The last two replaced STACK_PRIOR
with a share of a half. Since then, of heights from less than 20 degrees off the vertical 232 of 796 are wrong in the
development sets, not 300. They are 446 of 2,342, not 536, on 119 simulated boards, and 351 of 3,857, not 352, in ten
datasets of games that hardly stack. From the side 13 of 2,157 are wrong in the development sets, not 17, and 21 of
2,875 in six datasets, as before. [by hand, sets]
"""
_FLAT: Style = (0.3, np.log([0.985, 0.011, 0.002, 0.001, 0.001]))
"""The way to play on another game's board: people rarely stack there, if at all. Of 9,209 single tiles on 188 real
photographs 593 are not read one high without it and 43 with it; 2,788 and 8,916 heights are sure, one of them wrong.
Of 1,125 tiles of stacks seen from the side 30 are wrong either way, in the development sets. [by hand, real
photographs]"""
_FLAT_WEIGHT = 0.5
"""Weight of each stack when it is asked whether all are single, because their heights err together. [by hand, real
photographs]"""
THICKNESSES: Floats = np.exp(np.linspace(np.log(0.17), np.log(0.34), 57))
"""Thicknesses of a layer that are tried, cells. Sets measure 0.20 to 0.32. The steps of 1.2 % are finer than a single
picture can distinguish. [by eye]"""
_UNKNOWN_THICKNESSES: tuple[Floats, ...] = tuple(
    np.exp(np.arange(np.log(least), np.log(most), 0.025)) for least, most in ((0.11, 0.168), (0.344, 0.46))
)
"""Thicknesses of thinner and of thicker tiles than those of known sets, cells. Steps half as fine as THICKNESSES's will
do to compare them. [by eye]"""
COMPARED_THICKNESSES: Floats = np.exp(np.linspace(np.log(0.17), np.log(0.34), 7))
"""Thicknesses of a layer, cells, for which stacks seen from above are compared. Other thicknesses are interpolated.
[by eye]"""
BASE_OFFSETS: Floats = np.array([-0.09, -0.06, -0.03, 0.0, 0.03, 0.06, 0.09])
"""How far above the board's plane the lowest tiles may stand, cells.

They go beyond those of any set, because a grid fitted a little askew lifts or sinks all faces alike. Without this room
nine thick single tiles of a picture in the development sets passed for two thin ones each. [by hand, sets]
"""
_OFFSET_SHARES = np.array([0.12, 0.2, 0.23, 0.25, 0.2, 0.08, 0.03])
"""Relative frequency of each base offset. Squares are sunk more often than raised. [by eye]"""
BASE_OFFSET_PRIOR: Floats = np.log(_OFFSET_SHARES / _OFFSET_SHARES.sum())
"""Log prior (7,) of BASE_OFFSETS."""
LAYER_GROUPS, _EVENED_OUT = 9, 0.25
"""Groups of neighbouring thicknesses for which a picture's heights are kept, and the power of their weights by which
the groups are made equally likely. Heights from above err together. Of 29 pictures of two turns that one play could
explain, 27 make the two likelier by at least 0.8 (a logarithm) with the heights for each group. With single heights
some make one play likelier by five. Of 156 pictures of one play 140 make any other heights likelier by at most 0.6.
With three or five groups, or a power of one, fewer do. [by hand, dev]"""
MISCOUNTED = 0.03
"""Share of tiles whose height may be misread by any number of layers, by log loss on 2,250 tiles of dev seen from 20
degrees or more (0.01 would fit better, but a stack is misread in the same way again); whether a tile is there hardly
ever is. [by hand, sets]"""
LEAST_WEIGHT = -25.0
"""Least log weight of a thickness, so that a few misread boards can't rule it out for good. [by eye]"""
_USUAL_THICKNESS, _THICKNESS_SPREAD = 0.25, 0.13
"""Middle of the sets' thicknesses, cells, and the standard deviation of their logarithm. Known sets measure 0.20 to
0.32. Which sets these are is not on record."""
_FACE_WEIGHT = 0.6
"""Weight of each face: an error of one face's elevation moves its neighbours' too. Its origin is not on record."""
_FINENESS = 0.22
"""Standard deviation, slices, of an elevation within the network's resolution. Its origin is not on record."""
_SEAMS_WEIGHT = 0.3
"""Weight of the seams beside the faces, because blur and bevels make them less independent than they look. Its origin
is not on record."""
_LEAST_DENSITY = -9.0
"""Least log density of a face against a thickness. [by eye]"""


def face_elevations(heights: npt.ArrayLike, layer_thickness: float, base_offset: float) -> Floats:
    """Return how far (cells) above the board's plane the faces (...) of stacks of `heights` (...) lie, 0 for no stack.

    `layer_thickness` and `base_offset`, cells, are those of a picture.
    """
    count = np.asarray(heights)
    return np.where(count > 0, base_offset + layer_thickness * count, 0.0)


def face_densities(log_probs: Floats, thicknesses: Floats = THICKNESSES) -> Floats:
    """Return the log density (m, offsets, t, 5) of t existing faces at each height, for each thickness and base offset.

    `log_probs` (t, SLICES) are the faces' log probabilities. The order of the axes is `thicknesses`, BASE_OFFSETS,
    faces and heights.
    """
    faces = thicknesses[:, None, None] * np.arange(1, MAX_HEIGHT + 1) + BASE_OFFSETS[:, None]
    return np.moveaxis(densities_at(log_probs, faces), 0, 2)


def densities_at(log_probs: Floats, elevations: Floats) -> Floats:
    """Return the log density (t, ...) of t existing faces at each of the `elevations` (...), cells.

    `log_probs` (t, SLICES) are the faces' log probabilities. The density is precise to a fraction of a slice. It is the
    probability of the near slices, reduced by the distance of their centre of gravity.
    """
    chance = np.exp(log_softmax(log_probs[..., 1:]))
    slices = np.arange(1, SLICES, dtype=np.float64)
    levels = elevations.ravel() / SLICE_STEP
    near = np.clip(1.0 - np.abs(slices[:, None] - levels) / 2.0, 0.0, None)
    mass = chance @ near + 1e-6
    centre = ((chance * slices) @ near + 1e-6 * levels) / mass
    density = np.log(mass) - 0.5 * ((centre - levels) / _FINENESS) ** 2
    return density.reshape(-1, *elevations.shape)


def thickness_weights(given: Floats, presence: Floats, styles: Sequence[Style], prior: Floats) -> Floats:
    """Return the log weight (m, offsets, styles) of each thickness, base offset and way to play.

    `given` (m, offsets, t, 5) are those of `face_densities`, and `presence` (t,) is the probability of each face.
    `prior` (m,) are the log weights of the thicknesses without the faces.
    """
    density = np.exp(given)
    totals = []
    for often, heights in styles:
        shares = np.broadcast_to(np.exp(heights), given.shape[2:])
        faces = np.maximum(np.einsum("motk,tk->mot", density, shares), np.exp(_LEAST_DENSITY))
        totals.append(np.log(often) + _FACE_WEIGHT * np.log(faces) @ presence)
    return np.asarray(np.stack(totals, axis=-1) + BASE_OFFSET_PRIOR[:, None] + prior[:, None, None], dtype=np.float64)


def log_odds_of_other_thickness(log_probs: Floats, presence: Floats, known: Floats | None) -> float:
    """Return the log odds that the tiles of a picture aren't as thick as supposed.

    They may be thinner or thicker than those of known sets. If the thickness is `known` (m,), as in `thickness_prior`,
    they may also be as thick as those of any set. Each is taken to be as likely beforehand as what was supposed.
    `log_probs` (t, SLICES) are the log probabilities of t faces, and `presence` (t,) is the probability of each.
    """

    def evidence(thicknesses: Floats, *priors: Floats) -> list[float]:
        given = face_densities(log_probs, thicknesses)
        return [
            float(logsumexp(thickness_weights(given, presence, STYLES, log_softmax(prior)).ravel())) for prior in priors
        ]

    usual = thickness_prior(np.zeros(len(THICKNESSES)), None)
    supposed, *others = evidence(THICKNESSES, *([usual] if known is None else [usual + known, usual]))
    for thicknesses in _UNKNOWN_THICKNESSES:
        others += evidence(thicknesses, np.zeros(len(thicknesses)))
    return max(others) - supposed


def thickness_prior(walls: Floats, known: Floats | None) -> Floats:
    """Return the log weight (m,) of each of THICKNESSES before faces are weighed.

    `walls` (m,) and `known` (m,) are log odds of THICKNESSES from the walls and from before.
    """
    usual = -0.5 * (np.log(THICKNESSES / _USUAL_THICKNESS) / _THICKNESS_SPREAD) ** 2
    prior = usual if known is None else usual + known
    return prior + _SEAMS_WEIGHT * walls


def thickness_evidence(log_probs: Floats, hidden: Floats, heights: Ints) -> Floats:
    """Return the log evidence (m,) for each of THICKNESSES from a picture whose `heights` (n, n) are known.

    `log_probs` (n, n, SLICES) and `hidden` (n, n) are those of `vision.heights.elevations.Elevations`.
    """
    tiles = (heights > 0) & (hidden < VISIBLE.reference) & (log_probs[..., 0] < np.log(0.5))
    given = face_densities(log_probs[tiles])
    known = np.take_along_axis(given, np.broadcast_to(heights[tiles][:, None] - 1, (*given.shape[:-1], 1)), axis=-1)
    offsets = _FACE_WEIGHT * np.maximum(known, _LEAST_DENSITY).sum(axis=(-1, -2)) + BASE_OFFSET_PRIOR
    return logsumexp(offsets)


@dataclass(frozen=True)
class LayeredHeights:
    """The heights of a picture for each of K groups of thicknesses, because one thickness explains all its stacks.

    Attributes:
        weights: (K,) log weight of each group before any height is known.
        heights: (K, n, n, 5) probability of each height of a stack if STACK_PRIOR is the prior.
    """

    weights: Floats
    heights: Floats

    def __post_init__(self) -> None:
        groups, *_, heights = self.heights.shape
        if self.weights.shape != (groups,) or heights != MAX_HEIGHT or self.heights.ndim != 4:
            raise ValueError(f"no heights by layer: {self.weights.shape}, {self.heights.shape}")

    def join(self, log_odds: Floats) -> LayeredHeights:
        """Return the heights with `log_odds` (n, n, 5) of each added."""
        return replace(self, heights=softmax(np.log(self.heights + 1e-9) + log_odds))

    def turn(self, turns: int) -> LayeredHeights:
        """Return the heights in the frame of `Camera.turn(turns)`."""
        return replace(self, heights=np.rot90(self.heights, turns, axes=(1, 2)))


def average(heights: Floats, layers: Floats) -> Floats:
    """Return the log probabilities (t, 5) of heights over all thicknesses.

    `heights` (t, m, 5) are those for each of m thicknesses, and `layers` (m,) the log probabilities of these.
    """
    return log_softmax(logsumexp((heights + layers[:, None]).swapaxes(1, 2)))


def favour_flat(heights: Floats) -> Floats:
    """Return P(height) (n, n, 6) for another game, where all tiles may be single, from those for Upwords."""
    there = heights[..., 1:].sum(axis=-1, keepdims=True)
    likely = heights[..., 1:] / np.maximum(there * np.exp(STACK_PRIOR), 1e-9)
    tiles = there[..., 0] > 0.5
    styles: list[Style] = [(1.0 - _FLAT[0], STACK_PRIOR), _FLAT]
    logs = [np.log(p) + _FLAT_WEIGHT * np.log(likely[tiles] @ np.exp(style)).sum() for p, style in styles]
    mixed = np.zeros_like(likely)
    for weight, (_, style) in zip(softmax(np.array(logs)), styles, strict=True):
        stacked = likely * np.exp(style)
        mixed += weight * stacked / np.maximum(stacked.sum(axis=-1, keepdims=True), 1e-9)
    return np.concatenate([heights[..., :1], there * mixed], axis=-1)


def group_by_layer(weights: Floats, heights: Floats, expected: Floats, presence: Floats) -> tuple[Floats, Floats]:
    """Return the log weights (K,) and the log probabilities (t, K, 5) of the heights for groups of thicknesses.

    `weights` (m,) are the log probabilities of the thicknesses by all t faces, whose heights were `expected` (t, 5), as
    log probabilities. `heights` (t, m, 5) are the log probabilities of the heights if STACK_PRIOR is the prior of each.
    `presence` (t,) is the probability of each face. The resulting weights no longer contain the faces, so that a
    board's heights can be weighed for every group.
    """
    evened = np.exp(_EVENED_OUT * (weights - weights.max()))
    middle = (np.cumsum(evened) - evened / 2.0) / evened.sum()
    numbers = np.minimum((middle * LAYER_GROUPS).astype(int), LAYER_GROUPS - 1)
    present = np.unique(numbers)
    members = [numbers == number for number in present]
    together = np.array([logsumexp(weights[group]) for group in members])
    grouped = np.stack(
        [
            logsumexp(np.moveaxis(heights[:, group] + (weights[group] - total)[:, None], 1, -1))
            for group, total in zip(members, together, strict=True)
        ],
        axis=1,
    )
    likely = (1.0 - MISCOUNTED) * np.exp(log_softmax(grouped)) + MISCOUNTED / MAX_HEIGHT
    explained = (np.exp(log_softmax(expected) - STACK_PRIOR)[:, None] * likely).sum(axis=-1)
    return together - presence @ np.log(explained), log_softmax(grouped)


def relative_weights(logs: Floats) -> Floats:
    """Shift log weights (m,) of THICKNESSES so that the greatest is 0. Raise the others to LEAST_WEIGHT at least."""
    return np.asarray(np.maximum(logs - logs.max(), LEAST_WEIGHT), dtype=np.float64)
