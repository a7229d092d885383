"""Position diagrams: boards as text, for people and for tests."""

from __future__ import annotations

from engine.board import Board
from engine.errors import NotationError, quoted
from engine.faces import format_faces, parse_faces
from engine.squares import MAX_SIZE, SQUARES, square_name

_EMPTY = "."


def format_diagram(board: Board) -> str:
    """The board as text: column letters above, row numbers at the left, ``.`` for an empty square.

    A stack is written from bottom to top, ``MW`` being a W on an M. The lines end without a line break.
    """
    cells = [[format_faces(stack) or _EMPTY for stack in row] for row in board.stacks]
    widths = [max(len(row[col]) for row in cells) for col in range(board.size)]
    names = [square_name(SQUARES[0][col])[0] for col in range(board.size)]
    lines = [_line("", names, widths)]
    lines += [_line(str(number + 1), row, widths) for number, row in enumerate(cells)]
    return "\n".join(lines)


def parse_diagram(text: str) -> Board:
    """The board that a diagram shows, the inverse of `format_diagram`.

    The line of column letters and the row numbers may be left out.

    Raises NotationError for what is no diagram, PositionError for a board that can't be.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if lines and "".join(lines[0]) == "abcdefghijklmnopqrstu"[: len(lines[0])]:
        lines = lines[1:]
    if not 2 <= len(lines) <= MAX_SIZE:
        raise NotationError(f"a diagram has 2 to {MAX_SIZE} rows, not {len(lines)}")
    rows: list[list[tuple[str, ...]]] = []
    for number, cells in enumerate(lines, start=1):
        squares = cells[1:] if cells[0] == str(number) else cells
        if len(squares) != len(lines):
            raise NotationError(
                f"row {number} of the diagram ({quoted(' '.join(cells))}) has {len(squares)} squares: "
                f"{len(lines)} rows need {len(lines)}"
            )
        rows.append([() if cell == _EMPTY else parse_faces(cell) for cell in squares])
    return Board.of(rows)


def _line(head: str, cells: list[str], widths: list[int]) -> str:
    body = " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"{head:>2} {body}".rstrip()
