"""The open connections of the server: how many there may be, and by when each must have got further."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

MOST = 400
"""Connections held at once: 200 viewers with a stream each, and as many requests again under way."""
ASKING_S = 10.0
"""For the handshake, the request line and all headers together, however slowly they drip in."""
LEAST_RATE = 100_000.0
"""Bytes a second that a body must come at, over all of it, after a first allowance of `ASKING_S`."""
ANSWERING_S = 180.0
"""For making an answer and sending it: reading a board on a small computer takes some ten seconds."""

Phase = Literal["asking", "answering", "streaming"]


@dataclass(eq=False)
class Connection:
    """One connection. `deadline` is a time of the clock, None for a stream, whose sends have a limit of their own."""

    socket: socket.socket
    phase: Phase
    deadline: float | None
    dropped: bool = field(default=False)


class Connections:
    """Admits connections and drops those that are overdue.

    When all places are taken, the connection that has waited longest without asking for anything makes room: those
    who open connections and say nothing can keep nobody else out.
    """

    def __init__(self, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._open: dict[Connection, None] = {}
        self._changed = threading.Condition()

    def admit(self, sock: socket.socket) -> Connection | None:
        """A place for a new connection, None where there is none."""
        with self._changed:
            if len(self._open) >= self._most and not self._make_room():
                return None
            connection = Connection(sock, "asking", self._clock() + ASKING_S)
            self._open[connection] = None
            return connection

    def asked(self, connection: Connection, length: int) -> None:
        """The headers are there, and a body of so many bytes is to come."""
        self._go_on(connection, "answering", ASKING_S + length / LEAST_RATE if length else ANSWERING_S)

    def heard(self, connection: Connection) -> None:
        """The whole request is there."""
        self._go_on(connection, "answering", ANSWERING_S)

    def streams(self, connection: Connection) -> None:
        """The answer is one without an end."""
        self._go_on(connection, "streaming", None)

    def leave(self, connection: Connection) -> None:
        """The connection is over."""
        with self._changed:
            self._open.pop(connection, None)
            self._changed.notify_all()

    def drop_overdue(self) -> int:
        """Cut every connection whose time is up; how many."""
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
        """Wait until no answer is under way any more; whether that came about in time."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not any(one.phase == "answering" for one in self._open), timeout_s
            )

    def __len__(self) -> int:
        return len(self._open)

    def _go_on(self, connection: Connection, phase: Phase, seconds: float | None) -> None:
        with self._changed:
            connection.phase = phase
            connection.deadline = None if seconds is None else self._clock() + seconds
            self._changed.notify_all()

    def _make_room(self) -> bool:
        oldest = next((one for one in self._open if one.phase == "asking"), None)
        if oldest is not None:
            self._cut(oldest)
        return oldest is not None

    def _cut(self, connection: Connection) -> None:
        """Wake the thread that waits for the other side, by ending both directions; the thread then closes it."""
        connection.dropped = True
        connection.deadline = None
        self._open.pop(connection, None)
        with suppress(OSError):
            # the plain socket's own: a TLS one would first forget its state, under the thread that uses it
            socket.socket.shutdown(connection.socket, socket.SHUT_RDWR)
