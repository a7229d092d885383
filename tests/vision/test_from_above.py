"""Heights seen from above: elevations that are hardly known, and sizes that tell how they differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples

from engine import Board
from vision.heights import from_above
from vision.heights.comparison import log_magnification
from vision.heights.elevations import Elevations, make_uncompared, make_unmeasured
from vision.heights.plane_sweep import SLICE_STEP, SLICES
from vision.heights.stack_heights import expect_heights, fit_heights
from vision.heights.thickness import STACK_PRIOR, STYLES, THICKNESSES, Style

N = 8
AWAY = 14.0
LAYER = 0.25
HEIGHTS = np.zeros((N, N), dtype=np.int64)
HEIGHTS[3, 1:7] = [1, 2, 1, 3, 1, 1]
HEIGHTS[4:7, 3] = [2, 5, 4]
HEIGHTS[0, :3] = [1, 4, 1]


def see(
    spread: float, *, width: float = 0.85, lean: tuple[float, float] = (0.0, 0.0), astray: float = 0.0
) -> Elevations:
    """Return elevations off by `spread` slices each and by `astray` cells together, and sizes known up to a lean."""
    slices = np.arange(1, SLICES)
    off = np.random.default_rng(1).normal(0.0, 0.7 * spread, HEIGHTS.shape)
    at = (HEIGHTS * LAYER + astray) / SLICE_STEP + off
    logs = np.full((N, N, SLICES), -40.0)
    logs[..., 1:] = -0.5 * ((slices - at[..., None]) / spread) ** 2
    logs[..., 1:] -= np.log(np.exp(logs[..., 1:]).sum(axis=-1, keepdims=True))
    logs[HEIGHTS == 0] = [0.0, *np.full(SLICES - 1, -40.0)]
    sizes = make_unmeasured((N, N))
    rows, cols = np.indices((N, N))
    sizes[..., 0] = np.log(width) + log_magnification(np.asarray(HEIGHTS * LAYER, dtype=np.float64), AWAY)
    sizes[..., 0] += lean[0] * ((rows + 0.5) / N - 0.5) + lean[1] * ((cols + 0.5) / N - 0.5)
    sizes[..., 1] = np.where(HEIGHTS > 0, 0.002, np.inf)
    nothing = np.zeros((N, N))
    return Elevations(
        logs, logs, nothing, nothing, np.zeros(len(THICKNESSES)), sizes, make_unmeasured((N, N, 2)), make_uncompared(N),
        AWAY, 0.0, np.zeros((N + 2, N + 2)),
    )  # fmt: skip


def read(elevations: Elevations, board: Board | None = None, styles: tuple[Style, ...] = STYLES) -> np.ndarray:
    fitted = fit_heights(elevations, None, expect_heights(board), styles)
    return np.asarray(fitted.logits.argmax(axis=-1))


def board_of(heights: np.ndarray) -> Board:
    return Board(tuple(tuple(tuple("ABCDE"[:count]) for count in row) for row in heights.tolist()))


@examples(20)
@given(width=st.floats(0.7, 0.95))
def test_sizes_tell_heights_whatever_the_tiles_measure(width: float) -> None:
    vague = see(3.0, width=width)
    assert (read(vague) == HEIGHTS).all()
    assert (read(replace(vague, sizes=make_unmeasured((N, N)))) != HEIGHTS).any()


def test_a_pose_a_little_askew_passes_for_little_height(monkeypatch: pytest.MonkeyPatch) -> None:
    leaning = see(1.5, lean=(0.04, -0.03))
    wrong = int((read(leaning) != HEIGHTS).sum())
    monkeypatch.setattr(from_above, "_LEAN_SPREAD", 1e-6)
    assert wrong <= 1
    assert int((read(leaning) != HEIGHTS).sum()) > wrong


def test_one_mistaken_size_misleads_no_other_face() -> None:
    mistaken = see(2.0)
    mistaken.sizes[3, 1, 0] += 0.06
    told = read(mistaken)
    told[3, 1] = HEIGHTS[3, 1]
    assert (told == HEIGHTS).all()


def test_the_board_before_tells_which_of_two_levels_it_is() -> None:
    """All faces seem a layer too low. The picture alone is read like that, but not if most stacks are known."""
    before = HEIGHTS.copy()
    before[6, 3], before[0, 2] = 3, 0
    low = see(1.0, astray=-0.6 * LAYER)
    assert (read(low, board_of(before)) == HEIGHTS).all()


def test_walls_tell_which_of_two_levels_it_is() -> None:
    """All faces seem a layer too high. Walls show only roughly how high they are, but together they decide."""
    high = see(0.7, astray=LAYER)
    high.sizes[HEIGHTS > 0, 1] = 0.02
    walls = make_unmeasured((N, N, 2))
    off = np.random.default_rng(4).normal(0.0, 0.4 * LAYER, HEIGHTS.shape)
    walls[..., 0, 0] = HEIGHTS * LAYER + off
    walls[..., 0, 1] = np.where(HEIGHTS > 0, 0.4 * LAYER, np.inf)
    assert (read(high) != HEIGHTS).sum() > 5
    assert (read(replace(high, walls=walls)) != HEIGHTS).sum() <= 1


def towers(seed: int) -> tuple[np.ndarray, Elevations]:
    """Return stacks of up to five thin tiles, and how they look from far away: a fifth too low, with vague sizes."""
    layer, away, heights = 0.23, 20.0, HEIGHTS.copy()
    heights[3, 1:7] = [5, 4, 5, 1, 5, 4]
    rng = np.random.default_rng(seed)
    at = heights * layer * 0.8 / SLICE_STEP + rng.normal(0.0, 0.5, heights.shape)
    logs = np.full((N, N, SLICES), -40.0)
    logs[..., 1:] = -0.5 * ((np.arange(1, SLICES) - at[..., None]) / 1.5) ** 2
    logs[heights == 0] = [0.0, *np.full(SLICES - 1, -40.0)]
    sizes = make_unmeasured((N, N))
    sizes[..., 0] = (
        np.log(0.85)
        + log_magnification(np.asarray(heights * layer, dtype=np.float64), away)
        + rng.normal(0.0, 0.008, heights.shape)
    )
    sizes[..., 1] = np.where(heights > 0, 0.008, np.inf)
    return heights, replace(see(1.0), log_probs=logs, sizes=sizes, away=away)


def test_towers_do_not_pass_for_fewer_thicker_tiles() -> None:
    """Four thick tiles would explain the look of five thin ones just as well."""
    drawn = [towers(seed) for seed in range(8)]
    wrong = sum(int((read(told) != heights).sum()) for heights, told in drawn)
    others = (0.5, STACK_PRIOR), STYLES[0]
    assert 2 * wrong < sum(int((read(told, styles=others) != heights).sum()) for heights, told in drawn)


def test_hidden_squares_say_nothing() -> None:
    part = see(2.0)
    part.hidden[0] = 1.0
    part.sizes[0, :, 1] = np.inf
    assert (read(part)[3:] == HEIGHTS[3:]).all()
