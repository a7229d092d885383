"""How many frames a second the tracker takes, the frames as large as cameras give them.

The tracker's own time counts, not decoding; the slowest frames are those on which the board was read.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path

import cv2
import numpy as np

from engine import Board, find_edition
from upscore.words.loader import load_lexicon
from vision import BoardReader, GameSettings, Tracker, Video, certain
from workshop.bench.data.program import say
from workshop.bench.record import Figures

WIDTH = 1920
"""Pixels across of the frames, enlarged before the tracker's time counts."""
_SECONDS = 40.0
"""How much of each film."""


def time_tracker(folder: Path) -> Figures:
    """Return frames a second of all films together, and milliseconds a frame."""
    feeding: list[float] = []
    for path in sorted(folder.glob("*.mp4")):
        say(f"  following {path.name} for {_SECONDS:.0f} seconds")
        size = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["edition"]
        feeding += _time_frames(path, size)
    return {
        "frames a second": len(feeding) / sum(feeding),
        "median ms": 1000 * statistics.median(feeding),
        "slowest ms": 1000 * float(np.quantile(feeding, 0.99)),
    }


def _time_frames(path: Path, size: int) -> list[float]:
    """Return the seconds that each frame took."""
    words, edition = load_lexicon(), find_edition(f"{size}x{size}")
    tracker = Tracker(BoardReader(words=words), certain(Board.empty(size)), GameSettings(edition, words))
    feeding: list[float] = []
    for at, frame in Video(path).frames():
        if at > _SECONDS:
            break
        shape = (WIDTH, round(frame.shape[0] * WIDTH / frame.shape[1]))
        large = np.asarray(cv2.resize(frame, shape), dtype=np.uint8)
        fed = time.perf_counter()
        tracker.feed(large, at)
        feeding.append(time.perf_counter() - fed)
    return feeding
