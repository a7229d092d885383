"""The scan of a line for runs: squares in a row without an empty one among them, as words stand on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def run_around(line: Sequence[object], first: int, last: int) -> tuple[int, int]:
    """Where the run that holds the squares `first` to `last` of a line begins and where it ends, exclusive.

    `line` is true where a square is occupied: stacks and heights will do. The squares from `first` to `last` are
    taken for occupied, whatever the line says.
    """
    start, end, size = first, last + 1, len(line)
    while start and line[start - 1]:
        start -= 1
    while end < size and line[end]:
        end += 1
    return start, end


def runs_along(line: Sequence[object]) -> Iterator[tuple[int, int]]:
    """Where each run of two squares or more of a line begins and where it ends, exclusive, from the first on."""
    start = 0
    for at, occupied in enumerate((*line, None)):
        if not occupied:
            if at - start > 1:
                yield start, at
            start = at + 1
