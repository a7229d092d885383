"""A film's frames, each with its own time: what decides about them never depends on how fast they are looked at."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import cv2
import numpy as np

from vision.errors import VideoError
from vision.images import Image

_USUAL_RATE = 25.0
"""Frames a second of a film that does not tell its own."""
_SURE_SHARE, _SURE_FRAMES = 0.02, 3
"""How much longer than its frames a file may say that it is without being cut off: some formats only estimate."""
_COMPLAINTS = (b"error", b"damaged", b"corrupt", b"invalid", b"concealing")
"""Words with which FFmpeg's decoders name data that they cannot decode."""
_AHEAD = 0.3
"""Seconds by which a decoder may be ahead of the frame that it hands out when it complains. By eye, not measured."""
_NEXT_KEY = 3.0
"""Seconds until the picture is whole again where the file does not tell its key frames. By eye, not measured."""


class Video:
    """A video file.

    After its frames have been read, `missing` is how many seconds of it were cut off, `unseen` in how many the picture
    was broken, and `length` how many there are. With `listen` broken pictures are told from whole ones by what the
    decoder writes to standard error: for programs that do nothing else meanwhile.
    """

    def __init__(self, path: Path, *, listen: bool = False) -> None:
        self._path, self._listen = path, listen
        self.missing = self.unseen = self.length = 0.0

    def frames(self) -> Iterator[tuple[float, Image]]:
        """Yield each whole frame, (h, w, 3) BGR, with its time in seconds; raise VideoError when there is not one.

        A decoder that meets wrong bytes smears blocks over the picture until the next key frame. What comes in between
        is left out, where the decoder says so. It often does not: in a film with one wrong byte in 300,000 a sixth of
        the frames that are handed out still show damage.
        """
        if self._listen:
            # where a level is set OpenCV prints to standard output; `upscore` sets one to silence it
            os.environ.pop("OPENCV_FFMPEG_LOGLEVEL", None)
        with tempfile.TemporaryFile() as aside, self._said_to(aside):
            video = cv2.VideoCapture(str(self._path.resolve()), cv2.CAP_FFMPEG)
            keys = self._key_times() if self._listen else []
        rate = video.get(cv2.CAP_PROP_FPS)
        rate = rate if np.isfinite(rate) and 1 <= rate <= 240 else _USUAL_RATE
        count, time, first, whole_from = 0, -1 / rate, 0.0, -np.inf
        try:
            for frame, stamp, is_whole in self._decoded(video):
                before, time = time, stamp if stamp > time else time + 1 / rate
                first = time if not count else first
                count += 1
                if not is_whole:
                    whole_from = next((key for key in keys if key > time + _AHEAD), time + _NEXT_KEY)
                if time < whole_from:
                    self.unseen += time - before
                else:
                    yield time, frame
            announced = video.get(cv2.CAP_PROP_FRAME_COUNT)
        finally:
            video.release()
        if not count:
            raise VideoError(
                f"{self._path.name} is not a video that can be read, or is cut off at its start: give an MP4, or a "
                "folder of photographs."
            )
        self.length = time - first + 1 / rate
        # where the rate varies, or no number of frames is kept, the announced one is the length times the rate
        missing = min(announced - count, announced - self.length * rate)
        if missing > max(_SURE_FRAMES, _SURE_SHARE * announced):
            self.missing = missing / rate

    def _decoded(self, video: cv2.VideoCapture) -> Iterator[tuple[Image, float, bool]]:
        """Yield each frame, its time in seconds as the file has it, and whether it was decoded without complaint."""
        with tempfile.TemporaryFile(buffering=0) as said:  # unbuffered: the decoder moves its end
            while True:
                with self._said_to(said):
                    there, frame = video.read()
                if not there or frame is None:
                    return
                said.seek(0)
                complaint = said.read().lower()
                said.seek(0)
                said.truncate()
                is_whole = not any(word in complaint for word in _COMPLAINTS)
                yield np.asarray(frame, dtype=np.uint8), video.get(cv2.CAP_PROP_POS_MSEC) / 1000, is_whole

    @contextmanager
    def _said_to(self, file: IO[bytes]) -> Iterator[None]:
        """Let what the decoder writes to standard error go to a file: nowhere else does it name broken data."""
        if not self._listen:
            yield
            return
        sys.stderr.flush()
        own = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(own, 2)
            os.close(own)

    def _key_times(self) -> list[float]:
        """Return the times of the frames that need no other, in seconds; none where the file does not tell them."""
        packets = cv2.VideoCapture(str(self._path.resolve()), cv2.CAP_FFMPEG, [cv2.CAP_PROP_FORMAT, -1])
        keys = []
        while packets.grab():
            if packets.get(cv2.CAP_PROP_LRF_HAS_KEY_FRAME):
                keys.append(packets.get(cv2.CAP_PROP_POS_MSEC) / 1000)
        packets.release()
        return sorted(keys)


def fused(frames: Iterable[Image]) -> Image:
    """The mean of still frames, (h, w, 3) BGR of one shape each: their noise averages out."""
    return np.asarray(np.mean(np.stack(list(frames)), axis=0), dtype=np.uint8)
