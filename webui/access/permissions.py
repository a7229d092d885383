"""Roles, the permissions that routes need, and the size of the bodies that they take."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TypeVar

from webui.access.sessions import Seat, Session
from webui.errors import Refused


class Role(IntEnum):
    """The rights of a device. Each role has those of the roles before it."""

    VIEWER = 1
    SCORER = 2
    KEEPER = 3


class Permission(Enum):
    """The permission that a route needs.

    Routes not marked by `needs` need WATCH for a method that reads, SCORE for one that changes something.
    """

    NONE = "nothing: how one gets in"
    WATCH = "a device that was let in"
    PLAY = "who keeps the score of this game, or a player's own device; the route checks what that may do"
    SCORE = "who keeps the score of this game, or, where the address names none, of all"
    BEGIN = "who keeps the score of any game"
    KEEP = "who started the page, or a device of theirs"
    SIT = "who sits at the computer"


FORM_BYTES = 500_000
"""Bytes that a body may have unless `takes` says otherwise. Forms and calls have a few hundred. [by eye]"""
STRANGER_BYTES = 4_000
"""Bytes that a stranger's body may have: a PIN, a name and an address. [by eye]"""
_PERMISSION_KEY = "needed_permission"
_BYTES_KEY = "max_body_bytes"
_READING_METHODS = ("GET", "HEAD", "OPTIONS")

View = TypeVar("View", bound=Callable[..., object])


def needs(permission: Permission) -> Callable[[View], View]:
    """Mark a route with the permission that it needs, if the method does not tell."""

    return _marked(_PERMISSION_KEY, permission)


def needed_permission(view: Callable[..., object] | None, method: str) -> Permission:
    """Return the permission that a route needs for a method. `view` is None for an unknown address."""
    usual = Permission.WATCH if method in _READING_METHODS else Permission.SCORE
    marked = getattr(view, _PERMISSION_KEY, usual)
    assert isinstance(marked, Permission)
    return marked


def takes(most: int | None = None) -> Callable[[View], View]:
    """Mark a route that takes a longer body: up to `most` bytes, or None for the size of a photograph."""

    return _marked(_BYTES_KEY, most)


def _marked(key: str, value: object) -> Callable[[View], View]:
    def mark(view: View) -> View:
        setattr(view, key, value)
        return view

    return mark


def max_body_bytes(view: Callable[..., object] | None, photograph: int) -> int:
    """Return how many bytes a route's body may have; `photograph` is the limit for one with a photograph."""
    most = getattr(view, _BYTES_KEY, FORM_BYTES)
    return photograph if most is None else int(most)


@dataclass(frozen=True)
class Principal:
    """Whoever asks: somebody at the computer itself, on a device that was let in, or a stranger.

    `was_ended` marks a stranger whose device was let in once and then sent out.
    """

    at_computer: bool = False
    session: Session | None = None
    was_ended: bool = False

    @property
    def role(self) -> Role | None:
        """The role; None for a stranger."""
        if self.at_computer:
            return Role.KEEPER
        return None if self.session is None else Role(self.session.role)

    @property
    def keeps(self) -> bool:
        """Whether this person keeps the page, with its devices, codes and PIN."""
        return self.role is Role.KEEPER

    @property
    def begins(self) -> bool:
        """Whether this person may begin games."""
        return self.role is not None and self.role >= Role.SCORER

    def scores(self, game_id: int | None) -> bool:
        """Return whether this person may change a game; None asks about all games."""
        if self.session is None or self.keeps:
            return self.keeps
        games = self.session.games
        return self.role is Role.SCORER and (games is None or game_id in games)

    def seat(self, players: Collection[str]) -> Seat | None:
        """Return this device's seat in games among these players, None if it has asked for none."""
        seat = None if self.session is None else self.session.seat
        return seat if seat is not None and seat.players == frozenset(players) else None

    def player(self, game_id: int, players: Collection[str]) -> str:
        """Return the player whose own device this is in a game, "" for none. Whoever keeps its score needs no seat."""
        seat = self.seat(players)
        return seat.player if seat is not None and seat.state == "granted" and not self.scores(game_id) else ""

    def check(self, permission: Permission, game_id: int | None) -> None:
        """Raise Refused, in one line, if the role lacks a permission. Not for strangers."""
        if permission in (Permission.SIT, Permission.KEEP) and not self.keeps:
            raise Refused("Only the main computer can do that.")
        if permission is Permission.SIT and not self.at_computer:
            raise Refused("Backups are made on the main computer. Open this page there.")
        if permission is Permission.BEGIN and not self.begins:
            raise Refused(_ONLY_WATCHES)
        seat = None if self.session is None else self.session.seat
        if permission is Permission.PLAY and seat is not None and seat.state == "granted":
            return
        if permission in (Permission.PLAY, Permission.SCORE) and not self.scores(game_id):
            raise Refused(_ONLY_ITS_OWN if self.begins else _ONLY_WATCHES)


_ONLY_WATCHES = "This device only watches. To keep the score, type the PIN on its page “This device”."
_ONLY_ITS_OWN = "This device keeps the score of another table. For all tables, type the PIN on its page “This device”."
