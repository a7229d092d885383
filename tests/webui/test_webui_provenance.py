"""Photographs stay with their turns through undoing and putting right."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from webkit import EXAMPLE, example, new_game

from engine import Game, GameError, parse_play
from engine.game.events import Corrected, Passed, Played
from engine.game.game import Rescored
from webui.table.games import START, by_place, entries_standing


def test_each_turn_has_its_own_entry() -> None:
    assert by_place(example(turns=3), {START: "start", 0: "a", 2: "c"}) == {0: "start", 1: "a", 3: "c"}


def test_undone_and_played_again_it_is_another_entry() -> None:
    game = example(turns=2).undo().play(parse_play(EXAMPLE[1]))
    assert by_place(game, {0: "a", 1: "undone", 3: "again"}) == {1: "a", 2: "again"}


def test_done_again_it_is_the_entry_that_it_was() -> None:
    game = example(turns=2).undo()
    assert by_place(game, {0: "a", 1: "b"}) == {1: "a"}
    assert by_place(game.redo(), {0: "a", 1: "b"}) == {1: "a", 2: "b"}


@pytest.mark.parametrize(
    ("put_right", "second"),
    [
        pytest.param(lambda game: game.assign(1, "Red"), 2, id="it was another's"),
        pytest.param(lambda game: game.correct(0, Played(parse_play("L@b4 O@c4 O@d4 D@e4"))), 2, id="corrected"),
        pytest.param(lambda game: game.insert(1, Passed()), 3, id="one before it was missed"),
    ],
)
def test_a_turn_put_right_keeps_its_photograph(put_right: Callable[[Game], Rescored], second: int) -> None:
    game = put_right(example(turns=2)).game
    assert by_place(game, {0: "a", 1: "b"}) == {1: "a", second: "b"}


def test_turns_after_one_that_never_happened_keep_theirs() -> None:
    game = example(turns=2).pass_turn().play(parse_play(EXAMPLE[2]))
    removed = game.remove(2).game
    assert by_place(removed, {0: "a", 1: "b", 3: "d"}) == {1: "a", 2: "b", 3: "d"}
    assert by_place(removed.undo(), {0: "a", 1: "b", 3: "d"}) == {1: "a", 2: "b", 4: "d"}


@examples(100)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["pass", "exchange", "undo", "redo", "correct", "remove", "insert", "assign"]),
            st.integers(0, 9),
        )
    )
)
def test_every_event_that_stands_comes_from_one_entry(steps: list[tuple[str, int]]) -> None:
    game = new_game()
    for what, at in steps:
        try:
            if what == "pass":
                game = game.pass_turn()
            elif what == "exchange":
                game = game.exchange()
            elif what == "undo":
                game = game.undo()
            elif what == "redo":
                game = game.redo()
            elif what == "assign":
                game = game.assign(at, game.players[at % 2]).game
            elif what == "correct":
                game = game.correct(at, Passed()).game
            elif what == "remove":
                game = game.remove(at).game
            else:
                game = game.insert(at, Passed()).game
        except GameError:
            continue
    entries = entries_standing(game.log)
    assert len(entries) == len(game.events)
    assert len(set(entries)) == len(entries)
    told = [game.log[number] for number in entries]
    puts = [entry.put if isinstance(entry, Corrected) else entry for entry in told]
    # a corrected event keeps the entry that it came from, so each correction changes at most one
    corrections = sum(isinstance(entry, Corrected) and not entry.insert for entry in game.log)
    assert sum(put != event for put, event in zip(puts, game.events, strict=True)) <= corrections
