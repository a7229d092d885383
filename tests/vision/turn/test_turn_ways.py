"""Two plays seen together: in which ways they can have come, and when they are taken without a question."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from enginekit import play_all
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from readings import veil
from turnkit import EAR, EMPTY, MOOD, at, context_of, look_again, look_from, sharp, texts

from engine import Board, format_play, parse_play
from vision import Belief, BoardReading
from vision.turn.alternatives import legal_ways
from vision.turn.reasons import Doubt, Reason
from vision.turn.steps import unseen

ON_HOST = play_all(EMPTY, "b3|HOST")
OAT, TEN, OIT = "A@c4 T@d4", "E@d5 N@d6", "I@c4"


# ways


@pytest.mark.parametrize(
    ("plays", "words", "ways"),
    [
        pytest.param((OAT, OIT), "OAT OIT", {(OAT, OIT)}, id="on top of another came after it"),
        pytest.param((OAT, TEN), "OAT TEN", {(OAT, TEN)}, id="joined by another came after it"),
        pytest.param((OAT, "O@c6"), "OAT TO", {(OAT, "O@c6"), ("O@c6", OAT)}, id="not touching in either order"),
        pytest.param(
            (OAT, "I@c4 S@e4"),
            "OAT OATS OIT OITS",
            {(OAT, "I@c4 S@e4"), (f"{OAT} S@e4", OIT)},
            id="a tile of either makes two ways",
        ),
        pytest.param((OAT, "I@c4 S@e4"), "OAT OITS", {(OAT, "I@c4 S@e4")}, id="a tile of one by the words"),
        pytest.param((OAT, "H@e4"), "OAT OATH", {(OAT, "H@e4"), (f"{OAT} H@e4",)}, id="perhaps one turn"),
        pytest.param((OAT, OIT), "OAT", set(), id="a word in no list is no way"),
    ],
)
def test_the_ways_in_which_two_plays_can_have_come(
    plays: tuple[str, str], words: str, ways: set[tuple[str, ...]]
) -> None:
    first, second = map(parse_play, plays)
    found = legal_ways(ON_HOST, first, second, context_of("HOST", *words.split()))
    assert {tuple(map(format_play, way)) for way in found} == ways


@examples(60)
@given(st.permutations([OAT, TEN, "O@c6", OIT]))
def test_every_way_leaves_the_same_stacks(plays: list[str]) -> None:
    settings = context_of("HOST", "OAT", "TEN", "TO", "OIT", "SO", "OI", "EN")
    first, second = parse_play(plays[0]), parse_play(plays[1])
    after = play_all(ON_HOST, *plays[:2])
    for way in legal_ways(ON_HOST, first, second, settings):
        assert play_all(ON_HOST, *map(format_play, way)) == after


# taken, or asked about

CONTEXT = context_of("HOST", "OAT", "TEN", "OATS", "TO")
ON_OAT = play_all(ON_HOST, "A@c4 T@d4")
BOTH = play_all(ON_OAT, "E@d5 N@d6")


def cover_and_look(before: Board, *under: str) -> tuple[Belief, BoardReading]:
    """The belief after a look over which a hand lay, over the squares `under` it, too, and that look."""
    reading = veil(sharp(play_all(before, "A@c4 T@d4")), *map(at, ["c4", "d4", "e4", "f4", "g4", *under]))
    belief, first = look_from(before, reading, settings=CONTEXT)
    assert (first.kind, first.reason) == ("unclear", Doubt(Reason.HAND))
    return belief, reading


def test_two_plays_after_one_look_in_doubt_are_entered_where_no_other_turns_fit() -> None:
    belief, _ = cover_and_look(ON_HOST)
    belief, second = look_again(belief, sharp(BOTH), settings=CONTEXT)
    assert (second.kind, second.needs_review, second.reason) == ("play", False, None)
    assert texts(belief.events) == ["A@c4 T@d4", "E@d5 N@d6"]
    assert belief.sheet_board == BOTH


@pytest.mark.parametrize(("play", "asked"), [("E@d5 N@d6", False), ("E@d5 R@d6", True)])
def test_after_a_look_in_doubt_a_word_in_no_list_is_asked_about(play: str, asked: bool) -> None:
    for hand in ((), tuple(map(at, ["c6", "d6", "e6", "f6", "g6", "d5", "d7"]))):
        belief, first = look_from(ON_OAT, veil(sharp(ON_OAT), *hand), settings=CONTEXT)
        assert first.kind == ("unclear" if hand else "none")
        _, second = look_again(belief, sharp(play_all(ON_OAT, play)), settings=CONTEXT)
        assert second.play == parse_play(play)
        assert second.needs_review == (asked and bool(hand))


def test_two_plays_in_either_order_are_asked_about_unless_the_look_in_doubt_told_it() -> None:
    after = sharp(play_all(ON_HOST, "A@c4 T@d4", "O@c6"))
    belief, _ = cover_and_look(ON_HOST)
    assert not look_again(belief, after, settings=CONTEXT)[1].needs_review
    belief, _ = cover_and_look(ON_HOST, "c6")
    _, second = look_again(belief, after, settings=CONTEXT)
    assert (second.needs_review, second.reason) == (True, Doubt(Reason.TWO, ("two",)))


def test_an_order_that_the_look_in_doubt_plainly_speaks_against_is_no_way_left_open() -> None:
    settings = context_of("HOST", "OAT", "TEN", "TONIC")
    reading = veil(sharp(play_all(ON_HOST, "A@c4 T@d4")), *map(at, ["d4", "e4", "f4", "g4"]))
    belief, first = look_from(ON_HOST, reading, settings=settings)
    assert first.needs_review
    _, second = look_again(belief, sharp(play_all(ON_HOST, "A@c4 T@d4", "O@c6 N@d6 I@e6 C@f6")), settings=settings)
    assert (second.kind, second.needs_review, texts(second.outcomes[0].events)) == (
        "play", False, ["A@c4 T@d4", "O@c6 N@d6 I@e6 C@f6"],
    )  # fmt: skip


def test_two_plays_are_asked_about_where_another_way_was_not_weighed() -> None:
    settings = context_of("HOST", "OAT", "OATH", "OITH", "OIT")
    reading = veil(sharp(play_all(ON_HOST, "A@c4 T@d4 H@e4")), *map(at, ["c4", "d4", "e4", "f4", "g4"]))
    belief, _ = look_from(ON_HOST, reading, settings=settings)
    _, second = look_again(belief, sharp(play_all(ON_HOST, "A@c4 T@d4 H@e4", "I@c4")), settings=settings)
    assert (second.needs_review, second.reason) == (True, Doubt(Reason.TWO, ("two",)))


def again(belief: Belief, reading: BoardReading) -> Belief:
    return look_again(belief, reading, settings=CONTEXT)[0]


@pytest.mark.parametrize("more", [again, lambda belief, _: unseen(belief)])
def test_two_plays_after_two_pictures_in_doubt_are_asked_about(more: Callable[[Belief, BoardReading], Belief]) -> None:
    belief, reading = cover_and_look(ON_HOST)
    _, found = look_again(more(belief, reading), sharp(BOTH), settings=CONTEXT)
    assert (found.needs_review, found.reason) == (True, Doubt(Reason.TWO, ("two",)))


def test_two_plays_without_a_look_in_doubt_are_asked_about() -> None:
    _, found = look_from(ON_HOST, sharp(BOTH), settings=CONTEXT)
    assert found.needs_review
    assert str(found.reason) == "It looks like two words were played. Was a turn missed?"


def test_one_play_after_a_picture_without_a_board_may_have_been_two_in_several_ways() -> None:
    settings = context_of("MOOD", "DE", "DEAR", "DEARY")
    _, finding = look_from(MOOD, None, sharp(play_all(MOOD, f"{EAR} Y@e8")), settings=settings)
    assert finding.needs_review
    answers = [texts(outcome.changes) for outcome in finding.outcomes]
    assert answers[0] == [f"{EAR} Y@e8"]
    assert ["E@e5", "A@e6 R@e7 Y@e8"] in answers
    assert [EAR, "Y@e8"] in answers
