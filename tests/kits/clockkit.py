"""A clock that is set by hand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Clock:
    """A clock that moves only when a test moves it."""

    now: float

    def __call__(self) -> float:
        return self.now
