"""How long reading takes, stage by stage, with the networks loaded.

A stage's figure is the median over the sample pictures of the best of three readings; "other" is the rest of
`BoardReader.read`. Loading the picture from its file is timed apart.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from pathlib import Path

from upscore.words.loader import load_lexicon
from vision import BoardNotFound, BoardReader, load_image
from vision.images import Image
from workshop.bench.data.program import say
from workshop.bench.data.truth import games_in
from workshop.bench.record import Figures

ROUNDS = 3
STAGES = ("lattice", "elevations", "orientation", "heights", "letters", "grid shift")
STAGE_NAMES = (*STAGES, "other", "all")
Times = dict[str, float]


def read_once(reader: BoardReader, image: Image, size: int) -> Times | None:
    """Return seconds of each stage of one reading, None if no board is found."""
    try:
        reading = reader.read(image, size)
    except BoardNotFound:
        return None
    times: Times = defaultdict(float, reading.timings)
    times["all"] = reading.seconds
    times["other"] = reading.seconds - sum(times[stage] for stage in STAGES)
    return times


def time_reading(folder: Path) -> Figures:
    """Return the median milliseconds of each stage over the pictures of a folder of games."""
    reader = BoardReader(words=load_lexicon())
    turns = [turn for game in games_in(folder) for turn in game]
    best: list[Times] = []
    loading: list[float] = []
    read_once(reader, load_image(turns[0].path)[0], turns[0].edition.size)  # loads the networks
    say(f"  timing {len(turns)} pictures")
    for turn in turns:
        began = time.perf_counter()
        image, _ = load_image(turn.path)
        loading.append(time.perf_counter() - began)
        tries = [read_once(reader, image, turn.edition.size) for _ in range(ROUNDS)]
        found = [times for times in tries if times is not None]
        best += [min(found, key=lambda times: times["all"])] if found else []
    stages = ("loading", *STAGE_NAMES)
    medians = [statistics.median(loading)]
    medians += [statistics.median(times.get(stage, 0.0) for times in best) for stage in STAGE_NAMES]
    return {stage: 1000 * each for stage, each in zip(stages, medians, strict=True)}
