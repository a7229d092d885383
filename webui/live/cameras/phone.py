"""A phone's camera: its browser sends pictures, which are followed like any other camera's."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.images import Image
from webui.live.cameras.frames import CameraStatus, Frame, FrameBox


class PhoneCamera:
    """The frames that a browser sends; it is lost when they stop.

    `sender` is the name under which the phone sends whose camera it is, None until one has one.
    """

    name = "the phone"

    def __init__(self, on_status: Callable[[], None] = lambda: None) -> None:
        self._box = FrameBox(self.name, on_status)
        self.sender: str | None = None

    @property
    def status(self) -> CameraStatus:
        """How the camera does."""
        return self._box.status

    @property
    def dropped(self) -> int:
        """Pictures that came too fast for the one who watches."""
        return self._box.dropped

    def start(self) -> None:
        """Nothing has to be started: the phone begins."""

    def close(self) -> None:
        """Nothing has to be stopped."""

    def put(self, image: Image) -> None:
        """A picture, (h, w, 3) BGR, has come in."""
        self._box.put(Frame(image, time.monotonic()))

    def watch(self, on: bool) -> None:
        """Somebody takes the frames with `next` from now on, or nobody does."""
        self._box.watch(on)

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame to look at, None where none came in time; raises CameraError while none can come."""
        return self._box.next(timeout_s)

    def newest(self) -> Image:
        """The newest picture; raises CameraError when there is none that is fresh."""
        return self._box.newest()
