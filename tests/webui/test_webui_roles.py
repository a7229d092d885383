"""Who may do what, held for every route: strangers nothing, viewers look, scorers change, keepers let others in."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from guestkit import SERVER, find_session, guest, stranger
from webkit import BY_SCRIPT, EXAMPLE, FORM, Site, picture, read_error, start_game, sure, text, upload

from webui.access.sessions import Role
from webui.services import Services
from webui.table.games import Games, OpenGame

OPEN = {"static", "devices.this_device", "devices.by_code", "devices.by_pin", "devices.choose_language"} | {
    f"offline.{name}" for name in ("manifest", "service_worker", "unreachable", "texts")
}
"""What anybody may ask for: how to get in, and what the page is made of."""
OWN = {"devices.rename", "devices.leave", "devices.ask_for_seat"}
"""What each device may change of itself."""
FORMS = {
    "pages.new_game",
    "pages.enter",
    "pages.correct",
    "pages.finish",
    "starting.start_again",
    "files.choose",
    "files.ask_to_delete",
    "files.report",
    "cameras.grid",
    "cameras.flat",
    "devices.table",
}
"""What is only looked at in order to change something."""
KEEPERS = {
    "devices.house",
    "devices.events",
    "devices.give_role",
    "devices.end",
    "devices.renew",
    "files.backup",
    "files.ask_to_thin",
    "files.thin",
    "files.ask_to_forget",
    "files.forget",
}
VALUES = {
    "game_id": "1",
    "place": "1",
    "code": "v-0123456789abcdef",
    "key": "k",
    "digest": "0",
    "kind": "photo",
    "side": "480",
    "action": "start",
    "ending": "csv",
    "session_id": "x",
    "filename": "style.css",
    "word": "cater",
    "way": "insert",
}


def routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Every endpoint with an address of it and a method."""
    for rule in app.url_map.iter_rules():
        url = rule.rule
        for name in rule.arguments:
            kinds = (f"<int:{name}>", f"<path:{name}>", f"<any(correct, insert):{name}>", f"<{name}>")
            url = next(url.replace(kind, VALUES[name]) for kind in kinds if kind in url)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield rule.endpoint, url, method


def test_a_stranger_is_refused_everything_but_how_to_get_in(site: Site) -> None:
    asked = list(routes(site.app))
    assert len(asked) > 60
    for endpoint, url, method in asked:
        with stranger(site.app).open(url, method=method) as answer:
            assert (answer.status_code == 401) is (endpoint not in OPEN), (method, url)
    assert len(stranger(site.app).get("/games/1").get_data()) < 10_000
    assert text(stranger(site.app).get("/nowhere/at/all")) != ""
    assert stranger(site.app).get("/nowhere").status_code == 401


def test_a_viewer_is_refused_every_change(site: Site) -> None:
    refused = set()
    for endpoint, url, method in routes(site.app):
        with guest(site.app, Role.VIEWER).open(url, method=method) as answer:
            if answer.status_code == 403 and endpoint not in OPEN:
                refused.add(endpoint)
            changes = method != "GET" and endpoint not in OPEN | OWN
            assert answer.status_code == 403 or not changes, (method, url)
    reading = {endpoint for endpoint, _, method in routes(site.app) if method == "GET"}
    assert refused & reading == FORMS | KEEPERS & reading
    assert site.now().row.version == site.game.row.version


def test_a_scorer_of_one_table_changes_no_other(site: Site) -> None:
    other = start_game(site.services, "Cleo", "Dan")
    for endpoint, url, method in routes(site.app):
        if ("game_id" not in url and "/games/1" not in url) or endpoint in KEEPERS:
            continue
        with guest(site.app, Role.SCORER, (other.row.id,)).open(url, method=method) as answer:
            changes = (method != "GET" or endpoint in FORMS) and endpoint not in OWN
            assert (answer.status_code == 403) is changes, (method, url)
    own = guest(site.app, Role.SCORER, (other.row.id,))
    assert own.post(f"/games/{other.row.id}/pass", data={"version": "1"}).status_code == 303
    assert "another table" in read_error(own.post("/games/1/pass", data={"version": "1"}))
    assert own.post("/demo/start").status_code == 403


def test_what_only_a_keeper_may(site: Site) -> None:
    for endpoint, url, method in routes(site.app):
        if endpoint in KEEPERS:
            with guest(site.app, Role.SCORER).open(url, method=method) as answer:
                assert answer.status_code == 403, (method, url)
    keeper = guest(site.app, Role.KEEPER)
    assert 'href="/devices"' in text(keeper.get("/join"))
    assert keeper.get("/devices").status_code == 200
    assert keeper.get("/pictures/thin").status_code == 200


def test_a_scorer_of_all_changes_every_game(site: Site) -> None:
    scorer = guest(site.app, Role.SCORER)
    assert upload(scorer, "/games/1/photo", b"no picture").status_code == 400
    assert scorer.post("/games/1/pass", data={"version": "1"}).status_code == 303
    assert scorer.post("/games", data=FORM).status_code == 303
    assert len(site.services.store.games()) == 2


def test_who_begins_a_game_keeps_its_score(site: Site) -> None:
    scorer = guest(site.app, Role.SCORER, (1,))
    first = scorer.post("/games", data=FORM).headers["Location"]
    called = {"edition": "8x8", "players": ["Red", "Blue"]}
    second = scorer.post("/api/v1/games", json=called).get_json()["id"]
    log = io.BytesIO(scorer.get("/games/1/export.json").get_data())
    third = scorer.post("/import", data={"game": (log, "game.json")}).headers["Location"]
    for url in (first, f"/games/{second}", third):
        game_id = int(url.rpartition("/")[2])
        now = str(site.services.games.open(game_id).row.version)
        assert scorer.post(f"{url}/pass", data={"version": now}).status_code == 303
        assert guest(site.app, Role.SCORER, (1,)).post(f"{url}/pass", data={"version": now}).status_code == 403


def interrupt_beginning(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Something happens while a request begins a game."""
    start = Games.start

    def begin(games: Games, **given: Any) -> OpenGame:
        happens()
        return start(games, **given)

    monkeypatch.setattr(Games, "start", begin)


CALLED = {"edition": "8x8", "players": ["Red", "Blue"]}


def test_who_begins_two_games_at_once_keeps_the_score_of_both(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    token, _ = site.services.gate.sessions.begin("Phone", Role.SCORER, (1,))
    interrupt_beginning(monkeypatch, Barrier(2, timeout=20).wait)

    def begin(_: int) -> int:
        tab = stranger(site.app)
        tab.set_cookie("upscore-8000", token, domain=SERVER)
        return int(tab.post("/api/v1/games", json=CALLED).get_json()["id"])

    with ThreadPoolExecutor(2) as both:
        begun = list(both.map(begin, range(2)))
    assert find_session(site.app, "Phone").games == (1, *sorted(begun))


def test_a_device_whose_right_is_taken_while_it_begins_a_game_does_not_get_it_back(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = guest(site.app, Role.SCORER, (1,))
    device = find_session(site.app, "Phone").id
    interrupt_beginning(monkeypatch, lambda: site.services.gate.sessions.grant(device, Role.VIEWER, None))
    assert scorer.post("/api/v1/games", json=CALLED).status_code == 201
    assert (find_session(site.app, "Phone").role, find_session(site.app, "Phone").games) == (Role.VIEWER, None)
    site.services.gate.sessions.grant(device, Role.SCORER, (1,))
    monkeypatch.undo()
    interrupt_beginning(monkeypatch, lambda: site.services.gate.sessions.end(device))
    assert scorer.post("/api/v1/games", json=CALLED).status_code == 201
    assert site.services.gate.sessions.all() == ()


def test_what_a_device_is_given_comes_to_what_it_has_by_then(services: Services) -> None:
    sessions = services.gate.sessions
    _, device = sessions.begin("Phone", Role.VIEWER)
    assert sessions.admit(device.id, Role.SCORER, 3).games == (3,)
    assert sessions.admit(device.id, Role.SCORER, 2).games == (2, 3)
    assert sessions.admit(device.id, Role.VIEWER, None).games == (2, 3)
    assert sessions.admit(device.id, Role.SCORER, None).games is None
    assert sessions.admit(device.id, Role.SCORER, 2).games is None
    sessions.grant(device.id, Role.KEEPER, None)
    assert sessions.admit(device.id, Role.SCORER, 2).role == Role.KEEPER


@pytest.mark.parametrize("role", [None, Role.VIEWER])
def test_programs_are_told_in_json(site: Site, role: Role | None) -> None:
    phone = stranger(site.app) if role is None else guest(site.app, role)
    answer = phone.post("/api/v1/games/1/undo", json={"version": 1})
    assert answer.status_code == (401 if role is None else 403)
    assert list(answer.get_json()) == ["error"]
    assert "\n" not in answer.get_json()["error"]
    by_script = phone.post("/games/1/pass", headers=BY_SCRIPT)
    assert list(by_script.get_json()) == ["error"]


CONTROLS = {
    "/games/1": {"photo", "play", "pass", "exchange", "end", "undo", "challenge", "new"},
    "/games/1/parts": {"photo", "play", "pass", "exchange", "end", "undo", "challenge"},
    "/games/1/turns/1": {"challenge", "correct", "insert", "player", "new"},
    "/games/1/keep": {"rename", "new"},
    "/games": {"delete", "new", "import"},
}
"""What each page offers a scorekeeper, by the last part of the address that it leads to."""


def changes(page: str) -> list[str]:
    """The addresses to which a page sends changes, besides those of the device itself."""
    sent = re.findall(r'method="post" action="([^"]*)"', page.replace("\\", ""))
    return [url for url in sent if not url.endswith("/seat")]


def controls(page: str) -> set[str]:
    """What a page offers to change the game, or to go where that is done."""
    leads_to = re.findall(r'(?:action|href)="(/[^"?#]*)', page.replace("\\", ""))
    return {url.rpartition("/")[2] for url in leads_to} & set().union(*CONTROLS.values())


@pytest.mark.parametrize("url", CONTROLS)
def test_a_viewer_sees_the_game_and_no_button_to_change_it(site: Site, url: str) -> None:
    site.enter(EXAMPLE[0])
    scored, viewed = (text(guest(site.app, role).get(url)) for role in (Role.SCORER, Role.VIEWER))
    assert controls(scored) == CONTROLS[url]
    assert controls(viewed) == set()
    assert changes(viewed) == []
    assert ("MOOD" in viewed) == ("MOOD" in scored)


def test_each_device_is_told_what_it_may_do(site: Site) -> None:
    assert "Only watches: Phone" in text(guest(site.app, Role.VIEWER).get("/games/1"))
    assert "Keeps the score: Phone" in text(guest(site.app, Role.SCORER).get("/games/1"))


@pytest.mark.parametrize(
    ("address", "headers", "full"),
    [
        ("127.0.0.1", {}, True),
        ("127.0.0.1", {"Host": "127.0.0.1:8000"}, True),
        ("::1", {"Host": "[::1]:8000"}, True),
        ("::ffff:127.0.0.1", {"Host": "localhost:8000"}, True),
        ("127.0.0.1", {"Host": f"{SERVER}:8000"}, False),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, False),
        ("127.0.0.1", {"X-Forwarded": "for=203.0.113.9"}, False),
        ("127.0.0.1", {"X-Forwarded-Proto": "https"}, False),
        ("127.0.0.1", {"X-Forwarded-Port": "443"}, False),
        ("127.0.0.1", {"X-Forwarded-Server": "proxy"}, False),
        ("127.0.0.1", {"x-real-ip": "203.0.113.9"}, False),
        ("127.0.0.1", {"Via": "1.1 proxy"}, False),
        ("192.168.1.77", {"Host": "127.0.0.1:8000"}, False),
        ("192.168.1.77", {"X-Forwarded-For": "127.0.0.1"}, False),
        ("", {}, False),
    ],
)
def test_the_computer_itself_is_known_by_its_loopback_address(
    site: Site, address: str, headers: dict[str, str], full: bool
) -> None:
    at = {"REMOTE_ADDR": address, "upscore.own_address": SERVER}
    answer = site.client.get("/games/1", headers=headers, environ_overrides=at)
    assert answer.status_code == (200 if full else 401)


def test_behind_a_proxy_nobody_is_at_the_computer(site: Site) -> None:
    site.services.gate.behind_proxy = True
    assert site.client.get("/games/1").status_code == 401
    assert site.client.get("/backup").status_code == 401
    assert guest(site.app, Role.KEEPER).get("/devices").status_code == 200


def test_what_is_private_is_for_one_browser_alone(site: Site) -> None:
    viewer = guest(site.app, Role.VIEWER)
    key = site.services.shelf.keep(picture())
    for url in ("/games/1", "/games/1/parts", "/api/v1/games", f"/pictures/{key}-photo.jpg"):
        with viewer.get(url) as answer:
            assert answer.status_code == 200
            assert "public" not in answer.headers["Cache-Control"]
            assert any(word in answer.headers["Cache-Control"] for word in ("private", "no-store"))
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def crawl(phone: FlaskClient) -> dict[str, str]:
    """Every page that links lead to from the list of games, by its path."""
    pages: dict[str, str] = {}
    waiting = ["/games"]
    while waiting:
        url = waiting.pop()
        if url in pages:
            continue
        with phone.get(url) as answer:
            assert answer.status_code in (200, 302), (url, answer.status_code)
            pages[url] = answer.get_data(as_text=True) if answer.mimetype == "text/html" else ""
        waiting += re.findall(r'href="(/[^"#?]*)', pages[url])
    return pages


@pytest.mark.slow
def test_no_link_leads_a_viewer_to_what_is_refused(site: Site) -> None:
    site.take(sure(EXAMPLE[0]), sure("X@a1"), source="camera")
    site.submit("turns/2/challenge", ruling="stands")
    other = start_game(site.services, "Cleo", "Dan")
    site.services.games.change(other, lambda each: each.end("agreed", (1, 2)), version=1)
    site.reader.say([sure(EXAMPLE[0])] * 2)  # a report reads the photograph of its turn again
    viewer, scorer = crawl(guest(site.app, Role.VIEWER)), crawl(guest(site.app, Role.SCORER, (1,)))
    assert {"/games/1", f"/games/{other.row.id}", "/games/1/turns/2/challenge", "/games/1/charts"} <= set(viewer)
    assert [url for url, page in viewer.items() if changes(page) and url != "/join"] == []
    assert "/games/1/turns/1/correct" in scorer
    foreign = [url for url in scorer if f"{url}/".startswith(f"/games/{other.row.id}/")]
    assert len(foreign) > 5
    assert [url for url in foreign if changes(scorer[url])] == []
