"""The frames of a camera: the newest for everybody, and each in turn for the watcher."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from vision.images import Image
from webui.errors import CameraError

STALLED_S = 2.0
"""Seconds without a frame after which a camera is no longer live: an older picture may mislead. [by eye]"""

CameraState = Literal["connecting", "live", "lost", "reconnecting", "ended"]


@dataclass(frozen=True)
class CameraStatus:
    """The state of a camera. `text` says in words what happened and what to do."""

    state: CameraState
    text: str


@dataclass(frozen=True)
class Frame:
    """A picture, (h, w, 3) BGR, and when it was taken, in seconds on the camera's own clock."""

    image: Image
    time: float


class BaseCamera:
    """A camera's status, its newest frame, and the next one for the watcher. What reads the camera puts frames in.

    `on_status` is called whenever the status has changed, from any thread.
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
        """Number of frames that a newer one replaced while the watcher was busy."""

    def start(self) -> None:
        """Begin to read frames. A camera that others put frames into needs no start."""

    def close(self) -> None:
        """Stop reading, and release the source."""

    @property
    def status(self) -> CameraStatus:
        """The state of the camera. One that sends nothing for `STALLED_S` counts as lost until it sends again."""
        with self._changed:
            status, age = self._status, time.monotonic() - self._came
        if status.state == "live" and age > STALLED_S:
            self.set("lost", f"No picture from {self.name}. Check that it is on and connected.")
            with self._changed:
                return self._status
        return status

    def set(self, state: CameraState, text: str) -> None:
        """Set the state of the camera, and call `on_status` if it has changed."""
        status = CameraStatus(state, text)
        with self._changed:
            changed, self._status = status != self._status, status
            self._changed.notify_all()
        if changed:
            self._on_status()

    def watch(self, on: bool) -> None:
        """Begin or end watching: a watcher takes the frames with `next`."""
        with self._changed:
            self._watched, self._next = on, None
            self._changed.notify_all()

    def drop(self) -> None:
        """Forget the next frame for the watcher."""
        with self._changed:
            self._next = None

    def put_frame(self, frame: Frame) -> None:
        """Put in a frame. It replaces one that the watcher has not taken yet."""
        with self._changed:
            self.dropped += self._watched and self._next is not None
            self._keep(frame)
        self._is_live()

    def put_in_turn(self, frame: Frame, is_interrupted: Callable[[], bool]) -> None:
        """Put in a frame once the watcher has taken the last one, so that none is dropped, unless interrupted."""
        with self._changed:
            while self._watched and self._next is not None and not is_interrupted():
                self._came = time.monotonic()
                self._changed.wait(0.2)
            if is_interrupted():
                return
            self._keep(frame)
        self._is_live()

    def next(self, timeout_s: float) -> Frame | None:
        """Return the next frame to look at, or None if none comes in time; raises CameraError if none can come."""
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
        """Return the newest picture, (h, w, 3) BGR; raises CameraError if there is no fresh one."""
        status = self.status
        with self._changed:
            frame, age = self._newest, time.monotonic() - self._came
        if frame is None:
            raise CameraError(f"The camera gives no picture: {status.text}")
        if status.state != "ended" and age > STALLED_S:
            raise CameraError(f"The camera's last picture is {age:.0f} seconds old: {status.text}")
        return frame.image

    def _is_live(self) -> None:
        self.set("live", "Camera on.")

    def _keep(self, frame: Frame) -> None:
        self._newest, self._came = frame, time.monotonic()
        self._next = frame if self._watched else None
        self._changed.notify_all()


def capitalized(name: str) -> str:
    """Return a name with its first letter as a capital, to begin a sentence."""
    return name[:1].upper() + name[1:]
