"""A photograph that is sent with a key is taken once, whatever happened since; and one that is cancelled, never."""

from __future__ import annotations

import io
from typing import Any

import pytest
from flask.testing import FlaskClient
from webkit import BY_SCRIPT, EXAMPLE, OpenPage, ScriptedReader, Site, finding, jpeg, picture, start_game, sure
from werkzeug.test import TestResponse

from engine import parse_play
from vision import Belief, Finding
from vision.images import Image
from webui.app import services_of
from webui.errors import WebError
from webui.ports import TurnQuery
from webui.routes.forms import KEY_HEADER
from webui.storage.store import Store

KEY = "0123456789abcdef"


def send(client: FlaskClient, key: str | None = KEY, url: str = "/games/1/photo", size: int = 120) -> TestResponse:
    headers = {**BY_SCRIPT, **({} if key is None else {KEY_HEADER: key})}
    form = {"photo": (io.BytesIO(jpeg(size)), "turn.jpg")}
    return client.post(url, data=form, content_type="multipart/form-data", headers=headers)


def test_a_repeat_is_answered_like_the_first_and_enters_nothing(site: Site) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    first = send(site.client).get_json()
    assert send(site.client).get_json() == first == {"to": "/games/1", "message": None}
    assert len(site.now().game.turns) == len(site.reader.images) == 1


def test_it_is_known_after_more_turns_an_undo_and_the_end(site: Site) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    first = send(site.client).get_json()
    for what in ("pass", "undo", "undo"):
        site.submit(what)
        assert send(site.client).get_json() == first
    assert site.now().game.turns == ()
    site.services.games.change(site.now(), lambda now: now.end("agreed", (0, 0)))
    assert send(site.client).get_json() == first
    assert len(site.reader.images) == 1


def test_it_is_known_after_a_restart(open_page: OpenPage, reader: ScriptedReader) -> None:
    reader.say([sure(EXAMPLE[0])])
    for _ in range(2):
        app = open_page()
        services = services_of(app)
        if not services.store.games():
            start_game(services)
        assert send(app.test_client()).status_code == 200
        assert [record.points for record in services.games.open(1).game.turns] == [8]
        services.close()
    assert len(reader.images) == 1


def test_programs_have_the_same_key(site: Site) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    first = send(site.client, url="/api/v1/games/1/photos").get_json()
    assert send(site.client, url="/api/v1/games/1/photos").get_json() == first
    site.services.games.change(site.now(), lambda now: now.pass_turn())
    later = send(site.client, url="/api/v1/games/1/photos").get_json()
    assert (later["version"], len(later["turns"])) == (first["version"] + 1, 2)


def test_what_it_said_of_lifted_tiles_is_said_again(site: Site) -> None:
    lifted = finding("none", lifted=parse_play("M@b4 O@c4"))
    site.reader.say([lifted])
    first = send(site.client).get_json()
    assert first["message"].startswith("M on b4 and O on c4 are off")
    assert send(site.client).get_json() == first


def test_a_server_that_died_before_the_turn_was_kept_takes_it_when_it_comes_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    site.reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[0])])
    with monkeypatch.context() as patched:
        patched.setattr(Store, "save_game", dies)
        with pytest.raises(KeyboardInterrupt):
            send(site.client)
    assert site.now().game.turns == ()
    assert send(site.client).status_code == 200
    assert [record.points for record in site.now().game.turns] == [8]


def test_a_server_that_died_once_the_turn_was_kept_takes_no_second_one(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    site.reader.say([sure(EXAMPLE[0])])
    with monkeypatch.context() as patched:
        patched.setattr(site.services.announcer, "announce", dies)
        with pytest.raises(KeyboardInterrupt):
            send(site.client)
    assert send(site.client).status_code == 200
    assert [record.points for record in site.now().game.turns] == [8]
    assert len(site.reader.images) == 1


def test_a_key_holds_for_one_game_and_one_photograph(site: Site) -> None:
    other = start_game(site.services, "Ada")
    site.reader.say([sure(EXAMPLE[0]), sure(EXAMPLE[0])])
    send(site.client)
    assert send(site.client, url=f"/games/{other.row.id}/photo").status_code == 200
    assert len(site.services.games.open(other.row.id).game.turns) == 1
    refused = send(site.client, size=96)
    assert refused.status_code == 400
    assert "a key of its own" in refused.get_json()["error"]
    assert len(site.now().game.turns) == 1


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "with spaces in it", "a;b;c;d;e"])
def test_a_key_that_is_none(site: Site, key: str) -> None:
    refused = send(site.client, key)
    assert (refused.status_code, site.reader.images) == (400, [])
    assert "8 to 64" in refused.get_json()["error"]


def test_a_phone_can_ask_whether_its_photograph_arrived(site: Site) -> None:
    def has_arrived(key: str) -> object:
        return site.client.get("/games/1/photo", headers={KEY_HEADER: key}).get_json()["arrived"]

    assert not has_arrived(KEY)
    site.reader.say([sure(EXAMPLE[0])])
    send(site.client)
    assert has_arrived(KEY)
    assert not has_arrived(f"{KEY}-another")


def cancel(client: FlaskClient, key: str | None = KEY) -> Any:
    headers = {**BY_SCRIPT, **({} if key is None else {KEY_HEADER: key})}
    return client.post("/games/1/photo/cancel", headers=headers).get_json()


def test_one_that_was_cancelled_on_its_way_is_not_taken(site: Site) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    assert cancel(site.client) == {"to": "/games/1", "message": None}
    assert "Nothing was scored" in send(site.client).get_json()["error"]
    now = site.now()
    assert (now.row.version, site.services.store.newest_photo(1)) == (site.game.row.version, None)


def test_one_that_was_taken_already_stays(site: Site) -> None:
    site.reader.say([sure(EXAMPLE[0])])
    send(site.client)
    assert "Too late" in cancel(site.client)["message"]
    assert len(site.now().game.turns) == 1


def test_what_is_to_be_cancelled_is_named(site: Site) -> None:
    assert "which photo to cancel" in cancel(site.client, None)["error"]


def test_one_that_is_cancelled_while_it_is_read_is_not_taken(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(image: Image, query: TurnQuery) -> tuple[Belief, Finding]:
        assert site.services.intake.cancel(1, KEY)
        return query.belief, sure(EXAMPLE[0])

    monkeypatch.setattr(site.reader, "read_turn", read)
    with pytest.raises(WebError, match="cancelled"):
        site.services.intake.take(1, picture(), "upload", "digest", sent_as=KEY)
    assert site.now().game.turns == ()
