"""The lattice between corners that a person gave, on the sample photographs: mended, or not believed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from samples import photograph, squares_off

from vision import BoardReader, GridDoubt
from vision.board.lattice import is_off, judge_lattice, take_as_given
from vision.board.localize import lattice_from_corners
from vision.board.sightings import take_sightings
from vision.geometry.camera import corners_of, grid_corners, homography_from_corners
from vision.geometry.rectify import resize, shrink_to_pitch

SAMPLES = [("classic_8x8/03.jpg", 8), ("blue_10x10/02.jpg", 10)]
ONE_AT_ONCE = [SAMPLES[0], pytest.param(*SAMPLES[1], marks=pytest.mark.slow)]


def drag(true: np.ndarray, size: int, squares: list[tuple[float, float]]) -> np.ndarray:
    """Return the corners (4, 2) of a grid, each moved by some squares."""
    places = (grid_corners(size) + squares)[None].astype(np.float32)
    moved = cv2.perspectiveTransform(places, homography_from_corners(true, size))[0]
    return np.asarray(moved, dtype=np.float64)


@pytest.mark.parametrize(("name", "size"), SAMPLES)
@pytest.mark.parametrize("far", [0.05, 0.1])
def test_corners_of_a_shaking_hand_lead_to_the_grid(name: str, size: int, far: float) -> None:
    image, true = photograph(name)
    given = drag(true, size, [(-far, far), (far, -far), (far, far), (-far, 0.0)])
    found = lattice_from_corners(image, given, size)
    assert squares_off(corners_of(found.fit.camera, size), true, size) < 0.15
    assert not found.rivalled


@pytest.mark.parametrize(("name", "size"), ONE_AT_ONCE)
@pytest.mark.parametrize("far", [0.3, 0.45])
def test_corners_that_the_picture_contradicts_stay_and_are_not_believed(name: str, size: int, far: float) -> None:
    image, true = photograph(name)
    given = drag(true, size, [(-far, far), (far, -far), (far, far), (-far, 0.0)])
    reading = BoardReader().read(image, size, corners=given)
    assert squares_off(reading.corners, given, size) < 0.05
    assert reading.grid_doubt is GridDoubt.GIVEN
    assert reading.confidence().max() < 0.95


@pytest.mark.parametrize(("name", "size"), ONE_AT_ONCE)
@pytest.mark.parametrize("step", [(1.0, 0.0), (0.0, -1.0)])
def test_corners_a_square_aside_are_kept_and_not_believed(name: str, size: int, step: tuple[float, float]) -> None:
    """The person who drags them there may see more than the picture shows."""
    image, true = photograph(name)
    given = drag(true, size, [step] * 4)
    found = lattice_from_corners(image, given, size)
    assert squares_off(corners_of(found.fit.camera, size), given, size) < 0.15
    assert found.rivalled
    reading = BoardReader().read(image, size, corners=given)
    assert reading.grid_doubt is GridDoubt.GIVEN
    assert reading.confidence().max() < 0.95


def test_corners_where_no_squares_are_seen_are_taken_as_they_are_and_not_believed() -> None:
    image, given = photograph("classic_8x8/03.jpg")
    found = lattice_from_corners(np.full_like(image, 120), given, 8)
    assert squares_off(corners_of(found.fit.camera, 8), given, 8) < 0.05
    assert found.rivalled


def test_true_corners_are_believed_in_a_small_picture_too() -> None:
    image, true = photograph("classic_8x8/03.jpg")
    found = lattice_from_corners(resize(image, 0.4), true * 0.4, 8)
    assert not found.rivalled
    assert BoardReader().read(resize(image, 0.4), 8, corners=true * 0.4).grid_doubt is None


@pytest.mark.parametrize(("name", "size"), SAMPLES)
def test_a_grid_that_lies_beside_the_lines_is_noticed(name: str, size: int) -> None:
    image, true = photograph(name)
    askew = drag(true, size, [(0.0, 0.0), (0.0, 0.0), (0.6, 0.0), (0.0, 0.0)])
    right, wrong = (take_as_given(image, corners, size) for corners in (true, askew))
    for lattice, off in ((right, False), (wrong, True)):
        small, camera = shrink_to_pitch(image, lattice.fit.camera, size)
        fit = replace(lattice.fit, camera=camera)
        assert is_off(judge_lattice(small, take_sightings(small, camera, size), fit, size)) is off


def test_no_square_of_such_a_grid_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    image, true = photograph("classic_8x8/03.jpg")
    reader = BoardReader()
    found = replace(reader.find(image, 8), misfit=0.2)
    monkeypatch.setattr(reader, "find", lambda *_, **__: found)
    for corners, doubt in ((None, GridDoubt.FAINT), (true, GridDoubt.GIVEN)):
        reading = reader.read(image, 8, corners=corners)
        assert reading.grid_doubt is doubt
        assert reading.confidence().max() < 0.95
