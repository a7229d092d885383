"""Reports of misread turns as a dataset: they are read again, and listed by the kind of mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from samples import SAMPLES

from engine import SHEET_RULES, Board, PlacedTile, Play, Square, find_edition
from webui.storage.report_file import Report, write_report
from workshop.reports import measure_reports

EDITION = find_edition("8x8")
KEPT = Path(__file__).parents[1] / "reports"
FIRST = SAMPLES / "classic_8x8" / "01.jpg"


def report(move: list[dict[str, Any]]) -> Report:
    """A report of the first word of a sample game, of which these are the tiles."""
    empty, tiles = Board.empty(8), [PlacedTile(Square(t["row"], t["col"]), t["letter"]) for t in move]
    return Report(
        versions={"upscore": "0.1.0"}, edition=EDITION, rules=SHEET_RULES, lexicon="both", plays_expected=1,
        said="a play", entered="play", really="play", sheet=empty, before=empty,
        after=empty.with_play(Play(tuple(tiles))), squares=None, belief=None,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("first", "turn"), [(None, "right"), ("Z", "wrong")])
def test_a_reported_photograph_is_read_again(tmp_path: Path, first: str | None, turn: str) -> None:
    move = json.loads(FIRST.with_suffix(".json").read_text())["move"]
    really = report([{**move[0], "letter": first or move[0]["letter"]}, *move[1:]])
    with (tmp_path / "one.zip").open("wb") as file:
        write_report(file, really, FIRST.read_bytes())
    ((kind, line, well),) = measure_reports(tmp_path, tmp_path / "kept")
    assert (kind, well) == ("board not found", turn == "right")
    assert line.startswith(f"one.zip: {turn}; letters ")
    kept = tmp_path / "kept" / "one.zip"
    assert kept.read_bytes() == (tmp_path / "one.zip").read_bytes()
    assert list_misread(kept) == ([] if well else [line])


def list_misread(kept: Path) -> list[str]:
    """The lines of a kept report of which this version enters a wrong turn, or which cannot be read."""
    return [line for _, line, well in measure_reports(kept, None) if not well]


@pytest.mark.slow
@pytest.mark.parametrize("kept", sorted(KEPT.glob("*.zip")), ids=lambda path: path.stem)
def test_no_turn_of_a_kept_report_is_entered_wrong(kept: Path) -> None:
    assert list_misread(kept) == []


def test_a_file_that_is_no_report_is_named_and_the_others_are_measured(tmp_path: Path) -> None:
    (tmp_path / "holiday.zip").write_bytes(b"PK")
    ((kind, line, well),) = measure_reports(tmp_path, None)
    assert (kind, well) == ("not measured", False)
    assert line.startswith("holiday.zip: ")
