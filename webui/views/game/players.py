"""The view of the players in the strip on top of a game's page."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game.game import Game


@dataclass(frozen=True)
class PlayerView:
    """A player in the strip on top. `turn` highlights the player whose turn it is, or who won.

    `state` says "to play", "wins" or the like, "" for nothing.
    """

    name: str
    total: int
    turn: bool
    state: str


def view_players(game: Game) -> tuple[PlayerView, ...]:
    """Return the players in their order, each with the state of the game for them."""
    totals, winners, current = game.totals, game.winners, game.current_player
    views = []
    for name in game.players:
        state = "to play" if name == current else ""
        if game.setup.solo and game.ended:
            state = "finished"
        elif name in winners:
            state = "wins" if len(winners) == 1 else "joint winner"
        views.append(PlayerView(name, totals[name], name == current or name in winners, state))
    return tuple(views)
