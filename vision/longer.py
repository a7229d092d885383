"""Whether a play may go on under a hand: what is seen of it is then not the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.lexicon import Lexicon
from engine.play import Play
from engine.square_plays import plays_on
from engine.squares import Square
from vision.context import Context

_MOST_TRIED = 6
"""Hidden squares up to which every way to put tiles on some of them is looked at."""


def may_be_longer(play: Play, before: Board, hidden: npt.NDArray[np.bool_], context: Context) -> bool:
    """Whether squares that are `hidden` (n, n) could hold more tiles of this very play.

    Where the play as seen is lawful and few squares are hidden beside it, only plays that are lawful, too, count: a
    word that nothing can be added to has ended. Only a `Lexicon` can tell that; by any other list the play may go on.
    """
    squares, words = _reached(play, before, hidden), context.lexicon
    if not squares:
        return False
    if len(squares) > _MOST_TRIED or not isinstance(words, Lexicon) or not _lawful(play, before, context):
        return True
    longer = _longer(play, before, squares, context, words)
    return any(_lawful(each, before, context) for each in longer)


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


def _longer(
    play: Play, before: Board, squares: list[Square], context: Context, words: Lexicon
) -> Iterator[Play]:
    """The play with tiles on one or more of the squares, wherever they make words with what is seen of it."""
    seen = before.with_play(play)
    # by itself the hidden end may be a lone S, of the whole play it is not
    rules = replace(context.rules, plural_rule=False)
    for count in range(1, len(squares) + 1):
        for chosen in combinations(squares, count):
            if _on_one_line((*chosen, *play.squares)):
                found = plays_on(seen, chosen, None, edition=context.edition, lexicon=words, rules=rules)
                yield from (play.with_tiles(more.play.tiles) for more in found)


def _on_one_line(squares: tuple[Square, ...]) -> bool:
    return len({square.row for square in squares}) == 1 or len({square.col for square in squares}) == 1


def _lawful(play: Play, before: Board, context: Context) -> bool:
    return not context.verdict(before, play).violations
