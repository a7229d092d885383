"""How well real photographs are read: another letter game's boards, flat tiles, the grid found unaided and given.

FOLDER holds pictures and `truth.json`: for each its `rows`, its `cells` (a letter, `.` for a bare square, `_` for a
blank tile) and the true `corners`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from workshop.bench.data.program import say, upscore
from workshop.bench.reading.alone import mean_gaps
from workshop.bench.record import Figures

_NEAR = 0.25


def read_real(folder: Path) -> Figures:
    """Return how many boards are found, the right way round, and how many letters are read with the corners given."""
    truths = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    tally: Figures = dict.fromkeys(
        ("pictures", "found", "turned", "tiles", "letters", "bare", "false", "sure", "sure wrong"), 0
    )
    for truth in truths:
        say(f"  reading {truth['image']}")
        path, grid = str(folder / truth["image"]), ("--grid", str(truth["rows"]))
        (row,) = upscore("read", path, *grid)
        gaps = mean_gaps(row["corners"], truth["corners"], truth["rows"]) if row["found"] else [9.0]
        tally["pictures"] += 1
        tally["found"] += min(gaps) <= _NEAR
        tally["turned"] += gaps[0] <= _NEAR
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in truth["corners"])
        (row,) = upscore("read", path, *grid, "--corners", corners)
        _count(tally, truth, row)
    return tally


def _count(tally: Figures, truth: dict[str, Any], row: dict[str, Any]) -> None:
    for line, letters, sure in zip(truth["cells"], row["letters"], row["confidence"], strict=True):
        for face, letter, confidence in zip(line, letters, sure, strict=True):
            if face == "_":
                continue
            right = letter == ("" if face == "." else face)
            if face == ".":
                tally["bare"] += 1
                tally["false"] += not right
            else:
                tally["tiles"] += 1
                tally["letters"] += right
            tally["sure"] += confidence >= 0.95
            tally["sure wrong"] += confidence >= 0.95 and not right
