"""Things pasted on rendered boards: what they hide counts as hidden, and nothing else does."""

from __future__ import annotations

import numpy as np
import pytest
from readings import camera

from workshop.training.board_samples import BoardSample
from workshop.training.covers.pasting import with_thing

pytestmark = pytest.mark.slow


def bare(value: int = 90) -> BoardSample:
    """Return a picture of one grey, with an empty board in it."""
    nothing = np.zeros((8, 8))
    image = np.full((960, 1280, 3), value, dtype=np.uint8)
    return BoardSample(image, 8, camera(), 0.25, 0.0, nothing.astype(np.int64), nothing + 1.0, nothing)


def test_squares_under_a_thing_count_as_hidden_and_no_longer_as_seen() -> None:
    hidden = 0
    for seed in range(12):
        sample = with_thing(bare(), np.random.default_rng(seed))
        np.testing.assert_allclose(sample.visible + sample.hand, 1.0)
        hidden += int((sample.hand > 0.9).sum())
    assert hidden > 12


def test_what_a_thing_does_not_hide_is_as_it_was() -> None:
    for seed in range(6):
        before = bare()
        after = with_thing(before, np.random.default_rng(seed))
        if not after.hand.any():
            continue
        row, col = (int(at[0]) for at in np.nonzero(after.hand == after.hand.max()))
        x, y = before.camera.project(np.array([[col + 0.5, row + 0.5, 0.0]]))[0].astype(int)
        assert (after.image[y, x] != before.image[y, x]).any()
        assert after.image.shape == before.image.shape
        assert (after.image[0, 0] == before.image[0, 0]).all(), "far from the board nothing is pasted"


def test_a_board_is_never_hidden_for_the_most_part() -> None:
    for seed in range(40):
        assert (with_thing(bare(), np.random.default_rng(seed)).hand > 0.4).mean() <= 0.5
