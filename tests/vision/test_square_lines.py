"""The lines around bare squares: plain whatever the light does, gone where something lies over them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from readings import camera

from vision.geometry.camera import grid_corners
from vision.geometry.rectify import ReducedView
from vision.hidden.bare_squares import all_show, line_shares, none_shows

N, PX, RIM = 8, 40, 20
ALL = np.ones((N, N), dtype=np.bool_)
AT = (3, 5)


def drawn(ground: float = 120.0, line: float = 0.8) -> np.ndarray:
    """Return a board with a rim, its squares PX wide and set off by lines of a share of the ground's brightness."""
    side = N * PX + 2 * RIM
    board = np.full((side, side), ground)
    for at in range(RIM, side, PX):
        for lines in (board, board.T):
            lines[at - 2 : at + 2, RIM:-RIM] = ground * line
    return board


def laid_over(board: np.ndarray, top: float, left: float, down: float, right: float) -> np.ndarray:
    """Return the board with something dark over an oblong, in squares from the grid's corner."""
    at = [RIM + round(PX * place) for place in (top, down, left, right)]
    out = board.copy()
    out[at[0] : at[1], at[2] : at[3]] = 70.0
    return out


def seen(board: np.ndarray, tilt: float = 0.6) -> ReducedView:
    """Return the board as a camera sees it that is so many radians off the vertical."""
    eye = camera(N, tilt)
    corners = RIM + PX * grid_corners(N) - 0.5
    places = eye.project(np.column_stack([grid_corners(N), np.zeros(4)]))
    onto = cv2.getPerspectiveTransform(corners.astype(np.float32), places.astype(np.float32))
    noisy = board + np.random.default_rng(3).normal(0, 1.5, board.shape)
    grey = cv2.warpPerspective(np.clip(noisy, 0, 255), onto, (1280, 960))
    return ReducedView.of(np.repeat(grey[..., None], 3, axis=2).astype(np.uint8), eye, N)


def beside(row: int, col: int) -> set[tuple[int, int]]:
    return {(row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}


@examples(15)
@given(st.floats(0.1, 0.9), st.floats(60, 150), st.sampled_from([0.8, 0.9, 1.2]), st.floats(-0.5, 0.5))
def test_a_bare_board_shows_its_lines_on_every_side(tilt: float, ground: float, line: float, slope: float) -> None:
    board = drawn(ground, line)
    light = np.exp(slope * np.linspace(-0.5, 0.5, len(board)))
    shares = line_shares(seen(board * light, tilt), ALL, ALL)
    assert all_show(shares).all()
    assert not none_shows(shares).any()


def test_what_lies_over_a_square_hides_its_lines_and_those_of_no_other_but_its_neighbours() -> None:
    row, col = AT
    shares = line_shares(seen(laid_over(drawn(), row - 0.2, col - 0.2, row + 1.2, col + 1.2)), ALL, ALL)
    assert {(int(y), int(x)) for y, x in np.argwhere(~all_show(shares))} == beside(*AT)
    assert not none_shows(shares).any()


def test_what_lies_over_many_squares_lets_no_line_show_within() -> None:
    shares = line_shares(seen(laid_over(drawn(), 2.5, 3.5, 5.5, 7.5)), ALL, ALL)
    gone = {(int(y), int(x)) for y, x in np.argwhere(none_shows(shares))}
    assert gone == {(3, col) for col in (4, 5, 6)} | {(4, col) for col in (4, 5, 6)}
    assert not all_show(shares)[2:6, 3:8].any()


def test_a_shadow_over_a_square_hides_no_line() -> None:
    row, col = (RIM + PX * place for place in AT)
    board = drawn()
    board[row - 12 : row + PX + 12, col - 12 : col + PX + 12] *= 0.7
    shares = line_shares(seen(cv2.GaussianBlur(board, (0, 0), 4)), ALL, ALL)
    assert all_show(shares)[AT]
    assert not none_shows(shares).any()


def test_lines_are_looked_for_beside_bare_squares_alone() -> None:
    bare = ALL.copy()
    bare[2, 5] = bare[3, 4] = bare[3, 6] = False
    shares = line_shares(seen(drawn()), bare, bare)
    assert np.isfinite(shares[:, AT[0], AT[1]]).sum() == 1
    assert not all_show(shares)[AT]
    assert not none_shows(shares)[AT]
    assert all_show(shares)[0, 0]


@pytest.mark.parametrize("line", [1.0, 0.999])
def test_a_board_without_lines_tells_nothing(line: float) -> None:
    shares = line_shares(seen(drawn(line=line)), ALL, ALL)
    assert all_show(shares).mean() < 0.1
    assert not none_shows(shares).any()


def test_too_few_bare_squares_tell_nothing() -> None:
    bare = np.zeros((N, N), dtype=np.bool_)
    bare[3, 3:5] = True
    assert np.isnan(line_shares(seen(drawn()), bare, bare)).all()
