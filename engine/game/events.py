"""The events of a game's log.

An event says what happened, never whose turn it was or what it scored: both follow from the log, so that
correcting one event puts right everything after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.errors import GameError, quoted
from engine.play import Play

END_REASONS: tuple[str, ...] = ("out", "stuck", "passes", "agreed")
"""Why a game ended (Rule 11): a player has used all tiles and the pile is empty; nobody can play and the pile
is empty; all have passed; or the players agreed to stop."""


Authority = Literal["list", "table", "rules"]
"""By whose word a challenge is ruled: the word list of the game, the table's own dictionary against it, or the rules of
placing alone, where no word of a play that comes off is at fault."""

_AUTHORITIES: dict[str, Authority] = {"list": "list", "table": "table", "rules": "rules"}


def authority_named(name: str | None) -> Authority | None:
    """The authority of that name, None for None; raises GameError for any other."""
    if name is not None and name not in _AUTHORITIES:
        raise GameError(f"{quoted(name)} does not rule on challenges: use list, table or rules")
    return None if name is None else _AUTHORITIES[name]


@dataclass(frozen=True)
class Drawn:
    """The draw for the first turn: a face for each player, None for one who did not draw."""

    faces: tuple[str | None, ...]


@dataclass(frozen=True)
class RackSeen:
    """The faces on the rack of player number `player` (from 0) become known, all of them."""

    player: int
    faces: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """The player whose turn it is plays."""

    play: Play


@dataclass(frozen=True)
class Passed:
    """The player whose turn it is passes (Rule 9)."""


@dataclass(frozen=True)
class Exchanged:
    """The player whose turn it is puts one tile back and draws one (Rule 10); None: face not known."""

    given: str | None = None
    drawn: str | None = None


@dataclass(frozen=True)
class Challenged:
    """The last word played is challenged (Rule 8) by player number `challenger` (from 0); passes and exchanges since
    do not matter.

    `challenger` is None where nobody says who, as where a player takes a play back. `upheld`: the tiles come off, and
    the player plays again or passes. `authority` says by whose word, None where nobody says.
    """

    challenger: int | None
    upheld: bool
    authority: Authority | None = None


@dataclass(frozen=True)
class TurnGiven:
    """The next turn is that of player number `player` (from 0), whoever was due; play goes round from there."""

    player: int


@dataclass(frozen=True)
class Ended:
    """The game is over; `left` counts the tiles on each player's rack, None to take them as accounted for."""

    reason: str
    left: tuple[int, ...] | None = None


Event: TypeAlias = Drawn | RackSeen | Played | Passed | Exchanged | Challenged | TurnGiven | Ended


@dataclass(frozen=True)
class Undone:
    """The last entry of the log that still stood is taken back."""


@dataclass(frozen=True)
class Redone:
    """The entry that was undone last stands again; not once anything else has been entered since."""


@dataclass(frozen=True)
class Corrected:
    """Event number `at` (from 0) of those that stand is put right.

    It is replaced by `put`, or removed where `put` is None; with `insert`, `put` goes in before it. `also` names other
    events that are put right in the same step, each with what it really was: None removes it. All numbers are those
    before the correction.
    """

    at: int
    put: Event | None
    insert: bool = False
    also: tuple[tuple[int, Event | None], ...] = ()


Entry: TypeAlias = Event | Undone | Redone | Corrected
