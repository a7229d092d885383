"""How long reading takes, stage by stage, with the networks loaded; and how many frames a second the tracker takes.

    python bench/bench_read.py [IMAGE ...] [--edition 8x8] [--cores 2] [--rounds 3]
    python bench/bench_read.py --video GAME.mp4 [--edition 8x8] [--cores 1] [--seconds 60] [--width 1920]

Without images the sample games are read. A stage's figure is the median over the images of the best of the rounds; what
is indented is a part of the stage above it, "other" the rest of `BoardReader.read`. Loading the picture from its file
is timed apart. Of a video the tracker's own time counts, decoding is told beside it; the slowest frames are those on
which the board was read.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

import sample_images
from engine.board import Board
from engine.editions import edition_named
from upscore.words.loader import load_lexicon
from vision.errors import BoardNotFound
from vision.images import Image, load_image
from vision.pipeline import BoardReader
from vision.turn.belief import certain
from vision.turn.context import Context
from vision.video.film import Video
from vision.video.tracker import Tracker

SAMPLES = Path(sample_images.__file__).parent
STAGES = ("lattice", "elevations", "orientation", "heights", "letters", "grid shift")
WITHIN = {
    "locate": "lattice",
    **dict.fromkeys(("colour", "overlap", "apparent size", "seams"), "elevations"),
    **dict.fromkeys(("own faces", "upright letter", "tesseract"), "letters"),
}
"""What is timed by itself, and the stage that it is a part of."""
Times = dict[str, float]


def read_once(reader: BoardReader, image: Image, size: int) -> Times | None:
    """Seconds of each stage of one reading, None where no board is found."""
    try:
        reading = reader.read(image, size)
    except BoardNotFound:
        return None
    times: Times = defaultdict(float, reading.timings)
    times["all"] = reading.seconds
    times["other"] = reading.seconds - sum(times[stage] for stage in STAGES)
    return times


def bench_images(paths: list[Path], edition: str | None, rounds: int) -> None:
    """Median milliseconds of each stage."""
    reader = BoardReader(words=load_lexicon())
    best: list[Times] = []
    loading: list[float] = []
    lost = 0
    for path in paths:
        size = edition_named(edition or ("10x10" if "10x10" in path.parent.name else "8x8")).size
        began = time.perf_counter()
        image, _ = load_image(path)
        loading.append(time.perf_counter() - began)
        if not best and not lost:
            read_once(reader, image, size)  # loads the networks
        tries = [times for _ in range(rounds) if (times := read_once(reader, image, size)) is not None]
        lost += not tries
        if tries:
            best.append(min(tries, key=lambda times: times["all"]))
    print(f"{len(paths)} images, no board found in {lost}; median ms:")
    for stage in (*STAGES, "other", "all"):
        parts = [part for part, whole in WITHIN.items() if whole == stage]
        for name, shown in ((stage, stage), *((part, f"  {part}") for part in parts)):
            if best:
                print(f"  {shown:17}{1000 * statistics.median(times[name] for times in best):7.1f}")
    print(f"  {'(loading':17}{1000 * statistics.median(loading):7.1f})")


def bench_video(path: Path, edition: str, seconds: float, width: int | None) -> None:
    """Frames a second of the tracker, the frames enlarged to `width` pixels before its time counts."""
    words = load_lexicon()
    reader = BoardReader(words=words)
    known = edition_named(edition)
    tracker = Tracker(reader, certain(Board.empty(known.size)), Context(known, words))
    feeding: list[float] = []
    began = time.perf_counter()
    shape: tuple[int, ...] = ()
    for at, frame in Video(path).frames():
        if at > seconds:
            break
        if width:
            size = (width, round(frame.shape[0] * width / frame.shape[1]))
            frame = np.asarray(cv2.resize(frame, size), dtype=np.uint8)
        shape = frame.shape
        fed = time.perf_counter()
        tracker.feed(frame, at)
        feeding.append(time.perf_counter() - fed)
    everything = time.perf_counter() - began
    print(f"{path.name}: {len(feeding)} frames of {shape[1]}x{shape[0]}, board found: {tracker.found}")
    print(f"  tracker alone    {len(feeding) / sum(feeding):7.1f} frames/s")
    print(f"  with decoding    {len(feeding) / everything:7.1f} frames/s")
    print(f"  a frame, median  {1000 * statistics.median(feeding):7.1f} ms")
    print(f"  slowest 1 %      {1000 * float(np.quantile(feeding, 0.99)):7.1f} ms or more")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("images", nargs="*", type=Path)
    parser.add_argument("--edition", help="of the board; told from the sample games' folders when not given")
    parser.add_argument("--video", type=Path)
    parser.add_argument("--cores", type=int, help="processor cores to use")
    parser.add_argument("--rounds", type=int, default=3, help="readings of each image")
    parser.add_argument("--seconds", type=float, default=60.0, help="how much of the video")
    parser.add_argument("--width", type=int, help="enlarge the video's frames to so many pixels")
    args = parser.parse_args()
    if args.cores is not None:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: args.cores])
        cv2.setNumThreads(args.cores)
    if args.video is not None:
        bench_video(args.video, args.edition or "8x8", args.seconds, args.width)
    else:
        bench_images(args.images or sorted(SAMPLES.glob("*/*.jpg")), args.edition, max(1, args.rounds))


if __name__ == "__main__":
    main()
