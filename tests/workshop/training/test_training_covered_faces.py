"""Faces that nearer stacks cover part of, and what is told of it: cut from boards, and put behind their neighbours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the `train` extra)")

from engine import FACES
from vision import Camera
from vision.letters.classifier import FACE_PX
from workshop.training.board_samples import BoardSample
from workshop.training.cuts.covered_faces import cut_covered_faces
from workshop.training.faces.behind import some_behind
from workshop.training.faces.files import NO_LETTER

pytestmark = pytest.mark.slow

TURN, FOOT, LAYER = 0.9, 0.05, 0.25
DOWN = np.array([[1.0, 0, 0], [0, np.cos(TURN), np.sin(TURN)], [0, -np.sin(TURN), np.cos(TURN)]])
LOW = Camera(500.0, (299.5, 299.5), 0.0, DOWN, np.array([-4.0, -4.0 * np.cos(TURN), 12.0 + 4.0 * np.sin(TURN)]))
"""Seen from beyond the last row, so that a stack hides what stands in the row before."""
FAR, NEAR, ALONE = (3, 4), (4, 4), (6, 1)


def board(**changes: np.ndarray) -> BoardSample:
    """Bright faces on a dark ground: one by itself, one behind a stack that is all dark."""
    heights = np.zeros((8, 8), np.int64)
    heights[FAR], heights[NEAR], heights[ALONE] = 1, 3, 2
    picture = np.full((600, 600, 3), 40, np.uint8)
    for row, col in (FAR, NEAR, ALONE):
        level = FOOT + LAYER * heights[row, col]
        face = [(col + x, row + y, level) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
        foot = [(x, y, 0.0) for x, y, _ in face]
        stack = np.round(LOW.project(face + foot)).astype(np.int32)
        cv2.fillConvexPoly(picture, cv2.convexHull(stack), (60, 60, 60))
        if (row, col) != NEAR:
            cv2.fillConvexPoly(picture, stack[:4], (220, 220, 220))
    made = {"visible": np.where(heights > 0, 1.0, 0.0), "hand": np.zeros((8, 8))} | changes
    return BoardSample(picture, 8, LOW, LAYER, FOOT, heights, **made)


def letters(of: BoardSample) -> list[list[str]]:
    return [["R" if height else "" for height in row] for row in of.heights]


def test_only_faces_behind_stacks_are_cut_and_what_is_told_is_where_the_stack_stands() -> None:
    sample = board()
    brightness = []
    for seed in range(12):
        windows, labels, covered = cut_covered_faces(sample, letters(sample), np.random.default_rng(seed))
        assert windows.shape == (len(labels), FACE_PX, FACE_PX, 3)
        assert covered.shape == windows.shape[:3]
        assert labels in ([FACES.index("R")], [])  # none where the reader would get the heights wrong
        for window, part in zip(windows, covered, strict=True):
            brightness.append((window[part].mean(), window[~part].mean()))
    assert len(brightness) > 8
    before, seen = np.array(brightness).T
    assert np.median(seen - before) > 40


def test_what_hardly_shows_or_a_hand_hides_is_left_out() -> None:
    hardly = board(visible=np.full((8, 8), 0.2))
    under = board(hand=np.full((8, 8), 0.1))
    for sample in (hardly, under):
        windows, labels, covered = cut_covered_faces(sample, letters(sample), np.random.default_rng(1))
        assert len(windows) == len(labels) == len(covered) == 0


def test_bare_squares_behind_stacks_are_no_letters() -> None:
    sample = board(visible=np.ones((8, 8)))
    labels = [
        label
        for seed in range(12)
        for label in cut_covered_faces(sample, letters(sample), np.random.default_rng(seed))[1]
    ]
    assert set(labels) == {FACES.index("R"), NO_LETTER}


def plain(count: int) -> np.ndarray:
    """Windows of one grey each, another for every window."""
    greys = np.linspace(20, 230, count).astype(np.uint8)
    return np.broadcast_to(greys[:, None, None, None], (count, FACE_PX, FACE_PX, 3)).copy()


def test_some_windows_are_put_behind_others_and_most_of_these_are_told() -> None:
    before = plain(400)
    covered = np.zeros((400, FACE_PX, FACE_PX), dtype=bool)
    windows, covered = some_behind(before, covered, np.random.default_rng(3), off_px=0.0, grown_px=0)
    changed = np.any(windows != before, axis=-1)
    put = changed.any(axis=(1, 2))
    told = np.array(covered.any(axis=(1, 2)))
    assert 0.1 < put.mean() < 0.2
    assert 0.8 < told[put].mean() < 1.0
    assert covered[changed & told[:, None, None]].all()
    assert 0.02 < covered[told].mean() < 0.5


def test_what_a_stack_hides_already_is_put_behind_no_other() -> None:
    covered = np.zeros((200, FACE_PX, FACE_PX), dtype=bool)
    covered[:, :4] = True
    windows, told = some_behind(plain(200), covered, np.random.default_rng(4))
    assert (windows == plain(200)).all()
    assert (told == covered).all()


def test_the_same_seed_hides_the_same() -> None:
    nothing = np.zeros((60, FACE_PX, FACE_PX), dtype=bool)
    first, second = (some_behind(plain(60), nothing, np.random.default_rng(7)) for _ in range(2))
    assert (first[0] == second[0]).all()
    assert (first[1] == second[1]).all()
