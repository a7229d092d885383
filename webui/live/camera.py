"""What `--camera` may name, what it is called on the page, and how it is opened.

A phone's camera: its browser sends pictures, which are followed like any other camera's.

A camera given to `serve`: a thread that reads the frames of a webcam, a network camera or a film.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision import Video, VideoError
from vision.images import Image
from webui.errors import WebError
from webui.live.background import KeptThread
from webui.live.frames import CameraState, CameraStatus, Frame, FrameBox, sentence

Kind = Literal["webcam", "film", "network camera", "phone"]

_LABEL = re.compile(r"([A-Za-z0-9][A-Za-z0-9_ -]{0,23})=(.+)", re.DOTALL)
_OPEN_MS, _READ_MS = 5000, 2500
"""Milliseconds after which a network camera that does not answer, or stops sending, counts as lost."""


class FrameSource(Protocol):
    """What is needed of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...

    def grab(self) -> bool: ...

    def retrieve(self) -> tuple[bool, npt.NDArray[np.uint8]]: ...

    def release(self) -> None: ...


@dataclass(frozen=True)
class Source:
    """One camera: `address` is what OpenCV opens, which may hold a password; `name` is what people may see."""

    label: str
    kind: Kind
    address: int | str

    @property
    def name(self) -> str:
        """What it is called within a sentence: "the webcam", "camera A"."""
        return f"camera {self.label}" if self.label else f"the {self.kind}"


def parse_source(text: str) -> Source:
    """A device number, a film's file or an http(s)/rtsp address, perhaps with a label: ``A=0``.

    Raises WebError for anything else.
    """
    labelled = None if Path(text).is_file() else _LABEL.fullmatch(text)
    label, address = (labelled[1].strip(), labelled[2]) if labelled else ("", text)
    if address.isascii() and address.isdigit() and len(address) <= 3:
        return Source(label, "webcam", int(address))
    if re.match(r"(?i)(https?|rtsps?)://\S+$", address):
        return Source(label, "network camera", address)
    if Path(address).is_file():
        return Source(label, "film", address)
    raise WebError(
        f"There is no camera source {without_password(address)}: give a device number such as 0, a video file, "
        "or an http or rtsp address."
    )


def parse_sources(texts: tuple[str, ...]) -> tuple[Source, ...]:
    """Several of them; raises WebError where two could not be told apart."""
    sources = tuple(map(parse_source, texts))
    labels = [source.label for source in sources]
    if len(sources) > 1 and (not all(labels) or len(set(labels)) < len(labels)):
        raise WebError("Several cameras need a name each: --camera A=0 --camera B=http://...")
    return sources


def without_password(text: str) -> str:
    """An address as it may be shown: without the name and password it can carry."""
    return re.sub(r"//[^/@\s]*@", "//", text)


def open_source(address: int | str) -> FrameSource:
    """The OpenCV capture of a webcam or a network camera, which may turn out not to be open."""
    if isinstance(address, int):
        return cv2.VideoCapture(address)  # type: ignore[return-value]
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_MS]
    return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)  # type: ignore[return-value]


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


PACE_S = 0.1
"""Seconds between a live camera's frames that are decoded: hands take longer to come and go."""
PAUSES_S = (1.0, 15.0)
"""Seconds before a lost camera is opened again, the first time and at most."""


class Camera:
    """The frames of one source. `start` it, and `close` it when done.

    A webcam or a network camera that is lost is opened again after a growing pause, its frames are timed as they come,
    and late ones give way to newer ones. A film is timed by its own clock and played at its own speed, once; while
    somebody watches, none of its frames is dropped: it waits, and hurries afterwards. The first time that somebody
    begins to watch it, it begins anew, so that all of it is seen.
    """

    def __init__(
        self, source: Source, *, opener: Callable[[int | str], FrameSource] = open_source,
        pauses_s: tuple[float, float] = PAUSES_S, on_status: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self._source, self._opener, self._pauses = source, opener, pauses_s
        self._box = FrameBox(source.name, on_status)
        self._rewound, self._begin_anew = False, False
        body = self._play if source.kind == "film" else self._follow
        self._thread = KeptThread("camera", body, self._failed)

    @property
    def name(self) -> str:
        """What it is called; no address and no file's name."""
        return self._source.name

    @property
    def status(self) -> CameraStatus:
        """How the camera does."""
        return self._box.status

    @property
    def dropped(self) -> int:
        """Frames that came too fast for the one who watches."""
        return self._box.dropped

    def start(self) -> None:
        """Begin to read frames."""
        self._thread.start()

    def close(self) -> None:
        """Stop reading and release the source."""
        self._thread.close(3.0)

    def watch(self, on: bool) -> None:
        """Somebody takes the frames with `next` from now on, or nobody does."""
        anew = on and self._source.kind == "film" and not self._rewound
        if anew:
            self._rewound = True
            self._tell("connecting", "begins anew.")
        self._box.watch(on)
        if anew:
            self._begin_anew = True  # not before: the first frames would pass unwatched

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame to look at, None where none came in time; raises CameraError while there is none."""
        return self._box.next(timeout_s)

    def newest(self) -> Image:
        """The newest picture, (h, w, 3) BGR; raises CameraError when there is none that is fresh."""
        return self._box.newest()

    def _play(self) -> None:
        """Play the film, and once more where somebody began to watch it."""
        stop = self._thread.stopping
        while not stop.is_set():
            self._begin_anew = False
            self._box.drop()
            try:
                self._play_once()
            except VideoError:
                self._tell("lost", "has no pictures in it: give another video as --camera.")
            else:
                if not self._begin_anew:
                    self._tell("ended", "has ended; its last picture stays.")
            while not (self._begin_anew or stop.wait(0.2)):
                pass

    def _play_once(self) -> None:
        began = time.monotonic()
        for at, image in Video(Path(str(self._source.address))).frames():
            while (early := began + at - time.monotonic()) > 0 and not self._over():
                self._thread.stopping.wait(min(early, 0.1))
            if self._over():
                return
            self._box.put_in_turn(Frame(_coloured(image), at), self._over)

    def _over(self) -> bool:
        """Whether the film is played no further, or anew."""
        return self._begin_anew or self._thread.stopping.is_set()

    def _follow(self) -> None:
        """Read a live source, and open it again when it is lost."""
        pause, longest = self._pauses
        while not self._thread.stopping.is_set():
            came = self._read_all()
            if self._thread.stopping.is_set():
                return
            pause = self._pauses[0] if came else min(2 * pause, longest)
            what = "sends no more pictures" if came else "cannot be opened"
            said_before = not came and self.status.state == "reconnecting"
            if not said_before:
                self._tell("lost", f"{what}: see that it is on, connected and not in use elsewhere.")
            self._thread.stopping.wait(pause)
            if not said_before:
                self._tell(
                    "reconnecting", f"{what}. It is tried again and again: see that it is on and connected."
                )

    def _read_all(self) -> int:
        """Read until the source ends or `close`; the number of frames that came."""
        capture, came, due = self._opener(self._source.address), 0, 0.0
        try:
            while capture.isOpened() and not self._thread.stopping.is_set():
                if not capture.grab():
                    break
                now = time.monotonic()
                if now < due:
                    continue
                there, image = capture.retrieve()
                if not there or image is None or image.size == 0:
                    break
                came, due = came + 1, now + PACE_S
                self._box.put(Frame(_coloured(image), now))
        except cv2.error:
            pass  # a picture that cannot be decoded ends a connection like any other mishap
        finally:
            capture.release()
        return came

    def _failed(self, error: Exception) -> None:
        self._tell("lost", f"could not be read ({type(error).__name__}): it is tried again.")

    def _tell(self, state: CameraState, what: str) -> None:
        self._box.set(state, f"{sentence(self.name)} {what}")


def _coloured(image: Image) -> Image:
    if image.ndim == 3:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
