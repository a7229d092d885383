"""docs/figures.md shows every measurement, and says what was not measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workshop.bench.documents.figures import NOTHING, UNMEASURED, Table, document, markdown, percent, show, write
from workshop.bench.measurements import MEASUREMENTS
from workshop.bench.record import RECORD, Record, Stamp, load_record

ROOT = Path(__file__).parents[3]
STAMP = Stamp("1234abcd", "2 cores of a machine", "2026-01-02", 0.4)


def test_every_measurement_is_in_a_table() -> None:
    asked_for: set[tuple[str, str]] = set()

    class Noting(Record):
        def figures(self, measurement: str, dataset: str) -> None:
            asked_for.add((measurement, dataset))

    text = document(Noting())
    assert asked_for == {(each.name, dataset) for each in MEASUREMENTS for dataset in each.datasets}
    assert f"| boards found | {UNMEASURED} | {UNMEASURED} |" in text
    assert "Measured by" not in text


def test_a_table_says_which_version_was_measured_and_where(tmp_path: Path) -> None:
    record = Record()
    record.put("stages", "samples", {"all": 123.4}, STAMP)
    record.save(tmp_path / "kept.json")
    text = markdown(
        Table("One", ("", "time"), [["all", ("stages", "samples", "all [ms]")]]), load_record(tmp_path / "kept.json")
    )
    assert "| all | 123 ms |" in text
    assert "`--only stages`. Version 1234abcd, 2026-01-02, 2 cores of a machine" in text
    assert "others took 40 %.*" in text


def test_the_mark_of_a_constant_has_one_of_three_forms_and_names_a_measurement_that_is_here() -> None:
    """CONTRIBUTING.md has the forms. `[by hand]` alone is for data that the sentence names."""
    names = "|".join(each.name for each in MEASUREMENTS)
    form = re.compile(rf"\[(by eye|by hand(,\s[^\]]+)?|bench ({names}),\s[^\]]+)\]")
    marks = [
        mark
        for part in ("engine", "vision", "calibration", "webui", "upscore")
        for path in (ROOT / part).rglob("*.py")
        for mark in re.findall(r"\[(?:by eye|by hand|bench)\b[^\]]*\]", path.read_text(encoding="utf-8"))
    ]
    assert "[bench spoiled, sets]" in marks
    assert [mark for mark in marks if not form.fullmatch(mark)] == []


def test_the_kept_figures_make_a_document_and_two_diagrams(tmp_path: Path) -> None:
    write(tmp_path, load_record(RECORD))
    assert {path.name for path in tmp_path.iterdir()} == {"figures.md", "reliability.svg", "asked-and-silent.svg"}
    assert UNMEASURED not in (tmp_path / "figures.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("plays", "1,234"),
        ("start/help s", "0.052 s"),
        ("other [a second]", "45.2 a second"),
        ("right % plays", "50 %"),
        ("right : plays", "617 of 1,234"),
        ("right + right %: plays", "100 % of 1,234"),
        ("right : none", NOTHING),
    ],
)
def test_formulas(formula: str, shown: str) -> None:
    figures = {"plays": 1234, "right": 617, "none": 0, "start": {"help s": 0.052}, "other": 45.2}
    assert show(formula, figures) == shown


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [
        (1, 3, "33.3 %"),
        (99999, 100000, "99.9 %"),
        (1, 100000, "0.1 %"),
        (5, 5, "100 %"),
        (0, 5, "0 %"),
        (0, 0, NOTHING),
    ],
)
def test_a_share_is_all_or_nothing_only_where_it_is(part: int, whole: int, shown: str) -> None:
    assert percent(part, whole) == shown
