"""The target, and finding it."""

from __future__ import annotations

import cv2
import numpy as np
from calibkit import DIST, MATRIX, POSES, SIZE_WH, photograph_of
from presencekit import there

from calibration.intrinsics import COLUMNS, DPI, ROWS, SQUARE_MM, draw_target, find_target


def test_all_corners_of_the_drawn_target_are_found_where_they_are() -> None:
    drawn = draw_target()
    square = round(SQUARE_MM / 25.4 * DPI)
    margin = (drawn.shape[1] - COLUMNS * square) / 2
    view = there(find_target(drawn, "drawn"))
    assert len(view.board) == (COLUMNS - 1) * (ROWS - 1)
    assert np.abs(view.pixels - (view.board * square + margin - 0.5)).max() < 0.6
    assert (view.name, view.size_wh) == ("drawn", (drawn.shape[1], drawn.shape[0]))


def test_it_fits_on_a4_and_letter_paper() -> None:
    height, width = (side / DPI * 25.4 for side in draw_target().shape[:2])
    assert width < 279
    assert height < 210


def test_a_tilted_target_is_found_to_a_fraction_of_a_pixel() -> None:
    at = POSES[2]
    view = there(find_target(photograph_of(at), "tilted"))
    assert view.size_wh == SIZE_WH
    ground = np.column_stack([view.board, np.zeros(len(view.board))])
    truth = cv2.projectPoints(ground, *at, MATRIX, DIST)[0][:, 0]
    assert np.abs(view.pixels - truth).max() < 0.5


def test_too_little_of_it_is_none() -> None:
    picture = photograph_of(POSES[0])
    assert find_target(np.full_like(picture, 128), "grey") is None
    picture[:, 230:] = 128
    assert find_target(picture, "a strip") is None
