"""Tiles that came off the scoresheet: as long as they lie there they are no play, and once seen lifted they may be."""

from __future__ import annotations

import json

import pytest
from enginekit import play_all
from hypothesis import assume, given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples
from readings import flat, tear, veil
from turnkit import (
    COMMON,
    DEAR,
    EAR,
    EMPTY,
    MOOD,
    SMALL,
    Record,
    at,
    context_of,
    look_again,
    look_from,
    notate,
    records,
    sharp,
    spoilt,
)

from engine import Board, PlacedTile, Play, format_play, parse_play
from vision import Belief, certain
from vision.turn.belief import dump_belief, load_belief
from vision.turn.steps import decide, take_look
from vision.turn.withdrawn import to_lift

XOOD = play_all(MOOD, "X@b4")


def withdrawn(lay: Board = XOOD, sheet: Board = MOOD, last: Play | None = None) -> Belief:
    """Return the belief after the table took a play off the sheet, and nobody has looked since."""
    return decide(certain(lay, last), sheet, shown=False)


def lift_of(belief: Belief) -> str | None:
    return None if belief.to_lift is None else format_play(belief.to_lift)


def test_tiles_that_still_lie_there_are_a_reminder_and_no_play() -> None:
    belief, finding = look_again(withdrawn(), sharp(XOOD))
    assert (finding.kind, finding.needs_review, finding.lying) == ("unclear", True, parse_play("X@b4"))
    assert str(finding.reason) == "Still on the board: X on b4. Take it off, then photograph again."
    assert [notate(outcome) for outcome in finding.outcomes] == [["X@b4"]]
    assert (belief.sheet_board, belief.events, lift_of(belief)) == (MOOD, (), "X@b4")


def test_the_reminder_is_given_as_often_as_they_are_seen() -> None:
    belief, _ = look_again(withdrawn(DEAR), sharp(DEAR), sharp(DEAR))
    again, finding = take_look(belief, sharp(DEAR), COMMON)
    assert (
        str(finding.reason) == "Still on the board: E on e5, A on e6 and R on e7. Take them off, then photograph again."
    )
    assert again == belief


def test_once_lifted_the_board_is_right_again_and_that_is_told() -> None:
    belief, finding = look_again(withdrawn(), sharp(XOOD), sharp(MOOD))
    assert (finding.kind, finding.needs_review, finding.lifted) == ("none", False, parse_play("X@b4"))
    assert belief.to_lift is None


def test_another_word_in_their_place_is_a_play() -> None:
    """As where the table undid a W that was taken for an X: the W that lies there is the play."""
    belief, finding = look_again(withdrawn(), sharp(play_all(MOOD, "W@b4")))
    assert (finding.kind, finding.play, finding.needs_review) == ("play", parse_play("W@b4"), False)
    assert (finding.lifted, finding.lying, belief.to_lift) == (parse_play("X@b4"), None, None)


def test_another_word_elsewhere_with_the_tiles_lifted_is_a_play() -> None:
    _, finding = look_again(withdrawn(), sharp(DEAR))
    assert (finding.play, finding.needs_review, finding.lifted) == (parse_play(EAR), False, parse_play("X@b4"))


def test_the_same_tiles_laid_again_once_they_were_seen_lifted_are_a_play() -> None:
    belief, _ = look_again(withdrawn(DEAR), sharp(DEAR), sharp(MOOD))
    _, finding = look_again(belief, sharp(DEAR))
    assert (finding.kind, finding.play, finding.needs_review) == ("play", parse_play(EAR), False)


def test_the_next_play_is_never_entered_with_tiles_that_should_be_gone() -> None:
    """The table took XOOD back and left the X lying; the next player laid DEAR."""
    belief, finding = look_again(withdrawn(), sharp(play_all(XOOD, EAR)))
    assert (finding.kind, finding.needs_review, finding.lying) == ("unclear", True, parse_play("X@b4"))
    assert [notate(outcome) for outcome in finding.outcomes] == [[EAR], ["X@b4", EAR]]
    assert (belief.sheet_board, belief.events, lift_of(belief)) == (MOOD, (), "X@b4")


def test_tiles_put_on_one_that_should_be_gone_are_asked_about() -> None:
    _, finding = look_again(withdrawn(), sharp(play_all(XOOD, "W@b4")))
    assert finding.needs_review
    assert finding.lifted is None


def test_a_part_that_is_left_lying_is_named_alone() -> None:
    _, finding = look_again(withdrawn(DEAR), sharp(play_all(MOOD, "E@e5")))
    assert finding.lying == parse_play("E@e5")
    assert str(finding.reason) == "Still on the board: E on e5. Take it off, then photograph again."


def test_where_it_cannot_be_seen_whether_they_were_lifted_a_play_is_asked_about() -> None:
    belief, finding = look_again(withdrawn(), veil(sharp(DEAR), at("b4")))
    assert (finding.kind, finding.needs_review) == ("play", True)
    assert finding.reason is not None
    assert str(finding.reason).startswith("It isn't clear whether X on b4 came off")
    assert finding.outcomes[0].changes == (parse_play(EAR),)
    assert lift_of(belief) == "X@b4"


def test_the_answer_is_not_taken_to_be_shown_by_a_look_before_it() -> None:
    hand = veil(sharp(MOOD), *(at(f"{col}{row}") for col in "bcdefg" for row in range(2, 9)))
    belief, finding = look_again(withdrawn(), hand)
    assert finding.kind == "unclear"
    belief, finding = look_again(belief, veil(sharp(DEAR), at("b4")))
    assert finding.needs_review
    reference = there(decide(belief, DEAR, parse_play(EAR), shown=True).reference)
    assert reference.look == belief.looks[-1] != belief.looks[0]


@pytest.mark.parametrize("sheet", [MOOD, DEAR], ids=["nothing was played", "a play elsewhere"])
def test_an_answer_about_something_else_does_not_lift_them(sheet: Board) -> None:
    """A thumb lies over them: whatever the table says of the rest, they may lie there still."""
    belief, _ = look_again(withdrawn(), veil(sharp(play_all(sheet, "X@b4")), at("b4")))
    answered = decide(belief, sheet, shown=True)
    assert lift_of(answered) == "X@b4"
    _, finding = look_again(answered, sharp(play_all(sheet, "X@b4")))
    assert finding.lying == parse_play("X@b4")


def test_a_letter_put_right_under_them_does_not_lift_them() -> None:
    food = play_all(EMPTY, "F@b4 O@c4 O@d4 D@e4")
    belief = decide(withdrawn(play_all(food, "G@b4"), food), MOOD, shown=False)
    assert lift_of(belief) == "G@b4"
    _, finding = look_again(belief, sharp(play_all(MOOD, "G@b4")))
    assert finding.lying == parse_play("G@b4")


def test_what_is_seen_beside_them_is_no_part_of_the_next_play() -> None:
    """The reminder shows DEAR, too, which is not entered yet when DEARY is made of it."""
    words = context_of("MOOD", "GOOD", "DEAR", "DEARY")
    good, dears = play_all(MOOD, "G@b4"), play_all(DEAR, "Y@e8")
    belief, finding = look_again(withdrawn(good), sharp(play_all(good, EAR)), settings=words)
    assert finding.lying == parse_play("G@b4")
    _, finding = look_again(belief, sharp(dears), settings=words)
    assert notate(finding.outcomes[0]) == [EAR, "Y@e8"]


def test_a_play_of_no_word_seen_beside_them_is_no_part_of_the_next_either() -> None:
    words, good = context_of("MOOD", "GOOD", "DEARY"), play_all(MOOD, "G@b4")
    belief, finding = look_again(withdrawn(good), sharp(play_all(good, EAR)), settings=words)
    assert finding.lying == parse_play("G@b4")
    _, finding = look_again(belief, sharp(play_all(DEAR, "Y@e8")), settings=words)
    assert finding.needs_review
    assert notate(finding.outcomes[0]) == [EAR, "Y@e8"]


def test_what_a_hand_hides_beside_them_may_be_a_turn() -> None:
    words, good = context_of("MOOD", "GOOD", "DEAR", "DEARY"), play_all(MOOD, "G@b4")
    hand = [at(f"{col}{row}") for col in "def" for row in (5, 6, 7, 8)]
    belief, finding = look_again(withdrawn(good), veil(sharp(play_all(good, EAR)), *hand), settings=words)
    assert finding.lying == parse_play("G@b4")
    _, finding = look_again(belief, sharp(play_all(DEAR, "Y@e8")), settings=words)
    assert finding.needs_review
    assert [EAR, "Y@e8"] in [notate(outcome) for outcome in finding.outcomes]


def test_a_question_whether_they_are_off_keeps_the_play_it_is_about() -> None:
    """Nobody answers it, and the next play goes on from the one that was asked about."""
    words, good = context_of("MOOD", "GOOD", "DEAR", "DEARY"), play_all(MOOD, "G@b4")
    belief, finding = look_again(withdrawn(good), veil(sharp(play_all(good, EAR)), at("b4")), settings=words)
    assert (finding.kind, finding.needs_review) == ("play", True)
    _, finding = look_again(belief, sharp(play_all(DEAR, "Y@e8")), settings=words)
    assert notate(finding.outcomes[0]) == [EAR, "Y@e8"]


def test_a_look_that_does_not_show_their_squares_lifts_nothing() -> None:
    belief, finding = look_again(withdrawn(), veil(sharp(MOOD), at("b4")))
    assert finding.lifted is None
    assert lift_of(belief) == "X@b4"


def test_from_straight_above_the_letters_tell() -> None:
    _, lying = look_again(withdrawn(), flat(sharp(XOOD)))
    _, lifted = look_again(withdrawn(), flat(sharp(MOOD)))
    assert lying.lying == parse_play("X@b4")
    assert (lifted.lifted, lifted.lying) == (parse_play("X@b4"), None)


def test_tiles_taken_off_one_turn_after_the_other_are_all_to_lift() -> None:
    wood = play_all(DEAR, "W@b4", "D@e5")
    first = decide(certain(wood), play_all(DEAR, "W@b4"), shown=False)
    belief = decide(first, MOOD, shown=False)
    assert lift_of(belief) == "W@b4 E@e5 D@e5 A@e6 R@e7"
    _, finding = look_again(belief, sharp(wood))
    assert finding.lying == belief.to_lift
    assert lift_of(decide(belief, DEAR, shown=False)) == "W@b4 D@e5"
    assert lift_of(decide(belief, wood, shown=False)) is None


def test_what_a_look_shows_lifted_is_not_to_be_lifted_again() -> None:
    belief, finding = look_again(certain(XOOD, parse_play("X@b4")), sharp(MOOD))
    assert finding.kind == "removed"
    assert decide(belief, MOOD, shown=True).to_lift is None


def test_a_word_told_by_hand_where_they_lay_says_they_are_lifted() -> None:
    assert decide(withdrawn(), play_all(MOOD, "W@b4"), shown=False).to_lift is None
    assert lift_of(decide(withdrawn(), DEAR, shown=False)) == "X@b4"


def test_a_correction_that_moves_a_tile_is_settled_by_the_next_look() -> None:
    belief = decide(certain(XOOD), play_all(MOOD, "X@c4"), shown=False)
    assert lift_of(belief) == "X@b4"
    after, finding = look_again(belief, sharp(play_all(MOOD, "X@c4")))
    assert (finding.kind, finding.needs_review, after.to_lift) == ("none", False, None)


@pytest.mark.parametrize("text", [None, "X@b4", "E@e5 D@e5"])
def test_beliefs_come_back_with_what_is_to_be_lifted(text: str | None) -> None:
    lay = MOOD if text is None else MOOD.with_play(parse_play(text))
    belief = withdrawn(lay)
    data = json.loads(json.dumps(dump_belief(belief)))
    assert data["to_lift"] == text
    assert load_belief(data) == belief
    del data["to_lift"]  # as versions stored it that didn't watch for tiles
    assert load_belief(data).to_lift is None


def test_a_letter_that_may_be_the_old_one_is_asked_about() -> None:
    reading = tear(sharp(play_all(MOOD, "W@b4")), *at("b4"), W=0.6, X=0.4)
    _, finding = look_again(withdrawn(), reading)
    assert finding.needs_review


# Tiles that are never entered


@pytest.mark.slow
@examples(40)
@given(records(least=2), st.data())
def test_no_look_enters_tiles_that_were_not_lifted(game: Record, data: st.DataObject) -> None:
    """The last play comes off the sheet and lies there still, with or without another play: nothing is entered."""
    lay, sheet = game.boards[-1], game.boards[-2]
    after = data.draw(st.sampled_from([lay, *further(game)]))
    belief = decide(certain(lay, game.plays[-1]), sheet, shown=False)
    _, finding = take_look(belief, data.draw(spoilt(after)), SMALL)
    if finding.kind == "play" and not finding.needs_review:
        entered = finding.outcomes[0].story.board(belief.start)
        wrong = there(to_lift(lay, sheet))
        assert all(entered.stack(s)[: lay.height(s)] != lay.stack(s) for s in wrong.squares)


@examples(40)
@given(records(least=2))
def test_what_is_plainly_seen_is_told_plainly(game: Record) -> None:
    lay, sheet = game.boards[-1], game.boards[-2]
    belief = decide(certain(lay, game.plays[-1]), sheet, shown=False)
    still, lying = take_look(belief, sharp(lay), SMALL)
    assert (lying.lying, lying.needs_review, still.sheet_board) == (belief.to_lift, True, sheet)
    off, lifted = take_look(still, sharp(sheet), SMALL)
    assert (lifted.kind, lifted.lifted, off.to_lift) == ("none", belief.to_lift, None)
    again, finding = take_look(off, sharp(lay), SMALL)
    assert (finding.kind, finding.play) == ("play", game.plays[-1])
    if not finding.needs_review:
        assert again.sheet_board == lay


def further(game: Record) -> list[Board]:
    """Boards on which somebody plays on with the tiles lying there, in a few ways."""
    assume(game.boards)
    free = [square for square in game.boards[-1].squares() if not game.boards[-1].stack(square)]
    return [game.boards[-1].with_play(Play((PlacedTile(square, "T"),))) for square in free[::17]]


def test_without_a_withdrawal_nothing_changes() -> None:
    assert look_from(EMPTY, sharp(MOOD), sharp(DEAR))[1].lifted is None
