"""How many plays a second the referee validates and scores, on one core.

Legal plays are the turns of the rule sheets' game, each on the board it was played on; other plays are tiles
in a line anywhere on the last of these boards, most of them against several rules. The figure is the best of
the rounds, in processor time, so that other work on the machine counts little.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

from engine import SQUARES, Board, PlacedTile, Play, find_edition, parse_play, referee
from workshop.bench.record import Figures

SHEETS_GAME = ("c5-MOOD", "f6|EAR", "e6-N.T", "W@c5", "f5|L..P", "e8-SNACK", "h3|PLUS")
WORDS = "MOOD DEAR NET ON WOOD WOOL LEAP SNACK LEAN PLUS NETS"
EDITION = find_edition("10x10")
SECONDS = 3.0
"""Time for each kind of play."""
Case = tuple[Board, Play]


class WordSet(frozenset[str]):
    """A set of words with a name, the least that the referee asks of a word list."""

    name = "the sheets' words"


def sheets_cases() -> tuple[list[Case], Board]:
    """Return the sheets' plays on their boards, and the board after the last."""
    board = Board.empty(EDITION.size)
    cases: list[Case] = []
    for text in SHEETS_GAME:
        play = parse_play(text)
        cases.append((board, play))
        board = board.with_play(play)
    return cases, board


def random_cases(board: Board, number: int) -> list[Case]:
    """Draw tiles in a line, one to five of them, gaps and all."""
    chance = random.Random(1)
    cases: list[Case] = []
    for _ in range(number):
        line, across = chance.randrange(board.size), chance.random() < 0.5
        places = chance.sample(range(board.size), chance.randint(1, 5))
        squares = [SQUARES[line][at] if across else SQUARES[at][line] for at in places]
        cases.append((board, Play(tuple(PlacedTile(square, "E") for square in squares))))
    return cases


def plays_per_second(cases: list[Case], seconds: float) -> float:
    """Return the best rate among rounds over all the cases for about `seconds`."""
    words = WordSet(WORDS.split())
    best, until = 0.0, time.perf_counter() + seconds
    repeats = max(1, 2000 // len(cases))
    while time.perf_counter() < until:
        start = time.process_time()
        for _ in range(repeats):
            for board, play in cases:
                referee(board, play, edition=EDITION, lexicon=words)
        best = max(best, repeats * len(cases) / (time.process_time() - start))
    return best


def time_referee(_: Path) -> Figures:
    """Return plays a second, legal and other."""
    legal, board = sheets_cases()
    return {"legal": plays_per_second(legal, SECONDS), "other": plays_per_second(random_cases(board, 200), SECONDS)}
