"""The demo: it plays a folder of photographs turn by turn, as if they were taken at a table."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engine import SHEET_RULES, Board, UpscoreError, edition_named
from vision import load_image
from vision.images import Image
from webui.errors import Outdated, StoreError, WebError
from webui.live.background import RestartingThread
from webui.ports import AppConfig, DemoGame
from webui.storage.database import PhotoRow, utc_now
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.store import Store
from webui.table.announcer import Announcer
from webui.table.games import START, Games
from webui.table.intake import Intake
from webui.table.question import load_question
from webui.table.start_board import fill_under, tops_from

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
_POLL_S = 0.3
"""Seconds between two checks whether a question was answered. [by eye]"""


@dataclass(frozen=True)
class DemoStatus:
    """The progress of the demo: photograph `shown` of `total` in one of its games.

    `state` is "playing", "paused", "waiting" (for the answer to a question), "done" or "stopped". `text` says it in
    words.
    """

    game_id: int
    title: str
    which: int
    shown: int
    total: int
    state: str
    text: str


def photographs(folder: Path) -> tuple[Path, ...]:
    """Return the photographs in a folder, sorted by name; raises WebError if there are fewer than two."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    except OSError as error:
        raise WebError(
            f"The demo's folder {folder} cannot be read ({error.strerror}): give another."
        ) from None
    if len(paths) < 2:
        raise WebError(
            f"Photographs in {folder}: {len(paths)}. The demo needs at least two, a start and a turn."
        )
    return tuple(paths)


class DemoPlayer:
    """The player of demo games: it shows a photograph of the chosen game every `demo_pace_s` seconds.

    Its games are in the store only while they are played. They get into no backup and no record, and a later start
    removes them. The player runs in its own thread. While a question about a photograph is open it waits for the
    answer.
    """

    def __init__(
        self,
        config: AppConfig,
        tables: Games,
        intake: Intake,
        announcer: Announcer,
        store: Store,
        shelf: PhotoShelf,
    ) -> None:
        self._config = config
        self._tables = tables
        self._intake = intake
        self._announcer = announcer
        self._store = store
        self._shelf = shelf
        self._lock = threading.Lock()
        self._starting = threading.Lock()
        self._wake = threading.Event()
        self._step = False
        self._closed = False
        self._status: DemoStatus | None = None
        self._paths: tuple[Path, ...] = ()
        self._thread: RestartingThread | None = None

    @property
    def games(self) -> tuple[DemoGame, ...]:
        """The demo games to choose from."""
        return self._config.demos

    @property
    def status(self) -> DemoStatus | None:
        """The progress of the demo, None before its first game."""
        with self._lock:
            return self._status

    def start(self, which: int) -> int:
        """Begin game number `which` of `games` from its first photograph, and return the stored game's number.

        The demo's earlier games are removed.

        :raises UpscoreError: if the photographs can't be used.
        """
        if not 0 <= which < len(self.games):
            raise WebError("There is no such demo: choose one from the list of games.")
        with self._starting:
            return self._start(which, self.games[which])

    def pause(self) -> None:
        """Show no further photograph until `resume` or `step`."""
        if self._is("playing", "waiting"):
            self._set("paused")

    def resume(self) -> None:
        """Go on after a pause."""
        if self._is("paused"):
            self._set("playing")
            self._wake.set()

    def step(self) -> None:
        """Show the next photograph now, and pause after it."""
        if self._is("playing", "paused"):
            self._step = True
            self._wake.set()

    def close(self) -> None:
        """Stop playing, and remove the demo's games."""
        self._stop_thread()
        self.remove_games()

    def remove_games(self) -> None:
        """Remove the demo's games, move their pictures to the bin, and tell every page that shows one."""
        with suppress(StoreError):  # if the disk refuses, the next start removes them
            for row in self._tables.rows():
                if row.demo:
                    self._shelf.throw_away(self._store.delete_game(row.id))
                    self._announcer.announce(row.id)

    def _start(self, which: int, demo: DemoGame) -> int:
        paths = photographs(demo.folder)
        first, _ = load_image(paths[0])
        board, overlay = self._look_at_start(first, demo)
        self._stop_thread()
        self.remove_games()
        opened = self._tables.start(
            edition=demo.edition,
            players=demo.players,
            rules=SHEET_RULES,
            lexicon=self._config.lexicons.names()[0],
            board=board,
            demo=True,
        )
        key = self._shelf.keep(first, overlay)
        self._store.add_photo(
            PhotoRow(key, opened.row.id, utc_now(), "demo", START, "the board before the first turn")
        )
        with self._lock:
            self._paths, self._closed, self._step = paths, False, False
            self._status = DemoStatus(opened.row.id, demo.title, which, 1, len(paths), "playing", "")
        self._set("playing")
        self._thread = RestartingThread("demo", self._run, self._failed)
        self._thread.start()
        return opened.row.id

    def _look_at_start(self, first: Image, demo: DemoGame) -> tuple[Board, Image | None]:
        edition = edition_named(demo.edition)
        lexicon = self._tables.lexicon(self._config.lexicons.names()[0])
        reading = self._config.reader.read_position(first, edition=edition, lexicon=lexicon)
        return fill_under(tops_from(reading), edition), reading.overlay

    def _run(self) -> None:
        while (status := self._await_next()) is not None:
            try:
                image, _ = load_image(self._paths[status.shown])
                self._intake.take(status.game_id, image, "demo")
            except Outdated:
                continue
            except UpscoreError as error:
                self._set("stopped", str(error))
                return
            shown = status.shown + 1
            if shown == status.total:
                self._set("done", shown=shown)
                return
            paused = self._step or self._is("paused")
            self._step = False
            self._set("paused" if paused else "playing", shown=shown)

    def _await_next(self) -> DemoStatus | None:
        """Wait until the next photograph is due; return the demo's progress then, or None if it has to stop."""
        rested = False
        while not self._closed:
            if self._question_open():
                self._step = rested = False
                if self._is("playing"):
                    self._set("waiting")
                self._rest(_POLL_S)
            elif self._is("waiting"):
                self._set("playing")
            elif self._step or (rested and self._is("playing")):
                return self.status
            else:
                playing = self._is("playing")
                rested = not self._rest(self._config.demo_pace_s if playing else None) and playing
        return None

    def _failed(self, error: Exception) -> None:
        """Say that Upscore tries the photograph again."""
        if (status := self.status) is not None:
            self._set(status.state, f"Something went wrong ({type(error).__name__}). Upscore tries again.")

    def _question_open(self) -> bool:
        """Return whether a question about a photograph waits that only a person can answer."""
        status = self.status
        question = load_question(self._store.game(status.game_id).pending) if status else None
        return question is not None and question.kind in ("play", "removed")

    def _rest(self, seconds: float | None) -> bool:
        woken = self._wake.wait(seconds)
        self._wake.clear()
        return woken

    def _is(self, *states: str) -> bool:
        status = self.status
        return status is not None and status.state in states

    def _set(self, state: str, text: str = "", *, shown: int | None = None) -> None:
        with self._lock:
            if self._status is None:
                return
            status = self._status if shown is None else replace(self._status, shown=shown)
            self._status = replace(status, state=state, text=text or _in_words(state, status))
        self._announcer.announce(status.game_id)

    def _stop_thread(self) -> None:
        self._closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.close(10.0)
        self._wake.clear()


def _in_words(state: str, status: DemoStatus) -> str:
    at = f"Photograph {status.shown} of {status.total}"
    return {
        "playing": f"{at}.",
        "paused": f"{at}, paused.",
        "waiting": f"{at}. Answer the question, then the demo goes on.",
        "done": "That's the end of the sample game.",
    }.get(state, "")
