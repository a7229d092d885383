"""Measure the advice: matches of a player who takes it against one who always takes the most points.

python -m workshop.bench.advice --games 200       as many games on each board; who begins takes turns
python -m workshop.bench.advice --worth           what each tile adds to a rack's best play
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import sqrt
from random import Random
from time import process_time

import numpy as np

from engine import EDITIONS, FACES, Board, Edition, Lexicon
from engine.solver.advice import Adviser
from engine.solver.plays import ScoredPlay
from engine.solver.search import legal_plays
from upscore.words.loader import load_lexicon
from workshop.bench.speed.solver import positions

BOARDS = ("8x8", "10x10")


@dataclass
class Table:
    """A game of two under way: the tiles to draw, the racks and the points."""

    edition: Edition
    words: Lexicon
    random: Random
    bag: list[str]
    racks: tuple[list[str], list[str]]
    board: Board
    points: list[int]

    def turn(self, player: int, *, advised: bool) -> bool:
        """Play a turn; return False for a pass. Who has no play exchanges a tile while there is a pile."""
        rack = self.racks[player]
        plays = legal_plays(self.board, rack, edition=self.edition, lexicon=self.words)
        play, given = (plays[0] if plays else None), None
        if advised:
            unseen = self.bag + self.racks[1 - player]
            adviser = Adviser(self.board, rack, unseen, edition=self.edition, lexicon=self.words)
            choice = adviser.advise(plays)[0]
            play, given = choice.play, choice.given
        if play is None and not plays and self.bag:
            given = given or self.random.choice(rack)
        if play is not None:
            self._put(player, play)
        elif given is not None:
            rack.remove(given)
            rack.append(self.bag.pop(0))
            self.bag.insert(self.random.randrange(len(self.bag) + 1), given)
        return play is not None or given is not None

    def _put(self, player: int, play: ScoredPlay) -> None:
        rack = self.racks[player]
        self.board = self.board.with_play(play.play)
        self.points[player] += play.points
        for face in play.play.faces:
            rack.remove(face)
        drawn = self.edition.rack_size - len(rack)
        rack += self.bag[:drawn]
        del self.bag[:drawn]


def lead(edition: Edition, words: Lexicon, seed: int, adviser: int) -> tuple[int, float, int]:
    """Play a game; return the advised player's lead at the end, the seconds of their turns, and how many these were."""
    random = Random(seed)
    bag = [face for face, count in (edition.distribution or {}).items() for _ in range(count)]
    random.shuffle(bag)
    full = edition.rack_size
    racks = (bag[:full], bag[full : 2 * full])
    table = Table(edition, words, random, bag[2 * full :], racks, Board.empty(edition.size), [0, 0])
    player, passes, seconds, turns = 0, 0, 0.0, 0
    while passes < 2 and all(racks):
        start = process_time()
        passes = 0 if table.turn(player, advised=player == adviser) else passes + 1
        if player == adviser:
            seconds, turns = seconds + process_time() - start, turns + 1
        player = 1 - player
    totals = [points - 5 * len(rack) for points, rack in zip(table.points, racks, strict=True)]
    return totals[adviser] - totals[1 - adviser], seconds, turns


def match(board: str, games: int, words: Lexicon) -> list[tuple[int, float, int]]:
    """Play a match on a board, each deal twice, with the places swapped; print how it ended."""
    results = [lead(EDITIONS[board], words, game // 2, game % 2) for game in range(games)]
    print(f"{board}: {summary(results)}", flush=True)
    return results


def summary(results: list[tuple[int, float, int]]) -> str:
    """Return the share of games won with its 95 % interval, the mean lead, and the seconds a decision."""
    leads = np.array([result[0] for result in results])
    won = float(np.mean((leads > 0) + 0.5 * (leads == 0)))
    wide = 1.96 * sqrt(won * (1 - won) / len(leads))
    seconds = sum(result[1] for result in results) / sum(result[2] for result in results)
    return (
        f"won {100 * won:.1f} % ± {100 * wide:.1f} of {len(leads)} games, "
        f"{leads.mean():+.1f} points a game, {seconds:.3f} s a decision"
    )


def tile_worth(edition: Edition, games: int, words: Lexicon) -> dict[str, float]:
    """Fit the points of the best play to the tiles of its rack; return each letter's part above the average tile's.

    "twin" is the part of every further tile of a letter.
    """
    rows, points = [], []
    for board, rack in positions(edition, games, words):
        plays = legal_plays(board, rack, edition=edition, lexicon=words)
        rows.append([*(rack.count(face) for face in FACES), edition.rack_size - len(set(rack))])
        points.append(plays[0].points if plays else 0)
    *parts, twin = np.linalg.lstsq(np.array(rows, float), np.array(points, float), rcond=None)[0]
    counts = [(edition.distribution or {})[face] for face in FACES]
    average = float(np.average(parts, weights=counts))
    return {face: round(part - average, 1) for face, part in zip(FACES, parts, strict=True)} | {"twin": round(twin, 1)}


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=0, metavar="N", help="games on each board")
    parser.add_argument("--worth", action="store_true", help="what tiles are worth, by 100 games on each board")
    args, words = parser.parse_args(), load_lexicon()
    if args.worth:
        for board in BOARDS:
            print(f"{board}: {tile_worth(EDITIONS[board], 100, words)}", flush=True)
    if args.games:
        results = [result for board in BOARDS for result in match(board, args.games, words)]
        print(f"both: {summary(results)}")


if __name__ == "__main__":
    main()
