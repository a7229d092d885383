"""What is told of a table while it is watched, besides its turns, and when a board that is out of view is sought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.images import Image
from vision.video.motion import Plane, reduce

Where = Literal["sought", "in view", "lost"]

_RETRY, _LONGEST = 1.0, 8.0
"""Seconds between searches for a board, the first and the longest, each twice the last: a search takes a good part of a
second."""
_REST = 30.0
"""Seconds after which a picture that has not changed is searched once more: it shows no more than it did."""
_EAGER = 4
"""Searches that are made whatever the picture shows: a camera that starts takes time to focus."""
_CHANGED = 0.02
"""Share of a picture's pixels that must have changed for it to be another."""
_PIXEL = 0.15
"""Relative change from which a pixel of it counts as changed. By eye, not measured."""
_FAILURES = 2
"""Searches in vain after which the board is said to be out of view: a hand may have hidden it in one."""


@dataclass(frozen=True)
class Scene:
    """One frame of a table.

    Attributes:
        board: where the board is: "sought" until it is found first, "in view", or "lost".
        hand: something moves over the board, or reaches over its edge.
        still: seconds that it has lain free and still, 0 while it does not.
        settled: what lies there has been read.
        due: it is time to read what lies there.
    """

    board: Where
    hand: bool
    still: float
    settled: bool
    due: bool


class Search:
    """When to search for a board that was not found: soon where the picture has changed, seldom where it has not."""

    def __init__(self) -> None:
        self._failures = 0
        self._pause = 0.0
        self._at = -np.inf
        self._vain: Plane | None = None

    @property
    def failed(self) -> bool:
        """Whether the last searches were in vain."""
        return self._failures >= _FAILURES

    def due(self, frame: Image, time: float) -> bool:
        """Whether a search is worth its while now."""
        if self._vain is None:
            return True
        gone = time - self._at
        worth = self._failures < _EAGER or gone >= _REST or self._changed(frame)
        return worth and gone >= self._pause

    def fail(self, frame: Image, time: float) -> bool:
        """The board was not found in this frame; whether it is out of view now."""
        self._failures, self._at, self._vain = self._failures + 1, time, reduce(frame)
        self._pause = min(max(2.0 * self._pause, _RETRY), _LONGEST)
        return self.failed

    def succeed(self) -> None:
        """The board was found."""
        self._failures, self._pause, self._vain = 0, 0.0, None

    def _changed(self, frame: Image) -> bool:
        now = reduce(frame)
        if self._vain is None or now.shape != self._vain.shape:
            return True
        return float(np.mean(np.abs(now - self._vain) > _PIXEL)) > _CHANGED
