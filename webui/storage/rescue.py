"""Rescue of a store that is damaged or gone: what it and its copies still hold goes into a new one."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import deque
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from engine import UpscoreError
from engine.formats.game_json import log_from_dict
from engine.game.log import undo_stacks
from webui.errors import StoreError
from webui.storage.database import connect
from webui.storage.schema import migrate

_TABLES_OF_GAMES = ("photos", "solo_totals")
_TABLES = ("games", *_TABLES_OF_GAMES, "tile_lessons")
_FOLDER = "damaged"
"""The folder in the data folder where damaged files are set aside."""
_PAGE_BYTES = 4096
"""The size of a page of a store."""
_MAX_RANGES = 4000
"""Ranges of row numbers to try if a table cannot be read in one go. Each takes about 50 microseconds. [by eye]"""


@dataclass(frozen=True)
class Rescue:
    """The result of a rescue: how many games came from the store and from copies, and where the old store lies now.

    `gone` means that there was no store any more, so that all games came from copies.
    """

    saved: int
    from_copy: int
    aside: Path
    gone: bool = False

    @property
    def text(self) -> str:
        """The notice for people."""
        if self.gone:
            return (
                f"The game store was gone. Games taken from a backup: {self.from_copy}. Check the newest turns: "
                "those played after that backup are missing."
            )
        copied = f", {self.from_copy} from a backup" if self.from_copy else ""
        return (
            f"The game store was damaged. Games saved: {self.saved + self.from_copy} ({self.saved} from the store "
            f"itself{copied}). Check the newest turns. The damaged file was set aside as {self.aside}."
        )


def rescue(store: Path, copies: Sequence[Path]) -> Rescue | None:
    """Replace a store that is damaged or gone; return None if it is sound or never was there.

    Games that the store has lost come from `copies`, newest first.

    :raises StoreError: if neither gives any game. Such a file may be anything, and stays as it is.
    """
    _give_log_a_file(store)
    store_gone = not store.exists()
    if store_gone and not copies:
        return None
    if not store_gone and (not store.is_file() or not (copies or store.stat().st_size) or is_sound(store)):
        return None
    new = store.with_name(f"{store.name}.rescued")
    _remove(new)
    try:
        saved, added = _build(new, () if store_gone else (store,), copies)
        if store_gone and not added:
            return None
        if not saved + added:
            raise StoreError(
                f"{store} cannot be used as a game store (no game can be read from it): move it away, "
                "or give another --data."
            )
        aside = _aside(store)
        if store_gone:
            aside.touch()  # pictures older than this file may belong to turns that no copy held
        for suffix in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                Path(f"{store}{suffix}").rename(f"{aside}{suffix}")
        new.rename(store)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"{store} is damaged, and what can be saved could not be written ({error}): make room, then start again."
        ) from None
    finally:
        _remove(new)
    return Rescue(saved, added, aside, store_gone)


def set_log_aside(store: Path) -> Path | None:
    """Copy the log of a store that was not closed, before SQLite opens it and deletes the log.

    :return: The copy; None if there is no log or it cannot be copied.
    """
    log = _log_of(store)
    try:
        if not log.exists() or not log.stat().st_size:
            return None
        aside = _log_of(_aside(store))
        shutil.copyfile(log, aside)
        aside.chmod(0o600)
        return aside
    except OSError:
        return None  # the disk is full or read-only, so SQLite deletes nothing either


def last_lost(data_dir: Path) -> float:
    """Return when the newest lost store was last written to or found gone, in seconds since 1970; 0 if none was lost.

    Pictures older than that may belong to turns that no copy held.
    """
    written = 0.0
    with suppress(OSError):
        for path in (data_dir / _FOLDER).iterdir():
            written = max(written, path.stat().st_mtime)
    return written


def _give_log_a_file(store: Path) -> None:
    """Write a first page if a log's store is gone or empty: without one SQLite would delete the log unread."""
    log = _log_of(store)
    with suppress(OSError):
        if log.exists() and log.stat().st_size and not (store.exists() and store.stat().st_size):
            store.touch(0o600)
            store.write_bytes(bytes(_PAGE_BYTES))


def _log_of(store: Path) -> Path:
    return Path(f"{store}-wal")


def is_sound(store: Path) -> bool:
    """Return whether SQLite finds nothing wrong with a file. One that it cannot check now counts as sound."""
    if not store.stat().st_size:
        return False
    try:
        with closing(connect(store)) as connection:
            result = connection.execute("PRAGMA quick_check").fetchone()
            connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
            return bool(result[0] == "ok")
    except sqlite3.OperationalError as error:
        return "malformed" not in str(error)
    except sqlite3.DatabaseError:
        return False


def _build(new: Path, stores: Sequence[Path], copies: Sequence[Path]) -> tuple[int, int]:
    """Write a new store; return how many games came from old `stores`, and how many from copies."""
    new.touch(mode=0o600)
    with closing(connect(new)) as target:
        migrate(target)
        target.execute("PRAGMA foreign_keys = OFF")
        saved = sum(_take_over(target, store) for store in stores)
        added = sum(_take_over(target, copy) for copy in copies)
        for table in _TABLES_OF_GAMES:
            target.execute(f"DELETE FROM {table} WHERE game_id NOT IN (SELECT id FROM games)")
        target.commit()
    return saved, added


def _take_over(target: sqlite3.Connection, source: Path) -> int:
    """Add the readable rows of `source` that `target` lacks; return how many games came."""
    before = target.execute("SELECT COUNT(*) FROM games").fetchone()[0]
    with suppress(sqlite3.Error), closing(connect(source)) as connection:
        connection.row_factory = sqlite3.Row
        for table in _TABLES:
            known = {row[1] for row in target.execute(f"PRAGMA table_info({table})")}
            for row in _rows(connection, table):
                values = {name: row[name] for name in row.keys() if name in known}  # noqa: SIM118 (a Row is no dict)
                if table == "games" and not _is_whole(values.get("log")):
                    continue
                names = ", ".join(values)
                marks = ", ".join("?" * len(values))
                with suppress(sqlite3.Error):
                    target.execute(
                        f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", tuple(values.values())
                    )
    after = target.execute("SELECT COUNT(*) FROM games").fetchone()[0]
    return int(after - before)


def _rows(connection: sqlite3.Connection, table: str) -> list[sqlite3.Row]:
    """Return all rows of a table that can be read."""
    with suppress(sqlite3.Error):
        return connection.execute(f"SELECT * FROM {table}").fetchall()
    rows: dict[int, sqlite3.Row] = {}
    # Each range is twice as wide as the one before, so that both small and very large row numbers are soon reached.
    waiting = deque((1 << at, (1 << at + 1) - 1) for at in range(62))
    for _ in range(_MAX_RANGES):
        if not waiting:
            break
        gap = _read_from_both_ends(connection, table, *waiting.popleft(), rows)
        if gap is not None:
            low, high = gap
            middle = (low + high) // 2
            waiting.extend(
                part for part in ((low, middle), (middle + 1, high)) if part[0] <= part[1] and low < high
            )
    return [rows[at] for at in sorted(rows)]


def _read_from_both_ends(
    connection: sqlite3.Connection, table: str, low: int, high: int, rows: dict[int, sqlite3.Row]
) -> tuple[int, int] | None:
    """Add the rows of a range of numbers to `rows`, up to a damaged page and down to one.

    :return: The range between that could not be read; None if all was read.
    """
    for order in ("ASC", "DESC"):
        query = f"SELECT rowid AS at_row, * FROM {table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid {order}"
        try:
            for row in connection.execute(query, (low, high)):
                rows[row["at_row"]] = row
                low, high = (row["at_row"] + 1, high) if order == "ASC" else (low, row["at_row"] - 1)
        except sqlite3.Error:
            continue
        return None
    return low, high


def _is_whole(log: object) -> bool:
    """Return whether a game's log can be replayed. Otherwise a log with a page of zeros would pass for a game."""
    try:
        undo_stacks(log_from_dict(json.loads(str(log)))[1])
    except (UpscoreError, ValueError):
        return False
    return True


def _aside(store: Path) -> Path:
    folder = store.parent / _FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    number = 1
    while any(folder.glob(f"{store.stem}-{number}.sqlite3*")):
        number += 1
    return folder / f"{store.stem}-{number}.sqlite3"


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
