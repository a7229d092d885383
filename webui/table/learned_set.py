"""What each game has taught of its tiles, in the store: a row for every game that was learned from, or is not to be.

The family's own tiles: learned from games that are over, used in the next ones, forgotten when they say so.

Only what is settled teaches: photographs of turns as the finished sheet has them, without the letters of turns that
were put right by hand. A game teaches once, and anew where its sheet was changed since.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from engine import Board, Game, Square, UpscoreError
from engine.wording import counted
from vision import load_image
from webui.errors import StoreError
from webui.ports import SettledTurn, TurnReader
from webui.storage.database import Database, GameRow, game_row, utc_now
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.store import Store
from webui.table.games import OpenGame, Tables, by_place, entries_standing

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


_LOG = logging.getLogger(__name__)
UNTOUCHED = timedelta(hours=6)
"""A game that was left for so long counts as over: nobody puts its turns right any more."""
PICTURES = 24
"""Photographs of a game that are learned from at most, spread over it: they show the same tiles again and again."""
_POLL_S, _AFTER_TROUBLE_S = 20.0, 1800.0


@dataclass(frozen=True)
class KnownSet:
    """That the tiles of an edition are known, and from how many games."""

    edition: str
    games: int

    @property
    def text(self) -> str:
        """In words."""
        return f"Knows your {self.edition} tiles from {counted(self.games, 'game')}"


class OwnSets:
    """What is known of the family's tiles: one set an edition."""

    def __init__(self, store: Store, shelf: PhotoShelf, tables: Tables, reader: TurnReader) -> None:
        self._rows = LessonRows(store.database)
        self._store, self._shelf, self._tables, self._reader = store, shelf, tables, reader
        self._known: dict[str, tuple[str, ...]] = {}
        self._lock, self._learning = threading.Lock(), threading.Lock()
        self._closed = threading.Event()
        self._first = True

    def close(self) -> None:
        """Learn nothing more."""
        self._closed.set()

    def lessons(self, edition: str) -> tuple[str, ...]:
        """What games have taught of the tiles of an edition; nothing where the store cannot tell."""
        with self._lock:
            if edition not in self._known:
                try:
                    self._known[edition] = self._rows.of_edition(edition)
                except StoreError:
                    return ()
            return self._known[edition]

    def known(self, edition: str) -> str:
        """What is known of the tiles of an edition, in words; "" for nothing."""
        games = len(self.lessons(edition))
        return KnownSet(edition, games).text if games else ""

    def all(self) -> tuple[KnownSet, ...]:
        """The sets that are known; nothing where the store cannot tell."""
        try:
            return tuple(KnownSet(edition, games) for edition, games in self._rows.counts().items())
        except StoreError:
            return ()

    def leave_out(self, game_id: int, edition: str) -> None:
        """Never learn from a game, as it was played with somebody else's tiles; raises StoreError."""
        self._rows.leave_out(game_id, edition)
        self._renew(edition)

    def forget(self, edition: str) -> None:
        """Forget the tiles of an edition; raises StoreError."""
        self._rows.forget(edition, _untouched_since())
        self._renew(edition)

    def keep_learning(self) -> float:
        """Learn from all games that are over; seconds until it is time to look again.

        Not at once: a page that has just been started has better to do.
        """
        first, self._first = self._first, False
        try:
            while not first and not self._closed.is_set() and self.learn_next():
                pass
        except StoreError:
            return _AFTER_TROUBLE_S
        return _POLL_S

    def learn_next(self) -> bool:
        """Learn from one game that is over; False where there is none. Raises StoreError."""
        with self._learning:
            row = self._rows.due(_untouched_since())
            if row is None:
                return False
            edition, taught = self._taught(row)
            if self._closed.is_set():
                return False
            self._rows.put(row.id, edition, row.version, taught)
        self._renew(edition)
        return True

    def _taught(self, row: GameRow) -> tuple[str, str | None]:
        """The edition of a game and what it teaches, None where that is nothing; "" where it cannot be opened."""
        edition = ""
        try:
            opened = self._tables.open(row.id)
            edition = opened.game.setup.edition.name
            if opened.belief.knowledge.other_set:
                return edition, None
            known = self._rows.of_edition(edition, but=row.id)
            return edition, self._reader.learn(self._settled(opened), opened.game.lexicon, known)
        except StoreError:
            raise
        except Exception:  # whatever it is, it would be so the next time
            _LOG.exception("Nothing was learned of the tiles of game %d", row.id)
            return edition, None

    def _settled(self, opened: OpenGame) -> Iterator[SettledTurn]:
        """The photographs of a game's turns, each with the board that it shows; none once it is time to stop."""
        game = opened.game
        photos = by_place(game, self._store.photos(opened.row.id))
        places = [at for at in sorted(photos) if at > 0 and not game.turns[at - 1].taken_back]
        step = max(1, -(-len(places) // PICTURES))
        for place in places[::-1][::step]:
            try:
                image, _ = load_image(self._shelf.path(photos[place].key, "photo"))
            except UpscoreError:
                continue
            began = time.monotonic()
            if self._closed.is_set():
                return
            yield SettledTurn(image, *_lying(game, place))
            # the photographs of a game that goes on meanwhile come first
            self._closed.wait(time.monotonic() - began)

    def _renew(self, edition: str) -> None:
        with self._lock:
            self._known.pop(edition, None)


def _untouched_since() -> str:
    return (datetime.now(timezone.utc) - UNTOUCHED).isoformat(timespec="microseconds")


def _lying(game: Game, place: int) -> tuple[Board, frozenset[Square]]:
    """The board after the turn on line `place` of the sheet, and the squares whose letters were put right by hand."""
    entries = entries_standing(game.log)
    board, by_hand = game.setup.start, frozenset(game.setup.start.occupied())
    for record in game.turns[:place]:
        if record.play is None or record.taken_back:
            continue
        board = board.with_play(record.play)
        told = game.log[entries[record.event]] == game.events[record.event]
        squares = frozenset(record.play.squares)
        by_hand = by_hand - squares if told else by_hand | squares
    return board, by_hand
