"""The tables of how long things take."""

from __future__ import annotations

from functools import partial

from workshop.bench.documents.cells import NONE, Row, Sheet, Table, short
from workshop.bench.documents.record import Figures
from workshop.bench.speed.slowest import PARTS, SHOWN
from workshop.bench.speed.stages import STAGE_NAMES

ACCURACY, LEXICON = "docs/accuracy.md", "docs/lexicon.md"
_LISTS = ("both", "standard", "standard-british", "large")
_SOLVER = {
    "positions": "positions",
    "median": "median ms",
    "mean": "mean ms",
    "nine in ten under": "nine in ten ms",
    "plays, median": "plays",
    "spelling out a play": "spelling µs",
}
_LEXICON = {
    "words": "words",
    "loaded in": "loading ms",
    "nodes of the graph": "nodes",
    "graph built in": "graph ms",
    "a look-up": "look-up ns",
}
_PARTS = ("all", *PARTS, "other")
_UNITS = ("ms", "µs", "ns")


def speed_tables(sheet: Sheet) -> list[Table]:
    """All of them."""
    return [stages(sheet), slowest(sheet), others(sheet), solver(sheet), lists(sheet)]


def stages(sheet: Sheet) -> Table:
    """Reading, stage by stage."""
    rows: list[Row] = [
        (stage, sheet.cell("stages", "samples", partial(_rate, stage, "ms")))
        for stage in ("loading", *STAGE_NAMES)
    ]
    return sheet.table("stages", ACCURACY, ("stage", "a picture, median"), rows, timed=True)


def slowest(sheet: Sheet) -> Table:
    """The pictures that take longest, and the usual one."""
    heads = ("picture", "in all", "lattice", "elevations", "other")
    rows: list[Row] = [
        (line, sheet.cell("slowest", "sets", partial(_rate, part, "ms")), NONE, NONE, NONE)
        for line, part in (("median", "median"), ("nine in ten under", "nine in ten"))
    ]
    rows += [
        (
            sheet.cell("slowest", "sets", partial(_picture, place)),
            *(sheet.cell("slowest", "sets", partial(_part, place, part)) for part in _PARTS),
        )
        for place in range(SHOWN)
    ]
    return sheet.table("slowest", ACCURACY, heads, rows, timed=True)


def _picture(place: int, figures: Figures) -> str:
    told = figures["slowest"][place]
    return str(told["picture"]) + ("" if told["read"] else ", refused")


def _part(place: int, part: str, figures: Figures) -> str:
    told = figures["slowest"][place]
    return short(told[part], "ms") if part in told else NONE


def others(sheet: Sheet) -> Table:
    """The tracker, the referee and the meanings."""
    lines = (
        ("the tracker, frames of 1920 pixels", "tracker", "films", "frames a second", "a second"),
        ("a frame, median", "tracker", "films", "median ms", "ms"),
        ("the slowest frame of a hundred", "tracker", "films", "slowest ms", "ms"),
        ("the referee, legal plays", "referee", "samples", "legal", "a second"),
        ("the referee, other plays", "referee", "samples", "other", "a second"),
        ("loading the meanings of words", "lexicon", "samples", "meanings ms", "ms"),
    )
    rows: list[Row] = [
        (name, sheet.cell(measurement, lot, partial(_rate, part, unit)))
        for name, measurement, lot, part, unit in lines
    ]
    return sheet.table("speed", ACCURACY, ("", "how fast"), rows, timed=True)


def solver(sheet: Sheet) -> Table:
    """The solver, by edition."""
    rows: list[Row] = [
        (
            edition,
            *(sheet.cell("solver", "samples", partial(_at, (edition, part))) for part in _SOLVER.values()),
        )
        for edition in ("8x8", "10x10")
    ]
    return sheet.table("solver", LEXICON, ("edition", *_SOLVER), rows, timed=True)


def lists(sheet: Sheet) -> Table:
    """The word lists."""
    rows: list[Row] = [
        (
            f"`{name}`",
            *(
                sheet.cell("lexicon", "samples", partial(_at, ("lists", name, part)))
                for part in _LEXICON.values()
            ),
        )
        for name in _LISTS
    ]
    return sheet.table("lists", LEXICON, ("list", *_LEXICON), rows, timed=True)


def _rate(part: str, unit: str, f: Figures) -> str:
    return short(f[part], unit)


def _at(path: tuple[str, ...], f: Figures) -> str:
    """A count as it is, a time with the unit that its name ends with."""
    *outer, name = path
    for each in outer:
        f = f[each]
    unit = name.rpartition(" ")[2]
    return short(f[name], unit) if unit in _UNITS else f"{f[name]:,.0f}"
