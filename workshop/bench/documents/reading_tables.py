"""The tables of single pictures: how they are read, how sure, and what a profile adds."""

from __future__ import annotations

from functools import partial

from workshop.bench.documents.cells import NONE, Line, Row, Sheet, Shown, Table, by_lot, of, percent, share_of
from workshop.bench.documents.record import Figures
from workshop.bench.measurements import GAMES, REAL, RENDERED, TUNED
from workshop.bench.reading.alone import EDGES, KINDS
from workshop.bench.reading.profile import VARIANTS
from workshop.bench.reading.spoiled import WAYS

ACCURACY, CALIBRATION = "docs/accuracy.md", "docs/calibration.md"
_SURENESS = (0.0, 0.5, 0.8, 0.9, 0.95)
"""Where the rows of the tables of confidence begin."""


def reading_tables(sheet: Sheet) -> list[Table]:
    """All of them."""
    confidences = [confidence(sheet, lot) for lot in (TUNED, RENDERED)]
    return [reading(sheet), spoiled(sheet), real(sheet), *confidences, profile(sheet)]


def reading(sheet: Sheet) -> Table:
    """Photographs on their own."""
    lines: list[Line] = [
        ("pictures", "reading", lambda f: str(f["pictures"])),
        ("boards found", "reading", lambda f: percent(f["found"], f["pictures"])),
        ("the right way round, of those with tiles", "reading", lambda f: percent(f["turned"], f["bearing"])),
        ("corner error, median", "reading", _corner_error),
        ("letters of tiles in view", "reading", lambda f: share_of(f["letters"], f["tiles"])),
        ("heights, tilts under 20°", "reading", partial(_heights, "above")),
        ("heights, 20° to 35°", "reading", partial(_heights, "slanting")),
        ("heights, from 35° on", "reading", partial(_heights, "aside")),
        ("bare squares read as tiles", "reading", lambda f: of(f["false"], f["bare"])),
        ("whole boards right", "reading", lambda f: percent(f["whole"], f["pictures"])),
        ("squares called sure (0.95) that are wrong", "reading", sure_wrong),
    ]
    return by_lot(sheet, "reading", ACCURACY, lines, GAMES)


def spoiled(sheet: Sheet) -> Table:
    """Photographs that were taken badly."""
    shown: dict[str, Shown] = {
        "boards found": lambda f: of(f["found"], f["pictures"]),
        "letters of tiles in view": lambda f: share_of(f["letters"], f["tiles"]),
        "heights, under 20°": partial(_heights, "above"),
        "heights, from 20° on": tilted_heights,
        "squares called sure that are wrong": sure_wrong,
    }
    rows: list[Row] = [
        (name, *(sheet.cell("spoiled", TUNED, partial(_of_kind, name, tell)) for tell in shown.values()))
        for name in WAYS
    ]
    return sheet.table("spoiled", ACCURACY, ("pictures", *shown), rows)


def _of_kind(name: str, tell: Shown, f: Figures) -> str:
    return tell(f[name]) if name in f else NONE


def real(sheet: Sheet) -> Table:
    """Real photographs."""
    lines: list[tuple[str, str, Shown]] = [
        ("boards found", REAL, lambda f: of(f["found"], f["pictures"])),
        ("the right way round", REAL, lambda f: of(f["turned"], f["pictures"])),
        ("letters, the corners given", REAL, lambda f: of(f["letters"], f["tiles"])),
        ("bare squares read as tiles", REAL, lambda f: of(f["false"], f["bare"])),
        ("squares called sure that are wrong", REAL, sure_wrong),
        ("single letter cubes, any way round", "cubes", lambda f: share_of(f["right"], f["cubes"])),
        ("of those read surely", "cubes", lambda f: share_of(f["sure right"], f["sure"])),
    ]
    measurement = {REAL: "real", "cubes": "cubes"}
    rows: list[Row] = [(name, sheet.cell(measurement[lot], lot, shown)) for name, lot, shown in lines]
    return sheet.table("real", ACCURACY, ("", "real photographs"), rows)


def confidence(sheet: Sheet, lot: str) -> Table:
    """How often squares and plays are right, by how sure Upscore was."""
    rows: list[Row] = []
    for low, high in zip(_SURENESS, (*_SURENESS[1:], 2.0), strict=True):
        name = f"under {high:g}" if not low else f"over {low:g}" if high > 1 else f"{low:g} to {high:g}"
        squares = [sheet.cell("reading", lot, partial(_squares, kind, low, high)) for kind in KINDS]
        rows.append((name, *squares, sheet.cell("replay", lot, partial(_plays, low, high))))
    heads = ("how sure", *(f"{kind}: right" for kind in (*KINDS, "plays, replayed")))
    return sheet.table(f"confidence-{lot}", ACCURACY, heads, rows)


def profile(sheet: Sheet) -> Table:
    """What a profile removes."""
    rows: list[Row] = [
        (
            known,
            *(sheet.cell("profile", TUNED, partial(_wrong, known, part)) for part in ("letters", "heights")),
        )
        for known in VARIANTS
    ]
    return sheet.table("profile", CALIBRATION, ("known", "letters wrong", "heights wrong"), rows)


def tilted_heights(f: Figures) -> str:
    """Heights of tiles that are not seen from above."""
    return percent(f["heights slanting"] + f["heights aside"], f["tiles slanting"] + f["tiles aside"])


def sure_wrong(f: Figures) -> str:
    """Squares that are called sure, and wrong."""
    return of(f["sure wrong"], f["sure"])


def _heights(view: str, f: Figures) -> str:
    return share_of(f[f"heights {view}"], f[f"tiles {view}"])


def _corner_error(f: Figures) -> str:
    return NONE if f["corner error"] is None else f"{f['corner error']:.3f} square"


def _squares(kind: str, low: float, high: float, f: Figures) -> str:
    return _between(f["bins"][kind], low, high)


def _plays(low: float, high: float, f: Figures) -> str:
    return _between(f["bins"], low, high)


def _between(bins: list[list[float]], low: float, high: float) -> str:
    """The share that was right of those whose confidence lies between two edges."""
    inside = [each for edge, each in zip(EDGES, bins, strict=True) if low <= edge < high]
    return share_of(sum(each[1] for each in inside), sum(each[2] for each in inside))


def _wrong(known: str, part: str, f: Figures) -> str:
    return of(f[known][part], f[known]["tiles"])
