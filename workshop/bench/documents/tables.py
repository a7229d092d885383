"""Every table of the documents, made from what was measured."""

from __future__ import annotations

from workshop.bench.data.manifest import manifest
from workshop.bench.documents.cells import NONE, Line, Row, Sheet, Shown, Table, of, percent
from workshop.bench.documents.performance_tables import performance_tables
from workshop.bench.documents.reading_tables import reading_tables, sure_wrong, tilted_heights
from workshop.bench.documents.record import Figures, Record
from workshop.bench.documents.speed_tables import speed_tables
from workshop.bench.documents.turn_tables import asked_in_view, films_total, offered, turn_tables
from workshop.bench.measurements import REAL, TRACED, TUNED

README, ACCURACY = "README.md", "docs/accuracy.md"


def tables(record: Record) -> list[Table]:
    """All tables, in the order of the documents."""
    sheet = Sheet(record)
    return [
        overview(sheet),
        data(sheet),
        *reading_tables(sheet),
        *turn_tables(sheet),
        *speed_tables(sheet),
        *performance_tables(sheet),
    ]


def overview(sheet: Sheet) -> Table:
    """README's table: what was tuned on beside what was not."""
    lines: list[Line] = [
        ("boards found", "reading", lambda f: percent(f["found"], f["pictures"])),
        ("letters right", "reading", lambda f: percent(f["letters"], f["tiles"])),
        ("heights right, seen from the side", "reading", tilted_heights),
        ("squares called sure that are wrong", "reading", sure_wrong),
        ("turns wrong in silence", "page", lambda f: of(f["answering"]["silent"], f["answering"]["turns"])),
        ('the same, "unclear" left alone', "page", lambda f: of(f["lazy"]["silent"], f["lazy"]["turns"])),
        ("turns asked about, of those in view", "page", asked_in_view),
        ("the right answer among those offered", "page", offered),
        ("from sending a photograph to the sheet", "page", lambda f: f"{f['answering']['seconds']:.1f} s"),
    ]
    of_real: dict[str, Shown] = {
        "boards found": lambda f: percent(f["found"], f["pictures"]),
        "letters right": lambda f: f"{percent(f['letters'], f['tiles'])}, the corners given",
        "squares called sure that are wrong": sure_wrong,
    }
    rows: list[Row] = []
    for name, measurement, shown in lines:
        real = sheet.cell("real", REAL, of_real[name]) if name in of_real else NONE
        rows.append((name, *(sheet.cell(measurement, lot, shown) for lot in (TUNED, TRACED)), real))
    followed = sheet.cell("films", "films", _committed)
    rows.insert(-1, ("plays of hands-free films committed", followed, NONE, NONE))
    heads = ("", *(manifest()[lot].heading for lot in (TUNED, TRACED, REAL)))
    return sheet.table("overview", README, heads, rows, timed=True)


def data(sheet: Sheet) -> Table:
    """What there is to measure on."""
    rows: list[Row] = []
    for lot in manifest().values():
        count = f"{lot.count} {'films' if lot.kind == 'films' else 'pictures'}"
        rows.append((f"`{lot.name}`: {lot.title}", lot.what, count, lot.use, lot.source))
    heads = ("data", "what it is", "how much", "use", "whose, or how it is drawn again")
    return sheet.table("data", ACCURACY, heads, rows)


def _committed(f: Figures) -> str:
    return f"{films_total('committed', 'plays', False, f)}, {films_total('silent', None, False, f)} wrong"
