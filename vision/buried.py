"""Tiles that were played while nothing could be seen and covered before anything was: only the heights tell of them.

A turn that no picture shows, and the next one on top of it: the letters in between stay unknown, but each counts as
a layer in every later score. Nothing else depends on which letters they are.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from engine.board import MAX_HEIGHT, Board
from engine.editions import Edition
from engine.faces import FACES
from engine.squares import Square
from vision.evidence import believed_heights, face_share
from vision.reading import BoardReading

Floats = npt.NDArray[np.float64]

_TILE = -0.7
"""Log prior of each such tile."""
_ELSEWHERE = 2.0
"""How many times as much the stacks on the line must gain as those elsewhere."""
_SEEN = 0.3
"""Share of a face that may be hidden where its height is still believed."""


def with_buried(
    board: Board, played: Collection[Square], reading: BoardReading, edition: Edition
) -> tuple[Board, float] | None:
    """The board with one more layer in stacks that look too high for it, and by what factor that is
    likelier, as the heights look.

    They lie on one line with `played`, as tiles of one play do. None where no stack looks too high, or stacks elsewhere
    do: then it is the picture that makes them look so.
    """
    gains = _gains(board, reading)
    rows, cols = {square.row for square in played}, {square.col for square in played}
    lines = [[s for s in gains if s.row == row] for row in rows]
    lines += [[s for s in gains if s.col == col] for col in cols]
    raised = max(lines, key=lambda line: sum(gains[square] for square in line), default=[])
    gained = sum(gains[square] for square in raised)
    if gained <= _ELSEWHERE * (sum(gains.values()) - gained) or not raised:
        return None
    return _raised(board, raised, edition), float(np.exp(gained))


def _gains(board: Board, reading: BoardReading) -> dict[Square, float]:
    """Log odds of one more layer, for the stacks that look like it."""
    heights = np.log(believed_heights(reading))
    hidden = np.maximum(reading.hidden, reading.covered)
    gains = {}
    for square in board.occupied():
        height = board.height(square)
        if 0 < height < MAX_HEIGHT and hidden[square.row, square.col] < _SEEN:
            chance = heights[square.row, square.col]
            gain = float(chance[height + 1] - chance[height]) + _TILE
            if gain > 0:
                gains[square] = gain
    return gains


def _raised(board: Board, squares: list[Square], edition: Edition) -> Board:
    """The board with a tile under the top of each square: letters of which the set has most left."""
    rows = [list(row) for row in board.stacks]
    likeliest = [FACES[k] for k in np.argsort(-face_share(board, edition))]
    for square in squares:
        stack = rows[square.row][square.col]
        near = {stack[-1], stack[-2] if len(stack) > 1 else ""}
        under = next(face for face in likeliest if face not in near)
        rows[square.row][square.col] = (*stack[:-1], under, stack[-1])
    return Board(tuple(tuple(row) for row in rows))
