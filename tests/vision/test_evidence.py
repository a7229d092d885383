"""Sources of evidence: each can be left out by name, and is timed."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from samples import photograph

from vision import BoardReader, BoardReading
from vision.arrays import log_softmax, logsumexp, sigmoid, softmax
from vision.evidence import all_sources, source_names
from vision.stopwatch import Stopwatch

NAMES = source_names(all_sources())
SAMPLE, UNSURE = "blue_10x10/11.jpg", "blue_10x10/02.jpg"


@cache
def read_without(*names: str, sample: str = SAMPLE) -> BoardReading:
    image, _ = photograph(sample)
    return BoardReader(without=names).read(image, 10)


def test_every_source_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(NAMES) > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_source_that_is_left_out_is_not_asked(name: str) -> None:
    assert name not in read_without(name).timings
    assert name in read_without().timings
    assert set(NAMES) - {name} <= set(read_without(name).timings)


@pytest.mark.parametrize(("name", "sample"), [("colour", SAMPLE), ("overlap", SAMPLE), ("upright letter", UNSURE)])
def test_what_is_left_out_is_missed(name: str, sample: str) -> None:
    everything, less = read_without(sample=sample), read_without(name, sample=sample)
    assert np.abs(everything.height_probs - less.height_probs).max() > 1e-3


def test_with_none_but_the_plane_sweep_a_board_is_still_read() -> None:
    everything, least = read_without(), read_without(*NAMES)
    assert ((everything.heights() > 0) == (least.heights() > 0)).mean() > 0.9


def test_a_name_that_no_source_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no source of evidence: smell; there are colour"):
        BoardReader(without={"smell"})


def test_times_of_a_stage_add_up() -> None:
    watch = Stopwatch()
    assert watch.wrap("stage", lambda a, b: a + b)(1, b=2) == 3
    first = watch.seconds["stage"]
    with pytest.raises(KeyError), watch.timing("stage"):
        raise KeyError
    assert watch.seconds["stage"] > first > 0.0
    assert watch.read() >= watch.seconds["stage"]


@given(arrays.arrays(np.float64, (3, 5), elements=st.floats(-400, 400)))
def test_log_probabilities_are_those_of_the_textbook(logits: np.ndarray) -> None:
    assert np.allclose(logsumexp(logits), np.logaddexp.reduce(logits, axis=-1))
    assert np.allclose(np.exp(log_softmax(logits)), softmax(logits))
    assert np.allclose(softmax(logits).sum(axis=-1), 1.0)
    pair = np.stack([np.zeros(5), logits[0]], axis=-1)
    assert np.allclose(softmax(pair)[:, 1], sigmoid(logits[0]))
