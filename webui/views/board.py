"""The view of a board: flat, and as a 3-D drawing of its stacks."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine import MAX_HEIGHT, SQUARES, Board, Square, square_name
from engine.game.seen_board import TopsAndHeights
from engine.squares import centre_squares
from engine.wording import join_texts, phrase


@dataclass(frozen=True)
class SquareView:
    """A square: the face on top ("" if it is empty), its height, and its marks.

    `middle` marks a centre square, `new` the last play, `doubt` a doubtful reading, `lift` tiles to lift off, `asked` a
    tile in question that is not on the sheet yet.
    """

    name: str
    face: str
    height: int
    middle: bool
    new: bool = False
    doubt: bool = False
    lift: bool = False
    asked: bool = False

    @property
    def text(self) -> str:
        """The text for screen readers: ``"d4: W, 2 high"``."""
        if not self.face:
            return phrase("%(square)s: empty", square=self.name)
        parts = [f"{self.name}: {self.face}"]
        if self.height > 1:
            parts.append(phrase("%(number)s high", number=self.height))
        if self.new:
            parts.append(phrase("new"))
        if self.doubt:
            parts.append(phrase("in doubt"))
        if self.lift or self.asked:
            parts.append(phrase("to be lifted") if self.lift else phrase("asked about"))
        return join_texts(parts, ", ")


@dataclass(frozen=True)
class BoardView:
    """A board of `size` rows. `text` says in words which tiles lie on it."""

    size: int
    columns: tuple[str, ...]
    rows: tuple[tuple[SquareView, ...], ...]
    text: str

    @property
    def asks(self) -> bool:
        """True if the board shows tiles that a question is about."""
        return any(square.asked for row in self.rows for square in row)


def view_board(board: Board, *, start: Collection[Square] = (), **marks: Collection[Square]) -> BoardView:
    """Return the view of a board. `start` are the squares for the first word, those in the middle if not given.

    `marks` are the squares to mark by the name of the mark: `new`, `doubt`, `lift` or `asked` (`SquareView`).
    """
    squares = tuple(tuple((stack[-1] if stack else "", len(stack)) for stack in row) for row in board.stacks)
    return view_tops(squares, start=start, **marks)


def view_tops(squares: TopsAndHeights, *, start: Collection[Square] = (), **marks: Collection[Square]) -> BoardView:
    """Return the view of a board known by its top faces and heights, as `view_board`."""
    size = len(squares)
    middle = start or centre_squares(size)
    rows = tuple(
        tuple(
            SquareView(
                name=square_name(square),
                face=face,
                height=height,
                middle=square in middle,
                **{mark: square in marked for mark, marked in marks.items()},
            )
            for square, (face, height) in zip(SQUARES[at], squares[at], strict=False)
        )
        for at in range(size)
    )
    columns = tuple(square_name(square)[0] for square in SQUARES[0][:size])
    tiles = [square.text for row in rows for square in row if square.face]
    text = phrase("The board. %(tiles)s.", tiles=join_texts(tiles, "; ")) if tiles else phrase("The board is empty.")
    return BoardView(size, columns, rows, text)


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
    new: bool
    top: str
    front: str
    side: str
    seams: str
    matrix: str


@dataclass(frozen=True)
class Board3DView:
    """The 3-D drawing: its width and height, the plate, the squares, and the stacks from back to front.

    It is a cabinet projection, in units of a square: columns go right, rows towards the viewer, stacks upwards.
    """

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
        _block(size, square, board.top(square), board.height(square), square in new) for square in board.list_occupied()
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
        new=new,
        top=_polygon(size, (left, far, height), (right, far, height), (right, near, height), (left, near, height)),
        front=_polygon(size, (left, near, height), (right, near, height), (right, near, 0), (left, near, 0)),
        side=_polygon(size, (right, near, height), (right, far, height), (right, far, 0), (right, near, 0)),
        seams=" ".join(seams),
        matrix=f"1 0 {-SLANT} {DEPTH} {x:.3f} {y:.3f}",
    )
