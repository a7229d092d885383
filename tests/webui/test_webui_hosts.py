"""Under which names the server answers."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from webkit import ScriptedReader, config, said

from webui.app import create_app, services_of
from webui.hosts import host_of, is_own, own_names
from webui.storage.open_games import OpenGame


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("localhost:8000", "localhost"),
        ("LOCALHOST", "localhost"),
        ("board.local.:80", "board.local"),
        ("127.0.0.1:8000", "127.0.0.1"),
        ("[::1]:8000", "::1"),
        ("[::1", None),
        ("[x]", None),
        ("a b", None),
        ("a/b", None),
        ("", None),
        ("a@b", None),
        ("a:99999999", None),
    ],
)
def test_the_host_of_a_header(header: str, host: str | None) -> None:
    assert host_of(header) == host


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("192.168.1.5", True),
        ("192.168.1.6", False),
        ("board", True),
        ("board.local", True),
        ("board.evil.example", False),
        ("other.local", False),
        ("evil.example", False),
        ("0.0.0.0", False),
        ("games.example", True),
    ],
)
def test_its_own_names_and_addresses(monkeypatch: pytest.MonkeyPatch, host: str, own: bool) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Board.fritz.box")
    names = own_names(("Games.Example",))
    assert is_own(host, names, "192.168.1.5") is own
    assert is_own(host, names, "::ffff:192.168.1.5") is own


@pytest.mark.parametrize(
    "url", ["/", "/games", "/games/1", "/games/1/events", "/static/style.css", "/nowhere"]
)
def test_a_page_is_shown_under_its_own_name_alone(client: FlaskClient, game: OpenGame, url: str) -> None:
    response = client.get(url, headers={"Host": "rebound.example:8000"})
    assert response.status_code == 403
    assert "--name rebound.example" in said(response)
    with client.get(url, headers={"Host": "127.0.0.1:8000"}) as own:
        assert own.status_code != 403


def test_a_rebound_name_changes_nothing(client: FlaskClient, game: OpenGame) -> None:
    own = {"Host": "rebound.example", "Origin": "http://rebound.example"}
    assert client.post("/games/1/pass", data={"version": "1"}, headers=own).status_code == 403


@pytest.mark.parametrize("host", ["[::1", "a b", "a\tb", "@", "x" * 64, "x" * 300, "a..b"])
def test_a_host_that_is_none_is_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/games", headers={"Host": host}).status_code == 403


def test_a_name_that_was_given_is_known(tmp_path: Path, reader: ScriptedReader) -> None:
    app = create_app(config(tmp_path, reader, names=("club.example",)))
    try:
        answer = app.test_client().get("/games", headers={"Host": "club.example"})
        assert answer.status_code == 401, (
            "it is answered, with how to get in: the name is not this computer's own"
        )
        assert app.test_client().get("/join", headers={"Host": "club.example"}).status_code == 200
    finally:
        services_of(app).close()
