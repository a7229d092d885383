"""What stacks hide of each other, as seen from cameras whose view is known."""

from __future__ import annotations

import numpy as np
import pytest
from readings import camera

from vision.occlusion import covered


def board(*stacks: tuple[int, int, float]) -> np.ndarray:
    tops = np.zeros((8, 8))
    for row, col, top in stacks:
        tops[row, col] = top
    return tops


def test_an_empty_board_hides_nothing() -> None:
    assert covered(camera(tilt=0.9), board()).max() == 0.0


def test_a_tall_stack_hides_what_lies_behind_it() -> None:
    view = camera(tilt=0.9, turn=0.0)
    behind = 3 if view.position[1] > 4 else 5
    hidden = covered(view, board((4, 4, 1.25)))
    assert hidden[behind, 4] > 0.5
    assert hidden[8 - behind, 4] == 0.0
    assert hidden[4, 4] == 0.0


def test_a_low_camera_loses_more_than_the_next_square() -> None:
    view = camera(tilt=1.25, turn=0.0)
    away = -1 if view.position[1] > 4 else 1
    hidden = covered(view, board((4, 4, 1.5)))
    assert hidden[4 + away, 4] > 0.9
    assert hidden[4 + 3 * away, 4] > 0.5


def test_from_straight_above_little_is_hidden() -> None:
    assert covered(camera(tilt=0.02), board((4, 4, 1.25))).max() < 0.2


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.0, 4.0])
def test_stacks_of_one_height_never_hide_each_others_faces(turn: float) -> None:
    tops = board(*((4, col, 0.5) for col in range(8)))
    assert covered(camera(tilt=0.7, turn=turn), tops)[4].max() == 0.0
