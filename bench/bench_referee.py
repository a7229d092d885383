"""How many plays a second the referee validates and scores, on one core.

    python bench/bench_referee.py [--seconds 3]

Legal plays are the turns of the rule sheets' game, each on the board it was played on; other plays are tiles
in a line anywhere on the last of these boards, most of them against several rules. The figure is the best of
the rounds, in processor time, so that other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import random
import time

from engine.board import Board
from engine.editions import edition_named
from engine.play import Play, make_play, parse_play
from engine.rules.referee import referee

SHEETS_GAME = ("c5-MOOD", "f6|EAR", "e6-N.T", "W@c5", "f5|L..P", "e8-SNACK", "h3|PLUS")
WORDS = "MOOD DEAR NET ON WOOD WOOL LEAP SNACK LEAN PLUS NETS"
EDITION = edition_named("10x10")
Case = tuple[Board, Play]


class WordSet(frozenset[str]):
    """A set of words with a name, the least that the referee asks of a word list."""

    name = "the sheets' words"


def sheets_cases() -> tuple[list[Case], Board]:
    """The sheets' plays on their boards, and the board after the last."""
    board = Board.empty(EDITION.size)
    cases: list[Case] = []
    for text in SHEETS_GAME:
        play = parse_play(text)
        cases.append((board, play))
        board = board.with_play(play)
    return cases, board


def random_cases(board: Board, number: int) -> list[Case]:
    """Tiles in a line, one to five of them, gaps and all."""
    chance = random.Random(1)
    cases: list[Case] = []
    for _ in range(number):
        line, across = chance.randrange(board.size), chance.random() < 0.5
        places = chance.sample(range(board.size), chance.randint(1, 5))
        tiles = [(line, at, "E") if across else (at, line, "E") for at in places]
        cases.append((board, make_play(tiles)))
    return cases


def plays_per_second(cases: list[Case], seconds: float) -> float:
    """The best rate among rounds over all the cases for about `seconds`."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each kind of play")
    seconds = parser.parse_args().seconds
    legal, board = sheets_cases()
    print(f"legal plays: {plays_per_second(legal, seconds):,.0f} a second")
    print(f"other plays: {plays_per_second(random_cases(board, 200), seconds):,.0f} a second")


if __name__ == "__main__":
    main()
