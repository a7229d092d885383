"""The part of the board beyond the picture's edge, and the sentence that asks for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine import Square, square_name
from engine.wording import listed
from vision.arrays import Flags, Floats
from vision.geometry.camera import Camera
from vision.geometry.rectify import outside
from vision.images import Image
from vision.picture_quality import has_missing_part, shown_area

_MAX_OUTSIDE = 0.3
"""Share of a square outside the picture above which it is cut off: no letter can be read then. [by eye]"""
_MIN_LINE_OUTSIDE = 0.5
"""Share of a border row or column that must be cut off for the sentence to name the line instead of its corners.
[by eye]"""
_EDGE_NAMES = ("left", "top", "right", "bottom")


@dataclass(frozen=True)
class CutOff:
    """The part of a board that is out of the picture.

    Attributes:
        squares: (n, n), the squares of which too much is out of the picture to be read.
        edges: the edges of the picture beyond which they lie, as the picture is seen.
        missing: they lie in a part that is missing of the picture, since its file is damaged.
    """

    squares: Flags
    edges: tuple[str, ...]
    missing: bool = False

    def text(self) -> str:
        """Return the sentence that says which part is missing and what to do."""
        parts = _parts(self.squares)
        verb, them = ("is", "it") if len(parts) == 1 and not parts[0].startswith("the corners") else ("are", "them")
        named = listed(parts)
        start = f"{named[0].upper()}{named[1:]} of the board {verb}"
        if self.missing:
            return f"{start} in a part of the picture that is missing: copy the photograph again, or take it again."
        edges = f"{listed(self.edges)} edge{'s' if len(self.edges) > 1 else ''}"
        return f"{start} beyond the {edges} of the picture: bring {them} in, so that all four corners are in view."


def cut_off(image: Image, camera: Camera, size: int, faces: Floats | None = None) -> CutOff | None:
    """Return the part of the n x n board that is out of the picture (h, w, 3), None if all is in view.

    `faces` (n, n) are the elevations, cells, of the stacks' faces, which may leave the picture before the board does.
    """
    squares = outside(image, camera, size) > _MAX_OUTSIDE
    if faces is not None:
        squares |= outside(image, camera, size, faces) > _MAX_OUTSIDE
    if not squares.any():
        return None
    rows, cols = np.nonzero(squares)
    middles = camera.project(np.column_stack([cols + 0.5, rows + 0.5, np.zeros(len(rows))]))
    left, top, right, bottom = shown_area(image)
    # the middle of a square that is cut off may still lie inside the edge
    beyond = np.column_stack([(left, top) - middles, middles - (right - 1, bottom - 1)])
    edges = sorted({int(edge) for edge in beyond.argmax(axis=1)})
    return CutOff(squares, tuple(_EDGE_NAMES[edge] for edge in edges), has_missing_part(image))


def _parts(squares: Flags) -> list[str]:
    """Name the border rows and columns that are cut off, and the corners that none of these contain."""
    last = len(squares) - 1
    sides = {"row": (squares[0], squares[last], 0), "column": (squares[:, 0], squares[:, last], 1)}
    named: list[str] = []
    rest = squares.copy()
    for word, (first, final, axis) in sides.items():
        for at, side in ((0, first), (last, final)):
            if side.mean() >= _MIN_LINE_OUTSIDE:
                name = square_name(Square(at, at))
                named.append(f"{word} {name[1:] if axis == 0 else name[0]}")
                rest[(at, slice(None)) if axis == 0 else (slice(None), at)] = False
    corners = [square_name(Square(row, col)) for row in (0, last) for col in (0, last) if rest[row, col]]
    if corners:
        named.append(f"the corner{'s' if len(corners) > 1 else ''} at {listed(corners)}")
    return named or ["a part"]
