"""Tiles that no camera sees: those that are left of a set, on racks and in the draw pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.board import Board
from engine.editions import Edition
from engine.errors import RulesError
from engine.wording import phrase

_ORDINALS = (
    phrase("first"), phrase("second"), phrase("third"), phrase("fourth"), phrase("fifth"), phrase("sixth"),
    phrase("seventh"), phrase("eighth"), phrase("ninth"), phrase("tenth"),
)  # fmt: skip


def count_tiles_left(edition: Edition, board: Board, elsewhere: Iterable[str] = ()) -> Counter[str] | None:
    """Count by face the tiles that are neither on the board nor `elsewhere`; None if the distribution is unknown.

    A face that came up too often counts as none left.
    """
    if edition.distribution is None:
        return None
    used = board.counts()
    used.update(elsewhere)
    return Counter(edition.distribution) - used


def count_unplayed(edition: Edition, board: Board) -> int | None:
    """Return the number of tiles that are not on the board, None if the set's number of tiles is unknown."""
    return max(0, edition.tile_total - board.tile_count()) if edition.tile_total else None


def excess_letters(edition: Edition, counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return a sentence for each face that `counts` has more often than the edition, if its tiles are known."""
    if edition.distribution is None:
        return ()
    return tuple(
        phrase(
            "%(count)s %(face)s tiles where the %(name)s set has %(usual)s: one was misread, or the set is mixed",
            count=counts[face],
            face=face,
            name=edition.name,
            usual=edition.distribution[face],
        )
        for face in edition.alphabet.faces
        if counts.get(face, 0) > edition.distribution[face]
    )


def excess_of_play(edition: Edition, before: Mapping[str, int], played: Iterable[str]) -> tuple[str, ...]:
    """Return a sentence for each face of a play of which the set has no tile left.

    `before` counts the faces on the board and on other racks.
    """
    if edition.distribution is None:
        return ()
    lines: list[str] = []
    for face, count in Counter(played).items():
        number = before.get(face, 0) + count
        allowed = edition.distribution[face]
        if number > allowed:
            lines.append(
                phrase(
                    "this is the %(ordinal)s %(face)s, and the %(name)s set has %(allowed)s: one was misread, or "
                    "the set is mixed",
                    ordinal=ordinal(number),
                    face=face,
                    name=edition.name,
                    allowed=allowed,
                )
            )
    return tuple(lines)


def ordinal(number: int) -> str:
    """Write a number's place in words, 8 as ``"eighth"``, and from eleven on in figures, ``"11th"``."""
    if 0 < number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    last = number % 10 if number % 100 not in (11, 12, 13) else 0
    if last == 1:
        return phrase("%(number)sst", number=number)
    if last == 2:
        return phrase("%(number)snd", number=number)
    return phrase("%(number)srd", number=number) if last == 3 else phrase("%(number)sth", number=number)


@dataclass(frozen=True)
class Rack:
    """A rack: its known faces, and how many other tiles it holds, None if that is unknown."""

    known: tuple[str, ...] = ()
    hidden: int | None = None

    def __post_init__(self) -> None:
        if self.hidden is not None and self.hidden < 0:
            raise RulesError(phrase("a rack cannot hold %(hidden)s tiles besides those known", hidden=self.hidden))

    @property
    def size(self) -> int | None:
        """The number of tiles on the rack, None if it is unknown."""
        return None if self.hidden is None else len(self.known) + self.hidden

    def missing(self, faces: Iterable[str]) -> tuple[str, ...]:
        """Return the `faces` that the rack can't hold: neither known nor among its unknown tiles."""
        if self.hidden is None:
            return ()
        unknown = Counter(faces) - Counter(self.known)
        return tuple(unknown.elements())[self.hidden :]

    def without(self, faces: Sequence[str]) -> Rack:
        """Return the rack without `faces`; if it can't have held them, forget everything known about it."""
        if self.missing(faces):
            return self.without_unknown(len(faces))
        known = Counter(self.known) - Counter(faces)
        if self.hidden is None:
            return Rack(tuple(known.elements()), None)
        from_hidden = len(faces) - (len(self.known) - known.total())
        return Rack(tuple(known.elements()), self.hidden - from_hidden)

    def without_unknown(self, number: int) -> Rack:
        """Return the rack after `number` unknown tiles have left it: no face is known any more."""
        return Rack((), None if self.size is None else max(0, self.size - number))

    def with_hidden(self, number: int) -> Rack:
        """Return the rack with `number` more tiles whose faces are unknown."""
        return self if self.hidden is None else Rack(self.known, self.hidden + number)


def refill(edition: Edition, rack: Rack, pile: int | None) -> tuple[Rack, int | None]:
    """Draw a rack full from the pile; return the rack and the rest of the pile, None for an unknown pile."""
    if rack.size is None:
        return rack, pile
    if pile is None:
        return Rack(rack.known, None), None
    taken = max(0, min(edition.rack_size - rack.size, pile))
    return rack.with_hidden(taken), pile - taken


def whole_rack_size(edition: Edition, shown: int, unplayed: int | None, players: int) -> int:
    """Return how many tiles a player holds who shows `shown` of them.

    `unplayed` counts the tiles that are not on the board. If they are more than the players' racks can hold, the pile
    isn't empty, and the rack is full. Otherwise, or if `unplayed` is unknown, the tiles shown count as the whole rack.
    """
    full = edition.rack_size
    return shown if unplayed is None or unplayed <= full * players else full


def first_racks(edition: Edition, players: int, on_board: int) -> tuple[tuple[Rack, ...], int | None]:
    """Return the racks and the pile at the start of a game with `on_board` tiles already on the board.

    Racks are full if there are enough tiles for all players. If not, the pile is empty, and nobody knows who holds how
    many. Everything is unknown for a set whose number of tiles is unknown.
    """
    if not edition.tile_total:
        return (Rack(),) * players, None
    left, full = edition.tile_total - on_board, edition.rack_size
    if left >= full * players:
        return (Rack(hidden=full),) * players, left - full * players
    return (Rack(),) * players, 0
