"""Measure how long each stage of one reading takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Stopwatch:
    """The seconds that each stage took, added up by name. Every reading has its own, so threads share none."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self.seconds: dict[str, float] = {}

    def read(self) -> float:
        """Return the seconds since the reading began."""
        return time.perf_counter() - self._began

    @contextmanager
    def timing(self, stage: str) -> Iterator[None]:
        """Add the time of a `with` block to a stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - began

    def wrap(self, stage: str, function: Callable[P, R]) -> Callable[P, R]:
        """Wrap a function so that its time is added to a stage."""

        def watched(*args: P.args, **more: P.kwargs) -> R:
            with self.timing(stage):
                return function(*args, **more)

        return watched
