"""Letters on squares one beyond the grid's sides, where no tile of a grid in its place can lie."""

from __future__ import annotations

import numpy as np

from vision.geometry.rectify import square_places
from vision.geometry.reduced_view import ReducedView
from vision.heights.elevations import Elevations
from vision.letters.classifier import REJECT, is_legible, read_faces
from vision.letters.faces import Squares, cut


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
