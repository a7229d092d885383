"""Measures the page and prints its tables: `python -m workshop.bench.page [--short]`; it needs chromium and
chromedriver.

The long form takes some five minutes on two cores that do nothing else.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

from workshop.bench.campaigns.photographs import send_photograph
from workshop.bench.campaigns.served import ROOT, Served, percentile
from workshop.bench.campaigns.viewers import viewers
from workshop.bench.data.program import say
from workshop.bench.page.browser import browser, is_there
from workshop.bench.page.loading import COMMON, PAGES, measure_page
from workshop.bench.page.score import settle, times

SAMPLE = ROOT / "sample_images" / "classic_8x8"
TURNS = 6
"""Turns of the game whose pages are looked at."""


def main() -> int:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m workshop.bench.page")
    parser.add_argument("--short", action="store_true")
    short = parser.parse_args().short
    if not is_there():
        parser.error("it needs chromium and chromedriver")
    with tempfile.TemporaryDirectory(prefix="upscore-page-") as name:
        folder = Path(name)
        _pages(folder / "pages", 3 if short else 15)
        _score(folder, 3 if short else None)
        print(viewers(folder / "viewers", each=50, tables=1, seconds=5.0 if short else 60.0))
    return 0


def _pages(data: Path, often: int) -> None:
    print(
        "| page | screen | kB sent, without photographs | kB of photographs | first paint, ms |\n|---|---|---|---|---|"
    )
    with Served(data) as served:
        game = int(served.new_game()["id"])
        for path in sorted(SAMPLE.glob("*.jpg"))[1 : 1 + TURNS]:
            send_photograph(served, game, path, path.stem.ljust(8, "0"))
            settle(served, game)
        address = f"http://127.0.0.1:{served.port}"
        for screen in ("phone", "laptop"):
            with browser(screen) as driver:
                for page in (*PAGES, *COMMON):
                    under = address if page in COMMON else f"{address}/games/{game}"
                    loaded = measure_page(driver, under, page, often)
                    weights = f"{loaded.plain / 1000:.0f} | {loaded.photographs / 1000:.0f}"
                    print(f"| {loaded.page} | {screen} | {weights} | {loaded.paint_ms:.0f} |", flush=True)


def _score(folder: Path, most: int | None) -> None:
    say("photographs of a game, from one browser to the other")
    taken = times(folder, sorted(SAMPLE.glob("*.jpg"))[1:][:most])
    print(
        f"photograph chosen to score on another browser: {len(taken)} turns, median {median(taken):.2f} s, "
        f"90 % within {percentile(taken, 0.9):.2f} s, slowest {max(taken):.2f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
