"""Belief from look to look: what is entered, what is put right, what is learned, and steps in any order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from readings import reading_of, tear, veil
from turnkit import (
    COMMON,
    DEAR,
    EAR,
    EMPTY,
    MOOD,
    NO_LIST,
    SMALL,
    Record,
    at,
    context_of,
    heights,
    look_again,
    look_from,
    notate,
    records,
    sharp,
    spoilt,
    texts,
)

from engine import FACES, Board, Lexicon, find_edition, parse_play
from vision import Belief, BoardReading, Finding, GameSettings, Look, certain
from vision.heights.thickness import THICKNESSES
from vision.turn.belief import Knowledge, Reference
from vision.turn.prior import FRESH, Gap, Pace
from vision.turn.reasons import Doubt, Reason
from vision.turn.steps import assume, decide, take_look, unseen
from vision.turn.story import CertainBoard, Story

FIRST = "M@b4 O@c4 O@d4 D@e4"


# turns


def test_a_turn_that_is_certain_is_entered() -> None:
    belief, _ = look_from(EMPTY, sharp(MOOD), sharp(DEAR))
    assert texts(belief.events) == [FIRST, EAR]
    assert belief.sheet_board == belief.board == DEAR
    assert belief.last_play == parse_play(EAR)
    assert belief.gap == FRESH


def test_a_turn_that_is_asked_about_is_not_entered() -> None:
    belief, finding = look_from(MOOD, sharp(play_all(DEAR, "W@b4")))
    assert finding.needs_review
    assert belief.events == ()
    assert belief.sheet_board == MOOD
    assert belief.board == play_all(DEAR, "W@b4")
    assert belief.gap == Gap(open=True)


def test_turns_long_past_are_certain_and_no_longer_kept() -> None:
    words = context_of("MOOD", "DEAR", "WOOD", "FOOD", "GOOD", "HOOD")
    board, belief = EMPTY, certain(EMPTY)
    for play in (FIRST, EAR, "W@b4", "F@b4", "G@b4"):
        board = play_all(board, play)
        belief, finding = take_look(belief, sharp(board), words)
        assert (finding.kind, finding.needs_review) == ("play", False)
        assert len(belief.looks) == len(belief.gaps) <= 3
        assert belief.sheet_board == board
    assert belief.start.board != EMPTY
    assert belief.start.last_play is not None
    assert belief.reference is not None
    assert belief.reference.board == belief.start.board


def test_a_play_taken_back_is_entered_and_the_next_follows() -> None:
    belief, _ = look_from(MOOD, sharp(DEAR), sharp(MOOD))
    assert texts(belief.events) == [EAR, None]
    assert belief.last_play is None
    belief, finding = look_again(belief, sharp(play_all(MOOD, "W@b4")))
    assert (finding.kind, finding.play, finding.needs_review) == ("play", parse_play("W@b4"), False)


def test_a_challenge_shown_twice_is_one() -> None:
    belief, first = look_again(certain(DEAR, parse_play(EAR)), sharp(MOOD))
    belief, again = look_again(belief, sharp(MOOD))
    assert (first.kind, again.kind, again.needs_review) == ("removed", "none", False)


# hands, doubts and what is seen later


def test_a_second_look_joins_the_first_that_a_hand_spoilt() -> None:
    belief, first = look_from(EMPTY, veil(sharp(MOOD), at("f4")))
    assert first.needs_review
    belief, second = look_again(belief, sharp(MOOD))
    assert (second.kind, second.play, second.needs_review) == ("play", parse_play(FIRST), False)
    assert texts(belief.events) == [FIRST]


def test_a_hand_that_hid_everything_leaves_the_turn_to_the_next_look() -> None:
    names = ["e5", "e6", "e7", "e8", "d5"]
    belief, first = look_from(MOOD, veil(sharp(DEAR), *map(at, names)))
    assert (first.kind, first.reason) == ("unclear", Doubt(Reason.HAND))
    belief, second = look_again(belief, sharp(DEAR))
    assert (second.kind, second.play) == ("play", parse_play(EAR))


def test_the_rest_of_a_word_is_no_turn_of_its_own() -> None:
    settings = context_of("WOOD", "WOODY", "ON", "YES", "NO", "DON")
    wood, woody = "d3|WOOD", "d3|WOODY"
    belief, first = look_from(EMPTY, veil(sharp(play_all(EMPTY, wood)), at("d7"), at("d8")), settings=settings)
    assert first.needs_review
    belief = assume(belief, next(o for o in first.outcomes if o.changes == (parse_play(wood),)))
    _, second = look_again(belief, sharp(play_all(EMPTY, woody, "N@e4")), settings=settings)
    assert second.needs_review
    assert second.outcomes[0].changes == (parse_play(woody), parse_play("N@e4"))
    assert second.outcomes[0].replaces == 1


def test_what_was_seen_whole_and_told_is_not_added_to() -> None:
    settings = context_of("WOOD", "WOODY", "ON", "YES", "NO", "DON")
    belief, first = look_from(EMPTY, sharp(play_all(EMPTY, "d3|WOOD")), settings=settings)
    assert not first.needs_review
    _, second = look_again(belief, sharp(play_all(EMPTY, "d3|WOODY", "N@e4")), settings=settings)
    assert second.needs_review
    assert second.outcomes[0].replaces == 0
    assert {*second.outcomes[0].changes} == {parse_play("Y@d7"), parse_play("N@e4")}


def test_a_play_beside_a_hand_is_asked_about_once() -> None:
    settings = context_of("MOOD", "WOOD", "WOODY", "ON")
    before = play_all(EMPTY, "c4-MOOD")
    after = play_all(before, "W@c4")
    belief, first = look_from(before, veil(reading_of(after), at("g4")), settings=settings)
    assert str(first.reason) == "Was Y played at g4?"
    belief = assume(belief, first.outcomes[0])
    assert belief.gap == FRESH
    _, second = look_again(belief, reading_of(play_all(after, "N@d5")), settings=settings)
    assert (second.play, second.needs_review) == (parse_play("N@d5"), False)


@pytest.mark.parametrize("answer", ["W@b4", "F@b4"])
def test_what_is_entered_for_now_is_what_the_scoresheet_says(answer: str) -> None:
    blurred = tear(reading_of(play_all(MOOD, "W@b4")), *at("b4"), W=0.5, F=0.45)
    belief, finding = look_from(MOOD, blurred)
    assert finding.needs_review
    outcome = next(o for o in finding.outcomes if notate(o) == [answer])
    assert texts(assume(belief, outcome).events) == [answer]
    assert assume(assume(belief, outcome), outcome) == assume(belief, outcome)


def test_of_two_turns_both_are_entered() -> None:
    belief, finding = look_from(MOOD, sharp(play_all(DEAR, "W@b4")))
    assert finding.reason == Doubt(Reason.WHICH_FIRST, ("two",))
    belief = assume(belief, finding.outcomes[0])
    assert {*texts(belief.events)} == {EAR, "W@b4"}
    assert belief.sheet_board == play_all(DEAR, "W@b4")


def test_of_two_turns_that_are_entered_the_order_is_asked_about_once() -> None:
    belief, finding = look_from(MOOD, sharp(play_all(DEAR, "W@b4")))
    belief = assume(belief, finding.outcomes[0])
    _, again = look_again(belief, sharp(play_all(DEAR, "W@b4")))
    assert (again.kind, again.needs_review) == ("none", False)


def test_a_look_that_nothing_explains_tells_nothing_of_which_play_came_first() -> None:
    aside = sharp(Board.of([[(), *row[:-1]] for row in DEAR.stacks]))
    belief, unclear = look_from(MOOD, aside)
    assert unclear.unexplained
    _, finding = look_again(belief, sharp(play_all(DEAR, "W@b4")))
    assert (finding.needs_review, finding.reason) == (True, Doubt(Reason.TWO, ("two",)))
    shares = {tuple(notate(outcome)): outcome.share for outcome in finding.outcomes}
    assert shares[EAR, "W@b4"] == pytest.approx(shares["W@b4", EAR], rel=0.2)


def test_a_look_that_nothing_explains_is_no_reference() -> None:
    belief, _ = look_from(MOOD, sharp(DEAR), sharp(Board.of([[(), *row[:-1]] for row in DEAR.stacks])))
    assert decide(belief, DEAR, shown=True).reference == belief.reference


def test_looks_that_were_asked_about_are_no_reference_for_the_board_before_them() -> None:
    settings = context_of("MOOD", "DEAR", "WOOD", "FOOD")
    wood = play_all(DEAR, "W@b4")
    torn_letter = tear(reading_of(wood), *at("b4"), W=0.5, F=0.45)
    belief, finding = look_from(MOOD, sharp(DEAR), torn_letter, torn_letter, settings=settings)
    assert finding.needs_review
    shown = belief.looks[0]
    belief, finding = look_again(belief, sharp(wood), settings=settings)
    assert not finding.needs_review
    assert belief.reference == Reference(DEAR, shown)
    assert belief.start.board == DEAR
    assert belief.gaps[0].merged == 1  # the first of the looks that were asked about


def test_a_look_in_which_a_hand_hides_the_letter_makes_nothing_less_sure() -> None:
    smudged = tear(reading_of(DEAR), *at("e7"), R=0.94, P=0.055)
    belief, first = look_from(MOOD, smudged, settings=NO_LIST)
    _, second = look_again(belief, veil(smudged, at("e7")), settings=NO_LIST)

    def odds(finding: Finding) -> float:
        share = {tuple(notate(o)): o.share for o in finding.outcomes}
        return share[(EAR,)] / share[("E@e5 A@e6 P@e7",)]

    assert odds(second) > 0.75 * odds(first)


# pictures that were missed


def test_a_picture_without_a_board_widens_the_gap() -> None:
    belief = unseen(unseen(certain(MOOD)))
    assert belief.gap == Gap(unseen=2)
    belief, finding = look_again(belief, sharp(MOOD))
    assert (finding.kind, finding.needs_review) == ("none", False)
    assert belief.gap == FRESH
    assert belief.gaps == ()


def test_letters_that_no_picture_showed_still_count_as_layers() -> None:
    settings = context_of("DEAR", "BEAR", "PEAR", "GEAR")
    before = play_all(EMPTY, "d4-DEAR")
    now = play_all(before, "B@d4", "P@d4")
    belief, finding = look_from(before, None, reading_of(now), settings=settings)
    assert finding.needs_review
    assert heights(belief.board) == heights(now)
    assert belief.board.tops() == now.tops()


def test_stacks_that_stand_where_nothing_stood_are_two_turns() -> None:
    settings = context_of("DEAR", "DON", "DES", "ON", "ES")
    before = play_all(EMPTY, "d4-DEAR")
    grown = play_all(before, "O@d5 N@d6", "E@d5 S@d6")
    belief, finding = look_from(before, reading_of(before), None, None, sharp(grown), settings=settings)
    assert finding.needs_review
    assert belief.board == grown


def test_layers_are_not_added_where_everything_looks_too_high() -> None:
    settings = context_of("DEAR", "NO", "NOES", "ES", "EON")
    before = play_all(EMPTY, "d4-DEAR", "N@e5 O@e6")
    seen = reading_of(play_all(before, "S@g5"))
    tiles = seen.heights() > 0
    table = seen.height_probs.copy()
    table[tiles] = np.roll(table[tiles], 1, axis=1)
    belief, _ = look_from(before, None, replace(seen, height_probs=table), settings=settings)
    assert max(map(max, heights(belief.board))) == 1


# what is said at the table


def test_a_decision_is_certain_and_the_knowledge_stays() -> None:
    belief, _ = look_from(MOOD, sharp(DEAR))
    answered = decide(belief, DEAR, parse_play(EAR), shown=True)
    assert answered.start == CertainBoard(DEAR, parse_play(EAR))
    assert (answered.looks, answered.entered, answered.gap) == ((), (), FRESH)
    assert answered.board == answered.sheet_board == DEAR
    assert answered.last_play == parse_play(EAR)
    assert answered.knowledge == belief.knowledge
    assert answered.knowledge.camera is belief.knowledge.camera
    assert answered.reference == Reference(DEAR, belief.looks[-1])


def test_what_was_decided_without_a_look_is_no_reference() -> None:
    belief, _ = look_from(MOOD, sharp(DEAR))
    assert decide(belief, MOOD, shown=False).reference == belief.reference is None
    assert decide(certain(MOOD), MOOD, shown=True).reference is None


EARS = context_of("MOOD", "FOOD", "GOOD", "DEAR", "DEAL", "DEARY", "DEALY")
DEARY = play_all(DEAR, "Y@e8")


def in_doubt(sheet: Board, lies: Board = DEAR) -> Belief:
    """The belief after a look at DEAR that a hand beside it left open."""
    hand = veil(sharp(lies), *(at(f"{col}{row}") for col in "abc" for row in (1, 2)))
    belief, finding = look_from(sheet, tear(hand, *at("e7"), R=0.55, L=0.45), settings=EARS)
    assert finding.needs_review
    return belief


def test_a_correction_of_an_older_turn_leaves_the_doubt() -> None:
    """Or the play that was asked about would pass for a part of the next one."""
    food = play_all(EMPTY, "F@b4 O@c4 O@d4 D@e4")
    belief = decide(in_doubt(food, play_all(food, EAR)), MOOD, shown=False)
    _, finding = look_again(belief, sharp(DEARY), settings=EARS)
    assert notate(finding.outcomes[0]) == [EAR, "Y@e8"]


def test_a_play_entered_by_hand_answers_the_doubt_about_it() -> None:
    belief = decide(in_doubt(MOOD), DEAR, parse_play(EAR), shown=False)
    assert (belief.looks, belief.gap) == ((), FRESH)


@pytest.mark.parametrize(
    ("gap", "left"),
    [
        (Gap(unseen=1), FRESH),
        (Gap(open=True), FRESH),
        (Gap(unseen=3), Gap(unseen=2)),
        (Gap(unseen=2, passed=1), Gap(unseen=1)),
    ],
)
def test_a_play_entered_by_hand_that_comes_off_again_answers_nothing(gap: Gap, left: Gap) -> None:
    entered = decide(replace(certain(MOOD), gap=gap), DEAR, parse_play(EAR), shown=False)
    assert entered.gap == left
    back = decide(entered, MOOD, shown=False).gap
    assert (back.unseen or back.open, back.passed) == (gap.unseen or gap.open, gap.passed)


def test_a_play_entered_by_hand_and_seen_to_lie_there_has_answered_for_good() -> None:
    entered = decide(replace(certain(MOOD), gap=Gap(unseen=1)), DEAR, parse_play(EAR), shown=False)
    belief, _ = look_again(entered, sharp(DEAR))
    assert decide(belief, MOOD, shown=False).gap == FRESH


def test_a_play_taken_off_and_brought_back_leaves_the_doubt_about_the_next() -> None:
    """Undone and redone while a question waits: DEARY would pass for one play."""
    belief = decide(in_doubt(MOOD), EMPTY, shown=False)
    belief = decide(belief, MOOD, shown=False)
    assert belief.to_lift is None
    _, finding = look_again(belief, sharp(DEARY), settings=EARS)
    assert finding.needs_review
    assert [EAR, "Y@e8"] in [notate(outcome) for outcome in finding.outcomes]


def test_a_play_entered_by_hand_leaves_the_doubt_about_another() -> None:
    """A look shows two plays, and the table enters one of them."""
    good = play_all(MOOD, "G@b4")
    belief, finding = look_from(MOOD, sharp(play_all(good, EAR)), settings=EARS)
    assert finding.reason == Doubt(Reason.WHICH_FIRST, ("two",))
    belief = decide(belief, good, parse_play("G@b4"), shown=False)
    _, finding = look_again(belief, sharp(play_all(DEARY, "G@b4")), settings=EARS)
    assert notate(finding.outcomes[0]) == [EAR, "Y@e8"]


def test_a_play_that_comes_off_while_another_is_open_makes_that_one_unseen() -> None:
    good = play_all(MOOD, "G@b4")
    belief = replace(in_doubt(good, play_all(good, EAR)), start=CertainBoard(good, parse_play("G@b4")))
    belief = decide(belief, MOOD, shown=False)
    assert (belief.looks, belief.gap, belief.to_lift) == ((), Gap(unseen=1), parse_play("G@b4"))


def test_a_play_entered_by_hand_elsewhere_leaves_the_doubt() -> None:
    belief = decide(in_doubt(MOOD), play_all(MOOD, "G@b4"), parse_play("G@b4"), shown=False)
    assert (len(belief.looks), belief.gap.open) == (1, True)
    _, finding = look_again(belief, sharp(play_all(DEARY, "G@b4")), settings=EARS)
    assert notate(finding.outcomes[0]) == [EAR, "Y@e8"]


def test_a_play_entered_by_hand_answers_what_was_only_guessed_at_under_a_hand() -> None:
    """A hand hides all of MOOD, which is typed, and most of what looks like another play beside it."""
    hand = veil(sharp(MOOD), *(at(f"{col}{row}") for col in "abcdefgh" for row in range(2, 9)))
    belief, finding = look_from(EMPTY, hand, settings=EARS)
    assert finding.needs_review
    guess = replace(belief, stories=(Story((parse_play("E@g7 A@h7"),)),))
    entered = decide(guess, MOOD, parse_play("M@b4 O@c4 O@d4 D@e4"), shown=False)
    assert (entered.looks, entered.gap) == ((), FRESH)


LARGE = GameSettings(find_edition("10x10"), Lexicon.from_words(["MOOD", "DEAR", "DEARER"], name="test"))
LARGE_MOOD = play_all(Board.empty(10), "M@b5 O@c5 O@d5 D@e5")
LARGE_EAR, ER = "E@e6 A@e7 R@e8", "E@e9 R@e10"
DEARER = play_all(LARGE_MOOD, LARGE_EAR, ER)
LOST = veil(sharp(play_all(LARGE_MOOD, LARGE_EAR)), *(at(f"{col}{row}") for col in "defg" for row in range(6, 11)))
"""A hand lies over the play, and over where the next one goes."""


@pytest.mark.parametrize("before", [None, LOST], ids=["no board", "a hand"])
def test_a_play_that_may_have_been_two_after_a_picture_that_did_not_show_it_is_asked_about(
    before: BoardReading | None,
) -> None:
    belief, finding = look_from(LARGE_MOOD, before, sharp(DEARER), settings=LARGE)
    assert (finding.reason, finding.needs_review, finding.kind) == (Doubt(Reason.ONE_OR_TWO), True, "play")
    assert [notate(outcome) for outcome in finding.outcomes[:2]] == [[f"{LARGE_EAR} {ER}"], [LARGE_EAR, ER]]
    assert belief.events == ()
    assert finding.outcomes[0].share > finding.outcomes[1].share > 0.005


@pytest.mark.parametrize(
    ("before", "lies", "words"),
    [
        (None, play_all(LARGE_MOOD, LARGE_EAR), LARGE),
        (None, DEARER, replace(LARGE, lexicon=Lexicon.from_words(["MOOD", "DEARER"], name="test"))),
        (sharp(LARGE_MOOD), DEARER, LARGE),
    ],
    ids=["no part is a word", "only the whole is a word", "seen bare"],
)
def test_a_play_that_was_surely_one_is_not(before: BoardReading | None, lies: Board, words: GameSettings) -> None:
    _, finding = look_from(LARGE_MOOD, before, sharp(lies), settings=words)
    assert (finding.needs_review, len(finding.outcomes[0].changes)) == (False, 1)


@pytest.mark.parametrize("lies", [DEAR, DEARY], ids=["one play", "two plays"])
def test_a_play_that_may_have_come_before_a_pass_is_asked_about(lies: Board) -> None:
    """Whoever passed took the turn, on the sheet, of the one whose play nobody had made out."""
    open_still = unseen(certain(MOOD))
    passed = replace(open_still, gap=replace(open_still.gap, passed=1))
    belief, finding = look_again(passed, sharp(lies), settings=EARS)
    assert (finding.kind, finding.reason, finding.needs_review) == ("unclear", Doubt(Reason.PASSED), True)
    assert notate(finding.outcomes[0])[0] in (EAR, "E@e5 A@e6 R@e7 Y@e8")
    assert belief.gap.passed
    _, again = look_again(belief, sharp(lies), settings=EARS)
    assert again.reason == Doubt(Reason.PASSED)


# the look of a certain board


def read_ring(board: Board = EMPTY, chance: float = 0.99) -> BoardReading:
    """A board on which the ring on d4, where it shows, looks like an O."""
    reading = reading_of(board)
    if not board.stacks[3][3]:
        reading.height_probs[at("d4")] = [1.0 - chance, chance, 0.0, 0.0, 0.0, 0.0]
        reading.face_probs[at("d4")] = 0.001
        reading.face_probs[at("d4")][FACES.index("O")] = 0.975
    return reading


def clear_ring(chance: float = 0.9) -> Belief:
    """The belief when nothing lies on the ringed board, as the table has said where the ring is plainly an O."""
    belief, finding = look_from(EMPTY, read_ring(chance=chance))
    assert finding.needs_review is (chance > 0.95)
    belief = decide(belief, EMPTY, shown=True) if finding.needs_review else belief
    assert belief.reference is not None
    return belief


@pytest.mark.parametrize("chance", [0.9, 0.99], ids=["faint, never asked about", "plain, asked about once"])
def test_a_ring_on_an_empty_board_is_asked_about_once_at_most(chance: float) -> None:
    belief = clear_ring(chance)
    for _ in range(3):
        belief, finding = look_again(belief, read_ring(chance=chance))
        assert (finding.kind, finding.needs_review) == ("none", False)


def test_a_ring_is_no_tile_whichever_way_the_board_is_turned() -> None:
    bias = Reference(EMPTY, Look.of(read_ring())).bias(EMPTY)
    o = FACES.index("O")
    around = [bias[row, col, 1, o] for row in (3, 4) for col in (3, 4)]
    assert np.allclose(around, around[0])
    assert around[0] > 3.0
    elsewhere = bias.copy()
    elsewhere[3:5, 3:5] = 0.0
    assert elsewhere.max() == 0.0


def test_a_tile_on_the_ring_is_still_a_tile() -> None:
    settings = context_of("ROD", "ON", "NO")
    for chance in (0.9, 0.99):
        _, finding = look_again(clear_ring(chance), sharp(play_all(EMPTY, "c4-ROD")), settings=settings)
        assert (finding.play, finding.needs_review) == (parse_play("c4-ROD"), False)
        _, beside = look_again(clear_ring(chance), read_ring(play_all(EMPTY, "d5-NO")), settings=settings)
        assert beside.play == parse_play("d5-NO")


def test_what_a_tile_was_taken_for_is_taken_off_where_it_lies_still() -> None:
    seen = tear(reading_of(MOOD), *at("d4"), D=0.9, O=0.05)
    reference = Reference(MOOD, Look.of(seen))
    bias = reference.bias(DEAR)
    d, o = FACES.index("D"), FACES.index("O")
    assert bias[at("d4")][1, d] == pytest.approx(0.9 * np.log(0.9 / 0.05), rel=0.05)
    assert bias[at("d4")][1, o] == 0.0
    assert reference.bias(play_all(MOOD, "T@d4"))[at("d4")].max() == 0.0
    assert (bias >= 0.0).all()


def test_what_was_misread_once_is_not_asked_about_again() -> None:
    seen = tear(reading_of(MOOD), *at("b4"), W=0.97, M=0.02)
    seen.height_probs[at("b4")] = [0.0, 0.02, 0.95, 0.01, 0.01, 0.01]
    belief, finding = look_from(MOOD, seen)
    assert finding.outcomes[0].changes == (parse_play("W@b4"),)
    belief = decide(belief, MOOD, shown=True)
    _, again = look_again(belief, seen)
    assert (again.kind, again.needs_review) == ("none", False)


# set and camera


def test_pictures_whose_turn_is_known_teach_of_set_and_camera() -> None:
    belief, _ = look_from(EMPTY, sharp(MOOD))
    assert len(belief.knowledge.thickness_weights) == len(THICKNESSES)
    assert belief.knowledge.camera is not None
    doubtful, finding = look_from(MOOD, sharp(play_all(DEAR, "W@b4")))
    assert finding.needs_review
    assert doubtful.knowledge == Knowledge()


def test_how_bare_squares_look_is_remembered_of_squares_that_are_surely_bare() -> None:
    colours = np.full((8, 8, 3), 90.0)
    odd = np.zeros((8, 8))
    odd[at("h8")] = 0.95
    now = replace(veil(sharp(DEAR), at("a8")), colours=colours, altered=odd)
    belief, finding = look_from(MOOD, now)
    assert not finding.needs_review
    assert belief.knowledge.bare is not None
    known = np.isfinite(belief.knowledge.bare.colours).all(axis=-1)
    tiles = {tuple(at(name)) for name in ("a8", "h8", "b4", "c4", "d4", "e4", "e5", "e6", "e7")}
    assert {(int(row), int(col)) for row, col in np.argwhere(~known)} == tiles
    _, again = look_again(belief, replace(sharp(DEAR), colours=colours))
    assert (again.kind, again.needs_review) == ("none", False)


COLOURS = np.full((8, 8, 3), 90.0)


@pytest.mark.parametrize(
    ("board", "reading"),
    [
        pytest.param(MOOD, replace(sharp(DEAR), colours=COLOURS, upright=0.9), id="upside not sure"),
        pytest.param(EMPTY, replace(sharp(EMPTY), colours=COLOURS), id="nothing to tell it by"),
        pytest.param(MOOD, sharp(DEAR), id="no colours"),
    ],
)
def test_how_squares_look_is_not_remembered_where_it_is_not_known_which_they_are(
    board: Board, reading: BoardReading
) -> None:
    assert look_from(board, reading)[0].knowledge.bare is None


def test_a_camera_is_remembered_where_the_letters_surely_stand_upright() -> None:
    belief, _ = look_from(EMPTY, replace(sharp(MOOD), upright=0.9))
    assert belief.knowledge.camera is None
    belief, _ = look_from(EMPTY, sharp(play_all(EMPTY, "d4-ON")))
    assert belief.knowledge.camera is None


# in any order


@pytest.mark.slow
@examples(8)
@given(records(most=2), st.data())
def test_the_same_looks_and_decisions_give_the_same_belief(game: Record, data: st.DataObject) -> None:
    readings = [data.draw(spoilt(board)) for board in game.boards]

    def follow() -> tuple[Belief, list[Finding]]:
        belief, findings = certain(EMPTY), []
        for reading in readings:
            belief, finding = take_look(belief, reading, SMALL)
            findings.append(finding)
        return decide(belief, game.boards[-1], shown=True), findings

    assert follow() == follow()


@examples(15)
@given(records())
def test_the_same_photograph_again_changes_nothing(game: Record) -> None:
    belief = certain(EMPTY)
    for board in game.boards[1:]:
        belief, _ = take_look(belief, sharp(board), SMALL)
        for _ in range(2):
            belief, again = take_look(belief, sharp(board), SMALL)
            assert (again.kind, again.needs_review) == ("none", False)
            assert belief.sheet_board == board


def test_the_same_photograph_again_is_no_other_turn_though_the_play_begins_with_a_word() -> None:
    board = play_all(EMPTY, "e4|RATE")
    belief, first = look_from(EMPTY, reading_of(board), settings=SMALL)
    assert (first.play, first.needs_review) == (parse_play("e4|RATE"), False)
    _, again = look_again(belief, reading_of(board), settings=SMALL)
    assert (again.kind, again.needs_review) == ("none", False)


@examples(15)
@given(records(most=4), st.integers(1, 3))
def test_what_was_undone_and_still_lies_there_is_asked_about_and_told_again(game: Record, count: int) -> None:
    belief = certain(EMPTY)
    for board in game.boards[1:]:
        belief, _ = take_look(belief, sharp(board), SMALL)
    back = max(0, len(game.plays) - count)
    belief = decide(belief, game.boards[back], game.plays[back - 1] if back else None, shown=False)
    for play, board in zip(game.plays[back:], game.boards[back + 1 :], strict=True):
        belief, finding = take_look(belief, sharp(board), SMALL)
        assert (finding.kind, finding.lying, finding.needs_review) == ("unclear", play, True)
        assert finding.outcomes[0].changes == (play,)
        belief = decide(belief, board, play, shown=False)
    assert belief.to_lift is None


def test_a_doubtful_turn_undone_and_seen_lifted_is_told_again_as_it_was() -> None:
    smudged = tear(reading_of(DEAR), *at("e7"), R=0.94, P=0.055)
    belief, first = look_from(MOOD, smudged)
    assert not first.needs_review
    _, again = look_again(decide(belief, MOOD, shown=False), sharp(MOOD), smudged)
    assert (again.kind, again.play, again.needs_review) == (first.kind, first.play, False)


STEPS = ["look", "look", "look", "unseen", "assumed", "shown", "decided"]


@examples(12)
@given(records(least=2), st.lists(st.sampled_from(STEPS), min_size=2, max_size=5), st.data())
def test_steps_in_any_order(game: Record, steps: list[str], data: st.DataObject) -> None:
    belief, number = certain(EMPTY), 0
    start, finding = belief.start, None
    for step in steps:
        if step == "look":
            number = min(number + data.draw(st.integers(0, 1)), len(game.plays))
            start = belief.start
            belief, finding = take_look(belief, data.draw(spoilt(game.boards[number])), SMALL)
        elif step == "unseen":
            belief = unseen(belief)
        elif step == "assumed" and finding is not None and finding.needs_review:
            outcome = data.draw(st.sampled_from(finding.outcomes))
            belief, finding = assume(belief, outcome), None
            assert belief.sheet_board == outcome.story.board(start)
        elif step in ("shown", "decided"):
            last = game.plays[number - 1] if number else None
            belief = decide(belief, game.boards[number], last, shown=step == "shown")
            finding = None
            assert belief.sheet_board == belief.board == game.boards[number]
        assert belief.board.size == belief.sheet_board.size == 8
        assert len(belief.looks) == len(belief.gaps) <= 4
        assert len({*belief.stories}) == len(belief.stories) >= 1
        for story in belief.stories:
            story.board(belief.start)


WAYS = ["F@b4", "L@e7", "G@b4", "R@e7", "H@b4", "L@e7", "M@b4", "R@e7"]


@pytest.mark.parametrize("count", [3, 8])
def test_questions_that_nobody_answers_do_not_hide_the_board(count: int) -> None:
    words = context_of("MOOD", "DEAR", "WOOD", "FOOD", "GOOD", "HOOD", "DEAL")
    board = play_all(MOOD, EAR, "W@b4")
    belief, finding = look_from(MOOD, sharp(board), settings=words)
    for play in WAYS[:count]:
        assert finding.needs_review
        board = play_all(board, play) if board.height(parse_play(play).squares[0]) < 5 else board
        belief, finding = look_again(belief, sharp(board), settings=words)
        assert belief.board == board
        assert belief.sheet_board == Story(belief.events).board(belief.start)


def test_a_play_in_doubt_that_was_taken_up_again_is_forgotten() -> None:
    words = context_of("MOOD", "WOOD", "DEAR", "DEAL", "DEAN")
    doubtful = tear(sharp(DEAR), *at("e7"), R=0.5, L=0.48)
    belief, finding = look_again(certain(MOOD), doubtful, settings=words)
    assert finding.needs_review
    belief, finding = look_again(belief, sharp(MOOD), settings=words)
    assert (finding.kind, finding.needs_review) == ("none", False)
    assert look_again(belief, sharp(MOOD), settings=words)[1].kind == "none"
    wood = play_all(MOOD, "W@b4")
    belief, finding = look_again(belief, sharp(wood), settings=words)
    assert (finding.kind, finding.needs_review, belief.sheet_board) == ("play", False, wood)


def test_of_a_picture_that_nothing_explains_no_story_stays() -> None:
    before = certain(DEAR, parse_play(EAR))
    odd = sharp(play_all(EMPTY, "c6-WOOL"))
    hidden = veil(sharp(DEAR), *map(at, ["f4", "g4", "f5", "g5", "f6", "g6"]))
    after, finding = look_again(before, odd)
    assert finding.unexplained
    assert after.board == DEAR
    plain, unaware = look_again(before, hidden)[1], look_again(after, hidden)[1]
    assert (plain.needs_review, unaware.needs_review) == (True, True)


def test_a_photograph_that_shows_no_new_turn_teaches_the_pace_but_not_before_the_first_word_or_by_a_camera() -> None:
    def learned(start: Board, settings: GameSettings = COMMON) -> Pace:
        belief, finding = look_again(certain(start), sharp(start), settings=settings)
        assert (finding.kind, finding.needs_review) == ("none", False)
        return belief.knowledge.pace

    assert learned(DEAR) == Pace(repeated=1)
    assert learned(EMPTY) == Pace()
    assert learned(DEAR, replace(COMMON, watched=True)) == Pace()
