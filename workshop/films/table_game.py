"""Games as a table plays them: plays, passes, and words that are in no list, challenged, and lifted again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine import Board, Edition, Lexicon, PlacedTile, Play
from engine.rules.referee import referee
from workshop.training.random_games import draw_play, play_game, shuffle_bag

_PASSES = 0.05
"""Share of plays before which a player passes. [by eye]"""
_TRIES = 10
"""Games that are drawn until one is long enough: with a rack without vowels it may end at once. [by eye]"""
_BLUFFS = 0.05
"""Share of plays before which another player bluffs and is challenged. [by eye]"""


@dataclass(frozen=True)
class TableTurn:
    """A turn: the board `before` it, and its play, None for a pass. A `lifted` play is challenged and comes off."""

    before: Board
    play: Play | None = None
    lifted: bool = False


def table_game(rng: np.random.Generator, edition: Edition, words: Lexicon, plays: int) -> list[TableTurn]:
    """Draw a game with this many plays that stay, passes and challenged plays besides.

    Raises ValueError if games end before there are so many.
    """
    games = (list(play_game(rng, edition, words, plays, bluffs=0.0)) for _ in range(_TRIES))
    played = next((game for game in games if len(game) == plays), None)
    if played is None:
        raise ValueError(f"no game of {plays} plays was found: ask for fewer.")
    turns, before = [], Board.empty(edition.size)
    for after, play in played:
        if rng.random() < _PASSES:
            turns.append(TableTurn(before))
        bluff = draw_bluff(rng, before, edition, words) if rng.random() < _BLUFFS else None
        if bluff is not None:
            turns.append(TableTurn(before, bluff, lifted=True))
        turns.append(TableTurn(before, play))
        before = after
    return turns


def draw_bluff(rng: np.random.Generator, board: Board, edition: Edition, words: Lexicon) -> Play | None:
    """Draw a play that breaks no rule but that of its words, which no list has; None if none is found."""
    bag = shuffle_bag(rng, edition)
    tiles = draw_play(rng, board, bag[: edition.rack_size], edition, words)
    for k in rng.permutation(len(tiles)):
        for face in bag[edition.rack_size :]:
            play = Play((*tiles[:k], PlacedTile(tiles[k].square, face), *tiles[k + 1 :]))
            verdict = referee(board, play, edition=edition, lexicon=words)
            if verdict.violations and not verdict.breaches:
                return play
    return None
