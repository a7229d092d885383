"""What of the board lies beyond the picture's edge, and how people are told which part to bring in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine import Square, square_name
from engine.wording import listed
from vision.geometry.camera import Camera
from vision.geometry.rectify import outside
from vision.images import Image

Flags = npt.NDArray[np.bool_]

_CUT = 0.3
"""Share of a square out of the picture from which it counts as cut off: a letter cut by more cannot be told. By eye."""
_WHOLE_SIDE = 0.5
"""Share of a row or column at the border that is cut off from which it is named, and not its corner. By eye."""
_EDGES = ("left", "top", "right", "bottom")


@dataclass(frozen=True)
class CutOff:
    """What of a board is out of the picture.

    Attributes:
        squares: (n, n), those of which too much is out of the picture to be read.
        edges: the edges of the picture beyond which they lie, as the picture is seen.
    """

    squares: Flags
    edges: tuple[str, ...]

    def text(self) -> str:
        """The sentence that says which part is missing and what to do."""
        parts = _parts(self.squares)
        verb, them = (
            ("is", "it") if len(parts) == 1 and not parts[0].startswith("the corners") else ("are", "them")
        )
        named = listed(parts)
        edges = f"{listed(self.edges)} edge{'s' if len(self.edges) > 1 else ''}"
        return (
            f"{named[0].upper()}{named[1:]} of the board {verb} beyond the {edges} of the picture: "
            f"bring {them} in, so that all four corners are in view."
        )


def cut_off(image: Image, camera: Camera, size: int) -> CutOff | None:
    """What of the n x n board of `camera` is out of the picture (h, w, 3); None where all of it is in view."""
    squares = outside(image, camera, size) > _CUT
    if not squares.any():
        return None
    rows, cols = np.nonzero(squares)
    middles = camera.project(np.column_stack([cols + 0.5, rows + 0.5, np.zeros(len(rows))]))
    height, width = image.shape[:2]
    # how far beyond each edge, which the middle of a square that is cut need not be
    beyond = np.column_stack([-middles, middles - (width - 1, height - 1)])
    edges = sorted({int(edge) for edge in beyond.argmax(axis=1)})
    return CutOff(squares, tuple(_EDGES[edge] for edge in edges))


def _parts(squares: Flags) -> list[str]:
    """The rows and columns at the border that are cut off, and the corners that none of these hold."""
    last = len(squares) - 1
    sides = {"row": (squares[0], squares[last], 0), "column": (squares[:, 0], squares[:, last], 1)}
    named: list[str] = []
    rest = squares.copy()
    for word, (first, final, axis) in sides.items():
        for at, side in ((0, first), (last, final)):
            if side.mean() >= _WHOLE_SIDE:
                name = square_name(Square(at, at))
                named.append(f"{word} {name[1:] if axis == 0 else name[0]}")
                rest[(at, slice(None)) if axis == 0 else (slice(None), at)] = False
    corners = [square_name(Square(row, col)) for row in (0, last) for col in (0, last) if rest[row, col]]
    if corners:
        named.append(f"the corner{'s' if len(corners) > 1 else ''} at {listed(corners)}")
    return named or ["a part"]
