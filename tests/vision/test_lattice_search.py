"""The search for the lattice, on the sample photographs: from wrong places to the one right grid, or to a refusal."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from presencekit import there
from samples import photograph, squares_off

from vision import BoardNotFound, BoardReader
from vision.board import lattice_search
from vision.board.lattice import GOOD, refine_lattice, rough_camera
from vision.board.lattice_search import poses_at, search_lattice
from vision.geometry.camera import corners_of, grid_corners, side_lengths
from vision.geometry.rectify import Reductions


@pytest.mark.parametrize("shift", [(1, 0), (0, -1), (1, 1)])
def test_a_start_one_square_beside_leads_to_the_grid(shift: tuple[int, int]) -> None:
    image, true = photograph("classic_8x8/03.jpg")
    start = there(search_lattice(Reductions(image), [true], 8))
    beside = start.fit.camera.project(np.column_stack([grid_corners(8) + shift, np.zeros(4)]))
    found = there(search_lattice(Reductions(image), [beside], 8))
    assert found.doubt < 1.5 * GOOD
    assert squares_off(corners_of(found.fit.camera, 8), true, 8) < 0.15


def test_a_search_that_is_out_of_time_tries_nothing_beside_its_places() -> None:
    image, true = photograph("classic_8x8/03.jpg")
    right = there(search_lattice(Reductions(image), [true], 8))
    aside = right.fit.camera.project(np.column_stack([np.add(grid_corners(8), 2), np.zeros(4)]))
    late = there(search_lattice(Reductions(image), [aside], 8, until=0.0))
    only = there(search_lattice(Reductions(image), [aside], 8, budget=1))
    assert late.doubt == only.doubt > GOOD
    in_time = there(search_lattice(Reductions(image), [aside], 8))
    assert in_time.doubt < late.doubt


def test_a_grid_beside_the_true_one_is_doubted_more() -> None:
    image, true = photograph("blue_10x10/02.jpg")
    found = there(search_lattice(Reductions(image), [true], 10))
    camera = found.fit.camera
    beside = replace(camera, translation=camera.translation + camera.rotation @ (1.0, 0.0, 0.0))
    assert refine_lattice(image, beside, 10).doubt > 1.2 * found.doubt


def test_a_grid_half_out_of_the_picture_is_doubted_twice_as_much() -> None:
    image, true = photograph("classic_8x8/03.jpg")
    whole = refine_lattice(image, rough_camera(image, true, 8), 8)
    assert whole.outside == 0.0
    left = int(true[:, 0].mean())
    cut = np.ascontiguousarray(image[:, left:])
    half = refine_lattice(cut, rough_camera(cut, true - (left, 0), 8), 8)
    assert 0.3 < half.outside < 0.7
    assert half.doubt >= half.spread / (1.0 - half.outside)
    assert half.doubt > 1.5 * whole.doubt


@pytest.mark.parametrize("side", [0, 2])
def test_a_border_that_something_hides_speaks_against_no_grid(side: int) -> None:
    image, true = photograph("classic_8x8/03.jpg")
    middle = true.mean(axis=0)
    ends = true[[side, (side + 1) % 4]]
    # an arm's breadth along the side, from a square and a half inside to two squares outside
    strip = np.concatenate([middle + (ends - middle) * 0.65, middle + (ends[::-1] - middle) * 1.5])
    hidden = image.copy()
    cv2.fillConvexPoly(hidden, np.round(strip).astype(np.int32), (120, 150, 205))
    found = refine_lattice(hidden, rough_camera(hidden, true, 8), 8)
    assert found.border_error < 0.15
    assert found.doubt < GOOD
    assert squares_off(corners_of(found.fit.camera, 8), true, 8) < 0.2


def test_squares_show_how_a_board_lies_within_its_bounding_box() -> None:
    image, true = photograph("blue_10x10/02.jpg")
    (left, top), (right, bottom) = true.min(axis=0), true.max(axis=0)
    box = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    picture = Reductions(image)
    poses = poses_at(picture, box, 10)
    assert 1 <= len(poses) <= 3
    assert squares_off(corners_of(there(search_lattice(picture, poses, 10)).fit.camera, 10), true, 10) < 0.2


def test_squares_taken_two_by_two_make_no_pose(monkeypatch: pytest.MonkeyPatch) -> None:
    image, true = photograph("blue_10x10/02.jpg")
    picture = Reductions(image)
    monkeypatch.setattr(lattice_search, "_SCALES", (1.0,))
    fine = side_lengths(poses_at(picture, true, 10)[0]).mean()
    monkeypatch.setattr(lattice_search, "_SCALES", (1.0, 2.0**0.5, 2.0))
    for pose in poses_at(picture, true, 10):
        assert side_lengths(pose).mean() < 1.2 * fine


def test_noise_shows_no_pose() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (480, 640, 3), dtype=np.uint8)
    assert not poses_at(Reductions(noise), np.array([(200.0, 100.0), (440, 100), (440, 340), (200, 340)]), 8)


def test_no_places_no_lattice() -> None:
    image, _ = photograph("classic_8x8/03.jpg")
    assert search_lattice(Reductions(image), [], 8) is None


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), [("classic_8x8/02.jpg", 10), ("blue_10x10/02.jpg", 8)])
def test_a_board_of_another_edition_is_refused(name: str, size: int) -> None:
    image, _ = photograph(name)
    with pytest.raises(BoardNotFound, match="The game is set up for"):
        BoardReader(without={"tesseract"}).find(image, size)


def test_a_picture_without_a_board_is_refused() -> None:
    noise = np.random.default_rng(5).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    with pytest.raises(BoardNotFound):
        BoardReader(without={"tesseract"}).find(noise, 8)


def test_settling_is_stable() -> None:
    image, true = photograph("classic_8x8/03.jpg")
    first = there(search_lattice(Reductions(image), [true], 8))
    again = refine_lattice(image, first.fit.camera, 8)
    assert squares_off(corners_of(again.fit.camera, 8), corners_of(first.fit.camera, 8), 8) < 0.1
