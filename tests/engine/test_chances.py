"""The chance to win, and the turns that changed it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from enginekit import game_after

from engine import EDITIONS, Game, HouseRules
from engine.analysis.chances import LEAST_CHANGE, chances, turning_points


def game_of(*plays: str, players: Sequence[str] = ("Red", "Blue"), scores: Sequence[int] | None = None) -> Game:
    return game_after(Game.start(EDITIONS["8x8"], players, HouseRules(), scores=scores), *plays)


@pytest.mark.parametrize("players", [("Red", "Blue"), ("Red", "Blue", "Ada")])
def test_chances_add_up_and_points_raise_them(players: tuple[str, ...]) -> None:
    rows = chances(game_of("b4-MOOD", "e5|EAR", "d5-N.T", players=players))
    assert len(rows) == 4
    for row in rows:
        assert sum(row) == pytest.approx(1)
        assert all(0 < each < 1 for each in row)
    ahead = chances(game_of("b4-MOOD", players=players, scores=(50, *[0] * (len(players) - 1))))
    assert ahead[1][0] > rows[1][0] > 1 / len(players) - 0.1
    assert rows[0][0] > rows[0][1]


def test_a_lead_counts_for_more_with_fewer_tiles_to_play() -> None:
    early = chances(game_of(scores=(30, 0)))[0][0]
    late = chances(game_of("b4-MOOD", "e5|EAR", "d5-N.T", "W@b4", scores=(30, 15)))[-1]
    assert 0.7 < early < late[0] + 0.2
    over = game_of("b4-MOOD", "e5|EAR", scores=(30, 0)).end("agreed", (7, 7))
    assert chances(over)[-1] == (1, 0)
    assert chances(game_of().end("agreed", (7, 7)))[-1] == (0.5, 0.5)


def test_nothing_is_told_of_a_game_for_one_or_with_an_unknown_set() -> None:
    assert chances(game_of("b4-MOOD", players=("Red",))) == ()
    assert turning_points(game_of("b4-MOOD", players=("Red",))) == ()
    assert chances(Game.start(EDITIONS["11x11"], ["Red", "Blue"])) != ()


def test_the_turns_that_changed_most_are_told_in_their_order() -> None:
    game = game_of("b4-MOOD", "a5-ABCDEFG", "a6-A", "b3-HIJKLMN", "a7-A").end("agreed", (0, 0))
    found = turning_points(game)
    assert [(point.record.number, point.record.player) for point in found] == [(2, "Blue"), (4, "Blue")]
    assert all(point.after - point.before >= LEAST_CHANGE for point in found)
