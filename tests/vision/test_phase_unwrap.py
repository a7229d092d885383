"""Displacements beyond half a square, told from their phases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.sightings import unwrap_phases

SIDE = 14
SLOPES = st.floats(-0.2, 0.2)


def growing(slopes: tuple[float, float], begin: float) -> np.ndarray:
    """Return a displacement (SIDE, SIDE) that grows steadily down and to the right, `begin` in the middle."""
    y, x = np.indices((SIDE, SIDE)) - (SIDE - 1) / 2
    return np.asarray(slopes[0] * y + slopes[1] * x + begin)


@given(down=st.tuples(SLOPES, SLOPES), right=st.tuples(SLOPES, SLOPES), seed=st.integers(0, 2**32 - 1))
def test_a_grid_askew_is_followed_beyond_half_a_square(
    down: tuple[float, float], right: tuple[float, float], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    # so near to its place in the middle that growth too slight to notice stays within half a square
    true = np.stack([growing(right, 0.1), growing(down, -0.1)], axis=-1)
    lost = rng.random((SIDE, SIDE, 1)) < 0.2
    seen = np.where(lost, rng.uniform(-0.5, 0.5, true.shape), true + rng.normal(0, 0.03, true.shape))
    spread = np.where(lost, 0.25, 0.04) * np.ones(2)

    found = unwrap_phases(seen - np.round(seen), spread)

    off = (found - true)[~lost[..., 0]]
    whole = np.round(np.median(off, axis=0))
    assert np.abs(off - whole).max() < 0.2


def test_what_lies_in_place_stays_as_it_was_seen() -> None:
    rng = np.random.default_rng(3)
    moved = rng.normal(0, 0.05, (SIDE, SIDE, 2))
    moved[2, 3] = 0.49

    assert unwrap_phases(moved, np.full(moved.shape, 0.05)) == pytest.approx(moved)


def test_the_field_as_a_whole_moves_least() -> None:
    moved = np.stack([growing((0.15, 0.0), 2.3), growing((0.0, 0.15), -3.1)], axis=-1)

    found = unwrap_phases(moved - np.round(moved), np.full(moved.shape, 0.04))

    assert np.abs(found.mean(axis=(0, 1))).max() <= 0.5
