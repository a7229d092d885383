"""The server behind the page: a thread for each connection, none of which can keep the others waiting."""

from __future__ import annotations

import io
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import Flask
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler

from webui.connections import Connection, Connections

SEND_S = 30.0
"""How long one read or write may stand still, however much time the whole has."""
STOPPING_S = 20.0
"""How long a server that stops waits for answers under way: a photograph that is being read is not lost."""
_SWEEP_S = 0.5
_ENDLESS = ("text/event-stream", "application/zip")
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)


class Server(BaseWSGIServer):
    """Serves an application on a listening socket, until `stop`.

    Built on Werkzeug's server for requests and answers. What that lacks for a house full of phones is here: TLS
    handshakes away from the loop that accepts, deadlines for everything that the other side does, and a bound on
    connections (docs/security.md compares others).
    """

    multithread = True

    def __init__(self, listener: socket.socket, app: Flask, tls: ssl.SSLContext | None) -> None:
        host, port = listener.getsockname()[:2]
        super().__init__(host, port, app, _Handler, fd=listener.fileno())
        self.ssl_context = tls  # for the scheme of addresses alone: the listening socket stays a plain one
        self._tls = tls
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
        """Give a connection its thread, or send it away."""
        connection = self.connections.admit(request)
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
            if self._tls is None:
                request.send(_FULL)
        self.shutdown_request(request)

    def _converse(self, connection: Connection, client_address: Any) -> None:
        try:
            connection.socket.settimeout(SEND_S)
            if self._tls is not None:
                connection.socket = self._tls.wrap_socket(
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
    """The body of a request: as long as its headers say, so that reading ends instead of waiting for more."""

    def __init__(self, source: io.BufferedIOBase, length: int, at_end: Callable[[], None]) -> None:
        self._source, self._left, self._at_end = source, length, at_end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        wanted = min(len(buffer), self._left)
        data = self._source.read(wanted) if wanted else b""
        buffer[: len(data)] = data
        self._left -= len(data)
        if wanted and not self._left:
            self._at_end()
        return len(data)


class _Leftover(io.RawIOBase):
    """What is still on its way once the answer is sent: read as it comes, never waited for long."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def read(self, _: int = -1) -> bytes:
        try:
            self._connection.settimeout(1.0)
            return self._connection.recv(65_536)
        except OSError:
            return b""


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
        """The request as WSGI has it; from here on it counts as asked."""
        environ = super().make_environ()
        text = environ.get("CONTENT_LENGTH", "")
        length = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
        connections, place = self.server.connections, self._place
        connections.asked(place, length)
        if "wsgi.input_terminated" not in environ:
            body = _Body(self.rfile, length, lambda: connections.heard(place))
            environ["wsgi.input"] = io.BufferedReader(body)
        environ["upscore.own_address"] = self.connection.getsockname()[0]
        self._source, self.rfile = self.rfile, _Leftover(self.connection)  # type: ignore[assignment]
        return environ

    def finish(self) -> None:
        """Close both ends: a file left open would keep the socket open."""
        super().finish()
        if self._source is not None:
            self._source.close()

    def send_header(self, keyword: str, value: str) -> None:
        """As it is; an answer without an end has no deadline for its end."""
        if keyword.lower() == "content-type" and value.split(";")[0] in _ENDLESS:
            self.server.connections.streams(self._place)
        super().send_header(keyword, value)

    def log(self, type: str, message: str, *args: Any) -> None:
        """Nothing: the page asks often, and what the other side does wrong concerns nobody here."""
