"""The learned tile set: what finished games taught of a family's tiles, used in later games, forgotten on request.

Only what is settled teaches: photographs of turns as the finished sheet has them, without letters that were put right
by hand.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from engine import Board, Game, Square, UpscoreError
from engine.wording import board_name, number_of, phrase
from webui.errors import StoreError
from webui.ports import SettledTurn, TurnReader
from webui.storage.database import Database, GameRow, game_row, utc_now
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.store import Store
from webui.table.games import Games, OpenGame, by_place, entries_standing

MAX_GAMES_LEARNED = 8
"""The newest games of an edition to learn from: a set's look changes with wear and light. [by eye]"""


class LessonRows:
    """The table `tile_lessons`. Every method is one transaction and may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_edition(self, edition: str, *, but: int | None = None) -> tuple[str, ...]:
        """Return the lessons of an edition's games, newest first, except those of game `but`."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT lessons FROM tile_lessons WHERE edition = ? AND lessons IS NOT NULL AND game_id IS NOT ?"
                " ORDER BY learned_at DESC LIMIT ?",
                (edition, but, MAX_GAMES_LEARNED),
            ).fetchall()
        return tuple(str(row["lessons"]) for row in rows)

    def counts(self) -> dict[str, int]:
        """Return the number of games with lessons for each edition that has any."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT edition, COUNT(*) AS games FROM tile_lessons WHERE lessons IS NOT NULL"
                " GROUP BY edition ORDER BY edition"
            ).fetchall()
        return {str(row["edition"]): int(row["games"]) for row in rows}

    def due(self, untouched_since: str) -> GameRow | None:
        """Return the newest game that is due for learning, or None.

        It is finished, or nobody has touched it since `untouched_since` (UTC, ISO 8601), and its present version hasn't
        been learned from yet. Only the newest `MAX_GAMES_LEARNED` games count.
        """
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT * FROM (SELECT * FROM games WHERE NOT demo AND (finished OR updated_at < ?)"
                " ORDER BY touched DESC LIMIT ?) AS newest WHERE NOT EXISTS (SELECT 1 FROM tile_lessons AS known"
                " WHERE known.game_id = newest.id AND (known.forgotten OR known.game_version = newest.version))"
                " ORDER BY touched DESC LIMIT 1",
                (untouched_since, MAX_GAMES_LEARNED),
            ).fetchone()
        return None if row is None else game_row(row)

    def put(self, game_id: int, edition: str, game_version: int, lessons: str | None) -> bool:
        """Store the lessons of a version of a game, None for no lessons. Drop the oldest beyond `MAX_GAMES_LEARNED`.

        Return False, and store nothing, if people chose to forget the game meanwhile.
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
                (edition, edition, MAX_GAMES_LEARNED),
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
        """Forget the tiles of an edition. Games that are due for learning now are never learned from."""
        with self._database.writing() as connection:
            connection.execute("UPDATE tile_lessons SET lessons = NULL, forgotten = 1 WHERE edition = ?", (edition,))
            connection.execute(
                "INSERT OR IGNORE INTO tile_lessons (game_id, edition, game_version, learned_at, forgotten)"
                " SELECT id, ?, version, ?, 1 FROM games WHERE (finished OR updated_at < ?) AND"
                " CASE WHEN json_valid(log) THEN json_extract(log, '$.edition') END = ?",
                (edition, utc_now(), untouched_since, edition),
            )


_LOG = logging.getLogger(__name__)
IDLE_TIME = timedelta(hours=6)
"""A game that nobody touched for so long counts as finished, since nobody corrects its turns any more. [by eye]"""
MAX_PHOTOS_LEARNED = 24
"""Photographs of a game to learn from, spread over it: they show the same tiles again and again. [by eye]"""
_POLL_S, _TROUBLE_PAUSE_S = 20.0, 1800.0
"""Seconds between two looks for finished games: usually, and after the store failed. [by eye]"""


@dataclass(frozen=True)
class LearnedTileSet:
    """The learned tile set of an edition, with the number of games that it was learned from."""

    edition: str
    games: int

    @property
    def text(self) -> str:
        """The line for people."""
        return phrase(
            "Upscore knows your %(board)s tiles (from %(games)s)",
            board=board_name(self.edition),
            games=number_of(self.games, "game"),
        )


class LearnedTileSets:
    """The learned tile sets of a family: one for each edition."""

    def __init__(self, store: Store, shelf: PhotoShelf, games: Games, reader: TurnReader) -> None:
        self._rows = LessonRows(store)
        self._store, self._shelf, self._games, self._reader = store, shelf, games, reader
        self._known: dict[str, tuple[str, ...]] = {}
        self._lock, self._learning = threading.Lock(), threading.Lock()
        self._closed = threading.Event()
        self._first = True

    def close(self) -> None:
        """Stop learning."""
        self._closed.set()

    def lessons(self, edition: str) -> tuple[str, ...]:
        """Return the lessons of games about the tiles of an edition; none if the store fails."""
        with self._lock:
            if edition not in self._known:
                try:
                    self._known[edition] = self._rows.of_edition(edition)
                except StoreError:
                    return ()
            return self._known[edition]

    def describe(self, edition: str) -> str:
        """Say what is known about the tiles of an edition; "" if nothing."""
        games = len(self.lessons(edition))
        return LearnedTileSet(edition, games).text if games else ""

    def all(self) -> tuple[LearnedTileSet, ...]:
        """Return the learned tile sets; none if the store fails."""
        try:
            return tuple(LearnedTileSet(edition, games) for edition, games in self._rows.counts().items())
        except StoreError:
            return ()

    def leave_out(self, game_id: int, edition: str) -> None:
        """Never learn from a game, for example because it was played with somebody else's tiles; raises StoreError."""
        self._rows.leave_out(game_id, edition)
        self._renew(edition)

    def forget(self, edition: str) -> None:
        """Forget the tiles of an edition; raises StoreError."""
        self._rows.forget(edition, utc_now(IDLE_TIME.total_seconds()))
        self._renew(edition)

    def keep_learning(self) -> float:
        """Learn from all finished games, and return the seconds until it is time to look again.

        The first call learns nothing, so that a page that has just started gets the processor to itself.
        """
        first, self._first = self._first, False
        try:
            while not first and not self._closed.is_set() and self.learn_next():
                pass
        except StoreError:
            return _TROUBLE_PAUSE_S
        return _POLL_S

    def learn_next(self, idle: timedelta = IDLE_TIME) -> bool:
        """Learn from one game that is finished or was left alone long enough; return False if there is none.

        Raises StoreError.
        """
        with self._learning:
            row = self._rows.due(utc_now(idle.total_seconds()))
            if row is None:
                return False
            edition, lessons = self._lessons_of(row)
            if self._closed.is_set():
                return False
            self._rows.put(row.id, edition, row.version, lessons)
        self._renew(edition)
        return True

    def _lessons_of(self, row: GameRow) -> tuple[str, str | None]:
        """Return a game's edition ("" if the game cannot be opened) and its lessons (None if there are none)."""
        edition = ""
        try:
            open_game = self._games.open(row.id)
            edition = open_game.game.setup.edition.name
            if open_game.belief.knowledge.other_set:
                return edition, None
            known = self._rows.of_edition(edition, but=row.id)
            return edition, self._reader.learn(self._iterate_settled(open_game), open_game.game.lexicon, known)
        except StoreError:
            raise
        except Exception:  # catch any failure, since it would come again the next time
            _LOG.exception("Nothing was learned from the tiles of game %d", row.id)
            return edition, None

    def _iterate_settled(self, open_game: OpenGame) -> Iterator[SettledTurn]:
        """Yield the photographs of a game's turns, each with the board that it shows, until `close` is called."""
        game = open_game.game
        photos = by_place(game, self._store.photos(open_game.row.id))
        places = [at for at in sorted(photos) if at > 0 and not game.turns[at - 1].taken_back]
        step = max(1, -(-len(places) // MAX_PHOTOS_LEARNED))
        for place in places[::-1][::step]:
            try:
                image = self._shelf.load(photos[place].key)
            except UpscoreError:
                continue
            began = time.monotonic()
            if self._closed.is_set():
                return
            yield SettledTurn(image, *_board_after(game, place))
            # rest as long as the work took, so that photographs of a game under way come first
            self._closed.wait(time.monotonic() - began)

    def _renew(self, edition: str) -> None:
        with self._lock:
            self._known.pop(edition, None)


def _board_after(game: Game, place: int) -> tuple[Board, frozenset[Square]]:
    """Return the board after the turn on line `place` of the sheet, and the squares with letters corrected by hand."""
    entries = entries_standing(game.log)
    known = game.find_known_board(place)
    by_hand = frozenset(known.board.list_occupied())
    for record in game.turns[known.place : place]:
        if record.play is None or record.taken_back:
            continue
        is_original = game.log[entries[record.event]] == game.events[record.event]
        squares = frozenset(record.play.squares)
        by_hand = by_hand - squares if is_original else by_hand | squares
    return game.board_after(place), by_hand
