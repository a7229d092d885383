"""A film's frames, each with its own time. Frames that a damaged file or lost packets have spoilt are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import av
import cv2
import numpy as np
import numpy.typing as npt
from av.container import InputContainer
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream

from engine.wording import phrase
from vision.errors import VideoError
from vision.images import Image

Grey: TypeAlias = npt.NDArray[np.int16]
"""(rows, columns), grey levels."""

_USUAL_RATE = 25.0
"""Frames a second of a film that does not say. [by eye]"""
_SURE_SHARE, _SURE_FRAMES = 0.02, 3
"""A file counts as cut off if it claims to last longer than its frames by more than both. Some formats only estimate
their length. [by eye]"""
_THREADS = 4
"""Frames that are decoded at once. With one thread FFmpeg leaves many broken frames unmarked: 171 of 393 in a film of
2,134 frames with some twenty wrong bytes. With four it leaves 7 of 526, and `_MAX_HELD` catches these.
[by hand, one film]"""
_MAX_HELD = 16
"""Frames that wait for the frame to which they refer: if that one is broken, so are they. H.264 allows no more."""

_BLOCK_PX = 16
"""Side of the squares in which a JPEG is mostly coded, from left to right and from top to bottom, px."""
_CHANGED, _UNCHANGED = 4, 2
"""Grey levels by which the mean of a changed square differs, at least, and of an unchanged one, at most. [by eye]"""
_SPOILT_SHARE = 0.5
"""A frame is spoilt from some square on if the share of changed squares after it is so much higher than before it.
Of 600 frames 107 had wrong bytes; 57 of these were visibly spoilt and decoded without an error. One of the 57 stays,
and 2 others go. With wrong bytes in 393 frames 16 of 222 stay, and some 15 others go. [by hand, dev00 as Motion JPEG,
ffmpeg's noise bitstream filter at 300000 and 60000]"""

_ROTATIONS = {1: cv2.ROTATE_90_COUNTERCLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_CLOCKWISE}
"""OpenCV's name for each number of quarter turns anticlockwise."""


class Video:
    """A video file.

    Once its frames have been read, `length` is the seconds that it should last, `missing` the seconds cut off at its
    end, and `unseen` the seconds that are too damaged to show.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.length = self.missing = self.unseen = 0.0

    def frames(self) -> Iterator[tuple[float, Image]]:
        """Yield each whole frame, (h, w, 3) BGR, with its time in seconds. Raises VideoError if there is none.

        With Motion JPEG, spoilt frames may slip through until the decoder refuses the first one.
        """
        count = 0
        try:
            with av.open(str(self._path.resolve())) as container:
                for time, picture in self._time_frames(container, container.streams.video[0]):
                    count += 1
                    yield time, _upright(picture)
        except (av.FFmpegError, IndexError):
            count = 0
        if not count:
            raise VideoError(
                f"{self._path.name} is not a video that can be read, or is cut off at its start: give an MP4, or a "
                "folder of photographs."
            )

    def faults(self, name: str) -> list[str]:
        """Return what is wrong with the file `name`, as sentences for people, once its frames have been read."""
        faults: list[str] = []
        if self.missing:
            faults.append(
                phrase(
                    "%(name)s is cut off: its last %(seconds).0f seconds are missing. Copy it again.",
                    name=name,
                    seconds=self.missing,
                )
            )
        if unseen := round(self.unseen):
            faults.append(
                phrase(
                    "%(name)s is damaged: of %(length).0f s, %(unseen)s s could not be seen. Copy it again, or "
                    "check the turns.",
                    name=name,
                    length=self.length,
                    unseen=unseen,
                )
            )
        return faults

    def _time_frames(self, container: InputContainer, stream: VideoStream) -> Iterator[tuple[float, VideoFrame]]:
        """Yield whole frames with their times, and measure the seconds that are missing between and after them."""
        rate = float(stream.average_rate or stream.guessed_rate or 0)
        step = 1 / rate if 1 <= rate <= 240 else 1 / _USUAL_RATE
        begin = float((stream.start_time or 0) * (stream.time_base or 0))
        time, broken, last = -step, False, 0.0

        def note(end: float) -> None:
            nonlocal last
            last = max(last, end)

        for picture in _whole_frames(container, stream, note):
            if picture is None:
                broken = True
                continue
            before, stamp = time + step, -1.0 if picture.time is None else picture.time - begin
            time = stamp if stamp > time else before
            self.unseen += max(time - before, 0.0) if broken else 0.0
            broken = False
            yield time, picture
        end = max(last - begin, time) + step
        self.unseen += end - time - step if broken else 0.0
        told = [float(stream.duration * stream.time_base)] if stream.duration and stream.time_base else []
        told += [container.duration / av.time_base] if container.duration else []
        self.length = max(min(told, default=0.0), end)
        if self.length - end > max(_SURE_FRAMES * step, _SURE_SHARE * self.length):
            self.missing = self.length - end


class LiveFilm:
    """The complete frames of a film from the network, with the interface of `cv2.VideoCapture`. Their size may change.

    It counts as lost after `open_s` seconds without an answer, or `read_s` without data. A camera of this computer has
    `options` and a `container_format`, as FFmpeg's devices need them. Raises VideoError if there is no film.
    """

    def __init__(
        self,
        address: str,
        *,
        open_s: float,
        read_s: float,
        options: Mapping[str, str] | None = None,
        container_format: str | None = None,
    ) -> None:
        options = {**(options or {}), **({"rtsp_transport": "tcp"} if address.lower().startswith("rtsp") else {})}
        if re.match("(?i)(https|rtsps):", address):
            options["tls_verify"] = "0"  # most cameras sign their certificates themselves
        try:
            self._container = av.open(address, format=container_format, options=options, timeout=(open_s, read_s))
            self._frames = _whole_frames(self._container, self._container.streams.video[0])
        except (av.FFmpegError, IndexError, ValueError):
            raise VideoError("There is no film at this address.") from None
        self._frame: VideoFrame | None = None

    def isOpened(self) -> bool:
        """Return whether the camera answered."""
        return True

    def grab(self) -> bool:
        """Wait for the next whole frame; return whether it came."""
        self._frame = next((frame for frame in self._frames if frame is not None), None)
        return self._frame is not None

    def retrieve(self) -> tuple[bool, Image]:
        """Return the frame, (h, w, 3) BGR."""
        assert self._frame is not None, "a frame is grabbed before it is retrieved"
        return True, _upright(self._frame)

    def release(self) -> None:
        """Close the connection."""
        self._container.close()


def _whole_frames(
    container: InputContainer, stream: VideoStream, note_time: Callable[[float], None] = lambda time: None
) -> Iterator[VideoFrame | None]:
    """Yield the whole frames of a film, and None for each stretch of broken ones.

    `note_time` is called with the time of each packet, in seconds.
    """
    pictures = _referring(_decode(container, stream, note_time))
    return _unspoilt(pictures) if stream.codec_context.name == "mjpeg" else pictures


def _decode(
    container: InputContainer, stream: VideoStream, note_time: Callable[[float], None]
) -> Iterator[VideoFrame | None]:
    """Yield the decoded frames, None if the decoder fails."""
    # this also reports a lost packet: a frame that refers to a missing one
    stream.codec_context.options = {"err_detect": "explode"}
    stream.codec_context.thread_type, stream.codec_context.thread_count = "FRAME", _THREADS
    packets = container.demux(stream)
    while True:
        try:
            if (packet := next(packets, None)) is None:
                return
            if packet.pts is not None and packet.time_base is not None:
                note_time(float(packet.pts * packet.time_base))
            yield from packet.decode()
        except av.FFmpegError:
            yield None


def fuse(frames: Iterable[Image]) -> Image:
    """Return the mean of still frames, (h, w, 3) BGR of one shape, in which their noise averages out."""
    return np.asarray(np.mean(np.stack(list(frames)), axis=0), dtype=np.uint8)


def _referring(decoded: Iterator[VideoFrame | None]) -> Iterator[VideoFrame | None]:
    """Yield the frames that are complete and refer only to complete ones, and None for each stretch of others.

    A broken frame spoils those that refer to it: all frames up to the next key frame.
    """
    held: list[VideoFrame] = []
    broken = False
    for picture in decoded:
        if picture is None or picture.is_corrupt:
            if not broken:
                yield None
            broken = True
            held.clear()
            continue
        broken = broken and not picture.key_frame
        if broken:
            continue
        held.append(picture)
        if picture.pict_type != PictureType.B or len(held) > _MAX_HELD:
            yield from held
            held.clear()
    yield from held


def _unspoilt(pictures: Iterator[VideoFrame | None]) -> Iterator[VideoFrame | None]:
    """Yield frames of Motion JPEG, and None in place of those that are spoilt though they decode without an error.

    A wrong byte usually gives other valid codes. Everything after it in the frame is then shifted, lighter or darker,
    and differs from the frames before and after. We look for that only once the decoder has found an error, so that an
    undamaged film loses no frame.
    """
    damaged = gap = False
    before: Grey | None = None
    held: tuple[VideoFrame, Grey] | None = None
    for picture in pictures:
        if picture is None:
            damaged = gap = True
            continue
        squares = _squares(picture)
        if held is not None:
            spoilt = damaged and _jumps(held[1], before) and _jumps(held[1], squares)
            yield None if spoilt else held[0]
            before = before if spoilt else held[1]
        if gap:
            yield None
        gap, held = False, (picture, squares)
    if held is not None:
        yield held[0]
    if gap:
        yield None


def _squares(picture: VideoFrame) -> Grey:
    """Return the mean grey of each square of about `_BLOCK_PX` pixels of a frame."""
    size = max(picture.width // _BLOCK_PX, 1), max(picture.height // _BLOCK_PX, 1)
    return np.asarray(cv2.resize(picture.to_ndarray(format="gray"), size, interpolation=cv2.INTER_AREA), np.int16)


def _jumps(squares: Grey, other: Grey | None) -> bool:
    """Return whether two frames differ from some square on, to the end, and hardly before it."""
    if other is None or squares.shape != other.shape:
        return False
    change = np.abs(squares - other)
    starts = np.arange(change.size - change.shape[1])
    changed, touched = np.cumsum(change > _CHANGED), np.cumsum(change > _UNCHANGED)
    after = (changed[-1] - changed[starts]) / (change.size - 1 - starts)
    before = touched[starts] / (starts + 1)
    return bool(np.max(after - before, initial=0.0) > _SPOILT_SHARE)


def _upright(picture: VideoFrame) -> Image:
    """Return a frame as (h, w, 3) BGR, turned the way the phone was held."""
    image, quarters = picture.to_ndarray(format="bgr24"), round(picture.rotation / 90) % 4
    return np.asarray(cv2.rotate(image, _ROTATIONS[quarters]) if quarters else image, dtype=np.uint8)
