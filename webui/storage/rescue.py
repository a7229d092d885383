"""Rescue of a store that is damaged or gone: what it and its copies still hold goes into a new one."""

from __future__ import annotations

import shutil
import sqlite3
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from engine import UpscoreError
from engine.formats.game_json import log_from_dict
from engine.game.log import undo_stacks
from engine.json_reading import load_own_json
from engine.wording import phrase
from webui.errors import StoreError
from webui.storage.database import connect, load_summary
from webui.storage.schema import MIGRATIONS, migrate

_TABLES_OF_GAMES = ("photos", "solo_totals")
_TABLES = ("games", *_TABLES_OF_GAMES, "tile_lessons")
_TIMES = ("created_at", "updated_at", "taken_at", "finished_at", "learned_at")
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""Errors of a damaged store. The second one comes where SQLite itself quotes it."""
_FOLDER = "damaged"
"""The folder in the data folder where damaged files are set aside."""
_PAGE_BYTES = 4096
"""The size of a page of a store."""
_FORMAT_PLACE = 18
"""The place of the byte that says how a store is written, at most 2. With a higher one SQLite only reads it."""
_MAX_RANGES = 4000
"""Ranges of row numbers to try if a table cannot be read in one go. Each takes about 50 microseconds. [by eye]"""


@dataclass(frozen=True)
class Rescue:
    """The result of a rescue: how many games came from the store and from copies, and where the old store lies now.

    `gone` means that there was no store any more, so that all games came from copies. `lost` games are in none of them.
    """

    saved: int
    from_copy: int
    aside: Path
    gone: bool = False
    lost: int = 0

    @property
    def text(self) -> str:
        """The notice for people."""
        if self.gone:
            return phrase(
                "The game store was gone. Games taken from a backup: %(number)s; turns played after that backup "
                "are missing.",
                number=self.from_copy,
            )
        copied = phrase(", %(number)s from a backup", number=self.from_copy) if self.from_copy else ""
        lost = phrase("; games that can't be read anywhere: %(number)s", number=self.lost) if self.lost else ""
        return phrase(
            "Games saved from a damaged store: %(number)s (%(saved)s from the store itself%(copied)s)%(lost)s. "
            "Check the newest turns; the damaged file was set aside as %(file)s.",
            number=self.saved + self.from_copy,
            saved=self.saved,
            copied=copied,
            lost=lost,
            file=self.aside,
        )


def rescue(store: Path, copies: Sequence[Path]) -> Rescue | None:
    """Replace a store that is damaged or gone; return None if it is sound or was never there.

    Games that the store has lost come from `copies`, newest first.

    :raises StoreError: if no game can be saved. Such a file may be anything, and stays as it is.
    """
    _give_log_a_file(store)
    store_gone = not store.exists()
    if store_gone and not copies:
        return None
    if not store_gone and (not store.is_file() or not (copies or store.stat().st_size)):
        return None
    broken, unreadable = None, True
    if not store_gone and is_sound(store):
        broken, unreadable = _find_broken_rows(store, copies)
        if not any(broken.values()):
            return None
    new = store.with_name(f"{store.name}.rescued")
    _remove(new)
    try:
        saved, added = _build(new, () if store_gone else (store,), copies, broken)
        if store_gone and not added:
            return None
        if not unreadable and not added:
            return None  # games with broken logs stay listed, since no copy has them
        if not saved + added and broken is None:
            raise StoreError(
                phrase(
                    "%(store)s cannot be used as a game store (no game can be read from it): move it away, or "
                    "give another --data.",
                    store=store,
                )
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
            phrase(
                "%(store)s is damaged, and what can be saved could not be written (%(error)s): check that "
                "the disk has room and is not read-only, then start again.",
                store=store,
                error=error,
            )
        ) from None
    finally:
        _remove(new)
    lost = 0 if broken is None else len(broken["games"]) - added
    return Rescue(saved, added, aside, store_gone, lost)


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


def find_last_loss(data_dir: Path) -> float:
    """Return when the newest lost store was last written to or found missing, in seconds since 1970, or 0.

    Pictures older than that may belong to turns that no copy held.
    """
    written = 0.0
    with suppress(OSError):
        for path in (data_dir / _FOLDER).iterdir():
            written = max(written, path.stat().st_mtime)
    return written


def _give_log_a_file(store: Path) -> None:
    """Write a first page if the store of a log is gone or empty. Without it SQLite would delete the log unread."""
    log = _log_of(store)
    with suppress(OSError):
        if log.exists() and log.stat().st_size and not (store.exists() and store.stat().st_size):
            store.touch(0o600)
            store.write_bytes(bytes(_PAGE_BYTES))


def _log_of(store: Path) -> Path:
    return Path(f"{store}-wal")


def is_sound(store: Path) -> bool:
    """Return whether SQLite finds nothing wrong with a file. A file that it can't check now counts as sound."""
    if not store.stat().st_size:
        return False
    with store.open("rb") as file:
        if file.read(_FORMAT_PLACE + 1)[_FORMAT_PLACE:] > b"\2":
            return False
    try:
        with closing(connect(store)) as connection:
            connection.text_factory = _text
            result = connection.execute("PRAGMA quick_check").fetchone()
            return bool(result[0] == "ok") and _has_our_tables(connection)
    except sqlite3.OperationalError as error:
        return "malformed" not in str(error) and "unsupported file format" not in str(error)
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False


def _has_our_tables(connection: sqlite3.Connection) -> bool:
    """Return whether a store's tables are those of its version. Tables of a newer Upscore count as right."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    with closing(sqlite3.connect(":memory:")) as other:
        migrate(other, to=version)
        same = _columns(connection) == _columns(other)
    return same if version <= len(MIGRATIONS) else not same


def _columns(connection: sqlite3.Connection) -> list[list[tuple[object, ...]]]:
    return [connection.execute(f"PRAGMA table_info({table})").fetchall() for table in _TABLES]


def _find_broken_rows(store: Path, copies: Sequence[Path]) -> tuple[dict[str, set[object]], bool]:
    """Renumber the games of a store that SQLite finds sound, and return the keys of its broken rows by their table.

    :return: The keys, and whether any row is broken in more than a game's log.
    """
    unreadable = False
    broken: dict[str, set[object]] = {}
    # a store on a read-only disk cannot be opened: only a copy of it can be looked at
    with suppress(sqlite3.OperationalError), closing(connect(store)) as connection:
        _renumber(connection, copies)
        connection.commit()
        connection.row_factory = sqlite3.Row
        for table in _TABLES:
            columns = _columns_of(connection, table)
            broken[table] = set()
            for row in connection.execute(f"SELECT * FROM {table}") if columns else ():
                usable = _is_usable(dict(row), columns)
                unreadable |= not usable
                if not usable or (table == "games" and not _is_whole(row["log"], row["summary"])):
                    broken[table].add(row[0])
    return broken, unreadable


def _columns_of(connection: sqlite3.Connection, table: str) -> dict[str, tuple[type, ...]]:
    """Return what kinds of values each column of a table takes. The first column is its key."""
    rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return {
        name: (str if kind == "TEXT" else int, *(() if required or key else (type(None),)))
        for _, name, kind, required, _, key in rows
    }


def _text(data: bytes) -> str | bytes:
    """Decode a text of the store. Leave it as it is if it isn't UTF-8, so that it is recognised as broken."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _is_usable(values: Mapping[str, object], columns: Mapping[str, tuple[type, ...]]) -> bool:
    """Return whether every field of a row is of its column's kind, and times are times."""
    return all(
        isinstance(value, columns[name]) and (name not in _TIMES or _is_time(value)) for name, value in values.items()
    )


def _is_time(value: object) -> bool:
    with suppress(ValueError):
        return datetime.fromisoformat(str(value)).tzinfo is not None
    return False


def _build(
    new: Path, stores: Sequence[Path], copies: Sequence[Path], broken: Mapping[str, Collection[object]] | None
) -> tuple[int, int]:
    """Write a new store; return how many games came from old `stores`, and how many from copies.

    `broken` has the keys of the rows, by table, that a sound store lacks. Only these come from the copies, since other
    games may have been deleted. It is None if nobody knows which rows are missing.
    """
    new.touch(mode=0o600)
    with closing(connect(new)) as target:
        migrate(target)
        target.execute("PRAGMA foreign_keys = OFF")
        saved = sum(_take_over(target, store, None) for store in stores)
        _renumber(target, copies)
        added = sum(_take_over(target, copy, broken) for copy in copies)
        if broken is not None:
            saved += sum(_take_over(target, store, None, whole=False) for store in stores)
        for table in _TABLES_OF_GAMES:
            target.execute(f"DELETE FROM {table} WHERE game_id NOT IN (SELECT id FROM games)")
        target.commit()
    return saved, added


def _renumber(connection: sqlite3.Connection, copies: Sequence[Path]) -> None:
    """Give games the numbers that they have in the newest copy.

    They are recognised by the microsecond in which they began. SQLite calls a table sound as long as its numbers rise,
    even if a changed byte altered one.
    """
    numbers: dict[object, int] = {}
    for copy in copies[:1]:
        with suppress(*_UNREADABLE), closing(connect(copy)) as other:
            other.text_factory = _text
            numbers = dict(other.execute("SELECT created_at, id FROM games").fetchall())
    connection.text_factory = _text
    known = {*numbers.values()}
    kept = dict(connection.execute("SELECT id, created_at FROM games").fetchall())
    for number, began in kept.items():
        if number not in known and (right := numbers.get(began, number)) not in kept:
            connection.execute("UPDATE games SET id = ? WHERE id = ?", (right, number))


def _take_over(
    target: sqlite3.Connection, source: Path, wanted: Mapping[str, Collection[object]] | None, *, whole: bool = True
) -> int:
    """Add the readable rows of `source` that `target` lacks; return how many games came.

    It adds only the games `wanted`, and, unless `whole` is False, only those whose log can be replayed.
    """
    before = target.execute("SELECT COUNT(*) FROM games").fetchone()[0]
    with suppress(*_UNREADABLE), closing(connect(source)) as connection:
        connection.row_factory = sqlite3.Row
        connection.text_factory = _text
        for table in _TABLES:
            if wanted is not None and not (wanted[table] or (table != "games" and wanted["games"])):
                continue
            known = _columns_of(target, table)
            for row in _rows(connection, table):
                values = {name: row[name] for name in row.keys() if name in known}  # noqa: SIM118 (a Row is no dict)
                if table == "games" and wanted is not None and values.get("id") not in wanted["games"]:
                    continue
                if not _is_usable(values, known):
                    continue
                if table == "games" and whole and not _is_whole(values.get("log"), values.get("summary")):
                    continue
                names = ", ".join(values)
                marks = ", ".join("?" * len(values))
                with suppress(sqlite3.Error):
                    target.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))
    after = target.execute("SELECT COUNT(*) FROM games").fetchone()[0]
    return int(after - before)


def _rows(connection: sqlite3.Connection, table: str) -> list[sqlite3.Row]:
    """Return all readable rows of a table. Raises an error of `_UNREADABLE` if there is no such table."""
    if not _columns_of(connection, table):
        return []  # an older store has no such table
    with suppress(*_UNREADABLE):
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
            waiting.extend(part for part in ((low, middle), (middle + 1, high)) if part[0] <= part[1] and low < high)
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
        except _UNREADABLE:
            continue
        return None
    return low, high


def _is_whole(log: object, summary: object) -> bool:
    """Return whether a game's log can be replayed and names the players of its summary.

    This rejects a log with a page of zeros, and a name of which a byte has changed.
    """
    try:
        setup, entries = log_from_dict(load_own_json(str(log)))
        undo_stacks(entries)
    except (UpscoreError, ValueError):
        return False
    kept = load_summary(str(summary))
    return kept is None or {*kept.totals} == {*setup.players}


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
