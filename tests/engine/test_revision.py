"""A scoresheet put right by what is seen later: as if nothing else had ever been written on it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import pytest
from enginekit import plays
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import Game, GameError, Play, Revision, UpscoreError, find_edition, parse_play
from engine.game.events import Challenged, Event, Passed, Played

FIRST, SECOND, THIRD = (parse_play(text) for text in ("W@d3 O@d4 O@d5 D@d6", "N@e4", "E@c4"))
LONGER = parse_play("W@d3 O@d4 O@d5 D@d6 Y@d7")
START = Game.start(find_edition("8x8"), ("Red", "Blue"))
BACK = Challenged(None, upheld=True)
PASS = Passed()

Happened = Play | Event | None
"""A play, a play that is taken back (None), or another event."""


def game_of(*happened: Happened) -> Game:
    game = START
    for each in happened:
        game = game.with_event(BACK if each is None else Played(each) if isinstance(each, Play) else each)
    return game


@pytest.mark.parametrize(
    ("before", "revision", "after"),
    [
        ((FIRST,), Revision((SECOND,)), (FIRST, SECOND)),
        ((FIRST,), Revision((None, SECOND)), (FIRST, None, SECOND)),
        ((FIRST, SECOND), Revision((THIRD,), 1), (FIRST, THIRD)),
        ((FIRST, SECOND), Revision((LONGER, SECOND, THIRD), 2), (LONGER, SECOND, THIRD)),
        ((FIRST, PASS, SECOND), Revision((LONGER, THIRD), 2), (LONGER, PASS, THIRD)),
        ((FIRST, SECOND), Revision((LONGER,), 2), (LONGER,)),
        ((FIRST, SECOND), Revision((), 1), (FIRST,)),
        ((FIRST, SECOND, None), Revision((), 1), (FIRST, SECOND)),
        ((FIRST, SECOND, None), Revision((THIRD, None), 2), (FIRST, THIRD, None)),
        ((FIRST, SECOND, None), Revision((THIRD,), 1), (FIRST, SECOND, THIRD)),
        ((FIRST, SECOND), Revision((None, THIRD), 1), (FIRST, None, THIRD)),
    ],
)
def test_what_is_seen_later_is_as_if_it_had_been_seen_then(
    before: tuple[Happened, ...], revision: Revision, after: tuple[Happened, ...]
) -> None:
    game, right = revision.apply(game_of(*before)), game_of(*after)
    assert game.events == right.events
    assert (game.board, game.totals, game.turns) == (right.board, right.totals, right.turns)


def test_a_play_taken_back_by_a_challenger_is_left_so() -> None:
    challenged = game_of(FIRST, SECOND).challenge("Red", upheld=True)
    game = Revision((FIRST, LONGER, None), 3).apply(game_of(FIRST, FIRST, None))
    assert game.events[1] == Played(LONGER)
    assert Revision((SECOND, None), 2).apply(challenged) == challenged


def test_nothing_to_put_right_writes_nothing() -> None:
    game = game_of(FIRST, SECOND)
    assert Revision((FIRST, SECOND), 2).apply(game) is game
    assert Revision(()).apply(game) is game


def test_one_play_put_right_is_one_entry() -> None:
    game = Revision((LONGER, SECOND), 2).apply(game_of(FIRST, SECOND))
    assert game.undo().events == game_of(FIRST, SECOND).events


def test_more_than_there_is_cannot_be_put_right() -> None:
    with pytest.raises(GameError, match="fewer plays"):
        Revision((FIRST, SECOND), 2).apply(game_of(FIRST, PASS))


def test_a_play_is_taken_back_after_a_pass_and_nothing_where_nothing_was_played() -> None:
    assert Revision((None,)).apply(game_of(FIRST, PASS)).board.is_empty
    with pytest.raises(GameError, match="no play to challenge"):
        Revision((None,)).apply(game_of(PASS))


def test_a_challenge_that_failed_stays_with_a_play_that_is_put_anew() -> None:
    high = [parse_play(f"{face}@d4") for face in "ABCDE"]
    game = game_of(*high[:3]).challenge("Blue", upheld=False).play(SECOND).play(high[4])
    right = Revision((high[2], high[3], high[4]), 3).apply(game)
    assert [turn.refused_challenges for turn in right.turns] == [(), (), ("Blue",), (), ()]


def test_stacks_that_would_be_too_high_in_between() -> None:
    high = [parse_play(f"{face}@d4") for face in "ABCDE"]
    game = game_of(*high[:3], SECOND, high[4])
    really = (high[3], high[4])
    assert Revision(really, 2).apply(game).events == game_of(*high[:3], *really).events
    other = Revision((high[4], SECOND), 2)
    assert other.apply(game_of(*high[:3], SECOND, high[4])).events == game_of(*high[:3], *other.events).events


def test_a_vain_challenge_goes_with_the_play_that_was_none() -> None:
    challenged = game_of(FIRST, SECOND).challenge("Red", upheld=False).play(THIRD)
    right = Revision((None, LONGER), 2).apply(challenged)
    assert right.events == game_of(FIRST, None, LONGER).events


@st.composite
def stories(draw: st.DrawFn, most: int) -> tuple[Play | None, ...]:
    return tuple(draw(st.lists(st.one_of(st.none(), plays(8)), max_size=most)))


def possible(*happened: Happened) -> Game:
    try:
        return game_of(*happened)
    except UpscoreError:
        assume(False)
        raise


@given(stories(2), stories(3), stories(4))
def test_a_game_put_right_is_the_game_that_was_played(
    before: tuple[Play | None, ...], taken_for: tuple[Play | None, ...], really: tuple[Play | None, ...]
) -> None:
    """This holds whatever was written down wrongly, however late it shows, and whatever followed."""
    mistaken, right = possible(*before, *taken_for), possible(*before, *really)
    game = Revision(really, len(taken_for)).apply(mistaken)
    assert game.events == right.events
    assert (game.board, game.totals, game.turns) == (right.board, right.totals, right.turns)


some_plays = st.sampled_from([FIRST, SECOND, THIRD, LONGER])
some_stories = st.lists(st.one_of(st.none(), some_plays), max_size=4).map(tuple)


@st.composite
def evenings(draw: st.DrawFn) -> Game:
    """Return random games with plays, passes, plays taken back and failed challenges, without impossible events."""
    game = START
    others: list[Event] = [Challenged(None, upheld=False), Challenged(1, upheld=False), PASS, BACK]
    for event in draw(st.lists(st.one_of(some_plays.map(Played), st.sampled_from(others)), max_size=8)):
        with suppress(UpscoreError):
            game = game.with_event(event)
    return game


def list_plays(events: Iterable[Event]) -> list[Play | None]:
    """Return the plays among events, None for one that came off."""
    there = (event for event in events if isinstance(event, Played) or event == BACK)
    return [event.play if isinstance(event, Played) else None for event in there]


@given(evenings(), some_stories, st.integers(0, 4))
def test_whatever_is_put_right_the_sheet_has_it_or_says_why_not(
    game: Game, really: tuple[Play | None, ...], replaces: int
) -> None:
    """Failed challenges stay with their plays, go with plays that never happened, and never move another event."""
    before = list_plays(game.events)
    try:
        right = Revision(really, replaces).apply(game)
    except UpscoreError:
        return
    assert list_plays(right.events) == [*before[: len(before) - replaces], *really]
    assert sum(event == PASS for event in right.events) == sum(event == PASS for event in game.events)
