"""The SQLite file behind the store, and its rows.

It is written all or nothing, and still read where the disk takes no more.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from threading import Lock

from engine import Game
from engine.json_reading import load_own_json
from engine.wording import join_texts, phrase, turns_text
from webui.errors import DiskFull, NotFitting, StoreError
from webui.storage.schema import migrate


@dataclass(frozen=True)
class GameRow:
    """A stored game. `version` counts its saves; `summary`, `log`, `pending` and `belief` are JSON texts.

    `load_summary` reads the summary. `pending` is the waiting question, or None. `created_at` and `updated_at` are
    UTC, ISO 8601, for people to read. With every change, `touched` becomes one more than that of any game, so that
    games can be ordered even if the clock is wrong. `every_round` says that the table photographs once a round, not
    after every turn. `ended` is what `touched` became when the game ended, 0 while it goes on.
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
    every_round: bool = False
    ended: int = 0


@dataclass(frozen=True)
class PhotoRow:
    """A photograph of a game, from an "upload", a "camera" or the "demo"; `key` names its files.

    `entry` is the number of the log entry that it shows: -1 for the start board, None if it shows no turn. `summary`
    says in a line what was read. `digest` is the hash of the uploaded file. `version` is the game's version after the
    photograph was handled, None until then. `sent_as` is the key that its sender gave it. `lifted` has the tiles that,
    as it showed, were off the board again, in notation. `reading` is what `dump_reading` wrote for a report.
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
    reading: str | None = None


@dataclass(frozen=True)
class SoloTotal:
    """The total of a finished solo game, for the record of its `terms` (`engine.analysis.solo_record.solo_terms`)."""

    terms: str
    player: str
    total: int


@dataclass(frozen=True)
class SoloRow(SoloTotal):
    """The total of a finished solo game as it is stored: with the game, and when it ended (UTC, ISO 8601)."""

    game_id: int
    finished_at: str


def utc_now(ago_s: float = 0.0) -> str:
    """Return the time `ago_s` seconds ago in UTC as ISO 8601 with microseconds, so that texts sort like times."""
    return (datetime.now(timezone.utc) - timedelta(seconds=ago_s)).isoformat(timespec="microseconds")


def game_row(row: sqlite3.Row) -> GameRow:
    """Make a GameRow from a row of the table of games."""
    values = dict(row)
    flags = {name: bool(values[name]) for name in ("demo", "finished", "every_round")}
    return GameRow(**{**values, **flags})


def put_solo(connection: sqlite3.Connection, row: SoloRow) -> None:
    """Store a solo total. A game that is corrected later keeps the time at which it ended."""
    connection.execute(
        "INSERT INTO solo_totals (game_id, terms, player, total, finished_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT(game_id) DO UPDATE SET terms = excluded.terms, player = excluded.player,"
        " total = excluded.total",
        (row.game_id, row.terms, row.player, row.total, row.finished_at),
    )


@dataclass(frozen=True)
class Summary:
    """The edition of a game, the number of turns without plays taken back, each player's points, and who won."""

    edition: str
    turns: int
    totals: dict[str, int]
    winners: tuple[str, ...]

    def __str__(self) -> str:
        """Return a line for people: ``"10x10, 7 turns: Red 42, Blue 30"``."""
        points = ", ".join(f"{name} {total}" for name, total in self.totals.items())
        return f"{self.edition}, {turns_text(self.turns)}: {points}"


def summarize(game: Game) -> Summary:
    """Return the summary of a game as it stands."""
    turns = sum(not turn.taken_back for turn in game.turns)
    return Summary(game.setup.edition.name, turns, game.totals, game.winners)


def dump_summary(summary: Summary) -> str:
    """Return the summary as JSON text, the inverse of `load_summary`."""
    return json.dumps(asdict(summary), separators=(",", ":"))


def load_summary(text: str) -> Summary | None:
    """Read the text that `dump_summary` wrote. Return None for a sentence, which earlier versions stored."""
    try:
        data = load_own_json(text)
        totals = {str(name): int(total) for name, total in data["totals"].items()}
        return Summary(str(data["edition"]), int(data["turns"]), totals, tuple(map(str, data["winners"])))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


WRITE_WAIT_S = 4.0
READ_WAIT_S = 0.5
"""Seconds to wait for another program that holds the file, when we write and when we read. [by eye]"""
_EMPTYING_MS = 1000
"""Milliseconds that a write waits for readers before it leaves the log to the next write.

The page reads in milliseconds, and a backup of 100 MB in less than a second. [by eye]"""
_MAX_ANSWERS = 512
"""Answers kept for the time when the disk fails. A page needs four. [by eye]"""


class Answers:
    """The newest answer to each query of a file, for when the disk fails."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = Lock()

    def newest(self, key: Hashable) -> object | None:
        """Return the newest answer to a query; None if there is none."""
        with self._lock:
            return self._known.get(key)

    def remember(self, key: Hashable, answer: object) -> None:
        """Keep an answer, unless a newer version of the game's row is held because threads overtook one another."""
        with self._lock:
            held = self._known.get(key)
            if isinstance(held, GameRow) and isinstance(answer, GameRow) and held.version > answer.version:
                return
            self._known[key] = answer
            self._known.move_to_end(key)
            while len(self._known) > _MAX_ANSWERS:
                self._known.popitem(last=False)

    def forget(self, key: Hashable) -> None:
        """Drop the answer to a query, as when its game is deleted."""
        with self._lock:
            self._known.pop(key, None)


class Database:
    """A SQLite file. Every `reading` and `writing` has its own connection, and any thread may use them.

    Readers never wait, because writes go to a log first (SQLite's WAL). Each write then empties the log into the file.
    So the file alone holds all games, and a person or a sync program may copy it at any time.

    If the file cannot be written when it is opened, a copy is read instead, and `look_only` says why.
    `before_migration` is called with the old version before the tables change.

    :raises StoreError: on construction, if the file cannot be used at all.
    """

    def __init__(self, path: Path, before_migration: Callable[[int], None] = lambda _: None) -> None:
        self.path = path
        self.look_only: str | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        try:
            _keep_private(path)
            # Held open: while the file is open its helper files stay, so that reading needs no new ones.
            self._anchor = self._connect(WRITE_WAIT_S)
            self._anchor.execute("PRAGMA journal_mode = WAL")
            migrate(self._anchor, before_migration)
            self._anchor.execute("SELECT COUNT(*) FROM games").fetchone()
            _empty_log(self._anchor)
        except (OSError, sqlite3.Error) as error:
            self._look_only(error)

    def close(self) -> None:
        """Close the file."""
        self._anchor.close()
        if self._copy is not None:
            self._copy.cleanup()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection to read with; raises StoreError."""
        try:
            with closing(self._connect(READ_WAIT_S)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise store_error(error, self.path) from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a transaction, which reaches the disk whole or not at all; raises StoreError."""
        if self.look_only is not None:
            raise StoreError(
                join_texts(
                    (
                        self.look_only,
                        phrase("You can look at games. To change one, solve this and start Upscore again."),
                    )
                )
            )
        try:
            with closing(self._connect(WRITE_WAIT_S)) as connection:
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
        """Go on with a copy for reading if the problem is just the disk; otherwise raise StoreError."""
        if hasattr(self, "_anchor"):
            self._anchor.close()
        reason = store_error(error, self.path)
        signs = ("is full", "readonly", "unable to open", "disk I/O")
        disk_refuses = isinstance(error, OSError) or any(sign in str(error) for sign in signs)
        if not disk_refuses or not self.path.is_file() or not self.path.stat().st_size:
            raise reason from None
        self._copy = tempfile.TemporaryDirectory(prefix="upscore-look-")
        try:
            self.path = copy_files(self.path, Path(self._copy.name))
            self._anchor = self._connect(READ_WAIT_S)
            migrate(self._anchor)
        except (OSError, sqlite3.Error, StoreError):
            self._copy.cleanup()
            raise reason from None
        self.look_only = str(reason)


def copy_files(store: Path, to: Path) -> Path:
    """Copy a store and its log into the folder `to`, and return the copy. SQLite can't open one on a read-only disk."""
    copied = to / store.name
    for suffix in ("", "-wal"):
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{store}{suffix}", f"{copied}{suffix}")
    return copied


def _empty_log(connection: sqlite3.Connection) -> None:
    """Move the entries of the log into the file itself. If that isn't possible now, the next write does it."""
    with suppress(sqlite3.Error):
        connection.execute(f"PRAGMA busy_timeout = {_EMPTYING_MS}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def connect(path: Path, timeout_s: float = WRITE_WAIT_S) -> sqlite3.Connection:
    """Open a SQLite file that exists, whatever characters its name has; raises sqlite3.Error.

    SQLite would create a missing file, so the file is given as a URI with `mode=rw`. `as_uri` quotes special
    characters.
    """
    address = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=timeout_s, check_same_thread=False)


def store_error(error: OSError | sqlite3.Error, path: Path) -> StoreError:
    """Return what went wrong with the store, in one line that says what to do."""
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return DiskFull()
        if error.errno == errno.EROFS:
            return _unwritable_error(path.parent)
        return StoreError(
            phrase(
                "The data folder %(folder)s cannot be used (%(reason)s): give another --data.",
                folder=path.parent,
                reason=error.strerror,
            )
        )
    if isinstance(error, sqlite3.IntegrityError):  # the file itself is sound
        return NotFitting(
            phrase("This is kept already, or what it belongs to is gone: load the page again. Nothing was changed.")
        )
    text = str(error)
    if "is full" in text:
        return DiskFull()
    if "locked" in text or "locking protocol" in text:
        return StoreError(
            phrase(
                "Another program holds the game store %(name)s, or it lies on a network drive without locks: "
                "close that program, or give a --data on a disk of this computer. Nothing was changed.",
                name=path.name,
            )
        )
    if "readonly" in text or "unable to open" in text:
        return _unwritable_error(path.parent)
    if "malformed" in text or "not a database" in text:
        return StoreError(
            phrase(
                "%(path)s cannot be used as a game store (%(reason)s): start Upscore again, which saves what "
                "can be saved.",
                path=path,
                reason=text,
            )
        )
    if "disk I/O" in text:
        return StoreError(
            phrase(
                "The disk could not be read or written (%(reason)s): check that it has room and is sound, then "
                "try again. Nothing was changed.",
                reason=text,
            )
        )
    return StoreError(
        phrase(
            "%(path)s cannot be used as a game store (%(reason)s): move it away, or give another --data.",
            path=path,
            reason=text,
        )
    )


def _unwritable_error(folder: Path) -> StoreError:
    return StoreError(
        phrase(
            "The folder %(folder)s cannot be written: check that the disk is not read-only and that the "
            "folder is yours, then try again. Nothing was changed.",
            folder=folder,
        )
    )


def _keep_private(path: Path) -> None:
    """Let only the owner read the file, from the start. SQLite gives its helper files the same rights."""
    if path.exists():
        with suppress(OSError):
            path.chmod(0o600)
    else:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
