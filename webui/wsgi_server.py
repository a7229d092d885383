"""The open connections of the server: how many there may be, who gets a place, and by when each must get further.

The server behind the page: a thread for each connection, none of which can keep the others waiting.
"""

from __future__ import annotations

import io
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, Literal, cast

from flask import Flask
from werkzeug.serving import BaseWSGIServer, DechunkedInput, WSGIRequestHandler

from webui.security import is_loopback

MOST = 400
"""Connections held at once: 200 viewers with a stream each, and as many requests again under way."""
KEPT_SHARE = 4
"""One place in so many is kept for this computer and the devices that were let in, as many for the rest. [by eye]"""
ASKING_S = 10.0
"""Seconds for the handshake, the request line and all headers together, however slowly they drip in."""
ARRIVING_S = 30.0
"""Seconds that a body may fall behind `LEAST_RATE`: Wi-Fi that stands still so long loses no photograph. [by eye]"""
LEAST_RATE = 100_000.0
"""Bytes a second at which a body must come, after a first allowance of `ARRIVING_S`."""
ANSWERING_S = 180.0
"""For making an answer and sending it: reading a board on a small computer takes some ten seconds."""
STRANGER_ANSWERING_S = 5.0
"""Seconds after which a stranger's answer may make room: the few pages that strangers get take milliseconds."""

Phase = Literal["asking", "receiving", "answering", "streaming"]


@dataclass(eq=False)
class Connection:
    """One connection. `deadline` is a time of the clock, None for a stream, whose sends have a limit of their own.

    `known` says that it comes from this computer or from a device that was let in; the others are strangers'.
    """

    socket: socket.socket
    known: bool
    phase: Phase
    began: float
    deadline: float | None
    received: int = 0
    dropped: bool = False


class Connections:
    """Admits connections and drops those that are overdue.

    When no place is left, a connection makes room that still sends its headers or body: the oldest one of a stranger
    first. A quarter of the places is no stranger's, and a quarter is left to strangers, who may be about to join. So
    nobody is kept out by those who open connections and then send little, be they strangers or not.
    """

    def __init__(self, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._kept = most // KEPT_SHARE
        self._open: dict[Connection, None] = {}
        self._changed = threading.Condition()

    def admit(self, sock: socket.socket, *, known: bool = False) -> Connection | None:
        """Give a new connection a place; return None where there is none."""
        with self._changed:
            strangers = sum(not one.known for one in self._open)
            full = len(self._open) >= self._most or (not known and strangers >= self._most - self._kept)
            if full and not self._make_room(from_known=known or strangers < self._kept):
                return None
            now = self._clock()
            connection = Connection(sock, known, "asking", now, now + ASKING_S)
            self._open[connection] = None
            return connection

    def let_in(self, connection: Connection) -> None:
        """Count a connection as known: its request showed that it comes from a device that was let in."""
        with self._changed:
            connection.known = True

    def asked(self, connection: Connection) -> None:
        """Note that the headers have come."""
        self._go_on(connection, "answering", ANSWERING_S)

    def receives(self, connection: Connection, count: int) -> None:
        """Note that the body is waited for, and that so many more bytes of it have come."""
        with self._changed:
            if connection.phase != "receiving":
                connection.phase, connection.began, connection.received = "receiving", self._clock(), 0
            connection.received += count
            connection.deadline = connection.began + ARRIVING_S + connection.received / LEAST_RATE

    def heard(self, connection: Connection) -> None:
        """Note that the whole body has come."""
        self._go_on(connection, "answering", ANSWERING_S)

    def streams(self, connection: Connection) -> None:
        """Note that the answer is one without an end."""
        self._go_on(connection, "streaming", None)

    def answered(self, connection: Connection) -> None:
        """Note that the answer was sent, and that what still comes is thrown away."""
        self._go_on(connection, "asking", ASKING_S)

    def leave(self, connection: Connection) -> None:
        """Free the place of a connection that is over."""
        with self._changed:
            self._open.pop(connection, None)
            self._changed.notify_all()

    def drop_overdue(self) -> int:
        """Cut every connection whose time is up; return how many."""
        now = self._clock()
        with self._changed:
            late = [one for one in self._open if one.deadline is not None and one.deadline <= now]
            for connection in late:
                self._cut(connection)
        return len(late)

    def drop_waiting(self) -> None:
        """Cut every connection that has asked for nothing yet, as when the server stops."""
        with self._changed:
            for connection in [one for one in self._open if one.phase == "asking"]:
                self._cut(connection)

    def wait_until_answered(self, timeout_s: float) -> bool:
        """Wait until no request is under way any more; return whether that came about in time."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not any(one.phase in ("receiving", "answering") for one in self._open), timeout_s
            )

    def __len__(self) -> int:
        return len(self._open)

    def _go_on(self, connection: Connection, phase: Phase, seconds: float | None) -> None:
        with self._changed:
            connection.phase, connection.began = phase, self._clock()
            connection.deadline = None if seconds is None else connection.began + seconds
            self._changed.notify_all()

    def _make_room(self, *, from_known: bool) -> bool:
        """Cut the connection that can best be missed; return whether there was one."""
        slow = self._clock() - STRANGER_ANSWERING_S
        waiting = [one for one in self._open if one.phase in ("asking", "receiving")]
        choices = [
            *(one for one in waiting if not one.known),
            *(one for one in self._open if one.phase == "answering" and not one.known and one.began <= slow),
            *(one for one in waiting if one.known and from_known),
        ]
        if choices:
            self._cut(choices[0])
        return bool(choices)

    def _cut(self, connection: Connection) -> None:
        """Wake the thread that waits for the other side, by ending both directions; the thread then closes it."""
        connection.dropped = True
        connection.deadline = None
        self._open.pop(connection, None)
        with suppress(OSError):
            # the plain socket's own: a TLS one would first forget its state, under the thread that uses it
            socket.socket.shutdown(connection.socket, socket.SHUT_RDWR)


SEND_S = 30.0
"""How long one read or write may stand still, however much time the whole has."""
STOPPING_S = 20.0
"""How long a server that stops waits for answers under way: a photograph that is being read is not lost."""
_SWEEP_S = 0.5
_PIECE = 16_384
"""Bytes of a body after which its progress is noted: a sixth of a second at the slowest rate that is let pass."""
_ENDLESS = ("text/event-stream", "application/zip")
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)


class Server(BaseWSGIServer):
    """A server of an application on a listening socket, until `stop`.

    Built on Werkzeug's server for requests and answers. What that lacks for a house full of phones is here: TLS
    handshakes away from the loop that accepts, deadlines for everything that the other side does, and a bound on
    connections (docs/security.md compares others). `tls` may be replaced while it serves. `is_known` tells for which
    addresses places are kept.
    """

    multithread = True

    def __init__(
        self,
        listener: socket.socket,
        app: Flask,
        tls: ssl.SSLContext | None,
        is_known: Callable[[str], bool] = is_loopback,
    ) -> None:
        host, port = listener.getsockname()[:2]
        super().__init__(host, port, app, _Handler, fd=listener.fileno())
        self.ssl_context = tls  # for the scheme of addresses alone: the listening socket stays a plain one
        self.tls = tls
        self._is_known = is_known
        self.connections = Connections()
        self._ended = threading.Event()

    def run(self) -> None:
        """Answer requests until `stop` is called from another thread."""
        threading.Thread(target=self._sweep, name="deadlines", daemon=True).start()
        try:
            self.serve_forever(poll_interval=0.2)
        finally:
            self._ended.set()

    def stop(self) -> None:
        """Accept no more."""
        self.shutdown()
        self.connections.drop_waiting()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give a connection its place and its thread, or send it away."""
        connection = self.connections.admit(request, known=self._is_known(client_address[0]))
        if connection is None:
            self._send_away(request)
            return
        try:
            threading.Thread(
                target=self._converse, args=(connection, client_address), name="request", daemon=True
            ).start()
        except RuntimeError:  # the system has no thread left
            self.connections.leave(connection)
            self._send_away(request)

    def _send_away(self, request: socket.socket) -> None:
        with suppress(OSError):
            request.setblocking(False)
            if self.tls is None:
                request.send(_FULL)
        self.shutdown_request(request)

    def _converse(self, connection: Connection, client_address: Any) -> None:
        try:
            connection.socket.settimeout(SEND_S)
            if self.tls is not None:
                connection.socket = self.tls.wrap_socket(
                    connection.socket, server_side=True, do_handshake_on_connect=False
                )
                connection.socket.do_handshake()
            _Handler(connection.socket, client_address, self, connection)
        except (OSError, ValueError):
            pass  # the other side has gone, speaks no TLS, or was cut off
        except Exception:
            self.handle_error(connection.socket, client_address)
        finally:
            self.connections.leave(connection)
            self.shutdown_request(connection.socket)

    def _sweep(self) -> None:
        while not self._ended.wait(_SWEEP_S):
            self.connections.drop_overdue()


class _Body(io.RawIOBase):
    """The body of a request: as long as its headers say, so that reading ends instead of waiting for more.

    `length` is None where the source knows its end. Every piece is reported to the connection's deadline.
    """

    def __init__(
        self,
        source: io.BufferedIOBase | io.RawIOBase,
        length: int | None,
        connections: Connections,
        place: Connection,
    ) -> None:
        self._source, self._left = source, length
        self._connections, self._place, self._came = connections, place, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        wanted = min(len(buffer), _PIECE) if self._left is None else min(len(buffer), _PIECE, self._left)
        if not wanted:
            return 0
        self._connections.receives(self._place, self._came)
        data = self._source.read(wanted) or b""
        self._came = len(data)
        buffer[: len(data)] = data
        if self._left is not None:
            self._left -= len(data)
        if self._left == 0 or not data:
            self._connections.heard(self._place)
        return len(data)


class _Leftover(io.RawIOBase):
    """What is still on its way once the answer is sent: read as it comes, never waited for long."""

    def __init__(self, connection: socket.socket, answered: Callable[[], None]) -> None:
        self._connection, self._answered = connection, answered

    def read(self, _: int = -1) -> bytes:
        self._answered()
        self._answered = _nothing
        try:
            self._connection.settimeout(1.0)
            return self._connection.recv(65_536)
        except OSError:
            return b""


def _nothing() -> None:
    pass


class _Handler(WSGIRequestHandler):
    """Answers one connection, quietly."""

    timeout = SEND_S
    protocol_version = "HTTP/1.1"
    server_version = "Upscore"
    sys_version = ""
    server: Server

    def __init__(
        self, request: socket.socket, client_address: Any, server: Server, connection: Connection
    ) -> None:
        self._place = connection
        self._source: io.BufferedIOBase | None = None
        super().__init__(request, client_address, server)

    def make_environ(self) -> Any:
        """Return the request as WSGI has it. Its headers have come; its body waits until the application reads it."""
        environ = super().make_environ()
        connections, place = self.server.connections, self._place
        connections.asked(place)
        if "wsgi.input_terminated" in environ:
            body = _Body(DechunkedInput(cast(IO[bytes], self.rfile)), None, connections, place)
        else:
            text = environ.get("CONTENT_LENGTH", "")
            length = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
            body = _Body(self.rfile, length, connections, place)
        environ["wsgi.input"] = io.BufferedReader(body)
        environ["upscore.own_address"] = self.connection.getsockname()[0]
        environ["upscore.let_in"] = lambda: connections.let_in(place)
        self._source = self.rfile
        self.rfile = _Leftover(self.connection, lambda: connections.answered(place))  # type: ignore[assignment]
        return environ

    def finish(self) -> None:
        """Close both ends: a file left open would keep the socket open."""
        super().finish()
        if self._source is not None:
            self._source.close()

    def send_header(self, keyword: str, value: str) -> None:
        """Send a header; one of an answer without an end lifts the deadline."""
        if keyword.lower() == "content-type" and value.split(";")[0] in _ENDLESS:
            self.server.connections.streams(self._place)
        super().send_header(keyword, value)

    def log(self, type: str, message: str, *args: Any) -> None:
        """Print nothing: the page asks often, and what the other side does wrong concerns nobody here."""
