"""What lies on the boards that networks are trained with."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import FACES
from workshop.training.scene.content import random_content, stairs

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 2**32 - 1)


@given(seed=SEEDS, n=st.sampled_from([5, 8, 10, 15]), flat=st.booleans())
def test_every_square_is_empty_or_a_stack_with_a_face(seed: int, n: int, flat: bool) -> None:
    content = random_content(np.random.default_rng(seed), n, flat)
    assert content.heights.shape == (n, n)
    assert content.heights.min() >= 0
    assert content.heights.max() <= (1 if flat else 5)
    for row in range(n):
        for col in range(n):
            face = content.faces[row][col]
            assert (face in FACES) == (content.heights[row, col] > 0)
            assert face in (*FACES, "")


def test_boards_are_varied_and_faces_equally_frequent() -> None:
    rng = np.random.default_rng(3)
    boards = [random_content(rng, 10, flat=False) for _ in range(300)]
    filled = [float((board.heights > 0).mean()) for board in boards]
    assert min(filled) == 0.0
    assert max(filled) > 0.85
    assert 0.15 < float(np.median(filled)) < 0.6
    faces = Counter(face for board in boards for row in board.faces for face in row if face)
    expected = sum(faces.values()) / len(FACES)
    assert set(faces) == set(FACES)
    assert max(abs(count - expected) for count in faces.values()) < 5 * np.sqrt(expected)
    assert {height for board in boards for height in board.heights.ravel().tolist()} == {0, 1, 2, 3, 4, 5}


def test_the_same_seed_gives_the_same_board() -> None:
    first, second = (random_content(np.random.default_rng(8), 8, flat=False) for _ in range(2))
    assert first.faces == second.faces
    assert (first.heights == second.heights).all()


@given(seed=SEEDS)
def test_along_a_stair_stacks_grow_by_one_at_a_time(seed: int) -> None:
    heights = stairs(np.random.default_rng(seed), 10, 1)
    rows, cols = np.nonzero(heights)
    assert len(set(rows)) == 1 or len(set(cols)) == 1
    steps = set(np.diff(heights[rows, cols]).tolist())
    assert steps <= {0, 1} or steps <= {0, -1}


def test_stairs_cross_and_reach_every_height() -> None:
    boards = [stairs(np.random.default_rng(seed), 8, 5) for seed in range(40)]
    crossing = [min(len(set(axis.tolist())) for axis in np.nonzero(board)) > 1 for board in boards]
    assert np.mean(crossing) > 0.8
    assert {height for board in boards for height in board.ravel().tolist()} == {0, 1, 2, 3, 4, 5}
