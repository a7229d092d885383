"""The chance to win as a game goes on, and the turns that changed it most."""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, sqrt

from engine.game.game import Game
from engine.game.records import TurnRecord
from engine.tiles import count_unplayed

_SPREAD = 7.0
"""Standard deviation of the change of a lead until the end, in points, for one tile that is still to be played; it
grows with the square root of their number. [by hand, 50 games of the best plays on 8x8 and 10x10]"""

_TURN_AHEAD = 9.0
"""Points that it is worth to be the next to play, half a turn's. [by hand, the same games]"""

MAX_TURNING_POINTS = 3
LEAST_CHANGE = 0.1
"""A turn that changes its player's chance by less is no turning point. [by eye]"""


@dataclass(frozen=True)
class TurningPoint:
    """A turn that changed its player's chance to win, from `before` to `after`."""

    record: TurnRecord
    before: float
    after: float


def chances(game: Game) -> tuple[tuple[float, ...], ...]:
    """Return every player's chance to win at the start and after each turn, or nothing if it can't be estimated.

    It depends on the points, the tiles still to be played and who plays next, not on the racks. It can't be estimated
    for a game of one player, or with a set of unknown size. The last turn of a game that is over leaves 1 for the
    winner.
    """
    rows = _estimates(game)
    if rows and game.ended is not None:
        rows[-1] = tuple((name in game.winners) / len(game.winners) for name in game.players)
    return tuple(rows)


def _estimates(game: Game) -> list[tuple[float, ...]]:
    edition = game.setup.edition
    if game.setup.solo or not edition.tile_total:
        return []
    points = list(game.setup.scores)
    rows = []
    for at in range(len(game.turns) + 1):
        due = game.setup.first
        if at:
            record = game.turns[at - 1]
            mover = game.players.index(record.player)
            points[mover] += record.points
            due = mover if record.taken_back else (mover + 1) % len(points)
        rows.append(_chances(points, due, count_unplayed(edition, game.board_after(at)) or 0))
    return rows


def _chances(points: list[int], due: int, unplayed: int) -> tuple[float, ...]:
    """Return each player's chance against the best of the others, all together 1."""
    ahead = [score + (_TURN_AHEAD if player == due and unplayed else 0) for player, score in enumerate(points)]
    spread = _SPREAD * sqrt(max(unplayed, 1))
    odds = []
    for player, score in enumerate(ahead):
        lead = score - max(ahead[:player] + ahead[player + 1 :])
        odds.append(max(1e-6, 0.5 + 0.5 * erf(lead / spread / sqrt(2))))
    return tuple(each / sum(odds) for each in odds)


def turning_points(game: Game) -> tuple[TurningPoint, ...]:
    """Return the turns that changed their player's chance most, in the order in which they were made."""
    rows = _estimates(game)
    points = []
    for record, before, after in zip(game.turns, rows, rows[1:], strict=False):
        player = game.players.index(record.player)
        points.append(TurningPoint(record, before[player], after[player]))
    large = [point for point in points if abs(point.after - point.before) >= LEAST_CHANGE]
    most = sorted(large, key=lambda point: -abs(point.after - point.before))[:MAX_TURNING_POINTS]
    return tuple(sorted(most, key=lambda point: point.record.event))
