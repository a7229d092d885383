"""Rules 3, 4 and 5 on where tiles may go, except for those on words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.board import MAX_HEIGHT, Board, Stack
from engine.editions import RACK_SIZE
from engine.faces import spell
from engine.play import Play
from engine.rules import violations as say
from engine.rules.house_rules import HouseRules
from engine.rules.violations import Violation
from engine.squares import SQUARES, Square, centre_squares, run_around

Rows = Sequence[Sequence[Stack]]


def placement_violations(board: Board, play: Play, after: Rows, rules: HouseRules) -> Iterator[Violation]:
    """Yield every breach of Rules 3 and 4 and of 5-one, 5-same, 5-five and 5-cover, in that order.

    A play of more tiles than a rack holds comes before all. `after` holds the rows of stacks with the play in place,
    as `engine.board.stacks_after` returns them.
    """
    before = board.stacks
    touching, covered = _contact(before, play)
    if len(play.tiles) > RACK_SIZE:
        yield say.too_many(play.squares)
    if not touching and board.is_empty:
        yield from _first_play(board.size, play, rules)
        yield from _line(play, after)
    else:
        yield from _line(play, after)
        if not touching:
            yield say.not_connected(play.squares)
    yield from _stacking(play, after)
    if len(covered) > 1:
        yield from _covered_words(before, covered)


def _contact(before: Rows, play: Play) -> tuple[bool, list[Square]]:
    """Return whether a tile touches an earlier tile, and the squares that the play covers."""
    last = len(before) - 1
    touching = False
    covered: list[Square] = []
    for tile in play.tiles:
        square = tile.square
        row, col = square.row, square.col
        line = before[row]
        if line[col]:
            covered.append(square)
        elif touching:
            continue
        elif (
            (row and before[row - 1][col])
            or (row < last and before[row + 1][col])
            or (col and line[col - 1])
            or (col < last and line[col + 1])
        ):
            touching = True
    return touching or bool(covered), covered


def _first_play(size: int, play: Play, rules: HouseRules) -> Iterator[Violation]:
    """Check Rule 3: at least two tiles, one of them on the centre."""
    if len(play.tiles) < 2:
        qu = play.tiles[0].face == "Qu"
        if not (qu and rules.lone_qu_first_play):
            yield say.first_too_short(play.squares, qu=qu)
    centre = centre_squares(size)
    if centre.isdisjoint(play.squares):
        yield say.first_off_centre(play.squares, centre)


def _line(play: Play, after: Rows) -> Iterator[Violation]:
    """Check Rule 4: one row or one column, without a gap."""
    tiles = play.tiles
    first, last = tiles[0].square, tiles[-1].square
    if first.row == last.row:
        line = after[first.row]
        if not all(line[first.col : last.col]):
            cols = range(first.col, last.col)
            yield say.broken_line(tuple(SQUARES[first.row][col] for col in cols if not line[col]))
    elif all(tile.square.col == first.col for tile in tiles):
        rows = range(first.row, last.row)
        if not all(after[row][first.col] for row in rows):
            yield say.broken_line(tuple(SQUARES[row][first.col] for row in rows if not after[row][first.col]))
    else:
        yield say.not_one_line(play.squares)


def _stacking(play: Play, after: Rows) -> Iterator[Violation]:
    """Check 5-one, 5-same and 5-five, square by square."""
    counts: dict[Square, int] = {}
    for tile in play.tiles:
        if len(after[tile.square.row][tile.square.col]) > 1:
            counts[tile.square] = counts.get(tile.square, 0) + 1
    for square, count in counts.items():
        if count > 1:
            yield say.two_on_one(square, count)
    for square, count in counts.items():
        stack = after[square.row][square.col]
        for level in range(max(1, len(stack) - count), len(stack)):
            if stack[level] == stack[level - 1]:
                yield say.same_letter(square, stack[level])
    for square in counts:
        height = len(after[square.row][square.col])
        if height > MAX_HEIGHT:
            yield say.too_high(square, height)


def _covered_words(before: Rows, covered: Sequence[Square]) -> Iterator[Violation]:
    """Check 5-cover: the play may not cover every letter of a word that stood on the board.

    One uncovered letter is enough. Stacks never leave the board, so that letter is always part of the new word.
    """
    squares = set(covered)
    reported: set[tuple[Square, ...]] = set()
    for square in covered:
        for word in (_run_across(before, square), _run_down(before, square)):
            if len(word) > 1 and word not in reported and squares.issuperset(word):
                reported.add(word)
                yield say.all_covered(spell(before[sq.row][sq.col][-1] for sq in word), word)


def _run_across(before: Rows, square: Square) -> tuple[Square, ...]:
    start, end = run_around(before[square.row], square.col, square.col)
    return SQUARES[square.row][start:end]


def _run_down(before: Rows, square: Square) -> tuple[Square, ...]:
    start, end = run_around([row[square.col] for row in before], square.row, square.row)
    return tuple(SQUARES[row][square.col] for row in range(start, end))
