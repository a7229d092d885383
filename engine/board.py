"""The immutable board: a square grid of stacks of faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.errors import PositionError, quote
from engine.faces import ENGLISH, Alphabet
from engine.play import Play
from engine.squares import MAX_SIZE, SQUARES, Square, square_name
from engine.wording import phrase

MAX_HEIGHT = 5
"""No stack is higher than five tiles (Rule 5)."""

MIN_SIZE = 2

Stack = tuple[str, ...]
"""Faces from bottom to top; empty for an empty square."""


@dataclass(frozen=True, slots=True)
class Board:
    """Stacks of tiles on an n by n grid, ``stacks[row][col]``, each from bottom to top. Only `Board.of` checks them.

    `alphabet` has the faces that its tiles may show, in the order of every table about it.

    >>> from engine import parse_play, parse_square
    >>> board = Board.empty(8).with_play(parse_play("b4-MOOD")).with_play(parse_play("W@b4"))
    >>> b4 = parse_square("b4")
    >>> board.stack(b4), board.top(b4), board.height(b4)
    (('M', 'W'), 'W', 2)
    """

    stacks: tuple[tuple[Stack, ...], ...]
    alphabet: Alphabet = field(default=ENGLISH, compare=False, repr=False)

    @classmethod
    def empty(cls, size: int, alphabet: Alphabet = ENGLISH) -> Board:
        """Return an empty board of `size` rows and columns; raise PositionError outside 2 to 21."""
        _check_size(size)
        return cls((((),) * size,) * size, alphabet)

    @classmethod
    def of(cls, stacks: Iterable[Iterable[Iterable[str]]], alphabet: Alphabet = ENGLISH) -> Board:
        """Check nested sequences of faces and return them as a board.

        Raises PositionError for a grid that is not square, an unknown face or a stack of six.

        >>> Board.of([[["M", "W"], ["O"]], [[], ["Qu"]]]).tops()
        (('W', 'O'), ('', 'Qu'))
        """
        rows = tuple(tuple(tuple(stack) for stack in row) for row in stacks)
        size = len(rows)
        _check_size(size)
        for row_at, row in enumerate(rows):
            if len(row) != size:
                raise PositionError(
                    phrase(
                        "row %(row)s has %(count)s squares: a board of %(size)s rows needs %(size)s",
                        row=row_at + 1,
                        count=len(row),
                        size=size,
                    )
                )
            for col_at, stack in enumerate(row):
                _check_stack(stack, SQUARES[row_at][col_at], alphabet)
        return cls(rows, alphabet)

    @property
    def size(self) -> int:
        """The number of rows, and of columns."""
        return len(self.stacks)

    @property
    def is_empty(self) -> bool:
        """True if no tile lies on the board."""
        return not any(map(any, self.stacks))

    def holds(self, square: Square) -> bool:
        """Return whether the square lies on this board."""
        return 0 <= square.row < len(self.stacks) and 0 <= square.col < len(self.stacks)

    def stack(self, square: Square) -> Stack:
        """Return the faces on a square from bottom to top; raise PositionError off the board."""
        if not self.holds(square):
            raise _off_board(square, self.size)
        return self.stacks[square.row][square.col]

    def top(self, square: Square) -> str:
        """Return the face on top, ``""`` on an empty square; raise PositionError off the board."""
        stack = self.stack(square)
        return stack[-1] if stack else ""

    def height(self, square: Square) -> int:
        """Return the number of tiles on a square; raise PositionError off the board."""
        return len(self.stack(square))

    def squares(self) -> Iterator[Square]:
        """Yield every square, row by row."""
        size = len(self.stacks)
        return (square for row in SQUARES[:size] for square in row[:size])

    def list_occupied(self) -> Iterator[Square]:
        """Yield the squares that hold tiles, row by row."""
        return (square for square in self.squares() if self.stacks[square.row][square.col])

    def tops(self) -> tuple[tuple[str, ...], ...]:
        """Return the faces on top, row by row, ``""`` where a square is empty."""
        return tuple(tuple(stack[-1] if stack else "" for stack in row) for row in self.stacks)

    def counts(self) -> Counter[str]:
        """Count how often each face lies on the board, covered tiles included.

        >>> Board.of([[["M", "O"], ["O"]], [[], []]]).counts()
        Counter({'O': 2, 'M': 1})
        """
        return Counter(face for row in self.stacks for stack in row for face in stack)

    def tile_count(self) -> int:
        """Return the number of tiles on the board."""
        return sum(len(stack) for row in self.stacks for stack in row)

    def with_play(self, play: Play) -> Board:
        """Return the board after a play, legal or not; raise PositionError off the board and for a stack of six."""
        after = stacks_after(self, play)
        for tile in play.tiles:
            _check_stack(after[tile.square.row][tile.square.col], tile.square, self.alphabet)
        return Board(tuple(tuple(row) for row in after), self.alphabet)

    def lies_on(self, other: Board) -> bool:
        """Return whether this board is `other`, of the same size, with any number of tiles added on top.

        >>> Board.of([[["M", "W"], ["O"]], [[], []]]).lies_on(Board.of([[["M"], []], [[], []]]))
        True
        """
        return all(
            mine[: len(theirs)] == theirs
            for row, below in zip(self.stacks, other.stacks, strict=True)
            for mine, theirs in zip(row, below, strict=True)
        )

    def without_top(self, squares: Iterable[Square]) -> Board:
        """Return the board without the top tile of each square; raise PositionError if there is none.

        >>> Board.of([[["M", "W"], ["O"]], [[], []]]).without_top([Square(row=0, col=0)]).tops()
        (('M', 'O'), ('', ''))
        """
        rows = [list(row) for row in self.stacks]
        for square in squares:
            if not self.stack(square) or not rows[square.row][square.col]:
                raise PositionError(
                    phrase("no tile lies on %(square)s: nothing can be taken off it", square=square_name(square))
                )
            rows[square.row][square.col] = rows[square.row][square.col][:-1]
        return Board(tuple(tuple(row) for row in rows), self.alphabet)


def stacks_after(board: Board, play: Play) -> list[Sequence[Stack]]:
    """Return the rows of stacks after a play, even too high ones; raise PositionError for a tile off the board."""
    rows: list[Sequence[Stack]] = list(board.stacks)
    size = len(rows)
    for tile in play.tiles:
        square = tile.square
        row, col = square.row, square.col
        if not (0 <= row < size and 0 <= col < size):
            raise _off_board(square, size)
        line = list(rows[row])
        line[col] = (*line[col], tile.face)
        rows[row] = line
    return rows


def _off_board(square: Square, size: int) -> PositionError:
    return PositionError(
        phrase(
            "%(square)s is not on this board: it has %(size)s rows and %(size)s columns",
            square=square_name(square),
            size=size,
        )
    )


def _check_size(size: int) -> None:
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise PositionError(
            phrase(
                "a board has %(least)s to %(most)s rows and columns, not %(size)s",
                least=MIN_SIZE,
                most=MAX_SIZE,
                size=size,
            )
        )


def _check_stack(stack: Stack, square: Square, alphabet: Alphabet) -> None:
    if len(stack) > MAX_HEIGHT:
        raise PositionError(
            phrase(
                "%(square)s would hold %(count)s tiles: a stack has at most %(most)s",
                square=square_name(square),
                count=len(stack),
                most=MAX_HEIGHT,
            )
        )
    for face in stack:
        if face not in alphabet.number:
            raise PositionError(
                phrase(
                    "%(face)s on %(square)s is not a tile: use %(faces)s",
                    face=quote(face),
                    square=square_name(square),
                    faces=alphabet.described,
                )
            )
