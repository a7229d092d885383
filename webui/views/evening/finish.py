"""The form for the end of a game: the tiles left on each rack, and the tiles that are missing."""

from __future__ import annotations

from dataclasses import dataclass

from engine.editions import RACK_SIZE
from engine.game.game import Game
from webui.views.game.tiles import tiles_text

END_REASONS = (
    ("agreed", "All agreed to stop"),
    ("out", "A player has used all tiles, and the draw pile is empty"),
    ("stuck", "The draw pile is empty, and nobody can play"),
    ("passes", "All players passed in a row"),
)
SOLO_END_REASONS = (
    ("stuck", "No play and no exchange is possible any more"),
    ("out", "All tiles are used"),
    ("agreed", "I stop here"),
)


@dataclass(frozen=True)
class RackLeft:
    """A player's rack. `counted` is the number of tiles that it holds by the turns, None if that is not known."""

    name: str
    counted: int | None


@dataclass(frozen=True)
class FinishView:
    """The form for the end of a game.

    `penalty` is what each tile left costs. `total` is the set's number of tiles, 0 if it is not known, and `on_board`
    how many of them lie on the board. `missing` lists the others by letter, "" if the set's letters are not known.
    """

    racks: tuple[RackLeft, ...]
    penalty: int
    total: int
    on_board: int
    missing: str
    reasons: tuple[tuple[str, str], ...]
    offered: str

    @property
    def counts(self) -> range:
        """The numbers of tiles that a rack can hold."""
        return range(RACK_SIZE + 1)


def view_finish(game: Game) -> FinishView:
    """Return the form for the end of a game that goes on."""
    offers = game.end_offers()
    setup = game.setup
    free = setup.solo and not setup.rules.solo_leftover_penalty
    left = game.tiles_left()
    return FinishView(
        racks=tuple(
            RackLeft(name, rack.size) for name, rack in zip(game.players, game.state.racks, strict=True)
        ),
        penalty=0 if free else setup.rules.leftover_penalty,
        total=setup.edition.tile_total,
        on_board=game.board.tile_count(),
        missing="" if left is None else tiles_text(left),
        reasons=SOLO_END_REASONS if setup.solo else END_REASONS,
        offered=offers[0].reason if offers else "agreed",
    )
