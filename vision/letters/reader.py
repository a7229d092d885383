"""Reading the letters where they stand, and what the letters say about the heights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.board import MAX_HEIGHT
from engine.faces import FACES
from vision.geometry.camera import Camera
from vision.geometry.occlusion import filled, hidden_parts, partly_hidden, shares_hidden
from vision.heights.stacks import STACKED, StackReading
from vision.images import Image
from vision.letters.classifier import FACE_PX, REJECT, cut_faces, read_faces, square_places
from vision.letters.templates import SetFaces

Floats = npt.NDArray[np.float64]

_POSSIBLE = 0.008
"""Heights less probable than this are not looked at."""
_MOST_HEIGHTS = 4
_LETTERS_SAY = (0.1, 20.0)
"""By how much a letter, or none, can change the odds of a tile."""
_PLAIN, _PLAIN_LETTERS_SAY = 0.9, 200.0
"""Probability from which a face is plain to see, and by how much it can then raise them."""
_LIKE_PRINT = np.array([FACES.index(face) for face in ("O", "Qu", "I", "X")])
"""Faces that rings, dots, lines and stars on a board resemble: never plain."""
_CONTESTED = 0.7
"""Share of the odds of a tile that went to other squares, from which the letter is theirs."""
_SLACK = 0.004
"""Keeps the odds of a letter finite."""
_FREED = 0.4
"""How far a face freed of what stands before it is believed, against the same face as it is.

Freed of too much, an O passes for a C; where both agree, nothing is lost.
"""
_PLACE_SAYS = 1.0
"""Weight of a letter's standing upright in its place among the evidence for a height."""
_LEAST_UPRIGHT = 0.05
_DOUBTFUL = 0.6
"""Probability of a face below which a second opinion is asked for."""
_IN_VIEW = 0.3
"""Share of a face that nearer stacks may hide while a second opinion on it is worth its time."""
_TELLS = ((7.0, 24.0), (0.4, 0.03))
"""Tilts (degrees) between which heights become visible, and the share of the network's word that is not believed."""


class FaceReader:
    """The faces of one picture, cut at the probable heights of each stack."""

    def __init__(self, image: Image, size: int, camera: Camera, stacks: StackReading) -> None:
        self.image, self.size, self.camera, self.stacks = image, size, camera, stacks
        self.logits = stacks.height_logits

    def best_windows(self) -> tuple[Image, list[tuple[int, int]]]:
        """Faces at the most probable height of every square that bears a tile, surest first."""
        chance = normal(self.logits)
        heights = chance.argmax(axis=-1)
        squares = [(int(r), int(c)) for r, c in np.argwhere(heights > 0) if self.stacks.hidden[r, c] < 0.5]
        squares.sort(key=lambda s: -chance[s].max())
        places = self._places(squares, [int(heights[s]) for s in squares])
        return cut_faces(self.image, self.camera, self.size, places), squares

    def table(self, expected: Floats | None = None, own: SetFaces | None = None) -> tuple[Floats, Floats]:
        """P(face | a tile is there) (n, n, 26), and P(height) (n, n, 6), letters and elevations taken together.

        Each square's face is read at every height that is possible there: at the right one a letter stands upright in
        the middle, at a wrong one it is out of place, or none is seen.
        `expected` (n, n, 6) is added to the heights' logits: a board known from before says where to look.
        `own` are the letters of this very set.
        """
        chance = normal(self.logits if expected is None else self.logits + expected)
        looked = [
            (int(r), int(c), h)
            for r, c in np.argwhere(chance[..., 0] < 1 - _POSSIBLE)
            for h in _possible(chance[r, c])
        ]
        table = np.full((self.size, self.size, len(FACES)), 1.0 / len(FACES))
        if not looked:
            return table, normal(self.logits)
        places = self._places([(r, c) for r, c, _ in looked], [h for _, _, h in looked])
        seen = self._seen(places, chance, own)
        none = np.ones((self.size, self.size, MAX_HEIGHT + 1)) * np.nan
        total = np.zeros_like(table)
        for (row, col, height), probs in zip(looked, seen, strict=True):
            reject = probs[REJECT]
            # a face cut a little beside its place still shows its letter
            vague = reject**2
            mixed = probs[:REJECT] / max(1.0 - reject, 1e-6) * (1.0 - vague) + vague / len(FACES)
            none[row, col, height] = reject
            total[row, col] += chance[row, col, height] * (1.0 - 0.9 * reject) * mixed
        there = total.sum(axis=-1) > 0
        table[there] = total[there] / total[there].sum(axis=-1, keepdims=True)
        return table, _with_letters(self.logits, chance, none, _most_odds(table, self.stacks.contested))

    def _seen(self, places: Floats, chance: Floats, own: SetFaces | None) -> Floats:
        """P(face) (m, 27), "none" last, at `places` (m, 3), where stacks stand with `chance` (n, n, 6)."""
        windows = cut_faces(self.image, self.camera, self.size, places)
        tops = self.stacks.median_tops(chance)
        hidden = hidden_parts(self.camera, places, tops, FACE_PX)
        partly = partly_hidden(hidden)
        windows = np.concatenate([windows, filled(windows[partly], hidden[partly])])
        logs = read_faces(windows).astype(np.float64)
        seen = np.exp(logs if own is None else own.weigh(windows, logs))
        whole, freed = seen[: len(places)], seen[len(places) :]
        whole[partly] = (1.0 - _FREED) * whole[partly] + _FREED * freed
        return np.asarray(whole, dtype=np.float64)

    def _places(self, squares: list[tuple[int, int]], heights: Sequence[int]) -> Floats:
        return square_places(squares, self.stacks.elevations_of(heights))

    def doubtful(self, faces: Floats) -> dict[tuple[int, int], Image]:
        """Windows of the squares whose face is in doubt, for a second opinion."""
        chance = normal(self.logits)
        heights = chance.argmax(axis=-1)
        tops = self.stacks.median_tops(chance)
        in_view = shares_hidden(self.camera, self.stacks.elevations_of(heights), tops) < _IN_VIEW
        unsure = (heights > 0) & (faces.max(axis=-1) < _DOUBTFUL) & (self.stacks.hidden < 0.5) & in_view
        squares = [(int(r), int(c)) for r, c in np.argwhere(unsure)]
        places = self._places(squares, [int(heights[s]) for s in squares])
        return dict(zip(squares, cut_faces(self.image, self.camera, self.size, places), strict=True))


def plain(faces: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Which of some squares' faces (..., 26) are plain to see, and no shapes that boards and rims bear as well."""
    chances = np.asarray(faces)
    return np.asarray((chances.max(axis=-1) > _PLAIN) & ~np.isin(chances.argmax(axis=-1), _LIKE_PRINT))


def _most_odds(faces: Floats, contested: Floats) -> Floats:
    """By how much (n, n) the letter seen, with probabilities `faces` (n, n, 26), may raise the odds of a tile.

    Not at all where it is another square's.
    """
    most = np.where(plain(faces), _PLAIN_LETTERS_SAY, _LETTERS_SAY[1])
    return np.where(contested > _CONTESTED, 1.0, most)


def _with_letters(logits: Floats, chance: Floats, none: Floats, most: Floats) -> Floats:
    """P(height) (n, n, 6) from its logits and P(no upright letter | height) (n, n, 6), not a number where not looked.

    `chance` weighs the heights for the question whether a tile is there at all; a letter raises the odds of that by
    `most` (n, n) at most.
    """
    looked = ~np.isnan(none)
    upright = np.where(looked, 1.0 - np.nan_to_num(none), 0.5)
    place = _PLACE_SAYS * np.log(np.clip(upright, _LEAST_UPRIGHT, 1.0))
    stacked = normal(logits[..., 1:] + place[..., 1:])
    weight = (chance * looked).sum(axis=-1)
    lettered = np.where(weight > 0, (chance * looked * upright).sum(axis=-1) / np.maximum(weight, 1e-9), 0.5)
    odds = np.clip((lettered + _SLACK) / (1.0 + _SLACK - lettered), _LETTERS_SAY[0], most)
    empty = normal(logits)[..., 0]
    tile = (1.0 - empty) * odds
    tile = tile / (tile + empty)
    return np.asarray(
        np.concatenate([1.0 - tile[..., None], tile[..., None] * stacked], axis=-1), dtype=np.float64
    )


def _possible(chance: Floats) -> list[int]:
    order = [int(h) for h in np.argsort(-chance) if h > 0 and chance[h] > _POSSIBLE]
    return order[:_MOST_HEIGHTS]


def tempered(heights: Floats, tilt: float) -> Floats:
    """P(height) (n, n, 6) believed no further than a view from `tilt` (radians off the vertical) can tell heights.

    Seen from straight above a stack differs from a single tile by little more than scale: what the network says there
    is mixed with how often stacks are how high. Whether a tile is there at all stays as it is.
    """
    doubt = float(np.interp(np.degrees(tilt), *_TELLS))
    tile = heights[..., 1:].sum(axis=-1, keepdims=True)
    mixed = (1.0 - doubt) * heights[..., 1:] + doubt * tile * np.exp(STACKED)
    return np.concatenate([heights[..., :1], mixed], axis=-1)


def normal(logits: Floats) -> Floats:
    """Probabilities (..., k) of logits."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), dtype=np.float64)
