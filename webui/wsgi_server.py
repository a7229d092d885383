"""The server behind the page: a thread for each connection, so that none keeps the others waiting.

It is our own because no other that we measured passes everything (docs/security.md has the table). Idle connections
hold all threads of granian, gunicorn, cheroot and waitress, and dripping bodies those of the first three. Nginx keeps
these away from gunicorn, but takes in all that strangers post, and has to be installed. Hypercorn passes on six streams
of two hundred. Large headers stop gunicorn and cheroot. Strangers' large posts cost hypercorn and cheroot gigabytes of
memory, and waitress gigabytes of files. Granian comes closest: it lacks deadlines.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import IO, Any, Literal, cast
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.serving import BaseWSGIServer, DechunkedInput, WSGIRequestHandler

from webui.security import is_loopback, network_of

MAX_CONNECTIONS = 400
"""Connections held at once: 200 viewers with a stream each, and as many requests. [by eye]"""
RESERVED_SHARE = 4
"""One place in so many is kept for this computer and the devices that are in, and as many for strangers. [by eye]"""
PLACES_PER_ADDRESS = 32
"""Places that strangers at one address may have: a browser opens six connections at once. [by eye]"""
MAX_HEADER_BYTES = 32_768
"""Bytes of the request line and all headers together. Browsers send one or two thousand. [by eye]"""
HEADERS_S = 10.0
"""Seconds for the handshake, the request line and all headers together. [by eye]"""
BODY_DELAY_S = 30.0
"""Seconds that a body may be behind `MIN_BYTES_PER_S`, so that a pause of the Wi-Fi loses no photograph. [by eye]"""
STRANGER_BODY_S = 5.0
"""That limit for strangers, who have nothing to send but a PIN. [by eye]"""
MIN_BYTES_PER_S = 100_000.0
"""Rate at which a body must come, after a first allowance of `BODY_DELAY_S`. [by eye]"""
ANSWER_S = 180.0
"""Seconds for making an answer and sending it: a small computer reads a board in about ten. [by eye]"""
STRANGER_ANSWER_S = 5.0
"""Seconds after which a stranger's answer may be cut to make room: strangers' pages take milliseconds. [by eye]"""

Phase = Literal["asking", "receiving", "answering", "streaming"]
_PHASE_S: dict[Phase, float] = {"asking": HEADERS_S, "answering": ANSWER_S}


@dataclass(eq=False)
class Connection:
    """An open connection. `deadline` is a time of the clock, None for a stream, whose sends have their own limit.

    `known` means that it comes from this computer or from a device that is in. The others are strangers'.
    """

    socket: socket.socket
    known: bool
    phase: Phase
    began: float
    deadline: float | None
    received: int = 0
    network: str = ""


class Connections:
    """Admits connections and drops those that are overdue.

    When no place is left, it cuts a connection that is still sending its headers or body, the oldest of a stranger
    first. A quarter of the places is never given to strangers, and a quarter is reserved for strangers, who may be
    about to join. So nobody can keep others out by opening connections and sending little. Strangers at one address get
    few places.
    """

    def __init__(
        self,
        most: int = MAX_CONNECTIONS,
        clock: Callable[[], float] = time.monotonic,
        *,
        per_address: int = PLACES_PER_ADDRESS,
    ) -> None:
        self._most, self._clock, self._per_address = most, clock, per_address
        self._kept = most // RESERVED_SHARE
        self._open: dict[Connection, None] = {}
        self._changed = threading.Condition()

    def admit(self, sock: socket.socket, *, known: bool = False, address: str = "") -> Connection | None:
        """Give a new connection a place; return None if there is none."""
        network = network_of(address)
        with self._changed:
            if not known and address and not self._has_room(network):
                return None
            strangers = sum(not one.known for one in self._open)
            full = len(self._open) >= self._most or (not known and strangers >= self._most - self._kept)
            if full and not self._make_room(from_known=known or strangers < self._kept):
                return None
            now = self._clock()
            connection = Connection(sock, known, "asking", now, now + HEADERS_S, network=network)
            self._open[connection] = None
            return connection

    def let_in(self, connection: Connection) -> None:
        """Count a connection as known, since its request came from a device that is in."""
        with self._changed:
            connection.known = True

    def enter(self, connection: Connection, phase: Phase) -> None:
        """Note that a connection enters a phase, and set its deadline.

        It is "answering" once all headers, or the whole body, have arrived. A "streaming" answer has no end. After an
        answer it is "asking", and whatever still arrives is thrown away.
        """
        with self._changed:
            connection.phase, connection.began = phase, self._clock()
            seconds = _PHASE_S.get(phase)
            connection.deadline = None if seconds is None else connection.began + seconds
            self._changed.notify_all()

    def note_body(self, connection: Connection, count: int) -> None:
        """Note that the application waits for the body, of which `count` more bytes have come."""
        with self._changed:
            if connection.phase != "receiving":
                connection.phase, connection.began, connection.received = "receiving", self._clock(), 0
            connection.received += count
            delay = BODY_DELAY_S if connection.known else STRANGER_BODY_S
            connection.deadline = connection.began + delay + connection.received / MIN_BYTES_PER_S

    def leave(self, connection: Connection) -> None:
        """Free the place of a closed connection."""
        with self._changed:
            self._open.pop(connection, None)
            self._changed.notify_all()

    def drop_overdue(self) -> int:
        """Cut every connection whose deadline has passed; return how many."""
        now = self._clock()
        with self._changed:
            late = [one for one in self._open if one.deadline is not None and one.deadline <= now]
            for connection in late:
                self._cut(connection)
        return len(late)

    def drop_waiting(self) -> None:
        """Cut every connection without a complete request, as when the server stops."""
        with self._changed:
            for connection in [one for one in self._open if one.phase == "asking"]:
                self._cut(connection)

    def wait_until_answered(self, timeout_s: float) -> bool:
        """Wait until no request is under way; return whether that happened in time."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not any(one.phase in ("receiving", "answering") for one in self._open), timeout_s
            )

    def __len__(self) -> int:
        return len(self._open)

    def _has_room(self, network: str) -> bool:
        """Return whether strangers at an address may have one more place, perhaps in exchange for one that waits."""
        theirs = [one for one in self._open if not one.known and one.network == network]
        if len(theirs) < self._per_address:
            return True
        waiting = [one for one in theirs if one.phase in ("asking", "receiving")]
        if waiting:
            self._cut(waiting[0])
        return bool(waiting)

    def _make_room(self, *, from_known: bool) -> bool:
        """Cut the least important connection; return whether there was one to cut."""
        slow = self._clock() - STRANGER_ANSWER_S
        waiting = [one for one in self._open if one.phase in ("asking", "receiving")]
        candidates = [
            *(one for one in waiting if not one.known),
            *(one for one in self._open if one.phase == "answering" and not one.known and one.began <= slow),
            *(one for one in waiting if one.known and from_known),
        ]
        if candidates:
            self._cut(candidates[0])
        return bool(candidates)

    def _cut(self, connection: Connection) -> None:
        """End both directions. That wakes the thread that waits for the other side, which closes the socket."""
        connection.deadline = None
        self._open.pop(connection, None)
        with suppress(OSError):
            # The plain socket's method: the TLS one would first drop the state that the other thread still uses.
            socket.socket.shutdown(connection.socket, socket.SHUT_RDWR)


SEND_S = 30.0
"""Seconds that a single read or write may stand still, however much time the whole has. [by eye]"""
STOP_WAIT_S = 20.0
"""Seconds that a stopping server waits for answers under way, so that no photograph being read is lost. [by eye]"""
_SWEEP_S = 0.5
"""Seconds between two checks for overdue connections. [by eye]"""
_REFUSED_S, _REFUSED_READS = 0.2, 100
"""How long, and how often, more is read from somebody whose request is none. [by eye]"""
_PIECE_BYTES = 16_384
"""Bytes of a body after which its progress is noted: a sixth of a second at the slowest rate allowed. [by eye]"""
_CHUNK_LINE_BYTES = 100
"""Bytes of a line between the chunks of a body: their length in hexadecimal digits. [by eye]"""
_STREAM_TYPES = ("text/event-stream", "application/zip")
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Server(BaseWSGIServer):
    """A server of an application on a listening socket, until `stop`.

    It is built on Werkzeug's server for requests and answers, and adds what a house full of phones needs: TLS
    handshakes outside the accepting loop, deadlines for everything that the other side does, and a limit on connections
    (docs/security.md compares other servers). `tls` may be replaced while it serves. `is_known` returns whether places
    are kept for an address.
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
        self.ssl_context = tls  # only for the scheme of addresses; the listening socket stays plain
        self.tls = tls
        self._is_known = is_known
        self.connections = Connections()
        self.strangers_turn = threading.Lock()
        self._ended = threading.Event()

    def run(self) -> None:
        """Answer requests until `stop` is called from another thread."""
        threading.Thread(target=self._sweep, name="deadlines", daemon=True).start()
        try:
            self.serve_forever(poll_interval=0.2)
        finally:
            self._ended.set()

    def stop(self) -> None:
        """Accept no more connections, and cut those without a request."""
        self.shutdown()
        self.connections.drop_waiting()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give a connection a place and a thread, or send it away."""
        connection = self.connections.admit(request, known=self._is_known(client_address[0]), address=client_address[0])
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
    """The body of a request. It ends after the length in the headers, so that a reader never waits for more.

    `length` is None if the source knows its end. Every piece extends the connection's deadline.
    """

    def __init__(
        self,
        source: io.BufferedIOBase | io.RawIOBase,
        length: int | None,
        connections: Connections,
        place: Connection,
        ask_for_it: Callable[[], None],
    ) -> None:
        self._source, self._left, self._ask_for_it = source, length, ask_for_it
        self._connections, self._place, self._unreported = connections, place, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = min(len(buffer), _PIECE_BYTES)
        if self._left is not None:
            count = min(count, self._left)
        if not count:
            return 0
        self._connections.note_body(self._place, self._unreported)
        self._ask_for_it()
        self._ask_for_it = _nothing
        data = self._source.read(count) or b""
        self._unreported = len(data)
        buffer[: len(data)] = data
        if self._left is not None:
            self._left -= len(data)
        if self._left == 0 or not data:
            self._connections.enter(self._place, "answering")
        return len(data)


class _Headers(io.RawIOBase):
    """The headers of a request. A reader gets at most `left` bytes of them."""

    def __init__(self, source: io.BufferedIOBase | io.RawIOBase, left: int) -> None:
        self._source, self._left = source, left

    def readline(self, limit: int | None = -1, /) -> bytes:
        """Return the next line; raises LineTooLong, which is answered with 431, if there are too many bytes."""
        line = self._source.readline(self._left + 1)
        self._left -= len(line)
        if self._left < 0:
            raise http.client.LineTooLong("header")
        return line


class _Chunks(io.RawIOBase):
    """The source of a body in chunks. Its lines are short, though Werkzeug before 3.1.9 takes in those of any length.

    A longer line comes in pieces, which Werkzeug refuses.
    """

    def __init__(self, source: io.BufferedIOBase | io.RawIOBase) -> None:
        self._source = source

    def readline(self, limit: int | None = -1, /) -> bytes:
        """Return the next line, or as much of it as may be read at once."""
        asked = _CHUNK_LINE_BYTES if limit is None or limit < 0 else limit
        return self._source.readline(min(asked, _CHUNK_LINE_BYTES))

    def read(self, size: int = -1, /) -> bytes:
        """Return bytes of a chunk."""
        return self._source.read(size) or b""


class _Leftover(io.RawIOBase):
    """The data still on its way after the answer was sent. A read waits at most about a second.

    What strangers still send is read in turns. Hundreds of threads that decrypt it would keep all others waiting.
    """

    def __init__(
        self, connection: socket.socket, place: Connection, turn: threading.Lock, answered: Callable[[], None]
    ) -> None:
        self._connection, self._place, self._turn, self._answered = connection, place, turn, answered

    def read(self, _: int = -1) -> bytes:
        self._answered()
        self._answered = _nothing
        takes_turns = not self._place.known
        if takes_turns and not self._turn.acquire(timeout=1.0):
            return b""
        try:
            self._connection.settimeout(0.1 if takes_turns else 1.0)  # nobody may hold the turn for long
            return self._connection.recv(65_536)
        except OSError:
            return b""
        finally:
            if takes_turns:
                self._turn.release()


def _nothing() -> None:
    pass


class _Handler(WSGIRequestHandler):
    """The handler of a connection. It logs nothing."""

    timeout = SEND_S
    protocol_version = "HTTP/1.1"
    server_version = "Upscore"
    sys_version = ""
    server: Server

    def __init__(self, request: socket.socket, client_address: Any, server: Server, connection: Connection) -> None:
        self._place = connection
        self._source: io.BufferedIOBase | None = None
        self._ask_for_body: Callable[[], None] = _nothing
        super().__init__(request, client_address, server)

    def parse_request(self) -> bool:
        """Parse the request line and the headers, up to a total length; return whether they are valid."""
        source = self.rfile
        self.rfile = _Headers(source, max(0, MAX_HEADER_BYTES - len(self.raw_requestline)))  # type: ignore[assignment]
        try:
            if not super().parse_request():
                return False
            urlsplit(self.path).port  # noqa: B018 (it raises for an address that is none)
        except ValueError:
            self.send_error(400)
            return False
        finally:
            self.rfile = source
        return True

    def handle_expect_100(self) -> bool:
        """Ask for the body only when it is read, so that a body refused for its length or sender is never sent."""
        del self.headers["Expect"]  # Werkzeug would answer it at once
        self._ask_for_body = lambda: cast(None, self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n"))
        return True

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer an invalid request, and read a little of what still arrives, so that the answer gets through."""
        super().send_error(code, message, explain)
        self.close_connection = True
        with suppress(OSError):
            self.connection.settimeout(_REFUSED_S)
            self.connection.shutdown(socket.SHUT_WR)
            for _ in range(_REFUSED_READS):
                if not self.connection.recv(65_536):
                    break

    def make_environ(self) -> Any:
        """Return the WSGI environment of a request whose headers have come. The application reads the body."""
        environ = super().make_environ()
        connections, place = self.server.connections, self._place
        connections.enter(place, "answering")
        if "wsgi.input_terminated" in environ:
            chunks = DechunkedInput(cast(IO[bytes], _Chunks(self.rfile)))
            body = _Body(chunks, None, connections, place, self._ask_for_body)
        else:
            text = environ.get("CONTENT_LENGTH", "")
            length = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
            body = _Body(self.rfile, length, connections, place, self._ask_for_body)
        environ["wsgi.input"] = io.BufferedReader(body)
        environ["upscore.own_address"] = self.connection.getsockname()[0]
        environ["upscore.let_in"] = lambda: connections.let_in(place)
        self._source = self.rfile
        answered = partial(connections.enter, place, "asking")
        self.rfile = _Leftover(self.connection, place, self.server.strangers_turn, answered)  # type: ignore[assignment]
        return environ

    def finish(self) -> None:
        """Close both files, since one left open would keep the socket open."""
        super().finish()
        if self._source is not None:
            self._source.close()

    def send_header(self, keyword: str, value: str) -> None:
        """Send a header, and remove the deadline if it starts a stream."""
        if keyword.lower() == "content-type" and value.split(";")[0] in _STREAM_TYPES:
            self.server.connections.enter(self._place, "streaming")
        super().send_header(keyword, value)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Print nothing, since Werkzeug would parse the address, which may be missing."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Print nothing: the page asks often, and nobody here can fix errors of the other side."""
