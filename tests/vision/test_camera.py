"""The camera model and its fit, also to pictures that were cropped, or squeezed into another shape."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from readings import camera
from samples import SAMPLES, photograph, squares_off

import vision.board.lattice as lattice_fit
from vision import BoardReader, Camera, load_image
from vision.board.localize import find_lattice, lattice_from_corners
from vision.geometry.camera import (
    corners_of,
    focal_from_homography,
    grid_corners,
    homography_from_corners,
    pose_from_homography,
    sides_of_squares,
)
from vision.geometry.camera_fit import (
    AS_TAKEN,
    CameraFit,
    Correspondences,
    camera_from_corners,
    fit_camera,
    fit_framing,
    initial_camera,
    is_as_taken,
    measure_bulge,
    possible_stretches,
)
from vision.heights.stack_heights import MAX_BULGE
from vision.images import Image
from vision.turn.look import HEIGHT_KNOWN
from workshop.bench.data.truth import game_in
from workshop.bench.reading.spoiled import Form, crop, on_bent_board, stretch_picture, warp

tilts = st.floats(0.0, 0.9)
turns = st.floats(-3.0, 3.0)


@given(tilts, turns, st.floats(-0.08, 0.08), st.floats(0, 1.5))
def test_projection_and_its_inverse(tilt: float, turn: float, k1: float, height: float) -> None:
    view = camera(8, tilt, turn, k1)
    points = np.array([[0.5, 0.5], [7.5, 0.5], [4.0, 4.0], [2.0, 7.0]])
    pixels = view.project(np.column_stack([points, np.full(4, height)]))
    assert np.allclose(view.to_board(pixels, height), points, atol=1e-3)


def test_squares_look_smaller_from_afar_and_aslant() -> None:
    near, far = sides_of_squares(camera(8, 0.0), 8), sides_of_squares(camera(8, 0.0).scale(0.5), 8)
    assert np.allclose(near, near[0, 0])
    assert np.isclose(near[0, 0], np.linalg.norm(np.diff(corners_of(camera(8, 0.0), 8)[:2], axis=0)) / 8)
    assert np.allclose(far, near / 2)
    aslant = sides_of_squares(camera(8, 0.8), 8)
    assert aslant.min() < 0.9 * aslant.max()


@given(tilts, turns, st.integers(0, 3))
def test_turning_the_board_moves_its_corners_round(tilt: float, turn: float, quarters: int) -> None:
    view = camera(10, tilt, turn)
    assert np.allclose(corners_of(view.turn(quarters, 10), 10), np.roll(corners_of(view, 10), -quarters, axis=0))


def test_higher_points_are_seen_nearer_the_camera() -> None:
    view = camera(8, 0.7)
    low, high = view.project([[4, 4, 0.0], [4, 4, 1.0]])
    assert high[1] < low[1]
    assert view.position[2] > 0


@pytest.mark.parametrize("tilt", [0.5, 0.8])
def test_focal_length_from_a_tilted_view(tilt: float) -> None:
    view = camera(8, tilt)
    homography = homography_from_corners(corners_of(view, 8), 8)
    assert focal_from_homography(homography, view.centre) == pytest.approx(900.0, rel=1e-2)
    posed = pose_from_homography(homography, 900.0, view.centre)
    assert np.allclose(posed.position, view.position, atol=1e-2)


def test_the_fit_finds_lens_and_pose_in_spite_of_outliers() -> None:
    rng = np.random.default_rng(1)
    view = camera(10, 0.7, 0.4, k1=0.05)
    x, y = np.meshgrid(np.arange(11.0), np.arange(11.0))
    board = np.column_stack([x.ravel(), y.ravel()])
    pixels = view.project(np.column_stack([board, np.zeros(len(board))])) + rng.normal(0, 0.5, board.shape)
    pixels[::9] += 25
    start = initial_camera(homography_from_corners(corners_of(view, 10) + 6.0, 10), (1280, 960))
    fit = fit_camera(start, Correspondences(board, pixels, np.full(len(board), 0.7)), (1280, 960))
    found = fit.camera.project(np.column_stack([grid_corners(10), np.zeros(4)]))
    assert np.linalg.norm(found - corners_of(view, 10), axis=1).max() < 1.0
    assert fit.camera.focal == pytest.approx(900, rel=0.05)
    assert 0.8 < fit.inliers < 0.95
    faces = np.array([[4.5, 4.5, 1.2], [8.5, 2.5, 0.6]])
    assert np.linalg.norm(fit.camera.project(faces) - view.project(faces), axis=1).max() < 2.0


@given(tilts, turns, st.floats(0.85, 1.2), st.integers(0, 3))
def test_cells_that_are_not_square(tilt: float, turn: float, aspect: float, quarters: int) -> None:
    view = replace(camera(15, tilt, turn), aspect=aspect)
    points = np.array([[0.5, 0.5], [14.5, 0.5], [4.0, 9.0]])
    pixels = view.project(np.column_stack([points, np.full(3, 0.4)]))
    assert np.allclose(view.to_board(pixels, 0.4), points, atol=1e-3)
    turned = view.turn(quarters, 15)
    assert np.allclose(corners_of(turned, 15), np.roll(corners_of(view, 15), -quarters, axis=0))
    assert turned.tilt((7.5, 7.5)) == pytest.approx(view.tilt((7.5, 7.5)))
    assert np.allclose(turned.turn(4 - quarters, 15).project([[3, 8, 0.7]]), view.project([[3, 8, 0.7]]))


@pytest.mark.parametrize("square", [True, False])
def test_the_fit_stretches_cells_only_where_they_may_be_stretched(square: bool) -> None:
    view = replace(camera(15, 0.5, 0.4), aspect=1.08)
    x, y = np.meshgrid(np.arange(16.0), np.arange(16.0))
    board = np.column_stack([x.ravel(), y.ravel()])
    pixels = view.project(np.column_stack([board, np.zeros(len(board))]))
    start = initial_camera(homography_from_corners(corners_of(view, 15), 15), (1280, 960), square=square)
    points = Correspondences(board, pixels, np.full(len(board), 0.7))
    fit = fit_camera(start, points, (1280, 960), square=square)
    assert fit.camera.aspect == pytest.approx(1.0 if square else 1.08, abs=0.01)
    assert (np.abs(corners_of(fit.camera, 15) - corners_of(view, 15)).max() < 1.0) is not square


WH = (1280, 960)
ABOVE, ASIDE = "blue_10x10/08.jpg", "blue_10x10/11.jpg"
"""Seen from 19 and from 41 degrees."""

stretches = st.floats(0.5, 1.5)


def see_squares(view: Camera, noise: float = 0.0) -> Correspondences:
    """Return the middles of an 8 x 8 board's squares as `view` sees them, to half a pixel."""
    x, y = np.meshgrid(np.arange(8) + 0.5, np.arange(8) + 0.5)
    board = np.column_stack([x.ravel(), y.ravel()])
    pixels = view.project(np.column_stack([board, np.zeros(64)]))
    pixels = pixels + np.random.default_rng(3).normal(0.0, noise, pixels.shape)
    return Correspondences(board, pixels, np.full(64, 0.5))


@given(tilts, turns, stretches, st.floats(0, 1.5))
def test_projection_and_its_inverse_of_a_stretched_picture(
    tilt: float, turn: float, stretch: float, height: float
) -> None:
    plain = camera(8, tilt, turn, k1=0.04)
    view = replace(plain, stretch=stretch)
    points = np.array([[0.5, 0.5], [7.5, 0.5], [4.0, 4.0], [2.0, 7.0]])
    at = np.column_stack([points, np.full(4, height)])
    assert np.allclose(view.project(at) - view.centre, (plain.project(at) - plain.centre) * (stretch, 1.0))
    assert np.allclose(view.to_board(view.project(at), height), points, atol=1e-3)


@given(tilts, turns, stretches)
def test_slopes_are_those_of_the_projection(tilt: float, turn: float, stretch: float) -> None:
    view = replace(camera(8, tilt, turn, k1=0.04), stretch=stretch)
    points = np.array([[0.5, 0.5, 0.0], [7.0, 3.0, 0.0]])
    pixels, slopes = view.project_with_slopes(points)
    assert np.allclose(pixels, view.project(points))
    aside = replace(view, centre=(view.centre[0] + 1e-6, view.centre[1]))
    nearer = replace(view, translation=view.translation + np.array([0.0, 0.0, 1e-6]))
    wider = replace(view, focal=view.focal * np.exp(1e-6))
    assert np.allclose((nearer.project(points) - pixels) / 1e-6, slopes[..., 8], rtol=1e-3, atol=1e-2)
    assert np.allclose((aside.project(points) - pixels) / 1e-6, slopes[..., 9], rtol=1e-3, atol=1e-2)
    assert np.allclose((wider.project(points) - pixels) / 1e-6, slopes[..., 0], rtol=1e-3, atol=1e-2)


def fit_unchanged(view: Camera, points: Correspondences, wh: tuple[int, int]) -> CameraFit:
    """Return the fit to points if the picture counts as unchanged since it was taken."""
    start = initial_camera(homography_from_corners(corners_of(view, 8), 8), wh)
    return fit_framing(fit_camera(start, points, wh), points, wh)


@given(tilts, turns)
def test_a_picture_as_it_was_taken_stays_so(tilt: float, turn: float) -> None:
    view = camera(8, tilt, turn)
    assert camera_from_corners(corners_of(view, 8), 8, WH) is None
    assert AS_TAKEN.is_of(fit_unchanged(view, see_squares(view, 0.3), WH).camera)


@given(st.floats(0.0, 0.1), turns, st.sampled_from([(960, 960), (1707, 960), (1173, 960), (1280, 1024)]))
def test_what_is_squeezed_is_told_from_above(tilt: float, turn: float, wh: tuple[int, int]) -> None:
    for stretch in possible_stretches(wh):
        middle = ((wh[0] - 1) / 2, (wh[1] - 1) / 2)
        view = replace(camera(8, tilt, turn), stretch=stretch, centre=middle)
        fit = fit_unchanged(view, see_squares(view, 0.3), wh)
        assert fit.camera.stretch == pytest.approx(stretch)
        assert not fit.camera.cropped
        assert np.abs(corners_of(fit.camera, 8) - corners_of(view, 8)).max() < 2.0


@pytest.mark.parametrize("tilt", [0.1, 0.2, 0.4])
def test_four_corners_tell_that_a_picture_is_squeezed(tilt: float) -> None:
    view = replace(camera(8, tilt, 0.0), stretch=0.75)
    framed = there(camera_from_corners(corners_of(view, 8), 8, WH))
    assert np.abs(corners_of(framed, 8) - corners_of(view, 8)).max() < 8.0
    if tilt < 0.2:
        assert framed.stretch == pytest.approx(0.75)


@given(st.floats(0.4, 0.8), st.sampled_from([-300.0, 300.0]))
def test_what_was_cut_is_told_from_aside(tilt: float, off: float) -> None:
    plain = camera(8, tilt, 0.3)
    view = replace(plain, centre=(plain.centre[0] + off, plain.centre[1]))
    fit = fit_unchanged(view, see_squares(view, 0.3), WH)
    assert fit.camera.cropped
    assert fit.camera.centre[0] == pytest.approx(view.centre[0], abs=150.0)
    faces = [[4.5, 4.5, 1.2], [6.5, 2.5, 0.6]]
    left = np.abs(fit.camera.project(faces) - view.project(faces)).max()
    start = initial_camera(homography_from_corners(corners_of(view, 8), 8), WH)
    plainly = fit_camera(start, see_squares(view, 0.3), WH).camera
    assert left < 0.7 * np.abs(plainly.project(faces) - view.project(faces)).max()


def test_what_a_lens_has_is_left() -> None:
    measured = replace(camera(8, 0.1), stretch=0.71)
    points = see_squares(measured, 2.0)
    fit = fit_camera(measured, points, WH)
    assert fit_framing(fit, points, WH) is fit


@pytest.mark.parametrize(
    ("wh", "taken", "stretches"),
    [
        ((1280, 960), True, [0.75]), ((1280, 720), True, [4 / 3]), ((720, 576), True, [15 / 16, 45 / 64]),
        ((1080, 2340), True, []), ((720, 1480), True, []), ((1000, 870), False, []), ((800, 800), False, []),
    ],
)  # fmt: skip
def test_what_shapes_tell(wh: tuple[int, int], taken: bool, stretches: list[float]) -> None:
    assert is_as_taken(wh) is taken
    assert possible_stretches(wh) == pytest.approx(stretches)


def widen(image: Image, left: int, right: int) -> Image:
    """Return the picture with more room, px, at both its sides."""
    wide = cv2.copyMakeBorder(image, 0, 0, left, right, cv2.BORDER_CONSTANT, value=(40, 40, 40))
    return np.asarray(wide, dtype=np.uint8)


def squeeze(image: Image) -> Image:
    """Return the picture, 1280 by 960, as one of 16:9 squeezed into the shape it has."""
    return stretch_picture(widen(image, 213, 214), 0.75)


@pytest.mark.slow
@pytest.mark.parametrize("name", [ABOVE, ASIDE])
def test_it_is_found_where_it_is(name: str) -> None:
    image, corners = photograph(name)
    cropped, squeezed = (find_lattice(picture, 10).fit.camera for picture in (crop(image, 0.4), squeeze(image)))
    assert cropped.cropped or name == ABOVE
    assert cropped.stretch == 1.0
    assert squares_off(corners_of(cropped, 10), corners, 10) < 0.15
    assert squeezed.stretch == pytest.approx(0.75, rel=0.01)
    assert squares_off(corners_of(squeezed, 10), (corners + np.array([213, 0])) * (0.75, 1.0), 10) < 0.15
    assert AS_TAKEN.is_of(find_lattice(image, 10).fit.camera)


@pytest.mark.slow
@pytest.mark.parametrize("name", [ABOVE, ASIDE])
def test_it_is_read_as_the_whole_one_is(name: str) -> None:
    image, _ = photograph(name)
    reader = BoardReader(without={"tesseract"})
    plain, *others = (reader.read(picture, 10) for picture in (image, crop(image, 0.4), squeeze(image)))
    tiles = plain.height_probs.argmax(axis=2) > 0
    for other in others:
        otherwise = other.height_probs.argmax(axis=2) != plain.height_probs.argmax(axis=2)
        assert otherwise.sum() < 2
        assert (other.height_probs.max(axis=2)[otherwise] < 0.95).all()
        assert (other.face_probs.argmax(axis=2) == plain.face_probs.argmax(axis=2))[tiles].all()


@pytest.mark.slow
@pytest.mark.parametrize("name", [ABOVE, ASIDE])
@pytest.mark.parametrize("astray", [0.0, 8.0])
def test_corners_that_are_given_are_kept(name: str, astray: float) -> None:
    image, corners = photograph(name)
    true = (corners + np.array([213, 0])) * (0.75, 1.0)
    given_corners = true + np.array([(1, 0), (0, 1), (-1, 0), (0, -1)]) * astray
    lattice = lattice_from_corners(squeeze(image), given_corners, 10)
    assert not lattice.rivalled
    assert squares_off(corners_of(lattice.fit.camera, 10), true, 10) < 0.15


BENDS: dict[str, Form] = {
    "gutter": lambda x, y: x * x,
    "bowl": lambda x, y: (x * x + y * y) / 2.0,
    "saddle": lambda x, y: x * y,
    "fold": lambda x, y: np.abs(y),
}


@given(st.floats(0.4, 0.9), turns, st.sampled_from(sorted(BENDS)), st.sampled_from([-0.3, 0.0, 0.3]))
def test_squares_tell_that_a_board_is_not_flat(tilt: float, turn: float, form: str, rise: float) -> None:
    view, flat = camera(8, tilt, turn), see_squares(camera(8, tilt, turn), 0.3)
    x, y = (flat.board / 4.0 - 1.0).T
    raised = view.project(np.column_stack([flat.board, rise * BENDS[form](x, y)]))
    level = view.project(np.column_stack([flat.board, np.zeros(64)]))
    points = replace(flat, pixels=flat.pixels + raised - level, spread=np.full(64, 3.0))
    fit = fit_camera(view, points, WH)
    assert (measure_bulge(fit.camera, points, 8, WH) > MAX_BULGE) == (rise != 0.0)


def test_on_a_bent_board_letters_are_read_and_no_height_is_sure() -> None:
    turn = game_in(SAMPLES / "blue_10x10")[11]
    image, _ = load_image(turn.path)
    plain = BoardReader().read(image, 10)
    bent = BoardReader().read(warp(image, on_bent_board(turn, -0.4, BENDS["gutter"])), 10)
    assert bent.letters() == plain.letters()
    tiles = plain.heights() > 0
    assert (plain.height_probs[tiles].max(axis=-1) >= HEIGHT_KNOWN).any()
    assert (bent.height_probs[tiles].max(axis=-1) < HEIGHT_KNOWN).all()


@given(st.floats(0.26, 0.3), turns, st.sampled_from([1.0, 4 / 3]))
def test_a_picture_that_may_be_stretched_is_in_doubt(tilt: float, turn: float, stretch: float) -> None:
    view = replace(camera(8, tilt, turn), stretch=stretch, centre=(853.0, 479.5))
    points = replace(see_squares(view, 0.1), spread=np.full(64, 2.0))
    fit = fit_unchanged(view, points, (1707, 960))
    assert AS_TAKEN.is_of(fit.camera)
    assert fit.framing_in_doubt == (stretch != 1.0)
    tracked = fit_framing(fit_camera(view, points, (1707, 960)), points, (1707, 960))
    assert AS_TAKEN.is_of(tracked.camera)
    assert tracked.framing_in_doubt == (stretch != 1.0)


@given(st.floats(0.4, 0.9), turns, st.floats(1.0, 1.8))
def test_a_long_lens_shows_stacks_as_the_middle_of_a_cropped_picture_does(
    tilt: float, turn: float, zoom: float
) -> None:
    view = camera(8, tilt, turn)
    view = replace(view, focal=view.focal * zoom, translation=view.translation * (1.0, 1.0, zoom))
    fit = fit_unchanged(view, see_squares(view, 0.1), WH)
    assert not fit.framing_in_doubt


def test_a_picture_that_was_cropped_or_stretched_is_in_doubt() -> None:
    view = replace(camera(8, 0.2, 0.5), stretch=4 / 3, centre=(853.0, 479.5))
    points = replace(see_squares(view, 0.1), spread=np.full(64, 1.0))
    fit = fit_unchanged(view, points, (1707, 960))
    assert fit.camera.cropped
    assert fit.framing_in_doubt


def test_a_stretch_that_the_points_favour_but_the_picture_does_not_leaves_a_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def favour_a_stretch(fit: CameraFit, points: Correspondences, wh: tuple[int, int]) -> CameraFit:
        return replace(fit, camera=replace(fit.camera, stretch=0.5))

    monkeypatch.setattr(lattice_fit, "fit_framing", favour_a_stretch)
    image, _ = photograph(ASIDE)
    fit = find_lattice(image, 10).fit
    assert AS_TAKEN.is_of(fit.camera)
    assert fit.framing_in_doubt
