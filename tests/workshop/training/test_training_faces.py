"""The drawn faces for the letter network: windows and their labels."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")


from engine import FACES
from vision.letters.classifier import FACE_PX
from vision.letters.eyes import LATIN
from workshop.training.faces.drawn import FaceArtist
from workshop.training.faces.files import NO_LETTER, passes_turned
from workshop.training.faces.flat_tiles import underline_glyph
from workshop.training.faces.fonts import signs_in
from workshop.training.faces.typeface import FontFace, render_glyph

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def samples(fonts: list[FontFace]) -> tuple[np.ndarray, np.ndarray]:
    artist = FaceArtist(fonts, np.random.default_rng(2))
    windows, labels = zip(*(artist.sample() for _ in range(500)), strict=True)
    return np.stack(windows), np.array(labels)


def letter_sheet(face: str, font: FontFace, size: int) -> np.ndarray:
    """Return the letter as ink in a window of one square."""
    glyph = render_glyph(face, font, size)
    canvas = np.zeros((3 * FACE_PX, 3 * FACE_PX), np.float32)
    top, left = ((3 * FACE_PX - side) // 2 for side in glyph.shape)
    canvas[top : top + glyph.shape[0], left : left + glyph.shape[1]] = glyph
    return cv2.GaussianBlur(canvas, (0, 0), 1.0)[FACE_PX : 2 * FACE_PX, FACE_PX : 2 * FACE_PX]


def patches(windows: np.ndarray, down: int = 0, right: int = 0) -> np.ndarray:
    """Return the inner parts (m, 484) of windows (m, FACE_PX, FACE_PX), moved a little, with zero mean and unit
    length."""
    flat = windows[:, 5 + down : 27 + down, 5 + right : 27 + right].reshape(len(windows), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6))


def test_windows_and_labels_are_what_the_network_takes(samples: tuple[np.ndarray, np.ndarray]) -> None:
    windows, labels = samples
    assert windows.shape == (500, FACE_PX, FACE_PX, 3)
    assert windows.dtype == np.uint8
    assert set(labels.tolist()) <= {*range(len(FACES)), NO_LETTER}
    assert 0.12 < (labels == NO_LETTER).mean() < 0.25
    assert len(set(labels.tolist())) == len(FACES) + 1


def test_labels_name_the_letter_that_is_drawn(samples: tuple[np.ndarray, np.ndarray], fonts: list[FontFace]) -> None:
    windows, labels = samples
    sheets = [letter_sheet(face, font, size) for font in fonts for size in (14, 17, 20) for face in FACES]
    letters_as_ink = patches(np.stack(sheets))
    grey = windows.astype(np.float32).mean(axis=3)
    likeness = np.zeros((len(windows), len(FACES)))
    for down in (-2, 0, 2):
        for right in (-2, 0, 2):
            match = np.abs(patches(grey, down, right) @ letters_as_ink.T)  # ink may be light or dark
            likeness = np.maximum(likeness, match.reshape(len(windows), -1, len(FACES)).max(axis=1))
    letters = labels != NO_LETTER
    named = likeness.argmax(axis=1)[letters] == labels[letters]
    assert named.mean() > 0.6  # chance is 0.04; blur, glare and neighbours sometimes defeat such a simple reader


def test_the_same_seed_draws_the_same_faces(fonts: list[FontFace]) -> None:
    first, second = (FaceArtist(fonts, np.random.default_rng(6)) for _ in range(2))
    for _ in range(20):
        (window, label), (other, other_label) = first.sample(), second.sample()
        assert label == other_label
        assert (window == other).all()


@pytest.mark.parametrize("seed", range(20))
def test_an_underlined_letter_is_the_letter_with_ink_below_a_gap(fonts: list[FontFace], seed: int) -> None:
    glyph = render_glyph("M", fonts[seed % len(fonts)], 48)
    under = underline_glyph(glyph, np.random.default_rng(seed))
    foot = int(np.flatnonzero(glyph.any(axis=1))[-1]) + 1
    assert (under[:foot] == glyph[:foot]).all()
    assert not under[foot].any()
    assert under[foot:].any()


def test_print_of_any_colours_differs_from_its_tile(fonts: list[FontFace]) -> None:
    artist = FaceArtist(fonts, np.random.default_rng(4))
    pairs = np.array([artist._colours(any_colours=1.0) for _ in range(100)])
    assert (np.abs(pairs[:, 0] - pairs[:, 1]).mean(axis=1) >= 40).all()
    darker = pairs[:, 0].mean(axis=1) < pairs[:, 1].mean(axis=1)
    assert 0.3 < darker.mean() < 0.7


def test_faces_beyond_a_to_z_are_drawn_in_typefaces_that_have_them(fonts: list[FontFace]) -> None:
    artist = FaceArtist(fonts, np.random.default_rng(3), LATIN)
    labels = np.array([artist.sample()[1] for _ in range(400)])
    letters = labels[labels != NO_LETTER]
    assert 0.1 < (letters >= len(FACES)).mean() < 0.75
    assert all(any(signs_in(font, LATIN[label]) for font in fonts) for label in letters)
    assert [signs_in(fonts[0], face) for face in ("Ж", "Ch")] == ["", "Ch"]


def test_a_face_of_two_letters_may_pass_for_another_upside_down() -> None:
    assert [passes_turned(face, 2) for face in ("Sz", "Zs", "Ch", "Ø", "Ä")] == [True, True, False, True, False]
