"""The faces of a picture, read where they stand: windows at the probable heights of each stack.

Letters on squares one beyond the grid's sides, where no tile of a grid in its place can lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine import FACES
from vision.geometry.rectify import ReducedView, square_places, windows_at
from vision.geometry.tile_shape import TILE
from vision.heights.elevations import Elevations, Source
from vision.heights.stack_heights import Heights
from vision.hidden.occlusion import VISIBLE, covered_masks, fill_covered
from vision.images import Image
from vision.letters.classifier import FACE_PX, REJECT, is_legible, read_faces, read_twice
from vision.letters.templates import SetFaces
from vision.probability import softmax

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Squares = list[tuple[int, int]]

_POSSIBLE = 0.008
"""Heights less probable than this are not looked at: it saves time. By eye, not measured."""
_PERHAPS_TILE = 0.001
"""Probability of a tile from which a single one is looked at all the same.

White tiles on a burnt-out white board passed for bare squares (0.9925); an A plain to see was not read, and HA entered
for AHA. Half of the pictures have no such square, few more than five; those surely bare are given 0.0005. Looks at
higher stacks found letters of other squares.
"""
_CONTRAST = 8.0
"""Standard deviation, grey levels, of the middle of a single tile's face from which a surely bare square beside a tile
is looked at, too: in the shade of a blind white tiles pass for grey board (0.999), and the letters on them are plain to
see. Of 160 single tiles none has less than 18, one in the shade had less than 12; of bare squares every third has as
much as this. With it 4 of 8,595 sure squares are wrong in the sun (development sets, stripes 1.6 squares apart), 6
without; nothing changes in pictures as they are (development sets and four drawn lots, 29,000 sure squares)."""
_COARSE = 16
"""Pixels a side in which it is looked at for that: strokes of letters are wider than one. By eye."""
_CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], dtype=np.uint8)
"""A square and those beside it. By definition."""
_MOST_HEIGHTS = 4
"""Heights of a square that are looked at: it saves time. By eye, not measured."""
_REJECTED = 0.9
"""Share of a height's say in its letter that is taken from it where no upright letter stands. By eye, not measured."""
_NAMED = 0.2
"""Probability of its likeliest letter from which an upright letter counts in full; below, by the square of its share.

Of squares painted white the network said that an upright letter stands there (0.7), but none in particular (0.05);
letters of soft photographs reach 0.22. With it empty squares read as tiles went from 16 to 6 in the development sets
and two lots of rendered games, and no tile was missed by it.
"""


@dataclass(frozen=True)
class WindowState:
    """What is believed of the faces in some windows.

    Attributes:
        windows: (m, FACE_PX, FACE_PX, 3) BGR.
        log_probs: (m, 27) in the order of FACES, then "no upright face".
        own: the letters of this very set, where they are known.
    """

    windows: Image
    log_probs: Floats
    own: SetFaces | None = None


def own_faces_log_odds(view: ReducedView, state: WindowState) -> Floats:
    """Log odds (m, 27) from the letters of this very set; 0 where none are known."""
    if state.own is None:
        return np.zeros_like(state.log_probs)
    return state.own.log_odds(state.windows, state.log_probs)


@dataclass(frozen=True)
class FacesSeen:
    """What the faces look like at every height at which they were looked at.

    Attributes:
        face_probs: (n, n, 26), P(face | a tile is there), in the order of FACES.
        looked: (n, n, 6) at which heights there was a look.
        upright: (n, n, 6) probability that an upright letter stands there, 0 without a look.
        weights: (n, n, 6) P(height), by which heights are weighed for the question whether a tile is there at all.
        by_height: (n, n, 6, 26) P(face | its stack is that high), even where there was no look.
    """

    face_probs: Floats
    looked: Flags
    upright: Floats
    weights: Floats
    by_height: Floats

    def at(self, chance: Floats) -> Floats:
        """P(face) (n, n, 26) where P(height) is `chance` (n, n, 6); as in `face_probs` where there was no look."""
        share = chance * self.looked * (1.0 - _REJECTED * (1.0 - self.upright))
        total = np.einsum("rch,rchf->rcf", share, self.by_height)
        sums = total.sum(axis=-1, keepdims=True)
        return np.where(sums > 0, total / np.maximum(sums, 1e-12), self.face_probs)


def face_places(heights: Heights, squares: Squares, high: Sequence[int]) -> Floats:
    """Board points (m, 3) of the faces of stacks `high` (m,) on `squares` (row, col)."""
    return square_places(squares, heights.face_elevations(high))


def cut(view: ReducedView, places: npt.ArrayLike) -> Image:
    """Windows (m, FACE_PX, FACE_PX, 3) one square wide around board points `places` (m, 3)."""
    return windows_at(view.image, view.camera, places, FACE_PX)


def clearest_faces(view: ReducedView, seen: Elevations, heights: Heights) -> tuple[Image, Squares]:
    """Windows (m, FACE_PX, FACE_PX, 3) of every tile at its likeliest height, and the squares (m); surest first."""
    chance = softmax(heights.logits)
    best = chance.argmax(axis=-1)
    squares = [(int(r), int(c)) for r, c in np.argwhere(best > 0) if seen.hidden[r, c] < VISIBLE.hidden]
    squares.sort(key=lambda square: -chance[square].max())
    return cut(view, face_places(heights, squares, [int(best[s]) for s in squares])), squares


def look_at_faces(
    view: ReducedView,
    heights: Heights,
    sources: Sequence[Source[WindowState]],
    expected: Floats | None = None,
    own: SetFaces | None = None,
) -> FacesSeen:
    """Each square's face at every height that is possible there.

    At the right one a letter stands upright in the middle, at a wrong one it is out of place, or none is seen.
    `expected` (n, n, 6) is added to the heights' logits: a board known from before says where to look. `own` are the
    letters of this very set, for those of the `sources` that ask for them.
    """
    weights = softmax(heights.logits if expected is None else heights.logits + expected)
    perhaps = weights[..., 0] < 1 - _PERHAPS_TILE
    perhaps |= _bear_letters(view, heights, perhaps)
    looks = [(int(r), int(c), h) for r, c in np.argwhere(perhaps) for h in _possible(weights[r, c])]
    places = face_places(heights, [(r, c) for r, c, _ in looks], [h for _, _, h in looks])
    chances = _read(view, places, heights.median_tops(weights), sources, own)
    looked, upright = np.zeros(weights.shape, dtype=bool), np.zeros(weights.shape)
    total = np.zeros((*weights.shape[:2], len(FACES)))
    by_height = np.full((*weights.shape, len(FACES)), 1.0 / len(FACES))
    for (row, col, height), probs in zip(looks, chances, strict=True):
        reject = probs[REJECT]
        # a face cut a little beside its place still shows its letter
        vague = reject**2
        mixed = probs[:REJECT] / max(1.0 - reject, 1e-6) * (1.0 - vague) + vague / len(FACES)
        named = probs[:REJECT].max() / max(1.0 - reject, 1e-6)
        looked[row, col, height] = True
        upright[row, col, height] = (1.0 - reject) * min(1.0, named / _NAMED) ** 2
        by_height[row, col, height] = mixed
        total[row, col] += weights[row, col, height] * (1.0 - _REJECTED * reject) * mixed
    table = np.full(total.shape, 1.0 / len(FACES))
    there = total.sum(axis=-1) > 0
    table[there] = total[there] / total[there].sum(axis=-1, keepdims=True)
    return FacesSeen(table, looked, upright, weights, by_height)


def _bear_letters(view: ReducedView, heights: Heights, tiles: Flags) -> Flags:
    """The squares (n, n) beside `tiles` (n, n), as plays hang together (rule 4), where a single tile's letter is plain
    to see at a first look."""
    beside = cv2.dilate(tiles.astype(np.uint8), _CROSS).astype(bool) & ~tiles
    squares = [(int(row), int(col)) for row, col in np.argwhere(beside)]
    places = face_places(heights, squares, [1] * len(squares))
    coarse = windows_at(view.image, view.camera, places, _COARSE, TILE.letter)
    worth_a_look = coarse.astype(np.float32).mean(axis=-1).std(axis=(1, 2)) > _CONTRAST
    lettered = np.zeros_like(tiles)
    if worth_a_look.any():
        legible = is_legible(np.exp(read_faces(cut(view, places[worth_a_look])))[:, :REJECT])
        rows, cols = np.array(squares)[worth_a_look][legible].T
        lettered[rows, cols] = True
    return lettered


def _read(
    view: ReducedView,
    places: Floats,
    tops: Floats,
    sources: Sequence[Source[WindowState]],
    own: SetFaces | None,
) -> Floats:
    """P(face) (m, 27), "none" last, at `places` (m, 3), behind stacks whose faces lie at `tops` (n, n), cells."""
    windows = cut(view, places)
    covered = covered_masks(view.camera, places, tops, FACE_PX)
    log_probs = read_twice(windows, covered).astype(np.float64)
    shown = fill_covered(windows, covered)
    for source in sources:
        log_probs = log_probs + source.log_odds(view, WindowState(shown, log_probs, own))
    return np.exp(log_probs)


def _possible(chance: Floats) -> list[int]:
    """The heights that are looked at where P(height) is `chance` (6,), likeliest first: a single tile at least."""
    return [int(h) for h in np.argsort(-chance) if h > 0 and chance[h] > _POSSIBLE][:_MOST_HEIGHTS] or [1]


def letters_off_grid(view: ReducedView, seen: Elevations) -> Squares:
    """Squares (row, col) one beyond a side, so -1 or n, with a letter plain to see; corners belong to no side."""
    inside = range(view.size)
    squares = [
        (int(row) - 1, int(col) - 1)
        for row, col in np.argwhere(seen.around > 0.0)
        if (row - 1 in inside) != (col - 1 in inside)
    ]
    if not squares:
        return []
    tops = [float(seen.around[row + 1, col + 1]) for row, col in squares]
    chances = np.exp(read_faces(cut(view, square_places(squares, tops))))
    legible = is_legible(chances[:, :REJECT])
    return [square for square, plain in zip(squares, legible, strict=True) if plain]
