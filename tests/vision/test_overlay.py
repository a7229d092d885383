"""The lines below an overlay, and the close look at one square."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from enginekit import play_all
from readings import along_columns, reading_of

from engine import Board, Square
from vision import overlay


def test_words_in_quotation_marks_are_written_with_marks_that_the_letters_below_a_picture_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[str] = []
    monkeypatch.setattr("cv2.putText", lambda strip, text, *_: written.append(text))
    lines = ["PO is not in the word list “both”.", "It\u2019s a draw."]
    strip = overlay._caption(np.zeros((10, 400, 3), np.uint8), lines, doubtful=False)
    assert written == ['PO is not in the word list "both".', "It's a draw."]
    assert strip.shape[0] > 10


@pytest.mark.parametrize("letters", ["Ä", "Ж", "Ñandú"])
def test_letters_beyond_a_to_z_are_written_as_they_are(letters: str) -> None:
    """OpenCV's own letters would show a question mark for each."""

    def written(text: str) -> np.ndarray:
        canvas = np.full((60, 200, 3), 255, np.uint8)
        overlay._write(canvas, text, (10, 40), 1.0, 2)
        return canvas

    ink = np.argwhere(written(letters).min(axis=2) < 128)
    (width, height), _ = overlay._measure_text(letters, 1.0, 2)
    assert 0.85 * width <= np.ptp(ink[:, 1]) <= width + 1
    assert 0.85 * height <= 40 - ink[:, 0].min() <= height + 1
    assert (written(letters) != written("?" * len(letters))).any()
    assert (written(letters) != written(letters.encode("ascii", "replace").decode())).any()


def frame(*, hidden: bool, height: int = 1) -> np.ndarray:
    """Return where a close look at a square of a grey picture has its frame, (side, side)."""
    reading = replace(reading_of(Board.empty(8)), camera=along_columns(0.9))
    grey = np.full((960, 1280, 3), 128, np.uint8)
    crop = overlay.crop_square(grey, reading, Square(3, 4), height, 130, hidden=hidden)
    assert crop.shape == (130, 130, 3)
    return np.asarray(np.abs(crop.astype(int) - crop[0, 0]).max(axis=-1) > 20)


def test_a_close_look_frames_its_square_and_shows_those_around_it() -> None:
    rows, cols = np.nonzero(frame(hidden=False))
    for ends in (rows, cols):
        assert (ends.min(), ends.max()) == pytest.approx((40, 90), abs=4)
    assert frame(hidden=False)[65, 40]
    assert not frame(hidden=False)[55:75, 55:75].any()


def test_a_close_look_at_a_hidden_square_frames_it_with_dashes() -> None:
    assert 0.3 < frame(hidden=True).sum() / frame(hidden=False).sum() < 0.8


def test_a_close_look_is_at_the_face_of_the_stack_that_is_asked_about() -> None:
    """A tile that no picture showed lies on the stack that is believed, not on what was read there."""
    reading = replace(reading_of(play_all(Board.empty(8), "N@e4")), camera=along_columns(0.9))
    noise = np.random.default_rng(1).integers(0, 255, (960, 1280, 3)).astype(np.uint8)
    low, high = (overlay.crop_square(noise, reading, Square(3, 4), height, 130) for height in (1, 5))
    assert np.abs(low.astype(int) - high).mean() > 10


def test_a_letter_outside_the_picture_is_not_written_over_a_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(overlay, "_draw_face", lambda *_, label: written.append(label))
    view = along_columns(0.6)
    top = view.project([(4.5, 2.0, 0.0)])[0, 1]
    camera = replace(view, centre=(view.centre[0], view.centre[1] - float(top)))
    reading = replace(reading_of(play_all(Board.empty(8), "N@e1 O@e6")), camera=camera)
    overlay.draw_reading(np.full((960, 1280, 3), 90, np.uint8), reading)
    assert written == ["O1"]


@pytest.mark.parametrize("quarters", range(4))
def test_a_picture_on_its_side_is_turned_upright_with_its_camera(quarters: int) -> None:
    camera = replace(along_columns(0.6), stretch=1.2)
    points = [(0.0, 0.0, 0.0), (8.0, 0.0, 0.0), (8.0, 8.0, 0.0), (0.0, 8.0, 0.0), (3.5, 2.5, 2.0)]
    image = np.zeros((960, 1280, 3), np.uint8)
    plain = replace(reading_of(Board.empty(8)), camera=camera, corners=camera.project(points[:4]))
    assert overlay.quarter_turns(plain.corners) == 0
    lying, turned = image, plain
    for _ in range(quarters):
        corners = np.column_stack([turned.corners[:, 1], lying.shape[1] - 1 - turned.corners[:, 0]])
        turned = replace(turned, camera=turned.camera.turn_picture(lying.shape[1]), corners=corners)
        lying = np.rot90(lying)
    assert np.allclose(turned.camera.project(points[:4]), turned.corners), "the camera turns with the picture"
    shown, reading = overlay.upright(lying, turned)
    assert shown.shape == image.shape
    assert np.allclose(reading.corners, plain.corners)
    assert np.allclose(reading.camera.project(points), camera.project(points))
