"""Open games: each state is replayed once, and what is held is what a new start would replay."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from webkit import Site, start_game, text

from engine import Game, Setup, parse_play
from engine.formats.game_json import log_from_dict
from engine.game.events import Entry
from webui.errors import WebError
from webui.services import Services
from webui.table.games import MAX_REPLAYED_GAMES, Games


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was replayed."""
    seen: list[object] = []

    def count(data: object) -> tuple[Setup, tuple[Entry, ...]]:
        seen.append(data)
        time.sleep(0.01)
        return log_from_dict(data)

    monkeypatch.setattr("webui.table.games.log_from_dict", count)
    return seen


def anew(services: Services) -> Games:
    """The same games, as a start of the program finds them."""
    return Games(services.store, services.config.lexicons, services.announcer)


def test_many_who_look_at_once_have_one_replay(site: Site, replays: list[object]) -> None:
    with ThreadPoolExecutor(12) as pool:
        opened = list(pool.map(lambda _: site.now(), range(12)))
    assert len(replays) == 1
    assert len(set(map(id, opened))) == 1


def test_what_was_just_changed_need_not_be_replayed(site: Site, replays: list[object]) -> None:
    site.services.games.change(site.game, lambda now: now.play(parse_play("N@d4 E@e4 T@f4")))
    held = site.now()
    assert replays == []
    found = anew(site.services).open(site.game.row.id)
    assert len(replays) == 1
    assert (held.row, held.game, held.question, held.note) == (found.row, found.game, found.question, found.note)
    assert (held.game.state, held.game.events) == (found.game.state, found.game.events)
    assert held.belief == found.belief


def test_a_game_that_was_changed_behind_it_is_replayed(site: Site, replays: list[object]) -> None:
    first = site.now()
    other = anew(site.services)
    other.change(other.open(site.game.row.id), Game.pass_turn)
    other.rename(site.game.row.id, "Sunday")
    found = site.now()
    assert (len(first.game.log), len(found.game.log), found.row.title) == (0, 1, "Sunday")


def test_no_more_are_held_than_are_played(site: Site, replays: list[object]) -> None:
    site.now()
    for _ in range(MAX_REPLAYED_GAMES):
        more = start_game(site.services, "Ada")
        site.services.games.open(more.row.id)
    del replays[:]
    site.now()
    assert len(replays) == 1


def test_a_list_of_all_games_replays_each_once_and_pushes_out_none_that_is_played(
    site: Site, replays: list[object]
) -> None:
    for _ in range(MAX_REPLAYED_GAMES):
        start_game(site.services, "Ada")
    open_game = site.now()
    assert len(site.services.games.standings()) == MAX_REPLAYED_GAMES + 1
    assert len(replays) == MAX_REPLAYED_GAMES + 1
    assert site.now() is open_game
    site.services.games.change(open_game, lambda now: now.play(parse_play("N@d4 E@e4 T@f4")))
    (_, standing) = site.services.games.standings()[-1]
    assert standing is not None
    assert (standing.version, standing.totals["Red"] > 0) == (2, True)
    assert len(replays) == MAX_REPLAYED_GAMES + 1


@pytest.mark.parametrize(("summary", "times"), [(None, 0), ("8x8, 1 turn: Red 0, Blue 0", 1)])
def test_the_page_of_games_replays_once_what_an_earlier_version_stored_and_pushes_out_none_that_is_played(
    site: Site, replays: list[object], summary: str | None, times: int
) -> None:
    changed = site.services.games.change(site.game, lambda now: now.play(parse_play("N@d4 E@e4 T@f4")).take_back())
    if summary is not None:
        site.services.store.save_game(replace(changed.row, summary=summary))
    for _ in range(MAX_REPLAYED_GAMES):
        more = start_game(site.services, "Ada")
        site.services.games.open(more.row.id)
    del replays[:]
    for _ in range(2):
        assert "8 \u00d7 8, 0 turns" in text(site.client.get("/games"))
    for row in site.services.store.games():
        if row.id != site.game.row.id:
            site.services.games.open(row.id)
    assert len(replays) == times


def test_a_game_that_cannot_be_replayed_is_refused_each_time(site: Site) -> None:
    row = site.services.store.save_game(replace(site.game.row, log="{}"))
    assert replace(row, log="") != site.services.store.game(row.id)
    for _ in range(2):
        with pytest.raises(WebError, match="This game cannot be opened"):
            site.services.games.open(row.id)
