"""All tables on one page: served Upscores, followed as the page follows them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from webkit import ScriptedReader, config, empty_position, start_game
from werkzeug.serving import make_server

from engine import parse_play
from webui.access.invitations import Invitation
from webui.access.sessions import Role
from webui.app import create_app, services_of
from webui.errors import WebError
from webui.hall import COOKIES, Hall, OpenTable, Source, SourceView, create_hall
from webui.services import Services

NO_UPSCORE = "Something answers there, but not an Upscore"


@contextmanager
def serve(data: Path, port: int = 0, **settings: object) -> Iterator[tuple[Services, int]]:
    """Serve an Upscore; yields its services and its port."""
    app = create_app(config(data, ScriptedReader(position=empty_position()), **settings))
    server = make_server("127.0.0.1", port, app, threaded=True)
    serving = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    serving.start()
    try:
        yield services_of(app), server.port
    finally:
        server.shutdown()
        serving.join(timeout=10)
        server.server_close()
        services_of(app).close()


def begin(upscore: Services, *players: str) -> int:
    """Begin a game; return its number."""
    return start_game(upscore, *players).row.id


def play(upscore: Services, game: int, tiles: str) -> None:
    open_game = upscore.games.open(game)
    upscore.intake.enter(open_game, parse_play(tiles), open_game.row.version)


def link(upscore: Services, role: Role = Role.VIEWER) -> str:
    """Return the end of the link that lets somebody in."""
    return f"join/{upscore.gate.invitations.code(Invitation(role))}"


def read_page(hall: Hall) -> str:
    """The page, with single spaces."""
    return " ".join(create_hall(hall).test_client().get("/").text.split())


def test_an_address_may_have_a_name_and_may_be_a_link() -> None:
    assert Source.parse("10.0.0.5:9001") == Source("10.0.0.5:9001", "http://10.0.0.5:9001/")
    named = Source.parse(" Tables 1-4 =https://t1.example/join/v-abc_DEF-0123456")
    assert named == Source("Tables 1-4", "https://t1.example/", "https://t1.example/join/v-abc_DEF-0123456")
    assert Source.parse("A=B=host").name == "A=B"
    assert Source.parse("http://[::1]:80/t/17").url == "http://[::1]:80/t/17/"


@pytest.mark.parametrize("text", ["", "Table=", "http://", "ftp://host", "host:port", "http://[::1", "Table=/games"])
def test_what_is_no_address_is_told_in_one_line(text: str) -> None:
    with pytest.raises(WebError, match="give one such as"):
        Source.parse(text)


def test_games_that_go_on_and_games_that_ended_are_shown(tmp_path: Path) -> None:
    with serve(tmp_path / "games") as (upscore, port):
        over, going = begin(upscore, "Eve", "Gus"), begin(upscore, "Ada", "<Ben>")
        play(upscore, over, "M@b4 O@c4 O@d4 D@e4")
        upscore.games.change(upscore.games.open(over), lambda game: game.end("agreed", (0, 0)))
        play(upscore, going, "M@b4 O@c4 O@d4 D@e4")
        upscore.store.set(over, "title", "The final")
        source = Source.parse(f"Hall 1=http://127.0.0.1:{port}")
        hall = Hall([source], tmp_path)
        hall.look(source)
    (view,) = hall.views()
    assert view.tables == (OpenTable("", (("Ada", 8), ("<Ben>", 0)), "<Ben>", 1, "Ada: MOOD +8", False),)
    assert (view.ended, view.trouble) == (((("Eve", 8), ("Gus", 0)),), "")
    page = read_page(hall)
    assert '&lt;Ben&gt;</span> <span class="unseen">to play</span>' in page
    assert "<b>Eve 8</b>, Gus 0" in page


def test_one_that_went_away_keeps_its_games_and_says_since_when(tmp_path: Path) -> None:
    with serve(tmp_path / "games") as (upscore, port):
        begin(upscore, "Ada", "Ben")
        here, away = Source.parse(f"127.0.0.1:{port}"), Source("Away", "http://127.0.0.1:9/")
        hall = Hall([here, away], tmp_path)
        for source in (here, away):
            hall.look(source)
        answered = hall.views()[0].answered
    hall.look(here)
    first, second = hall.views()
    assert (first.trouble, len(first.tables)) == (f"No answer since {answered}", 1)
    assert second == SourceView("Away", trouble="No answer yet")
    assert f"No answer since {answered}" in read_page(hall)
    with serve(tmp_path / "games", port):
        hall.look(here)
        assert hall.views()[0].trouble == ""


def test_a_link_lets_it_in_once_behind_a_proxy(tmp_path: Path) -> None:
    """Later it is known by its cookie, also when it is started again."""
    with serve(tmp_path / "games", behind_proxy=True) as (upscore, port):
        begin(upscore, "Ada", "Ben")
        plain = Source("T", f"http://127.0.0.1:{port}/")
        strange = Hall([plain], tmp_path)
        strange.look(plain)
        assert strange.views()[0].trouble == "Needs a link to watch before it lets this page in"
        linked = Source("T", plain.url, plain.url + link(upscore))
        hall = Hall([linked], tmp_path)
        hall.look(linked)
        hall.look(linked)
        assert (len(hall.views()[0].tables), hall.views()[0].trouble) == (1, "")
        again = Hall([plain], tmp_path)
        again.look(plain)
        assert (len(again.views()[0].tables), len(upscore.gate.sessions.all())) == (1, 1)
        upscore.gate.invitations.renew()
        void = Hall([linked], tmp_path / "new")
        void.look(linked)
        assert "Needs a link" in void.views()[0].trouble
    assert (tmp_path / COOKIES).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("status", "answer", "trouble"),
    [
        (200, "[]", ""),
        (200, "{}", NO_UPSCORE),
        (200, "no JSON", NO_UPSCORE),
        (200, '[{"id": 1}]', NO_UPSCORE),
        (200, '[{"id": 1, "ended": false, "totals": {}}]', NO_UPSCORE),
        (404, "", NO_UPSCORE),
        (502, "", "No answer yet"),
    ],
)
def test_other_answers_are_told_in_words(tmp_path: Path, status: int, answer: str, trouble: str) -> None:
    """A proxy answers with 502 if the Upscore behind it is gone."""
    other = Flask("other")
    other.add_url_rule("/<path:path>", view_func=lambda path: (answer, status), endpoint="any")
    server = make_server("127.0.0.1", 0, other, threaded=True)
    serving = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    serving.start()
    source = Source("Other", f"http://127.0.0.1:{server.port}/")
    hall = Hall([source], tmp_path)
    hall.look(source)
    server.shutdown()
    serving.join(timeout=10)
    server.server_close()
    assert hall.views()[0].trouble == trouble


def test_it_answers_under_its_own_names_alone(tmp_path: Path) -> None:
    client = create_hall(Hall([], tmp_path), ("hall.example",)).test_client()
    assert client.get("/", headers={"Host": "hall.example"}).status_code == 200
    assert client.get("/", headers={"Host": "other.example"}).status_code == 403
    with client.get("/static/tables.js") as script:
        assert script.status_code == 200
