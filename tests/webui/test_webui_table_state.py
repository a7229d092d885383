"""What the table is told of hands-free play: one step after another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from propertykit import examples

from vision.video.watch_state import IN_DOUBT, WatchState
from webui.live.camera import CameraStatus
from webui.live.table_state import Glimpse, Score, TableState, step
from webui.views.game import view_state

LIVE = CameraStatus("live", "The webcam is live.")
SETTLED = WatchState("in view", False, 9.0, True, False)
HAND = WatchState("in view", True, 0.0, False, False)
STILL = WatchState("in view", False, 1.0, False, False)
BASE = Glimpse(0.0, LIVE, SETTLED)
LIFT = "Take the tiles on d4 off the board, then go on."
ANSWER_AND_LIFT = "Answer it, and take the tiles on d4 off the board."

watch_states = st.builds(
    WatchState,
    st.sampled_from(["sought", "in view", "lost"]),
    st.booleans(),
    st.floats(0, 20),
    st.booleans(),
    st.booleans(),
)
glimpses = st.builds(
    Glimpse,
    st.floats(0, 1e6),
    st.sampled_from(["connecting", "live", "lost", "reconnecting", "ended"]).map(
        lambda state: CameraStatus(state, "So it is.")  # type: ignore[arg-type]
    ),
    st.none() | watch_states,
    st.none() | st.integers(0, 4),
    st.sampled_from([(), ("d4", "e4")]),
    st.none() | st.just("It was locked."),
    st.none() | st.builds(Score, st.just("Red"), st.sampled_from([(), ("MOOD", "DO")]), st.integers(0, 99)),
)


def after(*seen: Glimpse) -> TableState:
    state = TableState("connecting")
    for glimpse in seen:
        state = step(state, glimpse)
    return state


@pytest.mark.parametrize(
    ("seen", "kind"),
    [
        (BASE, "live"),
        (replace(BASE, watch_state=None), "connecting"),
        (replace(BASE, watch_state=HAND), "hand"),
        (replace(BASE, watch_state=STILL), "reading"),
        (replace(BASE, watch_state=replace(STILL, still=0.1)), "live"),
        (replace(BASE, waiting=1), "question"),
        (replace(BASE, lift=("d4",)), "lift"),
        (replace(BASE, waiting=1, lift=("d4",)), "question"),
        (replace(BASE, waiting=1, watch_state=replace(SETTLED, board="lost")), "lost"),
        (replace(BASE, watch_state=replace(SETTLED, board="sought")), "sought"),
        (replace(BASE, waiting=1, camera=CameraStatus("lost", "Gone.")), "gone"),
        (replace(BASE, camera=CameraStatus("reconnecting", "Again.")), "reconnecting"),
        (replace(BASE, camera=CameraStatus("ended", "Over.")), "ended"),
        (replace(BASE, failure="It was locked."), "restarted"),
    ],
)
def test_each_state_from_what_is_seen(seen: Glimpse, kind: str) -> None:
    assert after(seen).kind == kind


def test_what_flickers_is_not_told() -> None:
    state = after(BASE, replace(BASE, time=5.0, watch_state=HAND))
    assert state.kind == "live"
    assert step(state, replace(BASE, time=5.2, watch_state=HAND)).kind == "live"
    assert step(state, replace(BASE, time=5.4, watch_state=HAND)).kind == "hand"
    assert step(step(state, replace(BASE, time=5.1)), replace(BASE, time=5.2, watch_state=HAND)).kind == "live"


@examples(60)
@given(st.lists(st.tuples(st.floats(0.01, 1.2), st.sampled_from([SETTLED, HAND, STILL])), max_size=30))
def test_each_state_of_watching_is_shown_for_a_second_at_least(seen: list[tuple[float, WatchState]]) -> None:
    state, time, began = after(BASE), 0.0, 0.0
    for seconds, watch_state in seen:
        time += seconds
        before, state = state, step(state, replace(BASE, time=time, watch_state=watch_state))
        if state.kind != before.kind:
            assert time - began >= 1.0
            began = time


@examples(20)
@given(st.lists(st.sampled_from([SETTLED, HAND, STILL]), min_size=1, max_size=20))
def test_a_state_of_watching_that_lasts_is_told_soon(seen: list[WatchState]) -> None:
    glimpses = [replace(BASE, time=0.1 * at, watch_state=watch_state) for at, watch_state in enumerate(seen)]
    lasting = [replace(BASE, time=2.0 + 0.1 * at, watch_state=seen[-1]) for at in range(11)]
    assert after(*glimpses, *lasting).kind == after(lasting[-1]).kind


def test_the_score_is_shown_beside_what_is_going_on_and_is_gone_in_time() -> None:
    score = Score("Red", ("MOOD", "DO"), 11, until=3.0)
    shown = after(replace(BASE, score=score))
    view = there(view_state(shown))
    assert (view.score, view.provisional) == ("MOOD + DO 11", False)
    assert step(shown, replace(BASE, time=3.0, score=score)) != shown
    assert view_state(step(shown, replace(BASE, time=3.0, score=score))).score == ""  # type: ignore[union-attr]
    score = Score("Red", ("MOOD",), 8, provisional=True)
    early = there(view_state(after(replace(BASE, watch_state=HAND, score=score))))
    assert (early.headline, early.score, early.provisional) == ("Hand over the board", "MOOD 8 …", True)
    assert view_state(after(replace(BASE, waiting=1, score=score))).score == ""  # type: ignore[union-attr]


def test_a_new_start_is_told_for_a_while() -> None:
    state = after(replace(BASE, failure="It was locked."))
    assert view_state(step(state, replace(BASE, time=2.0))).sentence == "It was locked."  # type: ignore[union-attr]
    assert step(state, replace(BASE, time=60.0)).kind == "live"


@pytest.mark.parametrize(
    ("board", "usual"),
    [
        ("in view", "Play, then take your hands away."),
        ("sought", "Point the camera at the whole board."),
        ("lost", "Point the camera at the whole board. Upscore can't see any plays now."),
    ],
)
def test_what_is_wrong_with_the_picture_is_told_in_place_of_the_usual_sentence(board: Any, usual: str) -> None:
    for notice in ("", "The picture is mirrored."):
        view = there(view_state(after(replace(BASE, watch_state=replace(SETTLED, board=board, notice=notice)))))
        assert view.sentence == (notice or usual)


def test_a_damaged_film_that_has_ended_says_what_could_not_be_seen() -> None:
    for fault in ("", "The film is damaged."):
        ended = CameraStatus("ended", f"The film has ended. {fault}", fault)
        view = there(view_state(after(replace(BASE, camera=ended))))
        assert (view.headline, view.sentence) == ("The film has ended", f"Its last picture stays. {fault}".rstrip())


def test_the_question_says_how_many_turns_wait() -> None:
    view = there(view_state(after(replace(BASE, waiting=3))))
    assert view.headline == "Question waiting: three turns"
    one = there(view_state(after(replace(BASE, waiting=1))))
    assert one.headline == "Question waiting"


def test_a_question_goes_before_tiles_to_lift_and_names_them() -> None:
    view = there(view_state(after(replace(BASE, waiting=1, lift=("d4", "e4")))))
    assert view.headline == "Question waiting"
    assert view.sentence == "Answer it, and take the tiles on d4, e4 off the board."


@pytest.mark.parametrize(
    ("waiting", "lift", "usual", "with_notice"),
    [
        (1, (), "You can keep playing.", IN_DOUBT),
        (None, ("d4",), LIFT, f"{LIFT} {IN_DOUBT}"),
        (1, ("d4",), ANSWER_AND_LIFT, f"{ANSWER_AND_LIFT} {IN_DOUBT}"),
    ],
)
def test_what_is_wrong_with_the_picture_is_told_while_the_table_has_a_task(
    waiting: int | None, lift: tuple[str, ...], usual: str, with_notice: str
) -> None:
    for notice, sentence in (("", usual), (IN_DOUBT, with_notice)):
        seen = replace(BASE, watch_state=replace(SETTLED, notice=notice), waiting=waiting, lift=lift)
        assert there(view_state(after(seen))).sentence == sentence


def test_nothing_is_said_where_nothing_is_followed() -> None:
    assert view_state(TableState()) is None


@given(st.lists(glimpses, min_size=1, max_size=6))
def test_every_state_says_what_to_do(seen: list[Glimpse]) -> None:
    view = there(view_state(after(*seen)))
    assert view.headline
    assert view.sentence.endswith(".")
    assert (view.announced == "") == (view.tone == "calm" or view.kind == "question")


@given(glimpses, glimpses)
def test_trouble_is_never_hidden(first: Glimpse, last: Glimpse) -> None:
    first = replace(first, failure=None)
    state = after(first, last)
    if last.failure is not None:
        assert state.kind == "restarted"
    elif last.camera.state == "lost":
        assert state.kind == "gone"
    elif last.camera.state == "live" and last.watch_state is not None and last.watch_state.board == "lost":
        assert state.kind == "lost"


@given(glimpses)
def test_the_same_again_changes_nothing(seen: Glimpse) -> None:
    state = after(seen)
    assert step(state, seen) == state
