"""What colours tell of stacks: tiles that lie on a painted board, and prints that only look like them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from readings import along_columns

from vision import Camera
from vision.geometry.rectify import ReducedView
from vision.heights.colour import ColourModel, colour_log_odds, illumination_gain, log_odds, relight
from vision.heights.elevations import SliceState
from vision.heights.plane_sweep import SLICE_STEP, SLICES

Colour = tuple[int, int, int]
BOARD, CREAM, SIDE = (40, 60, 110), (190, 225, 235), (120, 150, 165)
SIZE = 8
KNOWN = [(1, 1), (1, 6), (6, 1), (6, 6), (2, 5), (5, 2)]
"""Squares that bear tiles beyond doubt."""
STACKS = [(*square, 0.5) for square in KNOWN]
ASKED = (4, 4)


def polygon(picture: np.ndarray, seen: Camera, corners: list[tuple[float, float, float]], colour: Colour) -> None:
    cv2.fillConvexPoly(picture, np.round(seen.project(corners)).astype(np.int32), colour)


def stack(picture: np.ndarray, seen: Camera, row: int, col: int, top: float) -> None:
    x0, x1, y0, y1 = col + 0.07, col + 0.93, row + 0.07, row + 0.93
    polygon(picture, seen, [(x0, y1, 0), (x1, y1, 0), (x1, y1, top), (x0, y1, top)], SIDE)
    polygon(picture, seen, [(x0, y0, top), (x1, y0, top), (x1, y1, top), (x0, y1, top)], CREAM)


def photograph(
    *stacks: tuple[int, int, float], ring: tuple[int, int] | None = None, board: Colour = BOARD
) -> np.ndarray:
    """Return a plain board with stacks (row, column, elevation), and perhaps a cream ring printed on one square."""
    picture = np.zeros((960, 1280, 3), np.uint8) + 90
    seen = along_columns(0.7)
    polygon(picture, seen, [(-0.5, -0.5, 0), (8.5, -0.5, 0), (8.5, 8.5, 0), (-0.5, 8.5, 0)], board)
    if ring:
        turn = np.linspace(0, 2 * np.pi, 40)
        points = np.column_stack([ring[1] + 0.5 + 0.25 * np.cos(turn), ring[0] + 0.5 + 0.25 * np.sin(turn), 0 * turn])
        cv2.polylines(picture, [np.round(seen.project(points)).astype(np.int32)], True, CREAM, 5)
    for row, col, top in sorted(stacks):
        stack(picture, seen, row, col, top)
    return picture


def shade(picture: np.ndarray, dim: float, reach: float) -> np.ndarray:
    """Return the picture with a shadow on everything up to `reach` squares from the middle of that square."""
    patch = np.zeros(picture.shape[:2], np.uint8)
    near, far = 4.5 - reach, 4.5 + reach
    corners = [(near, near, 0.0), (far, near, 0.0), (far, far, 0.0), (near, far, 0.0)]
    cv2.fillConvexPoly(patch, np.round(along_columns(0.7).project(corners)).astype(np.int32), 1)
    return np.where(patch[..., None] > 0, picture * dim, picture).astype(np.uint8)


def believe(asked: dict[int, float], known: list[tuple[int, int]] = KNOWN) -> np.ndarray:
    """Return tiles half a cell high on the `known` squares, `asked` slices on the square in question, else bare."""
    chance = np.full((SIZE, SIZE, SLICES), 1e-6)
    chance[..., 0] = 1.0
    for row, col in known:
        chance[row, col, [0, 5]] = 1e-6, 1.0
    chance[ASKED] = 1e-6
    for level, share in asked.items():
        chance[(*ASKED, level)] = share
    return np.asarray(np.log(chance / chance.sum(axis=-1, keepdims=True)))


def odds(picture: np.ndarray, asked: dict[int, float], known: list[tuple[int, int]] = KNOWN) -> np.ndarray:
    """Return the log odds of the slices of the square in question."""
    return np.asarray(weigh(picture, believe(asked, known), np.zeros((SIZE, SIZE)))[ASKED])


def weigh(picture: np.ndarray, log_probs: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    """Log odds (SIZE, SIZE, SLICES) of all squares."""
    return colour_log_odds(ReducedView(picture, along_columns(0.7), SIZE), SliceState(log_probs, hidden))


def test_a_ring_on_the_boards_ground_is_no_tile() -> None:
    assert odds(photograph(*STACKS, ring=ASKED), {0: 0.05, 1: 0.95})[1] < -5


@pytest.mark.parametrize("dim", [0.2, 0.35])
def test_a_tile_in_shadow_is_not_taken_for_board(dim: float) -> None:
    picture = photograph(*STACKS, (*ASKED, 0.2)).astype(np.float64)
    left = int(along_columns(0.7).project((4.0, 0.0, 0.0))[0])
    picture[:, left:] *= dim
    assert odds(picture.astype(np.uint8), {0: 0.05, 2: 0.95})[2] > -1


def test_a_ring_in_shadow_is_no_tile_either() -> None:
    picture = photograph(*STACKS, ring=ASKED).astype(np.float64)
    picture[:, int(along_columns(0.7).project((4.0, 0.0, 0.0))[0]) :] *= 0.5
    assert odds(picture.astype(np.uint8), {0: 0.05, 1: 0.95})[1] < -2


def test_a_tile_in_doubt_is_borne_out_by_its_ground() -> None:
    assert odds(photograph(*STACKS, (*ASKED, 0.2)), {0: 0.6, 2: 0.4})[2] > 1


def test_a_high_stack_needs_a_wall() -> None:
    low = photograph(*STACKS, (3, 4, 0.2))
    seen = along_columns(0.7)
    _, y, z = seen.position
    # the elevation at which a face on the square in question would hide the low tile behind it
    level = round((0.2 + (z - 0.2) / (y - 3.5)) / SLICE_STEP)
    assert odds(low, {0: 0.4, level: 0.6})[level] < -4
    high = photograph(*STACKS, (*ASKED, level * SLICE_STEP))
    assert odds(high, {0: 0.4, level: 0.6})[level] > 0


@pytest.mark.parametrize("known", [[], KNOWN[:3]])
def test_few_tiles_tell_nothing_of_colours(known: list[tuple[int, int]]) -> None:
    picture = photograph(*((*square, 0.5) for square in known), ring=ASKED)
    assert not odds(picture, {0: 0.3, 1: 0.7}, known).any()


def test_tiles_of_nearly_the_boards_colour_are_not_argued_away() -> None:
    picture = photograph(*STACKS, (*ASKED, 0.2)).astype(np.float64)
    faint = 100 + 0.05 * (picture - 100) + np.random.default_rng(3).normal(0, 3, picture.shape)
    argued = odds(np.clip(faint, 0, 255).astype(np.uint8), {0: 0.3, 2: 0.7})[2]
    assert 0.0 != argued > -1.5


def test_a_ring_in_a_patch_of_shadow_does_not_pass_for_a_tile() -> None:
    assert odds(shade(photograph(*STACKS, ring=ASKED), 0.2, 0.8), {0: 0.05, 1: 0.95})[1] <= 0


def test_a_tile_that_shadow_makes_look_like_board_is_believed_in_even_light() -> None:
    dim = 0.45
    blue, green, red = (int(dim * part) for part in CREAM)
    board = (blue, green, red)
    shadow = shade(photograph(*STACKS, (*ASKED, 0.2), board=board), dim, 1.5)
    assert odds(shadow, {0: 0.05, 2: 0.95})[2] > -1
    ring = photograph(*STACKS, ring=ASKED, board=board)
    assert odds(ring, {0: 0.05, 1: 0.95})[1] < -3


def test_what_lies_behind_a_high_stack_is_not_borne_out_by_the_stacks_wall() -> None:
    known = [*KNOWN, (5, 4)]
    tower = [*STACKS, (5, 4, 1.4)]
    hidden_away = believe({0: 0.6, 2: 0.4}, known)
    hidden_away[5, 4] = -20.0
    hidden_away[5, 4, 14] = 0.0
    assert weigh(photograph(*tower), hidden_away, np.zeros((SIZE, SIZE)))[(*ASKED, 2)] <= 1.0
    assert odds(photograph(*STACKS, (*ASKED, 0.2)), {0: 0.6, 2: 0.4})[2] > 2.0


def test_under_a_hand_colours_tell_nothing() -> None:
    seen = believe({0: 0.05, 1: 0.95})
    assert not weigh(photograph(*STACKS, ring=ASKED), seen, np.ones((SIZE, SIZE))).any()


def test_a_board_full_of_tiles_tells_nothing_of_its_own_colour() -> None:
    full = [(row, col) for row in range(SIZE) for col in range(SIZE) if (row, col) != ASKED and row + col > 1]
    picture = photograph(*((*square, 0.5) for square in full), ring=ASKED)
    assert not odds(picture, {0: 0.3, 1: 0.7}, full).any()


DIFFER = np.array([6.0, 4.0, 4.0])
BROWN, CREAMY = np.array([35.0, 15.0, 20.0]), np.array([88.0, 0.0, 10.0])


def around(middle: np.ndarray, count: int = 40, spread: float = 3.0) -> np.ndarray:
    return middle + np.random.default_rng(1).normal(0, spread, (count, 3))


def test_a_colour_is_likelier_of_its_own_kind() -> None:
    board, tiles = ColourModel.of(around(BROWN), DIFFER), ColourModel.of(around(CREAMY), DIFFER)
    assert log_odds(CREAMY, tiles, board) > 5
    assert log_odds(BROWN, tiles, board) < -5
    assert np.isclose(log_odds(CREAMY, tiles, board), -log_odds(CREAMY, board, tiles))


def test_a_colour_like_neither_kind_says_nothing() -> None:
    board, tiles = ColourModel.of(around(BROWN), DIFFER), ColourModel.of(around(CREAMY), DIFFER)
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
    mixed = ColourModel.of(np.concatenate([around(BROWN), np.tile(CREAMY, (6, 1))]), DIFFER)
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
    squares[3, 3] = CREAMY
    assert np.allclose(illumination_gain(squares, np.ones((8, 8), dtype=bool)), 1.0, atol=1e-3)


@pytest.mark.parametrize("bare", [1, 5, 64])
def test_black_squares_stay_finite(bare: int) -> None:
    known = (np.arange(64) < bare).reshape(8, 8)
    change = illumination_gain(np.zeros((8, 8, 3)), known)
    assert np.allclose(change, 1.0)
    assert np.isfinite(relight(np.zeros((8, 8, 3)), change)).all()
