"""What must follow from the distribution: tiles left, and letters that have been played too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from engine.board import Board
from engine.editions import Edition
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
