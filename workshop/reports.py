"""Measure the reports of misread turns that people sent, as the page saves them.

    python -m workshop.reports FOLDER                 measure every zip file in it, listed by kind of mistake
    python -m workshop.reports FILE.zip --keep DIR    measure one, and keep it in DIR as a test case

The tests read every report in tests/reports again, and fail if a turn is wrong. Keep reports there only if their
senders agree that the photographs are published.

Each photograph is read again by this version, with the board that the scoresheet had at the time and what was known of
the set and the camera. The turn is right, asked about, or wrong. Exit status: 1 if a turn is wrong, or a file could not
be read.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine import UpscoreError
from upscore.words.loader import DEFAULT_LEXICON, lexicon_names, load_lexicon
from vision import Finding, GameSettings
from vision.images import MAX_BYTES, Image
from webui.decoder import shared_decoder
from webui.errors import WebError
from webui.ports import TurnQuery
from webui.storage.report_file import Report, Squares, report_belief, write_report
from webui.table.reader import VisionReader
from workshop.bench.data.program import say
from workshop.report_reading import MAX_REPORT, fault_of, read_at, read_report

Turn = Literal["right", "asked", "wrong"]


@dataclass(frozen=True)
class Measured:
    """What this version makes of a reported photograph: the turn, and tiles in view with letter and height right."""

    turn: Turn
    offered: bool
    tiles: int = 0
    letters: int = 0
    heights: int = 0

    def line(self) -> str:
        """Return all of it in words."""
        turn = "asked, what was played is offered" if self.turn == "asked" and self.offered else self.turn
        return f"{turn}; letters {self.letters}, heights {self.heights} of {self.tiles} tiles in view"


def open_report(path: Path) -> tuple[Report, bytes, Image]:
    """Read a report, and decode its photograph as uploads are; raises UpscoreError."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + MAX_REPORT + 1)
    except OSError as error:
        raise WebError(f"it cannot be opened ({error.strerror})") from None
    if len(data) > MAX_BYTES + MAX_REPORT:
        raise WebError("it is larger than any report")
    report, photograph = read_report(io.BytesIO(data))
    image, _ = shared_decoder().decode(io.BytesIO(photograph), name="The photograph")
    return report, photograph, image


def measure(reader: VisionReader, report: Report, image: Image) -> Measured:
    """Read a reported photograph again, and compare the turn, letters and heights with what the table said."""
    belief = report_belief(report.sheet, report.belief)
    lexicon = load_lexicon(report.lexicon if report.lexicon in lexicon_names() else DEFAULT_LEXICON)
    settings = GameSettings(report.edition, lexicon, report.rules, plays_between=report.plays_expected)
    _, finding = reader.read_turn(image, TurnQuery(belief, settings))
    offered = report.after in [outcome.story.board(belief.start) for outcome in finding.outcomes]
    turn: Turn = "asked" if finding.needs_review else "right" if _is_right(finding, report) else "wrong"
    if finding.reading is None:
        return Measured(turn, offered)
    read = Squares.of(finding.reading)
    tiles = [each for each in report.after.list_occupied() if not read.hidden[each.row][each.col]]
    return Measured(
        turn,
        offered,
        len(tiles),
        sum(read_at(read, each)[0] == report.after.top(each) for each in tiles),
        sum(read_at(read, each)[1] == report.after.height(each) for each in tiles),
    )


def _is_right(finding: Finding, report: Report) -> bool:
    start = report_belief(report.sheet, None).start
    board = finding.outcomes[0].story.board(start) if finding.outcomes else report.sheet
    return board == report.after


def keep(report: Report, photograph: bytes, name: str, folder: Path) -> Path:
    """Write a report as a test case: nothing stays of its file but what Upscore knows of."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (re.sub(r"[^A-Za-z0-9-]+", "-", name).strip("-")[:60] + ".zip")
    with path.open("xb") as file:
        write_report(file, report, photograph)
    return path


def zips_in(source: Path) -> list[Path]:
    """Return the reports in a folder, or the one file that was given."""
    return sorted(source.glob("*.zip")) if source.is_dir() else [source]


def measure_reports(source: Path, kept: Path | None) -> Iterator[tuple[str, str, bool]]:
    """Yield for each report its kind of mistake, a line about it, and whether all is well. Keep them in `kept`."""
    reader = VisionReader()
    for path in zips_in(source):
        name = ascii(path.name)[1:-1]
        try:
            report, photograph, image = open_report(path)
            result = measure(reader, report, image)
            if kept is not None:
                say(f"kept as {keep(report, photograph, path.stem, kept)}")
        except (UpscoreError, FileExistsError) as error:
            yield "not measured", f"{name}: {error}", False
            continue
        versions = report.versions if report.first is None else report.first.versions
        told = f"was {report.entered}, really {report.really}, Upscore {versions.get('upscore', '?')}"
        yield fault_of(report), f"{name}: {result.line()} ({told})", result.turn != "wrong"


def main() -> int:
    """Measure what is given, and print it by kind of mistake."""
    parser = argparse.ArgumentParser(
        prog="python -m workshop.reports", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reports", type=Path, metavar="FOLDER", help="a folder of reports, or one of them")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep them in this folder as test cases")
    args = parser.parse_args()
    lines = list(measure_reports(args.reports, args.keep))
    for kind in dict.fromkeys(sorted(kind for kind, _, _ in lines)):
        of_kind = [line for each, line, _ in lines if each == kind]
        print(f"{kind} ({len(of_kind)})")
        print("\n".join(f"  {line}" for line in of_kind))
    return 0 if lines and all(well for _, _, well in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
