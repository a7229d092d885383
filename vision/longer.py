"""Whether a play may go on under a hand: what is seen of it is then not the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from engine.board import MAX_HEIGHT, Board
from engine.faces import FACES
from engine.play import PlacedTile, Play
from engine.squares import Square
from vision.context import Context

_MOST_TRIED = 2
"""Hidden squares up to which every letter is tried on each of them."""


def may_be_longer(play: Play, before: Board, hidden: npt.NDArray[np.bool_], context: Context) -> bool:
    """Whether squares that are `hidden` (n, n) could hold more tiles of this very play.

    Where the play as seen is lawful and few squares are hidden beside it, only plays that are lawful, too, count: a
    word that nothing can be added to has ended.
    """
    squares = _reached(play, before, hidden)
    if not squares:
        return False
    if len(squares) > _MOST_TRIED or context.lexicon is None or not _lawful(play, before, context):
        return True
    return any(_lawful(longer, before, context) for longer in _longer(play, before, squares))


def along(play: Play, goes_on: Callable[[Square], bool]) -> Iterator[Square]:
    """The squares within a play and on from its ends, those of its own tiles left out, as long as the line goes on."""
    squares = {tile.square for tile in play.tiles}
    axes = [(0, 1)] if len({s.row for s in squares}) == 1 else []
    axes += [(1, 0)] if len({s.col for s in squares}) == 1 else []
    for down, right in axes:
        for sign in (1, -1):
            at = _step(min(squares), sign * down, sign * right)
            while at in squares or goes_on(at):
                if at not in squares:
                    yield at
                at = _step(at, sign * down, sign * right)


def _step(square: Square, down: int, right: int) -> Square:
    return Square(square.row + down, square.col + right)


def _reached(play: Play, before: Board, hidden: npt.NDArray[np.bool_]) -> list[Square]:
    """The hidden squares within a play and those to which its line may go on without a gap."""

    def goes_on(at: Square) -> bool:
        return before.holds(at) and (bool(hidden[at.row, at.col]) or bool(before.stack(at)))

    return [at for at in along(play, goes_on) if hidden[at.row, at.col]]


def _longer(play: Play, before: Board, squares: list[Square]) -> Iterator[Play]:
    """The play with every letter on one or more of the squares."""
    free = [square for square in squares if before.height(square) < MAX_HEIGHT]
    for count in range(1, len(free) + 1):
        for chosen in combinations(free, count):
            for faces in product(FACES, repeat=count):
                more = [PlacedTile(s, f) for s, f in zip(chosen, faces, strict=True)]
                yield play.with_tiles(more)


def _lawful(play: Play, before: Board, context: Context) -> bool:
    return not context.verdict(before, play).violations
