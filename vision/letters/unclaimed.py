"""Letters that no stack bears.

Stacks one behind another in the line of sight look alike: a face high on a near square looks like a low one on the
square behind it. Read square by square, such a line may come out moved by a face. The letter at its end then belongs to
no stack, although it is plain to see.

So the letters in view are compared with the faces of the believed stacks. If one is left over, changes are proposed:
its square bears it, and any letter that this leaves over is borne by its own square in turn. A change is kept if it
explains more letters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Ints
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, square_places
from vision.geometry.tile_shape import TILE
from vision.heights.stack_heights import Heights
from vision.hidden.occlusion import VISIBLE, covered_masks
from vision.letters.classifier import LEGIBLE, is_legible
from vision.letters.joining import LetterState

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
    """Letters plain to see: squares and heights (m, 3) at which they were read, and places (m, 3) of the faces."""

    at: Ints
    places: Floats

    def unclaimed(self, camera: Camera, heights: Heights, best: Ints) -> list[tuple[int, int, int]]:
        """Return the letters that no stack bears or hides when stacks are `best` (n, n) high, as (row, col, height)."""
        own = best[self.at[:, 0], self.at[:, 1]] == self.at[:, 2]
        left = np.flatnonzero(~own)
        tops = heights.face_elevations(best)
        squares = [(int(row), int(col)) for row, col in np.argwhere(best > 0)]
        if not len(left) or not squares:
            return []
        faces = square_places(squares, tops[best > 0])
        left = left[_overlaps(camera, self.places[left], faces).max(axis=1) < _MAX_OVERLAP]
        return [
            (int(row), int(col), int(high))
            for (row, col, high), place in zip(self.at[left], self.places[left], strict=True)
            if _covered(camera, place, tops, (row, col)) < _MAX_OVERLAP
        ]


def unclaimed_letter_log_odds(view: ReducedView, state: LetterState) -> Floats:
    """Return log odds (n, n, 6) of heights whose faces bear letters that no stack bears as heights are believed now."""
    odds = np.zeros_like(state.heights.logits)
    plain = _plain_letters(state)
    best = np.where(state.seen.hidden < VISIBLE.hidden, state.heights.logits.argmax(axis=-1), 0)
    left = plain.unclaimed(view.camera, state.heights, best)
    for first in left:
        changed = _changes(view.camera, state.heights, plain, best, first)
        after = plain.unclaimed(view.camera, state.heights, changed)
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
    clear[..., 1] &= is_legible(faces.by_height[..., 1, :])
    at = np.argwhere(clear)
    squares = [(int(row), int(col)) for row, col, _ in at]
    return _PlainLetters(at, square_places(squares, state.heights.face_elevations(at[:, 2])))


def _changes(camera: Camera, heights: Heights, plain: _PlainLetters, best: Ints, first: tuple[int, int, int]) -> Ints:
    """Return the stacks (n, n) if one bears the letter `first`, and others bear the letters that this leaves over."""
    was, now = set(plain.unclaimed(camera, heights, best)), best.copy()
    moved: set[tuple[int, int]] = set()
    following = [first]
    while following and len(moved) < _MAX_CHANGES:
        row, col, high = following[0]
        now[row, col] = high
        moved.add((row, col))
        following = [
            each for each in plain.unclaimed(camera, heights, now) if each not in was and each[:2] not in moved
        ]
    return now


def _overlaps(camera: Camera, places: Floats, faces: Floats) -> Floats:
    """Return the share (m, k) of each face at `places` (m, 3) that each of `faces` (k, 3) overlaps in the picture."""
    pixels = camera.project(places)
    shared = np.empty((len(places), len(faces)))
    for height in np.unique(faces[:, 2]):
        level = faces[:, 2] == height
        apart = np.abs(camera.to_board(pixels, float(height))[:, None] - faces[None, level, :2])
        shared[:, level] = np.clip(1.0 - apart / TILE.footprint, 0.0, None).prod(axis=-1)
    return shared


def _covered(camera: Camera, place: Floats, tops: Floats, square: tuple[int, int]) -> float:
    """Return the share of a letter at `place` (3,) on `square` that stacks with faces at `tops` (n, n) hide."""
    others = tops.copy()
    others[square] = 0.0
    return float(covered_masks(camera, place[None], others, _LETTER_POINTS, TILE.letter).mean())
