"""The demo: a tour of a sample game, played from photographs as if they were taken at a table."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from engine import SHEET_RULES, Game, UpscoreError, find_edition
from engine.wording import join_names, join_texts, phrase
from vision import load_image
from webui.errors import Outdated, StoreError
from webui.live.background import RestartingThread
from webui.ports import AppConfig, Tour, TourStep
from webui.storage.database import PhotoRow, utc_now
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.store import Store
from webui.table.announcer import Announcer
from webui.table.games import START, Games, OpenGame, sheet_belief
from webui.table.intake import Intake

_POLL_S = 0.3
"""Seconds between two looks whether a question was answered, or whether somebody watches. [by eye]"""
_NO_PLAY = phrase("This photo shows no play. The next one will catch up.")


@dataclass(frozen=True)
class DemoStatus:
    """The progress of the tour: `shown` of its `total` steps, in one game.

    `state` is "playing", "paused", "waiting" (for the answer to a question), "done" or "stopped". `text` explains the
    newest step.
    """

    game_id: int
    shown: int
    total: int
    state: str
    text: str


class DemoPlayer:
    """The player of the tour: it takes the next step every `demo_pace_s` seconds while somebody watches.

    While a question about a photograph is open it waits for the answer. It runs in its own thread. Its game is in the
    store only while the server runs: no backup and no record has it, and a later start removes it.
    """

    def __init__(
        self,
        config: AppConfig,
        tour: Tour,
        games: Games,
        intake: Intake,
        announcer: Announcer,
        store: Store,
        shelf: PhotoShelf,
    ) -> None:
        self._config, self._tour, self._games, self._intake = config, tour, games, intake
        self._announcer, self._store, self._shelf = announcer, store, shelf
        self._lock, self._starting, self._wake = threading.Lock(), threading.Lock(), threading.Event()
        self._step, self._closed = False, False
        self._status: DemoStatus | None = None
        self._thread: RestartingThread | None = None

    @property
    def status(self) -> DemoStatus | None:
        """The progress of the tour, None before its first start."""
        with self._lock:
            return self._status

    def start(self) -> int:
        """Begin the tour from its first step, and return the number of its game.

        A tour that begins again keeps its game, so every page that shows it follows.

        :raises UpscoreError: if the first photograph can't be used.
        """
        with self._starting:
            first, _ = load_image(self._tour.folder / self._tour.start, own=True)
            self._stop_thread()
            open_game = self._empty_game()
            key = self._shelf.keep(first, None)
            self._store.add_photo(PhotoRow(key, open_game.row.id, utc_now(), "demo", START, "the empty board"))
            with self._lock:
                self._closed, self._step = False, False
                self._status = DemoStatus(open_game.row.id, 0, len(self._tour.steps), "playing", self._tour.says)
            self._announcer.announce(open_game.row.id)
            self._thread = RestartingThread("demo", self._run, self._report_failure)
            self._thread.start()
            return open_game.row.id

    def pause(self) -> None:
        """Take no further step until `resume` or `step`."""
        if self._is("playing"):
            self._set(state="paused")

    def resume(self) -> None:
        """Go on after a pause."""
        if self._is("paused"):
            self._set(state="playing")
            self._wake.set()

    def step(self) -> None:
        """Take the next step now, and go on. At a question, give the first answer."""
        if self._is("playing", "paused", "waiting"):
            if self._is("paused"):
                self._set(state="playing")
            self._step = True
            self._wake.set()

    def close(self) -> None:
        """Stop playing, and remove the tour's game."""
        self._stop_thread()
        with self._lock:
            self._status = None
        self.remove_games()

    def remove_games(self) -> None:
        """Remove the tour's games, move their pictures to the bin, and tell every page that shows one."""
        with suppress(StoreError):  # if the disk refuses, the next start removes them
            for row in self._store.games():
                if row.demo:
                    self._shelf.throw_away(self._store.delete_game(row.id))
                    self._announcer.announce(row.id)

    def _empty_game(self) -> OpenGame:
        """Return the tour's game with nothing entered: the one that was played, emptied, or a new one."""
        players, lexicon = self._tour.players, self._tour.lexicon
        row = next((row for row in self._store.games() if row.demo), None)
        if row is None:
            return self._games.start(
                edition=self._tour.edition, players=players, rules=SHEET_RULES, lexicon=lexicon, demo=True
            )
        words = self._games.lexicon(lexicon)
        empty = Game.start(find_edition(self._tour.edition), players, SHEET_RULES, lexicon=words)
        return self._games.change(self._games.open(row.id), lambda _: empty, belief=sheet_belief(empty))

    def _run(self) -> None:
        while (status := self._await_next()) is not None:
            try:
                text = self._take(self._tour.steps[status.shown], self._games.open(status.game_id))
            except Outdated:
                continue
            except UpscoreError as error:
                self._set(state="stopped", text=phrase("The sample game stops here. %(error)s", error=error))
                return
            self._step = False
            shown = status.shown + 1
            if shown == status.total:
                self._set(text=text, shown=shown, state="done")
                return
            waits = {"state": "waiting"} if _asks(self._games.open(status.game_id)) else {}
            self._set(text=text, shown=shown, **waits)

    def _take(self, step: TourStep, open_game: OpenGame) -> str:
        """Take a step of the tour, and return the text that explains it."""
        if step.does == "challenge":
            self._games.change(open_game, self._challenge)
        elif step.does == "end":
            self._games.change(open_game, lambda game: game.end("agreed", [1] * len(game.players)))
        else:
            image, _ = load_image(self._tour.folder / step.does, own=True)
            self._intake.take(open_game.row.id, image, "demo")
            after = self._games.open(open_game.row.id)
            if not _asks(after):
                return f"{_describe_play(open_game.game, after.game)} {step.says}".rstrip()
        return step.says

    def _challenge(self, game: Game) -> Game:
        """Let the player who is due challenge the last play. The word list decides."""
        play = game.open_play
        words = () if play is None or play.verdict is None else play.verdict.words
        upheld = any(not self._config.judge(word.word, self._tour.lexicon).playable for word in words)
        return game.challenge(game.current_player, upheld=upheld)

    def _await_next(self) -> DemoStatus | None:
        """Wait until the next step is due; return the tour's progress then, or None if it has to stop."""
        rested = False
        while not self._closed and (status := self.status) is not None:
            open_game = self._games.open(status.game_id)
            if _asks(open_game):
                rested = False
                self._await_answer(open_game)
            elif self._is("waiting"):
                totals = ", ".join(f"{name} {total}" for name, total in open_game.game.totals.items())
                self._set(state="playing", text=phrase("That settles it. %(totals)s.", totals=totals))
            elif self._step or (rested and self._is("playing")):
                return status
            elif self._is("playing") and self._announcer.is_watched(status.game_id):
                rested = not self._rest(self._config.demo_pace_s)
            else:
                rested = False
                self._rest(_POLL_S)
        return None

    def _await_answer(self, open_game: OpenGame) -> None:
        """Wait a moment for the answer to a question, or give the first one if the reader wants to go on."""
        if not self._is("waiting"):
            self._set(state="waiting")
        if self._step:
            self._step = False
            with suppress(Outdated):  # somebody has just answered it
                self._intake.answer(open_game, 0, open_game.row.version)
            return
        self._rest(_POLL_S)

    def _report_failure(self, error: Exception) -> None:
        self._set(text=phrase("Something went wrong (%(error)s). Upscore tries again.", error=type(error).__name__))

    def _rest(self, seconds: float) -> bool:
        woken = self._wake.wait(seconds)
        self._wake.clear()
        return woken

    def _is(self, *states: str) -> bool:
        status = self.status
        return status is not None and status.state in states

    def _set(self, **changes: Any) -> None:
        """Change the status, and tell every page."""
        with self._lock:
            if self._status is None:
                return
            status = self._status = replace(self._status, **changes)
        self._announcer.announce(status.game_id)

    def _stop_thread(self) -> None:
        self._closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.close(10.0)
        self._wake.clear()


def _asks(open_game: OpenGame) -> bool:
    """Return whether a question about a photograph is waiting that only a person can answer."""
    return open_game.question is not None and open_game.question.kind in ("play", "removed")


def _describe_play(before: Game, after: Game) -> str:
    played = [
        phrase(
            "%(player)s put down %(words)s. Upscore read the photo and scored %(points)s.",
            player=turn.player,
            words=join_names([word.word for word in turn.verdict.words]),
            points=turn.points,
        )
        for turn in after.turns[len(before.turns) :]
        if turn.verdict is not None
    ]
    return join_texts(played) or _NO_PLAY
