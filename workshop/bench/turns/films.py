"""Hands-free films followed by the tracker, and what it adds: the same films looked at every two seconds without it.

FOLDER holds NAME.mp4 with NAME.json (`edition`, `fps`, `frames`, `events`: `type` "play" with `tiles`, or "takeback",
`changed_frames`, `hand_gone_frame`). A play is committed where `upscore replay` has a line with exactly its tiles,
without a question, after the hand left and before the next turn begins; a line that claims any other play without a
question is wrong in silence. Without the tracker a frame is read every so often, whatever hands do in it; a play counts
as right whenever it is told, and a play that was never made as wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from engine import Board, find_edition
from upscore.commands.replay.command import first_look, next_look
from upscore.words.loader import load_lexicon
from vision import BoardReader, Finding, GameSettings, Video, certain
from workshop.bench.data.program import say, upscore
from workshop.bench.record import Figures

EVERY = 2.0
"""Seconds between looks without the tracker."""
_EARLY = 0.2
"""Seconds before the hand is gone from which a commit counts: the last fingers are no bar. [by eye]"""
Tiles = frozenset[tuple[int, int, str]]
Truth = dict[str, Any]
Line = dict[str, Any]


def follow_films(folder: Path) -> Figures:
    """Return, for each film, the turns committed with the tracker and without it, and delays over all films."""
    films: dict[str, Figures] = {}
    delays: list[float] = []
    for path in sorted(folder.glob("*.mp4")):
        say(f"  following {path.name}")
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        began = perf_counter()
        lines = upscore("replay", str(path), "--edition", f"{truth['edition']}x{truth['edition']}")
        speed = truth["frames"] / truth["fps"] / (perf_counter() - began)
        tally, late = _score_tracked([line for line in lines if "time" in line], truth)
        delays += late
        films[path.stem] = {**tally, "speed": speed, "without": _score_untracked(path, truth)}
    return {"films": films, "delay": median(delays) if delays else None}


def _score_tracked(lines: list[Line], truth: Truth) -> tuple[Figures, list[float]]:
    """Return the results of a replay, and how long after the hands left each play was committed."""
    lines = [line for line, after in zip(lines, [*lines[1:], {}], strict=True) if not after.get("amends")]
    tally = dict.fromkeys(("plays", "committed", "asked", "silent", "takebacks", "noticed"), 0)
    found_plays: set[int] = set()
    delays: list[float] = []
    for event, gone, until in _events(truth):
        within = [
            k
            for k, line in enumerate(lines)
            if k not in found_plays and gone - _EARLY <= line["time"] < until
        ]  # fmt: skip
        back = event["type"] == "takeback"
        hits = [k for k in within if _is_of(lines[k], event)]
        found_plays.update(hits[:1])
        if back:
            tally["takebacks"] += 1
            tally["noticed"] += bool(hits)
            continue
        tally["plays"] += 1
        if hits and not lines[hits[0]]["needs_review"]:
            tally["committed"] += 1
            delays.append(lines[hits[0]]["time"] - gone)
        else:
            tally["asked"] += any(lines[k]["needs_review"] for k in within)
    claims = [line for k, line in enumerate(lines) if k not in found_plays and line["kind"] == "play"]
    tally["silent"] = sum(not line["needs_review"] for line in claims)
    return tally, delays


def _events(truth: Truth) -> Iterator[tuple[Truth, float, float]]:
    """Yield plays and take-backs in order, each with the times when its hand left and when the next one begins."""
    events = [event for event in truth["events"] if event["type"] in ("play", "takeback")]
    events.sort(key=lambda event: event["hand_gone_frame"])
    for event, after in zip(events, [*events[1:], None], strict=True):
        end = truth["frames"] + truth["fps"] if after is None else after["changed_frames"][0]
        yield event, event["hand_gone_frame"] / truth["fps"], end / truth["fps"]


def _is_of(line: Line, event: Truth) -> bool:
    if event["type"] == "takeback":
        return bool(line["kind"] == "removed")
    return line["kind"] == "play" and _tiles(line["tiles"]) == _tiles(event["tiles"])


def _score_untracked(path: Path, truth: Truth) -> Figures:
    """Return the turns that a look every few seconds would commit."""
    true = [_tiles(event["tiles"]) for event in truth["events"] if event["type"] == "play"]
    findings = list(_looks(path, truth["edition"]))
    claims = [
        frozenset((tile.square.row, tile.square.col, tile.face) for tile in each.play.tiles)
        for each in findings
        if each.kind == "play" and each.play is not None and not each.needs_review
    ]
    return {
        "plays": len(true),
        "committed": sum(play in claims for play in true),
        "silent": sum(claim not in true for claim in claims),
        "asked": sum(each.needs_review for each in findings),
    }


def _looks(path: Path, size: int) -> Iterator[Finding]:
    words = load_lexicon()
    reader, settings = BoardReader(words=words), GameSettings(find_edition(f"{size}x{size}"), words)
    looked, belief = None, certain(Board.empty(size))
    for time, frame in Video(path).frames():
        if looked is None:
            looked = time
            belief, _ = first_look(reader, belief.board, frame, settings)
        elif time - looked >= EVERY:
            looked = time
            belief, finding = next_look(reader, belief, frame, settings)
            yield finding


def _tiles(tiles: list[dict[str, Any]]) -> Tiles:
    return frozenset((tile["row"], tile["col"], tile["letter"]) for tile in tiles)
