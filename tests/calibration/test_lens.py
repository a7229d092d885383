"""What a known lens makes of a lattice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from calibkit import CENTRE, FOCAL, K1, SIZE_WH
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there

from vision import BoardReader, CalibrationData, Camera, Lens
from vision.calibration_data import CalibrationCheck
from vision.geometry.camera import corner_gap, corners_of, homography_from_corners, pose_from_homography
from vision.geometry.camera_fit import CameraFit, initial_camera
from vision.geometry.lens import LensError

LENS = Lens(FOCAL, CENTRE, K1, SIZE_WH)


def looking(tilt: float, size: int = 8) -> Camera:
    """Return a camera with LENS, `tilt` radians off the vertical."""
    c, s = np.cos(tilt), np.sin(tilt)
    rotation = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    middle = rotation @ np.array([size / 2, size / 2, 0.0])
    return Camera(FOCAL, CENTRE, K1, rotation, np.array([0.1, -0.2, 2.2 * size]) - middle)


@given(st.floats(0.3, 3.0))
def test_it_holds_for_resized_pictures(factor: float) -> None:
    width, height = round(SIZE_WH[0] * factor), round(SIZE_WH[1] * factor)
    lens = LENS.of_picture((width, height))
    camera = looking(0.5).scale(width / SIZE_WH[0])
    assert lens.focal == pytest.approx(camera.focal)
    assert lens.centre == pytest.approx(camera.centre)
    assert (lens.k1, lens.size_wh) == (K1, (width, height))


def test_a_picture_held_upright_has_the_lens_about_its_middle() -> None:
    lens = LENS.of_picture((SIZE_WH[1] * 2, SIZE_WH[0] * 2))
    assert lens.focal == pytest.approx(2 * FOCAL)
    assert lens.centre == (SIZE_WH[1] - 0.5, SIZE_WH[0] - 0.5)


def test_pictures_of_another_shape_are_refused() -> None:
    with pytest.raises(LensError, match="shaped as 960x720, this one is 1280x720: give whole pictures"):
        LENS.of_picture((1280, 720))


@pytest.mark.parametrize("tilt", [0.0, 0.2, 0.7])
def test_the_pose_is_found_however_wrong_the_focal_length_was(tilt: float) -> None:
    true = looking(tilt)
    found = there(LENS.pose(replace(true, focal=FOCAL * 1.0), 8))
    assert np.allclose(found.position, true.position, atol=1e-3)
    # from straight above, any focal length explains the lattice, so a fit may find a wrong one
    if not tilt:
        free = pose_from_homography(homography_from_corners(corners_of(true, 8), 8), 1.4 * FOCAL, CENTRE)
        posed = there(LENS.pose(free, 8))
        assert abs(free.position[2] - true.position[2]) > 3.0
        assert posed.position[2] == pytest.approx(true.position[2], rel=0.04)


def test_the_pose_is_found_where_cells_are_not_square() -> None:
    true = replace(looking(0.5, 15), aspect=1.15)
    found = there(LENS.pose(true, 15))
    assert found.aspect == 1.15
    assert np.allclose(found.position, true.position, atol=1e-3)


def test_a_lens_that_is_not_this_cameras_is_noticed() -> None:
    other = replace(LENS, focal=0.6 * FOCAL)
    assert other.pose(looking(0.8), 8) is None


@pytest.mark.parametrize("stretch", [11 / 16, 4 / 3])
def test_a_lens_whose_pictures_are_stretched(stretch: float) -> None:
    width, height = round(SIZE_WH[0] * stretch), SIZE_WH[1]
    centre = (CENTRE[0] * stretch, CENTRE[1])
    lens = Lens(FOCAL, centre, K1, (width, height), stretch)
    true = replace(looking(0.4), centre=centre, stretch=stretch)
    plane = homography_from_corners(corners_of(true, 8), 8)
    fitted = initial_camera(plane, (width, height), like=replace(true, centre=(width / 2, height / 2)))
    for start in (true, fitted):
        posed = there(lens.pose(start, 8))
        assert np.allclose(posed.position, true.position, atol=0.2)
    cropped = there(lens.pose(replace(true, cropped=True), 8))
    assert not cropped.cropped
    upright = lens.of_picture((height, width))
    assert upright.stretch == pytest.approx(1.0 / stretch)
    assert upright.focal * upright.stretch == pytest.approx(FOCAL)


@pytest.mark.slow
@pytest.mark.parametrize(("pushed", "with_lens"), [(0.0, True), (0.05, True), (0.15, False)])
def test_given_corners_move_by_less_than_a_quarter_of_a_square(pushed: float, with_lens: bool) -> None:
    lens, camera = replace(LENS, k1=-0.2), replace(looking(0.4), k1=-0.2)
    true = corners_of(camera, 8)
    pitch = np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1).mean() / 8
    corners = true + pushed * pitch * np.array([(1, -1), (1, 0), (-1, 0), (-1, 1)])
    bare = np.full((SIZE_WH[1], SIZE_WH[0], 3), 120, np.uint8)
    reading = BoardReader(calibration=CalibrationData(lens)).read(bare, 8, corners=corners)
    assert corner_gap(corners, reading.camera, 8) < 0.25
    assert (reading.camera.focal == pytest.approx(FOCAL)) is with_lens


@pytest.mark.parametrize(("focal", "doubted"), [(FOCAL, False), (2.0 * FOCAL, True)])
def test_only_this_cameras_lens_settles_how_a_picture_was_framed(focal: float, doubted: bool) -> None:
    check = CalibrationCheck(CalibrationData(lens=replace(LENS, focal=focal)))
    fit = CameraFit(looking(0.5), 1.0, framing_in_doubt=True)
    image = np.zeros((SIZE_WH[1], SIZE_WH[0], 3), dtype=np.uint8)
    assert check.with_lens(fit, image, 8).framing_in_doubt == doubted
