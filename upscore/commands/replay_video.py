"""The part of `upscore replay` that takes videos."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from upscore.commands.common import DONE, PARTLY, overlay_folder, say
from upscore.commands.replay import conclude, report
from upscore.ledger import Ledger
from vision.errors import VideoError
from vision.images import Image
from vision.overlay import draw_turn
from vision.pipeline import BoardReader
from vision.session import GameWatch
from vision.tracker import Tracker, TrackerEvent

_USUAL_RATE = 25.0
_PROGRESS = 20.0
"""Seconds of video between lines of progress."""


def replay_video(args: argparse.Namespace, watch: GameWatch, reader: BoardReader, ledger: Ledger) -> int:
    """Replay a video: one line for each turn that its tracker commits."""
    overlays = overlay_folder(args.overlay)
    tracker = Tracker(reader, watch)
    turn, said, time = 0, 0.0, 0.0
    for time, frame in video_frames(args.source):
        if time - said >= _PROGRESS:
            said = time
            say(f"{time:.0f} s of {args.source.name}")
        event = tracker.feed(frame, time)
        if event is None:
            continue
        if event.amends:
            ledger.amend()
        elif event.seen.inference.kind == "play":
            turn += 1
        _enter(event, max(turn, 1), ledger, args.json, overlays)
        if event.seen.inference.kind == "removed":
            turn = max(turn - 1, 0)
    conclude(ledger, args.json)
    if tracker.found:
        return DONE
    say(
        f"{args.source.name}: no board was found in the video: show the whole board, and name the right edition."
    )
    return PARTLY


def _enter(event: TrackerEvent, turn: int, ledger: Ledger, as_json: bool, overlays: Path | None) -> None:
    line, verdict = ledger.enter(event.seen, turn)
    amends = {"amends": True} if event.amends else {}
    report({"time": round(event.time, 3), **line, **amends}, as_json)
    if overlays is not None and event.seen.reading is not None:
        drawn = draw_turn(event.image, event.seen.reading, event.seen.inference, verdict)
        cv2.imwrite(str(overlays / f"{event.time:08.2f}.jpg"), drawn)


def video_frames(path: Path) -> Iterator[tuple[float, Image]]:
    """Frames of a video with their times in seconds; a video that is cut off just ends earlier.

    Raises VideoError when it cannot be opened or has no frame.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    video = cv2.VideoCapture(str(path))
    try:
        rate = video.get(cv2.CAP_PROP_FPS)
        rate = rate if np.isfinite(rate) and 1 <= rate <= 240 else _USUAL_RATE
        count = 0
        while True:
            there, frame = video.read()
            if not there or frame is None:
                break
            yield count / rate, np.asarray(frame, dtype=np.uint8)
            count += 1
    finally:
        video.release()
    if not count:
        raise VideoError(
            f"{path.name} is not a video that can be read: give an MP4, or a folder of photographs."
        )
