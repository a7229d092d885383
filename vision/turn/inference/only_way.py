"""Whether two plays that were seen together can only have been made in one way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from engine.board import Board
from engine.play import PlacedTile, Play
from vision.turn.context import Context
from vision.turn.inference.story import Event


def is_only_way(before: Board, events: tuple[Event, ...], context: Context) -> bool:
    """Whether these events are two plays, and the only legal way to put their tiles on the board in two turns.

    Other ways are the other order, tiles dealt out otherwise (of BIDDERS over MILDEW the S may have been MILDEWS), and
    all of them in one turn. Words in no list count as no way: that a table bluffed twice is for the prior to weigh.
    Without a list nothing is known to be the only way.
    """
    if len(events) != 2 or context.lexicon is None:
        return False
    first, second = events
    if first is None or second is None:
        return False
    ways = [pair for pair in _dealt_out(first, second) if _is_legal(before, pair, context)]
    return ways == [(first, second)]


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
