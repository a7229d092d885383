"""The documents' tables are those that the command prints: the same headings, rows and figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workshop.bench.documents.cells import UNMEASURED, Sheet, Table, percent, short
from workshop.bench.documents.record import RECORD, ROOT, Record, Stamp, load_record
from workshop.bench.documents.renewal import MarkersMissing, with_table
from workshop.bench.documents.tables import tables
from workshop.bench.measurements import GAMES, MEASUREMENTS

MADE = tables(load_record(RECORD))
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
STAMP = Stamp("1234abcd", "2 cores of a machine", "2026-01-02", 0.4)


def cells(markdown: str) -> list[list[str]]:
    """The cells of a table's lines, without the rule under its headings."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[:1] + lines[2:]]


def table_in(text: str, name: str) -> str:
    """What stands in a document in the place of a table."""
    found = re.search(rf"<!-- bench: {re.escape(name)} -->(.*?)<!-- end -->", text, re.DOTALL)
    assert found is not None, f"there is no place for the table {name}"
    return found[1].strip("\n")


@pytest.mark.parametrize("table", MADE, ids=lambda table: table.name)
def test_headings_and_rows_are_those_that_the_command_prints(table: Table) -> None:
    written = cells(table_in((ROOT / table.document).read_text(encoding="utf-8"), table.name))
    printed = cells(table.markdown)
    assert written[0] == printed[0]
    assert [row[0] for row in written] == [row[0] for row in printed]
    assert {len(row) for row in written} == {len(table.heads)}


@pytest.mark.parametrize("table", MADE, ids=lambda table: table.name)
def test_figures_are_those_that_were_kept(table: Table) -> None:
    written = table_in((ROOT / table.document).read_text(encoding="utf-8"), table.name)
    assert written == table.markdown, "renew it by python -m workshop.bench --recorded --write"


def test_no_document_has_a_place_for_a_table_that_is_not_printed() -> None:
    named = [
        (str(path.relative_to(ROOT)), name)
        for path in DOCUMENTS
        for name in re.findall(r"<!-- bench: (\S+) -->", path.read_text(encoding="utf-8"))
    ]
    assert sorted(named) == sorted((table.document, table.name) for table in MADE)


def test_every_measurement_has_its_figures_in_a_table() -> None:
    asked_for: set[tuple[str, str]] = set()

    class Noting(Record):
        def figures(self, measurement: str, lot: str) -> None:
            asked_for.add((measurement, lot))

    tables(Noting())
    assert asked_for == {(each.name, lot) for each in MEASUREMENTS for lot in each.lots}


def test_what_was_not_measured_is_said_not_to_be() -> None:
    empty = {table.name: table for table in tables(Record())}
    assert [row[1:] for row in empty["reading"].rows] == [(UNMEASURED,) * len(GAMES)] * len(
        empty["reading"].rows
    )
    assert empty["reading"].stamps == ()


def test_a_table_says_which_version_it_is_of_and_where_it_was_measured(tmp_path: Path) -> None:
    record = Record()
    record.put("stages", "samples", {"all": 123.4}, STAMP)
    record.save(tmp_path / "kept.json")
    sheet = Sheet(load_record(tmp_path / "kept.json"))
    row = ("all", sheet.cell("stages", "samples", lambda f: short(f["all"], "ms")))
    made = sheet.table("one", "README.md", ("", "ms"), [row], timed=True)
    assert "| all | 123 ms |" in made.markdown
    assert (
        "version 1234abcd, 2026-01-02, 2 cores of a machine, other programs took 40 % of it" in made.markdown
    )


def test_a_table_is_put_between_its_markers_and_nowhere_else() -> None:
    table = Table("one", "README.md", ("a", "b"), (("c", "d"),), ())
    text = "before\n<!-- bench: one --> old <!-- end -->\n<!-- bench: other --> stays <!-- end -->\n"
    renewed = with_table(text, table)
    assert table_in(renewed, "one") == "| a | b |\n| --- | --- |\n| c | d |"
    assert renewed.startswith("before\n")
    assert table_in(renewed, "other") == " stays "
    with pytest.raises(MarkersMissing):
        with_table("nothing", table)


@pytest.mark.parametrize(
    ("part", "whole", "told"),
    [
        (1, 3, "33.3 %"),
        (99999, 100000, "99.9 %"),
        (1, 100000, "0.1 %"),
        (5, 5, "100 %"),
        (0, 5, "0 %"),
        (0, 0, "-"),
    ],
)
def test_a_share_is_all_or_nothing_only_where_it_is(part: int, whole: int, told: str) -> None:
    assert percent(part, whole) == told
