"""Tiles seen beyond the grid's sides: a sign that the grid was taken a whole square beside the board's own.

A moulded board with a rim a square wide can be taken so where tiles or hands hide its border: rows of tiles then lie
outside. Names and patterns are printed on rims as well, so letters alone prove nothing: the lattice must allow for
the other grid, too, and more letters must hang together there.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.lattice import STEPS, Step
from vision.letters.classifier import REJECT, cut_faces, read_faces, square_places
from vision.letters.reader import FaceReader, plain
from vision.reading import BoardReading

Floats = npt.NDArray[np.float64]

_LEAST = 2
"""Letters beyond one side, and letters more on the other grid, from which that is believed."""


def step_to_tiles(read: FaceReader) -> Step | None:
    """The square by which the grid must move for the most tiles to come to lie on it; None where none lie beyond."""
    squares = _beyond(read.stacks.around, read.size)
    if not squares:
        return None
    tops = [float(read.stacks.around[row + 1, col + 1]) for row, col in squares]
    told = np.exp(read_faces(cut_faces(read.image, read.camera, read.size, square_places(squares, tops))))
    lettered = [square for square, clear in zip(squares, plain(told[:, :REJECT]), strict=True) if clear]
    letters = {step: _on_side(lettered, read.size, step) for step in STEPS}
    best = max(STEPS, key=lambda step: letters[step])
    return best if letters[best] >= _LEAST else None


def _beyond(around: Floats, size: int) -> list[tuple[int, int]]:
    """Squares (row, col) one beyond a side on which something looks like a face; corners belong to no side."""
    inside = range(size)
    return [
        (int(row) - 1, int(col) - 1)
        for row, col in np.argwhere(around > 0.0)
        if (row - 1 in inside) != (col - 1 in inside)
    ]


def _on_side(squares: list[tuple[int, int]], size: int, step: Step) -> int:
    """How many of the squares come to lie on the grid with a `step`."""
    x, y = int(step[0]), int(step[1])
    return sum(0 <= row - y < size and 0 <= col - x < size for row, col in squares)


def shows_more(other: BoardReading, taken: BoardReading) -> bool:
    """Whether more letters are plain on the other grid, among the tiles that hang together as plays do (rule 4)."""
    return _plain_letters(other) - _plain_letters(taken) >= _LEAST


def _plain_letters(reading: BoardReading) -> int:
    """The plain letters of the group that has the most; what a hand hides may join two."""
    tiles, hidden = reading.heights() > 0, reading.occluded()
    groups, group_of = cv2.connectedComponents((tiles | hidden).astype(np.uint8), connectivity=4)
    letters = tiles & ~hidden & plain(reading.face_probs)
    return max((int(letters[group_of == group].sum()) for group in range(1, groups)), default=0)
