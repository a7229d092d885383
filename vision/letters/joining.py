"""Join letters and heights: each is evidence about the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine import FACES, MAX_HEIGHT
from engine.squares import centre_squares
from vision.arrays import Flags, Floats
from vision.geometry.rectify import ReducedView
from vision.heights.elevations import Elevations, Source
from vision.heights.stack_heights import Heights
from vision.heights.thickness import LayeredHeights
from vision.letters.classifier import is_legible, is_print_like
from vision.letters.faces import FacesSeen
from vision.probability import log_softmax, softmax


@dataclass(frozen=True)
class LetterLimits:
    """How much letters may change heights, chosen [by eye] unless stated otherwise.

    Attributes:
        least: least factor by which a letter, or none, can change the odds of a tile.
        most: largest factor, for a letter that is hardly legible.
        most_legible: largest factor for a letter that is plain to see. From above, in glare, heights said "empty" under
            a plain letter, and a play was entered without it.
        explained_away: share of a tile's odds that went to other squares, from which the letter is theirs.
        slack: keeps the odds of a letter finite.
        least_upright: least probability of an upright letter that counts against a height.
    """

    least: float = 0.1
    most: float = 20.0
    most_legible: float = 200.0
    explained_away: float = 0.7
    slack: float = 0.004
    least_upright: float = 0.05


LIMITS = LetterLimits()


_DOUBT_BY_SIZE = ((10.0, 16.0), (0.06, 0.0))
"""Apparent sizes of squares, px, and the doubt of the letters on them. Measured on 13,098 tiles in simulated pictures
(seed 2801): of the letters that were 0.95 and surer 2.8 % were wrong on squares of less than 14 px, half a percent up
to 20, and a quarter up to 28. [by hand, 2801]"""


@dataclass(frozen=True)
class LetterState:
    """Letters and heights as known so far, while the sources that join them are asked.

    Attributes:
        seen: where faces lie.
        heights: how high the stacks are, by all but the letters.
        faces: what the faces look like.
    """

    seen: Elevations
    heights: Heights
    faces: FacesSeen


@dataclass(frozen=True)
class Letters:
    """The letters of a picture, and the heights corrected by them.

    Attributes:
        face_probs: (n, n, 26), P(face | a tile is there), in the order of engine.faces.FACES.
        height_probs: (n, n, 6), P(height).
        layered: these heights for each group of thicknesses; None if they weren't fitted.
    """

    face_probs: Floats
    height_probs: Floats
    layered: LayeredHeights | None = None

    def __post_init__(self) -> None:
        n = len(self.face_probs)
        if (self.face_probs.shape, self.height_probs.shape) != ((n, n, len(FACES)), (n, n, MAX_HEIGHT + 1)):
            raise ValueError(f"no letters of one board: {self.face_probs.shape}, {self.height_probs.shape}")


def join_letters(
    view: ReducedView,
    state: LetterState,
    height_sources: Sequence[Source[LetterState]],
    face_sources: Sequence[Source[LetterState]],
) -> Letters:
    """Return letters and heights, each corrected by the other.

    `height_sources` give log odds (n, n, 6) of the heights, `face_sources` (n, n, 26) of the faces.
    """
    for source in height_sources:
        state = replace(state, heights=state.heights.joined(source.log_odds(view, state)))
    chance, faces = softmax(state.heights.logits), state.faces.face_probs
    moved = chance.argmax(axis=-1) != state.faces.weights.argmax(axis=-1)
    faces = np.where(moved[..., None], state.faces.at(chance), faces)
    state = replace(state, faces=replace(state.faces, face_probs=faces))
    for source in face_sources:
        odds = source.log_odds(view, state)
        named = odds.any(axis=-1)
        faces = faces.copy()
        faces[named] *= np.exp(odds[named])
        faces[named] /= faces[named].sum(axis=-1, keepdims=True)
        state = replace(state, faces=replace(state.faces, face_probs=faces))
    return Letters(faces, chance, state.heights.layered)


def temper_by_size(faces: Floats, sides: Floats) -> Floats:
    """Make P(face) (n, n, 26) less sure on squares that look small, given their `sides` (n, n), px."""
    doubt = np.interp(sides, *_DOUBT_BY_SIZE)[..., None]
    return np.asarray((1.0 - doubt) * faces + doubt / faces.shape[-1], dtype=np.float64)


def upright_letter_log_odds(view: ReducedView, state: LetterState) -> Floats:
    """Return log odds (n, n, 6) of each height, against an empty square, from upright letters in their places.

    A letter tells the height and, within limits, whether a tile is there at all. Without a look it tells nothing. On
    marked squares a letter that resembles a mark is no evidence of a single tile.
    """
    faces = state.faces
    upright = np.where(faces.looked, faces.upright, 0.5)
    place = np.log(np.clip(upright, LIMITS.least_upright, 1.0))[..., 1:]
    before = log_softmax(state.heights.logits[..., 1:])
    weight = (faces.weights * faces.looked).sum(axis=-1)
    mean = (faces.weights * faces.looked * upright).sum(axis=-1) / np.maximum(weight, 1e-9)
    lettered = np.where(weight > 0, mean, 0.5)
    odds = (lettered + LIMITS.slack) / (1.0 + LIMITS.slack - lettered)
    marks = _marked(len(weight)) & (before.argmax(axis=-1) == 0) & is_print_like(faces.face_probs)
    most = np.where(marks, 1.0, _max_tile_odds(faces.face_probs, state.seen.explained_away))
    tile = np.log(np.clip(odds, LIMITS.least, most))[..., None]
    stacked = log_softmax(before + place) - before + tile
    return np.concatenate([np.zeros((*weight.shape, 1)), stacked], axis=-1)


def _marked(size: int) -> Flags:
    """Return the squares (n, n) in the middle of a board, which bear rings, dots or stars."""
    marked = np.zeros((size, size), dtype=bool)
    for square in centre_squares(size):
        marked[square.row, square.col] = True
    return marked


def _max_tile_odds(faces: Floats, explained_away: Floats) -> Floats:
    """Return the largest factor (n, n) by which a letter may raise the odds of a tile.

    `faces` (n, n, 26) are its probabilities. The factor is 1 if the letter is another square's.
    """
    most = np.where(is_legible(faces), LIMITS.most_legible, LIMITS.most)
    return np.where(explained_away > LIMITS.explained_away, 1.0, most)
