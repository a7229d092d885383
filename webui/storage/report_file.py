"""A report of a turn that was misread: one photograph, what Upscore made of it, and what was really played, in a zip.

It names no player, place, time or device. Anybody may have made such a file, so every value is checked when it is read.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import IO, Literal, TypeVar

from engine import MAX_HEIGHT, Board, Edition, HouseRules, Square
from engine.editions import MAX_PLAYERS, edition_data, edition_from_data
from engine.faces import parse_face
from engine.formats.position import parse_stacks, stacks_json
from engine.json_reading import as_bool, as_int, as_list, as_mapping, as_text, load_json
from engine.rules.house_rules import house_rules_from
from vision import Belief, BoardReading, certain
from vision.errors import BeliefError
from vision.images import MAX_BYTES
from vision.networks import NAMES, WEIGHTS
from vision.turn.belief_json import dump_belief, load_belief
from webui.errors import WebError
from webui.storage.zip_parts import check_size, open_zip, read_part, restore_names

PHOTOGRAPH, REPORT = "photograph.jpg", "report.json"
MAX_REPORT = 8 * 2**20
"""Bytes of a report without its photograph. One with a belief of many looks has about 1 MB. [by eye]"""
_FORMAT, _VERSION = "upscore-report", 1
_MAX_TEXT = 400
_MAX_NUMBER = 1e6

T = TypeVar("T")
Grid = tuple[tuple[T, ...], ...]
"""A value for each square, row by row."""
Fault = Literal["board not found", "missed turn", "hidden tile", "letter", "height", "other"]


@dataclass(frozen=True)
class Squares:
    """The squares as a photograph was read: corners TL TR BR BL in its pixels, and the rest by square.

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
        faces = [["Qu" if face == "Q" else face for face in row] for row in reading.letters()]
        return cls(
            _rows(reading.corners.round(2).tolist()),
            _rows(faces),
            _rows(reading.heights().tolist()),
            _rows(reading.confidence().round(4).tolist()),
            _rows(reading.occluded().tolist()),
        )

    def at(self, square: Square) -> tuple[str, int]:
        """Return the face on top and the height of a square."""
        return self.tops[square.row][square.col], self.heights[square.row][square.col]


@dataclass(frozen=True)
class Report:
    """What Upscore made of a photograph, and what was really played.

    Attributes:
        versions: of Upscore, and of each file of weights.
        edition: the board.
        rules: the house rules.
        lexicon: the name of the word list, "" for a table's own.
        plays_expected: how many plays are expected between two photographs.
        said: what was found in the photograph, in a line.
        entered: what the scoresheet had for it first.
        really: what the scoresheet has now.
        sheet: the board before the turn as the scoresheet had it then.
        before: the board before the turn as it is believed now.
        after: the board that the photograph shows, as it is believed now.
        squares: what is read in the photograph; None if no board is found.
        belief: what is believed of the game now, None if that is of another version.
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

    @property
    def fault(self) -> Fault:
        """The kind of mistake, by what was read on the squares of the turn, or else on any square in view."""
        read = self.squares
        if read is None:
            return "board not found"
        if self.sheet != self.before:
            return "missed turn"
        changed = [each for each in self.after.squares() if self.after.stack(each) != self.before.stack(each)]
        if any(read.hidden[each.row][each.col] for each in changed):
            return "hidden tile"
        for squares in (changed, self.after.squares()):
            faults = {self._fault_at(read, each) for each in squares}
            if found := faults & {"letter", "height"}:
                return "letter" if "letter" in found else "height"
        return "other"

    def _fault_at(self, read: Squares, square: Square) -> Fault | None:
        face, height = read.at(square)
        if read.hidden[square.row][square.col] or (face, height) == self._truth(square):
            return None
        return "letter" if face != self.after.top(square) and height and self.after.height(square) else "height"

    def _truth(self, square: Square) -> tuple[str, int]:
        return self.after.top(square), self.after.height(square)


def report_belief(sheet: Board, belief: Belief | None) -> Belief:
    """Return the belief with which a reported photograph is read: the scoresheet's board, and a game's knowledge.

    The looks of the game are left out, since the photograph itself was one of them.
    """
    fresh = certain(sheet)
    return fresh if belief is None else replace(fresh, knowledge=belief.knowledge)


def versions() -> dict[str, str]:
    """Return the version of Upscore, and for each network the first digits of its weights' SHA-256."""
    weights = {name: hashlib.sha256((WEIGHTS / f"{name}.onnx").read_bytes()).hexdigest()[:12] for name in NAMES}
    try:
        return {"upscore": version("upscore"), **weights}
    except PackageNotFoundError:
        return {"upscore": "not installed", **weights}


def write_report(out: IO[bytes], report: Report, photograph: bytes) -> None:
    """Write a report with its photograph as a zip file, which tells no time. Reading it gives an equal report."""
    data = {
        "format": _FORMAT,
        "version": _VERSION,
        "versions": dict(report.versions),
        "edition": edition_data(report.edition),
        "rules": report.rules.changes(),
        "lexicon": report.lexicon,
        "plays_expected": report.plays_expected,
        "said": report.said,
        "entered": report.entered,
        "really": report.really,
        "sheet": stacks_json(report.sheet),
        "before": stacks_json(report.before),
        "after": stacks_json(report.after),
        "squares": None if report.squares is None else asdict(report.squares),
        "belief": None if report.belief is None else dump_belief(report.belief),
    }
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo(PHOTOGRAPH), photograph)
        archive.writestr(zipfile.ZipInfo(REPORT), json.dumps(data), zipfile.ZIP_DEFLATED)


def read_report(file: IO[bytes]) -> tuple[Report, bytes]:
    """Read a report and the bytes of its photograph; raises UpscoreError, in one line, if Upscore did not write it."""
    with open_zip(file) as archive:
        restore_names(archive, REPORT)
        check_size(archive, "report", MAX_BYTES + MAX_REPORT)
        if not {REPORT, PHOTOGRAPH} <= {*archive.namelist()}:
            raise WebError("This is no report of a misread photo: choose the file that Upscore saved.")
        photograph = read_part(archive, PHOTOGRAPH, MAX_BYTES)
        text = read_part(archive, REPORT, MAX_REPORT)
    try:
        fields = as_mapping(load_json(text.decode("utf-8"), "the report"), "the report")
        if fields.get("format") != _FORMAT or fields.get("version") != _VERSION:
            raise WebError("This is no report that this Upscore can read: update it.")
        return _report(fields), photograph
    except (UnicodeDecodeError, KeyError):
        raise WebError("The report is damaged: use a whole copy.") from None


def _report(fields: Mapping[str, object]) -> Report:
    edition = edition_from_data(fields["edition"])

    def board(name: str) -> Board:
        found = parse_stacks(fields[name])
        edition.check_size(found.size)
        return found

    versions = as_mapping(fields["versions"], "the versions")
    return Report(
        versions={_text(name): _text(value) for name, value in versions.items()},
        edition=edition,
        rules=house_rules_from(fields["rules"]),
        lexicon=_text(fields["lexicon"]),
        plays_expected=as_int(fields["plays_expected"], "the plays expected", 1, MAX_PLAYERS),
        said=_text(fields["said"]),
        entered=_text(fields["entered"]),
        really=_text(fields["really"]),
        sheet=board("sheet"),
        before=board("before"),
        after=board("after"),
        squares=None if fields["squares"] is None else _squares(fields["squares"], edition.size),
        belief=_belief(fields["belief"], edition.size),
    )


def _belief(data: object, size: int) -> Belief | None:
    """Return the belief in a report, None without one that this version can use."""
    try:
        belief = None if data is None else load_belief(data)
    except BeliefError:
        return None
    return belief if belief is not None and belief.start.board.size == size else None


def _squares(data: object, size: int) -> Squares:
    fields = as_mapping(data, "the squares")
    corners = tuple(tuple(map(_number, as_list(each, "a corner"))) for each in as_list(fields["corners"], "corners"))
    if [len(corner) for corner in corners] != [2, 2, 2, 2]:
        raise WebError("A report has four corners: use a whole copy.")
    return Squares(
        corners,
        _grid(fields["tops"], size, lambda face: "" if face == "" else parse_face(_text(face))),
        _grid(fields["heights"], size, lambda height: as_int(height, "a height", 0, MAX_HEIGHT)),
        _grid(fields["confidence"], size, _number),
        _grid(fields["hidden"], size, lambda hidden: as_bool(hidden, "a hidden square")),
    )


def _grid(data: object, size: int, read: Callable[[object], T]) -> Grid[T]:
    rows = _rows([list(map(read, as_list(row, "a row"))) for row in as_list(data, "rows of squares")])
    if [len(row) for row in rows] != [size] * size:
        raise WebError("The squares in the report are not those of its board: use a whole copy.")
    return rows


def _rows(rows: Iterable[Iterable[T]]) -> Grid[T]:
    return tuple(map(tuple, rows))


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not abs(value) < _MAX_NUMBER:
        raise WebError("A number in the report is none: use a whole copy.")
    return float(value)


def _text(value: object) -> str:
    """Return a text that can be printed in one line."""
    text = as_text(value, "a value of the report")[:_MAX_TEXT]
    return "".join(letter if letter.isprintable() else "?" for letter in text)
