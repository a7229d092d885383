"""What a route needs of whoever asks, how long a body it takes, and what each role has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TypeVar

from webui.access.sessions import Session
from webui.errors import Refused


class Role(IntEnum):
    """What a device may do; each has what those before it have."""

    VIEWER = 1
    SCORER = 2
    KEEPER = 3


class Permission(Enum):
    """What a route needs.

    Without a mark it is WATCH for a method that reads, SCORE for one that changes: `needs` says otherwise.
    """

    NONE = "nothing: how one gets in"
    WATCH = "a device that was let in"
    SCORE = "who keeps the score of this game, or, where the address names none, of all"
    BEGIN = "who keeps the score of any game"
    KEEP = "who started the page, or a device of theirs"
    SIT = "who sits at the computer"


FORM_BYTES = 500_000
"""Bytes that a body may have unless `takes` says otherwise; forms and calls have some hundred. [by eye]"""
_ATTRIBUTE = "needed_permission"
_BYTES = "most_bytes"
_READING = ("GET", "HEAD", "OPTIONS")

View = TypeVar("View", bound=Callable[..., object])


def needs(permission: Permission) -> Callable[[View], View]:
    """Mark a route whose method alone does not tell what it needs."""

    def mark(view: View) -> View:
        setattr(view, _ATTRIBUTE, permission)
        return view

    return mark


def needed(view: Callable[..., object] | None, method: str) -> Permission:
    """What a route needs for a method; `view` is None for an address that there is not."""
    usual = Permission.WATCH if method in _READING else Permission.SCORE
    marked = getattr(view, _ATTRIBUTE, usual)
    assert isinstance(marked, Permission)
    return marked


def takes(most: int | None = None) -> Callable[[View], View]:
    """Mark a route that takes a longer body: so many bytes, or None for those that a photograph may have."""

    def mark(view: View) -> View:
        setattr(view, _BYTES, most)
        return view

    return mark


def most_bytes(view: Callable[..., object] | None, photograph: int) -> int:
    """Return how long a body a route takes; `photograph` is how long one with a photograph may be."""
    most = getattr(view, _BYTES, FORM_BYTES)
    return photograph if most is None else int(most)


@dataclass(frozen=True)
class Principal:
    """Whoever asks: at the computer itself, on a device that was let in, or neither, a stranger.

    `was_ended` tells a stranger whose device was let in once.
    """

    at_computer: bool = False
    session: Session | None = None
    was_ended: bool = False

    @property
    def role(self) -> Role | None:
        """The role, None for a stranger."""
        if self.at_computer:
            return Role.KEEPER
        return None if self.session is None else Role(self.session.role)

    @property
    def keeps(self) -> bool:
        """Whether this is who keeps the page: devices, codes and the PIN are theirs."""
        return self.role is Role.KEEPER

    @property
    def begins(self) -> bool:
        """Whether games can be begun from here."""
        return self.role is not None and self.role >= Role.SCORER

    def scores(self, game_id: int | None) -> bool:
        """Whether a game can be changed from here; None asks for all of them."""
        if self.session is None or self.keeps:
            return self.keeps
        games = self.session.games
        return self.role is Role.SCORER and (games is None or game_id in games)

    def check(self, permission: Permission, game_id: int | None) -> None:
        """Raises Refused, one line, where a role does not have what is needed; not for strangers."""
        if permission in (Permission.SIT, Permission.KEEP) and not self.keeps:
            raise Refused(
                "That is for whoever keeps this page: do it at the computer that it was started on."
            )
        if permission is Permission.SIT and not self.at_computer:
            raise Refused(
                "A backup is handed out at the computer that keeps the games alone: open this page there."
            )
        if permission is Permission.BEGIN and not self.begins:
            raise Refused(_ONLY_WATCHES)
        if permission is Permission.SCORE and not self.scores(game_id):
            raise Refused(_ONLY_ITS_OWN if self.begins else _ONLY_WATCHES)


_ONLY_WATCHES = "This device only watches: to keep the score on it, type the PIN on its page This device."
_ONLY_ITS_OWN = "This device keeps the score of another table: type the PIN on its page This device for all."
