"""The rows and columns of a board for the solver: which faces fit where, and the words they would cross."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass

from engine.board import Board
from engine.editions import Edition
from engine.faces import Alphabet
from engine.solver.hands import Tiles, face_number
from engine.squares import Square, run_around

NO_FACE = -2
"""Stands for the number of Qu where the set has none."""
EMPTY = -1
"""The top of a square without tiles, and of a square beyond the edge."""


def qu_number(alphabet: Alphabet) -> int:
    """Return the place of Qu in an alphabet, or `NO_FACE`."""
    return alphabet.number.get("Qu", NO_FACE)


@dataclass(frozen=True, slots=True)
class Cross:
    """The word that a tile on one square would make or change crosswise, without that tile.

    `squares` and `tiles` count the word's other squares and the tiles on them. `qu` says whether one of them shows Qu.
    `last` says whether the tile would be the word's last letter.
    """

    squares: int
    tiles: int
    qu: bool
    last: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A row, or a column where `vertical`; `at` is its number. Each sequence has an item for every square.

    `tops` has the number of the face on top, or `EMPTY`, and one more `EMPTY` for the edge. `heights` counts the
    tiles. `allowed` is the mask of the faces that fit the square and the word across it, and one more, 0, for the
    edge. `crosses` has the word that a tile there would cross. `anchors` says whether a play that has this square is
    connected: the square is occupied, crosses a word, or is a start square of an empty board.
    """

    vertical: bool
    at: int
    tops: Sequence[int]
    heights: Sequence[int]
    allowed: Sequence[int]
    crosses: Sequence[Cross | None]
    anchors: Sequence[bool]


def lines_of(board: Board, tiles: Tiles, edition: Edition, *, through: Collection[Square] = ()) -> Iterator[Line]:
    """Yield every row and column that a play can lie in and that holds all squares of `through`, rows first."""
    alphabet = tiles.dawg.alphabet
    tops = [[*(face_number(stack[-1], alphabet) if stack else EMPTY for stack in row), EMPTY] for row in board.stacks]
    heights = [[len(stack) for stack in row] for row in board.stacks]
    # Drop the edge's column of `tops`, and give each column an edge of its own.
    turned_tops = [[*column, EMPTY] for column in zip(*tops, strict=True)][:-1]
    turned_heights = [list(column) for column in zip(*heights, strict=True)]
    rows, columns = list(zip(tops, heights, strict=True)), list(zip(turned_tops, turned_heights, strict=True))
    first = {(square.row, square.col) for square in edition.start} if board.is_empty else set()
    for vertical, (lines, across) in enumerate(((rows, columns), (columns, rows))):
        numbers = {(square.row, square.col)[vertical] for square in through}
        for at in range(board.size):
            if numbers <= {at}:
                starts = {square[1 - vertical] for square in first if square[vertical] == at}
                crossings = [_crossing(*other, at, tiles, edition.stack_limit) for other in across]
                line = _line(bool(vertical), at, *lines[at], crossings, starts)
                if any(line.anchors):
                    yield line


def _line(
    vertical: bool,
    at: int,
    tops: Sequence[int],
    heights: Sequence[int],
    crossings: Sequence[tuple[int, Cross | None]],
    starts: Container[int],
) -> Line:
    allowed = [*(faces for faces, _ in crossings), 0]
    crosses = [cross for _, cross in crossings]
    anchors = [height > 0 or crosses[i] is not None or i in starts for i, height in enumerate(heights)]
    return Line(vertical, at, tops, heights, allowed, crosses, anchors)


def _crossing(
    tops: Sequence[int], heights: Sequence[int], at: int, tiles: Tiles, most: int
) -> tuple[int, Cross | None]:
    """Return the faces that fit square `at` of a line, and the word along the line there."""
    top, height = tops[at], heights[at]
    faces = tiles.mask if top == EMPTY else tiles.mask & ~(1 << top)
    if height >= most:
        faces = 0
    if tops[at + 1] == EMPTY and (at == 0 or tops[at - 1] == EMPTY):
        return faces, None
    start, end = run_around(heights, at, at)
    qu = qu_number(tiles.dawg.alphabet)
    before, behind = tops[start:at], tops[at + 1 : end]
    cross = Cross(end - start - 1, sum(heights[start:end]) - height, qu in before or qu in behind, end == at + 1)
    return _fitting(before, behind, faces, tiles), cross


def _fitting(before: Sequence[int], behind: Sequence[int], faces: int, tiles: Tiles) -> int:
    """Return those faces of a mask that make a word between two strings of faces."""
    table = tiles.table
    dawg = tiles.dawg
    node = dawg.root
    for face in before:
        node = table[node + face]
    fitting = 0
    for face in tiles.faces_in[table[node + dawg.flags] & faces]:
        last = table[node + face]
        for other in behind:
            last = table[last + other]
        if table[last + dawg.flags] & dawg.final:
            fitting |= 1 << face
    return fitting
