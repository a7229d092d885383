"""Reading the reports of misread turns. Anybody may have made such a file, so every value is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO, Literal, TypeVar

from engine import MAX_HEIGHT, Board, Edition, Square
from engine.editions import MAX_PLAYERS, edition_from_data
from engine.formats.game_json import parse_stacks
from engine.json_reading import as_bool, as_int, as_list, as_mapping, as_text, load_json
from engine.rules.house_rules import house_rules_from
from vision import Belief
from vision.errors import BeliefError
from vision.images import MAX_BYTES
from vision.turn.belief import load_belief
from webui.errors import WebError
from webui.storage.report_file import FORMAT, PHOTOGRAPH, REPORT, VERSION, FirstReading, Grid, Report, Squares, as_grid
from webui.storage.zip_parts import check_size, open_zip, read_part, restore_names

MAX_REPORT = 8 * 2**20
"""Bytes of a report without its photograph. One with a belief of many looks has about 1 MB. [by eye]"""
_MAX_TEXT = 400
_MAX_NUMBER = 1e6

T = TypeVar("T")
Fault = Literal["board not found", "missed turn", "hidden tile", "letter", "height", "other"]


def read_report(file: IO[bytes]) -> tuple[Report, bytes]:
    """Read a report and the bytes of its photograph; raises UpscoreError, in one line, if Upscore did not write it."""
    with open_zip(file) as archive:
        restore_names(archive, REPORT)
        check_size(archive, "report", MAX_BYTES + MAX_REPORT)
        if not {REPORT, PHOTOGRAPH} <= {*archive.namelist()}:
            raise WebError("This isn't a report of a misread photo: choose the file that Upscore saved.")
        photograph = read_part(archive, PHOTOGRAPH, MAX_BYTES)
        text = read_part(archive, REPORT, MAX_REPORT)
    try:
        fields = as_mapping(load_json(text.decode("utf-8"), "the report"), "the report")
        if fields.get("format") != FORMAT or fields.get("version") != VERSION:
            raise WebError("This isn't a report that this Upscore can read: update it.")
        return _report(fields), photograph
    except (UnicodeDecodeError, KeyError):
        raise WebError("The report is damaged: use a whole copy.") from None


def fault_of(report: Report) -> Fault:
    """Return the kind of mistake, by what was read on the squares of the turn, or else on any square in view.

    What was read first counts. If that was not kept, it is what was read when the report was made.
    """
    read, after = report.squares if report.first is None else report.first.squares, report.after
    if read is None:
        return "board not found"
    if report.sheet != report.before:
        return "missed turn"
    changed = [each for each in after.squares() if after.stack(each) != report.before.stack(each)]
    if any(read.hidden[each.row][each.col] for each in changed):
        return "hidden tile"
    for squares in (changed, after.squares()):
        faults = {_fault_at(read, after, each) for each in squares}
        if found := faults & {"letter", "height"}:
            return "letter" if "letter" in found else "height"
    return "other"


def _fault_at(read: Squares, after: Board, square: Square) -> Fault | None:
    face, height = read_at(read, square)
    if read.hidden[square.row][square.col] or (face, height) == (after.top(square), after.height(square)):
        return None
    return "letter" if face != after.top(square) and height and after.height(square) else "height"


def read_at(read: Squares, square: Square) -> tuple[str, int]:
    """Return the face on top and the height that were read on a square."""
    return read.tops[square.row][square.col], read.heights[square.row][square.col]


def _report(fields: Mapping[str, object]) -> Report:
    edition = edition_from_data(fields["edition"])

    def board(name: str) -> Board:
        found = parse_stacks(fields[name], edition.alphabet)
        edition.check_size(found.size)
        return found

    return Report(
        versions=_versions(fields["versions"]),
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
        squares=_squares(fields["squares"], edition),
        belief=_belief(fields["belief"], edition),
        first=_first_reading(fields.get("first"), edition),
    )


def _versions(data: object) -> Mapping[str, str]:
    return {_text(name): _text(value) for name, value in as_mapping(data, "the versions").items()}


def _belief(data: object, edition: Edition) -> Belief | None:
    """Return the belief in a report, None if there is none that this version can use."""
    try:
        belief = None if data is None else load_belief(data)
    except BeliefError:
        return None
    if belief is None:
        return None
    board = belief.start.board
    return belief if (board.size, board.alphabet) == (edition.size, edition.alphabet) else None


def _first_reading(data: object, edition: Edition) -> FirstReading | None:
    """Return what was read first, None in a report that doesn't have it."""
    if data is None:
        return None
    fields = as_mapping(data, "the first reading")
    return FirstReading(_versions(fields["versions"]), _squares(fields["squares"], edition))


def _squares(data: object, edition: Edition) -> Squares | None:
    if data is None:
        return None
    size, alphabet = edition.size, edition.alphabet
    fields = as_mapping(data, "the squares")
    corners = tuple(tuple(map(_number, as_list(each, "a corner"))) for each in as_list(fields["corners"], "corners"))
    if [len(corner) for corner in corners] != [2, 2, 2, 2]:
        raise WebError("A report has four corners: use a whole copy.")
    return Squares(
        corners,
        _grid(fields["tops"], size, lambda face: "" if face == "" else alphabet.parse_face(_text(face))),
        _grid(fields["heights"], size, lambda height: as_int(height, "a height", 0, MAX_HEIGHT)),
        _grid(fields["confidence"], size, _number),
        _grid(fields["hidden"], size, lambda hidden: as_bool(hidden, "a hidden square")),
    )


def _grid(data: object, size: int, read: Callable[[object], T]) -> Grid[T]:
    rows = as_grid([list(map(read, as_list(row, "a row"))) for row in as_list(data, "rows of squares")])
    if [len(row) for row in rows] != [size] * size:
        raise WebError("The squares in the report are not those of its board: use a whole copy.")
    return rows


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not abs(value) < _MAX_NUMBER:
        raise WebError("A number in the report is none: use a whole copy.")
    return float(value)


def _text(value: object) -> str:
    """Return a text that can be printed in one line."""
    text = as_text(value, "a value of the report")[:_MAX_TEXT]
    return "".join(letter if letter.isprintable() else "?" for letter in text)
