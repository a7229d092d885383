"""The record of solo totals: what is compared with what, and how a total stands."""

from __future__ import annotations

import pytest
from enginekit import board_with
from hypothesis import given
from hypothesis import strategies as st

from engine import Game, HouseRules, find_edition, parse_play
from engine.analysis.solo_record import SoloRecord, solo_record, solo_terms, solo_total

CLASSIC = find_edition("8x8")


def solo(**switches: bool | int) -> Game:
    return Game.start(CLASSIC, ["Ada"], HouseRules(**switches)).play(parse_play("d4-MOOD"))  # type: ignore[arg-type]


def test_before_the_first_game_there_is_no_record() -> None:
    assert solo_record(()) == SoloRecord(0, None, None)
    assert solo_record(()).standing(-5) == "first"


def test_a_record_has_the_best_the_last_and_how_many() -> None:
    record = solo_record((250, 287, 260))
    assert record == SoloRecord(3, 287, 260)
    assert [record.standing(total) for total in (312, 287, 12)] == ["new", "level", "below"]


@given(st.lists(st.integers(-99, 999)), st.integers(-99, 999))
def test_a_new_record_is_what_the_next_game_has_to_beat(totals: list[int], total: int) -> None:
    before, after = solo_record(totals), solo_record([*totals, total])
    assert (after.best == total) == (before.standing(total) != "below")
    assert (after.games, after.last) == (before.games + 1, total)
    assert after.standing(total) != "new"


@pytest.mark.parametrize(
    ("switches", "terms"),
    [
        ({}, "8x8"),
        ({"passing_rounds": 3, "joint_winners": False}, "8x8"),
        ({"stacked_s": False, "leftover_penalty": 1}, "8x8 leftover_penalty=1 stacked_s=False"),
        ({"solo_leftover_penalty": False, "leftover_penalty": 1}, "8x8 solo_leftover_penalty=False"),
        ({"plural_rule": False, "stacked_s": False}, "8x8 plural_rule=False"),
    ],
)
def test_only_what_bears_on_a_solo_game_tells_records_apart(switches: dict[str, bool | int], terms: str) -> None:
    assert solo_terms(CLASSIC, HouseRules(**switches)) == terms  # type: ignore[arg-type]
    assert solo_terms(find_edition("10x10"), HouseRules()) == "10x10"


def test_a_finished_solo_game_adds_its_total() -> None:
    assert solo_total(solo()) is None
    assert solo_total(solo().end("agreed", (3,))) == 8 - 15
    assert solo_total(solo(solo_leftover_penalty=False).end("agreed", (3,))) == 8


def test_a_correction_changes_the_total_and_taking_the_end_back_removes_it() -> None:
    game = solo().end("agreed", (0,))
    event = game.turns[0].event
    assert solo_total(game.remove(event).game) == 0
    assert solo_total(game.undo()) is None


def test_games_that_add_none() -> None:
    assert solo_total(Game.start(CLASSIC, ["Red", "Blue"]).end("agreed", (0, 0))) is None
    assert solo_total(Game.start(CLASSIC, ["Ada"], board=board_with(8)).end("agreed", (0,))) is None
