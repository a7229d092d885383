"""What the solver is tested against: every play there is, one after another, put to the referee."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from random import Random

from engine import (
    EDITIONS,
    FACES,
    MAX_HEIGHT,
    SHEET_RULES,
    Board,
    Edition,
    HouseRules,
    Lexicon,
    PlacedTile,
    Play,
    Square,
    referee,
)
from engine.formats.notation import parse_diagram
from engine.solver.search import legal_plays
from upscore.words.loader import load_lexicon

AFTER_THE_EXAMPLES = parse_diagram(
    """
    .  . . . . .   . . . .
    .  . . . . .   . . . .
    .  . . . . .   . P . .
    .  . . . . .   . L . .
    .  . MW O O DL . U . .
    .  . . . N E   T S . .
    .  . . . . A   . . . .
    .  . . . S RPN A C K .
    .  . . . . .   . . . .
    .  . . . . .   . . . .
    """
)
"""A crowded 10x10 board, with stacks of two and three."""


@cache
def standard() -> Lexicon:
    return load_lexicon("standard")


def every_play(size: int, rack: Sequence[str]) -> Iterator[Play]:
    """Yield each way to put tiles of the rack on squares of one row or column, each set of tiles once."""
    lines = [[Square(row, col) for col in range(size)] for row in range(size)]
    lines += [[Square(row, col) for row in range(size)] for col in range(size)]
    seen: set[Play] = set()
    for line in lines:
        for count in range(1, len(rack) + 1):
            for squares in combinations(line, count):
                for faces in set(permutations(rack, count)):
                    play = Play(tuple(map(PlacedTile, squares, faces)))
                    if play not in seen:
                        seen.add(play)
                        yield play


def brute_force(
    board: Board, rack: Sequence[str], edition: Edition, lexicon: Lexicon, rules: HouseRules = SHEET_RULES
) -> dict[Play, int]:
    """Return the legal plays and their points, by asking the referee about every play."""
    points: dict[Play, int] = {}
    for play in every_play(board.size, rack):
        verdict = referee(board, play, edition=edition, lexicon=lexicon, rules=rules, rack_size=len(rack))
        if verdict.legal:
            points[play] = verdict.points
    return points


def play_board(edition: Edition, turns: int, random: Random) -> Board:
    """Return a board after this many turns of a game, each a play from the better half."""
    distribution = edition.distribution or {}
    bag = [face for face, count in distribution.items() for _ in range(count)]
    random.shuffle(bag)
    board = Board.empty(edition.size)
    for _ in range(turns):
        plays = legal_plays(board, bag[:7], edition=edition, lexicon=standard())
        if not plays:
            break
        play = random.choice(plays[: len(plays) // 2 + 1]).play
        board = board.with_play(play)
        for tile in play.tiles:
            bag.remove(tile.face)
    return board


def pile_board(board: Board, random: Random) -> Board:
    """Return the board with more tiles on its stacks, up to five high, whatever words that makes."""
    rows = [[list(stack) for stack in row] for row in board.stacks]
    for row in rows:
        for stack in row:
            while stack and len(stack) < MAX_HEIGHT and random.random() < 0.4:
                stack.append(random.choice([face for face in FACES if face != stack[-1]]))
    return Board.of(rows)


def some_edition(random: Random) -> Edition:
    return EDITIONS[random.choice(("8x8", "10x10"))]
