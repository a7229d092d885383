"""Two plays seen together: whether rules and words leave another way, and when they are taken without a question."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readings import played, veiled
from turnkit import EMPTY, NO_LIST, at, context_of, play_of, seen_after, seen_then, sharp, texts

from engine.board import Board
from vision.reading import BoardReading
from vision.turn.belief import Belief
from vision.turn.context import Context
from vision.turn.inference.only_way import is_only_way
from vision.turn.inference.story import Event
from vision.turn.reasons import HAND, TWO
from vision.turn.steps import unseen

HOST = "b3|HOST"
ON_HOST = played(EMPTY, HOST)


def only(before: Board, *plays: str | None, context: Context) -> bool:
    events: tuple[Event, ...] = tuple(play_of(play) if play else None for play in plays)
    return is_only_way(before, events, context)


# the only way


def test_a_play_on_top_of_another_came_after_it() -> None:
    assert only(ON_HOST, "A@c4 T@d4", "I@c4", context=context_of("HOST", "OAT", "OIT"))


def test_a_play_that_nothing_else_joins_to_the_board_came_after_what_joins_it() -> None:
    assert only(ON_HOST, "A@c4 T@d4", "E@d5 N@d6", context=context_of("HOST", "OAT", "TEN"))


def test_two_plays_in_either_order_are_not_the_only_way() -> None:
    assert not only(ON_HOST, "A@c4 T@d4", "O@c6", context=context_of("HOST", "OAT", "TO"))


def test_a_tile_that_may_have_been_of_either_play_leaves_two_ways() -> None:
    words = ("HOST", "OAT", "OATS", "OIT", "OITS")
    assert not only(ON_HOST, "A@c4 T@d4", "I@c4 S@e4", context=context_of(*words))
    assert only(ON_HOST, "A@c4 T@d4", "I@c4 S@e4", context=context_of("HOST", "OAT", "OITS"))


def test_tiles_that_may_have_been_one_play_are_not_surely_two() -> None:
    assert not only(ON_HOST, "A@c4 T@d4", "S@e4", context=context_of("HOST", "OAT", "OATS"))
    assert only(ON_HOST, "A@c4 T@d4", "E@d5 N@d6", context=context_of("HOST", "OAT", "TEN"))


@pytest.mark.parametrize(
    "plays", [("A@c4 T@d4",), ("A@c4 T@d4", None), (None, "A@c4 T@d4"), ("A@c4 T@d4", "I@c4", "A@c4")]
)
def test_only_two_plays_are_thought_of(plays: tuple[str | None, ...]) -> None:
    assert not only(ON_HOST, *plays, context=context_of("HOST", "OAT", "OIT"))


def test_without_a_list_and_with_words_in_no_list_nothing_is_the_only_way() -> None:
    assert not only(ON_HOST, "A@c4 T@d4", "I@c4", context=NO_LIST)
    assert not only(ON_HOST, "A@c4 T@d4", "I@c4", context=context_of("HOST", "OAT"))


@settings(max_examples=60, deadline=None)
@given(st.permutations(["A@c4 T@d4", "E@d5 N@d6", "O@c6", "I@c4"]), st.data())
def test_of_two_ways_neither_is_the_only_one(plays: list[str], data: st.DataObject) -> None:
    first, second = data.draw(st.sampled_from([(plays[0], plays[1]), (plays[1], plays[2])]))
    context = context_of("HOST", "OAT", "TEN", "TO", "OIT", "SO", "OI", "EN")
    if {*play_of(first).squares} & {*play_of(second).squares}:
        return
    assert not (
        only(ON_HOST, first, second, context=context) and only(ON_HOST, second, first, context=context)
    )


# taken, or asked about

CONTEXT = context_of("HOST", "OAT", "TEN", "OATS", "TO")
BOTH = played(ON_HOST, "A@c4 T@d4", "E@d5 N@d6")


def doubted(before: Board) -> tuple[Belief, BoardReading]:
    """The belief after a look over which a hand lay, and that look."""
    reading = veiled(sharp(played(before, "A@c4 T@d4")), *map(at, ["c4", "d4", "e4", "f4", "g4"]))
    belief, first = seen_after(before, reading, context=CONTEXT)
    assert (first.kind, first.reason) == ("unclear", HAND)
    return belief, reading


def test_two_plays_after_one_look_in_doubt_are_entered_where_no_other_turns_fit() -> None:
    belief, _ = doubted(ON_HOST)
    belief, second = seen_then(belief, sharp(BOTH), context=CONTEXT)
    assert (second.kind, second.needs_review, second.reason) == ("play", False, None)
    assert texts(belief.events) == ["A@c4 T@d4", "E@d5 N@d6"]
    assert belief.sheet_board == BOTH


def test_two_plays_are_asked_about_where_other_turns_fit() -> None:
    belief, _ = doubted(ON_HOST)
    after = played(ON_HOST, "A@c4 T@d4", "O@c6")
    _, second = seen_then(belief, sharp(after), context=CONTEXT)
    assert (second.needs_review, second.reason) == (True, TWO)


def again(belief: Belief, reading: BoardReading) -> Belief:
    return seen_then(belief, reading, context=CONTEXT)[0]


@pytest.mark.parametrize("more", [again, lambda belief, _: unseen(belief)])
def test_two_plays_after_two_pictures_in_doubt_are_asked_about(
    more: Callable[[Belief, BoardReading], Belief],
) -> None:
    belief, reading = doubted(ON_HOST)
    _, found = seen_then(more(belief, reading), sharp(BOTH), context=CONTEXT)
    assert (found.needs_review, found.reason) == (True, TWO)


def test_two_plays_without_a_look_in_doubt_are_asked_about() -> None:
    _, found = seen_after(ON_HOST, sharp(BOTH), context=CONTEXT)
    assert (found.needs_review, found.reason) == (True, TWO)
