"""Live updates: one stream of server-sent events for each open page, with heartbeats and reconnection."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

HOUSE = 0
"""The number of the stream for the list of devices; no game has it."""
RETRY_MS = 2000
"""Milliseconds that a browser waits before it connects again. [by eye]"""
HEARTBEAT_S = 3.0
"""Seconds between two signs of life of a stream. Its page opens it anew if it hears none for seven. [by eye]"""
MAX_STREAMS = 250
"""Streams held open, each with a thread. Further browsers ask again every `RETRY_MS`. [by eye]"""


_ALIVE = "event: alive\ndata: {}\n\n"


class Announcer:
    """Tells waiting threads that the page of a game, named by its number, has something new to show.

    An event has only a running number; the page then fetches the changes. So a page that slept, lost the network or
    survived a restart of the server needs no backlog: the first event brings it up to date. Numbers begin at `first`,
    which has to be larger than any number of an earlier run.
    """

    def __init__(self, *, heartbeat_s: float = HEARTBEAT_S, max_streams: int = MAX_STREAMS, first: int = 0) -> None:
        self._lock = threading.Lock()
        self._changed: dict[int, threading.Condition] = {}
        self._ticks: dict[int, int] = {}
        self._common_ticks = first
        self._streams: Counter[int] = Counter()
        self._closed = False
        self._heartbeat_s = heartbeat_s
        self._max_streams = max_streams

    def announce(self, game_id: int) -> None:
        """Wake every page that shows the game."""
        with self._lock:
            self._ticks[game_id] = self._ticks.get(game_id, 0) + 1
            self._of(game_id).notify_all()

    def announce_all(self) -> None:
        """Wake every page."""
        with self._lock:
            self._common_ticks += 1
            self._wake_all()

    def close(self) -> None:
        """End all streams, for a server that is stopping."""
        with self._lock:
            self._closed = True
            self._wake_all()

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return self._streams.total()

    def is_watched(self, game_id: int) -> bool:
        """Return whether a page of the game is open."""
        return self._streams[game_id] > 0

    def stream(self, game_id: int, seen: int | None = None) -> Iterator[str]:
        """Yield the text of an event stream for a page: an event at once, then one for each change.

        A heartbeat goes out every `heartbeat_s` seconds, so that both sides notice a dead connection. If `max_streams`
        are open the stream ends at once, with an event if there is anything after `seen`. A browser then asks again
        after `RETRY_MS`, until a place is free.
        """

        def news(tick: int, held: bool) -> Iterator[str]:
            if held or tick != seen:
                yield f'id: {tick}\nevent: change\ndata: {{"tick": {tick}}}\n\n'

        return self._stream(game_id, news, _ALIVE)

    def versions(self, game_id: int, version: Callable[[], int], seen: int | None = None) -> Iterator[str]:
        """Yield the text of an event stream for a program: one event for each version of the game after `seen`.

        `version` returns the present version. If `seen` is missing or higher, the first event is for the present
        version. The heartbeat is a comment, so that every event is a version.
        """
        sent = seen

        def news(_tick: int, _held: bool) -> Iterator[str]:
            nonlocal sent
            now = version()
            first = now if sent is None or sent > now else sent + 1
            sent = now
            return (f'id: {number}\ndata: {{"version": {number}}}\n\n' for number in range(first, now + 1))

        return self._stream(game_id, news, ": still here\n\n")

    def _stream(self, game_id: int, news: Callable[[int, bool], Iterable[str]], heartbeat: str) -> Iterator[str]:
        """Yield the events that `news` returns, at the start and whenever the game's number has changed.

        `news` takes that number, and whether the stream is held open.
        """
        with self._lock:
            is_held = not self._closed and self.streams < self._max_streams
            self._streams[game_id] += is_held
        if not is_held:
            yield f"retry: {RETRY_MS}\n\n"
            if not self._closed:
                yield from news(self._tick(game_id), False)
            return
        try:
            last_tick = self._tick(game_id)
            yield f"retry: {RETRY_MS}\n\n"
            yield from news(last_tick, True)
            while not self._closed:
                tick = self._wait(game_id, last_tick)
                if self._closed:
                    return
                if tick == last_tick:
                    yield heartbeat
                else:
                    yield from news(tick, True)
                last_tick = tick
        finally:
            with self._lock:
                self._streams[game_id] -= 1

    def _tick(self, game_id: int) -> int:
        return self._common_ticks + self._ticks.get(game_id, 0)

    def _wait(self, game_id: int, seen: int) -> int:
        """Return the game's number once it differs from `seen`, or `seen` after `heartbeat_s`."""
        deadline = time.monotonic() + self._heartbeat_s
        with self._lock:
            while not self._closed and self._tick(game_id) == seen:
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._of(game_id).wait(left)
            return self._tick(game_id)

    def _of(self, game_id: int) -> threading.Condition:
        """Return the condition that wakes only the pages of one game. The caller must hold the lock."""
        return self._changed.setdefault(game_id, threading.Condition(self._lock))

    def _wake_all(self) -> None:
        for waiting in self._changed.values():
            waiting.notify_all()
