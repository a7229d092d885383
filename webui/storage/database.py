"""What the store keeps, row by row.

The SQLite file behind the store: opened, written all or nothing, and still read where the disk takes no more.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from threading import Lock

from engine import Game
from webui.errors import DiskFull, NotFitting, StoreError
from webui.storage.schema import migrate


@dataclass(frozen=True)
class GameRow:
    """A stored game. `version` counts its saves; `log`, `pending` and `belief` are JSON texts.

    `pending` is the reading that waits for an answer, None when nothing waits. `created_at` and `updated_at`
    are UTC, ISO 8601, for people to read; `touched` counts on over all games with every change, whatever the clock
    says.
    """

    id: int
    created_at: str
    updated_at: str
    version: int
    title: str
    summary: str
    log: str
    lexicon: str
    pending: str | None
    demo: bool
    finished: bool
    belief: str | None = None
    touched: int = 0


@dataclass(frozen=True)
class PhotoRow:
    """A photograph of a game: `entry` is the number of the log entry that it shows, -1 for the start board,
    None for one that no turn was taken from.

    `key` names its files; `source` is "upload", "camera" or "demo"; `summary` says what was read, in a line. `digest`
    is that of the file that was uploaded, None where there was none; `version` the one in which taking the photograph
    left the game, None while it is being taken. `sent_as` is the key that its sender gave it, None without one;
    `lifted` the tiles that it showed to be off the board again, in notation.
    """

    key: str
    game_id: int
    taken_at: str
    source: str
    entry: int | None
    summary: str
    digest: str | None = None
    version: int | None = None
    sent_as: str | None = None
    lifted: str | None = None


@dataclass(frozen=True)
class SoloTotal:
    """What a finished solo game adds to the record of its `terms` (`engine.analysis.solo_record.solo_terms`)."""

    terms: str
    player: str
    total: int


@dataclass(frozen=True)
class SoloRow(SoloTotal):
    """The same as it is stored: of which game, and when that ended, UTC, ISO 8601."""

    game_id: int
    finished_at: str


def utc_now() -> str:
    """The time now, UTC, ISO 8601 with microseconds, so that texts sort as times do."""
    return datetime.now(timezone.utc).isoformat(timespec="microseconds")


def game_row(row: sqlite3.Row) -> GameRow:
    """A row of the table of games."""
    values = dict(row)
    return GameRow(**{**values, "demo": bool(values["demo"]), "finished": bool(values["finished"])})


def photo_row(row: sqlite3.Row) -> PhotoRow:
    """A row of the table of photographs."""
    return PhotoRow(**dict(row))


def put_solo(connection: sqlite3.Connection, row: SoloRow) -> None:
    """A game that was corrected keeps the time at which it ended."""
    connection.execute(
        "INSERT INTO solo_totals (game_id, terms, player, total, finished_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT(game_id) DO UPDATE SET terms = excluded.terms, player = excluded.player,"
        " total = excluded.total",
        (row.game_id, row.terms, row.player, row.total, row.finished_at),
    )


def summarize(game: Game) -> str:
    """One line for the list of games: ``"10x10, 7 turns: Red 42, Blue 30"``."""
    points = ", ".join(f"{name} {total}" for name, total in game.totals.items())
    turns = "1 turn" if len(game.turns) == 1 else f"{len(game.turns)} turns"
    return f"{game.setup.edition.name}, {turns}: {points}"


WRITING_S = 4.0
READING_S = 0.5
"""How long another program that holds the file is waited for, to write and to read."""
_EMPTYING_MS = 1000
"""How long an entry waits for readers before it leaves its log to the next entry: the page reads in milliseconds, and
a backup of 100 MB in less than a second."""
_REMEMBERED = 512
"""Answers kept for when the disk gives none: a page asks for four."""


class Answers:
    """The newest answer to each question that was asked of a file, for when the disk gives none."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = Lock()

    def newest(self, key: Hashable) -> object | None:
        """What was answered last, None where nothing was."""
        with self._lock:
            return self._known.get(key)

    def remember(self, key: Hashable, answer: object) -> None:
        """Keep an answer; of a game's rows the one with the higher version, whichever thread comes last."""
        with self._lock:
            held = self._known.get(key)
            if isinstance(held, GameRow) and isinstance(answer, GameRow) and held.version > answer.version:
                return
            self._known[key] = answer
            self._known.move_to_end(key)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)

    def forget(self, key: Hashable) -> None:
        """Drop the answer to what is gone."""
        with self._lock:
            self._known.pop(key, None)


class Database:
    """One SQLite file. Every `reading` and `writing` has a connection of its own and may be in any thread.

    Readers never wait, because entries are written to a log first. Each entry then empties the log into the file, so
    that the file alone, which a person or a sync program may copy at any time, holds all games.

    Where the file cannot be written when it is opened, a copy of it is read instead, and `look_only` says why.
    `before_migration` is called, with the old version, before the tables are changed.
    Raises StoreError, on construction, when it cannot be used at all.
    """

    def __init__(self, path: Path, before_migration: Callable[[int], None] = lambda _: None) -> None:
        self.path = path
        self.look_only: str | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        try:
            _keep_private(path)
            # held open: as long as somebody has the file open, its helper files stay, and reading needs no new ones
            self._anchor = self._connect(WRITING_S)
            self._anchor.execute("PRAGMA journal_mode = WAL")
            migrate(self._anchor, before_migration)
            self._anchor.execute("SELECT COUNT(*) FROM games").fetchone()
            _empty_log(self._anchor)
        except (OSError, sqlite3.Error) as error:
            self._look_only(error)

    def close(self) -> None:
        """Let go of the file."""
        self._anchor.close()
        if self._copy is not None:
            self._copy.cleanup()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to read with; raises StoreError."""
        try:
            with closing(self._connect(READING_S)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise store_error(error, self.path) from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: what is done in it is kept whole, on the disk itself, or not at all. Raises StoreError."""
        if self.look_only is not None:
            raise StoreError(
                f"{self.look_only} Games can be looked at; to change one, mend this and start again."
            )
        try:
            with closing(self._connect(WRITING_S)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    with suppress(sqlite3.Error):  # a full disk has rolled it back already
                        connection.execute("ROLLBACK")
                    raise
                _empty_log(connection)
        except sqlite3.Error as error:
            raise store_error(error, self.path) from None

    def _connect(self, timeout_s: float) -> sqlite3.Connection:
        connection = connect(self.path, timeout_s)
        connection.isolation_level = None
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _look_only(self, error: OSError | sqlite3.Error) -> None:
        """Go on with a copy for reading, where the disk refuses alone; else raise StoreError."""
        if hasattr(self, "_anchor"):
            self._anchor.close()
        reason = store_error(error, self.path)
        if not _disk_refuses(error) or not self.path.is_file() or not self.path.stat().st_size:
            raise reason from None
        self._copy = tempfile.TemporaryDirectory(prefix="upscore-look-")
        copied = Path(self._copy.name) / self.path.name
        try:
            for suffix in ("", "-wal"):
                with suppress(FileNotFoundError):
                    shutil.copyfile(f"{self.path}{suffix}", f"{copied}{suffix}")
            self.path = copied
            self._anchor = self._connect(READING_S)
            migrate(self._anchor)
        except (OSError, sqlite3.Error, StoreError):
            self._copy.cleanup()
            raise reason from None
        self.look_only = str(reason)


def _empty_log(connection: sqlite3.Connection) -> None:
    """Put what the log holds into the file itself.

    Nothing depends on it: the log is on the disk. Where a reader or the disk is in the way, the next entry does it.
    """
    with suppress(sqlite3.Error):
        connection.execute(f"PRAGMA busy_timeout = {_EMPTYING_MS}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def connect(path: Path, timeout_s: float = WRITING_S) -> sqlite3.Connection:
    """Open a file that exists, and no other, whatever is in its name. Raises sqlite3.Error.

    SQLite makes a file that is missing, unless an address says otherwise; `as_uri` quotes what means something there.
    """
    address = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=timeout_s, check_same_thread=False)


def store_error(error: OSError | sqlite3.Error, path: Path) -> StoreError:
    """What went wrong with the store, in one line that says what to do."""
    if isinstance(error, OSError):
        return _disk_error(error, path)
    if isinstance(error, sqlite3.IntegrityError):  # nothing is wrong with the file itself
        return NotFitting(
            "This is kept already, or what it belongs to is gone: load the page again. Nothing was changed."
        )
    text = str(error)
    if "is full" in text:
        return DiskFull("The disk is full: make room on it, then try again. Nothing was changed.")
    if "locked" in text:
        return StoreError(
            f"Another program holds the game store {path.name}: close it, then try again. Nothing was changed."
        )
    if "readonly" in text or "unable to open" in text:
        return StoreError(
            f"The folder {path.parent} cannot be written: see that the disk is not read-only and that the folder is "
            "yours, then try again. Nothing was changed."
        )
    if "malformed" in text or "not a database" in text:
        return StoreError(
            f"{path} cannot be used as a game store ({text}): start Upscore again, which saves what can be saved."
        )
    if "disk I/O" in text:
        return StoreError(
            f"The disk did not take or give what was asked of it ({text}): see that it has room and is in order, "
            "then try again. Nothing was changed."
        )
    return StoreError(
        f"{path} cannot be used as a game store ({text}): move it away, or give another --data."
    )


def _disk_error(error: OSError, path: Path) -> StoreError:
    if error.errno in (28, 122):  # ENOSPC, EDQUOT
        return DiskFull("The disk is full: make room on it, then try again. Nothing was changed.")
    return StoreError(
        f"The data folder {path.parent} cannot be used ({error.strerror}): give another --data."
    )


def _disk_refuses(error: OSError | sqlite3.Error) -> bool:
    return isinstance(error, OSError) or any(
        sign in str(error) for sign in ("is full", "readonly", "unable to open", "disk I/O")
    )


def _keep_private(path: Path) -> None:
    """The file is its owner's alone from its first moment on; its helper files take after it."""
    if path.exists():
        with suppress(OSError):
            path.chmod(0o600)
    else:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
