"""Figures as they stand in tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from workshop.bench.data.manifest import manifest
from workshop.bench.documents.record import Figures, Record, Stamp

NONE = "-"
"""Stands where there is nothing to measure."""
UNMEASURED = "not measured"
"""Stands where a lot has not been measured."""
Row = tuple[str, ...]
Shown = Callable[[Figures], str]
Line = tuple[str, str, Shown]
"""A row: what it is called, which measurement it is from, and how its figures are told."""


@dataclass(frozen=True)
class Table:
    """A table of a document: its headings, its rows, and what its figures were measured with."""

    name: str
    document: str
    heads: Row
    rows: tuple[Row, ...]
    stamps: tuple[Stamp, ...]
    timed: bool = False

    @property
    def markdown(self) -> str:
        """The table, and a line that says which version it is of, where and when it was measured."""
        lines = [self.heads, ("---",) * len(self.heads), *self.rows]
        shown = [f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines]
        busiest: dict[Stamp, Stamp] = {}
        for stamp in sorted(self.stamps, key=lambda stamp: stamp.others or 0.0):
            busiest[replace(stamp, others=None)] = stamp
        stamps = [stamp.line(timed=self.timed) for stamp in busiest.values()]
        return "\n".join([*shown, *(["", f"*Measured: {'; '.join(stamps)}.*"] if stamps else [])])


@dataclass
class Sheet:
    """A record that remembers what was taken from it."""

    record: Record
    stamps: list[Stamp] = field(default_factory=list)

    def cell(self, measurement: str, lot: str, shown: Shown) -> str:
        """What is told of a measurement on a lot."""
        figures, stamp = self.record.figures(measurement, lot), self.record.stamp(measurement, lot)
        if figures is None or stamp is None:
            return UNMEASURED
        self.stamps.append(stamp)
        return shown(figures)

    def table(self, name: str, document: str, heads: Row, rows: list[Row], *, timed: bool = False) -> Table:
        """The table made of cells of this sheet."""
        stamps = tuple(sorted(dict.fromkeys(self.stamps), key=lambda stamp: stamp.date))
        self.stamps = []
        return Table(name, document, heads, tuple(rows), stamps, timed)


def by_lot(sheet: Sheet, name: str, document: str, lines: list[Line], lots: tuple[str, ...]) -> Table:
    """A table with a column for each lot."""
    rows: list[Row] = [(line, *(sheet.cell(what, lot, shown) for lot in lots)) for line, what, shown in lines]
    return sheet.table(name, document, ("", *(manifest()[lot].heading for lot in lots)), rows)


def percent(part: float, whole: float) -> str:
    """A share to a tenth of a percent; 100 % only where it is all of it."""
    if not whole:
        return NONE
    share = 100 * part / whole
    if part not in (0, whole):
        share = min(max(share, 0.1), 99.9)
    return f"{round(share, 1):.1f}".removesuffix(".0") + " %"


def of(part: float, whole: float) -> str:
    """So many of so many."""
    return f"{part:,} of {whole:,}" if whole else NONE


def share_of(part: float, whole: float) -> str:
    """A share, and of how many."""
    return f"{percent(part, whole)} of {whole:,}" if whole else NONE


def short(value: float, unit: str) -> str:
    """A figure to two or three digits, with its unit."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}".strip()
