"""The frames into which a photograph is resampled."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from readings import camera

from vision.geometry.camera import grid_corners
from vision.geometry.rectify import Reductions, letterbox, parallax, pitch_of, shrink_to_pitch, windows_at


@given(st.floats(0.0, 0.9), st.floats(-3.0, 3.0), st.integers(0, 5), st.integers(0, 5))
def test_parallax_says_where_what_stands_up_is_seen(tilt: float, turn: float, row: int, col: int) -> None:
    view, low = camera(8, tilt, turn, 0.0), 0.01
    told = parallax(view, 8, 1, 2)[:, row + 2, col + 2]
    foot = np.array([col + 0.5, row + 0.5])
    seen = view.to_board(view.project([*foot, low]))
    assert np.allclose((seen - foot) / low, told, atol=0.02)


def test_parallax_does_not_grow_without_bounds() -> None:
    low = camera(8, 1.54, 0.0, 0.0)
    assert np.abs(parallax(low, 8, 4, 2)).max() <= 4.0


def test_as_many_windows_are_cut_as_are_asked_for() -> None:
    view = camera(8)
    image = np.random.default_rng(4).integers(0, 255, (960, 1280, 3), dtype=np.uint8)
    places = np.random.default_rng(5).uniform((0, 0, 0), (8, 8, 1), (1764, 3))
    windows = windows_at(image, view, places, 32)
    assert windows.shape == (1764, 32, 32, 3)
    for part in (slice(0, 3), slice(998, 1002), slice(1760, 1764)):
        assert (windows[part] == windows_at(image, view, places[part], 32)).all()


@given(st.integers(150, 400), st.integers(800, 2000), st.booleans())
def test_what_is_seen_in_a_letterbox_is_found_again_in_the_picture(short: int, long: int, tall: bool) -> None:
    height, width = (long, short) if tall else (short, long)
    square, box = letterbox(np.zeros((height, width, 3), np.uint8), 256, 208)
    shown = np.argwhere((square == 0).all(axis=-1))[:, ::-1]
    edges = np.array([shown.min(axis=0) - 0.5, shown.max(axis=0) + 0.5])
    assert np.allclose(box.to_picture(edges), [(-0.5, -0.5), (width - 0.5, height - 0.5)], atol=1e-6)


def test_a_large_picture_is_reduced_once() -> None:
    view = camera(tilt=0.5).scale(3.0)
    size_wh = [int(2 * middle + 1) for middle in view.centre]
    image = np.zeros((size_wh[1], size_wh[0], 3), dtype=np.uint8)
    small, reduced = shrink_to_pitch(image, view, 8)
    at = reduced.project(np.column_stack([grid_corners(8), np.zeros(4)]))
    sides = np.linalg.norm(at - np.roll(at, 1, axis=0), axis=1) / 8
    assert 42.0 < sides.max() < 48.0
    again, same = shrink_to_pitch(small, reduced, 8)
    assert again is small
    assert same is reduced


def test_a_picture_is_reduced_once_to_each_size_while_it_is_searched() -> None:
    view = camera(tilt=0.5).scale(3.0)
    size_wh = [int(2 * middle + 1) for middle in view.centre]
    picture = Reductions(np.zeros((size_wh[1], size_wh[0], 3), dtype=np.uint8))
    first = picture.at_pitch(view, 8)
    assert 42.0 < pitch_of(first.camera, 8) < 48.0
    assert np.isclose(view.focal / first.camera.focal, first.enlargement)
    again = picture.at_pitch(view.move((0.05, 0.0)), 8)
    assert again.image is first.image
    as_it_is = picture.at_pitch(view.scale(0.3), 8)
    assert as_it_is.image is picture.whole
    assert as_it_is.camera.focal == view.scale(0.3).focal
