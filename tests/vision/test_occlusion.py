"""What stacks hide of each other, as seen from cameras whose view is known."""

from __future__ import annotations

import numpy as np
import pytest
from readings import along_columns, camera

from vision import Camera
from vision.hidden.occlusion import (
    fill_covered,
    find_partly_covered,
    mask_covered,
    measure_covered_faces,
    measure_hidden_by,
)


def board(*stacks: tuple[int, int, float]) -> np.ndarray:
    tops = np.zeros((8, 8))
    for row, col, top in stacks:
        tops[row, col] = top
    return tops


def test_an_empty_board_hides_nothing() -> None:
    assert measure_covered_faces(camera(tilt=0.9), board()).max() == 0.0


def test_a_tall_stack_hides_what_lies_behind_it() -> None:
    view = camera(tilt=0.9, turn=0.0)
    behind = 3 if view.position[1] > 4 else 5
    hidden = measure_covered_faces(view, board((4, 4, 1.25)))
    assert hidden[behind, 4] > 0.5
    assert hidden[8 - behind, 4] == 0.0
    assert hidden[4, 4] == 0.0


def test_each_stack_is_told_what_it_hides() -> None:
    view = along_columns(0.9)
    tops = board((4, 4, 1.25), (4, 5, 0.5), (2, 4, 1.25))
    shares = measure_hidden_by(view, np.array([4.5, 3.5, 0.25]), tops)
    assert shares.argmax() == 4 * 8 + 4
    assert shares[4, 4] > 0.5
    assert shares[2, 4] == 0.0
    together = mask_covered(view, np.array([[4.5, 3.5, 0.25]]), tops, 12, 0.72).mean()
    assert shares.max() <= together <= shares.sum() + 1e-9


def test_a_low_camera_loses_more_than_the_next_square() -> None:
    view = camera(tilt=1.25, turn=0.0)
    away = -1 if view.position[1] > 4 else 1
    hidden = measure_covered_faces(view, board((4, 4, 1.5)))
    assert hidden[4 + away, 4] > 0.9
    assert hidden[4 + 3 * away, 4] > 0.5


def test_from_straight_above_little_is_hidden() -> None:
    assert measure_covered_faces(camera(tilt=0.02), board((4, 4, 1.25))).max() < 0.2


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.0, 4.0])
def test_stacks_of_one_height_never_hide_each_others_faces(turn: float) -> None:
    tops = board(*((4, col, 0.5) for col in range(8)))
    assert measure_covered_faces(camera(tilt=0.7, turn=turn), tops)[4].max() == 0.0


def test_what_a_nearer_stack_hides_of_a_window_is_its_own_side_of_it() -> None:
    behind, before = (4.5, 3.5, 0.5), (4.5, 5.5, 0.5)
    hidden = mask_covered(along_columns(0.9), np.array([behind, before]), board((4, 4, 0.8)), 32)
    near, far = hidden[0, -8:], hidden[0, :8]
    assert near[2:6, 6:-6].all()
    assert not far.any()
    assert not hidden[1].any()


def test_a_stack_as_high_as_the_window_hides_nothing_of_it() -> None:
    place = np.array([[4.5, 3.5, 0.5]])
    assert not mask_covered(camera(tilt=0.9), place, board((4, 4, 0.5)), 32).any()


@pytest.mark.parametrize(("tilt", "turn"), [(0.4, 0.3), (0.9, 2.0), (1.1, 5.0)])
def test_what_is_hidden_agrees_with_the_lines_of_sight(tilt: float, turn: float) -> None:
    view, tops = camera(tilt=tilt, turn=turn), board((4, 4, 1.2), (3, 5, 0.7), (5, 3, 0.9))
    row, col = np.indices((8, 8))
    places = np.stack([col + 0.5, row + 0.5, 0.3 + 0.0 * row], axis=-1).reshape(-1, 3)
    hidden = mask_covered(view, places, tops, 9)
    for place, window in zip(places, hidden, strict=True):
        if not tops[int(place[1]), int(place[0])]:
            assert window[4, 4] == is_blocked(view, place, tops)


def is_blocked(view: Camera, place: np.ndarray, tops: np.ndarray) -> bool:
    """Return whether the straight line from a board point to the camera passes through a stack, walked in small
    steps."""
    line = place + np.linspace(0, 0.4, 4000)[:, None] * (view.position - place)
    for row, col in np.argwhere(tops > place[2] + 0.05):
        near = np.abs(line[:, :2] - (col + 0.5, row + 0.5)).max(axis=1) < 0.43
        if (near & (line[:, 2] < tops[row, col])).any():
            return True
    return False


def test_what_is_hidden_is_filled_with_the_ground_of_what_is_seen() -> None:
    window = np.full((32, 32, 3), 200, np.uint8)
    window[:, :10], window[12:20, 20:24] = (10, 20, 30), 0
    hidden = np.zeros((32, 32), dtype=bool)
    hidden[:, :10] = True
    out = fill_covered(window[None], hidden[None])[0]
    assert (out[:, :10] == 200).all()
    assert (out[12:20, 20:24] == 0).all()


def test_windows_of_which_hardly_anything_is_seen_or_nothing_is_hidden_are_left_alone() -> None:
    hidden = np.zeros((3, 32, 32), dtype=bool)
    hidden[0, 4:], hidden[1, :10] = True, True
    assert find_partly_covered(hidden).tolist() == [1]


def test_the_higher_a_stack_the_larger_its_shadow() -> None:
    view = along_columns(0.9)
    place = np.array([[4.5, 3.5, 0.25]])
    shares = [mask_covered(view, place, board((4, 4, top)), 32).mean() for top in (0.25, 0.5, 0.8, 1.2)]
    assert shares[0] == 0.0
    assert shares[0] + 0.1 < shares[1] < shares[2] - 0.1 < shares[3]


@pytest.mark.parametrize("top", [1.2, 1.21, 3.0])
def test_what_stands_as_high_as_the_camera_hides_all_that_lies_behind(top: float) -> None:
    rotation = np.array([[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])
    low = Camera(900.0, (640.0, 480.0), 0.0, rotation, -rotation @ np.array([4.5, 12.0, -1.2]))
    assert np.allclose(low.position, (4.5, 12.0, 1.2))
    hidden = mask_covered(low, np.array([[4.5, 2.5, 0.25], [4.5, 6.5, 0.25]]), board((4, 4, top)), 16)
    assert hidden[0, :, 4:12].mean() > 0.8
    assert not hidden[1].any()
