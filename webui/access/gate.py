"""The one place that decides who may do what: before every request, by the permission that its route needs.

First come these permissions, with the size of the bodies that routes take, and who may ask; then the gate itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TypeVar

from flask import Flask, Request, Response, g, request
from werkzeug.wrappers import Response as AnyResponse

from engine.wording import phrase
from webui.access.invitations import Invitations, Pin
from webui.access.sessions import MAX_DEVICES, Role, Seat, Session, Sessions
from webui.errors import NotJoined, Refused
from webui.security import Reach, host_of, is_loopback


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

View = TypeVar("View", bound=Callable[..., object])


def needs(permission: Permission) -> Callable[[View], View]:
    """Mark a route with the permission that it needs, if its method doesn't imply it."""
    return _mark("needed_permission", permission)


def takes(most: int | None = None) -> Callable[[View], View]:
    """Mark a route that takes a longer body: up to `most` bytes, or None for the size of a photograph."""
    return _mark("max_body_bytes", most)


def _mark(key: str, value: object) -> Callable[[View], View]:
    def mark(view: View) -> View:
        setattr(view, key, value)
        return view

    return mark


@dataclass(frozen=True)
class Principal:
    """The sender of a request: somebody at the computer itself, a device that was let in, or a stranger.

    `was_ended` marks a stranger whose device was once let in and then removed.
    """

    at_computer: bool = False
    session: Session | None = None
    was_ended: bool = False

    @property
    def role(self) -> Role | None:
        """The role; None for a stranger."""
        if self.at_computer:
            return Role.KEEPER
        return None if self.session is None else self.session.role

    @property
    def keeps(self) -> bool:
        """True if this person manages the page, with its devices, codes and PIN."""
        return self.role is Role.KEEPER

    @property
    def begins(self) -> bool:
        """True if this person may begin games."""
        return self.role is not None and self.role >= Role.SCORER

    def scores(self, game_id: int | None) -> bool:
        """Return whether this person may change a game; None asks about all games."""
        if self.session is None or self.keeps:
            return self.keeps
        games = self.session.games
        return self.role is Role.SCORER and (games is None or game_id in games)

    def seat(self, players: Collection[str]) -> Seat | None:
        """Return this device's seat in games among these players, or None if it hasn't asked for one."""
        seat = None if self.session is None else self.session.seat
        return seat if seat is not None and seat.players == frozenset(players) else None

    def player(self, game_id: int, players: Collection[str]) -> str:
        """Return the player whose own device this is in a game, or "". A scorekeeper needs no seat."""
        seat = self.seat(players)
        return seat.player if seat is not None and seat.state == "granted" and not self.scores(game_id) else ""

    def check(self, permission: Permission, game_id: int | None) -> None:
        """Raise Refused, in one line, if the role lacks a permission. Don't call it for strangers."""
        if permission in (Permission.SIT, Permission.KEEP) and not self.keeps:
            raise Refused(phrase("Only the main computer can do that."))
        if permission is Permission.SIT and not self.at_computer:
            raise Refused(phrase("Backups are made on the main computer. Open this page there."))
        if permission is Permission.BEGIN and not self.begins:
            raise Refused(_ONLY_WATCHES)
        seat = None if self.session is None else self.session.seat
        if permission is Permission.PLAY and seat is not None and seat.state == "granted":
            return
        if permission in (Permission.PLAY, Permission.SCORE) and not self.scores(game_id):
            raise Refused(_ONLY_ITS_OWN if self.begins else _ONLY_WATCHES)


_ONLY_WATCHES = phrase("This device only watches. To keep the score, type the PIN on its page “This device”.")
_ONLY_ITS_OWN = phrase(
    "This device keeps the score of another table. For all tables, type the PIN on its page “This device”."
)


_PROXY_HEADERS = ("forwarded", "x-real-ip", "via")
"""Headers that a proxy adds, besides those that begin with X-Forwarded. People behind it sit elsewhere."""
_COOKIE_S = 400 * 86_400
"""Seconds: the longest time for which browsers keep a cookie. The server decides how long a device is known."""
_PRINCIPAL_KEY = "upscore_principal"

NOT_JOINED = phrase("Scan the QR code or type the PIN to join.")
WAS_ENDED = phrase("This device was removed. Ask the scorekeeper for the QR code or PIN.")


class Gate:
    """The gate: who is in, and how others get in.

    `look_around` returns where other devices find the page now. `chosen` is the address that somebody chose instead.
    `behind_proxy` means that every request comes through a proxy, so nobody sits at this computer.
    """

    def __init__(self, data_dir: Path, *, behind_proxy: bool = False) -> None:
        self.behind_proxy = behind_proxy
        self.sessions = Sessions(data_dir)
        self.invitations = Invitations(data_dir)
        self.pin = Pin()
        self.look_around: Callable[[], Reach] = Reach
        self.chosen = ""
        self._lock = threading.Lock()
        self._sessions_at: dict[str, str] = {}

    def principal(self, asked: Request) -> Principal:
        """Return the sender of a request."""
        if not self.behind_proxy and at_computer(asked):
            return Principal(at_computer=True)
        token = asked.cookies.get(cookie_name(asked), "")
        session = self.sessions.find(token) if token else None
        if session is None or session.ended:
            return Principal(was_ended=session is not None)
        return Principal(session=session)

    def reach(self) -> Reach:
        """Return where other devices find the page now, the chosen address first while this computer has it."""
        reach = self.look_around()
        chosen = next((each for each in reach.others if each.url == self.chosen), None)
        return reach if chosen is None else reach.preferring(chosen)

    def remember(self, asked: Request, asking: Principal) -> None:
        """Count this connection as known, and later ones from the same address if the device is in."""
        if (let_in := asked.environ.get("upscore.let_in")) is not None:
            let_in()
        if asking.session is not None:
            with self._lock:
                self._sessions_at.pop(asked.remote_addr or "", None)
                self._sessions_at[asked.remote_addr or ""] = asking.session.id
                if len(self._sessions_at) > MAX_DEVICES:
                    self._sessions_at.pop(next(iter(self._sessions_at)))

    def knows(self, address: str) -> bool:
        """Return whether an address belongs to this computer or to a device that is in."""
        with self._lock:
            session_id = self._sessions_at.get(address)
        return is_loopback(address) or (session_id is not None and self.sessions.is_in(session_id))

    def close(self) -> None:
        """Save the list of devices."""
        self.sessions.close()


def at_computer(asked: Request) -> bool:
    """Return whether a request comes from a browser or program on this computer, at a loopback address."""
    names = [name.lower() for name in asked.headers.keys()]  # noqa: SIM118 (iterating gives pairs)
    forwarded = any(name in _PROXY_HEADERS or name.startswith("x-forwarded") for name in names)
    if forwarded or not is_loopback(asked.remote_addr or ""):
        return False
    header = asked.headers.get("Host")
    return header is None or is_loopback(host_of(header) or "")


def cookie_name(asked: Request) -> str:
    """Return the name of the cookie for a request.

    It contains the port: browsers separate cookies only by host, and another Upscore may run at another port.
    """
    port = asked.host.rpartition(":")[2]
    return f"upscore-{port}" if port.isdigit() else "upscore"


def hand_out(response: AnyResponse, token: str) -> None:
    """Give a device its token in a cookie that scripts cannot read."""
    response.set_cookie(
        cookie_name(request), token, max_age=_COOKIE_S, httponly=True, secure=request.is_secure, samesite="Lax"
    )


def principal() -> Principal:
    """Return the sender of the present request: a stranger if the request was refused before it was checked."""
    asking: Principal = g.get(_PRINCIPAL_KEY, Principal())
    return asking


def asking_player(game_id: int, players: Collection[str]) -> str:
    """Return the player whose own device made the request, "" for the scorekeeper; raises Refused for others."""
    asking = principal()
    player = asking.player(game_id, players)
    if not player:
        asking.check(Permission.SCORE, game_id)
    return player


def install(app: Flask, gate: Gate, *, photograph_bytes: int) -> None:
    """Check every request of an application before its route runs, and streams as long as they last.

    Only somebody who may use a route may send a body as long as the route takes. The check comes before any of the body
    is read.
    """

    @app.before_request
    def _check_permission() -> None:
        view = app.view_functions.get(request.endpoint or "")
        usual = Permission.WATCH if request.method in ("GET", "HEAD", "OPTIONS") else Permission.SCORE
        permission = getattr(view, "needed_permission", usual) if request.endpoint != "static" else Permission.NONE
        asking = gate.principal(request)
        setattr(g, _PRINCIPAL_KEY, asking)
        if asking.role is None:
            request.max_content_length = STRANGER_BYTES
        else:
            gate.remember(request, asking)
        if permission is Permission.NONE:
            return
        if asking.role is None:
            raise NotJoined(WAS_ENDED if asking.was_ended else NOT_JOINED)
        asking.check(permission, (request.view_args or {}).get("game_id"))
        if request.mimetype != "application/x-www-form-urlencoded":  # such a form is held in memory
            most: int | None = getattr(view, "max_body_bytes", FORM_BYTES)
            request.max_content_length = photograph_bytes if most is None else most

    @app.after_request
    def _private(response: Response) -> Response:
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "private, no-cache")
        session = principal().session
        if session is not None and response.mimetype == "text/event-stream":
            token = request.cookies.get(cookie_name(request), "")
            response.response = _while_in(gate.sessions, token, response.response)  # type: ignore[arg-type]
        return response

    @app.context_processor
    def _me() -> dict[str, Principal]:
        return {"me": principal()}


def _while_in(sessions: Sessions, token: str, stream: Generator[str, None, None]) -> Iterator[str]:
    with closing(stream):
        for text in stream:
            session = sessions.find(token)
            if session is None or session.ended:
                return
            yield text
