"""Racks and the draw pile, as far as the table knows them: a camera sees neither."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.editions import MAX_PLAYERS, RACK_SIZE, Edition
from engine.errors import RulesError


@dataclass(frozen=True)
class Rack:
    """A rack: the faces known to be on it, and the number of tiles besides, None where that is not known."""

    known: tuple[str, ...] = ()
    hidden: int | None = None

    def __post_init__(self) -> None:
        if self.hidden is not None and self.hidden < 0:
            raise RulesError(f"a rack cannot hold {self.hidden} tiles besides those known")

    @property
    def size(self) -> int | None:
        """The number of tiles on the rack, None where it is not known."""
        return None if self.hidden is None else len(self.known) + self.hidden

    def missing(self, faces: Iterable[str]) -> tuple[str, ...]:
        """Those among `faces` that the rack can't hold: not known to be on it, and no unknown tile left."""
        if self.hidden is None:
            return ()
        unknown = Counter(faces) - Counter(self.known)
        return tuple(unknown.elements())[self.hidden :]

    def without(self, faces: Sequence[str]) -> Rack:
        """The rack after `faces` have left it; if it can't have held them, nothing known of it holds."""
        if self.missing(faces):
            return self.forgotten(len(faces))
        known = Counter(self.known) - Counter(faces)
        if self.hidden is None:
            return Rack(tuple(known.elements()), None)
        from_hidden = len(faces) - (len(self.known) - known.total())
        return Rack(tuple(known.elements()), self.hidden - from_hidden)

    def forgotten(self, number: int) -> Rack:
        """The rack after some tiles have left it and nobody knows which: no face on it is known any more."""
        return Rack((), None if self.size is None else max(0, self.size - number))

    def with_known(self, face: str) -> Rack:
        """The rack with one more tile whose face is known."""
        return Rack((*self.known, face), self.hidden)

    def with_hidden(self, number: int) -> Rack:
        """The rack with more tiles whose faces are not known."""
        return self if self.hidden is None else Rack(self.known, self.hidden + number)


def refilled(rack: Rack, pile: int | None) -> tuple[Rack, int | None]:
    """The rack drawn full again from the pile, and what is left there; None for a pile that is not known."""
    if rack.size is None:
        return rack, pile
    if pile is None:
        return Rack(rack.known, None), None
    drawn = max(0, min(RACK_SIZE - rack.size, pile))
    return rack.with_hidden(drawn), pile - drawn


def whole_rack_size(shown: int, unplayed: int | None, players: int = MAX_PLAYERS) -> int:
    """How many tiles a player holds who shows so many of them: a rack is short only once the pile is empty.

    `unplayed` counts the tiles that are not on the board. Where that is not known, and where they may all be on the
    racks of so many players, the tiles shown are taken for the whole rack.
    """
    return shown if unplayed is None or unplayed <= RACK_SIZE * players else RACK_SIZE


def first_racks(edition: Edition, players: int, on_board: int) -> tuple[tuple[Rack, ...], int | None]:
    """Racks and pile at the start of a game, `on_board` tiles lying there already.

    Racks are full as long as the tiles go round; after that nobody knows who holds how many, and the pile is
    empty. Nothing is known of a set whose number of tiles is not.
    """
    if not edition.tile_total:
        return (Rack(),) * players, None
    left = edition.tile_total - on_board
    if left >= RACK_SIZE * players:
        return (Rack(hidden=RACK_SIZE),) * players, left - RACK_SIZE * players
    return (Rack(),) * players, 0
