"""The store of games and their photographs in SQLite. It survives a restart or a power cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Hashable
from dataclasses import asdict
from pathlib import Path
from typing import Literal, TypeVar

from engine.wording import phrase
from webui.errors import NotThere, Outdated, StoreError
from webui.ports import unguessable_id
from webui.storage.database import Answers, Database, GameRow, PhotoRow, SoloRow, SoloTotal, game_row, put_solo, utc_now

FILE_NAME = "upscore.sqlite3"
_MAX_TRIES = 20

T = TypeVar("T")


class Store(Database):
    """The games under a data folder. Every method is one transaction and may be called from any thread.

    The newest answer to each query is kept, so that it can be given again if the disk fails. `new_id` numbers new
    games.

    :raises StoreError: on construction, if the folder or the file cannot be used.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        new_id: Callable[[], int] = unguessable_id,
        before_migration: Callable[[int], None] = lambda _: None,
    ) -> None:
        super().__init__(data_dir / FILE_NAME, before_migration)
        self._new_id = new_id
        self._answers = Answers()

    def add_game(
        self, *, title: str, summary: str, log: str, lexicon: str, demo: bool, every_round: bool = False
    ) -> GameRow:
        """Store a new game and return it."""
        now = utc_now()
        with self.writing() as connection:
            number = self._free_number(connection)
            connection.execute(
                "INSERT INTO games (id, created_at, updated_at, version, title, summary, log, lexicon, pending,"
                f" demo, finished, touched, every_round) VALUES (?, ?, ?, 1, ?, ?, ?, ?, NULL, ?, 0, {_NEXT_TOUCH}, ?)",
                (number, now, now, title, summary, log, lexicon, int(demo), int(every_round)),
            )
            row = _game(connection, number)
        self._answers.remember(("game", number), row)
        return row

    def game(self, game_id: int) -> GameRow:
        """Return the game of that number; raises NotThere."""
        return self._read(("game", game_id), lambda connection: _game(connection, game_id))

    def version(self, game_id: int) -> int:
        """Return how often the game was saved, from memory: every viewer asks after every save. Raises NotThere."""
        row = self._answers.newest(("game", game_id))
        return row.version if isinstance(row, GameRow) else self.game(game_id).version

    def games(self) -> tuple[GameRow, ...]:
        """Return all games, the one touched last first."""
        query = "SELECT * FROM games ORDER BY touched DESC"
        rows = self._read("games", lambda connection: connection.execute(query).fetchall())
        return tuple(game_row(row) for row in rows)

    def save_game(
        self,
        row: GameRow,
        *,
        shown_by: tuple[str, int] | None = None,
        taken: str | None = None,
        solo: SoloTotal | None = None,
        anew: bool = False,
    ) -> GameRow:
        """Store the state of a game after an event, in one transaction with all that depends on it; return its new row.

        A game that is corrected after its end keeps its place among those that ended.

        :param row: The row as it was, with the new summary, log, question and belief.
        :param shown_by: The key of a photograph, and the entry of the log that it shows from now on.
        :param taken: The key of the photograph whose handling ends with this save.
        :param solo: The game's total for the record of solo games; None if it has none.
        :param anew: Whether the log has been restarted, so that no photograph shows an entry of it.
        :raises Outdated: unless the stored version is that of `row`.
        """
        game_id = row.id
        with self.writing() as connection:
            if _game(connection, game_id).version != row.version:
                raise Outdated
            connection.execute(
                "UPDATE games SET updated_at = ?, version = version + 1, summary = ?, log = ?, pending = ?,"
                f" finished = ?, belief = ?, touched = {_NEXT_TOUCH},"
                f" ended = CASE WHEN NOT ? THEN 0 WHEN ended THEN ended ELSE {_NEXT_TOUCH} END WHERE id = ?",
                (utc_now(), row.summary, row.log, row.pending, row.finished, row.belief, row.finished, game_id),
            )
            if anew:
                connection.execute("UPDATE photos SET entry = NULL WHERE game_id = ? AND entry >= 0", (game_id,))
            if shown_by is not None:
                key, entry = shown_by
                connection.execute("UPDATE photos SET entry = ? WHERE key = ?", (entry, key))
            if taken is not None:
                connection.execute("UPDATE photos SET version = ? WHERE key = ?", (row.version + 1, taken))
            if solo is None:
                connection.execute("DELETE FROM solo_totals WHERE game_id = ?", (game_id,))
            else:
                put_solo(connection, SoloRow(solo.terms, solo.player, solo.total, game_id, utc_now()))
            saved = _game(connection, game_id)
        self._answers.remember(("game", game_id), saved)
        return saved

    def set(self, game_id: int, column: Literal["title", "every_round"], value: str | bool) -> None:
        """Set a column of a game that isn't part of its state, so that its version stays; raises NotThere."""
        with self.writing() as connection:
            connection.execute(f"UPDATE games SET {column} = ? WHERE id = ?", (value, game_id))
            row = _game(connection, game_id)
        self._answers.remember(("game", game_id), row)

    def delete_game(self, game_id: int, version: int | None = None) -> frozenset[str]:
        """Remove a game with its photographs, and return their keys; raises Outdated unless it has this `version`."""
        with self.writing() as connection:
            if version is not None and _game(connection, game_id).version != version:
                raise Outdated(phrase("Someone just changed the game. Check it before you delete it."))
            rows = connection.execute("SELECT key FROM photos WHERE game_id = ?", (game_id,)).fetchall()
            connection.execute("DELETE FROM games WHERE id = ?", (game_id,))
        self._answers.forget(("game", game_id))
        return frozenset(str(row["key"]) for row in rows)

    def solo_totals(self, terms: str) -> tuple[SoloRow, ...]:
        """Return the totals of the finished solo games with these terms, in the order in which they ended."""
        query = "SELECT * FROM solo_totals WHERE terms = ? ORDER BY finished_at, game_id"
        rows = self._read(("solo", terms), lambda connection: connection.execute(query, (terms,)).fetchall())
        return tuple(SoloRow(**dict(row)) for row in rows)

    def list_unrecorded_solo_games(self) -> tuple[GameRow, ...]:
        """Return the finished games of one player that the record of solo totals lacks, without demos."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT * FROM games WHERE finished AND NOT demo"
                " AND CASE WHEN json_valid(log) THEN json_array_length(log, '$.players') END = 1"
                " AND id NOT IN (SELECT game_id FROM solo_totals) ORDER BY updated_at"
            ).fetchall()
        return tuple(game_row(row) for row in rows)

    def add_solo_total(self, row: SoloRow) -> None:
        """Store a game's total in the record of solo totals."""
        with self.writing() as connection:
            put_solo(connection, row)

    def add_photo(self, photo: PhotoRow) -> None:
        """Store the row of a photograph whose files are written; raises NotThere if its game is gone."""
        with self.writing() as connection:
            _game(connection, photo.game_id)
            connection.execute(
                "INSERT INTO photos (key, game_id, taken_at, source, entry, summary, digest, version, sent_as, lifted,"
                " reading) VALUES (:key, :game_id, :taken_at, :source, :entry, :summary, :digest, :version, :sent_as,"
                " :lifted, :reading)",
                asdict(photo),
            )

    def find_photo_sent_as(self, game_id: int, sent_as: str) -> PhotoRow | None:
        """Return the photograph of a game that was sent with that key and handled; None if there is none."""
        return self._photo("game_id = ? AND sent_as = ? AND version IS NOT NULL", game_id, sent_as)

    def newest_photo(self, game_id: int) -> PhotoRow | None:
        """Return the newest photograph of a game, whether it shows a turn or not; None if there is none."""
        return self._photo("game_id = ? ORDER BY rowid DESC LIMIT 1", game_id)

    def find_newest_taken(self, game_id: int) -> str | None:
        """Return when the newest photograph that a game has handled was taken, or None.

        Times in the future are left out: the computer's clock was set back since.
        """
        query = "SELECT MAX(taken_at) AS newest FROM photos WHERE game_id = ? AND version IS NOT NULL AND taken_at <= ?"
        with self.reading() as connection:
            row = connection.execute(query, (game_id, utc_now())).fetchone()
        return None if row["newest"] is None else str(row["newest"])

    def photo(self, key: str) -> PhotoRow:
        """Return the photograph of that key; raises NotThere."""
        photo = self._photo("key = ?", key)
        if photo is None:
            raise NotThere(phrase("There is no such photograph."))
        return photo

    def _photo(self, which: str, *values: str | int) -> PhotoRow | None:
        with self.reading() as connection:
            row = connection.execute(f"SELECT * FROM photos WHERE {which}", values).fetchone()
        return None if row is None else PhotoRow(**dict(row))

    def photos(self, game_id: int) -> dict[int, PhotoRow]:
        """Return the photographs of a game that show an entry, by the number of that log entry."""
        query = "SELECT * FROM photos WHERE game_id = ? AND entry IS NOT NULL ORDER BY rowid"
        rows = self._read(("photos", game_id), lambda connection: connection.execute(query, (game_id,)).fetchall())
        return {int(row["entry"]): PhotoRow(**dict(row)) for row in rows}

    def photo_keys(self) -> frozenset[str]:
        """Return the keys of all photographs of all games."""
        return self._keys("SELECT key FROM photos")

    def _keys(self, query: str, *values: object) -> frozenset[str]:
        with self.reading() as connection:
            return frozenset(str(row["key"]) for row in connection.execute(query, values))

    def keys_before(self, stamp: str) -> frozenset[str]:
        """Return the keys of the photographs of games not changed since a time (UTC, ISO 8601)."""
        query = "SELECT key FROM photos JOIN games ON games.id = game_id WHERE updated_at < ?"
        return self._keys(query, stamp)

    def drop_photos(self, keys: Collection[str]) -> None:
        """Remove the rows of photographs whose pictures are deleted."""
        with self.writing() as connection:
            connection.executemany("DELETE FROM photos WHERE key = ?", [(key,) for key in keys])

    def _free_number(self, connection: sqlite3.Connection) -> int:
        for _ in range(_MAX_TRIES):
            number = self._new_id()
            if connection.execute("SELECT 1 FROM games WHERE id = ?", (number,)).fetchone() is None:
                return number
        raise StoreError(phrase("No number is free for a new game: delete some games, then try again."))

    def _read(self, key: Hashable, ask: Callable[[sqlite3.Connection], T]) -> T:
        """Return the answer from the disk, or the newest known one if the disk fails; raises StoreError without one."""
        try:
            with self.reading() as connection:
                answer = ask(connection)
        except StoreError:
            known = self._answers.newest(key)
            if known is None:
                raise
            return known  # type: ignore[return-value]
        self._answers.remember(key, answer)
        return answer


_NEXT_TOUCH = "(SELECT COALESCE(MAX(touched), 0) + 1 FROM games)"


def _game(connection: sqlite3.Connection, game_id: int) -> GameRow:
    possible = 0 < game_id < 2**63  # SQLite has no larger numbers
    row = connection.execute("SELECT * FROM games WHERE id = ?", (game_id,)).fetchone() if possible else None
    if row is None:
        raise NotThere(phrase("There is no such game: choose one from the list of games."))
    return game_row(row)
