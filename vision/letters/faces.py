"""Read the faces of a picture where they stand: windows at the probable heights of each stack.

It also finds letters one square beyond the grid's sides, where no tile can lie if the grid is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine import Alphabet
from vision.arrays import Flags, Floats, softmax
from vision.geometry.rectify import ReducedView, square_places, windows_at
from vision.geometry.tile_shape import TILE
from vision.heights.elevations import Elevations, Source
from vision.heights.stack_heights import Heights
from vision.hidden.occlusion import VISIBLE, fill_covered, mask_covered
from vision.images import Image
from vision.letters.classifier import FACE_PX, REJECT, is_legible, read_faces, read_twice
from vision.letters.templates import SetFaces

Squares = list[tuple[int, int]]

_MIN_HEIGHT_PROBABILITY = 0.008
"""Least probability of a height that is looked at; it saves time. [by eye]"""
_MIN_TILE_PROBABILITY = 0.001
"""Least probability of a tile for which a single one is looked at.

White tiles on a burnt-out white board passed for bare squares (0.9925): a plain A was not read, and HA entered for AHA.
Half of the pictures have no such square, few more than five; surely bare squares are given 0.0005. Looks at higher
stacks found letters of other squares. [by hand]"""
_MIN_CONTRAST = 8.0
"""Standard deviation, grey levels, of the middle of a single tile's face above which a surely bare square beside a tile
is looked at too. In the shade of a blind white tiles pass for grey board (0.999), although their letters are plain to
see. Of 160 single tiles none has less than 18; one in the shade had less than 12. Every third bare square has as much
as this. With it 4 of 8,595 sure squares are wrong in the sun (development sets, stripes 1.6 squares apart), 6 without.
Nothing changes in pictures as they are (development sets and four simulated datasets, 29,000 sure squares). [by hand,
sets]"""
_CONTRAST_PX = 16
"""Pixels a side at which contrast is measured: strokes of letters are wider than one. [by eye]"""
_PLUS_SHAPE = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], dtype=np.uint8)
"""A square and its four neighbours."""
_MAX_HEIGHTS = 4
"""Most heights of a square that are looked at; it saves time. [by eye]"""
_REJECTION_WEIGHT = 0.9
"""Share of a height's weight in its letter that it loses if no upright letter stands there. [by eye]"""
_FULL_LETTER_PROBABILITY = 0.2
"""Probability of its likeliest letter from which an upright letter counts in full. Below, it counts by the square of
the ratio.

For squares painted white the network saw an upright letter (0.7), but none in particular (0.05); letters of soft
photographs reach 0.22. With this limit empty squares read as tiles went from 16 to 6 in the development sets and two
datasets of rendered games, and no tile was missed. [by hand, sets]"""


@dataclass(frozen=True)
class WindowState:
    """The letters read so far in some windows.

    Attributes:
        windows: (m, FACE_PX, FACE_PX, 3) BGR.
        log_probs: (m, F + 1) in the order of the alphabet, then "no upright face".
        alphabet: the faces of the set.
        own: the letters of this set, if they are known.
    """

    windows: Image
    log_probs: Floats
    alphabet: Alphabet
    own: SetFaces | None = None


def own_faces_log_odds(view: ReducedView, state: WindowState) -> Floats:
    """Return log odds (m, F + 1) from the known letters of this set; 0 if none are known."""
    if state.own is None:
        return np.zeros_like(state.log_probs)
    return state.own.log_odds(state.windows, state.log_probs)


@dataclass(frozen=True)
class FacesSeen:
    """The faces as read at every height that was looked at.

    Attributes:
        face_probs: (n, n, F), P(face | a tile is there), in the order of the alphabet.
        looked: (n, n, 6), the heights that were looked at.
        upright: (n, n, 6), probability that an upright letter stands there, 0 without a look.
        weights: (n, n, 6), P(height), which weighs the heights when asking whether a tile is there at all.
        by_height: (n, n, 6, F), P(face | its stack is that high), even without a look.
        alphabet: the faces of the set.
    """

    face_probs: Floats
    looked: Flags
    upright: Floats
    weights: Floats
    by_height: Floats
    alphabet: Alphabet

    def at(self, chance: Floats) -> Floats:
        """Return P(face) (n, n, F) given P(height) `chance` (n, n, 6). Squares without a look keep `face_probs`."""
        share = chance * self.looked * (1.0 - _REJECTION_WEIGHT * (1.0 - self.upright))
        total = np.einsum("rch,rchf->rcf", share, self.by_height)
        sums = total.sum(axis=-1, keepdims=True)
        return np.where(sums > 0, total / np.maximum(sums, 1e-12), self.face_probs)


def face_places(heights: Heights, squares: Squares, high: Sequence[int]) -> Floats:
    """Return the board points (m, 3) of the faces of stacks `high` (m,) on `squares` (row, col)."""
    return square_places(squares, heights.face_elevations(high))


def cut(view: ReducedView, places: npt.ArrayLike) -> Image:
    """Cut windows (m, FACE_PX, FACE_PX, 3), one square wide, around board points `places` (m, 3)."""
    return windows_at(view.image, view.camera, places, FACE_PX)


def clearest_faces(view: ReducedView, seen: Elevations, heights: Heights) -> tuple[Image, Squares]:
    """Cut windows (m, FACE_PX, FACE_PX, 3) of visible tiles, the surest first; return them and their squares (m)."""
    chance = softmax(heights.logits)
    best = chance.argmax(axis=-1)
    squares = [(int(r), int(c)) for r, c in np.argwhere(best > 0) if seen.hidden[r, c] < VISIBLE.hidden]
    squares.sort(key=lambda square: -chance[square].max())
    return cut(view, face_places(heights, squares, [int(best[s]) for s in squares])), squares


def look_at_faces(
    view: ReducedView,
    heights: Heights,
    sources: Sequence[Source[WindowState]],
    alphabet: Alphabet,
    expected: Floats | None = None,
    own: SetFaces | None = None,
) -> FacesSeen:
    """Read each square's face at every height that is possible there.

    At the right height an upright letter stands in the middle; at a wrong one it is out of place, or none is seen.
    The faces are those of an alphabet. `expected` (n, n, 6) is added to the heights' logits, since a known board says
    where to look. `own` are the letters of this set, for the `sources` that use them.
    """
    weights = softmax(heights.logits if expected is None else heights.logits + expected)
    perhaps = weights[..., 0] < 1 - _MIN_TILE_PROBABILITY
    perhaps |= _bear_letters(view, heights, perhaps, alphabet)
    looks = [(int(r), int(c), h) for r, c in np.argwhere(perhaps) for h in _heights_to_look_at(weights[r, c])]
    places = face_places(heights, [(r, c) for r, c, _ in looks], [h for _, _, h in looks])
    chances = _read(view, places, heights.median_tops(weights), sources, alphabet, own)
    count = len(alphabet)
    looked, upright = np.zeros(weights.shape, dtype=bool), np.zeros(weights.shape)
    total = np.zeros((*weights.shape[:2], count))
    by_height = np.full((*weights.shape, count), 1.0 / count)
    for (row, col, height), probs in zip(looks, chances, strict=True):
        reject = probs[REJECT]
        # a window slightly out of place still shows the letter
        vague = reject**2
        mixed = probs[:REJECT] / max(1.0 - reject, 1e-6) * (1.0 - vague) + vague / count
        named = probs[:REJECT].max() / max(1.0 - reject, 1e-6)
        looked[row, col, height] = True
        upright[row, col, height] = (1.0 - reject) * min(1.0, named / _FULL_LETTER_PROBABILITY) ** 2
        by_height[row, col, height] = mixed
        total[row, col] += weights[row, col, height] * (1.0 - _REJECTION_WEIGHT * reject) * mixed
    table = np.full(total.shape, 1.0 / count)
    there = total.sum(axis=-1) > 0
    table[there] = total[there] / total[there].sum(axis=-1, keepdims=True)
    return FacesSeen(table, looked, upright, weights, by_height, alphabet)


def _bear_letters(view: ReducedView, heights: Heights, tiles: Flags, alphabet: Alphabet) -> Flags:
    """Return the squares (n, n) beside `tiles` (n, n) on which a single tile's letter is clear at a first look.

    All plays are connected (rule 4), so it looks only at neighbours of tiles.
    """
    beside = cv2.dilate(tiles.astype(np.uint8), _PLUS_SHAPE).astype(bool) & ~tiles
    squares = [(int(row), int(col)) for row, col in np.argwhere(beside)]
    places = face_places(heights, squares, [1] * len(squares))
    coarse = windows_at(view.image, view.camera, places, _CONTRAST_PX, TILE.letter)
    worth_a_look = coarse.astype(np.float32).mean(axis=-1).std(axis=(1, 2)) > _MIN_CONTRAST
    lettered = np.zeros_like(tiles)
    if worth_a_look.any():
        chances = np.exp(read_faces(cut(view, places[worth_a_look]), alphabet))
        legible = is_legible(chances[:, :REJECT], alphabet)
        rows, cols = np.array(squares)[worth_a_look][legible].T
        lettered[rows, cols] = True
    return lettered


def _read(
    view: ReducedView,
    places: Floats,
    tops: Floats,
    sources: Sequence[Source[WindowState]],
    alphabet: Alphabet,
    own: SetFaces | None,
) -> Floats:
    """Return P(face) (m, F + 1), "none" last, at `places` (m, 3) that stacks up to `tops` (n, n), cells, may cover."""
    windows = cut(view, places)
    covered = mask_covered(view.camera, places, tops, FACE_PX)
    log_probs = read_twice(windows, covered, alphabet).astype(np.float64)
    shown = fill_covered(windows, covered)
    for source in sources:
        log_probs = log_probs + source.log_odds(view, WindowState(shown, log_probs, alphabet, own))
    return np.exp(log_probs)


def _heights_to_look_at(chance: Floats) -> list[int]:
    """Return the heights to look at given P(height) `chance` (6,), likeliest first: at least a single tile."""
    return [int(h) for h in np.argsort(-chance) if h > 0 and chance[h] > _MIN_HEIGHT_PROBABILITY][:_MAX_HEIGHTS] or [1]


def letters_off_grid(view: ReducedView, seen: Elevations, alphabet: Alphabet) -> Squares:
    """Return the squares (row, col) just beyond a side, -1 or n but no corners, that show a clear letter."""
    inside = range(view.size)
    squares = [
        (int(row) - 1, int(col) - 1)
        for row, col in np.argwhere(seen.around > 0.0)
        if (row - 1 in inside) != (col - 1 in inside)
    ]
    if not squares:
        return []
    tops = [float(seen.around[row + 1, col + 1]) for row, col in squares]
    chances = np.exp(read_faces(cut(view, square_places(squares, tops)), alphabet))
    legible = is_legible(chances[:, :REJECT], alphabet)
    return [square for square, plain in zip(squares, legible, strict=True) if plain]
