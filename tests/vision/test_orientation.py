"""Which way up: what cannot be read does not tell."""

from __future__ import annotations

import numpy as np
import pytest

from engine import FACES, Lexicon
from vision.letters.classifier import FACE_PX, REJECT, read_faces
from vision.letters.orientation import orientation_probabilities

ROW = [(4, col) for col in range(8)]


def test_faces_that_show_nothing_hardly_vote() -> None:
    surest = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        windows = np.clip(rng.normal(252, 2, (len(ROW), FACE_PX, FACE_PX, 3)), 0, 255).astype(np.uint8)
        surest.append(float(orientation_probabilities(windows, ROW, 8, None).max()))
    assert np.mean(surest) < 0.5
    assert max(surest) < 0.8


def test_words_of_letters_that_cannot_be_read_count_for_nothing() -> None:
    rng = np.random.default_rng(5)
    windows = np.clip(rng.normal(252, 2, (2, FACE_PX, FACE_PX, 3)), 0, 255).astype(np.uint8)
    likeliest = read_faces(windows)[:, :REJECT].argmax(axis=1)
    by_chance = Lexicon.from_words(["".join(FACES[k].upper() for k in likeliest)], name="by chance")
    without, given = (orientation_probabilities(windows, ROW[:2], 8, words) for words in (None, by_chance))
    assert given == pytest.approx(without, abs=0.05)
