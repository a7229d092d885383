"""The scan of a line for runs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.squares import run_around, runs_along

lines = st.lists(st.booleans(), min_size=1, max_size=12)


@given(lines)
def test_runs_are_the_longest_occupied_stretches(line: list[bool]) -> None:
    text = "".join("x" if occupied else " " for occupied in line)
    assert [end - start for start, end in runs_along(line)] == [len(run) for run in text.split() if len(run) > 1]
    for start, end in runs_along(line):
        assert all(line[start:end])
        assert all(run_around(line, at, at) == (start, end) for at in range(start, end))


@given(lines, st.data())
def test_a_run_holds_the_squares_that_are_taken_for_occupied(line: list[bool], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(line) - 1))
    last = data.draw(st.integers(first, len(line) - 1))
    filled = [*line[:first], *[True] * (last + 1 - first), *line[last + 1 :]]
    assert run_around(line, first, last) == run_around(filled, first, first)
