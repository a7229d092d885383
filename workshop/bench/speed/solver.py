"""How long the solver takes on the positions of whole games, on one core.

The games are played by the solver itself from fixed seeds, half of them always with the best play, half with
any play, so that the positions are the same on every machine. Each position is solved three times and the
fastest counts, in processor time. Every play comes with its points; spelling out a play's tiles and words,
which the solver leaves until they are asked for, is timed by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from time import process_time

from engine import EDITIONS, Board, Edition, Lexicon
from engine.solver.search import legal_plays
from upscore.words.loader import load_lexicon
from workshop.bench.record import Figures

GAMES = 10
REPEATS = 3


def positions(edition: Edition, games: int, lexicon: Lexicon) -> Iterator[tuple[Board, list[str]]]:
    """Yield every position of the games with a full rack, and the rack."""
    for seed in range(games):
        random = Random(seed)
        bag = [face for face, count in (edition.distribution or {}).items() for _ in range(count)]
        random.shuffle(bag)
        board = Board.empty(edition.size)
        while len(bag) >= 7:
            rack = bag[:7]
            yield board, rack
            plays = legal_plays(board, rack, edition=edition, lexicon=lexicon)
            if not plays:
                break
            play = (plays[0] if seed % 2 else random.choice(plays)).play
            board = board.with_play(play)
            for tile in play.tiles:
                bag.remove(tile.face)


def seconds(board: Board, rack: list[str], edition: Edition, lexicon: Lexicon) -> tuple[float, int]:
    """Return the time that one position takes, and its number of plays."""
    fastest, count = float("inf"), 0
    for _ in range(REPEATS):
        start = process_time()
        count = len(legal_plays(board, rack, edition=edition, lexicon=lexicon))
        fastest = min(fastest, process_time() - start)
    return fastest, count


def spelling(timed: Sequence[tuple[Board, list[str]]], edition: Edition, lexicon: Lexicon) -> float:
    """Return the time that spelling out one play takes."""
    plays = [play for board, rack in timed for play in legal_plays(board, rack, edition=edition, lexicon=lexicon)]
    start = process_time()
    for play in plays:
        _ = play.play, play.words
    return (process_time() - start) / len(plays)


def time_solver(_: Path) -> Figures:
    """Return for each edition the positions, milliseconds a position and plays found, and microseconds to spell one
    out."""
    words = load_lexicon()
    return {name: _time_edition(EDITIONS[name], words) for name in ("8x8", "10x10")}


def _time_edition(edition: Edition, lexicon: Lexicon) -> Figures:
    solved = list(positions(edition, GAMES, lexicon))
    timed = [seconds(*position, edition, lexicon) for position in solved]
    times = [1000 * time for time, _ in timed]
    return {
        "positions": len(timed),
        "median ms": median(times),
        "mean ms": mean(times),
        "nine in ten ms": quantiles(times, n=10)[-1],
        "plays": median(count for _, count in timed),
        "spelling µs": 1e6 * spelling(solved[::10], edition, lexicon),
    }
