"""Where hands reach on the boards that networks are trained with."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="numba is not installed (the `train` extra)")

from workshop.training.scene.hand import random_hand

pytestmark = pytest.mark.slow

TILE = np.array([[8, 1]])


def _nearest(seed: int, tiles: np.ndarray) -> float:
    """Cells from the middle of the tile at row 8, column 1 to the nearest end of a finger's piece."""
    capsules, _, _ = random_hand(np.random.default_rng(seed), 10, tiles)
    return float(np.linalg.norm(capsules[:, 3:5] - (1.5, 8.5), axis=1).min())


def test_most_hands_reach_for_a_tile() -> None:
    near = [_nearest(seed, TILE) < 1.6 for seed in range(200)]
    anywhere = [_nearest(seed, TILE[:0]) < 1.6 for seed in range(200)]
    assert np.mean(near) > 0.55
    assert np.mean(anywhere) < 0.3
