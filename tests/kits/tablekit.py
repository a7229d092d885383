"""A table under a camera for tests in a browser: what is put on it is found, and the camera can be unplugged."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field, replace

from webkit import ScriptedReader, make_tracked, picture

from vision import Belief, BoardNotFound, Finding
from vision.images import Image
from vision.video.watch_state import TrackedFinding, WatchState
from webui.ports import Aim, Corners, TurnQuery

SETTLED = WatchState("in view", False, 9.0, True, due=False)
STILL = WatchState("in view", False, 1.0, False, due=False)
HAND = WatchState("in view", True, 0.0, False, due=False)


@dataclass
class Table(ScriptedReader):
    """Follows a game by a script: each frame settles the next item that a test put in, if there is one."""

    settled: deque[TrackedFinding] = field(default_factory=deque)
    grid: Corners | None = None
    aims: deque[Aim] = field(default_factory=deque)
    """What a camera in the hand sees, one look after the other; the last one stays."""

    def put(self, found: Finding) -> None:
        self.settled.append(make_tracked(found))

    watch_state: WatchState = SETTLED
    seen: Finding | None = None
    """The finding of an early look, until its play is put on the table."""

    def follow(self, query: TurnQuery) -> Table:
        return self

    def watch(self, frame: Image, time: float) -> WatchState:
        early = self.seen is not None and not self.settled
        return replace(self.watch_state, due=bool(self.settled), early=early)

    def read(self) -> TrackedFinding | None:
        return self.settled.popleft() if self.settled else None

    def finish(self) -> TrackedFinding | None:
        return None

    def glance(self) -> Finding | None:
        seen, self.seen = self.seen, None
        return seen

    def believe(self, belief: Belief, *, again: bool) -> None: ...

    def aim(self, image: Image, query: TurnQuery, before: Corners | None) -> Aim:
        return self.aims.popleft() if len(self.aims) > 1 else self.aims[0]

    def find_grid(self, image: Image, query: TurnQuery) -> Corners:
        if self.grid is None:
            raise BoardNotFound("No board was found in the picture: come nearer.")
        return self.grid


class Lens:
    """A camera's device, which gives new frames for as long as it is plugged in."""

    def __init__(self) -> None:
        self.plugged = threading.Event()
        self.plugged.set()

    def isOpened(self) -> bool:
        return self.plugged.is_set()

    def grab(self) -> bool:
        time.sleep(0.02)
        return self.plugged.is_set()

    def retrieve(self) -> tuple[bool, Image]:
        return True, picture(480, 640)

    def release(self) -> None:
        pass
