"""What is refused, escaped, forbidden or not there."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image as PillowImage
from webkit import BY_SCRIPT, EXAMPLE, FORM, Site, doubt, picture, read_error, text, version

from webui.app import services_of
from webui.security import is_own_path
from webui.storage.store import Store

ROOT = Path(__file__).parents[2]


def test_what_people_type_is_shown_as_they_typed_it(client: FlaskClient) -> None:
    nasty = '<script>alert("x")</script>'
    client.post("/games", data={**FORM, "player0": nasty})
    for url in ("/games/1", "/games", "/games/1/end", "/games/1/play", f"/words?word={nasty}"):
        page = text(client.get(url))
        assert "alert" in page
        assert "<script>alert" not in page
    assert "<script>alert" not in client.get("/games/1/parts").get_json()["parts"]["players"]["html"]


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"Origin": "http://localhost"}, True),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Origin": "http://evil.example"}, False),
        ({"Origin": "http://localhost:9"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "http://[::1"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
    ],
)
def test_other_sites_pages_can_change_nothing(site: Site, headers: dict[str, str], allowed: bool) -> None:
    response = site.client.post("/games/1/pass", data={"version": version(site.services, site.game)}, headers=headers)
    assert response.status_code == (303 if allowed else 403)
    assert len(site.now().game.turns) == int(allowed)


@pytest.mark.parametrize(
    ("path", "own"),
    [
        *(("/", True), ("/games", True), ("/games/", True), ("/games/1/turns/2", True), ("/a.b-c_d/", True)),
        *(("", False), ("games", False), ("//evil.example", False), ("/games//1", False), ("/\\evil", False)),
        *(("/games?x", False), ("/a b", False), ("/é", False), ("/games\n", False)),
    ],
)
def test_only_paths_below_this_server_are_its_own(path: str, own: bool) -> None:
    assert is_own_path(path) is own


def test_a_long_path_that_is_none_is_refused_and_holds_nobody_up() -> None:
    asked = "from webui.security import is_own_path; print(is_own_path('/' + 'a' * 5000 + '!'))"
    # in a process of its own: an expression that tries all ways to read the path never returns and can't be interrupted
    answer = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert answer.stdout == "False\n"


def test_every_answer_forbids_what_the_pages_do_not_need(site: Site) -> None:
    for url in ("/games/1", "/static/style.css", "/nowhere"):
        with site.client.get(url) as response:
            assert "default-src 'none'" in response.headers["Content-Security-Policy"]
            assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_no_page_asks_for_anything_from_elsewhere(site: Site) -> None:
    urls = ["/games/1", "/new", "/games", "/words", "/games/1/play", "/games/1/end"]
    urls += [
        f"/static/{name}"
        for name in (
            "style.css",
            "board.css",
            "game.css",
            "game.js",
            "forms.js",
            "editor.js",
            "sending.js",
            "offline.js",
        )
    ]
    urls += ["/unreachable", "/service-worker.js", "/manifest.webmanifest", "/static/unreachable.js"]
    for url in urls:
        found = re.findall(r"(?:https?:)?//[\w.]+\.\w+|@import|url\((?!['\"]?#)", text(site.client.get(url)))
        assert found == [], url


def test_no_style_or_script_is_written_into_a_page(site: Site) -> None:
    for url in ("/games/1", "/new", "/games", "/words", "/games/1/play", "/games/1/end"):
        assert not re.search(r'style="|<style|onclick=|<script(?![^>]* src=)', text(site.client.get(url))), url


@pytest.mark.parametrize(
    "url", ["/games/77", "/games/77/parts", "/games/77/events", f"/games/{10**30}", "/nowhere", "/pictures/x-y.jpg"]
)
def test_what_is_not_there(client: FlaskClient, url: str) -> None:
    response = client.get(url)
    assert response.status_code == 404
    assert read_error(response)
    as_json = client.get(url, headers=BY_SCRIPT)
    assert as_json.get_json()["error"]


def test_the_event_stream(site: Site) -> None:
    response = site.client.get("/games/1/events")
    assert response.mimetype == "text/event-stream"
    chunks = response.iter_encoded()
    assert next(chunks) == b"retry: 2000\n\n"
    assert b"event: change" in next(chunks)
    response.close()
    assert services_of(site.app).announcer.streams == 0


def test_only_the_parts_that_changed_have_another_digest(site: Site) -> None:
    before = site.client.get("/games/1/parts").get_json()["parts"]
    assert site.client.get("/games/1/parts").get_json()["parts"] == before
    site.enter(EXAMPLE[0])
    after = site.client.get("/games/1/parts").get_json()["parts"]
    changed = {name for name in after if after[name]["digest"] != before[name]["digest"]}
    assert changed == {"players", "board", "actions", "open", "sheet", "tiles"}
    assert 'class="squares n8"' in after["board"]["html"]


def postscript() -> bytes:
    """A picture in PostScript, which is a program for Ghostscript."""
    data = io.BytesIO()
    PillowImage.new("RGB", (200, 150)).save(data, "EPS")
    return data.getvalue()


@pytest.mark.parametrize(
    "data", [postscript(), b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(64)], ids=["PostScript", "AVIF"]
)
@pytest.mark.parametrize("url", ["/games/1/photo", "/games"])
def test_an_upload_of_another_format_is_refused_in_a_line_and_starts_no_program(
    site: Site, monkeypatch: pytest.MonkeyPatch, url: str, data: bytes
) -> None:
    site.services.decoder.start()
    started = []

    def start(*args: object, **_: object) -> None:
        started.append(args)
        raise OSError("watched")

    monkeypatch.setattr(subprocess, "Popen", start)
    response = site.upload(url, data, "a.jpg", **FORM)
    assert response.status_code == 400
    assert "Use one of these kinds: JPEG, HEIC, PNG" in text(response)
    assert started == []


@pytest.mark.parametrize("choice", ["", "x", "-1", "²", "1000"])
def test_an_answer_that_is_no_number_is_refused(site: Site, choice: str) -> None:
    site.photograph(doubt(EXAMPLE[0]))
    response = site.submit("answer", choice=choice)
    assert response.status_code == 400
    assert "Which answer was meant?" in read_error(response)


def test_the_way_back_from_an_error_leads_to_this_server_only(site: Site) -> None:
    own = site.client.post("/games/1/pass", headers={"Referer": "http://localhost/games/1?x=1"})
    assert 'href="/games/1?x=1"' in text(own)
    foreign = site.client.post("/games/1/pass", headers={"Referer": "http://evil.example/games/1"})
    assert "evil" not in text(foreign)


@pytest.mark.parametrize(
    "referer",
    [
        "http://localhost//evil.example/games",
        "http://localhost/\\evil.example",
        "http://[::1",
        "http://localhost/x%0d%0a",
    ],
)
def test_the_way_back_is_a_path_of_this_server(site: Site, referer: str) -> None:
    answer = site.client.post("/games/1/pass", headers={"Referer": referer})
    assert answer.status_code == 409
    assert '<a class="button" href="/">Back</a>' in text(answer)


@pytest.mark.parametrize(
    ("fields", "status"),
    [({"tiles": "x" * 600_000}, 413), ({f"f{at}": "1" for at in range(1100)}, 413), ({"tiles": "x"}, 400)],
)
def test_a_form_larger_than_any_of_the_pages_is_refused_at_once(
    site: Site, fields: dict[str, str], status: int
) -> None:
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in {"version": "1", **fields}.items()
    ]
    body = ("".join(parts) + "--b--\r\n").encode()
    response = site.client.post("/games/1/play", data=body, content_type="multipart/form-data; boundary=b")
    assert response.status_code == status
    assert read_error(response)


def test_pictures_of_a_home_are_for_the_one_who_asked_alone(site: Site) -> None:
    key = site.services.shelf.keep(picture())
    with site.client.get(f"/pictures/{key}-photo.jpg") as response:
        assert set(response.headers["Cache-Control"].split(", ")) == {"max-age=31536000", "private"}
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_the_address_of_a_game_cannot_be_guessed(tmp_path: Path) -> None:
    numbers = set()
    store = Store(tmp_path)
    for _ in range(50):
        row = store.add_game(title="", summary="", log="{}", lexicon="standard", demo=False)
        numbers.add(row.id)
    store.close()
    assert len(numbers) == 50
    assert min(numbers) > 10**12
    assert max(numbers) < 2**53, "a number that JavaScript has"
    assert len({number % 1000 for number in numbers}) > 25


def test_what_the_computer_refuses_is_one_line(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, status in ((28, 507), (30, 503), (5, 503)):

        def refuse(*_: object, number: int = number) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(Store, "games", refuse)
        response = client.get("/games")
        assert response.status_code == status
        assert "\n" not in read_error(response)
