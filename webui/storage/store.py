"""Games and what belongs to them, kept in SQLite so that they survive a restart or a power cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

from webui.errors import NotThere, Outdated, StoreError
from webui.storage.schema import migrate

FILE_NAME = "upscore.sqlite3"


@dataclass(frozen=True)
class GameRow:
    """A stored game. `version` counts its saves; `log`, `pending` and `belief` are JSON texts.

    `pending` is the reading that waits for an answer, None when nothing waits. `created_at` and `updated_at`
    are UTC, ISO 8601.
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


@dataclass(frozen=True)
class PhotoRow:
    """A photograph of a game: `entry` is the number of the log entry that it shows, -1 for the start board,
    None for one that no turn was taken from.

    `key` names its files; `source` is "upload", "camera" or "demo"; `summary` says what was read, in a line. `digest`
    is that of the file that was uploaded, None where there was none; `version` the one in which taking the photograph
    left the game, None while it is being taken.
    """

    key: str
    game_id: int
    taken_at: str
    source: str
    entry: int | None
    summary: str
    digest: str | None = None
    version: int | None = None


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


class Store:
    """The games under a data folder. Every method is one transaction and may be called from any thread.

    Raises StoreError, on construction, when the folder or the file cannot be used.
    """

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / FILE_NAME
        try:
            data_dir.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                migrate(connection)
        except OSError as error:
            raise StoreError(
                f"The data folder {data_dir} cannot be used ({error.strerror}): give another --data."
            ) from None
        except sqlite3.Error as error:
            raise StoreError(
                f"{self.path} cannot be used as a game store ({error}): move it away, or give another --data."
            ) from None

    def add_game(self, *, title: str, summary: str, log: str, lexicon: str, demo: bool) -> GameRow:
        """Store a new game and return it."""
        now = utc_now()
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO games (created_at, updated_at, version, title, summary, log, lexicon, pending,"
                " demo, finished) VALUES (?, ?, 1, ?, ?, ?, ?, NULL, ?, 0)",
                (now, now, title, summary, log, lexicon, int(demo)),
            )
            return _game(connection, int(cursor.lastrowid or 0))

    def game(self, game_id: int) -> GameRow:
        """The game of that number; raises NotThere."""
        with closing(self._connect()) as connection:
            return _game(connection, game_id)

    def games(self) -> tuple[GameRow, ...]:
        """All games, the one touched last first."""
        with closing(self._connect()) as connection:
            rows = connection.execute("SELECT * FROM games ORDER BY updated_at DESC, id DESC").fetchall()
        return tuple(_game_row(row) for row in rows)

    def save_game(
        self,
        game_id: int,
        *,
        version: int,
        summary: str,
        log: str,
        pending: str | None,
        finished: bool,
        belief: str | None = None,
        shown_by: tuple[str, int] | None = None,
        solo: SoloTotal | None = None,
    ) -> GameRow:
        """Store the game as it is after an event, in one transaction with all that hangs on it.

        `shown_by` gives a photograph's key and the entry of the game's log that it shows from now on; `solo` is
        what the game now adds to the record of solo totals, None for nothing.
        Raises Outdated unless the stored version is `version`.
        """
        with self._transaction() as connection:
            if _game(connection, game_id).version != version:
                raise Outdated("The game has moved on: look at it again, then repeat what is still wanted.")
            connection.execute(
                "UPDATE games SET updated_at = ?, version = version + 1, summary = ?, log = ?, pending = ?,"
                " finished = ?, belief = ? WHERE id = ?",
                (utc_now(), summary, log, pending, int(finished), belief, game_id),
            )
            if shown_by is not None:
                key, entry = shown_by
                connection.execute("UPDATE photos SET entry = ? WHERE key = ?", (entry, key))
            if solo is None:
                connection.execute("DELETE FROM solo_totals WHERE game_id = ?", (game_id,))
            else:
                _put_solo(connection, SoloRow(solo.terms, solo.player, solo.total, game_id, utc_now()))
            return _game(connection, game_id)

    def delete_game(self, game_id: int) -> None:
        """Remove a game and the rows of its photographs."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM games WHERE id = ?", (game_id,))

    def solo_totals(self, terms: str) -> tuple[SoloRow, ...]:
        """The totals of the finished solo games of these terms, in the order in which they ended."""
        with closing(self._connect()) as connection:
            rows = connection.execute(
                "SELECT * FROM solo_totals WHERE terms = ? ORDER BY finished_at, game_id", (terms,)
            ).fetchall()
        return tuple(SoloRow(**dict(row)) for row in rows)

    def unrecorded_solo_games(self) -> tuple[GameRow, ...]:
        """The finished games of one player that the record of solo totals does not have, demos left out."""
        with closing(self._connect()) as connection:
            rows = connection.execute(
                "SELECT * FROM games WHERE finished AND NOT demo"
                " AND CASE WHEN json_valid(log) THEN json_array_length(log, '$.players') END = 1"
                " AND id NOT IN (SELECT game_id FROM solo_totals) ORDER BY updated_at"
            ).fetchall()
        return tuple(_game_row(row) for row in rows)

    def add_solo_total(self, row: SoloRow) -> None:
        """Store what a game adds to the record of solo totals."""
        with self._transaction() as connection:
            _put_solo(connection, row)

    def add_photo(self, photo: PhotoRow) -> None:
        """Store what is known of a photograph whose files are written."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO photos (key, game_id, taken_at, source, entry, summary, digest, version)"
                " VALUES (:key, :game_id, :taken_at, :source, :entry, :summary, :digest, :version)",
                asdict(photo),
            )

    def photo_taken(self, key: str, version: int) -> None:
        """Note the version in which taking a photograph left its game."""
        with self._transaction() as connection:
            connection.execute("UPDATE photos SET version = ? WHERE key = ?", (version, key))

    def newest_photo(self, game_id: int) -> PhotoRow | None:
        """The photograph of a game that came last, whether it shows a turn or not; None where there is none."""
        with closing(self._connect()) as connection:
            row = connection.execute(
                "SELECT * FROM photos WHERE game_id = ? ORDER BY taken_at DESC, rowid DESC LIMIT 1",
                (game_id,),
            ).fetchone()
        return None if row is None else _photo_row(row)

    def photo(self, key: str) -> PhotoRow:
        """The photograph of that key; raises NotThere."""
        with closing(self._connect()) as connection:
            row = connection.execute("SELECT * FROM photos WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise NotThere("There is no such photograph.")
        return _photo_row(row)

    def photos(self, game_id: int) -> dict[int, PhotoRow]:
        """The photographs of a game that show something, by the log entry that they show."""
        with closing(self._connect()) as connection:
            rows = connection.execute(
                "SELECT * FROM photos WHERE game_id = ? AND entry IS NOT NULL ORDER BY taken_at", (game_id,)
            ).fetchall()
        return {int(row["entry"]): _photo_row(row) for row in rows}

    def photo_keys(self) -> frozenset[str]:
        """The keys of all photographs of all games."""
        with closing(self._connect()) as connection:
            return frozenset(str(row["key"]) for row in connection.execute("SELECT key FROM photos"))

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=10.0, isolation_level=None)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")


def utc_now() -> str:
    """The time now, UTC, ISO 8601 with microseconds, so that texts sort as times do."""
    return datetime.now(timezone.utc).isoformat(timespec="microseconds")


def _game(connection: sqlite3.Connection, game_id: int) -> GameRow:
    known = 0 < game_id < 2**63  # the numbers that SQLite has
    row = connection.execute("SELECT * FROM games WHERE id = ?", (game_id,)).fetchone() if known else None
    if row is None:
        raise NotThere("There is no such game: choose one from the list of games.")
    return _game_row(row)


def _put_solo(connection: sqlite3.Connection, row: SoloRow) -> None:
    """A game that was corrected keeps the time at which it ended."""
    connection.execute(
        "INSERT INTO solo_totals (game_id, terms, player, total, finished_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT(game_id) DO UPDATE SET terms = excluded.terms, player = excluded.player,"
        " total = excluded.total",
        (row.game_id, row.terms, row.player, row.total, row.finished_at),
    )


def _game_row(row: sqlite3.Row) -> GameRow:
    values = dict(row)
    return GameRow(**{**values, "demo": bool(values["demo"]), "finished": bool(values["finished"])})


def _photo_row(row: sqlite3.Row) -> PhotoRow:
    return PhotoRow(**dict(row))
