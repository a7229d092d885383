"""How soon the page is there, how quick it is, what it holds, and how that grows.

A server of its own over a folder of its own, asked as browsers ask, one after another; quantities are medians unless
they say otherwise.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from workshop.bench.campaigns.hostile import hostile_uploads
from workshop.bench.campaigns.photographs import of_phone_size
from workshop.bench.campaigns.served import ROOT, Served, percentile
from workshop.bench.campaigns.viewers import Watched, watch_tables
from workshop.bench.data.program import say
from workshop.bench.record import Figures

STARTS = 7
LENGTHS = (10, 60, 200, 660)
"""Entries of a game: 60 are a long one, 660 more than anybody plays."""
CROWDS = ((1, 1), (10, 1), (50, 1), (200, 1), (50, 4))
"""Viewers of a table, and tables."""
PHOTOGRAPHS = 50
_ASKED = 15
_WATCHED_S = 8.0


def time_serving(_: Path) -> Figures:
    """Return start-up, latency by length of game and by viewers, and memory."""
    with tempfile.TemporaryDirectory(prefix="upscore-bench-") as folder:
        at = Path(folder)
        say("  starting")
        figures: Figures = {"start": _time_start(at / "start")}
        say("  asking for pages")
        figures["lengths"], held = _by_length(at / "lengths")
        say("  watching")
        figures["viewers"] = {
            f"{each} x {tables}": _time_watched(at / f"{each}-{tables}", each, tables) for each, tables in CROWDS
        }
        say("  sending hostile pictures")
        hostile = hostile_uploads(at / "hostile", times=2).figures
        figures["memory"] = {**held, "loaded MB": hostile["idle MB"], "upload MB": hostile["above idle MB"]}
        say("  sending photographs of 12 megapixels")
        figures["memory"]["photographs MB"] = of_phone_size(at / "photographs", PHOTOGRAPHS).figures["MB"]
    return figures


def _time_start(folder: Path) -> Figures:
    """Return seconds from the command to the line with the address, and to the first page of a game."""
    with Served(folder) as served:
        game = served.new_game()["id"]
    lines, pages = [], []
    for _ in range(STARTS):
        with Served(folder) as served:
            lines.append(time.monotonic() - served.started)
            served.ask(f"/games/{game}")
            pages.append(time.monotonic() - served.started)
    call = [sys.executable, "-m", "upscore.cli", "--help"]
    seconds = [_seconds(lambda: subprocess.run(call, cwd=ROOT, check=True)) for _ in range(STARTS)]
    return {
        "address s": statistics.median(lines),
        "page s": statistics.median(pages),
        "page, quickest s": min(pages),
        "help s": statistics.median(seconds),
    }


def _by_length(folder: Path) -> tuple[Figures, Figures]:
    """Return milliseconds of a page, its changes, a state and an entry, and megabytes held, by length of game."""
    found: Figures = {}
    with Served(folder) as served:
        state = served.new_game()
        held: Figures = {"start MB": served.memory()}
        number, version = int(state["id"]), int(state["version"])
        for length in LENGTHS:
            while len(state["turns"]) < length:
                _, state = served.turn(number, version)
                version = int(state["version"])
            found[str(length)] = {name: _time_answer(served, path) for name, path in _paths(number).items()}
            entered = []
            for _ in range(_ASKED):
                began = time.monotonic()
                _, state = served.turn(number, version)
                entered.append(time.monotonic() - began)
                version = int(state["version"])
            found[str(length)]["entry ms"] = 1000 * statistics.median(entered)
        held["played MB"] = served.memory()
    return found, held


def _time_answer(served: Served, path: str) -> float:
    """Return the median milliseconds of an answer."""
    return 1000 * statistics.median(_seconds(lambda: served.ask(path)) for _ in range(_ASKED))


def _paths(number: int) -> dict[str, str]:
    return {"page ms": f"/games/{number}", "parts ms": f"/games/{number}/parts", "state ms": f"/api/v1/games/{number}"}


def _time_watched(folder: Path, each: int, tables: int) -> Figures:
    found: Watched = watch_tables(folder, each=each, tables=tables, seconds=_WATCHED_S)
    return {
        "entries": found.events,
        "missed": found.missed,
        "event median ms": 1000 * percentile(found.delays, 0.5),
        "event p99 ms": 1000 * percentile(found.delays, 0.99),
        "page median ms": 1000 * percentile(found.pages, 0.5),
        "page p99 ms": 1000 * percentile(found.pages, 0.99),
        "MB": found.memory[1],
    }


def _seconds(act: Callable[[], object]) -> float:
    began = time.monotonic()
    act()
    return time.monotonic() - began
