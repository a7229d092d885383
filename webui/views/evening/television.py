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
    """The totals, whose turn it is or who won, and the latest event: the table's ruling, or else the last turn.

    `lift` are the tiles to lift off the board, None for none. `asked` says that a question waits.
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
    """Return the view for a television, made from the view of the game's page."""
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
