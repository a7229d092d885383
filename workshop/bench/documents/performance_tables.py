"""The tables of docs/performance.md: how reading grows, Tesseract beside it, and the page."""

from __future__ import annotations

from typing import Any

from workshop.bench.documents.cells import NONE, UNMEASURED, Row, Sheet, Shown, Table, of, percent, short
from workshop.bench.documents.record import Figures
from workshop.bench.speed.peer import PEER
from workshop.bench.speed.serving import CROWDS, LENGTHS
from workshop.bench.speed.sizes import SIZES
from workshop.bench.speed.stages import STAGES

PERFORMANCE = "docs/performance.md"
_PAGES = {"page": "page ms", "what changed": "parts ms", "state": "state ms", "an entry": "entry ms"}
_CROWD = {
    "an event, half within": "event median ms",
    "99 % within": "event p99 ms",
    "a page, half within": "page median ms",
    "of pages 99 % within": "page p99 ms",
}
_START = {
    "`upscore serve` to the line with the address": "address s",
    "to the first page, of a game": "page s",
    "the same, the quickest of seven": "page, quickest s",
    "`upscore --help`": "help s",
}
_MEMORY = {
    "just started": "start MB",
    "after a game of 660 entries, the networks loaded meanwhile": "played MB",
    "after a photograph, all processes together": "loaded MB",
    "on top of that, three hostile pictures at once, at most": "upload MB",
}


def performance_tables(sheet: Sheet) -> list[Table]:
    """All of them."""
    return [
        sizes(sheet), boards(sheet), baseline(sheet), peer(sheet), start(sheet), latency(sheet), crowds(sheet),
        memory(sheet),
    ]  # fmt: skip


def sizes(sheet: Sheet) -> Table:
    """Reading by stage and size of picture."""
    rows: list[Row] = [
        (
            stage,
            *(sheet.cell("sizes", "samples", _ms("pictures", size, stage)) for size in SIZES),
        )
        for stage in ("decoding", *STAGES, "all")
    ]
    heads = ("stage", *(f"{name} ({wide} x {high})" for name, (wide, high) in SIZES.items()))
    return sheet.table("sizes", PERFORMANCE, heads, rows, timed=True)


def boards(sheet: Sheet) -> Table:
    """Reading by board, and inferring."""
    rows: list[Row] = [
        (f"reading a picture of a board of {name}", sheet.cell("sizes", "samples", _ms("boards", name)))
        for name in ("8x8", "10x10")
    ]
    rows += [
        ("from a reading to the turn, median", sheet.cell("sizes", "samples", _ms("inference", "median ms"))),
        ("the slowest turn", sheet.cell("sizes", "samples", _ms("inference", "slowest ms"))),
    ]
    return sheet.table("boards", PERFORMANCE, ("", "time"), rows, timed=True)


def baseline(sheet: Sheet) -> Table:
    """Upscore beside Tesseract, tile by tile."""
    rows: list[Row] = [
        (
            "letters right",
            sheet.cell("sizes", "samples", lambda f: _share(f["tesseract"], "right")),
            sheet.cell("sizes", "samples", lambda f: _share(f["tesseract"], "tesseract right")),
            NONE,
        ),
        (
            "a picture, mean",
            sheet.cell("sizes", "samples", lambda f: _of_run(f["tesseract"], "ms")),
            sheet.cell("sizes", "samples", lambda f: _of_run(f["tesseract"], "tesseract ms")),
            sheet.cell("sizes", "samples", lambda f: _ratio(f["tesseract"])),
        ),
    ]
    heads = ("", "Upscore", "Tesseract, tile by tile", "ratio")
    return sheet.table("baseline", PERFORMANCE, heads, rows, timed=True)


def peer(sheet: Sheet) -> Table:
    """The solver beside upwords-solver; what is said of both together stands under both."""
    alike, best = _part("same points", "both"), _part("same best", "positions")
    lines: list[tuple[str, Shown, Shown]] = [
        ("version", lambda _: "this", lambda f: str(f["version"])),
        ("legal plays of a position, with their points, median", _ms("ms"), _ms("peer ms")),
        ("plays of a position, unjudged, median", lambda _: NONE, _ms("peer listed ms")),
        ("legal plays", _count("plays"), _count("peer plays")),
        ("found by none but this one", _alone("plays"), _alone("peer plays")),
        ("found by both, the points alike", alike, alike),
        ("positions whose best play scores alike", best, best),
    ]
    rows: list[Row] = [
        (name, sheet.cell("peer", PEER, ours), sheet.cell("peer", PEER, theirs))
        for name, ours, theirs in lines
    ]
    return sheet.table("peer", PERFORMANCE, ("", "Upscore", "upwords-solver"), rows, timed=True)


def start(sheet: Sheet) -> Table:
    """How soon the page is there."""
    rows: list[Row] = [
        (shown, sheet.cell("serving", "samples", _with_unit("start", name, "s")))
        for shown, name in _START.items()
    ]
    return sheet.table("start", PERFORMANCE, ("", "time"), rows, timed=True)


def latency(sheet: Sheet) -> Table:
    """How quick the page is, by the length of the game."""
    rows: list[Row] = [
        (
            f"{length} entries",
            *(
                sheet.cell("serving", "samples", _ms("lengths", str(length), name))
                for name in _PAGES.values()
            ),
        )
        for length in LENGTHS
    ]
    return sheet.table("latency", PERFORMANCE, ("game of", *_PAGES), rows, timed=True)


def crowds(sheet: Sheet) -> Table:
    """The same by viewers and tables."""
    rows: list[Row] = []
    for each, tables in CROWDS:
        place = ("viewers", f"{each} x {tables}")
        found = [sheet.cell("serving", "samples", _ms(*place, name)) for name in _CROWD.values()]
        held = sheet.cell("serving", "samples", _with_unit(*place, "MB", "MB"))
        missed = sheet.cell("serving", "samples", _count(*place, "missed"))
        rows.append((f"{each} of {tables} {'table' if tables == 1 else 'tables'}", *found, missed, held))
    heads = ("viewers", *_CROWD, "missed", "memory")
    return sheet.table("crowds", PERFORMANCE, heads, rows, timed=True)


def memory(sheet: Sheet) -> Table:
    """What the program holds."""
    rows: list[Row] = [
        (shown, sheet.cell("serving", "samples", _with_unit("memory", name, "MB")))
        for shown, name in _MEMORY.items()
    ]
    return sheet.table("memory", PERFORMANCE, ("", "resident"), rows)


def _ms(*path: str) -> Shown:
    return _with_unit(*path, "ms")


def _with_unit(*path_and_unit: str) -> Shown:
    """Tells the figure at the end of a path, with the unit that comes last."""
    *path, unit = path_and_unit

    def shown(figures: Figures) -> str:
        found: Any = figures
        for name in path:
            found = found[name]
        return short(float(found), unit)

    return shown


def _count(*path: str) -> Shown:
    def shown(figures: Figures) -> str:
        found: Any = figures
        for name in path:
            found = found[name]
        return f"{found:,}"

    return shown


def _alone(name: str) -> Shown:
    return lambda f: f"{f[name] - f['both']:,}"


def _part(name: str, whole: str) -> Shown:
    return lambda f: of(f[name], f[whole])


def _share(found: Figures | None, name: str) -> str:
    return UNMEASURED if found is None else percent(found[name], found["tiles"])


def _of_run(found: Figures | None, name: str) -> str:
    return UNMEASURED if found is None else short(found[name], "ms")


def _ratio(found: Figures | None) -> str:
    return UNMEASURED if found is None else f"{found['tesseract ms'] / found['ms']:.1f}"
