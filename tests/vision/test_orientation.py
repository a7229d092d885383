"""Which way letters stand, and pictures that show them in a mirror."""

from __future__ import annotations

import numpy as np
import pytest
from samples import photograph

from engine import ENGLISH, FACES, Lexicon
from vision import BoardNotFound, BoardReader
from vision.letters.classifier import FACE_PX, REJECT, read_faces
from vision.letters.orientation import is_hard_to_read, orientation_probabilities

ROW = [(4, col) for col in range(8)]


def test_faces_that_show_nothing_hardly_vote() -> None:
    surest = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        windows = np.clip(rng.normal(252, 2, (len(ROW), FACE_PX, FACE_PX, 3)), 0, 255).astype(np.uint8)
        surest.append(float(orientation_probabilities(windows, ROW, 8, ENGLISH, None).max()))
    assert np.mean(surest) < 0.5
    assert max(surest) < 0.8


def test_words_of_letters_that_cannot_be_read_count_for_nothing() -> None:
    rng = np.random.default_rng(5)
    windows = np.clip(rng.normal(252, 2, (2, FACE_PX, FACE_PX, 3)), 0, 255).astype(np.uint8)
    likeliest = read_faces(windows)[:, :REJECT].argmax(axis=1)
    by_chance = Lexicon.from_words(["".join(FACES[k].upper() for k in likeliest)], name="by chance")
    without, given = (orientation_probabilities(windows, ROW[:2], 8, ENGLISH, words) for words in (None, by_chance))
    assert given == pytest.approx(without, abs=0.05)


@pytest.mark.parametrize(
    ("name", "size"), [("classic_8x8/13.jpg", 8), pytest.param("blue_10x10/11.jpg", 10, marks=pytest.mark.slow)]
)
def test_a_mirrored_picture_is_refused_and_told(name: str, size: int) -> None:
    image, _ = photograph(name)
    reader = BoardReader(without={"tesseract"})
    assert reader.read(image, size).heights().sum() > 5
    with pytest.raises(BoardNotFound, match="mirrored"):
        reader.read(np.ascontiguousarray(image[:, ::-1]), size)


def test_an_empty_board_in_a_mirror_is_an_empty_board() -> None:
    image, _ = photograph("classic_8x8/00.jpg")
    assert not BoardReader(without={"tesseract"}).read(np.ascontiguousarray(image[:, ::-1]), 8).heights().any()


def test_a_mirror_is_thought_of_where_letters_are_unsure() -> None:
    tiles = np.zeros((8, 8), dtype=bool)
    tiles[3, 2:7] = True
    sure, unsure = np.full((8, 8, 26), 0.001), np.full((8, 8, 26), 0.02)
    sure[..., 4], unsure[..., 4] = 0.975, 0.5
    assert not is_hard_to_read(sure, tiles)
    assert is_hard_to_read(unsure, tiles)
    assert not is_hard_to_read(unsure, tiles & False)
