"""Do many viewers, or slow clients, fall it over?"""

from __future__ import annotations

import re
import selectors
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from workshop.bench.campaigns.served import Report, Served, percentile


@dataclass(frozen=True)
class Watched:
    """The result with many viewers: seconds that events and pages took, megabytes before and after."""

    events: int
    missed: int
    delays: list[float]
    pages: list[float]
    memory: tuple[float, float]


def viewers(folder: Path, *, each: int, tables: int, seconds: float) -> Report:
    """Let many watch several tables at which play goes on: each must hear of every version, and the page stay quick."""
    report = Report("viewers", f"{tables} tables, {each * tables} viewers, {seconds:.0f} s")
    found = watch_tables(folder, each=each, tables=tables, seconds=seconds)
    report.figures = {
        "events": found.events,
        "missed": found.missed,
        "event p99": f"{1000 * percentile(found.delays, 0.99):.0f} ms",
        "page p99": f"{1000 * percentile(found.pages, 0.99):.0f} ms",
        "memory": f"{found.memory[0]:.0f} to {found.memory[1]:.0f} MB",
    }
    if found.missed:
        report.wrong.append(f"{found.missed} events missed")
    return report


def watch_tables(folder: Path, *, each: int, tables: int, seconds: float) -> Watched:
    """Play at several tables, each with this many viewers, one entry and one page after another."""
    with Served(folder) as served:
        games = [served.new_game() for _ in range(tables)]
        versions = {int(game["id"]): int(game["version"]) for game in games}
        watching = _Watching(served.port, [number for number in versions for _ in range(each)])
        before = served.memory()
        pages: list[float] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for number in list(versions):
                status, state = served.turn(number, versions[number])
                if status == 200:
                    versions[number] = int(state["version"])
                    watching.said[number, versions[number]] = time.monotonic()
                began = time.monotonic()
                served.ask(f"/games/{number}")
                pages.append(time.monotonic() - began)
                watching.hear(0.05)
        watching.hear_out(versions)
        found = Watched(
            len(watching.said), watching.count_missed(versions), watching.delays, pages, (before, served.memory())
        )
        watching.close()
    return found


class _Watching:
    """Streams of events, read side by side; those that find no place ask again, as browsers do."""

    def __init__(self, port: int, games: list[int]) -> None:
        self._port = port
        self._ready = selectors.DefaultSelector()
        self.said: dict[tuple[int, int], float] = {}
        self.delays: list[float] = []
        self._last: dict[int, int] = {}
        self._games = dict(enumerate(games))
        self._again: dict[int, float] = {}
        for viewer in self._games:
            self._open(viewer)

    def _open(self, viewer: int) -> None:
        stream = socket.create_connection(("127.0.0.1", self._port), 30)
        last = f"Last-Event-ID: {self._last[viewer]}\r\n" if viewer in self._last else ""
        path = f"/api/v1/games/{self._games[viewer]}/events"
        stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{last}\r\n".encode())
        stream.setblocking(False)
        self._ready.register(stream, selectors.EVENT_READ, viewer)

    def hear(self, seconds: float) -> None:
        """Read everything that arrives within this time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for viewer in [one for one, due in self._again.items() if due <= time.monotonic()]:
                del self._again[viewer]
                self._open(viewer)
            for key, _ in self._ready.select(left):
                stream = key.fileobj
                assert isinstance(stream, socket.socket)
                data = stream.recv(65_536)
                for found in re.finditer(rb"^id: (\d+)\n", data, re.MULTILINE):
                    self._hear(key.data, int(found[1]))
                if not data:
                    self._ready.unregister(stream)
                    stream.close()
                    self._again[key.data] = time.monotonic() + 2.0

    def _hear(self, viewer: int, version: int) -> None:
        self._last[viewer] = version
        when = self.said.get((self._games[viewer], version))
        if when is not None:
            self.delays.append(time.monotonic() - when)

    def hear_out(self, versions: dict[int, int]) -> None:
        """Read on until all have the last version, or three seconds have passed."""
        end = time.monotonic() + 3.0
        while time.monotonic() < end and self.count_missed(versions):
            self.hear(0.1)

    def count_missed(self, versions: dict[int, int]) -> int:
        """Return how many viewers lack the newest version of their table."""
        return sum(self._last.get(viewer) != versions[game] for viewer, game in self._games.items())

    def close(self) -> None:
        """Leave."""
        for key in list(self._ready.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._ready.close()


def slow_clients(folder: Path, idle: int) -> Report:
    """Open connections that say nothing, and some that say a byte now and then, beside somebody who wants a page."""
    report = Report("slow clients", f"{idle} idle connections")
    with Served(folder) as served:
        game = served.new_game()
        held = [socket.create_connection(("127.0.0.1", served.port), 30) for _ in range(idle)]
        for one in held[-20:]:
            one.sendall(b"GET / HT")
        _page_beside(held, served, int(game["id"]), report)
    return report


def dripping_bodies(folder: Path, bodies: int) -> Report:
    """Open connections that announce a photograph and send little of it, beside somebody who wants a page."""
    report = Report("dripping bodies", f"{bodies} connections")
    with Served(folder) as served:
        game = served.new_game()
        head = (
            f"POST /games/{game['id']}/photo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x"
        )
        held = []
        for _ in range(bodies):
            held.append(socket.create_connection(("127.0.0.1", served.port), 30))
            held[-1].sendall(head.encode())
        time.sleep(1.0)
        _page_beside(held, served, int(game["id"]), report)
    return report


def _page_beside(held: list[socket.socket], served: Served, game: int, report: Report) -> None:
    """Ask for a page twenty times beside connections that are held, then close these."""
    times = []
    for _ in range(20):
        began = time.monotonic()
        status, _ = served.ask(f"/games/{game}")
        times.append(time.monotonic() - began)
        if status != 200:
            report.wrong.append(f"{status} beside them")
    for one in held:
        one.close()
    report.figures = {"page, slowest": f"{1000 * max(times):.0f} ms"}
    if max(times) > 3.0:
        report.late.append("the page kept somebody waiting")
