"""The events of a game's log.

An event says what happened, never whose turn it was or what it scored. Both follow from the log, so correcting one
event also corrects everything after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.board import Board
from engine.errors import GameError, quote
from engine.play import PlacedTile, Play
from engine.wording import phrase

END_REASONS: tuple[str, ...] = ("out", "stuck", "passes", "agreed")
"""Why a game ended (Rule 11).

"out": a player has used all tiles and the pile is empty. "stuck": nobody can play and the pile is empty. "passes": all
have passed. "agreed": the players agreed to stop.
"""


Authority = Literal["list", "table", "rules"]
"""Who rules on a challenge.

"list": the word list of the game. "table": the table's own dictionary, against the list. "rules": the rules of placing
alone, where a play comes off though all its words are good.
"""

_AUTHORITIES: dict[str | None, Authority | None] = {None: None, "list": "list", "table": "table", "rules": "rules"}


def find_authority(name: str | None) -> Authority | None:
    """Return the authority of that name, None for None; raise GameError for any other name."""
    if name not in _AUTHORITIES:
        raise GameError(phrase("%(name)s does not rule on challenges: use list, table or rules", name=quote(name)))
    return _AUTHORITIES[name]


@dataclass(frozen=True)
class Drawn:
    """The draw for the first turn: a face for each player, None for one who did not draw."""

    faces: tuple[str | None, ...]


@dataclass(frozen=True)
class RackSeen:
    """The faces on the rack of player number `player` (from 0), all of them."""

    player: int
    faces: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """A play by the player whose turn it is."""

    play: Play


@dataclass(frozen=True)
class Passed:
    """A pass by the player whose turn it is (Rule 9)."""


@dataclass(frozen=True)
class Exchanged:
    """An exchange by the player whose turn it is: one tile is put back, one drawn (Rule 10), None if unknown."""

    given: str | None = None
    drawn: str | None = None


@dataclass(frozen=True)
class Challenged:
    """A challenge of the last word played (Rule 8), even if players passed or exchanged since.

    `challenger` is a player's number (from 0), None if nobody says who, as when a player takes a play back. If
    `upheld`, the tiles come off, and their player plays again or passes. `authority` says who ruled, None if nobody
    says.
    """

    challenger: int | None
    upheld: bool
    authority: Authority | None = None


@dataclass(frozen=True)
class TurnGiven:
    """The decision that player number `player` (from 0) has the next turn. Play goes round from there."""

    player: int


@dataclass(frozen=True)
class BoardTaken:
    """The board as it lies, taken as the game's board because the turns before it are unknown; all totals stay.

    `tiles` are all that lie there, those of a stack from bottom to top. Player number `player` (from 0) has the next
    turn.
    """

    tiles: Play
    player: int

    @classmethod
    def of(cls, board: Board, player: int) -> BoardTaken:
        """Return the event of taking this board."""
        stacks = (PlacedTile(square, face) for square in board.list_occupied() for face in board.stack(square))
        return cls(Play(tuple(stacks)), player)


@dataclass(frozen=True)
class Ended:
    """The end of the game; `left` counts the tiles on each rack, None for the counts that follow from the log."""

    reason: str
    left: tuple[int, ...] | None = None


Event: TypeAlias = Drawn | RackSeen | Played | Passed | Exchanged | Challenged | TurnGiven | BoardTaken | Ended


@dataclass(frozen=True)
class Undone:
    """The undoing of the log's last entry that still stood."""


@dataclass(frozen=True)
class Redone:
    """The return of the entry that was undone last, if nothing else was entered since."""


@dataclass(frozen=True)
class Corrected:
    """A correction of event number `at` (from 0) of those that stand.

    `put` replaces the event, or removes it where `put` is None; with `insert`, `put` goes in before it. `also` lists
    other events that the same step corrects, each with what it really was, None to remove it. All numbers are those
    before the correction.
    """

    at: int
    put: Event | None
    insert: bool = False
    also: tuple[tuple[int, Event | None], ...] = ()


Entry: TypeAlias = Event | Undone | Redone | Corrected
