"""Players' own phones: a device asks for a player's seat, a scorekeeper grants it, and that player can use it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from guestkit import Phone, find_session, guest
from webkit import EXAMPLE, Lobby, Site, doubt, enter_plays, read_error, start_game, text

from webui.access.sessions import Role, Sessions
from webui.services import Services
from webui.table.games import OpenGame


def asks(phone: Phone, player: int, game_id: int = 1) -> None:
    """Ask for a player's seat."""
    assert phone.post(f"/games/{game_id}/seat", data={"player": str(player)}).status_code == 303


def rules(scorer: FlaskClient, name: str, *, grant: bool = True) -> int:
    """Grant a phone its seat, or refuse it; the status of the answer."""
    url = f"/games/1/seats/{find_session(scorer.application, name).id}"
    return scorer.post(url, data={"grant": "1" if grant else ""}).status_code


@pytest.fixture
def red(app: Flask, client: FlaskClient, game: OpenGame) -> Phone:
    """A viewer's phone that is Red's own."""
    phone = guest(app, Role.VIEWER, name="Anna's phone")
    asks(phone, 0)
    assert rules(client, "Anna's phone") == 303
    return phone


def now(services: Services) -> dict[str, str]:
    """The version of the game, as forms send it."""
    return {"version": str(services.games.open(1).row.version)}


def plays(services: Services, tiles: str) -> None:
    """The player whose turn it is plays."""
    open_game = services.games.open(1)
    enter_plays(services, open_game, tiles)


def test_a_phone_that_only_asked_changes_nothing(site: Site) -> None:
    phone = guest(site.app, Role.VIEWER)
    assert "I am" in text(phone.get("/games/1"))
    asks(phone, 0)
    assert "Asking the scorekeeper" in text(phone.get("/games/1"))
    assert "I am Red." in text(site.client.get("/games/1"))
    assert "I am Red." not in text(guest(site.app, Role.VIEWER, name="Other").get("/games/1"))
    for what in ("pass", "undo", "turns/1/challenge"):
        assert phone.post(f"/games/1/{what}", data=now(site.services)).status_code == 403
    assert phone.post(f"/games/1/seats/{find_session(site.app, 'Phone').id}", data={"grant": "1"}).status_code == 403
    assert site.now().row.version == site.game.row.version


def test_a_player_passes_on_the_own_turn_alone(red: Phone, services: Services, client: FlaskClient) -> None:
    assert "Your turn" in text(red.get("/games/1"))
    assert red.post("/games/1/pass", data=now(services)).status_code == 303
    page = text(client.get("/games/1"))
    assert "Red passed on “Anna's phone”." in page.replace("&#39;", "'")
    assert "undo-last" not in page, "one Undo is enough"
    assert "Your turn" not in text(red.get("/games/1"))
    answer = red.post("/games/1/pass", data=now(services))
    assert (answer.status_code, "Blue" in read_error(answer)) == (403, True)
    assert [turn.kind for turn in services.games.open(1).game.turns] == ["pass"]


def test_a_player_undoes_what_came_from_the_own_phone_alone(red: Phone, lobby: Lobby) -> None:
    red.post("/games/1/pass", data=now(lobby.services))
    assert red.post("/games/1/undo", data=now(lobby.services)).status_code == 303
    assert lobby.services.games.open(1).game.turns == ()
    assert red.post("/games/1/undo", data=now(lobby.services)).status_code == 403
    assert "passed on" not in text(lobby.client.get("/games/1"))
    lobby.client.post("/games/1/pass", data=now(lobby.services))
    assert red.post("/games/1/undo", data=now(lobby.services)).status_code == 403
    assert len(lobby.services.games.open(1).game.turns) == 1


def test_the_word_list_rules_on_a_challenge_from_a_phone(red: Phone, services: Services, client: FlaskClient) -> None:
    client.post("/games/1/pass", data=now(services))
    plays(services, EXAMPLE[0])
    page = text(red.get("/games/1/turns/2/challenge"))
    assert "Challenge MOOD?" in page
    assert "playable" not in page, "the page tells the verdict before the challenge"
    assert red.post("/games/1/turns/2/challenge", data={**now(services), "ruling": "off"}).status_code == 303
    assert not services.games.open(1).game.turns[1].taken_back, "a right word stands, whatever the phone sends"
    assert "MOOD stands" in text(red.get("/games/1/turns/2/challenge"))
    assert "Red challenged on" in text(client.get("/games/1"))
    assert red.post("/games/1/turns/2/challenge", data=now(services)).status_code == 400


def test_a_wrong_word_comes_off_and_nobody_challenges_their_own(red: Phone, lobby: Lobby) -> None:
    plays(lobby.services, "X@d4 X@d5")
    assert "/turns/1/challenge" not in text(red.get("/games/1"))
    assert red.post("/games/1/turns/1/challenge", data=now(lobby.services)).status_code == 400
    lobby.client.post("/games/1/undo", data=now(lobby.services))
    lobby.client.post("/games/1/pass", data=now(lobby.services))
    plays(lobby.services, "X@d4 X@d5")
    assert "/turns/2/challenge" in text(red.get("/games/1"))
    red.post("/games/1/turns/2/challenge", data=now(lobby.services))
    assert lobby.services.games.open(1).game.turns[1].taken_back


def test_a_seat_holds_in_every_game_of_the_same_players_and_no_other(red: Phone, services: Services) -> None:
    def begin(*players: str) -> int:
        return start_game(services, *players).row.id

    same, others = begin("Blue", "Red"), begin("Red", "Cleo")
    assert red.post(f"/games/{same}/pass", data={"version": "1"}).status_code == 403
    assert "Blue's turn" in text(red.get(f"/games/{same}")).replace("&#39;", "'")
    assert red.post(f"/games/{others}/pass", data={"version": "1"}).status_code == 403
    assert "only watches" in text(red.get(f"/games/{others}"))


def test_a_scorekeeper_takes_a_seat_away_for_good(red: Phone, services: Services, client: FlaskClient) -> None:
    assert rules(client, "Anna's phone", grant=False) == 303
    assert red.post("/games/1/pass", data=now(services)).status_code == 403
    assert red.post("/games/1/seat", data={"player": "0"}).status_code == 403
    assert 'name="player"' not in text(red.get("/games/1"))


def test_a_player_gives_the_seat_back(red: Phone, services: Services) -> None:
    assert red.post("/games/1/seat", data={"player": ""}).status_code == 303
    assert red.post("/games/1/pass", data=now(services)).status_code == 403
    assert red.post("/games/1/seat", data={"player": "7"}).status_code == 400


def test_a_question_goes_before_what_a_phone_enters(red: Phone, lobby: Lobby) -> None:
    lobby.photograph(doubt(EXAMPLE[0], "N@c4 O@d4 O@e4 D@f4"))
    assert "/games/1/pass" not in text(red.get("/games/1"))
    assert red.post("/games/1/pass", data=now(lobby.services)).status_code == 400


def test_a_seat_is_stored_and_older_lists_of_devices_have_none(red: Phone, services: Services, tmp_path: Path) -> None:
    folder = services.config.data_dir
    (stored,) = Sessions(folder).all()
    assert stored.seat == find_session(red.application, "Anna's phone").seat
    older = (folder / "devices.json").read_text().replace('"seat"', '"other"')
    (tmp_path / "devices.json").write_text(older)
    (known,) = Sessions(tmp_path).all()
    assert replace(stored, seat=None) == known
