"""A report of a turn that was misread: one photograph, what Upscore made of it, and what was really played, in a zip.

It names no player, and no place, time or device but those that the picture shows. `workshop.report_reading` reads it.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import IO, TypeVar

from engine import Board, Edition, HouseRules
from engine.editions import edition_data
from engine.formats.game_json import stacks_json
from engine.json_reading import load_own_json
from vision import Belief, BoardReading, certain
from vision.networks import NAMES, WEIGHTS
from vision.turn.belief import dump_belief

PHOTOGRAPH, REPORT = "photograph.jpg", "report.json"
FORMAT, VERSION = "upscore-report", 1

T = TypeVar("T")
Grid = tuple[tuple[T, ...], ...]
"""A value for each square, row by row."""


def as_grid(rows: Iterable[Iterable[T]]) -> Grid[T]:
    """Return nested rows as tuples."""
    return tuple(map(tuple, rows))


@dataclass(frozen=True)
class Squares:
    """The squares as read in a photograph: corners TL TR BR BL in its pixels, and the rest by square.

    `tops` has "" for a bare square; `confidence` is the probability that letter and height are right.
    """

    corners: tuple[tuple[float, ...], ...]
    tops: Grid[str]
    heights: Grid[int]
    confidence: Grid[float]
    hidden: Grid[bool]

    @classmethod
    def of(cls, reading: BoardReading) -> Squares:
        """Return the squares of a reading."""
        faces = replace(reading, lone_q=False).letters()
        return cls(
            as_grid(reading.corners.round(2).tolist()),
            as_grid(faces),
            as_grid(reading.heights().tolist()),
            as_grid(reading.confidence().round(4).tolist()),
            as_grid(reading.find_occluded().tolist()),
        )


@dataclass(frozen=True)
class FirstReading:
    """What Upscore read in a photograph when it was taken, by the versions it had then; no squares without a board."""

    versions: Mapping[str, str]
    squares: Squares | None


@dataclass(frozen=True)
class Report:
    """The way in which Upscore read a photograph, and what was really played.

    Attributes:
        versions: of Upscore, and of each file of weights, when the report was made.
        lexicon: the name of the word list, "" for a table's own.
        plays_expected: how many plays are expected between two photographs.
        said: the finding of the photograph, in a line.
        entered, really: the turn as the scoresheet had it first, and as it has it now.
        sheet, before: the board before the turn as the scoresheet had it then, and as it is believed now.
        after: the board that the photograph shows, as it is believed now.
        squares: what these versions read in the photograph; None if they find no board.
        first: what was read in it before any correction; None for photographs of which only the picture was kept.
    """

    versions: Mapping[str, str]
    edition: Edition
    rules: HouseRules
    lexicon: str
    plays_expected: int
    said: str
    entered: str
    really: str
    sheet: Board
    before: Board
    after: Board
    squares: Squares | None
    belief: Belief | None
    first: FirstReading | None = None


def report_belief(sheet: Board, belief: Belief | None) -> Belief:
    """Return the belief with which a reported photograph is read: the scoresheet's board, and a game's knowledge.

    The looks of the game are left out, since the photograph itself was one of them.
    """
    fresh = certain(sheet)
    return fresh if belief is None else replace(fresh, knowledge=belief.knowledge)


@cache
def versions() -> Mapping[str, str]:
    """Return the version of Upscore, and for each network the first digits of its weights' SHA-256."""
    weights = {name: hashlib.sha256((WEIGHTS / f"{name}.onnx").read_bytes()).hexdigest()[:12] for name in NAMES}
    try:
        return {"upscore": version("upscore"), **weights}
    except PackageNotFoundError:
        return {"upscore": "not installed", **weights}


def dump_reading(reading: BoardReading | None) -> str:
    """Return as JSON text what this version read in a photograph, for a report that may be made of it later."""
    first = FirstReading(versions(), None if reading is None else Squares.of(reading))
    return json.dumps(asdict(first), separators=(",", ":"))


def load_reading(text: str | None) -> FirstReading | None:
    """Read the text that `dump_reading` wrote. Return None without a text, and if it is damaged."""
    try:
        data = load_own_json(text or "")
        grids = data["squares"]
        squares = None if grids is None else Squares(**{name: as_grid(rows) for name, rows in grids.items()})
        return FirstReading(data["versions"], squares)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def write_report(out: IO[bytes], report: Report, photograph: bytes) -> None:
    """Write a report with its photograph as a zip file that notes no time."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        **vars(report),
        "edition": edition_data(report.edition),
        "rules": report.rules.changes(),
        "sheet": stacks_json(report.sheet),
        "before": stacks_json(report.before),
        "after": stacks_json(report.after),
        "squares": None if report.squares is None else asdict(report.squares),
        "first": None if report.first is None else asdict(report.first),
        "belief": None if report.belief is None else dump_belief(report.belief),
    }
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo(PHOTOGRAPH), photograph)
        archive.writestr(zipfile.ZipInfo(REPORT), json.dumps(data), zipfile.ZIP_DEFLATED)
