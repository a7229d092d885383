"""Letters behind stacks: a face is read freed of what stands before it, too, and not asked about where it is hidden."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from readings import along_columns

from engine.faces import FACES
from vision import lettering
from vision.camera import Camera
from vision.faces import FACE_PX
from vision.lettering import FaceReader
from vision.stacks import StackReading
from vision.sweep import SLICES

BOARD, BLUE, WHITE = (30, 170, 220), (150, 70, 30), (235, 235, 235)
LAYER = 0.25
FAR, NEAR = (3, 4), (4, 4)


def laid(picture: np.ndarray, seen: Camera, square: tuple[int, int], top: float, letter: str) -> None:
    """A stack of one colour with a letter on it, its rim a little darker."""
    row, col = square
    x0, x1, y0, y1 = col + 0.06, col + 0.94, row + 0.06, row + 0.94
    wall = [(x0, y1, 0), (x1, y1, 0), (x1, y1, top), (x0, y1, top)]
    cv2.fillConvexPoly(picture, np.round(seen.project(wall)).astype(np.int32), (120, 55, 25))
    face = np.full((128, 128, 3), BLUE, np.uint8)
    (wide, high), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_SIMPLEX, 2.4, 10)
    cv2.putText(
        face, letter, ((128 - wide) // 2, (128 + high) // 2), cv2.FONT_HERSHEY_SIMPLEX, 2.4, WHITE, 10, cv2.LINE_AA
    )  # fmt: skip
    corners = seen.project([(x0, y0, top), (x1, y0, top), (x1, y1, top), (x0, y1, top)]).astype(np.float32)
    source = np.array([(0, 0), (128, 0), (128, 128), (0, 128)], np.float32)
    shape = picture.shape[1], picture.shape[0]
    onto = cv2.getPerspectiveTransform(source, corners)
    shown = cv2.warpPerspective(face, onto, shape, flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.full((128, 128), 255, np.uint8), onto, shape) > 127
    picture[inside] = shown[inside]


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
        np.full((8, 8, SLICES), -np.log(SLICES)), nothing, nothing, np.zeros(57), logits, LAYER
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
