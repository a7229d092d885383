"""The turn timer of each game: one for all screens, kept for as long as the server runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.wording import phrase
from webui.errors import WebError

MINUTES = (1, 2, 3, 5, 10)
"""The times for a turn that a table can choose."""


@dataclass(frozen=True)
class Clock:
    """The timer of a turn: the minutes given for it, the turn, and the milliseconds left, below 0 once it is over."""

    minutes: int
    turn: str
    left_ms: int


class TurnClocks:
    """The timers of the games whose tables chose one. Each restarts when its game is first seen at another turn."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._minutes: dict[int, int] = {}
        self._began: dict[int, tuple[str, float]] = {}

    def choose(self, game_id: int, minutes: int | None) -> None:
        """Give every turn of a game this many minutes, beginning now; 0 for no timer."""
        if minutes not in (0, *MINUTES):
            raise WebError(phrase("Choose a time from the list."))
        self._minutes[game_id] = minutes
        self._began.pop(game_id, None)

    def of(self, game_id: int, turn: str) -> Clock | None:
        """Return the timer of a game that is at this turn, or None."""
        minutes = self._minutes.get(game_id, 0)
        if not minutes:
            return None
        now = self._now()
        timed, began = self._began.get(game_id, ("", now))
        if timed != turn:
            began = now
            self._began[game_id] = turn, began
        return Clock(minutes, turn, round(1000 * (60 * minutes - (now - began))))
