"""The list of games: points, winners, and what to do first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from webkit import EXAMPLE, Site, after_plays, start_game, text

from engine import HouseRules
from webui.services import Services
from webui.storage.database import load_summary
from webui.table.games import OpenGame
from webui.views.games import view_all_time, view_game_line


def end_game(services: Services, game: OpenGame, *left: int) -> OpenGame:
    return services.games.change(services.games.open(game.row.id), lambda it: it.end("agreed", left))


def test_a_finished_game_says_who_won(site: Site) -> None:
    site.after_plays(*EXAMPLE[:4])
    assert "Red 18, Blue 13" in text(site.client.get("/games"))
    end_game(site.services, site.game, 1, 7)
    page = text(site.client.get("/games"))
    assert "<b>Red 13</b>, Blue \u221222" in page
    assert "Red wins" in page
    assert "8 \u00d7 8, 4 turns" in page
    assert "8x8" not in page
    assert "8 \u00d7 8, 4 turns: Red 13, Blue \u221222" in text(site.client.get("/games/1/delete"))


@pytest.mark.parametrize(("joint", "state"), [(True, "Red and Blue share the win"), (False, "Red wins")])
def test_a_tie_goes_by_the_house_rule(client: FlaskClient, services: Services, joint: bool, state: str) -> None:
    rules = HouseRules(joint_winners=joint)
    game = start_game(services, rules=rules)
    tied = end_game(services, after_plays(services, game, *EXAMPLE[:4]), 1, 0)
    assert tied.game.totals == {"Red": 13, "Blue": 13}
    assert state in text(client.get("/games"))


def test_names_with_commas_and_numbers_keep_their_points(services: Services) -> None:
    game = start_game(services, "Max, 8", "Jean-Luc: 3", edition="10x10")
    line = view_game_line(game.row, services.games.standing)
    assert line.points == (("Max, 8", 0, False), ("Jean-Luc: 3", 0, False))
    assert line.about == "10 \u00d7 10, 0 turns"


def test_a_solo_game_and_a_damaged_one_have_no_winner(services: Services) -> None:
    game = start_game(services, "Ann")
    assert view_game_line(end_game(services, game, 3).row, services.games.standing).state == "finished"
    assert view_game_line(replace(game.row, log="{"), services.games.standing).points == (("Ann", 0, False),)


def test_the_sentence_of_an_earlier_version_is_not_read_but_shown_where_the_game_is_damaged(site: Site) -> None:
    row = end_game(site.services, site.after_plays(*EXAMPLE[:4]), 1, 7).row
    stored = replace(row, summary="8x8, 9 turns: Red 99, Blue 9")
    now = view_game_line(row, site.services.games.standing)
    assert now.state == "Red wins"
    assert replace(view_game_line(stored, site.services.games.standing), row=row) == now
    damaged = view_game_line(replace(stored, version=99, log="{"), site.services.games.standing)
    assert (damaged.about, damaged.points, damaged.state) == ("8x8, 9 turns: Red 99, Blue 9", (), "finished")
    site.services.store.save_game(replace(stored, log="{"))
    assert "8x8, 9 turns: Red 99, Blue 9</span>" in text(site.client.get("/games/1/delete"))


@pytest.mark.parametrize("wrong", ["", "8x8", "7", "[]", "{}", '{"edition": "8x8", "turns": "x", "totals": {}}'])
def test_a_text_that_is_no_summary_is_none(wrong: str) -> None:
    assert load_summary(wrong) is None


def test_a_new_game_is_offered_above_the_list(site: Site) -> None:
    page = text(site.client.get("/games"))
    assert page.index('<a class="button primary" href="/new">') < page.index('class="games"')


def test_the_all_time_table_counts_finished_games(client: FlaskClient, services: Services) -> None:
    assert "All-time table" not in text(client.get("/games"))
    for players, left, turns in (
        (("Red", "Blue"), (0, 0), 4),
        (("blue", "Red"), (1, 0), 4),
        (("Red", "Green", "Blue"), (0, 7, 0), 2),
        (("Red",), (0,), 5),
        (("Red", "Blue"), None, 7),
    ):
        game = start_game(services, *players)
        after_plays(services, game, *EXAMPLE[:turns])
        if left is not None:
            end_game(services, game, *left)
    view = view_all_time(services.games.standings())
    assert [(each.name, each.wins, each.games, each.best, each.mean) for each in view.players] == [
        ("Red", 3, 3, 18, 13),
        ("Blue", 1, 3, 13, 9),
        ("Green", 0, 1, -27, -27),
    ]
    assert [(each.one, each.one_ahead, each.other_ahead, each.level, each.other) for each in view.meetings] == [
        ("Red", 2, 0, 1, "Blue"),
        ("Red", 1, 0, 0, "Green"),
        ("Blue", 1, 0, 0, "Green"),
    ]
    assert view.words[0] == ("MOOD", 8, "Red")
    page = text(client.get("/all-time"))
    assert "Red <b>2</b>, Blue <b>0</b>, level <b>1</b>" in page
    assert "All-time table" in text(client.get("/games"))


def test_the_all_time_table_knows_runs_of_wins(client: FlaskClient, services: Services) -> None:
    for red, blue in ((1, 0), (0, 1), (0, 1), (0, 1), (1, 0), (0, 1)):
        end_game(services, start_game(services), red, blue)
    view = view_all_time(services.games.standings())
    assert [(each.name, each.longest_run, each.run) for each in view.players] == [("Red", 3, 1), ("Blue", 1, 0)]
    page = text(client.get("/all-time"))
    assert '<th scope="row">Red</th><td>3</td><td>1</td>' in page


def test_runs_go_by_when_games_ended_and_a_correction_does_not_end_one_again(services: Services) -> None:
    """The game begun first is finished last, and the one that ended first is changed once more in the end."""
    oldest, *later = (start_game(services) for _ in range(3))
    first, second = (end_game(services, each, *left) for each, left in zip(later, [(1, 0), (0, 1)], strict=True))
    end_game(services, oldest, 0, 1)
    services.games.change(first, lambda same: same)
    runs = {each.name: (each.longest_run, each.run) for each in view_all_time(services.games.standings()).players}
    assert runs == {"Red": (2, 2), "Blue": (1, 0)}
    services.games.change(second, lambda game: game.undo())
    runs = {each.name: (each.longest_run, each.run) for each in view_all_time(services.games.standings()).players}
    assert runs == {"Red": (1, 1), "Blue": (1, 0)}


def test_the_all_time_table_has_the_familys_records(client: FlaskClient, services: Services) -> None:
    for players, plays, left in (
        (("Red", "Blue"), EXAMPLE[:5], (0, 0)),
        (("BLUE", "Red"), EXAMPLE[:5], (0, 0)),
        (("Red", "Blue"), EXAMPLE[:2], (0, 7)),
        (("Ann",), EXAMPLE[:7], (0,)),
    ):
        end_game(services, after_plays(services, start_game(services, *players), *plays), *left)
    start_game(services, "Demo", "Show", demo=True)
    records = view_all_time(services.games.standings()).records
    assert [(each.name, each.points, each.about, each.holder, each.game_id) for each in records] == [
        ("Highest total", 30, "8 \u00d7 8", "Red", 1),
        ("Widest win", 35, "8 \u00d7 8", "Red", 3),
        ("Best turn", 16, "PLUS and NETS", "Ann", 4),
        ("Best word", 8, "MOOD", "Red", 1),
    ]
    page = text(client.get("/all-time"))
    assert 'Best turn: <b>16</b> <a href="/games/4">Ann, PLUS and NETS</a>' in page


def test_without_a_finished_game_the_table_says_so(site: Site) -> None:
    assert "No finished game yet" in text(site.client.get("/all-time"))
