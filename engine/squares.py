"""Squares of the grid, their names (column letter, row number, ``a1`` at the top left), and runs in a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from engine.errors import NotationError, quote
from engine.wording import join_names, phrase

MAX_SIZE = 21
"""The largest grid that the product handles, in squares a side. [by eye]"""

_COLUMNS = "abcdefghijklmnopqrstu"


class Square(NamedTuple):
    """A square of the grid: `row` 0 is the top row and `col` 0 the left column when the letters are upright."""

    row: int
    col: int


SQUARES: tuple[tuple[Square, ...], ...] = tuple(
    tuple(Square(row, col) for col in range(MAX_SIZE)) for row in range(MAX_SIZE)
)
"""Every square, ``SQUARES[row][col]``, made in advance so that fast code need not build them."""


def parse_square(text: str) -> Square:
    """Parse the name of a square, in upper or lower case.

    >>> parse_square("d4")
    Square(row=3, col=3)

    Raises NotationError if a grid of 21 rows and columns has no such square. A smaller board checks the square itself.
    """
    col = _COLUMNS.find(text[:1].lower()) if text[:1].isascii() else -1
    digits = text[1:]
    if text and col >= 0 and digits.isascii() and digits.isdigit() and len(digits) <= 2 and digits[0] != "0":
        row = int(digits) - 1
        if row < MAX_SIZE:
            return SQUARES[row][col]
    raise NotationError(
        phrase("%(text)s is not a square: write the column's letter and the row's number, as in d4", text=quote(text))
    )


def parse_squares(text: str) -> tuple[Square, ...]:
    """Parse names of squares, separated by commas or spaces; raise NotationError as `parse_square` does."""
    names = text.replace(",", " ").split()
    if not names:
        raise NotationError(phrase("no squares: write them as in b4,c4,d4"))
    return tuple(map(parse_square, names))


def square_name(square: Square) -> str:
    """Return the name of a square: ``Square(3, 3)`` gives ``"d4"``; off the largest grid, its row and column."""
    if 0 <= square.row < MAX_SIZE and 0 <= square.col < MAX_SIZE:
        return f"{_COLUMNS[square.col]}{square.row + 1}"
    return phrase("row %(row)s, column %(column)s", row=square.row + 1, column=square.col + 1)


def square_names(squares: Iterable[Square]) -> str:
    """Join names of squares for reading aloud: ``"d4"``, ``"d4 and e4"``, ``"d4, e4 and f4"``."""
    return join_names([square_name(square) for square in squares])


@cache
def centre_squares(size: int) -> frozenset[Square]:
    """Return the marked squares in the middle (Rule 3): four, or a single one where `size` is odd."""
    middle = (size // 2,) if size % 2 else (size // 2 - 1, size // 2)
    return frozenset(SQUARES[row][col] for row in middle for col in middle)


def run_around(line: Sequence[object], first: int, last: int) -> tuple[int, int]:
    """Return the start and the end, exclusive, of the run that holds squares `first` to `last` of a line.

    An item of `line` is true where a square is occupied: stacks and heights will do. The squares from `first` to
    `last` always count as occupied.
    """
    start, end, size = first, last + 1, len(line)
    while start and line[start - 1]:
        start -= 1
    while end < size and line[end]:
        end += 1
    return start, end


def runs_along(line: Sequence[object]) -> Iterator[tuple[int, int]]:
    """Yield the start and the end, exclusive, of each run of two squares or more in a line, from left to right."""
    start = 0
    for at, occupied in enumerate((*line, None)):
        if not occupied:
            if at - start > 1:
                yield start, at
            start = at + 1
