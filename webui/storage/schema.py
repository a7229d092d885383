"""The tables of the game store and their migrations, numbered by SQLite's user_version."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from engine.wording import phrase
from webui.errors import StoreError

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        version INTEGER NOT NULL,
        title TEXT NOT NULL,
        summary TEXT NOT NULL,
        log TEXT NOT NULL,
        lexicon TEXT NOT NULL,
        pending TEXT,
        demo INTEGER NOT NULL,
        finished INTEGER NOT NULL
    );
    CREATE TABLE photos (
        key TEXT PRIMARY KEY,
        game_id INTEGER NOT NULL REFERENCES games(id) ON DELETE CASCADE,
        taken_at TEXT NOT NULL,
        source TEXT NOT NULL,
        entry INTEGER,
        summary TEXT NOT NULL
    );
    CREATE INDEX photos_of_game ON photos(game_id, entry);
    """,
    """
    CREATE TABLE solo_totals (
        game_id INTEGER PRIMARY KEY REFERENCES games(id) ON DELETE CASCADE,
        terms TEXT NOT NULL,
        player TEXT NOT NULL,
        total INTEGER NOT NULL,
        finished_at TEXT NOT NULL
    );
    CREATE INDEX solo_totals_of_terms ON solo_totals(terms, finished_at);
    """,
    """
    ALTER TABLE photos ADD COLUMN digest TEXT;
    ALTER TABLE photos ADD COLUMN version INTEGER;
    """,
    """
    ALTER TABLE games ADD COLUMN belief TEXT;
    """,
    """
    ALTER TABLE games ADD COLUMN touched INTEGER NOT NULL DEFAULT 0;
    UPDATE games SET touched = (
        SELECT COUNT(*) FROM games AS other
        WHERE other.updated_at < games.updated_at OR (other.updated_at = games.updated_at AND other.id <= games.id)
    );
    """,
    """
    ALTER TABLE photos ADD COLUMN sent_as TEXT;
    ALTER TABLE photos ADD COLUMN lifted TEXT;
    """,
    # There is no reference to games: the lessons of a game outlive it.
    """
    CREATE TABLE tile_lessons (
        game_id INTEGER PRIMARY KEY,
        edition TEXT NOT NULL,
        game_version INTEGER NOT NULL,
        learned_at TEXT NOT NULL,
        lessons TEXT,
        forgotten INTEGER NOT NULL DEFAULT 0
    );
    """,
    """
    ALTER TABLE games ADD COLUMN every_round INTEGER NOT NULL DEFAULT 0;
    """,
    """
    ALTER TABLE games ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
    UPDATE games SET ended = touched WHERE finished;
    """,
    """
    ALTER TABLE photos ADD COLUMN reading TEXT;
    """,
)
"""Scripts, of which number k takes a store from version k to k + 1."""


def migrate(
    connection: sqlite3.Connection, before: Callable[[int], None] = lambda _: None, to: int = len(MIGRATIONS)
) -> None:
    """Bring the store to the newest version, or to version `to` if it is older, all or nothing.

    `before` is called with the old version if an existing store is about to change.

    :raises StoreError: if a newer Upscore wrote the store.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise StoreError(
            phrase(
                "The data folder was written by a newer Upscore (store version %(version)s): update, or give "
                "another --data.",
                version=version,
            )
        )
    if 0 < version < len(MIGRATIONS):
        before(version)
    for at in range(version, min(to, len(MIGRATIONS))):
        connection.executescript(f"BEGIN IMMEDIATE; {MIGRATIONS[at]} PRAGMA user_version = {at + 1}; COMMIT;")
