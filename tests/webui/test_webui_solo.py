"""The record of solo totals: kept in the store, told at the set-up of a solo game and at its end."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from typing import Any

import pytest
from flask.testing import FlaskClient
from webkit import EXAMPLE, Lobby, OpenPage, Site, after_plays, start_game, text, version

from engine import Board, HouseRules, find_edition, parse_play
from webui.app import services_of
from webui.services import Services
from webui.storage.database import SoloRow
from webui.table.games import OpenGame
from webui.views.games import compare_with_record, record_to_beat

CLASSIC = find_edition("8x8")


def finish(services: Services, plays: int, left: int = 0, player: str = "Ada", **changes: Any) -> OpenGame:
    """A solo game of so many plays of the example, finished."""
    open_game = after_plays(services, start_game(services, player, **changes), *EXAMPLE[:plays])
    return services.games.change(open_game, lambda game: game.end("agreed", (left,)))


def totals(services: Services, **switches: bool) -> list[int]:
    return [row.total for row in services.solo_totals(CLASSIC, HouseRules(**switches))]


def row(game_id: int, total: int, player: str = "Ada") -> SoloRow:
    return SoloRow("8x8", player, total, game_id, datetime(2026, 3, game_id, 12).astimezone().isoformat())


def test_finished_solo_games_are_remembered_by_edition_and_rules(site: Site) -> None:
    start_game(site.services, "Ada")
    for plays in (2, 3):
        finish(site.services, plays)
    finish(site.services, 1, rules=HouseRules(plural_rule=False))
    finish(site.services, 1, edition="10x10")
    site.services.games.change(site.game, lambda two: two.end("agreed", (0, 0)))
    assert totals(site.services) == [16, 26]
    assert totals(site.services, plural_rule=False) == [8]
    assert site.services.store.solo_totals("10x10")[0].player == "Ada"


def test_an_exchange_is_offered_as_long_as_there_is_one(client: FlaskClient, services: Services) -> None:
    open_game = start_game(services, "Ada")
    assert "Exchange a tile" in client.get(f"/games/{open_game.row.id}").get_data(as_text=True)
    for _ in range(5):
        open_game = services.games.change(open_game, lambda game: game.exchange())
    assert "Exchange a tile" not in client.get(f"/games/{open_game.row.id}").get_data(as_text=True)
    open_game = services.games.change(open_game, lambda game: game.play(parse_play("d4-ON")))
    other = client.get(f"/games/{open_game.row.id}/turns/6/correct").get_data(as_text=True)
    assert "It was a pass" in other
    assert "It was an exchange" not in other
    earlier = client.get(f"/games/{open_game.row.id}/turns/5/correct").get_data(as_text=True)
    assert "It was an exchange" in earlier


def test_games_that_began_in_the_middle_and_demos_add_nothing(services: Services) -> None:
    finish(services, 0, board=Board.empty(8).with_play(parse_play("d4-MOOD")))
    finish(services, 2, demo=True)
    assert totals(services) == []


def test_a_correction_changes_the_total_in_its_place(client: FlaskClient, services: Services) -> None:
    first, _ = finish(services, 2), finish(services, 3)
    when = services.solo_totals(CLASSIC, HouseRules())[0].finished_at
    url = f"/games/{first.row.id}/turns/2/correct?to=nothing"
    client.post(url, data={"version": version(services, first)})
    assert totals(services) == [8, 26]
    assert services.solo_totals(CLASSIC, HouseRules())[0].finished_at == when


def test_a_game_that_goes_on_again_is_out_of_the_record(client: FlaskClient, services: Services) -> None:
    first, _ = finish(services, 2), finish(services, 3)
    client.post(f"/games/{first.row.id}/undo", data={"version": version(services, first)})
    assert totals(services) == [26]
    services.games.change(services.games.open(first.row.id), lambda game: game.end("agreed", (1,)))
    assert totals(services) == [26, 11]
    services.store.delete_game(first.row.id)
    assert totals(services) == [26]


def test_the_end_of_a_game_says_how_it_stands(client: FlaskClient, services: Services) -> None:
    pages = [text(client.get(f"/games/{finish(services, plays).row.id}")) for plays in (2, 3, 3, 1)]
    assert "16 points: the first record." in pages[0]
    assert "New record: 26, before 16." in pages[1]
    assert "That ties the record: 26." in pages[2]
    assert "The record is 26, 18 more." in pages[3]
    assert "It has been beaten since: 26." in text(client.get("/games/1"))
    assert "Game over: 26 points. New record: 26, before 16." in text(client.get("/games/2"))
    assert "wins" not in pages[1]


def test_a_game_of_two_has_no_record(site: Site) -> None:
    site.services.games.change(site.game, lambda two: two.end("agreed", (0, 0)))
    assert "record" not in text(site.client.get("/games/1"))


def test_the_set_up_tells_what_there_is_to_beat(client: FlaskClient, services: Services) -> None:
    assert "Solo record" not in text(client.get("/new"))
    finish(services, 3, player="Ada <i>")
    page = text(client.get("/new"))
    assert "Solo record on 8 × 8: 26 points (Ada &lt;i&gt;, " in page
    assert "in the only game so far." in page
    asked = client.get("/api/solo-record?edition=8x8&rules=1&rule-passing_rounds=2&rule-leftover_penalty=5")
    assert asked.get_json()["text"].startswith("No finished solo game on 8 × 8 with these rules yet")
    asked = client.get("/api/solo-record?edition=8x8")
    assert asked.get_json()["text"].startswith("Solo record on 8 × 8: 26 points")
    assert client.get("/api/solo-record?edition=7x7").status_code == 400
    bad = client.get("/api/solo-record?edition=8x8&rules=1&rule-passing_rounds=x")
    assert bad.status_code == 400
    wrong = client.post("/games", data={"edition": "8x8", "rules": "1", "rule-passing_rounds": "x"})
    assert wrong.status_code == 400
    assert "Solo record on 8 × 8" in text(wrong)


def test_the_record_in_words() -> None:
    rows = [row(1, 250), row(2, 287, "Ben"), row(3, 260)]
    assert record_to_beat(CLASSIC, rows) == (
        "Solo record on 8 × 8: 287 points (Ben, 2 Mar 2026). The latest of 3 games scored 260."
    )
    assert compare_with_record(3, rows) == "The record is 287, 27 more."
    assert compare_with_record(9, rows) == ""


def test_games_from_before_the_record_are_taken_up(services: Services, open_page: OpenPage) -> None:
    finish(services, 2)
    finish(services, 3, demo=True)
    broken = finish(services, 1)
    services.close()
    with closing(sqlite3.connect(services.store.path)) as store:
        for table in ("solo_totals", "tile_lessons"):
            store.execute(f"DROP TABLE {table}")
        for column in ("digest", "version", "sent_as", "lifted"):
            store.execute(f"ALTER TABLE photos DROP COLUMN {column}")
        for column in ("belief", "touched", "every_round", "ended"):
            store.execute(f"ALTER TABLE games DROP COLUMN {column}")
        store.execute("UPDATE games SET log = 'cut off' WHERE id = ?", (broken.row.id,))
        store.execute("PRAGMA user_version = 1")
        store.commit()
    again = services_of(open_page())
    (found,) = again.store.solo_totals("8x8")
    assert (found.total, found.player) == (16, "Ada")
    assert found.finished_at == again.store.game(1).updated_at


@pytest.mark.parametrize(
    ("switches", "told"), [({}, "Each costs 5 points"), ({"solo_leftover_penalty": False}, "cost nothing")]
)
def test_a_solo_game_ends_for_reasons_of_its_own(lobby: Lobby, switches: dict[str, bool], told: str) -> None:
    open_game = start_game(lobby.services, "Ada", rules=HouseRules(**switches))
    lobby.services.games.change(open_game, lambda game: game.pass_turn())
    assert "Rule 11" not in text(lobby.client.get("/games/1"))
    page = text(lobby.client.get("/games/1/end"))
    assert told in page
    assert 'value="stuck"' in page
    assert 'value="passes"' not in page
