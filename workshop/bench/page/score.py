"""From the moment that a photograph is chosen on a phone to the moment that another browser shows what came of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2

from vision import load_image
from vision.geometry.rectify import resize
from workshop.bench.campaigns.served import Served
from workshop.bench.page.browser import browser

SIDE = 1920
"""Longest side of the photographs that are sent, px: smaller ones are enlarged to it. [by eye]"""
_CHOSEN = "document.addEventListener('change', () => (window.chosen = Date.now()), true);"
_SHOWN = """
  const seen = () => (window.shown = Date.now());
  for (const part of document.querySelectorAll("[data-part=players], [data-part=look]")) {
    new MutationObserver(seen).observe(part, { childList: true, subtree: true });
  }
"""
_WAIT_S = 60.0


def times(folder: Path, photographs: Sequence[Path]) -> list[float]:
    """Return the seconds for each photograph of a game on 8x8, from the first turn on.

    A question counts like a score, and is answered by its first choice.
    """
    with Served(folder / "data") as served:
        game = int(served.new_game()["id"])
        url = f"http://127.0.0.1:{served.port}/games/{game}"
        with browser("phone") as phone, browser("laptop") as other:
            phone.get(url)
            other.get(url)
            time.sleep(2.0)
            phone.execute_script(_CHOSEN)
            other.execute_script(_SHOWN)
            taken = []
            for path in _enlarge(photographs, folder):
                other.execute_script("window.shown = 0")
                phone.find_element("css selector", 'input[capture="environment"]').send_keys(str(path))
                end = time.monotonic() + _WAIT_S
                while not other.execute_script("return window.shown") and time.monotonic() < end:
                    time.sleep(0.05)
                shown = float(other.execute_script("return window.shown"))
                taken.append((shown - float(phone.execute_script("return window.chosen"))) / 1000)
                settle(served, game)
                time.sleep(1.0)
            return taken


def settle(served: Served, game: int) -> None:
    """Answer the waiting question with its first choice."""
    _, state = served.ask(f"/api/v1/games/{game}")
    if state["question"] is not None:
        sent = {"choice": 0} if state["question"]["choices"] else {"dismiss": True}
        served.ask(f"/api/v1/games/{game}/answer", {"version": state["version"], **sent})


def _enlarge(photographs: Sequence[Path], folder: Path) -> Iterator[Path]:
    for path in photographs:
        image, _ = load_image(path)
        image = resize(image, SIDE / max(image.shape[:2]))
        large = folder / path.name
        cv2.imwrite(str(large), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        yield large
