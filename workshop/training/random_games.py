"""Games drawn at random: racks from a shuffled bag, plays from the best ones, and now and then a bluff.

It needs no tool of training, so that benchmarks may draw games where none is installed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine import Board, Edition, Lexicon, PlacedTile, Play
from engine.solver.search import legal_plays

BLUFFS = 0.06
"""Share of the plays in which one letter is another: most of them make no words. [by eye]"""
_BEST = 40
"""Plays are drawn from this many of the best. [by eye]"""


def shuffle_bag(rng: np.random.Generator, edition: Edition) -> list[str]:
    """Return all tiles of an edition, in the order in which they will be drawn."""
    bag = [face for face, count in (edition.distribution or {}).items() for _ in range(count)]
    return [bag[k] for k in rng.permutation(len(bag))]


def draw_play(
    rng: np.random.Generator, board: Board, rack: list[str], edition: Edition, words: Lexicon
) -> list[PlacedTile]:
    """Draw one of the best plays of a rack, and take its tiles from the rack; no tiles if nothing can be played."""
    plays = legal_plays(board, rack, edition=edition, lexicon=words)[:_BEST]
    if not plays:
        return []
    tiles = list(plays[int(rng.integers(len(plays)))].play.tiles)
    for tile in tiles:
        rack.remove(tile.face)
    return tiles


def play_game(
    rng: np.random.Generator, edition: Edition, words: Lexicon, turns: int, bluffs: float = BLUFFS
) -> Iterator[tuple[Board, Play]]:
    """Yield the boards after each turn of a random game, and the plays; end early where nothing can be played."""
    bag = shuffle_bag(rng, edition)
    rack, bag, board = bag[: edition.rack_size], bag[edition.rack_size :], Board.empty(edition.size, edition.alphabet)
    for _ in range(turns):
        tiles = draw_play(rng, board, rack, edition, words)
        if not tiles:
            return
        if rng.random() < bluffs and bag:
            k = int(rng.integers(len(tiles)))
            if board.top(tiles[k].square) != bag[0]:
                tiles[k] = PlacedTile(tiles[k].square, bag.pop(0))
        play = Play(tuple(tiles))
        board = board.with_play(play)
        drawn = edition.rack_size - len(rack)
        rack, bag = rack + bag[:drawn], bag[drawn:]
        yield board, play
