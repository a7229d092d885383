"""What of the board is out of the picture, and how that is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from presencekit import there
from readings import camera

from vision.geometry.camera import corners_of
from vision.geometry.rectify import outside
from vision.hidden.occlusion import CutOff, cut_off
from vision.images import Image


def _board(image: Image, left: float, top: float, size: int = 8) -> CutOff | None:
    """Return the part cut off from a board seen from above, 20 px a square, its top left corner at (left, top) px."""
    view = camera(size, tilt=0.0, turn=0.0)
    corners = corners_of(view, size)
    pitch = np.linalg.norm(corners[1] - corners[0]) / size
    view = view.scale(20.0 / float(pitch))
    at = corners_of(view, size)[0]
    moved = (view.centre[0] + left - at[0], view.centre[1] + top - at[1])
    view = replace(view, centre=moved)
    return cut_off(image, view, outside(image, view, size))


PICTURE = np.zeros((200, 240, 3), dtype=np.uint8)


def test_a_board_in_view_is_not_cut_off() -> None:
    assert _board(PICTURE, 20, 20) is None


def test_a_sliver_of_a_square_out_of_view_is_not_told() -> None:
    assert _board(PICTURE, -4, 20) is None


@pytest.mark.parametrize(
    ("left", "top", "edges"), [(-12, 20, ("left",)), (20, -12, ("top",)), (92, 20, ("right",)), (20, 52, ("bottom",))]
)
def test_the_edge_is_the_pictures_own(left: float, top: float, edges: tuple[str, ...]) -> None:
    cut = there(_board(PICTURE, left, top))
    assert cut.edges == edges
    assert cut.squares.sum() == 8


def test_a_stack_is_cut_off_if_its_face_leaves_the_picture_before_the_board_does() -> None:
    leaning = camera(8, tilt=0.6, turn=0.0)
    top = int(leaning.project([(x + 0.5, 0.0, 0.0) for x in range(8)])[:, 1].min()) - 4
    view = replace(leaning, centre=(leaning.centre[0], leaning.centre[1] - top))
    flat, high = np.zeros((8, 8)), np.zeros((8, 8))
    high[0, 3] = 1.5
    picture = np.zeros((960, 1280, 3), dtype=np.uint8)
    assert cut_off(picture, view, outside(picture, view, 8, flat)) is None
    cut = there(cut_off(picture, view, outside(picture, view, 8, high)))
    assert np.argwhere(cut.squares).tolist() == [[0, 3]]


def _tell(*squares: tuple[slice | int, slice | int], edges: tuple[str, ...] = ("left",)) -> str:
    cut = np.zeros((8, 8), dtype=bool)
    for at in squares:
        cut[at] = True
    return CutOff(cut, edges).text()


def test_a_side_is_named_by_its_row_or_column() -> None:
    every = slice(None)
    assert _tell((0, every)).startswith("Row 1 of the board is beyond the left edge of the picture: bring it in")
    assert _tell((every, 7)).startswith("Column h of the board is beyond")
    assert _tell((7, every), (every, 0)).startswith("Row 8 and column a of the board are beyond")


def test_a_corner_is_named_by_its_square() -> None:
    assert _tell((0, slice(0, 2))).startswith("The corner at a1 of the board is beyond")
    two = _tell((0, slice(0, 2)), (7, slice(0, 2)), edges=("left", "top"))
    assert two.startswith("The corners at a1 and a8 of the board are beyond the left and top edges of the picture")


def test_what_holds_no_corner_is_a_part() -> None:
    assert _tell((0, slice(3, 5))).startswith("A part of the board is beyond")
