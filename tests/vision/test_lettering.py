"""Letters behind stacks: a face is read freed of what stands before it, too, and not asked about where it is hidden."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import BOARD, laid
from readings import along_columns

from engine.faces import FACES
from vision.heights.plane_sweep import SLICES
from vision.heights.stacks import StackReading
from vision.letters import reader as lettering
from vision.letters.classifier import FACE_PX
from vision.letters.reader import FaceReader

LAYER = 0.25
FAR, NEAR = (3, 4), (4, 4)


def reader(heights: dict[tuple[int, int], int], letters: dict[tuple[int, int], str]) -> FaceReader:
    """What is read of a plain board with stacks on it, whose heights are known."""
    picture, seen = np.full((960, 1280, 3), BOARD, np.uint8), along_columns(0.75)
    logits = np.full((8, 8, 6), -9.0)
    logits[..., 0] = 0.0
    for square in sorted(heights):
        laid(picture, seen, square, LAYER * heights[square], letters[square])
        logits[square] = -9.0
        logits[(*square, heights[square])] = 0.0
    nothing = np.zeros((8, 8))
    stacks = StackReading(
        np.full((8, 8, SLICES), -np.log(SLICES)),
        nothing,
        nothing,
        np.zeros(57),
        logits,
        LAYER,
        np.zeros((10, 10)),
    )
    return FaceReader(picture, 8, seen, stacks)


def test_a_letter_half_behind_a_stack_is_read_better_without_the_stack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, i = reader({FAR: 2, NEAR: 4}, {FAR: "I", NEAR: "M"}), FACES.index("I")
    faces, _ = read.table()
    monkeypatch.setattr(
        lettering,
        "hidden_parts",
        lambda camera, places, *_: np.zeros((len(places), FACE_PX, FACE_PX), dtype=bool),
    )
    as_it_is, _ = read.table()
    assert faces[FAR].argmax() == i
    assert faces[(*FAR, i)] > as_it_is[(*FAR, i)] + 0.1
    assert np.allclose(faces[NEAR], as_it_is[NEAR])


def test_no_second_opinion_is_asked_on_what_a_nearer_stack_hides() -> None:
    read = reader({FAR: 1, NEAR: 5, (6, 6): 1}, {FAR: "T", NEAR: "M", (6, 6): "K"})
    assert set(read.doubtful(np.full((8, 8, 26), 1 / 26))) == {NEAR, (6, 6)}


def test_an_o_is_not_sure_to_be_a_c_because_a_stack_was_thought_to_hide_its_right_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, o = reader({FAR: 2}, {FAR: "O"}), FACES.index("O")
    right = np.zeros((FACE_PX, FACE_PX), dtype=bool)
    right[:, FACE_PX // 2 :] = True
    monkeypatch.setattr(
        lettering,
        "hidden_parts",
        lambda camera, places, *_: np.broadcast_to(right, (len(places), *right.shape)),
    )
    faces, _ = read.table()
    assert faces[FAR].argmax() == o
    assert 0.5 < faces[(*FAR, o)] < 0.75
    monkeypatch.setattr(lettering, "_FREED", 1.0)
    assert read.table()[0][FAR].argmax() == FACES.index("C")
