"""What the store keeps, row by row."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timezone

from engine.game.game import Game


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
