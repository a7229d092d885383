"""The camera given to `serve`: a thread that keeps the newest frame of a device, a video file or a stream."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.images import Image
from webui.errors import CameraError, WebError

MAX_AGE_S = 3.0
"""A frame older than this shows a board that may have changed since, so no turn is taken from it."""


class FrameSource(Protocol):
    """What the thread needs of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...

    def read(self) -> tuple[bool, npt.NDArray[np.uint8]]: ...

    def get(self, prop: int) -> float: ...

    def release(self) -> None: ...


@dataclass(frozen=True)
class CameraStatus:
    """How the camera does: `state` is "connecting", "live", "lost" or "ended", `text` says it in words."""

    state: str
    text: str


def parse_source(text: str) -> int | str:
    """The argument of cv2.VideoCapture for a device number, a file or an http(s)/rtsp URL.

    Raises WebError for anything else.
    """
    if text.isascii() and text.isdigit() and len(text) <= 3:
        return int(text)
    if re.match(r"(?i)(https?|rtsps?)://\S+$", text):
        return text
    if Path(text).is_file():
        return text
    raise WebError(
        f"There is no camera source {shown_source(text)}: give a device number such as 0, a video file, "
        "or an http or rtsp address."
    )


def shown_source(text: str) -> str:
    """The source as it may be shown: without the name and password a URL can carry."""
    return re.sub(r"//[^/@\s]*@", "//", text)


def open_source(source: int | str) -> FrameSource:
    """The OpenCV capture of a source, which may turn out not to be open."""
    return cv2.VideoCapture(source)  # type: ignore[return-value]


class Camera:
    """The newest frame of one source. `start` it, and `close` it when done.

    `on_status` is called, from the camera's thread, whenever `status` has changed.

    A device or a stream that is lost is opened again after a growing pause; a file is played at its own
    speed once, and its last frame then stays.
    """

    def __init__(
        self,
        source: str,
        *,
        opener: Callable[[int | str], FrameSource] = open_source,
        retry_s: tuple[float, float] = (1.0, 15.0),
        on_status: Callable[[], None] = lambda: None,
    ) -> None:
        self._source = parse_source(source)
        self._is_file = isinstance(self._source, str) and "://" not in self._source
        self.name = f"camera {source}" if isinstance(self._source, int) else shown_source(source)
        self._opener = opener
        self._retry_s = retry_s
        self._on_status = on_status
        self._lock = threading.Lock()
        self._frame: Image | None = None
        self._taken_at = 0.0
        self._status = CameraStatus("connecting", f"Connecting to {self.name} ...")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to read frames."""
        self._thread.start()

    def close(self) -> None:
        """Stop reading and release the source."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=3.0)

    @property
    def status(self) -> CameraStatus:
        """How the camera is doing."""
        with self._lock:
            return self._status

    def newest(self) -> Image:
        """The newest frame, (h, w, 3) BGR; raises CameraError when there is none that is fresh.

        A source that neither sends nor fails counts as lost from then on, until it sends again.
        """
        with self._lock:
            frame, age, status = self._frame, time.monotonic() - self._taken_at, self._status
        if status.state == "live" and age > MAX_AGE_S:
            status = CameraStatus("lost", self._what_is_wrong(frames=1))
            self._set(status)
        if frame is None:
            raise CameraError(f"The camera gives no picture: {status.text}")
        if status.state != "ended" and age > MAX_AGE_S:
            raise CameraError(f"The camera's last picture is {age:.0f} seconds old: {status.text}")
        return frame

    def _run(self) -> None:
        pause, longest = self._retry_s
        while not self._stop.is_set():
            frames = self._read_all()
            if self._is_file and frames:
                self._set(CameraStatus("ended", f"{self.name} has ended; its last picture stays."))
                return
            pause = self._retry_s[0] if frames else min(pause * 2, longest)
            self._set(CameraStatus("lost", self._what_is_wrong(frames)))
            self._stop.wait(pause)

    def _what_is_wrong(self, frames: int) -> str:
        if self._is_file:
            return f"{self.name} has no pictures in it; give another video as --camera."
        what = "stopped sending pictures" if frames else "cannot be opened"
        return f"{self.name} {what}; check that it is on and not in use elsewhere."

    def _read_all(self) -> int:
        """Read until the source ends or `close`; the number of frames that came."""
        capture = self._opener(self._source)
        frames = 0
        try:
            if not capture.isOpened():
                return 0
            rate = capture.get(cv2.CAP_PROP_FPS)
            step = 1.0 / rate if self._is_file and 1.0 <= rate <= 240.0 else 0.0
            due = time.monotonic()
            while not self._stop.is_set():
                ok, frame = capture.read()
                if not ok or frame is None or frame.size == 0:
                    break
                frames += 1
                self._keep(frame)
                due += step
                if step and self._stop.wait(max(0.0, due - time.monotonic())):
                    break
        except cv2.error:
            pass
        finally:
            capture.release()
        return frames

    def _keep(self, frame: Image) -> None:
        colour = frame if frame.ndim == 3 else cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR).astype(np.uint8)
        with self._lock:
            self._frame, self._taken_at = colour, time.monotonic()
            came_live = self._status.state != "live"
        if came_live:
            self._set(CameraStatus("live", f"{self.name} is live."))

    def _set(self, status: CameraStatus) -> None:
        with self._lock:
            changed, self._status = status != self._status, status
        if changed:
            self._on_status()
