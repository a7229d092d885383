"""A watch over a game in which pictures fail: what was missed is caught up with, and scored from what is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from readings import played, reading_of, veiled

from engine.board import Board
from engine.editions import edition_named
from engine.lexicon import Lexicon
from engine.play import parse_play
from vision.errors import BoardNotFound
from vision.pipeline import BoardReader
from vision.reading import BoardReading
from vision.session import GameWatch, Observation

CLASSIC = edition_named("8x8")
WORDS = Lexicon.from_words(
    ["DEAR", "BEAR", "SNIP", "EON", "DEN", "ES", "NO", "ON", "NOES", "RE", "ROD", "MOOD", "WOOD", "WOODY"],
    name="test",
)
START = Board.empty(8)
DEAR = "D@d4 E@e4 A@f4 R@g4"
PICTURE = np.zeros((4, 4, 3), np.uint8)


class Eyes(BoardReader):
    """Sees what it is told to; None is a picture without a board."""

    def __init__(self, *seen: BoardReading | None) -> None:
        super().__init__(second_opinion=False)
        self._seen = list(seen)

    def read(self, *args: Any, **more: Any) -> BoardReading:
        reading = self._seen.pop(0)
        if reading is None:
            raise BoardNotFound("No board was found.")
        return reading

    def beside(self, *args: Any) -> list[BoardReading]:
        return []


def watched(*seen: BoardReading | None, start: Board = START) -> list[Observation]:
    watch = GameWatch(Eyes(*seen), start, edition=CLASSIC, lexicon=WORDS)
    return [watch.observe(PICTURE) for _ in seen]


def heights(board: Board) -> list[list[int]]:
    return [[len(stack) for stack in row] for row in board.stacks]


def test_a_turn_that_was_not_seen_is_followed_by_a_question() -> None:
    boards = [played(START, DEAR), played(START, DEAR, "B@d4")]
    first, missed, next_one = watched(reading_of(boards[0]), None, reading_of(boards[1]))
    assert not first.inference.needs_review
    assert missed.inference.kind == "unclear"
    assert next_one.inference.needs_review
    assert next_one.after == boards[1]


def test_letters_that_no_picture_showed_still_count_as_layers() -> None:
    before = played(START, DEAR)
    covered = played(before, "S@d4 N@e4 I@f4 P@g4", "B@d4 O@e4 O@f4 K@g4")
    last = watched(None, reading_of(covered), start=before)[-1]
    assert last.inference.needs_review
    assert heights(last.after) == heights(covered)
    assert last.after.tops() == covered.tops()


def test_stacks_that_stand_where_nothing_stood_are_two_turns() -> None:
    before = played(START, DEAR)
    grown = played(before, "O@d5 N@d6", "E@d5 S@d6")
    last = watched(reading_of(before), None, None, reading_of(grown, height_sure=0.9995))[-1]
    assert last.inference.needs_review
    assert heights(last.after) == heights(grown)


def test_layers_are_not_added_where_everything_looks_too_high() -> None:
    before = played(START, DEAR, "N@e5 O@e6")
    seen = reading_of(played(before, "S@g5"))
    tiles = seen.heights() > 0
    table = seen.height_probs.copy()
    table[tiles] = np.roll(table[tiles], 1, axis=1)
    last = watched(None, replace(seen, height_probs=table), start=before)[-1]
    assert max(max(row) for row in heights(last.after)) == 1


def test_a_play_beside_a_hand_is_asked_about_once() -> None:
    before = played(START, "M@c4 O@d4 O@e4 D@f4")
    after = played(before, "W@c4")
    seen = watched(veiled(reading_of(after), (3, 6)), reading_of(played(after, "N@d5")), start=before)
    assert [each.inference.needs_review for each in seen] == [True, False]
    assert seen[1].inference.play == parse_play("N@d5")


def test_a_first_play_on_a_grid_in_doubt_is_asked_about_and_later_ones_are_borne_out() -> None:
    boards = [played(START, DEAR), played(START, DEAR, "B@d4")]
    first, later = watched(*(replace(reading_of(board), grid=0.6) for board in boards))
    assert first.inference.kind == "play"
    assert first.inference.needs_review
    assert first.inference.reason is not None
    assert first.inference.reason.startswith("The border")
    assert not later.inference.needs_review
