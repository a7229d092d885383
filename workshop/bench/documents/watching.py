"""The contact sheet docs/watching.png: a film through the page, up to a question that a later look settles.

    python -m workshop.bench.documents.watching FILM

FILM is NAME.mp4 with NAME.json, which tells its `edition`. In it a word is taken back and laid again. Nobody answers.
It needs Chromium and its driver, and a computer that isn't busy: otherwise no provisional score comes in time.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from selenium.webdriver import Chrome

from workshop.bench.campaigns.served import Served
from workshop.bench.data.program import say
from workshop.bench.page.browser import browser, is_there
from workshop.bench.record import ROOT

SHEET = ROOT / "docs" / "watching.png"
_COLOURS = 128
"""Colours of the sheet: photographs make a picture with all of them too large to keep. [by eye]"""
_LOOK_S, _GLIDE_S, _GOES_ON_S = 0.1, 0.5, 6.0
"""Seconds between two looks at the page, that it takes to glide into place, and after which, with a question waiting,
the next play is under way. [by eye]"""
_SHOWN = """
  const state = document.querySelector("[data-state]");
  return [state ? state.dataset.state : "", Boolean(document.querySelector(".score.provisional"))];
"""
_STYLE = """
  body { margin: 0; background: #fff; font: 15px sans-serif; }
  main { display: grid; grid-template-columns: repeat(3, 270px); gap: 14px; padding: 12px; width: max-content; }
  figure { margin: 0; }
  figcaption { padding: 0 0 6px; height: 18px; }
  img { display: block; width: 270px; }
  .page { height: 300px; object-fit: cover; object-position: top; border: 1px solid #bbb; box-sizing: border-box; }
"""


@dataclass(frozen=True)
class Shown:
    """What the page shows: the kind of its state, for how many seconds, and whether its score is provisional."""

    kind: str
    since: float
    provisional: bool


@dataclass(frozen=True)
class Moment:
    """A moment in a film: its caption, and a test whether it has come."""

    caption: str
    has_come: Callable[[Shown], bool]


MOMENTS = (
    Moment("watching", lambda shown: shown.kind == "live"),
    Moment("a hand over the board", lambda shown: shown.kind == "hand"),
    Moment("a provisional score, in grey", lambda shown: shown.provisional),
    Moment("a question is raised", lambda shown: shown.kind == "question"),
    Moment("play goes on", lambda shown: shown.kind == "question" and shown.since >= _GOES_ON_S),
    Moment("a later look has settled it", lambda shown: shown.kind in ("live", "hand", "reading")),
)


def main() -> int:
    """Write the sheet."""
    parser = argparse.ArgumentParser(prog="python -m workshop.bench.documents.watching")
    parser.add_argument("film", type=Path, metavar="FILM")
    film = parser.parse_args().film
    if not is_there():
        parser.error("it needs chromium and chromedriver")
    size = json.loads(film.with_suffix(".json").read_text(encoding="utf-8"))["edition"]
    camera = ("--camera", str(film))
    with tempfile.TemporaryDirectory(prefix="upscore-watching-") as folder:
        with Served(Path(folder), *camera) as served, browser("phone") as phone:
            _, state = served.ask("/api/v1/games", {"edition": f"{size}x{size}", "players": ["Ann", "Ben"]})
            game = f"http://127.0.0.1:{served.port}/games/{state['id']}"
            phone.get(game)
            served.ask(f"/games/{state['id']}/follow", b"on=1")
            figures = list(_figures(phone, game))
        page = Path(folder) / "sheet.html"
        page.write_text(f"<style>{_STYLE}</style><main>{''.join(figures)}</main>", encoding="utf-8")
        with browser("tour") as chromium:
            chromium.get(page.as_uri())
            sheet = chromium.find_element("css selector", "main").screenshot_as_png
    Image.open(io.BytesIO(sheet)).convert("RGB").quantize(_COLOURS).save(SHEET, optimize=True)
    say(f"{SHEET}: {SHEET.stat().st_size // 1000} kB")
    return 0


def _figures(phone: Chrome, game: str) -> Iterator[str]:
    """Yield the HTML of each moment as it comes: the camera's picture, and the page."""
    began = changed = time.monotonic()
    kind = ""
    for number, moment in enumerate(MOMENTS, 1):
        while True:
            time.sleep(_LOOK_S)
            now, (shown, provisional) = time.monotonic(), phone.execute_script(_SHOWN)
            if shown != kind:
                kind, changed = shown, now
            if moment.has_come(Shown(kind, now - changed, provisional)):
                break
            if kind == "ended":
                raise RuntimeError(f"the film has ended before this came: {moment.caption}")
        say(f"{now - began:.0f} s: {moment.caption}")
        with urllib.request.urlopen(f"{game}/camera.jpg", timeout=30) as answer:
            seen = answer.read()
        phone.execute_script("scrollTo({ top: 0, behavior: 'instant' })")
        time.sleep(_GLIDE_S)
        page = phone.get_screenshot_as_png()
        caption = f"<figcaption>{number}. {now - began:.0f} s: {moment.caption}</figcaption>"
        yield f"<figure>{caption}{_image(seen, 'jpeg')}{_image(page, 'png', 'page')}</figure>"


def _image(data: bytes, kind: str, name: str = "") -> str:
    return f'<img class="{name}" src="data:image/{kind};base64,{base64.b64encode(data).decode()}">'


if __name__ == "__main__":
    sys.exit(main())
