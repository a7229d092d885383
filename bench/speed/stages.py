"""How long reading takes, stage by stage, with the networks loaded.

A stage's figure is the median over the sample pictures of the best of three readings; "other" is the rest of
`BoardReader.read`. Loading the picture from its file is timed apart.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.data.program import say
from bench.data.truth import games_in
from bench.documents.record import Figures
from upscore.words.loader import load_lexicon
from vision import pipeline
from vision.board import localize as finding
from vision.errors import BoardNotFound
from vision.images import Image, load_image
from vision.letters import reader as lettering
from vision.letters.tesseract import SecondOpinion
from vision.pipeline import BoardReader

ROUNDS = 3
STAGES: tuple[tuple[str, object, str], ...] = (
    ("locate", finding, "first_look"),
    ("locate", finding, "looked_closer"),
    ("locate", finding, "looked_in_parts"),
    ("lattice", finding, "search_lattice"),
    ("stacks", pipeline, "read_stacks"),
    ("which way up", pipeline, "vote"),
    ("cut faces", lettering, "cut_faces"),
    ("read faces", lettering, "read_faces"),
    ("second opinion", SecondOpinion, "weigh"),
)
STAGE_NAMES = (*dict.fromkeys(stage for stage, _, _ in STAGES), "other", "all")
Times = dict[str, float]


@contextmanager
def watched(times: Times) -> Iterator[None]:
    """Adds up, while it lasts, the seconds that each stage takes."""
    before = [getattr(owner, name) for _, owner, name in STAGES]
    for (stage, owner, name), function in zip(STAGES, before, strict=True):
        setattr(owner, name, _timed(stage, function, times))
    try:
        yield
    finally:
        for (_, owner, name), function in zip(STAGES, before, strict=True):
            setattr(owner, name, function)


def _timed(stage: str, function: Callable[..., Any], times: Times) -> Callable[..., Any]:
    def timed(*args: Any, **more: Any) -> Any:
        began = time.perf_counter()
        try:
            return function(*args, **more)
        finally:
            times[stage] += time.perf_counter() - began

    return timed


def read_once(reader: BoardReader, image: Image, size: int) -> Times | None:
    """Seconds of each stage of one reading, None where no board is found."""
    times: Times = defaultdict(float)
    began = time.perf_counter()
    with watched(times):
        try:
            reader.read(image, size)
        except BoardNotFound:
            return None
    times["all"] = time.perf_counter() - began
    times["other"] = 2 * times["all"] - sum(times.values())
    return times


def timed_reading(folder: Path) -> Figures:
    """Median milliseconds of each stage over the pictures of a folder of games."""
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
