"""Hands-free play: the camera's frames are followed, and turns entered when the hands have left the board."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from engine.errors import UpscoreError
from vision.images import Image
from webui.errors import CameraError
from webui.live.camera import Camera
from webui.live.events import Announcer
from webui.live.intake import Intake, facts_of
from webui.ports import Follower, TurnReader
from webui.storage.open_games import OpenGame, Tables

PACE_S = 0.1
"""Seconds between frames that are looked at: hands take longer to come and go."""


class HandsFree:
    """Follows one game at a time with the camera. `start` its thread, `follow` a game, `close` it when done.

    While a question waits for its answer nothing is entered; when somebody changes the game, it is followed on from the
    board as it then is.
    """

    def __init__(
        self, camera: Camera, tables: Tables, intake: Intake, reader: TurnReader, announcer: Announcer,
        *, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._camera, self._tables, self._intake, self._reader = camera, tables, intake, reader
        self._announcer, self._clock = announcer, clock
        self._game_id: int | None = None
        self._follower: Follower | None = None
        self._version: int | None = None
        self._frame: Image | None = None
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="hands-free", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._stopped = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    @property
    def game_id(self) -> int | None:
        """The game that is followed."""
        return self._game_id

    def follow(self, game_id: int | None) -> None:
        """Follow this game from now on, in the place of any other; None: no game."""
        with self._lock:
            before, self._game_id, self._version = self._game_id, game_id, None
        for changed in (before, game_id):
            if changed is not None:
                self._announcer.announce(changed)
        if game_id is not None:
            self._wake.set()

    def look(self) -> None:
        """Look at the camera's newest frame, once.

        Raises UpscoreError when there is none, or when what it shows could not be entered.
        """
        with self._lock:
            game_id = self._game_id
            if game_id is None:
                return
            if self._tables.version(game_id) != self._version:
                self._begin_anew(self._tables.open(game_id))
            frame = self._camera.newest()
            if self._follower is None or frame is self._frame:
                return
            self._frame = frame
            followed = self._follower.feed(frame, self._clock())
            if followed is not None:
                taken = self._intake.take_followed(game_id, followed)
                if taken.entered or taken.lifted is not None:
                    self._version = taken.opened.row.version

    def _begin_anew(self, opened: OpenGame) -> None:
        """Follow from the board as it is now; not while a question waits, nor when the game is over.

        What is still to be lifted is watched for.
        """
        asked = opened.pending is not None and opened.pending.lying is None
        waits = asked or opened.game.ended is not None
        self._follower = None if waits else self._reader.follow(facts_of(opened))
        self._version = opened.row.version

    def _run(self) -> None:
        while not self._stopped:
            if self._game_id is None:
                self._wake.wait()
                self._wake.clear()
                continue
            try:
                self.look()
            except CameraError:
                pass  # the page shows how the camera does
            except UpscoreError:
                self._version = None
            time.sleep(PACE_S)
