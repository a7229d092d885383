"""Pictures taken in the evening, before a window, out of focus: read where they can be, else told what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from samples import photograph, squares_off

from engine import Square
from vision import BoardNotFound, BoardReader, GridDoubt
from vision.board import localize
from vision.board.lattice import Lattice
from vision.board.localize import find_lattice
from vision.geometry.camera import corners_of
from vision.geometry.rectify import ReducedView
from vision.hidden.bare_squares import square_colours
from vision.images import Image
from vision.overlay import crop_square, draw_reading
from vision.picture_quality import (
    Fault,
    error_of_picture,
    fault_of,
    is_nearly_black,
    is_unevenly_lit,
    lighten,
    lighten_gloom,
    sharpness,
)
from vision.pipeline import doubt_of
from workshop.bench.reading.spoiled import dark, out_of_focus, shaken

BLUE, CLASSIC = "blue_10x10/06.jpg", "classic_8x8/06.jpg"
READER = BoardReader(without={"tesseract"})


def before_a_window(image: Image, share: float) -> Image:
    """Return the picture in the dark, and a bright window above it."""
    window = np.full((image.shape[0] // 4, image.shape[1], 3), 250, np.uint8)
    return np.concatenate([window, dark(image, share)])


def soft(image: Image) -> Image:
    return out_of_focus(image, 7.0 * max(image.shape) / 1000)


def shake(image: Image, angle: float) -> Image:
    """Return the picture as seen by a camera that moves at this angle to the horizontal, degrees."""
    return shaken(image, 0.04 * max(image.shape), angle)


def brightness(image: Image) -> float:
    return float(np.percentile(image.max(axis=2), 99))


@cache
def lattice_of(name: str, size: int) -> Lattice:
    return find_lattice(photograph(name)[0], size)


def test_a_picture_that_is_bright_enough_is_left_as_it_is() -> None:
    image, _ = photograph(CLASSIC)
    assert lighten(image).image is image
    assert lighten(image).gain == 1.0


@examples(25)
@given(share=st.floats(0.03, 0.5))
def test_what_is_dark_is_lightened_alike_however_dark_it_was(share: float) -> None:
    gloomy = dark(photograph(CLASSIC)[0][::4, ::4], share)
    light = lighten(gloomy)
    assert light.gain > 1.0
    assert brightness(light.image) == pytest.approx(230, abs=25)
    assert np.array_equal(light.image, np.minimum(np.round(gloomy * light.gain), 255).astype(np.uint8))
    assert lighten(light.image).gain == 1.0, "once is enough"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), [(BLUE, 10), (CLASSIC, 8)])
@pytest.mark.parametrize("share", [0.15, 0.05])
def test_a_board_is_read_in_the_dark_as_it_is_in_the_light(name: str, size: int, share: float) -> None:
    image, _ = photograph(name)
    by_day, by_night = READER.read(image, size), READER.read(dark(image, share), size)
    assert by_night.letters() == by_day.letters()
    assert np.array_equal(by_night.heights(), by_day.heights())


@pytest.mark.slow
def test_a_board_is_found_in_the_dark_before_a_bright_window() -> None:
    image, true = photograph(BLUE)
    scene = before_a_window(image, 0.05)
    assert is_unevenly_lit(scene)
    found = corners_of(find_lattice(scene, 10).fit.camera, 10)
    assert squares_off(found, np.add(true, (0, len(scene) - len(image))), 10) < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("doubted", [True, False])
def test_a_grid_in_doubt_stays_so_whatever_another_exposure_shows(
    monkeypatch: pytest.MonkeyPatch, doubted: bool
) -> None:
    scene = before_a_window(photograph(BLUE)[0], 0.05)

    def doubt_first(image: Image, lattice: Lattice, _: int) -> Lattice:
        return replace(lattice, rivalled=doubted and image is scene)

    monkeypatch.setattr(localize, "mark_rivalled", doubt_first)
    assert find_lattice(scene, 10).rivalled is doubted


def test_a_board_in_the_dark_of_a_bright_picture_is_exposed_for() -> None:
    gloomy = dark(photograph(CLASSIC)[0], 0.1)
    lattice = lattice_of(CLASSIC, 8)
    view = ReducedView.of(gloomy, lattice.fit.camera, 8).lighten()
    assert view.gain > 2.0
    assert brightness(view.image) > 2 * brightness(gloomy)


def test_the_colours_of_squares_are_those_that_were_taken() -> None:
    image, _ = photograph(CLASSIC)
    camera = lattice_of(CLASSIC, 8).fit.camera
    gloomy = dark(image, 0.1)
    light = lighten(gloomy)
    plain = square_colours(ReducedView(gloomy, camera, 8))
    again = square_colours(ReducedView(light.image, camera, 8, gain=light.gain))
    assert np.abs(plain - again).max() < 1.0


def test_what_lies_in_the_dark_of_a_picture_is_exposed_for() -> None:
    image, _ = photograph(CLASSIC)
    assert not is_unevenly_lit(image)
    scene = before_a_window(image, 0.05)
    board = lighten_gloom(scene)[len(scene) - len(image) :]
    assert brightness(board) == pytest.approx(230, abs=25)


@pytest.mark.slow
def test_pictures_are_shown_as_they_were_read() -> None:
    image, _ = photograph(CLASSIC)
    gloomy = dark(image, 0.06)
    reading = READER.read(gloomy, 8)
    assert brightness(draw_reading(gloomy, reading)) > 200
    row, col = np.argwhere(reading.heights() > 0)[0]
    square = Square(int(row), int(col))
    shown, taken = (crop_square(picture, reading, square, 1, 160) for picture in (gloomy, image))
    assert brightness(shown) == pytest.approx(brightness(taken), rel=0.3)


@pytest.mark.slow
def test_a_board_before_a_bright_window_is_shown_as_it_was_read() -> None:
    scene = before_a_window(photograph(CLASSIC)[0], 0.1)
    reading = READER.read(scene, 8)
    row, col = np.argwhere(reading.heights() > 0)[0]
    assert brightness(crop_square(scene, reading, Square(int(row), int(col)), 1, 160)) > 100


@pytest.mark.parametrize("name", [BLUE, CLASSIC, "classic_8x8/00.jpg"])
def test_nothing_is_wrong_with_a_good_picture(name: str) -> None:
    assert fault_of(photograph(name)[0]) is None


@pytest.mark.parametrize(
    ("spoiled", "fault"),
    [
        (soft, Fault.BLURRED),
        (lambda image: shake(image, 0.0), Fault.BLURRED),
        (lambda image: shake(image, 30.0), Fault.BLURRED),
        (lambda image: shake(image, 90.0), Fault.BLURRED),
        (lambda image: np.full_like(image, 254), Fault.DAZZLED),
        (np.zeros_like, Fault.DARK),
        (lambda image: lighten(dark(image, 0.01)).image, Fault.DARK),
    ],
    ids=["out of focus", "moved along", "moved askew", "moved down", "dazzled", "black", "lightened gloom"],
)
def test_what_is_wrong_with_a_picture_is_told(spoiled: Callable[[Image], Image], fault: Fault) -> None:
    assert fault_of(spoiled(photograph(BLUE)[0])) is fault


def test_a_bare_table_is_no_blurred_picture() -> None:
    ramp = np.tile(np.linspace(60, 200, 400).astype(np.uint8)[:, None, None], (1, 300, 3))
    assert sharpness(ramp) == 1.0
    assert fault_of(ramp) is None
    assert not is_nearly_black(ramp)


def test_a_refusal_says_what_is_wrong_with_the_picture_and_else_what_it_said() -> None:
    image, _ = photograph(BLUE)
    refusal = BoardNotFound("no board")
    assert error_of_picture(refusal, image) is refusal
    assert str(error_of_picture(refusal, soft(image))) == Fault.BLURRED.value


@pytest.mark.slow
def test_a_shaken_picture_is_refused_for_that_and_not_for_its_edition() -> None:
    with pytest.raises(BoardNotFound, match="blurred"):
        READER.read(shake(photograph(BLUE)[0], 45.0), 10)


@pytest.mark.slow
def test_letters_that_cannot_be_made_out_are_put_down_to_the_picture() -> None:
    image, _ = photograph(BLUE)
    lattice = find_lattice(image, 10)
    reading = READER.read(image, 10)
    faint = reading.face_probs * 0.0 + 1.0 / reading.face_probs.shape[-1]
    unread = replace(reading, face_probs=faint)
    sharp, blurred = (ReducedView.of(picture, reading.camera, 10) for picture in (image, soft(image)))
    assert doubt_of(lattice, unread, sharp) is GridDoubt.UNLETTERED
    assert doubt_of(lattice, unread, blurred) is GridDoubt.BLURRED
