"""Join letters and heights: each is evidence about the other.

Stacks one behind another in the line of sight look alike: a face high on a near square looks like a low one on the
square behind it. Read square by square, such a line may come out moved by a face. The letter at its end then lies on
no stack, although it is plain to see.

So the letters in view are compared with the faces of the believed stacks. A letter that is left over gets a stack on
its own square. If another letter is then left over, it gets one in turn. A change is kept if it explains more
letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine import FACES
from engine.squares import centre_squares
from vision.arrays import Floats, Ints, log_softmax, softmax
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, square_places
from vision.geometry.tile_shape import TILE
from vision.heights.elevations import Elevations, Source
from vision.heights.stack_heights import Heights
from vision.hidden.occlusion import VISIBLE, mask_covered, measure_overlaps
from vision.letters.classifier import LEGIBLE, is_legible, is_print_like
from vision.letters.faces import FacesSeen

_LEAST_ODDS, _MOST_ODDS, _MOST_LEGIBLE_ODDS = 0.1, 20.0, 200.0
"""Least factor by which a letter, or none, can change the odds of a tile; the largest, for a letter that is hardly
legible; and that for a letter that is plain to see. From above, in glare, heights said "empty" under a plain letter,
and a play was entered without it. [by eye]"""
_EXPLAINED_SHARE = 0.7
"""Share of a tile's odds that went to other squares, from which the letter is theirs. [by eye]"""
_SLACK = 0.004
"""Share that keeps the odds of a letter finite. [by eye]"""
_LEAST_UPRIGHT = 0.05
"""Least probability of an upright letter that counts against a height. [by eye]"""

_LONE_Q_ODDS = 3.0
"""Factor on the odds of a Q where it is known to be a lone one: about one in three Q's of the training is. On ten real
sources 8 of 68 lone Q's are misread with it, not 13, and of the 9,156 other letters none more. With 5 three more are.
[by hand, real]"""
_DOUBT_BY_SIZE = ((10.0, 16.0), (0.06, 0.0))
"""Apparent sizes of squares, px, and the doubt of the letters on them. Measured on 13,098 tiles in simulated pictures
(seed 2801): of the letters that were 0.95 and surer 2.8 % were wrong on squares of less than 14 px, half a percent up
to 20, and a quarter up to 28. [by hand, 2801]"""


@dataclass(frozen=True)
class LetterState:
    """The letters and heights of a picture, before and after they correct each other.

    Attributes:
        seen: where faces lie.
        heights: how high the stacks are, at first by everything but the letters.
        faces: what the faces look like.
    """

    seen: Elevations
    heights: Heights
    faces: FacesSeen


def join_letters(
    view: ReducedView,
    state: LetterState,
    height_sources: Sequence[Source[LetterState]],
    face_sources: Sequence[Source[LetterState]],
) -> LetterState:
    """Return letters and heights, each corrected by the other.

    `height_sources` give log odds (n, n, 6) of the heights, `face_sources` (n, n, F) of the faces.
    """
    for source in height_sources:
        state = replace(state, heights=state.heights.join(source.log_odds(view, state)))
    chance, before = softmax(state.heights.logits), state.faces
    moved = chance.argmax(axis=-1) != before.weights.argmax(axis=-1)
    faces = np.where(moved[..., None], before.at(chance), before.face_probs)
    for source in face_sources:
        odds = source.log_odds(view, replace(state, faces=replace(before, face_probs=faces)))
        named = odds.any(axis=-1)
        faces = faces.copy()
        faces[named] *= np.exp(odds[named])
        faces[named] /= faces[named].sum(axis=-1, keepdims=True)
    return replace(state, faces=replace(before, face_probs=faces))


def favour_lone_q(faces: Floats) -> Floats:
    """Return P(face) (n, n, 26) for an English set that has a lone Q instead of Qu."""
    favoured = faces.copy()
    favoured[..., FACES.index("Qu")] *= _LONE_Q_ODDS
    return np.asarray(favoured / favoured.sum(axis=-1, keepdims=True), dtype=np.float64)


def temper_by_size(faces: Floats, sides: Floats) -> Floats:
    """Make P(face) (n, n, F) less sure on squares that look small, given their `sides` (n, n), px."""
    doubt = np.interp(sides, *_DOUBT_BY_SIZE)[..., None]
    return np.asarray((1.0 - doubt) * faces + doubt / faces.shape[-1], dtype=np.float64)


def upright_letter_log_odds(view: ReducedView, state: LetterState) -> Floats:
    """Return log odds (n, n, 6) of each height, against an empty square, from upright letters in their places.

    A letter tells the height and, within limits, whether a tile is there at all. Without a look it tells nothing. On
    marked squares, a letter that looks like a mark is no evidence of a single tile.
    """
    faces = state.faces
    upright = np.where(faces.looked, faces.upright, 0.5)
    place = np.log(np.clip(upright, _LEAST_UPRIGHT, 1.0))[..., 1:]
    before = log_softmax(state.heights.logits[..., 1:])
    weight = (faces.weights * faces.looked).sum(axis=-1)
    mean = (faces.weights * faces.looked * upright).sum(axis=-1) / np.maximum(weight, 1e-9)
    lettered = np.where(weight > 0, mean, 0.5)
    odds = (lettered + _SLACK) / (1.0 + _SLACK - lettered)
    marked = np.zeros(weight.shape, dtype=bool)
    for square in centre_squares(len(weight)):
        marked[square.row, square.col] = True  # boards bear rings, dots or stars in the middle
    marks = marked & (before.argmax(axis=-1) == 0) & is_print_like(faces.face_probs, faces.alphabet)
    most = np.where(is_legible(faces.face_probs, faces.alphabet), _MOST_LEGIBLE_ODDS, _MOST_ODDS)
    most = np.where(marks | (state.seen.explained_away > _EXPLAINED_SHARE), 1.0, most)
    tile = np.log(np.clip(odds, _LEAST_ODDS, most))[..., None]
    stacked = log_softmax(before + place) - before + tile
    return np.concatenate([np.zeros((*weight.shape, 1)), stacked], axis=-1)


_MIN_UPRIGHT = 0.95
"""Least probability of an upright letter that is plain to see. [by eye]"""
_MAX_OVERLAP = 0.35
"""Share of a letter's place that faces, or stacks in front, may overlap while no stack claims it. [by eye]"""
_MAX_CHANGES = 4
"""Most stacks of a line that may change together. It is enough for the lines observed; more would cost time. [by eye]
"""
_BORNE_LOG_ODDS = float(np.log(50.0))
"""Log odds added to a height that bears an unclaimed letter. A proposed change should be believed, but never be sure.
[by eye]"""
_LETTER_POINTS = 12
"""Points a side that measure how much of a letter is hidden. [by eye]"""


@dataclass(frozen=True)
class _PlainLetters:
    """Clear letters: squares and heights (m, 3) at which they were read, and places (m, 3) of the faces."""

    at: Ints
    places: Floats

    def find_unclaimed(self, camera: Camera, heights: Heights, best: Ints) -> list[tuple[int, int, int]]:
        """Return the letters that no stack bears or hides when stacks are `best` (n, n) high, as (row, col, height)."""
        own = best[self.at[:, 0], self.at[:, 1]] == self.at[:, 2]
        left = np.flatnonzero(~own)
        tops = heights.face_elevations(best)
        squares = [(int(row), int(col)) for row, col in np.argwhere(best > 0)]
        if not len(left) or not squares:
            return []
        faces = square_places(squares, tops[best > 0])
        left = left[measure_overlaps(camera, self.places[left], faces).max(axis=1) < _MAX_OVERLAP]
        return [
            (int(row), int(col), int(high))
            for (row, col, high), place in zip(self.at[left], self.places[left], strict=True)
            if _measure_covered(camera, place, tops, (row, col)) < _MAX_OVERLAP
        ]


def weigh_unclaimed_letters(view: ReducedView, state: LetterState) -> Floats:
    """Return log odds (n, n, 6) of heights whose faces bear letters that no stack bears at the likeliest heights."""
    odds = np.zeros_like(state.heights.logits)
    plain = _plain_letters(state)
    best = np.where(state.seen.hidden < VISIBLE.hidden, state.heights.logits.argmax(axis=-1), 0)
    left = plain.find_unclaimed(view.camera, state.heights, best)
    for first in left:
        changed = _changes(view.camera, state.heights, plain, best, first)
        after = plain.find_unclaimed(view.camera, state.heights, changed)
        if len(after) < len(left):
            best, left = changed, after
            for row, col in np.argwhere(changed != state.heights.logits.argmax(axis=-1)):
                if (plain.at == (row, col, changed[row, col])).all(axis=1).any():
                    odds[row, col, changed[row, col]] = _BORNE_LOG_ODDS
    return odds


def _plain_letters(state: LetterState) -> _PlainLetters:
    faces = state.faces
    clear = faces.looked & (faces.upright > _MIN_UPRIGHT) & (faces.by_height.max(axis=-1) > LEGIBLE)
    clear &= (state.seen.hidden < VISIBLE.hidden)[..., None]
    # a ring or a line printed on the board appears about where a single tile would bear a letter
    clear[..., 1] &= is_legible(faces.by_height[..., 1, :], faces.alphabet)
    at = np.argwhere(clear)
    squares = [(int(row), int(col)) for row, col, _ in at]
    return _PlainLetters(at, square_places(squares, state.heights.face_elevations(at[:, 2])))


def _changes(camera: Camera, heights: Heights, plain: _PlainLetters, best: Ints, first: tuple[int, int, int]) -> Ints:
    """Return the stacks (n, n) if one bears the letter `first`, and others take over the letters that become free."""
    was, now = set(plain.find_unclaimed(camera, heights, best)), best.copy()
    moved: set[tuple[int, int]] = set()
    following = [first]
    while following and len(moved) < _MAX_CHANGES:
        row, col, high = following[0]
        now[row, col] = high
        moved.add((row, col))
        following = [
            each for each in plain.find_unclaimed(camera, heights, now) if each not in was and each[:2] not in moved
        ]
    return now


def _measure_covered(camera: Camera, place: Floats, tops: Floats, square: tuple[int, int]) -> float:
    """Return the share of a letter at `place` (3,) on `square` that stacks with faces at `tops` (n, n) hide."""
    others = tops.copy()
    others[square] = 0.0
    return float(mask_covered(camera, place[None], others, _LETTER_POINTS, TILE.letter).mean())
