"""A film's frames, each with its own time: what decides about them never depends on how fast they are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VideoError
from vision.images import Image

_USUAL_RATE = 25.0
"""Frames a second of a film that does not tell its own."""
_SURE_SHARE, _SURE_FRAMES = 0.02, 3
"""How much longer than its frames a file may say that it is without being cut off: some formats only estimate."""


class Video:
    """A video file; after its frames have been read, `missing` is how many seconds of it were cut off."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.missing = 0.0

    def frames(self) -> Iterator[tuple[float, Image]]:
        """Each frame, (h, w, 3) BGR, with its time in seconds; raises VideoError when there is not one."""
        video = cv2.VideoCapture(str(self._path.resolve()), cv2.CAP_FFMPEG)
        try:
            rate = video.get(cv2.CAP_PROP_FPS)
            rate = rate if np.isfinite(rate) and 1 <= rate <= 240 else _USUAL_RATE
            count, time, first = 0, -1 / rate, 0.0
            while True:
                there, frame = video.read()
                if not there or frame is None:
                    break
                stamp = video.get(cv2.CAP_PROP_POS_MSEC) / 1000
                time = stamp if stamp > time else time + 1 / rate
                first = time if not count else first
                count += 1
                yield time, np.asarray(frame, dtype=np.uint8)
            announced = video.get(cv2.CAP_PROP_FRAME_COUNT)
        finally:
            video.release()
        if not count:
            raise VideoError(
                f"{self._path.name} is not a video that can be read, or is cut off at its start: give an MP4, or a "
                "folder of photographs."
            )
        # where the rate varies, or no number of frames is kept, the announced one is the length times the rate
        missing = min(announced - count, announced - (time - first) * rate - 1)
        if missing > max(_SURE_FRAMES, _SURE_SHARE * announced):
            self.missing = missing / rate


def fused(frames: Iterable[Image]) -> Image:
    """The mean of still frames, (h, w, 3) BGR of one shape each: their noise averages out."""
    return np.asarray(np.mean(np.stack(list(frames)), axis=0), dtype=np.uint8)
