"""Letters that no stack bears.

Stacks one behind another in the line of sight look alike, a face high on a near square like a low one on the square
behind it, and square by square such a line may come out moved by a face. One letter at its end is then nobody's,
though it stands plain to see. So the stacks are drawn as believed, the letters in view compared with the faces in
view, and where one is left over, changes are proposed: its square bears it, and whatever letter is left over then is
borne by its own square in turn. What explains more letters is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, square_places
from vision.geometry.tile_shape import TILE
from vision.heights.stack_heights import Heights
from vision.hidden.occlusion import VISIBLE, covered_masks
from vision.letters.classifier import LEGIBLE, is_legible
from vision.letters.joining import LetterState

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_UPRIGHT = 0.95
"""Probability of an upright letter from which one is plain to see. By eye, not measured."""
_APART = 0.35
"""Share of a letter's place up to which faces, and stacks in front, may overlap it and leave it unclaimed. By eye."""
_MOST_CHANGES = 4
"""Stacks of a line that may change together: enough for the lines seen; more would cost time. By eye."""
_FAVOUR = float(np.log(50.0))
"""Log odds by which a height that bears a letter no other bears is raised. By eye: what was thought up is to be
believed, and never to be sure."""
_FINE = 12
"""Points a side at which it is asked how much of a letter is hidden. By eye."""


@dataclass(frozen=True)
class _Plain:
    """Letters plain to see: squares and heights (m, 3) at which they were read, and places (m, 3) of the faces."""

    at: Counts
    places: Floats

    def unclaimed(self, camera: Camera, heights: Heights, best: Counts) -> list[tuple[int, int, int]]:
        """Those, as row, col, height, that none of the stacks `best` (n, n) high bears or hides."""
        own = best[self.at[:, 0], self.at[:, 1]] == self.at[:, 2]
        left = np.flatnonzero(~own)
        tops = heights.face_elevations(best)
        squares = [(int(row), int(col)) for row, col in np.argwhere(best > 0)]
        if not len(left) or not squares:
            return []
        faces = square_places(squares, tops[best > 0])
        left = left[_shared(camera, self.places[left], faces).max(axis=1) < _APART]
        return [
            (int(row), int(col), int(high))
            for (row, col, high), place in zip(self.at[left], self.places[left], strict=True)
            if _covered(camera, place, tops, (row, col)) < _APART
        ]


def unclaimed_letter_log_odds(view: ReducedView, state: LetterState) -> Floats:
    """Log odds (n, n, 6) of the heights whose faces bear letters that no stack bears as heights are believed now."""
    odds = np.zeros_like(state.heights.logits)
    plain = _plain(state)
    best = np.where(state.seen.hidden < VISIBLE.hidden, state.heights.logits.argmax(axis=-1), 0)
    left = plain.unclaimed(view.camera, state.heights, best)
    for first in left:
        changed = _changes(view.camera, state.heights, plain, best, first)
        after = plain.unclaimed(view.camera, state.heights, changed)
        if len(after) < len(left):
            best, left = changed, after
            for row, col in np.argwhere(changed != state.heights.logits.argmax(axis=-1)):
                if (plain.at == (row, col, changed[row, col])).all(axis=1).any():
                    odds[row, col, changed[row, col]] = _FAVOUR
    return odds


def _plain(state: LetterState) -> _Plain:
    faces = state.faces
    clear = faces.looked & (faces.upright > _UPRIGHT) & (faces.by_height.max(axis=-1) > LEGIBLE)
    clear &= (state.seen.hidden < VISIBLE.hidden)[..., None]
    # a ring or a line printed on the board is seen about where a single tile would bear it
    clear[..., 1] &= is_legible(faces.by_height[..., 1, :])
    at = np.argwhere(clear)
    squares = [(int(row), int(col)) for row, col, _ in at]
    return _Plain(at, square_places(squares, state.heights.face_elevations(at[:, 2])))


def _changes(
    camera: Camera, heights: Heights, plain: _Plain, best: Counts, first: tuple[int, int, int]
) -> Counts:
    """The stacks (n, n) when one bears the letter `first`, and what is left over by that is borne by others in turn."""
    was, now = set(plain.unclaimed(camera, heights, best)), best.copy()
    moved: set[tuple[int, int]] = set()
    following = [first]
    while following and len(moved) < _MOST_CHANGES:
        row, col, high = following[0]
        now[row, col] = high
        moved.add((row, col))
        following = [
            each
            for each in plain.unclaimed(camera, heights, now)
            if each not in was and each[:2] not in moved
        ]
    return now


def _shared(camera: Camera, places: Floats, faces: Floats) -> Floats:
    """The share (m, k) of each face at `places` (m, 3) that each of `faces` (k, 3) overlaps in the picture."""
    pixels = camera.project(places)
    shared = np.empty((len(places), len(faces)))
    for height in np.unique(faces[:, 2]):
        level = faces[:, 2] == height
        apart = np.abs(camera.to_board(pixels, float(height))[:, None] - faces[None, level, :2])
        shared[:, level] = np.clip(1.0 - apart / TILE.footprint, 0.0, None).prod(axis=-1)
    return shared


def _covered(camera: Camera, place: Floats, tops: Floats, square: tuple[int, int]) -> float:
    """The share of a letter at `place` (3,) on `square` that stacks with faces at `tops` (n, n) hide."""
    others = tops.copy()
    others[square] = 0.0
    return float(covered_masks(camera, place[None], others, _FINE, TILE.letter).mean())
