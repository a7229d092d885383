"""In which ways two plays that were seen together can have been made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from engine.board import Board
from engine.play import PlacedTile, Play
from vision.turn.context import Context


def legal_ways(before: Board, first: Play, second: Play, context: Context) -> frozenset[tuple[Play, ...]]:
    """Every legal way to put the tiles of two plays on the board in at most two turns, the same stacks after it.

    These are, besides the plays themselves, the other order, tiles dealt out otherwise (of BIDDERS over MILDEW the S
    may have been that of MILDEWS), and all of them in one turn. Words in no list are no way: whether a table bluffs is
    for the prior to weigh.
    """
    return frozenset(
        tuple(play for play in pair if play.tiles)
        for pair in _dealt_out(first, second)
        if _is_legal(before, pair, context)
    )


def ways_in_two(before: Board, play: Play, context: Context) -> tuple[tuple[Play, Play], ...]:
    """Every legal way to put the tiles of one play on the board in two turns, in a fixed order."""
    ways = legal_ways(before, play, Play(()), context)
    pairs = [(way[0], way[1]) for way in ways if len(way) == 2]
    return tuple(sorted(pairs, key=lambda pair: (pair[0].tiles, pair[1].tiles)))


def _dealt_out(first: Play, second: Play) -> Iterator[tuple[Play, Play]]:
    """The tiles of two plays, dealt out in every way that leaves the same stacks; of one turn the second is empty."""
    covered, covering = {*first.squares}, {*second.squares}
    free = tuple(t for t in first.tiles if t.square not in covering)
    free += tuple(t for t in second.tiles if t.square not in covered)
    below = tuple(t for t in first.tiles if t.square in covering)
    above = tuple(t for t in second.tiles if t.square in covered)
    for comes_first in product((True, False), repeat=len(free)):
        early = tuple(tile for tile, is_early in zip(free, comes_first, strict=True) if is_early)
        late = tuple(tile for tile, is_early in zip(free, comes_first, strict=True) if not is_early)
        if early + below and _in_line(early + below) and _in_line(late + above):
            yield Play(early + below), Play(late + above)


def _in_line(tiles: tuple[PlacedTile, ...]) -> bool:
    """Whether tiles lie in one row or one column; so do none."""
    return min(len({t.square.row for t in tiles}), len({t.square.col for t in tiles})) <= 1


def _is_legal(before: Board, pair: tuple[Play, Play], context: Context) -> bool:
    first, second = pair
    if not context.verdict(before, first).legal:
        return False
    return not second.tiles or context.verdict(before.with_play(first), second).legal
