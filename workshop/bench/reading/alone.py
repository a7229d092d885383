"""How well photographs are read each on its own: `upscore read`, square by square against the truth.

A picture in which a hand hides more than a third of the squares counts nowhere; a square counts whose top face is in
view (`Snapshot.in_view`). A board counts as found where the grid's corners lie within a quarter of a square of the true
ones, on average, whichever way round.
"""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from vision.geometry.camera import corner_gaps, side_lengths
from workshop.bench.data.program import say, upscore
from workshop.bench.data.truth import Snapshot, games_in
from workshop.bench.record import Figures

SURE = 0.95
"""From which confidence a square is called sure."""
STEEP, ASIDE = 20.0, 35.0
"""Tilts, degrees, between which views are from above, slanting, and from the side."""
EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
"""Where the bins of confidence begin."""
_NEAR = 0.25
_TILTED = 25.0
"""From which tilt tiles count as seen from the side in the table of confidence."""

KINDS = ("tiles, tilted", "tiles, overhead", "bare squares")
COUNTS = (
    "pictures", "found", "bearing", "turned", "tiles", "letters", "heights above", "tiles above", "heights slanting",
    "tiles slanting", "heights aside", "tiles aside", "bare", "false", "whole", "sure", "sure wrong",
)  # fmt: skip


def read_alone(folder: Path) -> Figures:
    """Return counts over all pictures of a folder of games, corner errors, and bins of confidence."""
    tally: Figures = dict.fromkeys(COUNTS, 0)
    tally["bins"] = {kind: empty_bins() for kind in KINDS}
    errors: list[float] = []
    for game in games_in(folder):
        say(f"  reading {game[0].path.parent.name}")
        paths = [str(turn.path) for turn in game]
        rows = {row["image"]: row for row in upscore("read", "--edition", game[0].edition.name, *paths)}
        for turn in game:
            if not turn.under_a_hand:
                errors.append(_count(tally, turn, rows[turn.path.name]))
    found = [error for error in errors if error <= _NEAR]
    return {**tally, "corner error": median(found) if found else None}


def empty_bins() -> list[list[float]]:
    """Return for each bin of confidence the sum of confidences, how many were right, and how many there are."""
    return [[0.0, 0, 0] for _ in EDGES]


def add_to_bin(bins: list[list[float]], confidence: float, right: bool) -> None:
    """Count one more in its bin."""
    inside = bins[bisect_right(EDGES, confidence) - 1]
    inside[0] += confidence
    inside[1] += right
    inside[2] += 1


def _count(tally: Figures, turn: Snapshot, row: dict[str, Any]) -> float:
    """Count one picture. Return how far, in squares, its corners are off."""
    error, turned = _gap(turn, row)
    bare = not any(cell["height"] for cell in turn.cells)
    found = error <= _NEAR
    tally["pictures"] += 1
    tally["found"] += found
    tally["bearing"] += not bare
    tally["turned"] += found and not bare and turned
    rights = [_count_square(tally, turn, cell, row) for cell in turn.in_view]
    tally["whole"] += all(rights)
    return error


def _count_square(tally: Figures, turn: Snapshot, cell: dict[str, Any], row: dict[str, Any]) -> bool:
    at, height = (cell["row"], cell["col"]), cell["height"]
    letter, tall, sure = "", -1, 0.0
    if row["found"]:
        letter, tall, sure = (row[name][at[0]][at[1]] for name in ("letters", "heights", "confidence"))
    right = letter == (cell["top"] or "") and tall == height
    if height:
        view = "above" if turn.tilt < STEEP else "slanting" if turn.tilt < ASIDE else "aside"
        tally["tiles"] += 1
        tally["letters"] += letter == cell["top"]
        tally[f"tiles {view}"] += 1
        tally[f"heights {view}"] += tall == height
    else:
        tally["bare"] += 1
        tally["false"] += bool(letter) or tall > 0
    tally["sure"] += sure >= SURE
    tally["sure wrong"] += sure >= SURE and not right
    if row["found"]:
        kind = KINDS[2] if not height else KINDS[0] if turn.tilt >= _TILTED else KINDS[1]
        add_to_bin(tally["bins"][kind], sure, right)
    return right


def _gap(turn: Snapshot, row: dict[str, Any]) -> tuple[float, bool]:
    """Return how far, in squares, the corners are off, and whether they are the right way round."""
    if not row["found"]:
        return float("inf"), False
    gaps = mean_gaps(row["corners"], turn.truth["grid_corners"], turn.edition.size)
    return min(gaps), gaps[0] == min(gaps)


def mean_gaps(seen: list[list[float]], true: list[list[float]], size: int) -> list[float]:
    """Return how far corners (4, 2) px lie from the true ones on average, in squares, turned by each quarter."""
    corners = np.array(true)
    square = float(side_lengths(corners).mean()) / size
    return [float(gap) / square for gap in corner_gaps(np.array(seen), corners).mean(axis=1)]
