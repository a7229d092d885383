"""What a television across the room shows of a game."""

from __future__ import annotations

from dataclasses import dataclass

from webui.views.game.board import BoardView
from webui.views.game.game import GameView
from webui.views.game.players import PlayerView


@dataclass(frozen=True)
class TelevisionView:
    """Totals, whose turn it is or who has won, and the last play: its words and points, or what was done instead."""

    id: int
    players: tuple[PlayerView, ...]
    now: str
    last_by: str
    last_words: str
    last_points: int | None
    asked: bool
    board: BoardView


def view_television(view: GameView) -> TelevisionView:
    """The large view of a game's page."""
    last = view.last
    words = " + ".join(word.word for word in last.words) if last is not None else ""
    played = last is not None and not last.did and not last.taken_back
    return TelevisionView(
        id=view.id,
        players=view.players,
        now=view.result.won if view.result is not None else f"{view.due} to play",
        last_by="" if last is None else last.player,
        last_words="" if last is None else (words or last.did or "no word"),
        last_points=last.points if last is not None and played else None,
        asked=view.look is not None,
        board=view.board,
    )
