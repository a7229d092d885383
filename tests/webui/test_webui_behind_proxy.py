"""Behind a proxy that handles https: codes begin with https, cookies are secure, and only with --behind-proxy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from webkit import ScriptedReader, config, empty_position

from webui.access.invitations import Invitation
from webui.access.sessions import Role
from webui.app import create_app, services_of

NAME = "t17.hall.lan"
Make = Callable[[bool], Flask]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make an application, behind a proxy or not."""
    made: list[Flask] = []

    def app(behind_proxy: bool) -> Flask:
        reader = ScriptedReader(position=empty_position())
        made.append(create_app(config(tmp_path / "games", reader, names=(NAME,), behind_proxy=behind_proxy)))
        return made[-1]

    yield app
    for each in made:
        services_of(each).close()


def let_in(app: Flask, headers: dict[str, str]) -> str:
    """Let a device in through a proxy that sends these headers. Return the cookie that it is given."""
    code = services_of(app).gate.invitations.code(Invitation(Role.KEEPER))
    answer = app.test_client().get(f"/join/{code}", headers={"Host": NAME, **headers})
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith("/")
    return answer.headers["Set-Cookie"]


def codes(app: Flask, cookie: str, headers: dict[str, str]) -> set[str]:
    """Return the beginnings of the codes on *Phones and QR code*: all before the secret."""
    asked = {"Host": NAME, "Cookie": cookie.partition(";")[0], **headers}
    page = app.test_client(use_cookies=False).get("/devices", headers=asked).get_data(as_text=True)
    return set(re.findall(r"(\w+://[^/\s\"<]+)/join/", page))


@pytest.mark.parametrize(
    ("said", "scheme"),
    [
        ("https", "https"),
        ("HTTPS", "https"),
        ("http, https", "https"),  # the nearest proxy speaks last
        ("https,http", "http"),
        ("http", "http"),
        (None, "http"),
        ("", "http"),
        ("javascript", "http"),
        ("//[", "http"),
        ("https://evil.example/", "http"),
    ],
)
def test_codes_begin_as_the_proxy_says_that_people_come(make: Make, said: str | None, scheme: str) -> None:
    headers = {} if said is None else {"X-Forwarded-Proto": said}
    app = make(True)
    cookie = let_in(app, headers)
    assert codes(app, cookie, headers) == {f"{scheme}://{NAME}"}
    assert ("Secure" in cookie) is (scheme == "https")


def test_without_the_option_nobody_may_say_how_they_came(make: Make) -> None:
    app, headers = make(False), {"X-Forwarded-Proto": "https"}
    cookie = let_in(app, headers)
    assert codes(app, cookie, headers) == {f"http://{NAME}"}
    assert "Secure" not in cookie


def test_a_proxy_may_pass_the_port_of_https_on(make: Make) -> None:
    app = make(True)
    headers = {"Host": f"{NAME}:443", "X-Forwarded-Proto": "https", "Origin": f"https://{NAME}"}
    form = {"pin": services_of(app).gate.pin.digits, "name": "Anna"}
    answer = app.test_client().post("/join", data=form, headers=headers)
    assert answer.status_code in (302, 303)
    assert answer.headers["Set-Cookie"].startswith("upscore=")


@pytest.mark.parametrize("said", ["//[", "[", "javascript", "\x00", "é", "https" * 5000, "http://[::1"])
def test_nothing_that_a_stranger_says_there_fails(make: Make, said: str) -> None:
    client = make(True).test_client()
    for path in ("/", "/join", "/games/1/", "/nowhere"):
        answer = client.get(path, environ_overrides={"HTTP_X_FORWARDED_PROTO": said, "HTTP_HOST": NAME})
        assert answer.status_code in (200, 302, 401, 404), path
