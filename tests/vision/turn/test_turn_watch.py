"""One picture after another: looked at again a square beside where it makes no sense, and missed where none is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from enginekit import play_all
from presencekit import there
from readings import reading_of
from turnkit import COMMON, DEAR, EAR, EMPTY, MOOD, look_from, sharp

from engine import Board, parse_play, parse_square
from vision import BoardNotFound, BoardReader, BoardReading, Hints, certain
from vision.board.lookalikes import OtherEdition
from vision.heights.thickness import THICKNESSES
from vision.turn.observe import hints_of, not_read, observe
from vision.turn.prior import Gap
from vision.turn.reasons import Doubt, Reason
from vision.turn.steps import take_look

PICTURE = np.zeros((4, 4, 3), np.uint8)
NO_BOARD = BoardNotFound("No board was found.")


class Eyes(BoardReader):
    """A reader with a reading for the board and others for a square beside it, or with no board."""

    def __init__(self, seen: BoardReading | BoardNotFound, *beside: BoardReading) -> None:
        super().__init__(without={"tesseract"})
        self._seen, self._beside = seen, list(beside)
        self.hints: list[Hints | None] = []
        self.asked_beside = 0

    def read(self, *args: Any, hints: Hints | None = None, **more: Any) -> BoardReading:
        self.hints.append(hints)
        if isinstance(self._seen, BoardNotFound):
            raise self._seen
        return self._seen

    def neighbour_readings(self, *args: Any) -> list[BoardReading]:
        self.asked_beside += 1
        return self._beside


def shift(board: Board) -> Board:
    """The board as a grid one square beside has it."""
    return Board.of([[(), *row[:-1]] for row in board.stacks])


def test_what_is_seen_is_believed() -> None:
    eyes = Eyes(sharp(DEAR))
    belief, found = observe(eyes, certain(MOOD), PICTURE, COMMON)
    assert (belief, found) == take_look(certain(MOOD), sharp(DEAR), COMMON)
    assert belief.board == DEAR
    assert found.reading is not None
    assert eyes.asked_beside == 0


def test_a_picture_without_a_board_is_a_turn_that_may_have_been_missed() -> None:
    belief, found = observe(Eyes(NO_BOARD), certain(MOOD), PICTURE, COMMON)
    assert (found.kind, found.needs_review) == ("unclear", True)
    assert str(found.reason) == "No board was found."
    assert (found.reading, belief.board, found.before) == (None, MOOD, MOOD)
    assert belief.gap == Gap(unseen=1)
    assert str(not_read(certain(MOOD), "Too dark.")[1].reason) == "Too dark."


def test_another_board_is_told_by_its_size() -> None:
    eyes = Eyes(OtherEdition(10, 8, np.zeros((4, 2))))
    belief, found = observe(eyes, certain(MOOD), PICTURE, COMMON)
    text = "This board looks 10 × 10. The game is set up for 8 × 8."
    assert (found.kind, found.reason) == ("unclear", Doubt(Reason.OTHER_BOARD, (text, "10")))
    assert belief.gap == Gap(unseen=1)


@pytest.mark.parametrize("wrong", ["shifted", "foul"])
def test_what_makes_no_sense_is_looked_at_a_square_beside(wrong: str) -> None:
    odd = sharp(shift(DEAR)) if wrong == "shifted" else sharp(play_all(MOOD, "A@a1"))
    eyes = Eyes(odd, sharp(DEAR))
    belief, found = observe(eyes, certain(MOOD), PICTURE, COMMON)
    assert eyes.asked_beside == 1
    assert (found.kind, found.play, found.needs_review) == ("play", parse_play(EAR), False)
    assert belief.sheet_board == belief.board == DEAR


def test_where_only_print_seems_to_lie_there_it_is_looked_a_square_beside() -> None:
    print_only = reading_of(play_all(Board.empty(8), "T@a3 E@b3 H@c3 T@e3 T@f3 E@g3 H@h3 T@a6 E@b6 H@c6"))
    faint = replace(print_only, face_probs=0.5 * print_only.face_probs + 0.5 / print_only.face_probs.shape[-1])
    eyes = Eyes(faint, sharp(MOOD))
    _, found = observe(eyes, certain(Board.empty(8)), PICTURE, COMMON)
    assert (eyes.asked_beside, found.kind, found.needs_review) == (1, "play", False)


def test_where_no_square_beside_makes_sense_the_first_reading_stands() -> None:
    odd = sharp(shift(DEAR))
    eyes = Eyes(odd, sharp(shift(shift(DEAR))))
    belief, found = observe(eyes, certain(MOOD), PICTURE, COMMON)
    assert found.needs_review
    assert (belief, found) == take_look(certain(MOOD), odd, COMMON)


def test_nothing_changed_on_the_grid_beside_is_no_better() -> None:
    eyes = Eyes(sharp(shift(DEAR)), sharp(DEAR))
    _, found = observe(eyes, certain(DEAR), PICTURE, COMMON)
    assert eyes.asked_beside == 1
    assert found.needs_review


def test_with_one_word_on_the_board_it_is_looked_beside_as_well() -> None:
    eyes = Eyes(sharp(shift(MOOD)), sharp(DEAR))
    _, found = observe(eyes, certain(MOOD), PICTURE, COMMON)
    assert (found.kind, found.play) == ("play", parse_play(EAR))


def test_corners_that_are_given_are_not_doubted() -> None:
    eyes = Eyes(sharp(shift(DEAR)), sharp(DEAR))
    _, found = observe(eyes, certain(MOOD), PICTURE, COMMON, corners=np.zeros((4, 2)))
    assert eyes.asked_beside == 0
    assert found.needs_review


def test_a_board_with_an_assumed_stack_proves_no_thickness() -> None:
    belief = certain(MOOD)
    assert not hints_of(belief).assumed
    assert hints_of(replace(belief, assumed=frozenset({parse_square("b4")}))).assumed


def test_what_is_known_helps_to_read() -> None:
    fresh = hints_of(certain(MOOD))
    assert (fresh.board, fresh.thickness, fresh.camera) == (MOOD, None, None)
    belief, _ = look_from(EMPTY, sharp(MOOD))
    eyes = Eyes(sharp(DEAR))
    observe(eyes, belief, PICTURE, COMMON)
    known = there(eyes.hints[0])
    assert known.board == MOOD
    assert known.thickness is not None
    assert known.thickness.shape == THICKNESSES.shape
    assert known.camera is belief.knowledge.camera is not None


def test_pictures_one_after_another() -> None:
    belief = certain(EMPTY)
    boards = [MOOD, None, DEAR, DEAR]
    kinds = []
    for board in boards:
        seen = NO_BOARD if board is None else replace(reading_of(board), seconds=0.2)
        belief, found = observe(Eyes(seen), belief, PICTURE, COMMON)
        kinds.append((found.kind, found.needs_review))
    assert kinds == [("play", False), ("unclear", True), ("play", False), ("none", False)]
    assert belief.sheet_board == DEAR
