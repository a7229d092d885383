"""Is anything lost? Servers killed, power cut, disks that are full or locked, stores that are damaged."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

from webui.errors import StoreError
from webui.storage.backups import Backups
from webui.storage.rescue import rescue
from webui.storage.store import FILE_NAME, Store
from workshop.bench.campaigns.served import Report, Served, percentile


def kills(folder: Path, times: int, rng: random.Random) -> Report:
    """Kill the server with requests in flight; every entry that was acknowledged must be there afterwards."""
    report = Report("kill -9", f"{times} moments")
    acknowledged = lost = 0
    starts = []
    for _ in range(times):
        served = Served(folder)
        starts.append(time.monotonic() - served.started)
        game = served.new_game()
        known = {"version": int(game["version"])}

        def play(served: Served = served, game: int = game["id"], known: dict[str, int] = known) -> None:
            with suppress(OSError):
                while (answer := served.turn(game, known["version"]))[0] == 200:
                    known["version"] = answer[1]["version"]

        player = threading.Thread(target=play)
        player.start()
        time.sleep(rng.uniform(0.0, 0.3))
        served.kill()
        player.join(30)
        store = Store(folder)
        kept = store.game(game["id"]).version
        store.close()
        acknowledged += known["version"]
        lost += max(0, known["version"] - kept)
    report.figures = {"acknowledged": acknowledged, "lost": lost, "start-up": f"{percentile(starts, 0.5):.1f} s"}
    if lost:
        report.wrong.append(f"{lost} entries lost")
    return report


def power_cuts(folder: Path, times: int, rng: random.Random) -> Report:
    """Cut the power: the disk has everything synced before an acknowledgement, and any part of the rest.

    The power goes while an entry is written to the log, or while the log is emptied into the store.
    """
    report = Report("power cut", f"{times} images")
    lost = acknowledged = 0
    with Served(folder) as served:
        game = served.new_game()
        version = int(game["version"])
        store, wal = folder / FILE_NAME, folder / f"{FILE_NAME}-wal"
        for at in range(times):
            for _ in range(rng.randrange(1, 4)):
                status, state = served.turn(game["id"], version)
                if status != 200:
                    game = state = served.new_game()
                version = int(state["version"])
            before, acked = version, store.read_bytes()
            with closing(sqlite3.connect(store, isolation_level=None)) as reader:
                reader.execute("BEGIN")
                reader.execute("SELECT COUNT(*) FROM games").fetchone()  # this keeps the log from being emptied
                status, state = served.turn(game["id"], version)
                log = wal.read_bytes()
            version = int(state["version"]) if status == 200 else version
            image = folder.parent / f"image-{at}"
            image.mkdir()
            in_log = rng.random() < 0.5
            if in_log:
                _write_image(image, acked, _tear(log, rng))
            else:
                _write_image(image, _write_half(image, acked, log, rng), log)
            due = before if in_log else version
            found = Store(image)
            kept = found.game(game["id"]).version
            found.close()
            shutil.rmtree(image)
            acknowledged += due
            lost += max(0, due - kept)
    report.figures = {"opened": times, "entries at stake": acknowledged, "lost": lost}
    if lost:
        report.wrong.append(f"{lost} entries lost")
    return report


def _write_image(image: Path, store: bytes, log: bytes) -> None:
    """Write the two files of a store."""
    (image / FILE_NAME).write_bytes(store)
    (image / f"{FILE_NAME}-wal").write_bytes(log)


def _tear(log: bytes, rng: random.Random) -> bytes:
    """Return a random part of a log, with some bytes missing."""
    return bytes(b if rng.random() < 0.99 else 0 for b in log[: rng.randrange(len(log) + 1)])


def _write_half(image: Path, before: bytes, log: bytes, rng: random.Random) -> bytes:
    """Return a store into which some pages of its log have been put, and others not."""
    _write_image(image, before, log)
    with closing(sqlite3.connect(image / FILE_NAME)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    after = (image / FILE_NAME).read_bytes()
    before = before.ljust(len(after), b"\0")
    pages = range(0, len(after), 4096)
    return b"".join((before if rng.random() < 0.5 else after)[at : at + 4096] for at in pages)


def full_disk(folder: Path) -> Report:
    """Check that games survive a full disk, and that play goes on once there is room again."""
    import resource  # Windows has none

    report = Report("disk full", "limit on the size of files")
    with Served(folder) as served:
        game = served.new_game()
        version = int(game["version"])
        before = resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (0, before[1]))
        _check_refused_but_shown(report, served, game["id"], version)
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, before)
        status, _ = served.turn(game["id"], version)
        if status != 200:
            report.wrong.append(f"{status} once there was room again")
    return report


def lock_store(folder: Path) -> Report:
    """Check that games survive while another program holds the store."""
    report = Report("locked", "BEGIN EXCLUSIVE by another program")
    with Served(folder) as served:
        game = served.new_game()
        with closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            _check_refused_but_shown(report, served, game["id"], int(game["version"]))
            other.execute("ROLLBACK")
        status, _ = served.turn(game["id"], int(game["version"]))
        if status != 200:
            report.wrong.append(f"{status} once it was let go")
    return report


def read_only_disk(folder: Path) -> Report:
    """Start on a read-only disk, after the server was killed and after it ended in order (a tmpfs; needs root)."""
    report = Report("read-only", "tmpfs mounted anew")
    place = folder / "disk"
    place.mkdir()
    if os.geteuid() or os.system(f"mount -t tmpfs -o size=16m none {place}"):
        report.did = "left out: needs root"
        return report
    try:
        with Served(place / "data") as served:
            game = served.new_game()
        for in_order in (False, True):
            if in_order:
                os.system(f"mount -o remount,rw {place}")
                Store(place / "data").close()
            os.system(f"mount -o remount,ro {place}")
            with Served(place / "data") as served:
                _check_refused_but_shown(report, served, game["id"], int(game["version"]))
                if (status := served.ask("/backup")[0]) != 200:
                    report.wrong.append(f"{status} for a backup")
    finally:
        os.system(f"umount {place}")
    return report


def _check_refused_but_shown(report: Report, served: Served, game: int, version: int) -> None:
    """Check that a change is refused in one line and that everything is still shown, each within five seconds."""
    slowest = 0.0
    for path, sent, wanted in (
        (f"/api/v1/games/{game}/turns", {"version": version, "kind": "exchange"}, (423,)),
        (f"/api/v1/games/{game}", None, (200,)),
        (f"/games/{game}", None, (200,)),
        ("/games", None, (200,)),
    ):
        began = time.monotonic()
        status, answer = served.ask(path, sent)
        slowest = max(slowest, time.monotonic() - began)
        if status not in wanted:
            report.wrong.append(f"{path}: {status} {answer}")
        elif sent is not None:
            report.figures["told"] = f'"{answer["error"]}"'
    report.figures["slowest"] = f"{slowest:.1f} s"
    if slowest > 5.0:
        report.late.append(f"{slowest:.1f} s for an answer")


def damage_stores(folder: Path, times: int, rng: random.Random) -> Report:
    """Overwrite pages of the store: what is left must be saved, and the file set aside, never deleted."""
    report = Report("damaged store", f"{times} stores of 40 games")
    whole = folder / "whole"
    with Served(whole) as served:
        served.new_games(40)
    store = Store(whole)
    store.close()
    copy = Backups(whole).make()
    assert copy is not None
    wanted = saved = mended = refused = 0
    for at in range(times):
        place = folder / f"damaged-{at}"
        place.mkdir()
        data = bytearray((whole / FILE_NAME).read_bytes())
        for _ in range(rng.randrange(1, 4)):
            page = rng.randrange(len(data) // 4096)
            data[page * 4096 : page * 4096 + 4096] = rng.randbytes(4096)
        (place / FILE_NAME).write_bytes(data)
        wanted += 40
        mended += _with_copy(folder / f"copied-{at}", bytes(data), copy)
        try:
            found = rescue(place / FILE_NAME, ())
        except StoreError:
            refused += 1
            if (place / FILE_NAME).read_bytes() != data:
                report.wrong.append("a store from which nothing can be read was changed")
            continue
        opened = Store(place)
        saved += len(opened.games())
        opened.close()
        if found is not None and found.aside.read_bytes() != data:
            report.wrong.append("the damaged file was not set aside as it was")
    report.figures = {
        "games saved from the store alone": f"{saved} of {wanted}",
        "with its daily copy": f"{mended} of {wanted}",
        "stores with nothing left (kept as they were)": refused,
    }
    return report


def _with_copy(place: Path, data: bytes, copy: Path) -> int:
    """Return how many games there are after a damaged store was repaired with the help of a copy."""
    place.mkdir()
    (place / FILE_NAME).write_bytes(data)
    rescue(place / FILE_NAME, (copy,))
    opened = Store(place)
    games = len(opened.games())
    opened.close()
    return games
