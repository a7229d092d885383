"""Letters that no stack bears: a line of stacks that came out moved by a face is put right, and nothing else is."""

from __future__ import annotations

import numpy as np
from readings import along_columns, unknown_elevations

from engine import ENGLISH, FACES
from vision import Camera
from vision.arrays import softmax
from vision.geometry.rectify import ReducedView
from vision.heights.elevations import Source
from vision.heights.stack_heights import Heights
from vision.letters.faces import FacesSeen
from vision.letters.joining import LetterState, join_letters, weigh_unclaimed_letters

N, LAYER = 8, 0.25
CAMERA = along_columns(0.85)
VIEW = ReducedView(np.zeros((960, 1280, 3), np.uint8), CAMERA, N)
Chances = dict[tuple[int, int], dict[int, float]]


def state(chances: Chances, letters: dict[tuple[int, int, int], str]) -> LetterState:
    """Return a state with these heights by square, and clear letters by square and height."""
    table = np.full((N, N, 6), 1e-6)
    table[..., 0] = 1.0
    for square, heights in chances.items():
        table[square] = 1e-6
        for height, chance in heights.items():
            table[(*square, height)] = chance
    table /= table.sum(axis=-1, keepdims=True)
    looked, by_height = np.zeros((N, N, 6), bool), np.full((N, N, 6, 26), 1 / 26)
    for place, letter in letters.items():
        looked[place] = True
        by_height[place] = 0.001
        by_height[(*place, FACES.index(letter))] = 0.975
    upright = np.where(looked, 0.99, 0.0)
    faces = FacesSeen(np.full((N, N, 26), 1 / 26), looked, upright, table, by_height, ENGLISH)
    final = FacesSeen(faces.at(table), looked, upright, table, by_height, ENGLISH)
    return LetterState(unknown_elevations(N), Heights(np.log(table), LAYER), final)


def height_like(camera: Camera, near: tuple[int, int], high: int, far: tuple[int, int]) -> int:
    """Return the height at which a face on `far` looks most like one `high` on `near`."""
    seen = camera.project(np.array([near[1] + 0.5, near[0] + 0.5, LAYER * high]))
    there = [camera.project(np.array([far[1] + 0.5, far[0] + 0.5, LAYER * h])) for h in range(1, 6)]
    return 1 + int(np.argmin([np.linalg.norm(place - seen) for place in there]))


def move_line() -> tuple[LetterState, int]:
    """Return R5, I4, A3 up a column, read as R5, nothing and I, so that no stack has the A; and the height of the I."""
    low = height_like(CAMERA, (4, 3), 4, (3, 3))
    return state(
        {(5, 3): {5: 0.95}, (4, 3): {0: 0.75, 4: 0.1}, (3, 3): {low: 0.9, 3: 0.08}},
        {(5, 3, 5): "R", (4, 3, 4): "I", (3, 3, low): "I", (3, 3, 3): "A"},
    ), low  # fmt: skip


def test_a_line_read_a_face_too_near_is_put_right() -> None:
    line, low = move_line()
    assert low < 3
    odds = weigh_unclaimed_letters(VIEW, line)
    assert {tuple(map(int, place)) for place in np.argwhere(odds)} == {(3, 3, 3), (4, 3, 4)}
    assert (odds[odds != 0] > 0).all()


def test_letters_follow_the_heights() -> None:
    line, _ = move_line()
    told = Source("unclaimed letters", weigh_unclaimed_letters)
    before, after = join_letters(VIEW, line, [], []), join_letters(VIEW, line, [told], [])
    assert FACES[int(before.faces.face_probs[3, 3].argmax())] == "I"
    assert FACES[int(after.faces.face_probs[3, 3].argmax())] == "A"
    assert FACES[int(after.faces.face_probs[4, 3].argmax())] == "I"
    heights = softmax(after.heights.logits)[3, 3]
    assert heights.argmax() == 3
    # an assumed change is believed, but never sure
    assert heights.max() < 0.95


def test_where_every_letter_is_borne_nothing_is_said() -> None:
    line = state(
        {(5, 3): {5: 0.95}, (4, 3): {4: 0.9}, (3, 3): {3: 0.9}}, {(5, 3, 5): "R", (4, 3, 4): "I", (3, 3, 3): "A"}
    )
    assert not weigh_unclaimed_letters(VIEW, line).any()


def test_a_change_that_leaves_another_letter_over_is_not_made() -> None:
    # the square bears a letter high up, and seems to bear a different one at a height without other evidence
    both = state({(4, 3): {4: 0.9, 1: 0.05}}, {(4, 3, 4): "A", (4, 3, 1): "I"})
    assert not weigh_unclaimed_letters(VIEW, both).any()


def test_a_ring_printed_on_the_board_is_no_letter_left_over() -> None:
    for letter, said in (("O", False), ("S", True)):
        ring = state({(4, 3): {0: 0.7, 1: 0.3}, (1, 1): {1: 0.9}}, {(4, 3, 1): letter, (1, 1, 1): "T"})
        assert weigh_unclaimed_letters(VIEW, ring).any() == said
