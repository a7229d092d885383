"""What could have been played on given squares, whoever holds which tiles."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping
from operator import attrgetter

from engine.board import Board
from engine.editions import RACK_SIZE, Edition
from engine.errors import RulesError
from engine.faces import FACES
from engine.lexicon.dawg import FINAL, FLAGS, ROOT, Dawg
from engine.lexicon.lexicon import Lexicon
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.runs import run_around
from engine.solver.hands import LETTERS, face_number
from engine.solver.lines import EMPTY, Line, lines_of
from engine.solver.plays import ScoredPlay, Search
from engine.solver.walk import Filling
from engine.squares import Square, square_names


def plays_on(
    board: Board,
    squares: Collection[Square],
    tiles: Mapping[str, int] | None,
    *,
    edition: Edition,
    lexicon: Lexicon,
    rules: HouseRules = SHEET_RULES,
    rack_size: int = RACK_SIZE,
) -> list[ScoredPlay]:
    """Every legal play that puts a tile on each of `squares` and on no other, best first.

    `tiles` counts the faces that may have been held, None where any may; `rack_size` is the number of tiles on the
    rack. Plays of equal points come in the order of their letters, a lone tile's rows before its columns. There
    are never more than the word list has words, and only those that fit the squares are looked at.

    Raises RulesError for squares that no play can have, for faces that are no tiles, for a rack that cannot be, and
    for a board that is not the edition's; PositionError for a square off the board.
    """
    if rack_size > RACK_SIZE:
        raise RulesError(f"a rack of {rack_size} tiles: give {RACK_SIZE} at most")
    edition.check_size(board.size)
    _check(board, squares)
    supply = _Supply(tiles, lexicon.dawg, len(squares))
    search = Search(board, edition, lexicon, rules, rack_size)
    plays: list[ScoredPlay] = []
    if len(squares) == 1 and supply.counts[face_number("Qu")]:
        plays += search.lone_qu(next(iter(squares)))
    for line in lines_of(board, supply):
        mask = _mask(line, squares)
        if mask:
            plays += search.scored(line, _fillings(line, mask, supply))
    plays.sort(key=attrgetter("points"), reverse=True)
    return plays


class _Members(dict[int, tuple[int, ...]]):
    """The faces of every mask, worked out when first asked for: all the masks of 26 faces are too many."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        faces = tuple(face for face in range(len(FACES)) if mask >> face & 1)
        self[mask] = faces
        return faces


class _Supply:
    """The tiles to choose from, `counts` by face; never more of a face than `most` are needed."""

    def __init__(self, tiles: Mapping[str, int] | None, dawg: Dawg, most: int) -> None:
        self.table: array[int] = dawg.table
        self.faces_in = _Members()
        self.counts = [most if tiles is None else 0] * len(FACES)
        for face, count in (tiles or {}).items():
            self.counts[face_number(face)] = min(count, most)
        self.mask = sum(1 << face for face, count in enumerate(self.counts) if count > 0)


def _check(board: Board, squares: Collection[Square]) -> None:
    if not 1 <= len(squares) <= RACK_SIZE:
        raise RulesError(f"a play has 1 to {RACK_SIZE} squares, not {len(squares)}: name those it lies on")
    if len(set(squares)) < len(squares):
        raise RulesError("a square comes twice: at most one tile a turn goes on it, name it once")
    for square in squares:
        board.height(square)
    if len({square.row for square in squares}) > 1 and len({square.col for square in squares}) > 1:
        raise RulesError(
            f"{square_names(sorted(squares))} do not lie in one row or column: no play has them all"
        )


def _mask(line: Line, squares: Collection[Square]) -> int:
    """The squares as a mask of the line, 0 where they do not all lie on it."""
    mask = 0
    for square in squares:
        at, along = (square.col, square.row) if line.vertical else (square.row, square.col)
        if at != line.at:
            return 0
        mask |= 1 << along
    return mask


def _fillings(line: Line, mask: int, supply: _Supply) -> list[Filling]:
    """Every filling of just these squares of a line whose words are in the graph, in the order of the letters."""
    tops, allowed, table, counts = line.tops, line.allowed, supply.table, supply.counts
    start, end = (mask & -mask).bit_length() - 1, mask.bit_length()
    if any(tops[at] == EMPTY and not mask >> at & 1 for at in range(start, end)):
        return []
    start, end = run_around(line.heights, start, end - 1)
    if not any(line.anchors[start:end]):
        return []
    found: list[Filling] = []

    def visit(col: int, node: int, letters: str) -> None:
        """Goes on at `col`, where all squares before it are dealt with and have led to `node`."""
        flags = table[node + FLAGS]
        if col == end:
            if flags & FINAL:
                found.append((mask, letters))
        elif not mask >> col & 1:
            if table[node + tops[col]]:
                visit(col + 1, table[node + tops[col]], letters)
        else:
            for face in supply.faces_in[flags & allowed[col]]:
                if counts[face]:
                    counts[face] -= 1
                    visit(col + 1, table[node + face], letters + LETTERS[face])
                    counts[face] += 1

    visit(start, ROOT, "")
    return found
