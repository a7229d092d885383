"""The looks since a certain board: what each holds against every state of every square, alone and after others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.board import MAX_HEIGHT
from vision.turn.inference.prior import Gap
from vision.turn.look import Look

Floats = npt.NDArray[np.float64]

_AGAIN = 0.4
"""Weight of what a look holds against a state that the one before held against it, too: supposed, from letters that are
misread picture after picture."""


class Looks:
    """The looks since a certain board, and the gap before each.

    `bias` (n, n, 6, 26) is what is taken off their log likelihoods: what looked so before and was not.
    """

    def __init__(self, looks: Sequence[Look], gaps: Sequence[Gap], bias: Floats | None = None) -> None:
        self.looks, self.gaps = tuple(looks), tuple(gaps)
        tables = [look.table if bias is None else look.table - bias for look in looks]
        self._tables = [table - table.max(axis=(2, 3), keepdims=True) for table in tables]
        self._spans: dict[tuple[int, int], Floats] = {}
        self._off: dict[tuple[int, int], Floats] = {}

    @property
    def last(self) -> int:
        """Number of the newest look, from 0."""
        return len(self.looks) - 1

    @property
    def newest(self) -> Floats:
        """(n, n, 6, 26) how far the newest look speaks against each state, at most 0, as log likelihood."""
        return self.span(self.last, self.last)

    def repeated(self, number: int) -> Floats:
        """(n, n, 6, 26) what look `number` holds against a state that the look before it held against it, too.

        It is to be added where the state stayed: one picture after another errs in the same way.
        """
        key = (number, number - 1)
        if key not in self._spans:
            self._spans[key] = -(1.0 - _AGAIN) * np.maximum(self._tables[number - 1], self._tables[number])
        return self._spans[key]

    def off(self, number: int, layers: int) -> Floats:
        """(n, n, 6, 26) what look `number` would hold against each state if all stacks seemed `layers` too high."""
        key = (number, layers)
        if key not in self._off:
            seen_as = np.clip(np.arange(1, MAX_HEIGHT + 1) + layers, 1, MAX_HEIGHT)
            self._off[key] = self._tables[number][:, :, [0, *seen_as]]
        return self._off[key]

    def span(self, first: int, last: int) -> Floats:
        """(n, n, 6, 26) how far looks `first` to `last` speak against each state, at most 0, as log likelihood."""
        if (first, last) not in self._spans:
            self._spans[first, last] = np.sum(self._tables[first : last + 1], axis=0)
        return self._spans[first, last]
