"""The replay of a game: the board after each turn, its photograph, and what was played."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from engine import Game
from webui.storage.database import PhotoRow
from webui.views.board import BoardView, view_board
from webui.views.game import PhotoView, board_before, view_photo
from webui.views.relief import Board3DView, view_board_3d
from webui.views.sheet import TurnView, view_turns


@dataclass(frozen=True)
class StepView:
    """A step of the replay: the board after the turn on line `at` of the sheet, or at the start for 0.

    `totals` are the players' points so far.
    """

    at: int
    last: int
    sentence: str
    turn: TurnView | None
    totals: tuple[tuple[str, int], ...]
    board: BoardView
    board_3d: Board3DView
    photo: PhotoView | None


def view_step(
    game: Game, at: int, photos: Mapping[int, PhotoRow], kinds: Callable[[str], Collection[str]]
) -> StepView:
    """Return step `at` of a game, or the nearest one. `kinds` returns which pictures a photograph's key has."""
    last = len(game.turns)
    at = min(max(at, 0), last)
    record = game.turns[at - 1] if at else None
    new = (
        record.play.squares
        if record is not None and record.play is not None and not record.taken_back
        else ()
    )
    board = board_before(game, at + 1)
    turns = view_turns(game, photos)
    turn = turns[at - 1] if at else None
    totals = dict(zip(game.players, game.setup.scores, strict=True))
    totals |= {each.player: each.total for each in turns[:at]}
    return StepView(
        at=at,
        last=last,
        sentence=turn.sentence if turn is not None else "The board at the start.",
        turn=turn,
        totals=tuple(totals.items()),
        board=view_board(board, new=new),
        board_3d=view_board_3d(board, new),
        photo=view_photo(photos[at].key, record.number if record else 0, kinds) if at in photos else None,
    )
