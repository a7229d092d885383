"""A clock that is set by hand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Clock:
    """Stands still until it is told to go on."""

    now: float

    def __call__(self) -> float:
        return self.now
