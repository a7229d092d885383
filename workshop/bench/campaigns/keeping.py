"""Are games kept and moved whole? Odd names of folders, zips that people packed again, copied stores, flipped bytes."""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from webui.errors import WebError
from webui.storage.archive import restore, write_backup
from webui.storage.backups import Backups
from webui.storage.store import FILE_NAME, Store
from workshop.bench.campaigns.photographs import TURN, send_photograph
from workshop.bench.campaigns.repacking import REFUSED, REPACKED, repack
from workshop.bench.campaigns.served import Report, Served

ODD_NAMES = [
    "club 2026", "club%202026", "100%", "100%25", "%41", "A", "%2F", "%00", "club #1", "who won?", "a?mode=memory",
    "a&b", "a=b;c", "x'y\"z", "[2026]", "(a){b}", "back\\slash", "~tilde", "-dash", "Cafe\u0301", "игра 遊戯",
    "🎲 club", "n" * 255, "two  spaces ", "new\nline", "file:x", ":memory:", os.fsdecode(b"caf\xe9"),
]  # fmt: skip
WITH_QUESTIONS = 3
"""Games, of the forty in a store, that wait for the answer to a question. [by eye]"""
_MISSED = TURN.with_name("02.jpg")
"""A photograph of a second turn: in a game without a first one, it leaves a question."""
READER_S = 0.4
"""Seconds that another program reads: an entry waits for it for at most a second. [by eye]"""
COPY_AFTER_S = 1.5
"""Seconds after an entry, by which the store's main file alone must hold it. [by eye]"""


def odd_folders(folder: Path, names: Sequence[str]) -> Report:
    """Serve folders with odd names side by side. Each copy, and each backup that is restored, has its own games."""
    report = Report("odd folders", f"{len(names)} names")
    played = {}
    for number, name in enumerate(names):
        with Served(folder / "data" / name) as served:
            _, game = served.ask("/api/v1/games", {"edition": "8x8", "players": [f"Player {number}", "Blue"]})
            played[name] = served.turn(game["id"], game["version"])[1]
            write_backup(folder / "data" / name, folder / f"{number}.zip")
    for number, name in enumerate(names):
        copy = Backups(folder / "data" / name).make()
        (folder / f"copy-{number}").mkdir()
        if copy is not None:
            shutil.copyfile(copy, folder / f"copy-{number}" / FILE_NAME)
        restore(folder / f"{number}.zip", folder / "restored" / name)
        for what, place in {"copy": folder / f"copy-{number}", "backup": folder / "restored" / name}.items():
            with Served(place) as served:
                if _games(served) != [_describe(played[name])]:
                    report.wrong.append(f"{name!r}: the {what} has other games")
    if sorted(path.name for path in (folder / "data").iterdir()) != sorted(names):
        report.wrong.append("there are other folders than those that were served")
    report.figures = {"copies and backups compared": 2 * len(names)}
    return report


def pack_again(folder: Path) -> Report:
    """Pack a backup and a game's file again, as people do. All is taken whole, or refused with the reason."""
    report = Report("packed again", f"{len(REPACKED) + len(REFUSED)} ways, a backup and a game's file")
    with Served(folder / "data") as served:
        game = served.new_game()
        if not send_photograph(served, int(game["id"]), TURN, "packed-again"):
            report.wrong.append("the photograph was not taken")
        write_backup(folder / "data", folder / "games.zip")
        file = served.fetch(f"/games/{game['id']}/export.zip")
        wanted = _pictures(folder / "data")
        taken = refused = 0
        for way in (*REPACKED, *REFUSED):
            again = folder / f"{way}.zip"
            again.write_bytes(repack((folder / "games.zip").read_bytes(), way))
            came, why = _restore(again, folder / way, wanted)
            status, answer = served.upload("/import", "game", repack(file, way))
            told = str((answer or {}).get("error", ""))
            taken += came + (status == 200)
            refused += (not came) + (status == 400)
            fits = came and status == 200 if way in REPACKED else all(re.search(REFUSED[way], w) for w in (why, told))
            if not fits:
                report.wrong.append(f"{way}: {why or 'restored'}; {status} {told}")
        if len(_games(served)) != 1 + len(REPACKED):
            report.wrong.append(f"{len(_games(served))} games after {len(REPACKED)} files")
    report.figures = {"taken whole": taken, "refused with the reason": refused}
    return report


def copy_stores(folder: Path, times: int, rng: random.Random) -> Report:
    """Copy the store's main file alone a moment after an entry, with and without a reader: it holds all entries."""
    report = Report("copied stores", f"{times} copies")
    acknowledged = lacking = 0
    with Served(folder / "data") as served:
        store = folder / "data" / FILE_NAME
        game = served.new_game()
        version = int(game["version"])
        for at in range(times):
            reader = sqlite3.connect(store, isolation_level=None, check_same_thread=False)
            if rng.random() < 0.5:
                reader.execute("BEGIN")
                reader.execute("SELECT COUNT(*) FROM games").fetchone()
            leaving = threading.Timer(READER_S, reader.close)
            leaving.start()
            for _ in range(rng.randrange(1, 4)):
                status, state = served.turn(int(game["id"]), version)
                if status != 200:  # exchanges end no game
                    report.wrong.append(f"{status} for an entry")
                    continue
                version = int(state["version"])
            leaving.join()
            time.sleep(COPY_AFTER_S)
            place = folder / f"copy-{at}"
            place.mkdir()
            shutil.copyfile(store, place / FILE_NAME)
            copied = Store(place)
            kept = 0
            with suppress(WebError):
                kept = copied.game(int(game["id"])).version
            copied.close()
            acknowledged += version
            lacking += version - kept
    report.figures = {"entries": acknowledged, "not in the copy": lacking}
    if lacking:
        report.wrong.append(f"{lacking} entries lacking")
    return report


def flip_bytes(folder: Path, times: int, rng: random.Random) -> Report:
    """Change 1 to 20 bytes of a store that has a daily copy. The page starts with every game under its number.

    Some games wait with a question about a photograph. Their pages open, and so does the list of games.
    """
    report = Report("flipped bytes", f"{times} stores of 40 games with a copy")
    whole = folder / "whole"
    with Served(whole) as served:
        served.new_games(40)
        wanted = _games(served)
        asked = [number for number, *_ in wanted[:WITH_QUESTIONS]]
        if not all(send_photograph(served, number, _MISSED, f"photograph-{number}") for number in asked):
            report.wrong.append("a photograph was not taken")
    Store(whole).close()
    Backups(whole).make()
    started = same = 0
    for at in range(times):
        place = folder / f"flipped-{at}"
        shutil.copytree(whole, place)
        data = bytearray((place / FILE_NAME).read_bytes())
        for _ in range(rng.randint(1, 20)):
            data[rng.randrange(len(data))] ^= rng.randint(1, 255)
        (place / FILE_NAME).write_bytes(data)
        try:
            with Served(place) as served:
                numbers, games = [row["id"] for row in _list(served)], _games(served)
                for path in ("/games", *(f"/games/{number}" for number in asked)):
                    if (status := served.ask(path)[0]) != 200:
                        report.wrong.append(f"store {at}: {status} for {path}")
        except RuntimeError as error:
            report.wrong.append(f"store {at} did not start: {str(error)[-200:]}")
            continue
        started += 1
        same += sum(one in games for one in wanted)
        if sorted(numbers) != sorted(number for number, *_ in wanted):
            report.wrong.append(f"store {at} has other games: {len(numbers)}")
    report.figures = {"started": started, "games as they were": f"{same} of {40 * times}"}
    return report


def _list(served: Served) -> list[dict[str, Any]]:
    status, rows = served.ask("/api/v1/games")
    return list(rows) if status == 200 else []


def _describe(state: dict[str, Any]) -> tuple[int, list[str], list[Any]]:
    return int(state["id"]), state["players"], state["turns"]


def _games(served: Served) -> list[tuple[int, list[str], list[Any]]]:
    """Return the number, players and turns of every game."""
    states = (served.ask(f"/api/v1/games/{row['id']}") for row in _list(served))
    return sorted(_describe(state) for status, state in states if status == 200)


def _pictures(data: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (data / "photos").iterdir()}


def _restore(archive: Path, to: Path, wanted: dict[str, bytes]) -> tuple[bool, str]:
    """Return whether a backup came back with its game and all its pictures, and the reason if it was refused."""
    try:
        found = restore(archive, to)
    except WebError as error:
        return False, str(error)
    return found.games == 1 and _pictures(to) == wanted, ""
