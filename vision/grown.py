"""A stack on the line of a play that looks a layer higher than it was: the play may hold one more tile.

Where a letter was misread before, the same letter may now lie on it, which by itself looks like nothing new. Its
height tells.
"""

from __future__ import annotations

from engine.board import MAX_HEIGHT, Board
from engine.play import Play
from engine.squares import Square
from vision.longer import along
from vision.reading import BoardReading

_HIGHER, _AS_IT_WAS = 0.8, 0.1
"""Probabilities from which a stack has grown, and up to which it is not as it was."""
_IN_VIEW = 0.4
"""Share of a face that may be hidden while its height is believed."""


def grown(reading: BoardReading, before: Board, play: Play) -> Square | None:
    """The square of the first such stack, None where there is none."""
    line = along(play, lambda at: before.holds(at) and bool(before.stack(at)))
    return next((square for square in line if _has_grown(reading, before, square)), None)


def _has_grown(reading: BoardReading, before: Board, square: Square) -> bool:
    row, col, height = square.row, square.col, before.height(square)
    if height == MAX_HEIGHT or max(reading.hidden[row, col], reading.covered[row, col]) > _IN_VIEW:
        return False
    chances = reading.height_probs[row, col]
    return bool(chances[height + 1] > _HIGHER and chances[height] < _AS_IT_WAS)
