"""The 3-D drawing of a board: the shapes of its stacks, in units of a square.

It is a cabinet projection: columns go to the right, rows towards the viewer, stacks upwards.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine import MAX_HEIGHT, Board, Square

DEPTH = 0.72
"""The height of a row in the drawing. [by eye]"""
SLANT = 0.2
"""How far right the far edge of a row lies of its near edge. [by eye]"""
LAYER = 0.24
"""The height of a tile in the drawing. [by eye]"""
_GAP = 0.05
"""The space between a tile and the edge of its square. [by eye]"""
_TOP_MARGIN = MAX_HEIGHT * LAYER
"""The space above the board for stacks in the far row."""


@dataclass(frozen=True)
class Block:
    """A stack: polygons ``"x,y x,y ..."`` for the top, the front and the right side, and a path for its `seams`.

    `matrix` is the SVG transform that puts a letter drawn in a unit square onto the top.
    """

    face: str
    height: int
    new: bool
    top: str
    front: str
    side: str
    seams: str
    matrix: str


@dataclass(frozen=True)
class Board3DView:
    """The drawing: its width and height, the plate, the squares, and the stacks from back to front."""

    width: float
    height: float
    plate: str
    squares: str
    blocks: tuple[Block, ...]


def view_board_3d(board: Board, new: Collection[Square] = ()) -> Board3DView:
    """Return the 3-D drawing of a board. `new` are the squares of the newest play, which are marked."""
    size = board.size
    plate = _polygon(size, (-0.4, -0.4, 0), (size + 0.4, -0.4, 0), (size + 0.4, size + 0.4, 0), (-0.4, size + 0.4, 0))
    squares = " ".join(
        _path(size, square.col + 0.06, square.row + 0.06, square.col + 0.94, square.row + 0.94)
        for square in board.squares()
    )
    blocks = tuple(
        _block(size, square, board.top(square), board.height(square), square in new) for square in board.occupied()
    )
    width = size + SLANT * size + 1.0
    return Board3DView(round(width, 3), round(size * DEPTH + _TOP_MARGIN + 0.8, 3), plate, squares, blocks)


def _point(size: int, x: float, y: float, z: float) -> tuple[float, float]:
    """Project a point of the board. `x` and `y` are in squares from a1's corner, `z` is in tiles."""
    return (0.45 + x + SLANT * (size - y), _TOP_MARGIN + 0.3 + y * DEPTH - z * LAYER)


def _polygon(size: int, *points: tuple[float, float, float]) -> str:
    projected = (_point(size, *point) for point in points)
    return " ".join(f"{x:.3f},{y:.3f}" for x, y in projected)


def _path(size: int, left: float, far: float, right: float, near: float) -> str:
    points = _polygon(size, (left, far, 0), (right, far, 0), (right, near, 0), (left, near, 0)).split()
    return f"M{' L'.join(points)}z"


def _block(size: int, square: Square, face: str, height: int, new: bool) -> Block:
    left, right = square.col + _GAP, square.col + 1 - _GAP
    far, near = square.row + _GAP, square.row + 1 - _GAP
    seams = []
    for z in range(1, height):
        points = _polygon(size, (left, near, z), (right, near, z), (right, far, z)).split()
        seams.append(f"M{' L'.join(points)}")
    x, y = _point(size, square.col, square.row, height)
    return Block(
        face=face,
        height=height,
        new=new,
        top=_polygon(size, (left, far, height), (right, far, height), (right, near, height), (left, near, height)),
        front=_polygon(size, (left, near, height), (right, near, height), (right, near, 0), (left, near, 0)),
        side=_polygon(size, (right, near, height), (right, far, height), (right, far, 0), (right, near, 0)),
        seams=" ".join(seams),
        matrix=f"1 0 {-SLANT} {DEPTH} {x:.3f} {y:.3f}",
    )
