"""The frames of a camera on their way to those who look: the newest for everybody, each in turn for one who watches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from vision.images import Image
from webui.errors import CameraError

STALLED_S = 2.0
"""Seconds without a frame after which a camera is no longer live: a picture that old may show another board."""

CameraState = Literal["connecting", "live", "lost", "reconnecting", "ended"]


@dataclass(frozen=True)
class CameraStatus:
    """How a camera does; `text` says it, and what to do, in words."""

    state: CameraState
    text: str


@dataclass(frozen=True)
class Frame:
    """A picture, (h, w, 3) BGR, and when it was taken, in seconds on the camera's own clock."""

    image: Image
    time: float


class Watched(Protocol):
    """A camera, as those see it who look through it."""

    @property
    def name(self) -> str: ...

    @property
    def status(self) -> CameraStatus: ...

    @property
    def dropped(self) -> int: ...

    def start(self) -> None: ...

    def close(self) -> None: ...

    def watch(self, on: bool) -> None: ...

    def next(self, timeout_s: float) -> Frame | None: ...

    def newest(self) -> Image: ...


class FrameBox:
    """Holds what a camera's thread puts in: its status, the newest frame, and the next for the one who watches.

    `on_status` is called, from whatever thread notices it, whenever the status has changed.
    """

    def __init__(self, name: str, on_status: Callable[[], None]) -> None:
        self.name, self._on_status = name, on_status
        self._changed = threading.Condition()
        self._status = CameraStatus("connecting", f"Connecting to {name} …")
        self._newest: Frame | None = None
        self._next: Frame | None = None
        self._came = 0.0
        self._watched = False
        self.dropped = 0
        """Frames that came while the one who watches was busy, and that another took the place of."""

    @property
    def status(self) -> CameraStatus:
        """How the camera does; one that neither sends nor fails is lost until it sends again."""
        with self._changed:
            status, age = self._status, time.monotonic() - self._came
        if status.state == "live" and age > STALLED_S:
            self.set(
                "lost", f"{sentence(self.name)} sends no more pictures: see that it is on and connected."
            )
            with self._changed:
                return self._status
        return status

    def set(self, state: CameraState, text: str) -> None:
        """The camera does so from now on."""
        status = CameraStatus(state, text)
        with self._changed:
            changed, self._status = status != self._status, status
            self._changed.notify_all()
        if changed:
            self._on_status()

    def watch(self, on: bool) -> None:
        """Somebody takes the frames from now on, or nobody does."""
        with self._changed:
            self._watched, self._next = on, None
            self._changed.notify_all()

    def drop(self) -> None:
        """Forget a frame that nobody has taken: others come in its place."""
        with self._changed:
            self._next = None

    def put(self, frame: Frame) -> None:
        """A frame has come; one that was not taken yet is dropped."""
        with self._changed:
            self.dropped += self._watched and self._next is not None
            self._keep(frame)
        self._is_live()

    def put_in_turn(self, frame: Frame, over: Callable[[], bool]) -> None:
        """A frame has come that may not be dropped: wait until the last one was taken, while somebody watches.

        It comes to nothing once all is `over`.
        """
        with self._changed:
            while self._watched and self._next is not None and not over():
                self._came = time.monotonic()
                self._changed.wait(0.2)
            if over():
                return
            self._keep(frame)
        self._is_live()

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame to look at, None where none came in time; raises CameraError while none can come."""
        status = self.status
        with self._changed:
            if self._next is None and status.state not in ("live", "connecting"):
                raise CameraError(f"The camera gives no picture: {status.text}")
            if self._next is None:
                self._changed.wait(timeout_s)
            frame, self._next = self._next, None
            self._changed.notify_all()
            return frame

    def newest(self) -> Image:
        """The newest picture; raises CameraError when there is none that is fresh."""
        status = self.status
        with self._changed:
            frame, age = self._newest, time.monotonic() - self._came
        if frame is None:
            raise CameraError(f"The camera gives no picture: {status.text}")
        if status.state != "ended" and age > STALLED_S:
            raise CameraError(f"The camera's last picture is {age:.0f} seconds old: {status.text}")
        return frame.image

    def _is_live(self) -> None:
        self.set("live", f"{sentence(self.name)} is live.")

    def _keep(self, frame: Frame) -> None:
        self._newest, self._came = frame, time.monotonic()
        self._next = frame if self._watched else None
        self._changed.notify_all()


def sentence(name: str) -> str:
    """A name as the first word of a sentence."""
    return name[:1].upper() + name[1:]
