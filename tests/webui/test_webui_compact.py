"""Little is sent: text is compressed for those who take it so, and what never changes is asked for once."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from flask import Flask
from webkit import EXAMPLE, Site, picture, sure, text

from engine import parse_play
from webui.routes.static_files import static_path

TAKEN = {"Accept-Encoding": "gzip"}


def test_pages_are_compressed_for_those_who_take_them_so(site: Site) -> None:
    for url in ("/games/1", "/games/1/parts", "/new", "/api/v1/openapi.json", f"{static_path()}/style.css"):
        with site.client.get(url) as plain, site.client.get(url, headers=TAKEN) as compressed:
            assert "Content-Encoding" not in plain.headers
            assert compressed.headers["Content-Encoding"] == "gzip"
            assert "Accept-Encoding" in compressed.headers["Vary"]
            assert gzip.decompress(compressed.data) == plain.data
            assert len(compressed.data) < len(plain.data) / 2
            assert compressed.content_length == len(compressed.data)


def test_what_is_small_no_text_or_without_an_end_is_left_as_it_is(site: Site) -> None:
    site.take(sure(EXAMPLE[0]), image=picture(480, 640))
    key = site.services.photos(site.now())[1].key
    for url in (f"/pictures/{key}-photo.jpg", f"/pictures/{key}-photo-480.webp", "/manifest.webmanifest"):
        with site.client.get(url, headers=TAKEN) as answer:
            assert "Content-Encoding" not in answer.headers, url
    with site.client.get("/games/1/events", headers=TAKEN, buffered=False) as stream:
        assert "Content-Encoding" not in stream.headers
        assert b"retry" in next(iter(stream.response))


def test_static_files_are_kept_for_as_long_as_nothing_changes(site: Site) -> None:
    urls = re.findall(r'(?:href|src)="(/static/[^"]+)"', text(site.client.get("/games/1")))
    assert len(urls) > 7
    for url in urls:
        assert url.startswith(f"{static_path()}/")
        with site.client.get(url) as answer:
            assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    with site.client.get("/static/style.css") as by_name:
        assert "max-age=31536000" not in by_name.headers["Cache-Control"]
    with site.client.get(f"{static_path()}/nothing.css") as missing:
        assert missing.status_code == 404
        assert "immutable" not in missing.headers.get("Cache-Control", "")


def test_pages_are_still_played_on(site: Site) -> None:
    site.services.intake.enter(site.now(), parse_play(EXAMPLE[0]), site.game.row.version)
    with site.client.get("/games/1/parts", headers=TAKEN) as answer:
        assert b"MOOD" in gzip.decompress(answer.data)


def test_every_drawing_that_each_page_carries_is_shown_somewhere(app: Flask) -> None:
    folder = Path(app.root_path) / "templates"
    drawn = re.findall(r'<symbol id="(\w+)"', (folder / "_icons.svg").read_text(encoding="utf-8"))
    pages = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.html"))
    assert [name for name in drawn if not re.search(rf"""[#'"]{name}['"]""", pages)] == []
