"""What the table is asked, and the answers that are offered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from enginekit import play_all
from presencekit import there
from readings import along_columns, reading_of, veil, write_over
from turnkit import COMMON, DEAR, EAR, EMPTY, MOOD, at, look_from, sharp

from engine import Square, parse_play, parse_square
from vision import BoardReading, Finding, Look, Outcome
from vision.hidden.occlusion import CutOff
from vision.turn.finding import (
    choose_offered,
    deciding_square,
    explain_hidden,
    find_knocked_off,
    find_retake,
    question_at,
)
from vision.turn.reasons import Doubt, Reason
from vision.turn.story import CertainBoard, Story


def outcome(share: float, *plays: str | None, kept: int = 0, replaces: int = 0) -> Outcome:
    events = tuple(None if text is None else parse_play(text) for text in plays)
    return Outcome(Story(events), kept, replaces, share)


def test_what_an_outcome_changes() -> None:
    added = outcome(0.9, "W@b4", EAR, kept=1)
    assert added.events == (parse_play("W@b4"), parse_play(EAR))
    assert added.changes == (parse_play(EAR),)
    assert not added.revises
    assert outcome(0.9, "F@b4", EAR, kept=0, replaces=1).revises


@pytest.mark.parametrize(
    ("best", "other", "square", "question"),
    [
        (["W@b4"], ["F@b4"], "b4", "W or F at b4?"),
        (["E@e5 A@e6 R@e7"], ["E@e5 A@e6"], "e7", "Was R played at e7?"),
        (["E@e5 A@e6"], ["E@e5 A@e6 L@e7"], "e7", "Was L played at e7?"),
        (["F@b4", EAR], ["W@b4", EAR], "b4", "F or W at b4?"),
    ],
)
def test_the_square_that_decides(best: list[str], other: list[str], square: str, question: str) -> None:
    outcomes = (outcome(0.6, *best), outcome(0.3, *other))
    assert deciding_square(outcomes) == parse_square(square)
    assert str(question_at(outcomes, parse_square(square))) == question


@pytest.mark.parametrize(
    ("best", "other"),
    [
        (["W@b4 L@e4"], ["F@b4 T@e4"]),
        (["W@b4"], ["W@b4", EAR]),
        (["W@b4", EAR], [EAR, "W@b4"]),
        ([None], ["W@b4"]),
        ([EAR], [EAR]),
    ],
)
def test_where_no_single_square_decides(best: list[str | None], other: list[str | None]) -> None:
    assert deciding_square((outcome(0.6, *best), outcome(0.3, *other))) is None
    assert deciding_square((outcome(0.6, *best),)) is None


START = CertainBoard(MOOD, parse_play("b4-MOOD"))


def test_hardly_likely_outcomes_are_no_answers_and_there_are_few() -> None:
    faces = "WFGCLTPRSN"
    many = tuple(outcome(0.3 / 2**k, f"{face}@b4") for k, face in enumerate(faces))
    assert choose_offered((outcome(0.9, EAR), outcome(0.0001, "W@b4")), START, COMMON) == (outcome(0.9, EAR),)
    assert choose_offered(many, START, COMMON) == many[: len(choose_offered(many, START, COMMON))]
    assert 2 <= len(choose_offered(many, START, COMMON)) <= 6


def test_a_foul_is_an_answer_only_where_nothing_is_likelier() -> None:
    lawful, foul = outcome(0.3, "W@b4"), outcome(0.5, "A@a1")
    unknown = outcome(0.1, "Z@b4")
    assert choose_offered((foul, lawful, unknown), START, COMMON) == (foul, lawful, unknown)
    late = outcome(0.2, "A@a1")
    assert choose_offered((lawful, late, unknown), START, COMMON) == (lawful, unknown)


def test_there_is_an_answer_at_least() -> None:
    barely = (outcome(0.0002, "W@b4"), outcome(0.0001, "F@b4"))
    assert choose_offered(barely, START, COMMON) == barely[:1]


def test_fouls_that_are_on_the_scoresheet_already_stand() -> None:
    after = outcome(0.3, "A@a1", "W@b4", kept=1)
    assert choose_offered((outcome(0.5, EAR), after), START, COMMON)[1:] == (after,)


def missing(*names: str) -> str | None:
    now = DEAR.without_top([parse_square(name) for name in names])
    doubt = find_knocked_off(Look.of(sharp(now)).table, DEAR)
    return None if doubt is None else str(doubt)


def test_tiles_that_are_gone_are_named() -> None:
    assert missing("b4") == "The tile on b4 is gone. Put it back and photograph again."
    assert missing("b4", "e7") == ("The tiles on b4 and e7 are gone. Put them back and photograph again.")
    several = there(missing("b4", "e6", "e7"))
    assert several.startswith("The tiles on b4, e6 and e7 are gone.")
    assert missing() is None


def test_many_tiles_gone_or_others_come_were_not_knocked_off() -> None:
    assert missing("b4", "c4", "e6", "e7") is None
    now = play_all(DEAR.without_top([Square(3, 1)]), "Z@a1")
    assert find_knocked_off(Look.of(sharp(now)).table, DEAR) is None
    assert find_knocked_off(Look.of(sharp(EMPTY)).table, EMPTY) is None


TOWER = ("A@e5", "B@e5", "C@e5", "D@e5", "E@e5")
"""Plays that build a stack on e5, which hides e4 from a camera beyond the last row."""


@pytest.mark.parametrize(
    ("tilt", "square", "said"),
    [
        (1.0, "e4", "e4 is hidden behind the stack on e5."),
        (0.5, "e4", "e4 is partly hidden behind the stack on e5."),
        (0.05, "e4", None),
        (1.0, "e5", None),
        (1.0, "e6", None),
        (1.0, "b4", None),
    ],
)
def test_what_hides_a_letter_is_told(tilt: float, square: str, said: str | None) -> None:
    board = play_all(EMPTY, *TOWER, "N@e4")
    reading = replace(reading_of(board), camera=along_columns(tilt))
    assert explain_hidden(reading, board, parse_square(square)) == said


def test_the_stacks_that_hide_a_letter_are_those_that_are_believed() -> None:
    """What a picture shows of a stack by itself may be wrong; what is known of the game is not."""
    board = play_all(EMPTY, *TOWER)
    reading = replace(reading_of(EMPTY), camera=along_columns(1.0))
    assert explain_hidden(reading, board, parse_square("e4")) == "e4 is hidden behind the stack on e5."


def test_a_hand_over_a_letter_is_told() -> None:
    square = parse_square("e4")
    said = explain_hidden(veil(reading_of(EMPTY), (square.row, square.col)), EMPTY, square)
    assert said == "e4 can't be seen. Something lies over it, or it is outside the picture."


def test_a_tile_that_no_look_has_shown_is_looked_for_without_the_hand() -> None:
    _, finding = look_from(MOOD, veil(sharp(DEAR), at("e6")))
    assert finding.reason == Doubt(Reason.PLAYED_AT, ("A", "e6"))
    assert find_retake(replace(finding, reading=veil(sharp(DEAR), at("e6")))) == "hand"


def stack_before(name: str) -> BoardReading:
    """DEAR with a nearer stack that hides the tile on a square."""
    reading = sharp(DEAR)
    covered = reading.covered.copy()
    covered[at(name)] = 1.0
    return replace(reading, covered=covered)


OUTSIDE = np.zeros((8, 8), dtype=bool)
OUTSIDE[at("e6")] = True
EDGE = replace(veil(sharp(DEAR), at("e6")), cut_off=CutOff(OUTSIDE, ("right",)))
"""DEAR, with one of its tiles beyond the edge of the picture."""


@pytest.mark.parametrize(
    ("reading", "reason", "retake"),
    [
        (sharp(DEAR), Reason.DOUBT, ""),
        (veil(sharp(DEAR), at("e6")), Reason.DOUBT, "hand"),
        (veil(sharp(DEAR), at("b1")), Reason.DOUBT, ""),
        (veil(sharp(DEAR), at("b1")), Reason.OUT_OF_SIGHT, "hand"),
        (write_over(sharp(DEAR), at("e6")), Reason.DOUBT, ""),
        (EDGE, Reason.DOUBT, "side"),
        (stack_before("e6"), Reason.DOUBT, ""),
        (stack_before("e6"), Reason.PLAYED_AT, "side"),
        (None, Reason.PLAYED_AT, ""),
    ],
    ids=[
        "in view",
        "a hand",
        "a hand elsewhere",
        "and a word may be there",
        "camera text",
        "edge",
        "stack",
        "unseen",
        "-",
    ],
)
def test_how_another_photograph_shows_what_is_asked_about(
    reading: BoardReading | None, reason: Reason, retake: str
) -> None:
    doubt = Doubt(reason, ("A", "e6") if reason is Reason.PLAYED_AT else ())
    found = Finding.played((outcome(0.9, EAR), outcome(0.1, "E@e5 A@e6")), MOOD, parse_play(EAR), doubt)
    assert find_retake(replace(found, reading=reading)) == retake
