"""What must follow from the distribution: tiles left, and letters that have been played too often.

Racks and the draw pile, as far as the table knows them: a camera sees neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.board import Board
from engine.editions import MAX_PLAYERS, RACK_SIZE, Edition
from engine.errors import RulesError
from engine.faces import FACES

_ORDINALS = (
    "",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def tiles_left(edition: Edition, board: Board, seen: Iterable[str] = ()) -> Counter[str] | None:
    """The tiles that are neither on the board nor among those `seen` elsewhere, by face.

    None where the distribution is not known. A face that has come up too often counts as none left.
    """
    if edition.distribution is None:
        return None
    gone = board.counts()
    gone.update(seen)
    return Counter(edition.distribution) - gone


def unplayed_count(edition: Edition, board: Board) -> int | None:
    """The number of tiles that are not on the board, None where the set's number of tiles is not known."""
    return max(0, edition.tile_total - board.tile_count()) if edition.tile_total else None


def excess_letters(edition: Edition, counts: Mapping[str, int]) -> tuple[str, ...]:
    """A sentence for each face that `counts` has more often than the edition has tiles for it.

    Nothing where the distribution is not known.
    """
    if edition.distribution is None:
        return ()
    return tuple(
        f"{counts[face]} {face} tiles where the {edition.name} set has {edition.distribution[face]}: "
        "one was misread, or the set is mixed"
        for face in FACES
        if counts.get(face, 0) > edition.distribution[face]
    )


def excess_of_play(edition: Edition, before: Mapping[str, int], played: Iterable[str]) -> tuple[str, ...]:
    """A sentence for each face of a play that the set can't have any more.

    `before` counts the faces known to be elsewhere: on the board, and on other racks.
    """
    if edition.distribution is None:
        return ()
    lines: list[str] = []
    for face, count in Counter(played).items():
        number = before.get(face, 0) + count
        allowed = edition.distribution[face]
        if number > allowed:
            lines.append(
                f"this is the {ordinal(number)} {face}, and the {edition.name} set has {allowed}: "
                "one was misread, or the set is mixed"
            )
    return tuple(lines)


def ordinal(number: int) -> str:
    """The number's place in words: 8 gives ``"eighth"``; from eleven on in figures, ``"11th"``."""
    if 0 < number < len(_ORDINALS):
        return _ORDINALS[number]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


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
