"""Passes, exchanges, ends, words, and pages that are out of date."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from webkit import (
    play_of,
    said,
    text,
    version,
)

from engine.board import Board
from webui.services import Services
from webui.storage.open_games import OpenGame


def test_pass_exchange_undo_and_end(client: FlaskClient, made: Services, game: OpenGame) -> None:
    for what in ("pass", "exchange", "pass", "pass"):
        client.post(f"/games/1/{what}", data={"version": version(made, game)})
    kinds = [record.kind for record in made.tables.open(1).game.turns]
    assert kinds == ["pass", "exchange", "pass", "pass"]
    assert "all players have passed in a row" in text(client.get("/games/1"))
    assert re.search(r'value="passes" selected', text(client.get("/games/1/end")))
    form = {"version": version(made, game), "reason": "passes", "left0": "2", "left1": ""}
    client.post("/games/1/end", data=form)
    opened = made.tables.open(1)
    assert opened.game.totals == {"Red": -10, "Blue": 0}
    assert opened.row.finished
    assert "Blue wins" in text(client.get("/games/1"))
    assert client.get("/").location == "/games"
    client.post("/games/1/undo", data={"version": version(made, game)})
    assert made.tables.open(1).game.ended is None


def test_a_play_is_taken_back_and_its_player_plays_again(
    client: FlaskClient, made: Services, game: OpenGame
) -> None:
    made.intake.enter(game, play_of("X@b4 X@c4"), game.row.version)
    assert "not by the rules" in text(client.get("/games/1"))
    client.post("/games/1/take-back", data={"version": version(made, game)})
    opened = made.tables.open(1).game
    assert opened.board == Board.empty(8)
    assert opened.current_player == "Red"
    again = client.post("/games/1/take-back", data={"version": version(made, game)})
    assert "no play that can be taken back" in said(again)


def test_a_tap_on_a_page_that_is_out_of_date_changes_nothing(
    client: FlaskClient, made: Services, game: OpenGame
) -> None:
    old = version(made, game)
    client.post("/games/1/pass", data={"version": old})
    again = client.post("/games/1/pass", data={"version": old})
    assert again.status_code == 409
    assert "moved on" in said(again)
    assert client.post("/games/1/pass").status_code == 409
    assert len(made.tables.open(1).game.turns) == 1


@pytest.mark.parametrize(
    "form",
    [
        {"reason": "bored"},
        {"reason": "agreed", "left0": "x"},
        {"reason": "agreed", "left0": "9"},
        {"reason": "out", "left0": "1", "left1": "2"},
    ],
)
def test_an_end_that_cannot_be(
    client: FlaskClient, made: Services, game: OpenGame, form: dict[str, str]
) -> None:
    response = client.post("/games/1/end", data={"version": version(made, game), **form})
    assert response.status_code == 400
    assert made.tables.open(1).game.ended is None


def test_words_are_looked_up(client: FlaskClient) -> None:
    assert client.get("/api/word?word=mood").get_json() == {
        "word": "MOOD",
        "playable": True,
        "meaning": "a state of mind",
        "reason": None,
        "sentence": "MOOD is playable.",
    }
    refused = text(client.get("/words?word=dear&lexicon=tiny"))
    assert "DEAR is not playable: not in the word list tiny." in refused
    assert '<option value="tiny" selected>tiny</option>' in refused
    assert not client.get("/api/word?word=dear&lexicon=tiny").get_json()["playable"]
    assert "a state of mind" in text(client.get("/words?word=mood"))
    for bad in ("", "a" * 41):
        assert client.get(f"/api/word?word={bad}").status_code == 400
