"""What each game has taught of its tiles, in the store: a row for every game that was learned from, or is not to be."""

from __future__ import annotations

from webui.storage.database import Database
from webui.storage.rows import GameRow, game_row, utc_now

KEPT = 8
"""The newest games of an edition that teach: what a set looks like changes with wear and light. By eye."""


class LessonRows:
    """The table `tile_lessons`. Every method is one transaction and may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_edition(self, edition: str, *, but: int | None = None) -> tuple[str, ...]:
        """What the games of an edition have taught, the newest first; one of them may be left out."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT lessons FROM tile_lessons WHERE edition = ? AND lessons IS NOT NULL AND game_id IS NOT ?"
                " ORDER BY learned_at DESC LIMIT ?",
                (edition, but, KEPT),
            ).fetchall()
        return tuple(str(row["lessons"]) for row in rows)

    def counts(self) -> dict[str, int]:
        """From how many games the tiles of each edition are known; editions of none are left out."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT edition, COUNT(*) AS games FROM tile_lessons WHERE lessons IS NOT NULL"
                " GROUP BY edition ORDER BY edition"
            ).fetchall()
        return {str(row["edition"]): int(row["games"]) for row in rows}

    def due(self, untouched_since: str) -> GameRow | None:
        """The newest game that may be learned from and was not yet, as it is now; None where there is none.

        It is over, or nobody has touched it since a time, UTC, ISO 8601. Only the newest few games are looked at.
        """
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT * FROM (SELECT * FROM games WHERE NOT demo AND (finished OR updated_at < ?)"
                " ORDER BY touched DESC LIMIT ?) AS newest WHERE NOT EXISTS (SELECT 1 FROM tile_lessons AS known"
                " WHERE known.game_id = newest.id AND (known.forgotten OR known.game_version = newest.version))"
                " ORDER BY touched DESC LIMIT 1",
                (untouched_since, KEPT),
            ).fetchone()
        return None if row is None else game_row(row)

    def put(self, game_id: int, edition: str, game_version: int, lessons: str | None) -> bool:
        """Store what a game has taught by that version of it, None for nothing; the oldest beyond `KEPT` go.

        False where it was forgotten meanwhile, which stays so.
        """
        with self._database.writing() as connection:
            changed = connection.execute(
                "INSERT INTO tile_lessons (game_id, edition, game_version, learned_at, lessons) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT(game_id) DO UPDATE SET edition = excluded.edition, lessons = excluded.lessons,"
                " game_version = excluded.game_version WHERE NOT forgotten",
                (game_id, edition, game_version, utc_now(), lessons),
            ).rowcount
            connection.execute(
                "UPDATE tile_lessons SET lessons = NULL WHERE edition = ? AND lessons IS NOT NULL AND game_id NOT IN"
                " (SELECT game_id FROM tile_lessons WHERE edition = ? AND lessons IS NOT NULL"
                " ORDER BY learned_at DESC LIMIT ?)",
                (edition, edition, KEPT),
            )
        return bool(changed)

    def leave_out(self, game_id: int, edition: str) -> None:
        """Never learn from a game."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO tile_lessons (game_id, edition, game_version, learned_at, forgotten)"
                " VALUES (?, ?, 0, ?, 1)",
                (game_id, edition, utc_now()),
            )

    def forget(self, edition: str, untouched_since: str) -> None:
        """Forget the tiles of an edition: no game that is over by now, as `due` has it, teaches them again."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE tile_lessons SET lessons = NULL, forgotten = 1 WHERE edition = ?", (edition,)
            )
            connection.execute(
                "INSERT OR IGNORE INTO tile_lessons (game_id, edition, game_version, learned_at, forgotten)"
                " SELECT id, ?, version, ?, 1 FROM games WHERE (finished OR updated_at < ?) AND"
                " CASE WHEN json_valid(log) THEN json_extract(log, '$.edition') END = ?",
                (edition, utc_now(), untouched_since, edition),
            )
