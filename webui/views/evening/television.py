"""The view of a game for a television across the room."""

from __future__ import annotations

from dataclasses import dataclass

from webui.views.game.board import BoardView
from webui.views.game.challenge import RulingView
from webui.views.game.game import GameView
from webui.views.game.lift import LiftView
from webui.views.game.players import PlayerView
from webui.views.game.sheet import TurnView


@dataclass(frozen=True)
class TelevisionView:
    """The totals, whose turn it is or who has won, and what happened last: the table's ruling, or else the last turn.

    `lift` are tiles to lift off the board, None for none.
    """

    id: int
    players: tuple[PlayerView, ...]
    now: str
    ruling: RulingView | None
    last: TurnView | None
    lift: LiftView | None
    asked: bool
    board: BoardView


def view_television(view: GameView) -> TelevisionView:
    """Return the large view of a game's page."""
    return TelevisionView(
        id=view.id,
        players=view.players,
        now=view.result.won if view.result is not None else f"{view.due} to play",
        ruling=view.ruling,
        last=view.last if view.ruling is None else None,
        lift=view.lift,
        asked=view.look is not None,
        board=view.board,
    )
