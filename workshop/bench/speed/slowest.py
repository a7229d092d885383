"""The pictures that take longest to read, and where the time goes."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

from upscore.words.loader import load_lexicon
from vision import BoardNotFound, BoardReader, load_image
from workshop.bench.data.program import say
from workshop.bench.data.truth import Snapshot, games_in
from workshop.bench.record import Figures

SHOWN = 5
"""Pictures that are told one by one."""
PARTS = ("lattice", "elevations")
"""Stages that are told apart; what remains is "other"."""


def slowest_pictures(folder: Path) -> Figures:
    """Return milliseconds of the pictures of a folder of games, each read or refused once, and the slowest of them."""
    reader = BoardReader(words=load_lexicon())
    turns = [turn for game in games_in(folder) for turn in game]
    time_picture(reader, turns[0])  # loads the networks
    say(f"  timing {len(turns)} pictures")
    times = sorted((time_picture(reader, turn) for turn in turns), key=lambda each: -each["all"])
    every = [each["all"] for each in times]
    return {
        "pictures": len(every), "median": statistics.median(every),
        "nine in ten": statistics.quantiles(every, n=10)[-1], "slowest": times[:SHOWN],
    }  # fmt: skip


def time_picture(reader: BoardReader, turn: Snapshot) -> dict[str, Any]:
    """Return milliseconds that reading or refusing a picture took, and of its parts where it was read."""
    image, _ = load_image(turn.path)
    began = time.perf_counter()
    try:
        parts = reader.read(image, turn.edition.size).timings
    except BoardNotFound:
        parts = None
    every = 1000 * (time.perf_counter() - began)
    told: dict[str, Any] = {"picture": turn.name, "all": every, "read": parts is not None}
    if parts is not None:
        told |= {part: 1000 * parts.get(part, 0.0) for part in PARTS}
        told["other"] = every - sum(told[part] for part in PARTS)
    return told
