"""What is printed on a board and passes for letters: rings and dots in the middle squares.

Seen on a board that is known to be empty there, they are remembered, and believed less from then on. A tile that
comes to lie there is still seen: it is surer of itself than any print.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.board import Board
from vision.reading import BoardReading

Marks = frozenset[tuple[int, int, int]]
"""Row, column and index of the face that the print passes for."""

_NOTICED = 0.1
"""Probability of a tile on an empty square from which its print is remembered."""
_ODDS = 0.03
"""By how much the odds of a tile shrink where a print looks the same."""


def marks_on(reading: BoardReading, board: Board) -> Marks:
    """The prints that a reading of `board` takes for tiles; turned all four ways, as an empty board has no upside."""
    size, found = reading.size, set()
    for row, col in np.argwhere(reading.height_probs[..., 0] < 1.0 - _NOTICED):
        at, face = (int(row), int(col)), int(reading.face_probs[row, col].argmax())
        for _ in range(4):
            if not board.stacks[at[0]][at[1]] and not board.stacks[row][col]:
                found.add((*at, face))
            at = (size - 1 - at[1], at[0])
    return frozenset(found)


def discounted(reading: BoardReading, marks: Marks) -> BoardReading:
    """The reading with less belief in tiles that look like a print known to be on their square."""
    if not marks:
        return reading
    heights = reading.height_probs.copy()
    best = reading.face_probs.argmax(axis=-1)
    for row, col, face in marks:
        if best[row, col] == face:
            heights[row, col, 1:] *= _ODDS
            heights[row, col] /= heights[row, col].sum()
    return replace(reading, height_probs=heights)
