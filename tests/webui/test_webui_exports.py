"""A game to take away as CSV, text and JSON."""

from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient
from webkit import EXAMPLE, after_plays

from engine.formats.game_json import game_from_dict
from engine.formats.notation import parse_game
from webui.services import Services
from webui.table.games import OpenGame


@pytest.fixture
def played(made: Services, game: OpenGame) -> OpenGame:
    return after_plays(made, game, *EXAMPLE[:2])


def test_a_game_is_taken_away_and_comes_back(client: FlaskClient, played: OpenGame) -> None:
    text, data, sheet = (client.get(f"/games/1/export.{ending}") for ending in ("txt", "json", "csv"))
    assert parse_game(text.get_data(as_text=True), played.game.lexicon) == played.game
    assert game_from_dict(json.loads(data.get_data()), played.game.lexicon) == played.game
    rows = sheet.get_data(as_text=True).split("\r\n")
    assert rows[0].startswith("turn,player,kind")
    assert rows[1].startswith("1,Red,play,")
    assert [answer.mimetype for answer in (text, data, sheet)] == [*("text/plain", "application/json", "text/csv")]
    assert sheet.headers["Content-Disposition"] == 'attachment; filename="upscore-1.csv"'


@pytest.mark.parametrize("over", [False, True])
def test_the_page_links_to_it_while_the_game_goes_on_and_after(
    client: FlaskClient, made: Services, played: OpenGame, over: bool
) -> None:
    if over:
        made.tables.change(played, lambda game: game.end("agreed", (0, 0)))
    page = client.get("/games/1").get_data(as_text=True)
    assert [page.count(f'href="/games/1/export.{ending}"') for ending in ("csv", "txt", "json")] == [1, 1, 1]


@pytest.mark.parametrize(("path", "says"), [("1/export.pdf", "csv, txt, json"), ("9/export.csv", "no such game")])
def test_what_cannot_be_taken_away(client: FlaskClient, played: OpenGame, path: str, says: str) -> None:
    answer = client.get(f"/games/{path}")
    assert answer.status_code == 404
    assert says in answer.get_data(as_text=True)
