"""Kinds of colours, the odds between them, and uneven light."""

from __future__ import annotations

import numpy as np
import pytest

from vision.heights.colour import ColourModel, illumination_gain, log_odds, relight

DIFFER = np.array([6.0, 4.0, 4.0])
BROWN, CREAM = np.array([35.0, 15.0, 20.0]), np.array([88.0, 0.0, 10.0])


def around(middle: np.ndarray, count: int = 40, spread: float = 3.0) -> np.ndarray:
    return middle + np.random.default_rng(1).normal(0, spread, (count, 3))


def test_a_colour_is_likelier_of_its_own_kind() -> None:
    board, tiles = ColourModel.of(around(BROWN), DIFFER), ColourModel.of(around(CREAM), DIFFER)
    assert log_odds(CREAM, tiles, board) > 5
    assert log_odds(BROWN, tiles, board) < -5
    assert np.isclose(log_odds(CREAM, tiles, board), -log_odds(CREAM, board, tiles))


def test_a_colour_like_neither_kind_says_nothing() -> None:
    board, tiles = ColourModel.of(around(BROWN), DIFFER), ColourModel.of(around(CREAM), DIFFER)
    assert log_odds(np.array([50.0, 60.0, -60.0]), tiles, board) == 0.0


def test_the_wider_of_two_kinds_with_one_middle_has_what_lies_far_out() -> None:
    narrow, wide = (
        ColourModel.of(around(BROWN, spread=0.5), DIFFER),
        ColourModel.of(around(BROWN, spread=0.5), 2 * DIFFER),
    )
    assert log_odds(BROWN, narrow, wide) > 1
    assert log_odds(BROWN + np.array([12.0, 8.0, 0.0]), narrow, wide) < 0


def test_a_few_strangers_hardly_change_a_kind() -> None:
    plain = ColourModel.of(around(BROWN), DIFFER)
    mixed = ColourModel.of(np.concatenate([around(BROWN), np.tile(CREAM, (6, 1))]), DIFFER)
    assert np.abs(mixed.middle - plain.middle).max() < 1.5
    assert mixed.half_log_det < plain.half_log_det + 1.0


def test_light_that_falls_on_half_of_a_board_is_evened() -> None:
    squares = np.tile(BROWN, (8, 8, 1))
    dim = np.ones((8, 8, 3))
    dim[:, 5:] = 0.25
    seen = relight(squares, dim)
    even = relight(seen, illumination_gain(seen, np.ones((8, 8), dtype=bool)))
    assert np.abs(seen - BROWN).max() > 10
    assert np.abs(even - BROWN).max() < 1.0


def test_one_painted_square_does_not_pass_for_light() -> None:
    squares = np.tile(BROWN, (8, 8, 1))
    squares[3, 3] = CREAM
    assert np.allclose(illumination_gain(squares, np.ones((8, 8), dtype=bool)), 1.0, atol=1e-3)


@pytest.mark.parametrize("bare", [1, 5, 64])
def test_black_squares_stay_finite(bare: int) -> None:
    known = (np.arange(64) < bare).reshape(8, 8)
    change = illumination_gain(np.zeros((8, 8, 3)), known)
    assert np.allclose(change, 1.0)
    assert np.isfinite(relight(np.zeros((8, 8, 3)), change)).all()
