"""Cameras: a webcam, a network camera or a film that `--camera` names, or a phone whose browser sends pictures."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np

from engine.wording import capitalize, join_texts, phrase
from vision import VideoError
from vision.images import Image
from webui.errors import CameraError, WebError
from webui.live.background import RestartingThread
from webui.live.network import FrameSource, NoFilm, open_network

Kind = Literal["webcam", "film", "network camera", "phone"]

_KIND_NAMES: dict[Kind, str] = {
    "webcam": phrase("the webcam"),
    "film": phrase("the film"),
    "network camera": phrase("the network camera"),
    "phone": phrase("the phone"),
}
_LABEL = re.compile(r"([A-Za-z0-9][A-Za-z0-9_ -]{0,23})=(.+)", re.DOTALL)
_NOT_OPENED = phrase("cannot be opened"), phrase("check that it is plugged in, and not in use elsewhere")
_NO_MORE = phrase("sends no more pictures"), phrase("check that it is on, connected and not in use elsewhere")
_DAMAGED = phrase("sends damaged pictures"), phrase("check its cable or its Wi-Fi, or switch it off and on")
"""What a camera does that gives no pictures, and what people can do about it."""


@dataclass(frozen=True)
class Source:
    """A source of frames. `open_source` opens its `address`, which may hold a password; people see its `name`.

    The address of a webcam that was given by its name is its whole name, since its number changes when it is replugged.
    """

    label: str
    kind: Kind
    address: int | str

    @property
    def name(self) -> str:
        """The name within a sentence: "the webcam", "camera A"."""
        return phrase("camera %(label)s", label=self.label) if self.label else _KIND_NAMES[self.kind]


_LISTED = Path("/sys/class/video4linux")
_BY_NAME = {"win32": ("dshow", "video={}", {}), "darwin": ("avfoundation", "{}:none", {"framerate": "30"})}
"""How FFmpeg opens a camera by its name: the format, what it calls the camera, and options."""
_OPEN_S = 10.0
"""Seconds in which a camera that was given by its name must send pictures. [by eye]"""


def camera_names(listed: Path = _LISTED) -> dict[int, str]:
    """Return the names of this computer's cameras by their numbers, as Linux lists them. Other systems list none."""
    names = {}
    for number in sorted(int(path.name.removeprefix("video")) for path in listed.glob("video*")):
        with suppress(OSError):  # it was unplugged just now
            names[number] = (listed / f"video{number}" / "name").read_text(encoding="utf-8").strip()
    return names


def parse_source(text: str, names: Mapping[int, str] | None = None, system: str = sys.platform) -> Source:
    """Parse a device number, path or name, a film, or an http(s) or rtsp address, also as ``A=0``; raises WebError.

    `names` are the names of the cameras by number, as `camera_names` returns them when not given.
    """
    labelled = None if Path(text).is_file() else _LABEL.fullmatch(text)
    label, address = (labelled[1].strip(), labelled[2]) if labelled else ("", text)
    if address.isascii() and address.isdigit() and len(address) <= 3:
        return Source(label, "webcam", int(address))
    if re.match(r"(?i)(https?|rtsps?)://\S+$", address):
        return Source(label, "network camera", address)
    if Path(address).is_file():
        return Source(label, "film", address)
    if address.startswith("/dev/"):  # as /dev/v4l/by-id/..., which may be plugged in later
        return Source(label, "webcam", address)
    called = camera_names() if names is None else names
    numbers = [number for number, name in called.items() if address and address.casefold() in name.casefold()]
    if len({called[number] for number in numbers}) > 1:
        fitting = ", ".join(dict.fromkeys(called[number] for number in numbers))
        raise WebError(f"{address} fits several cameras ({fitting}): give more of the name, or a number.")
    if numbers:
        return Source(label, "webcam", called[numbers[0]])
    if system in _BY_NAME and not re.search(r"[/\\]", address) and address:
        return Source(label, "webcam", address)
    shown = re.sub(r"//[^/@\s]*@", "//", address)  # without the user name and password that it can carry
    raise WebError(
        f"{shown} isn't a camera source: give a camera's number, such as 0, or its name, a path under /dev, a video "
        "file, or an http or rtsp address. `upscore doctor` lists the cameras."
    )


def parse_sources(texts: tuple[str, ...]) -> tuple[Source, ...]:
    """Parse several sources; raises WebError if they do not each have a label of their own."""
    sources = tuple(map(parse_source, texts))
    labels = [source.label for source in sources]
    if len(sources) > 1 and (not all(labels) or len(set(labels)) < len(labels)):
        raise WebError("Several cameras need a name each: --camera A=0 --camera B=http://...")
    return sources


def open_source(address: int | str, system: str = sys.platform) -> FrameSource:
    """Return the frames of a webcam or a network camera. Those of a webcam may turn out not to be open.

    :raises NoFilm: if a network camera, or one that was given by its name, has none; it says why.
    """
    if isinstance(address, int):
        return cv2.VideoCapture(address)  # type: ignore[return-value]
    if address.startswith("/dev/"):
        return cv2.VideoCapture(address, cv2.CAP_V4L2)  # type: ignore[return-value]
    if "://" in address:
        return open_network(address)
    if system not in _BY_NAME:
        number = next((number for number, name in camera_names().items() if name == address), None)
        if number is None:
            raise NoFilm(*_NOT_OPENED)
        return cv2.VideoCapture(number)  # type: ignore[return-value]  # a camera's first number gives its pictures
    from vision.video.film import LiveFilm  # PyAV takes 0.1 s to load

    container_format, pattern, options = _BY_NAME[system]
    try:
        return LiveFilm(
            pattern.format(address), open_s=_OPEN_S, read_s=_OPEN_S, options=options, container_format=container_format
        )
    except VideoError:
        raise NoFilm(
            "gives no pictures", "check its name and that no other program uses it, or give its number"
        ) from None


_FRESH_S, _MOST_WAITING = 0.5, 4
"""Seconds of which one frame at most waits for the watcher, and the most frames that wait. On a slow computer reading a
board takes seconds; these frames show what happened meanwhile. On a quarter of a core 6 of a film's 10 plays came by
themselves with them; in two runs without, 1 and 3. [by hand, held01]"""
STALLED_S = 2.0
"""Seconds without a frame after which a camera is no longer live: an older picture may mislead. [by eye]"""

CameraState = Literal["connecting", "live", "lost", "reconnecting", "ended"]


@dataclass(frozen=True)
class CameraStatus:
    """The state of a camera. `text` says in words what happened and what to do.

    `fault` says how much of a damaged film could not be seen, or is "".
    """

    state: CameraState
    text: str
    fault: str = ""


@dataclass(frozen=True)
class Frame:
    """A picture, (h, w, 3) BGR, and when it was taken, in seconds on the camera's own clock."""

    image: Image
    time: float


class BaseCamera:
    """A camera's status, its newest frame, and the next one for the watcher.

    The thread that reads the camera puts frames in. `on_status` is called whenever the status has changed, from any
    thread. A camera that sends nothing for `stalled_s` counts as lost until it sends again.
    """

    def __init__(self, name: str, on_status: Callable[[], None], *, stalled_s: float = STALLED_S) -> None:
        self.name, self._on_status, self._stalled_s = name, on_status, stalled_s
        self._changed = threading.Condition()
        self._status = CameraStatus("connecting", phrase("Connecting to %(name)s …", name=name))
        self._newest: Frame | None = None
        self._waiting: deque[Frame] = deque()
        self._came = self._joined = 0.0
        self._watched = False
        self.dropped = 0
        """Number of frames that nobody looked at, because the watcher was busy."""

    def start(self) -> None:
        """Begin to read frames. A camera that others put frames into needs no start."""

    def close(self) -> None:
        """Stop reading, and release the source."""

    @property
    def status(self) -> CameraStatus:
        """The state of the camera."""
        with self._changed:
            status, age = self._status, time.monotonic() - self._came
        if status.state == "live" and age > self._stalled_s:
            self.set("lost", phrase("No picture from %(name)s. Check that it is on and connected.", name=self.name))
            with self._changed:
                return self._status
        return status

    def set(self, state: CameraState, text: str, fault: str = "") -> None:
        """Set the state of the camera, and call `on_status` if it has changed."""
        status = CameraStatus(state, text, fault)
        with self._changed:
            changed, self._status = status != self._status, status
            self._changed.notify_all()
        if changed:
            self._on_status()

    def watch(self, on: bool) -> None:
        """Begin or end watching. A watcher takes the frames with `next`."""
        with self._changed:
            self._watched = on
            self._waiting.clear()
            self._changed.notify_all()

    def drop(self) -> None:
        """Forget the frames that wait for the watcher."""
        with self._changed:
            self._waiting.clear()

    def put_frame(self, frame: Frame) -> None:
        """Put in a frame. It joins the few that wait for the watcher, or replaces the last of them if that is fresh."""
        with self._changed:
            if self._waits_fresh():
                self._waiting.pop()
                self.dropped += 1
            else:
                self._joined = time.monotonic()
            if len(self._waiting) == _MOST_WAITING:
                self._waiting.popleft()
                self.dropped += 1
            self._keep(frame)
        self.set("live", phrase("Camera on."))

    def put_in_turn(self, frame: Frame, is_interrupted: Callable[[], bool]) -> None:
        """Put in a frame once the watcher has taken the last one, so that none is dropped, unless interrupted."""
        with self._changed:
            while self._watched and self._waiting and not is_interrupted():
                self._came = time.monotonic()
                self._changed.wait(0.2)
            if is_interrupted():
                return
            self._keep(frame)
        self.set("live", phrase("Camera on."))

    def next(self, timeout_s: float) -> Frame | None:
        """Return the next frame to look at, or None if none comes in time; raises CameraError if none can come."""
        status = self.status
        with self._changed:
            if not self._waiting and status.state not in ("live", "connecting"):
                raise CameraError(phrase("The camera gives no picture: %(status)s", status=status.text))
            if not self._waiting:
                self._changed.wait(timeout_s)
            frame = self._waiting.popleft() if self._waiting else None
            self._changed.notify_all()
            return frame

    def newest(self) -> Image:
        """Return the newest picture, (h, w, 3) BGR; raises CameraError if there is no fresh one."""
        status = self.status
        with self._changed:
            frame, age = self._newest, time.monotonic() - self._came
        if frame is None:
            raise CameraError(phrase("The camera gives no picture: %(status)s", status=status.text))
        if status.state != "ended" and age > self._stalled_s:
            raise CameraError(
                phrase("The camera's last picture is %(age).0f seconds old: %(status)s", age=age, status=status.text)
            )
        return frame.image

    def passes_over(self) -> bool:
        """Return whether a frame need not be decoded because a fresh one still waits for the watcher. Count it."""
        with self._changed:
            waits = self._waits_fresh()
            self.dropped += waits
        return waits

    def _waits_fresh(self) -> bool:
        return bool(self._waiting) and time.monotonic() - self._joined < _FRESH_S

    def _keep(self, frame: Frame) -> None:
        self._newest, self._came = frame, time.monotonic()
        if self._watched:
            self._waiting.append(frame)
        self._changed.notify_all()


class PhoneCamera(BaseCamera):
    """The frames that a phone's browser sends. The camera is lost when they stop.

    `sender` is the name under which the present phone sends, None before the first.
    """

    def __init__(self, on_status: Callable[[], None] = lambda: None) -> None:
        super().__init__(_KIND_NAMES["phone"], on_status)
        self.sender: str | None = None

    def put(self, image: Image) -> None:
        """Put in a picture, (h, w, 3) BGR, that the phone has sent."""
        self.put_frame(Frame(image, time.monotonic()))


_DAMAGED_S = 1.5
"""Seconds without a whole picture, only damaged ones, after which people are told: before the camera counts as stalled.
[by eye]"""
PACE_S = 0.1
"""Seconds between two decoded frames of a live camera: hands take longer to come and go. [by eye]"""
PAUSES_S = (1.0, 15.0)
"""Seconds before a lost camera is opened again: the first pause, and the longest. [by eye]"""


class Camera(BaseCamera):
    """The frames of one source. `start` it, and `close` it when done.

    A webcam or network camera that is lost is opened again after a growing pause. Its frames get the time at which
    they come. While the watcher is busy, a few wait, and others are dropped.

    A film is played once, at its own speed and by its own clock. While somebody watches, it drops no frame: it waits,
    and hurries afterwards. It starts again when somebody first watches it, so that all of it is seen.
    """

    def __init__(
        self,
        source: Source,
        *,
        opener: Callable[[int | str], FrameSource] = open_source,
        pace_s: float = PACE_S,
        pauses_s: tuple[float, float] = PAUSES_S,
        stalled_s: float = STALLED_S,
        on_status: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(source.name, on_status, stalled_s=stalled_s)
        self._source, self._opener, self._pace_s, self._pauses = source, opener, pace_s, pauses_s
        self._was_restarted, self._restart_due = False, False
        body = self._play if source.kind == "film" else self._follow
        self._thread = RestartingThread("camera", body, self._report_failure)

    def start(self) -> None:
        """Begin to read frames."""
        self._thread.start()

    def close(self) -> None:
        """Stop reading and release the source."""
        self._thread.close(3.0)

    def watch(self, on: bool) -> None:
        """Begin or end watching. A watcher takes the frames with `next`."""
        restarts = on and self._source.kind == "film" and not self._was_restarted
        if restarts:
            self._was_restarted = True
            self._tell("connecting", phrase("starts again."))
        super().watch(on)
        if restarts:
            self._restart_due = True  # set last: otherwise the first frames would pass unwatched

    def _play(self) -> None:
        """Play the film, and again when a restart is due."""
        stop = self._thread.stopping
        while not stop.is_set():
            self._restart_due = False
            self.drop()
            try:
                fault = self._play_once()
            except VideoError:
                self._tell("lost", phrase("has no pictures: give another video as --camera."))
            else:
                if not self._restart_due:
                    self._tell("ended", join_texts((phrase("has ended; its last picture stays."), fault)), fault)
            while not (self._restart_due or stop.wait(0.2)):
                pass

    def _play_once(self) -> str:
        """Play the film to its end, unless interrupted. Return what of it could not be seen, in words."""
        from vision import Video  # PyAV takes 0.1 s to load, and few cameras are films

        began, video = time.monotonic(), Video(Path(str(self._source.address)))
        for at, image in video.frames():
            while (early := began + at - time.monotonic()) > 0 and not self._is_interrupted():
                self._thread.stopping.wait(min(early, 0.1))
            if self._is_interrupted():
                return ""
            self.put_in_turn(Frame(_in_colour(image), at), self._is_interrupted)
        return join_texts(video.faults(capitalize(self.name)))

    def _is_interrupted(self) -> bool:
        return self._restart_due or self._thread.stopping.is_set()

    def _follow(self) -> None:
        """Read a live source, and open it again whenever it is lost."""
        pause, longest = self._pauses
        while not self._thread.stopping.is_set():
            count, (what, advice) = self._read_all()
            if self._thread.stopping.is_set():
                return
            pause = self._pauses[0] if count else min(2 * pause, longest)
            if count or self.status.state != "reconnecting":
                self._tell("lost", phrase("%(what)s: %(advice)s.", what=what, advice=advice))
            self._thread.stopping.wait(pause)
            self._tell("reconnecting", phrase("%(what)s. Upscore keeps trying: %(advice)s.", what=what, advice=advice))

    def _read_all(self) -> tuple[int, tuple[str, str]]:
        """Read until the source ends or `close` is called. Return the number of frames, and why there are no more."""
        count, due = 0, 0.0
        damaged_since: float | None = None
        try:
            capture = self._opener(self._source.address)
        except NoFilm as reason:
            return 0, (reason.what, reason.advice)
        try:
            while capture.isOpened() and not self._thread.stopping.is_set():
                if not capture.grab():
                    break
                now = time.monotonic()
                if now < due:
                    continue
                due = now + self._pace_s
                if self.passes_over():
                    continue
                is_decoded, image = capture.retrieve()
                if not is_decoded or image is None or image.size == 0:
                    damaged_since = now if damaged_since is None else damaged_since
                    if now - damaged_since >= _DAMAGED_S:
                        return count, _DAMAGED if count or self._source.kind == "network camera" else _NOT_OPENED
                    continue
                damaged_since = None
                count += 1
                self.put_frame(Frame(_in_colour(image), now))
        except cv2.error:
            pass  # a picture that cannot be decoded ends the connection, as any other failure does
        finally:
            capture.release()
        return count, _NO_MORE if count or self._source.kind == "network camera" else _NOT_OPENED

    def _report_failure(self, error: Exception) -> None:
        self._tell("lost", phrase("could not be read (%(error)s). Upscore tries again.", error=type(error).__name__))

    def _tell(self, state: CameraState, what: str, fault: str = "") -> None:
        self.set(state, join_texts((capitalize(self.name), what)), fault)


def _in_colour(image: Image) -> Image:
    if image.ndim == 3:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
