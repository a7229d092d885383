"""The part of `upscore replay` that takes videos: the tracker finds the turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.play import Play
from upscore.commands.console import DONE, PARTLY, say
from upscore.commands.pictures import Corners
from upscore.commands.replay.sheet import ReplaySheet
from upscore.commands.replay.unattended import taken_for_now
from vision.errors import VideoError
from vision.images import Image
from vision.pipeline import BoardReader
from vision.reading import BoardReading
from vision.turn.finding import Finding
from vision.video.tracker import Tracker

_USUAL_RATE = 25.0
_PROGRESS = 20.0
"""Seconds of video between lines of progress."""
_SURE_SHARE, _SURE_FRAMES = 0.02, 3
"""How much a file may announce beyond the frames it has without being cut off: some formats only estimate."""


def replay_video(path: Path, tracker: Tracker, sheet: ReplaySheet) -> int:
    """Replay a video: a line for each turn that its tracker commits.

    PARTLY when no board was found in it or it is cut off; raises VideoError when it is no video.
    """
    video, said = Video(path), 0.0
    for time, frame in video.frames():
        if time - said >= _PROGRESS:
            said = time
            say(f"{time:.0f} s of {path.name}")
        before = tracker.belief
        event = tracker.feed(frame, time)
        if event is None:
            continue
        if not event.amends:
            tracker.belief = taken_for_now(event.belief, event.seen.finding)
        amends = event.amends or _is_again(before.last_play, event.seen.finding)
        more: dict[str, Any] = {"amends": True} if amends else {}
        sheet.enter(
            event.seen, before.start, event.image, f"{time:08.2f}", {"time": round(event.time, 3)}, **more
        )
    sheet.conclude()
    status = DONE
    if video.missing:
        say(f"{path.name} is cut off: its last {video.missing:.0f} seconds are missing; copy it again.")
        status = PARTLY
    if not tracker.found:
        say(f"{path.name}: no board was found in it: show the whole board, and name the right edition.")
        status = PARTLY
    return status


def _is_again(last: Play | None, finding: Finding) -> bool:
    """Whether what was found is the last play once more, read otherwise."""
    if last is None or finding.kind != "play" or finding.outcomes[0].replaces != 1:
        return False
    (play, *more) = finding.outcomes[0].changes or (None,)
    return play is not None and not more and bool({*last.squares} & {*play.squares})


class FixedReader(BoardReader):
    """Reads every frame with the same corners (4, 2) px: those of a camera and a board that stay where they are."""

    def __init__(self, corners: Corners, **settings: Any) -> None:
        super().__init__(**settings)
        self._corners = corners

    def read(self, image: Image, size: int, **known: Any) -> BoardReading:
        """The reading of the board between the corners."""
        return super().read(image, size, **{**known, "corners": self._corners})


class Video:
    """A video file; after its frames have been read, `missing` is how many seconds of it were cut off."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.missing = 0.0

    def frames(self) -> Iterator[tuple[float, Image]]:
        """Each frame with its time in seconds; raises VideoError when there is not one."""
        video = cv2.VideoCapture(str(self._path.resolve()), cv2.CAP_FFMPEG)
        try:
            rate = video.get(cv2.CAP_PROP_FPS)
            rate = rate if np.isfinite(rate) and 1 <= rate <= 240 else _USUAL_RATE
            count, time = 0, -1 / rate
            while True:
                there, frame = video.read()
                if not there or frame is None:
                    break
                stamp = video.get(cv2.CAP_PROP_POS_MSEC) / 1000
                time = stamp if stamp > time else time + 1 / rate
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
        if announced - count > max(_SURE_FRAMES, _SURE_SHARE * announced):
            self.missing = (announced - count) / rate
