"""The assignment of letters to squares, against trying all of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.layout import assign


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    squares, labels = draw(st.integers(1, 5)), draw(st.integers(2, 4))
    logs = draw(st.lists(st.floats(-9, 0), min_size=squares * labels, max_size=squares * labels).map(np.array)).reshape(
        squares, labels
    )
    supply = np.array(draw(st.lists(st.integers(0, 3), min_size=labels, max_size=labels)))
    supply[0] += max(0, squares - supply.sum())
    return logs, supply


def possible(logs: np.ndarray, supply: np.ndarray) -> dict[tuple[int, ...], float]:
    """Every labelling that the supply allows, with its log probability."""
    squares, labels = logs.shape
    return {
        chosen: float(logs[np.arange(squares), list(chosen)].sum())
        for chosen in product(range(labels), repeat=squares)
        if (np.bincount(chosen, minlength=labels) <= supply).all()
    }


@given(problems())
def test_it_is_the_most_probable_of_all(problem: tuple[np.ndarray, np.ndarray]) -> None:
    logs, supply = problem
    found, every = assign(logs, supply), possible(logs, supply)
    assert tuple(found.labels) in every
    assert found.total == pytest.approx(every[tuple(found.labels)])
    assert found.total == pytest.approx(max(every.values()))
    for square, label in enumerate(found.labels):
        others = [total for chosen, total in every.items() if chosen[square] != label]
        if others:
            assert found.margins[square] == pytest.approx(found.total - max(others), abs=1e-6)
        else:
            assert np.isinf(found.margins[square])


def test_a_whole_set_is_labelled_from_doubtful_readings() -> None:
    rng = np.random.default_rng(5)
    truth = np.repeat(np.arange(26), 4)[:100]
    logs = rng.normal(-8, 1.0, (100, 26))
    logs[np.arange(100), truth] = rng.normal(-5, 1.0, 100)
    alone = logs.argmax(axis=1) != truth
    found = assign(logs, np.bincount(truth, minlength=26))
    wrong = found.labels != truth
    assert alone.sum() > 10
    assert wrong.sum() < alone.sum()
    assert (found.margins[wrong] < 3.0).all()


def test_too_few_labels() -> None:
    with pytest.raises(ValueError, match="2 labels for 3 squares"):
        assign(np.zeros((3, 2)), [1, 1])
