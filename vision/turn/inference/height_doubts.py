"""Stacks that do not look as high as a play leaves them: those that it builds on, and those beside it.

`table` (n, n, 6, 26) is the log likelihood of each height and top face by the newest look.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.board import MAX_HEIGHT, Board
from engine.faces import FACES
from engine.play import PlacedTile, Play
from engine.squares import Square, square_name
from vision.turn.finding import Outcome
from vision.turn.inference.candidates import line_of
from vision.turn.inference.story import Story, state_of
from vision.turn.look import Floats
from vision.turn.reasons import HIGHER_NEIGHBOUR, OTHER_HEIGHT

_HIGHER = 2.5
"""Log odds from which a stack looks higher. By eye, not measured."""

_OTHERWISE = 3.0
"""Log odds from which a stack looks of another height than a play makes it. Of 321 plays that were read
rightly (the development sets, a lot of rendered games) one has such a stack; most of those have that only seem to be
plays: a tile was knocked off, a letter is wrong on the sheet, turns were not photographed."""


@dataclass(frozen=True)
class HeightDoubt:
    """A stack that does not look as high as it is with a play: its square, and what to ask of it.

    `by_one` says that it looks just a tile higher.
    """

    square: Square
    question: str
    by_one: bool = True


def other_height(table: Floats, after: Board, played: Iterable[Square]) -> HeightDoubt | None:
    """A stack of the squares `played` on that looks of another height than it has on the board `after` it.

    One height that is misread is likelier than most that explain it, and no story that is left may explain it at all.
    """
    for square in played:
        by_height = table[square.row, square.col].max(axis=-1)
        seen = int(by_height.argmax())
        if by_height[seen] - by_height[after.height(square)] > _OTHERWISE:
            return HeightDoubt(square, OTHER_HEIGHT.format(square_name(square), seen, after.height(square)))
    return None


def higher_neighbour(table: Floats, before: Board, play: Play) -> HeightDoubt | None:
    """A stack on the line of a play that looks higher than it was: it may hold one more of its tiles.

    Where a letter was misread before, the same letter may now lie on it, which by itself looks like nothing new. A
    stack that has grown by two may show the same letter, too.
    """
    squares = set(play.squares)
    for square in line_of(play, before):
        height, face = state_of(before, square)
        if square in squares or not 0 < height < MAX_HEIGHT:
            continue
        here = table[square.row, square.col]
        if here[height + 1 :, face].max() - here[height, face] > _HIGHER:
            by_one = int(here[height + 1 :, face].argmax()) == 0
            return HeightDoubt(square, HIGHER_NEIGHBOUR.format(square_name(square)), by_one)
    return None


def with_tile(table: Floats, outcome: Outcome, before: Board, square: Square) -> Outcome:
    """The outcome with a tile put on a square, too: the face that is seen there, if a layer higher."""
    face = int(table[square.row, square.col, before.height(square) + 1].argmax())
    last = outcome.events[-1]
    assert last is not None
    more = last.with_tiles([PlacedTile(square, FACES[face])])
    return replace(outcome, story=Story((*outcome.events[:-1], more)), share=0.0)


def mistyped(table: Floats, outcome: Outcome, before: Board, typed: Play) -> Outcome | None:
    """The outcome in which the play typed last had other letters: those that are seen now.

    None where what was found lies on other squares, too, or all its stacks plainly look a tile higher.
    """
    play = outcome.events[-1] if len(outcome.changes) == 1 and not outcome.revises else None
    if play is None or not {*play.squares} <= {*typed.squares}:
        return None
    for square in play.squares:
        by_height = table[square.row, square.col].max(axis=-1)
        if by_height[before.height(square) + 1] - by_height[before.height(square)] < _HIGHER:
            break
    else:
        return None
    seen = {tile.square: tile.face for tile in play.tiles}
    really = Play(tuple(replace(tile, face=seen.get(tile.square, tile.face)) for tile in typed.tiles))
    return replace(outcome, story=Story((really,)), kept=0, replaces=1)
