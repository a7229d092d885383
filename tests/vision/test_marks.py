"""Prints that pass for letters: remembered from the empty board, and only half believed from then on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from readings import reading_of

from engine.board import Board
from engine.faces import FACES
from engine.play import parse_play
from vision.marks import discounted, marks_on
from vision.reading import BoardReading

EMPTY = Board.empty(8)
O_FACE = FACES.index("O")


def ringed(chance: float = 0.6) -> BoardReading:
    """An empty board on which the ring on d4 looks like an O."""
    reading = reading_of(EMPTY)
    heights, faces = reading.height_probs.copy(), reading.face_probs.copy()
    heights[3, 3] = [1.0 - chance, chance, 0.0, 0.0, 0.0, 0.0]
    faces[3, 3] = 0.001
    faces[3, 3, O_FACE] = 0.975
    return replace(reading, height_probs=heights, face_probs=faces)


def test_a_ring_is_remembered_whichever_way_the_board_is_turned() -> None:
    marks = marks_on(ringed(), EMPTY)
    assert marks == {(row, col, O_FACE) for row in (3, 4) for col in (3, 4)}


def test_a_tile_that_is_known_to_lie_there_is_no_print() -> None:
    assert not marks_on(ringed(), EMPTY.with_play(parse_play("O@d4")))


def test_a_print_is_believed_less_and_a_tile_still_seen() -> None:
    marks = marks_on(ringed(), EMPTY)
    assert discounted(ringed(), marks).height_probs[3, 3, 0] > 0.9
    assert discounted(ringed(0.9999), marks).height_probs[3, 3, 1] > 0.99
    assert np.allclose(discounted(ringed(), marks).height_probs.sum(axis=-1), 1.0)


def test_another_letter_on_the_print_is_left_alone() -> None:
    marks = frozenset({(3, 3, FACES.index("Z"))})
    assert (discounted(ringed(), marks).height_probs == ringed().height_probs).all()
