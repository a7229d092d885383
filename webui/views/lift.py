"""The view of tiles that came off the scoresheet and have to be lifted off the board."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Game, Play, square_name
from engine.errors import PositionError
from vision.turn.withdrawn import names_of
from webui.table.games import OpenGame
from webui.table.intake import next_up
from webui.views.board import BoardView, view_board


@dataclass(frozen=True)
class LiftView:
    """The tiles to lift, each a face with its square. `text` names them, `board` shows them where they lay.

    `seen` says that the newest photograph still shows them. `next_up` says who is next once they are off.
    """

    tiles: tuple[tuple[str, str], ...]
    text: str
    board: BoardView
    seen: bool
    next_up: str

    @property
    def headline(self) -> str:
        """What to do with the tiles, in a few words."""
        return "Still on the board" if self.seen else "Take off the board"


def view_lift(opened: OpenGame) -> LiftView | None:
    """Return the tiles to lift now, None for none.

    A game that is over asks for nothing: no play will go on top of these tiles. Once another turn is entered, the page
    shows the tiles only if a photograph still does. Upscore watches for them anyway.
    """
    if opened.game.ended is not None:
        return None
    tiles = opened.to_lift
    seen = opened.question is not None and opened.question.lying is not None
    if tiles is None or not (seen or opened.game.state.again is not None):
        return None
    return LiftView(
        tiles=tuple((tile.face, square_name(tile.square)) for tile in tiles.tiles),
        text=names_of(tiles),
        board=lift_board(opened.game, tiles),
        seen=seen,
        next_up=next_up(opened.game),
    )


def lift_board(game: Game, tiles: Play) -> BoardView:
    """Return the board with the tiles to lift still on it, marked."""
    try:
        return view_board(game.board.with_play(tiles), lift=tiles.squares)
    except PositionError:
        return view_board(game.board)
