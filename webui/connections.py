"""The open connections of the server: how many there may be, who gets a place, and by when each must get further."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

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
