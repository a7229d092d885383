"""What a reading says for and against every change that one turn can make to a known board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.board import MAX_HEIGHT, Board
from engine.editions import Edition
from engine.faces import FACES
from vision.reading import BoardReading
from vision.stacks import STACKED

Floats = npt.NDArray[np.float64]

EMPTY_FLOOR = 1e-4
MISCOUNTED = 0.1
"""Share of tiles whose height may be misread by any number of layers; whether a tile is there hardly ever is."""
FLAT = ((8.0, 18.0), (0.75, 0.0))
"""Tilts (degrees), and the share of what is read of heights that says nothing: from straight above heights are misread
in the same way time after time."""
FACE_FLOOR = 5e-4
"""A network is never surer than this of what it does not see: no single square can outweigh the whole board."""
TILE_PRIOR = -0.8
"""Log prior of each tile of a play, where it lies; the play as a whole has a prior of its own."""
TAKEN_BACK = 0.002
BEHIND = (0.5, 0.85)
"""Shares of a face that nearer stacks may hide while it is still read, and from which what is read is theirs."""
_STATES = MAX_HEIGHT + 1
"""Heights a square can have, 0 among them."""


@dataclass(frozen=True)
class Evidence:
    """Log likelihoods against the board before.

    Attributes:
        unchanged: (n, n) log likelihood of each square as it was.
        placed: (n, n, 26) gain in log probability if that face was put on the square in this turn; -inf where the
            rules of stacking (5-same, 5-five) make it impossible.
        taken: (n, n) gain if the top tile was taken off; -inf on empty squares.
        appeared: (n, n) gain if tiles stand, however high, where none stood; -inf where some did.
        hidden: (n, n) probability that the square cannot be seen.
    """

    unchanged: Floats
    placed: Floats
    taken: Floats
    appeared: Floats
    hidden: Floats


def weigh(reading: BoardReading, before: Board, edition: Edition, *, count_tiles: bool = True) -> Evidence:
    """The evidence of a reading about the turn that followed `before`.

    `count_tiles` uses the tiles left in the edition's distribution as the prior of the faces.
    """
    size = reading.size
    likelihood = _Likelihood(reading)
    share = face_share(before, edition) if count_tiles else np.full(len(FACES), 1.0 / len(FACES))
    unchanged = np.zeros((size, size))
    placed = np.full((size, size, len(FACES)), -np.inf)
    taken, appeared = np.full((size, size), -np.inf), np.full((size, size), -np.inf)
    for row in range(size):
        for col in range(size):
            stack = before.stacks[row][col]
            unchanged[row, col] = likelihood.of(row, col, len(stack), stack[-1] if stack else "")
            if len(stack) < MAX_HEIGHT:
                prior = TILE_PRIOR + np.log(share)
                placed[row, col] = (
                    likelihood.all_faces(row, col, len(stack) + 1) - unchanged[row, col] + prior
                )
                if stack:
                    placed[row, col, FACES.index(stack[-1])] = -np.inf
            if stack:
                below = stack[-2] if len(stack) > 1 else ""
                seen = likelihood.of(row, col, len(stack) - 1, below)
                taken[row, col] = seen - unchanged[row, col] + np.log(TAKEN_BACK)
            else:
                appeared[row, col] = likelihood.any_tile(row, col) - unchanged[row, col] + TILE_PRIOR
    return Evidence(unchanged, placed, taken, appeared, reading.hidden)


def face_share(before: Board, edition: Edition) -> Floats:
    """P(face of a tile still to be played) (26,), from the edition's distribution less the tiles on the board."""
    if edition.distribution is None:
        return np.full(len(FACES), 1.0 / len(FACES))
    counts = before.counts()
    # mixed and replacement sets exist: a face that should have run out is rare, not impossible
    left = np.array([max(edition.distribution.get(f, 0) - counts.get(f, 0), 0) + 0.15 for f in FACES])
    return np.asarray(left / left.sum(), dtype=np.float64)


def believed_heights(reading: BoardReading) -> Floats:
    """How likely the picture is for each height (n, n, 6), up to a factor, with allowance for miscounted layers.

    Probabilities over how often stacks are how high: where the picture says nothing of heights, neither does this.
    """
    probs, middle = reading.height_probs, reading.size / 2
    flat = np.interp(np.degrees(reading.camera.tilt((middle, middle))), *FLAT)
    empty = np.clip(probs[..., :1], EMPTY_FLOOR, 1.0 - EMPTY_FLOOR)
    stacked = probs[..., 1:] / np.maximum(probs[..., 1:].sum(axis=-1, keepdims=True), 1e-9)
    usual = np.exp(STACKED)
    counted = (1.0 - MISCOUNTED) * stacked + MISCOUNTED / MAX_HEIGHT
    counted = (1.0 - flat) * counted + flat * usual
    return np.concatenate([empty, (1.0 - empty) * counted / (MAX_HEIGHT * usual)], axis=-1)


class _Likelihood:
    """Log likelihood of one square's pixels for a state (height, top face)."""

    def __init__(self, reading: BoardReading) -> None:
        heights = believed_heights(reading)
        # over the chance of each face by itself, so that boards with more and with fewer tiles compare
        faces = len(FACES) * reading.face_probs * (1 - FACE_FLOOR) + FACE_FLOOR
        # what looks like a letter behind a stack is mostly the stack's own
        self._seen = (1.0 - np.clip(reading.hidden, 0.0, 1.0)) * np.interp(
            reading.covered, BEHIND, (1.0, 0.0)
        )
        self._heights, self._faces = heights, faces

    def of(self, row: int, col: int, height: int, top: str) -> float:
        chance = self._heights[row, col, height]
        if top:
            chance = chance * self._faces[row, col, FACES.index(top)]
        return float(np.log(self._blur(row, col, chance)))

    def all_faces(self, row: int, col: int, height: int) -> Floats:
        chance = self._heights[row, col, height] * self._faces[row, col]
        return np.asarray(np.log(self._blur(row, col, chance)), dtype=np.float64)

    def any_tile(self, row: int, col: int) -> float:
        return float(np.log(self._blur(row, col, 1.0 - self._heights[row, col, 0])))

    def _blur(self, row: int, col: int, chance: npt.ArrayLike) -> Floats:
        """A hidden square says nothing: its likelihood is that of no knowledge."""
        seen = self._seen[row, col]
        return np.asarray(seen * np.asarray(chance) + (1.0 - seen) / _STATES, dtype=np.float64)
