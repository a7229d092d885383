"""A film's frames, each with its own time. Frames that a damaged file has spoilt are left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import av
import cv2
import numpy as np
from av.container import InputContainer
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream

from vision.errors import VideoError
from vision.images import Image

_USUAL_RATE = 25.0
"""Frames a second of a film that does not say. [by eye]"""
_SURE_SHARE, _SURE_FRAMES = 0.02, 3
"""A file counts as cut off if it claims to last longer than its frames by more than both. Some formats only estimate
their length. [by eye]"""
_THREADS = 4
"""Frames that are decoded at once. With one thread FFmpeg leaves many broken frames unmarked: 171 of 393 in a film of
2,134 frames with some twenty wrong bytes. With four it leaves 7 of 526, and `_MAX_HELD` catches these."""
_MAX_HELD = 16
"""Frames that wait for the frame to which they refer: if that one is broken, so are they. H.264 allows no more."""

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
        self._step = 0.0
        self._end = 0.0

    def frames(self) -> Iterator[tuple[float, Image]]:
        """Yield each whole frame, (h, w, 3) BGR, with its time in seconds. Raises VideoError if there is none.

        Motion JPEG is an exception: of its broken frames more than half decode without an error and are not left out.
        Each stands alone, since the next one is whole.
        """
        count = 0
        try:
            with av.open(str(self._path.resolve())) as container:
                for time, picture in self._timed(container, container.streams.video[0]):
                    count += 1
                    yield time, _upright(picture)
        except (av.FFmpegError, IndexError):
            count = 0
        if not count:
            raise VideoError(
                f"{self._path.name} is not a video that can be read, or is cut off at its start: give an MP4, or a "
                "folder of photographs."
            )

    def _timed(self, container: InputContainer, stream: VideoStream) -> Iterator[tuple[float, VideoFrame]]:
        """Yield whole frames with their times, and measure the seconds that are missing between and after them."""
        rate = float(stream.average_rate or stream.guessed_rate or 0)
        self._step = 1 / rate if 1 <= rate <= 240 else 1 / _USUAL_RATE
        begin = float((stream.start_time or 0) * (stream.time_base or 0))
        time, broken = -self._step, False
        for picture in _whole_frames(self._decoded(container, stream)):
            if picture is None:
                broken = True
                continue
            before, stamp = time + self._step, -1.0 if picture.time is None else picture.time - begin
            time = stamp if stamp > time else before
            self.unseen += max(time - before, 0.0) if broken else 0.0
            broken = False
            yield time, picture
        end = max(self._end - begin, time) + self._step
        self.unseen += end - time - self._step if broken else 0.0
        told = [float(stream.duration * stream.time_base)] if stream.duration and stream.time_base else []
        told += [container.duration / av.time_base] if container.duration else []
        self.length = max(min(told, default=0.0), end)
        if self.length - end > max(_SURE_FRAMES * self._step, _SURE_SHARE * self.length):
            self.missing = self.length - end

    def _decoded(self, container: InputContainer, stream: VideoStream) -> Iterator[VideoFrame | None]:
        """Yield the decoded frames, None where the decoder fails, and note how far the file goes."""
        # makes an error of a lost packet too: a frame that refers to one that is not there
        stream.codec_context.options = {"err_detect": "explode"}
        stream.codec_context.thread_type, stream.codec_context.thread_count = "FRAME", _THREADS
        packets = container.demux(stream)
        while True:
            try:
                if (packet := next(packets, None)) is None:
                    return
                if packet.pts is not None and packet.time_base is not None:
                    self._end = max(self._end, float(packet.pts * packet.time_base))
                yield from packet.decode()
            except av.FFmpegError:
                yield None


def fused(frames: Iterable[Image]) -> Image:
    """Return the mean of still frames, (h, w, 3) BGR of one shape each: their noise averages out."""
    return np.asarray(np.mean(np.stack(list(frames)), axis=0), dtype=np.uint8)


def _whole_frames(decoded: Iterator[VideoFrame | None]) -> Iterator[VideoFrame | None]:
    """Yield whole frames, and None for each stretch of broken ones.

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


def _upright(picture: VideoFrame) -> Image:
    """Return a frame as (h, w, 3) BGR, turned the way the phone was held."""
    image, quarters = picture.to_ndarray(format="bgr24"), round(picture.rotation / 90) % 4
    return np.asarray(cv2.rotate(image, _ROTATIONS[quarters]) if quarters else image, dtype=np.uint8)
