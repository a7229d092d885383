"""The form for the end of a game: what each rack may hold still, and what is not accounted for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.editions import RACK_SIZE
from engine.game.game import Game
from webui.views.game.tiles import in_words

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
    """A player's rack: how many tiles it must hold by the turns, None where that is not known."""

    name: str
    counted: int | None


@dataclass(frozen=True)
class FinishView:
    """What the form shows.

    `penalty` is what a tile left costs. `total` is the set's number of tiles, 0 where it is not known, `on_board` how
    many lie on the board; `missing` lists the tiles that do not, by letter, "" where the letters are not known.
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
        """How many tiles a rack can hold."""
        return range(RACK_SIZE + 1)


def view_finish(game: Game) -> FinishView:
    """The form for the end of a game that goes on."""
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
        missing="" if left is None else in_words(left),
        reasons=SOLO_END_REASONS if setup.solo else END_REASONS,
        offered=offers[0].reason if offers else "agreed",
    )
