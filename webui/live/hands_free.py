"""Hands-free play: a camera's frames are followed, and turns entered when the hands have left the board."""

from __future__ import annotations

import math
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from engine import Game, square_name
from engine.wording import phrase
from vision import Finding
from vision.images import Image
from vision.video.motion import MOVED_SHARE, Thumbnail, view_shift, view_thumbnail
from vision.video.watch_state import TrackedFinding, WatchState
from webui.errors import CameraError, NotThere, Outdated, WebError
from webui.live.background import PAUSES_S, RestartingThread
from webui.live.camera import BaseCamera, Frame
from webui.live.table_state import SCORE_S, Glimpse, Score, TableState, step
from webui.ports import Follower, TurnReader
from webui.table.announcer import Announcer
from webui.table.games import Games, OpenGame
from webui.table.intake import Intake, act_of, keep_possible
from webui.table.question import turns_waiting

_Found = TypeVar("_Found")

_WAIT_S = 0.5
"""Longest wait for a frame: how soon a camera that has stopped is noticed. [by eye]"""
_CHECK_S = 1.0
_OFTEN = 3
"""Looks, a second apart, in which the camera must have moved for corners that were given to be dropped. [by eye]"""
_LOCKED_CODES = (5, 6)
"""SQLite's result codes SQLITE_BUSY and SQLITE_LOCKED; extended codes add to the bytes above."""
LOCKED = phrase("Another program has locked your games. Close it; no turn is lost.")
_EARLY_LOOK_S = 1.5
"""Longest time, seconds, that the last looks may have taken for an early one to be worth it. A longer one would keep a
live camera's frames waiting until the stretch counts as unseen (`PATIENCE`). [by eye]"""


def _failure(error: Exception) -> str:
    return phrase(
        "Watching restarted after an error (%(error)s). Check that the last turn is on the scoresheet.",
        error=type(error).__name__,
    )


Share = tuple[float, float]
"""A place in a picture: x as a share of its width, y of its height."""


@dataclass(frozen=True)
class GivenCorners:
    """Corners that a person gave: TL, TR, BR, BL with the letters upright, as shares of the picture's width and height.

    `view` is what the camera saw then. The corners hold while it sees the same.
    """

    corners: tuple[Share, Share, Share, Share]
    view: Thumbnail = field(compare=False)

    def is_elsewhere(self, image: Image) -> bool:
        """Return whether a picture shows that the camera, or the board, has moved since."""
        return view_shift(self.view, view_thumbnail(image)) > MOVED_SHARE


class HandsFree:
    """Follows one game at a time with its `camera`. `start` its thread, `follow` a game, `close` it when done.

    It keeps watching while a question waits, and new plays join the question. When somebody changes the game, it goes
    on from the new belief, and looks at the board again. `game_id` is the game that is followed, `state` the state
    shown to the table. `corners` takes a number of rows and returns the corners given for such a board. `moved` is
    called when they no longer hold.
    """

    def __init__(
        self, camera: BaseCamera, games: Games, intake: Intake, reader: TurnReader, announcer: Announcer,
        *, corners: Callable[[int], GivenCorners | None] = lambda size: None,
        moved: Callable[[int], None] = lambda size: None, clock: Callable[[], float] = time.monotonic,
        pauses_s: tuple[float, float] = PAUSES_S,
    ) -> None:  # fmt: skip
        self.camera, self._games, self._intake, self._reader = camera, games, intake, reader
        self._announcer, self._clock, self._corners, self._moved = announcer, clock, corners, moved
        self.game_id: int | None = None
        self._follower: Follower | None = None
        self._open_game: OpenGame | None = None
        self._given: GivenCorners | None = None
        self._watch_state: WatchState | None = None
        self.state = TableState()
        self._score: Score | None = None
        self._look_s = 0.0
        self._shifted, self._checked = 0, 0.0
        self._lock = threading.RLock()
        self._wake = threading.Event()
        self._thread = RestartingThread("hands-free", self._run, self._report_failure, pauses_s=pauses_s)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._thread.stopping.set()
        self._wake.set()
        self._thread.close()

    def follow(self, game_id: int | None) -> None:
        """Follow this game from now on instead of any other; None for no game."""
        with self._lock:
            before, self.game_id = self.game_id, game_id
            if before != game_id:
                self.camera.watch(game_id is not None)
            self._start_anew()
            self.state = TableState("off" if game_id is None else "connecting")
        for changed in (before, game_id):
            if changed is not None:
                self._announcer.announce(changed)
        self._wake.set()

    def look(self) -> None:
        """Look at the camera's next frame, once.

        Raises CameraError if no frame can come, and any error that kept a turn from being entered.
        """
        with self._lock:
            if self.game_id is None or (open_game := self._up_to_date(self.game_id)) is None:
                return
            try:
                frame = self.camera.next(_WAIT_S)
            except CameraError:
                if self._follower is not None and not self._shifted:
                    self._enter(open_game, self._follower, self._follower.finish)
                self._tell()
                raise
            if frame is None or self._follower is None:
                return self._tell()
            state = self._watch_state = self._follower.watch(frame.image, frame.time)
            if self._has_moved(frame):
                return self._start_anew()
            if state.board != "in view":
                self._show(None)
            self._tell()
            if self._shifted:
                return None  # the corners may be from another place, so nothing is read
            if state.due:
                self._enter(open_game, self._follower, self._follower.read)
            elif state.early and self._look_s <= _EARLY_LOOK_S:
                finding = self._time_look(self._follower.glance)  # the play laid a moment ago, if it is sure of one
                self._show(None if finding is None else provisional_score(open_game, finding))
            else:
                return None
            return self._tell()

    def _up_to_date(self, game_id: int) -> OpenGame | None:
        """Take over changes in the game since. Return the game, or None once it is over and no longer followed."""
        if self._open_game is None or self._games.version(game_id) != self._open_game.row.version:
            open_game = self._games.open(game_id)
            self._given = self._corners(open_game.game.setup.edition.size)
            if open_game.game.ended is not None:
                self._follower = None
            elif (
                self._follower is None
                or self._open_game is None
                or self._open_game.game.setup.edition != open_game.game.setup.edition
            ):
                corners = None if self._given is None else self._given.corners
                self._follower, self._watch_state = self._reader.follow(self._intake.query(open_game, corners)), None
            else:
                self._follower.believe(open_game.belief, again=True)
            self._score = None  # the sheet may have another score now
            self._open_game = open_game
        return None if self._follower is None else self._open_game

    def _enter(self, before: OpenGame, follower: Follower, look: Callable[[], TrackedFinding | None]) -> None:
        """Look at the board, and enter the turn found. One that couldn't be entered before is found again."""
        self._show(None)
        try:
            followed = self._time_look(look)
            if followed is None:
                return
            after = self._intake.take_followed(before.row.id, followed, before.row.version)
        except Outdated:
            follower.believe(before.belief, again=True)
            return
        self._open_game = after
        if after.game.turns != before.game.turns:
            self._show(newest_score(after.game, until=self._clock() + SCORE_S))
        follower.believe(after.belief, again=False)

    def _time_look(self, look: Callable[[], _Found]) -> _Found:
        """Look, and remember how long that took. An earlier long look counts less and less."""
        began = self._clock()
        found = look()
        self._look_s = max(self._clock() - began, self._look_s / 2)
        return found

    def _show(self, score: Score | None) -> None:
        """Show this score. None removes a provisional score; one on the sheet stays for its time."""
        if score is not None or (self._score is not None and self._score.provisional):
            self._score = score

    def _has_moved(self, frame: Frame) -> bool:
        """Return whether the camera or the board has moved since corners were given. If so, drop them.

        A hand in the picture hardly matters, but if the corners miss the board, everything looks like a hand.
        """
        if self._given is None or self._open_game is None or frame.time - self._checked < _CHECK_S:
            return False
        self._checked = frame.time
        self._shifted = self._shifted + 1 if self._given.is_elsewhere(frame.image) else 0
        if self._shifted < _OFTEN:
            return False
        self._moved(self._open_game.game.setup.edition.size)
        return True

    def _tell(self, failure: str | None = None) -> None:
        """Show the table what is going on, if that has changed."""
        open_game = self._open_game
        question = None if open_game is None else open_game.asked
        lift = None if open_game is None else open_game.to_lift
        if question is not None and question.lying is not None:  # it only asks for the lift
            question = None
        seen = Glimpse(
            time=self._clock(),
            camera=self.camera.status,
            watch_state=self._watch_state,
            waiting=None if question is None else turns_waiting(question),
            lift=() if lift is None else tuple(map(square_name, lift.squares)),
            failure=failure,
            score=self._score,
        )
        before, self.state = self.state, step(self.state, seen)
        if self.game_id is not None and self.state != before:
            self._announcer.announce(self.game_id)

    def _start_anew(self) -> None:
        self._follower = self._open_game = self._watch_state = self._given = self._score = None
        self._shifted, self._checked = 0, 0.0

    def _report_failure(self, error: Exception) -> None:
        with self._lock:
            self._start_anew()
            text = str(error) if isinstance(error, WebError) else _failure(error)
            self._tell(LOCKED if _is_locked(error) else text)

    def _run(self) -> None:
        stop = self._thread.stopping
        while not stop.is_set():
            if self.game_id is None:
                self._wake.wait(_WAIT_S)
                self._wake.clear()
                _ = self.camera.status  # a camera that has stalled says so to those who look at the page
                continue
            try:
                self.look()
            except CameraError:
                stop.wait(_WAIT_S)  # the page shows the state of the camera
            except NotThere:
                self.follow(None)  # the game was deleted
            if self._follower is None:
                stop.wait(_WAIT_S)


def newest_score(game: Game, *, provisional: bool = False, until: float = math.inf) -> Score | None:
    """Return the score of a game's newest turn, None if it is no play."""
    record = game.turns[-1] if game.turns else None
    if record is None or record.verdict is None or record.taken_back:
        return None
    words = tuple(word.word for word in record.verdict.words)
    return Score(record.player, words, record.points, provisional, until)


def provisional_score(open_game: OpenGame, finding: Finding) -> Score | None:
    """Return the score that a play would have on the sheet, None if it is not one play alone."""
    _, finding = keep_possible(open_game.belief, finding, open_game)
    if finding.kind != "play" or finding.needs_review or len(finding.outcomes[0].changes) != 1:
        return None
    return newest_score(act_of(finding.outcomes[0])(open_game.game), provisional=True)


def _is_locked(error: Exception) -> bool:
    """Return whether another program kept the file of games from being written."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:  # before Python 3.11 only SQLite's text shows that
        return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
    return code & 0xFF in _LOCKED_CODES
