"""The result of a game: the winner first, then everybody by points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine import Game
from engine.wording import listed, points_text

_REASONS: Mapping[str, str] = {
    "agreed": "All agreed to stop.",
    "out": "All tiles of a rack were used, and the draw pile was empty.",
    "stuck": "Nobody could play any more.",
    "passes": "Everybody passed.",
}
_SOLO_REASONS: Mapping[str, str] = {**_REASONS, "agreed": "You stopped here.", "out": "All tiles were used."}


@dataclass(frozen=True)
class Ranked:
    """A player's place from 1 (shared by players with the same points), points, tiles left, and what these cost."""

    place: int
    name: str
    total: int
    left: int
    penalty: int


@dataclass(frozen=True)
class ResultView:
    """The result of a game: who won, by how much, why it ended, and the players by points."""

    won: str
    by: str
    reason: str
    ranking: tuple[Ranked, ...]


def view_result(game: Game) -> ResultView | None:
    """Return the result of a game that is over, None while it goes on."""
    end = game.ended
    if end is None:
        return None
    ranking = _ranking(game)
    reasons = _SOLO_REASONS if game.setup.solo else _REASONS
    return ResultView(_won(game), _by(game, ranking), reasons.get(end.reason, ""), ranking)


def _ranking(game: Game) -> tuple[Ranked, ...]:
    assert game.ended is not None
    totals = game.totals
    numbers = dict(zip(game.players, zip(game.ended.left, game.ended.penalties, strict=True), strict=True))
    ahead = {name: _ahead_of(name, game) for name in game.players}
    names = sorted(game.players, key=lambda name: (ahead[name], game.players.index(name)))
    return tuple(Ranked(1 + ahead[name], name, totals[name], *numbers[name]) for name in names)


def _ahead_of(name: str, game: Game) -> int:
    """Return how many players stand before one: winners stand first, then players with more points."""
    if name in game.winners:
        return 0
    totals = game.totals
    return sum(
        other in game.winners or totals[other] > totals[name] for other in game.players if other != name
    )


def _won(game: Game) -> str:
    winners = game.winners
    if game.setup.solo:
        return f"{points_text(game.totals[winners[0]])}"
    if len(winners) == 1:
        return f"{winners[0]} wins"
    return f"{listed(winners)} share the win"


def _by(game: Game, ranking: tuple[Ranked, ...]) -> str:
    if game.setup.solo:
        return ""
    best = ranking[0]
    second = next((each for each in ranking if each.name not in game.winners), None)
    if second is None:
        return f"with {points_text(best.total)} each"
    if second.total == best.total:
        return f"with {points_text(best.total)}, more of them before the tiles left were counted"
    return f"with {points_text(best.total)}, {best.total - second.total} ahead of {second.name}"
