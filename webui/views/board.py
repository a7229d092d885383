"""The view of a board."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine import SQUARES, Board, Square, square_name
from engine.squares import centre_squares


@dataclass(frozen=True)
class SquareView:
    """A square: the face on top ("" if it is empty), its height, and its marks.

    `middle` marks a centre square, `new` the last play, `doubt` a reading in doubt, `lift` tiles to lift off, `asked` a
    tile that is not on the sheet yet: a question is about it.
    """

    name: str
    face: str
    height: int
    middle: bool
    new: bool
    doubt: bool
    lift: bool = False
    asked: bool = False

    @property
    def text(self) -> str:
        """The text for screen readers: ``"d4: W, 2 high"``."""
        if not self.face:
            return f"{self.name}: empty"
        high = f", {self.height} high" if self.height > 1 else ""
        marks = f"{', new' if self.new else ''}{', in doubt' if self.doubt else ''}"
        marks += ", to be lifted" if self.lift else ", asked about" if self.asked else ""
        return f"{self.name}: {self.face}{high}{marks}"


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


def view_board(
    board: Board,
    *,
    start: Collection[Square] = (),
    new: Collection[Square] = (),
    lift: Collection[Square] = (),
    asked: Collection[Square] = (),
) -> BoardView:
    """Return the view of a board.

    `start` are the squares for the first word, those in the middle if not given. `new` are the squares of the last
    play, `lift` those with tiles to lift off, `asked` those that a question is about.
    """
    heights = tuple(tuple(len(stack) for stack in row) for row in board.stacks)
    return view_tops(board.tops(), heights, start=start, new=new, lift=lift, asked=asked)


def view_tops(
    tops: tuple[tuple[str, ...], ...],
    heights: tuple[tuple[int, ...], ...],
    *,
    start: Collection[Square] = (),
    new: Collection[Square] = (),
    doubt: Collection[Square] = (),
    lift: Collection[Square] = (),
    asked: Collection[Square] = (),
) -> BoardView:
    """Return the view of a board known by its top faces and heights, both by row.

    `start`, `new`, `doubt`, `lift` and `asked` are the squares to mark.
    """
    size = len(tops)
    middle = start or centre_squares(size)
    rows = tuple(
        tuple(
            SquareView(
                name=square_name(square),
                face=face,
                height=height,
                middle=square in middle,
                new=square in new,
                doubt=square in doubt,
                lift=square in lift,
                asked=square in asked,
            )
            for square, face, height in zip(SQUARES[at], tops[at], heights[at], strict=False)
        )
        for at in range(size)
    )
    columns = tuple(square_name(square)[0] for square in SQUARES[0][:size])
    return BoardView(size, columns, rows, _board_text(rows))


def _board_text(rows: tuple[tuple[SquareView, ...], ...]) -> str:
    tiles = [square.text for row in rows for square in row if square.face]
    return f"The board. {'; '.join(tiles)}." if tiles else "The board is empty."
