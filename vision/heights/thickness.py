"""How thick the tiles of a set are, and how far above the board's plane the lowest stand.

Both are the same for all tiles of a picture: every thickness and base offset of a grid is tried against all faces at
once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT
from vision.heights.plane_sweep import SLICE_STEP, SLICES
from vision.hidden.occlusion import VISIBLE
from vision.probability import log_softmax, logsumexp

Floats = npt.NDArray[np.float64]

Style: TypeAlias = tuple[float, Floats]
"""How often people play so, and the log shares, (5,) or (t, 5), of the stacks that are one to five high then."""

STACK_PRIOR: Floats = np.log([0.34, 0.23, 0.17, 0.14, 0.12])
"""Log shares of the stacks that are one to five high; chosen by eye, not measured."""
STYLES: tuple[Style, ...] = (
    (0.4, np.log([0.84, 0.12, 0.025, 0.01, 0.005])),
    (0.3, np.log([0.2, 0.24, 0.2, 0.16, 0.2])),
    (0.3, np.log([0.1, 0.15, 0.2, 0.25, 0.3])),
)
"""Some hardly stack, and have nearly all tiles on the board itself; some stack now and then; some build towers.

They serve to tell the thickness: without the first, a board of single tiles passes for one of pairs half as thick
(seen in a development picture); without the last, a board of towers for one of fewer, thicker tiles. The shares are by
eye, chosen among nine such mixtures; which way people play is not known. With the last two instead of STACK_PRIOR by a
half, of heights seen from less than 20 degrees off the vertical 232 of 796 are wrong in the development sets, not 300,
446 of 2,342 on 119 drawn boards, not 536, and 351 of 3,857, not 352, in ten lots of games that hardly stack; from the
side 13 of 2,157 in the development sets, not 17, and 21 of 2,875 in six lots, as before.
"""
THICKNESSES: Floats = np.exp(np.linspace(np.log(0.17), np.log(0.34), 57))
"""Thicknesses of a layer that are tried, cells: sets measure 0.20 to 0.32; steps of 1.2 %, finer than one picture
tells."""
COMPARED_THICKNESSES: Floats = np.exp(np.linspace(np.log(0.17), np.log(0.34), 7))
"""Thicknesses of a layer, cells, for which stacks seen from above are compared; between them it is interpolated."""
BASE_OFFSETS: Floats = np.array([-0.09, -0.06, -0.03, 0.0, 0.03, 0.06, 0.09])
"""How far above the board's plane the lowest tiles may stand, cells.

Further than any set's do: a grid fitted a little askew lifts or sinks all faces alike; without room for that nine thick
single tiles of a development picture passed for two thin ones each.
"""
_OFTEN = np.array([0.12, 0.2, 0.23, 0.25, 0.2, 0.08, 0.03])
"""How often each base offset is met by comparison; squares are sunk more often than raised. By eye, not measured."""
BASE_OFFSET_PRIOR: Floats = np.log(_OFTEN / _OFTEN.sum())
"""Log prior (7,) of BASE_OFFSETS."""
LEAST_WEIGHT = -25.0
"""Log weight below which no thickness sinks: a few misread boards must not settle it for good. Chosen by eye."""


@dataclass(frozen=True)
class ThicknessModel:
    """How thicknesses are weighed.

    Attributes:
        usual: middle of the thicknesses of sets, cells: those known measure 0.20 to 0.32.
        spread: standard deviation of its logarithm, from the same sets.
        together: weight of each face: what moves one face's elevation moves its neighbours' too. Its origin is
            not on record.
        fineness: standard deviation, slices, of an elevation within what the network can tell apart; its origin
            is not on record.
        seams: weight of the seams beside the faces: blur and bevels make them less independent than they look; its
            origin is not on record.
        least: log density below which no face speaks against a thickness; chosen by eye, not measured.
    """

    usual: float = 0.25
    spread: float = 0.13
    together: float = 0.6
    fineness: float = 0.22
    seams: float = 0.3
    least: float = -9.0


MODEL = ThicknessModel()


def face_densities(log_probs: Floats) -> Floats:
    """Log density (m, offsets, t, 5) of faces (t, SLICES), if they are there, at each height for each thickness.

    `offsets` are BASE_OFFSETS. To a fraction of a slice: the probability near by, less what its centre of gravity
    lies off.
    """
    faces = THICKNESSES[:, None, None] * np.arange(1, MAX_HEIGHT + 1) + BASE_OFFSETS[:, None]
    return np.moveaxis(densities_at(log_probs, faces), 0, 2)


def densities_at(log_probs: Floats, elevations: Floats) -> Floats:
    """Log density (t, ...) of faces (t, SLICES), if they are there, at each of the `elevations` (...), cells."""
    chance = np.exp(log_softmax(log_probs[..., 1:]))
    slices = np.arange(1, SLICES, dtype=np.float64)
    at = elevations.ravel() / SLICE_STEP
    near = np.clip(1.0 - np.abs(slices[:, None] - at) / 2.0, 0.0, None)
    mass = chance @ near + 1e-6
    centre = ((chance * slices) @ near + 1e-6 * at) / mass
    density = np.log(mass) - 0.5 * ((centre - at) / MODEL.fineness) ** 2
    return np.asarray(density.reshape(-1, *elevations.shape), dtype=np.float64)


def thickness_weights(faces: Floats, bears: Floats, walls: Floats, known: Floats | None) -> Floats:
    """Log weight (m, offsets) of each thickness and base offset.

    `faces` (m, offsets, t) says how well it explains each face, `bears` (t,) how probable each is; `walls` (m,) and
    `known` (m,) are log odds from what walls show and from what was known before.
    """
    weights = MODEL.together * (np.maximum(faces, MODEL.least) * bears).sum(axis=-1) + BASE_OFFSET_PRIOR
    return np.asarray(weights + thickness_prior(walls, known)[:, None], dtype=np.float64)


def thickness_prior(walls: Floats, known: Floats | None) -> Floats:
    """Log weight (m,) of each of THICKNESSES before faces are weighed.

    `walls` (m,) and `known` (m,) are log odds from what walls show and from what was known before.
    """
    usual = -0.5 * (np.log(THICKNESSES / MODEL.usual) / MODEL.spread) ** 2
    prior = usual if known is None else usual + known
    return np.asarray(prior + MODEL.seams * walls, dtype=np.float64)


def thickness_evidence(log_probs: Floats, hidden: Floats, heights: npt.NDArray[np.int64]) -> Floats:
    """Log evidence (m,) of each of THICKNESSES where the heights (n, n) of what was seen are known.

    `log_probs` (n, n, SLICES) and `hidden` (n, n) as `vision.heights.elevations.Elevations` has them.
    """
    tiles = (heights > 0) & (hidden < VISIBLE.reference) & (log_probs[..., 0] < np.log(0.5))
    given = face_densities(log_probs[tiles])
    known = np.take_along_axis(
        given, np.broadcast_to(heights[tiles][:, None] - 1, (*given.shape[:-1], 1)), axis=-1
    )
    offsets = MODEL.together * np.maximum(known, MODEL.least).sum(axis=(-1, -2)) + BASE_OFFSET_PRIOR
    return logsumexp(offsets)


def relative_weights(logs: Floats) -> Floats:
    """The same log weights (m,) of THICKNESSES with that of the most probable 0 and none below `LEAST_WEIGHT`."""
    return np.asarray(np.maximum(logs - logs.max(), LEAST_WEIGHT), dtype=np.float64)
