"""What all sources of evidence have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from vision.geometry.reduced_view import ReducedView
from vision.stopwatch import Stopwatch

Floats = npt.NDArray[np.float64]
State = TypeVar("State")


@dataclass(frozen=True)
class Source(Generic[State]):
    """A source of evidence: shown a view and what is believed so far, it says how the odds change.

    Attributes:
        name: by which it is left out and timed.
        log_odds: what it says, in the shape of what the state believes; each row (the last axis) up to a constant. One
            that measures gives what it measured, and its error.
        between_squares: it gives a face that several squares explain to one of them.
    """

    name: str
    log_odds: Callable[[ReducedView, State], Floats]
    between_squares: bool = False

    def timed(self, watch: Stopwatch) -> Source[State]:
        """The same, its time told to a stopwatch."""
        return replace(self, log_odds=watch.timed(self.name, self.log_odds))
