"""The one place where it is decided who may do what: before every request, by what its route needs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from flask import Flask, Request, Response, g, request
from werkzeug.wrappers import Response as AnyResponse

from webui.access.invitations import Invitations, Pin
from webui.access.permissions import Permission, Principal, most_bytes, needed
from webui.access.sessions import MOST, Sessions
from webui.errors import NotJoined
from webui.security import Reach, host_of, is_loopback
from webui.table.announcer import Announcer

HOUSE = 0
"""What the stream of the list of devices goes by; no game has this number."""
_HANDED_ON = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
"""Headers of a proxy: who asks through one does not sit at this computer."""
_COOKIE_S = 400 * 86_400
"""As long as browsers keep one; how long a device is known is the server's to say."""
_KEEP = "upscore_principal"

NOT_JOINED = "This scoresheet is for those at the table: scan its QR code, or type its PIN."
WAS_ENDED = "This device was sent out: ask whoever keeps the score for the QR code or the PIN."


class Gate:
    """Who is in, and how one gets in.

    `look_around` tells where other devices find the page now; `chosen` is the address that somebody chose instead.
    """

    def __init__(self, data_dir: Path, announcer: Announcer, clock: Callable[[], float] = time.time) -> None:
        self.sessions = Sessions(data_dir, clock)
        self.invitations = Invitations(data_dir, clock)
        self.pin = Pin()
        self.look_around: Callable[[], Reach] = Reach
        self.chosen = ""
        self._announcer = announcer
        self._lock = threading.Lock()
        self._sessions_at: dict[str, str] = {}

    def principal(self, asked: Request) -> Principal:
        """Whoever makes a request."""
        if at_computer(asked):
            return Principal(at_computer=True)
        token = asked.cookies.get(cookie_name(asked), "")
        session = self.sessions.find(token) if token else None
        if session is None or session.ended:
            return Principal(was_ended=session is not None)
        return Principal(session=session)

    def reach(self) -> Reach:
        """Return where other devices find the page now, the chosen address first while this computer has it."""
        found = self.look_around()
        chosen = next((each for each in found.others if each.url == self.chosen), None)
        return found if chosen is None else found.preferring(chosen)

    def remember(self, asked: Request, asking: Principal) -> None:
        """Keep a place for whoever makes a request, now and for the next ones from the same address."""
        asked.environ.get("upscore.let_in", _nothing)()
        if asking.session is not None:
            with self._lock:
                self._sessions_at.pop(asked.remote_addr or "", None)
                self._sessions_at[asked.remote_addr or ""] = asking.session.id
                if len(self._sessions_at) > MOST:
                    self._sessions_at.pop(next(iter(self._sessions_at)))

    def knows(self, address: str) -> bool:
        """Return whether an address is this computer's own, or that of a device that is in."""
        with self._lock:
            session_id = self._sessions_at.get(address)
        return is_loopback(address) or (session_id is not None and self.sessions.is_in(session_id))

    def joined(self) -> None:
        """Tell the list of devices that it has changed."""
        self._announcer.announce(HOUSE)

    def changed(self) -> None:
        """Tell every page that somebody's rights are others now, or over."""
        self._announcer.announce_all()

    def close(self) -> None:
        """Keep what is known of the devices."""
        self.sessions.close()


def _nothing() -> None:
    pass


def at_computer(asked: Request) -> bool:
    """Whether a request comes from a browser or program on this computer, at a loopback address."""
    if any(name in asked.headers for name in _HANDED_ON) or not is_loopback(asked.remote_addr or ""):
        return False
    header = asked.headers.get("Host")
    return header is None or is_loopback(host_of(header) or "")


def cookie_name(asked: Request) -> str:
    """The name of the cookie: cookies are told apart by host alone, and another port may be another Upscore."""
    port = asked.host.rpartition(":")[2]
    return f"upscore-{port}" if port.isdigit() else "upscore"


def hand_out(response: AnyResponse, token: str) -> None:
    """Give a device its token, for its browser alone."""
    response.set_cookie(
        cookie_name(request),
        token,
        max_age=_COOKIE_S,
        httponly=True,
        secure=request.is_secure,
        samesite="Lax",
    )


def principal() -> Principal:
    """Whoever makes the present request; a stranger where it was refused before that was looked at."""
    found: Principal = g.get(_KEEP, Principal())
    return found


def install(app: Flask, gate: Gate, *, photograph_bytes: int) -> None:
    """Check every request of an application before its route does, and streams for as long as they last.

    A body may be as long as its route takes, from those alone who may use the route. Nothing of it was read by then.
    """

    @app.before_request
    def _permitted() -> None:
        view = app.view_functions.get(request.endpoint or "")
        permission = Permission.NONE if request.endpoint == "static" else needed(view, request.method)
        asking = gate.principal(request)
        setattr(g, _KEEP, asking)
        if asking.role is not None:
            gate.remember(request, asking)
        if permission is Permission.NONE:
            return
        if asking.role is None:
            raise NotJoined(WAS_ENDED if asking.was_ended else NOT_JOINED)
        asking.check(permission, (request.view_args or {}).get("game_id"))
        request.max_content_length = most_bytes(view, photograph_bytes)

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


def begun(gate: Gate, game_id: int) -> None:
    """A game was begun by the present request: a device that keeps the score of one table keeps this one's, too."""
    session = principal().session
    if session is not None:
        gate.sessions.add_game(session.id, game_id)
        gate.joined()


def _while_in(sessions: Sessions, token: str, stream: Iterable[str]) -> Iterator[str]:
    """A stream that ends when its device is sent out."""
    try:
        for text in stream:
            session = sessions.find(token)
            if session is None or session.ended:
                return
            yield text
    finally:
        close = getattr(stream, "close", None)
        if close is not None:
            close()
