"""The tables of turns: through the page, replayed, in films, drawn at random, and without one source of evidence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from vision.turn import reasons
from workshop.bench.data.manifest import manifest
from workshop.bench.documents.cells import NONE, Line, Row, Sheet, Table, by_lot, of, percent
from workshop.bench.documents.record import Figures
from workshop.bench.measurements import GAMES, RENDERED, TUNED
from workshop.bench.turns.ablation import EVERYTHING, PARTS
from workshop.bench.turns.drawn import PER, THRESHOLDS, upper_bound

ACCURACY = "docs/accuracy.md"
_WITHOUT = {
    "dictionary": "without a dictionary",
    "tile-counts": "without counting the tiles left",
    "tesseract": "without Tesseract",
    "history": "without history",
}


def turn_tables(sheet: Sheet) -> list[Table]:
    """All of them."""
    return [page(sheet), replay(sheet), films(sheet), drawn(sheet), drawn_questions(sheet), ablation(sheet)]


def page(sheet: Sheet) -> Table:
    """Whole games through the page."""
    lines: list[Line] = [
        ("turns", "page", lambda f: str(f["answering"]["turns"])),
        ("of which all tiles are in view", "page", lambda f: str(f["answering"]["seen"])),
        ("wrong in silence, every question answered", "page", lambda f: str(f["answering"]["silent"])),
        ('wrong in silence, "unclear" left alone', "page", lambda f: str(f["lazy"]["silent"])),
        ("asked, of all turns", "page", lambda f: percent(f["answering"]["asked"], f["answering"]["turns"])),
        ("asked, of turns in view", "page", asked_in_view),
        ("the truth among the answers about a play", "page", offered),
        (
            "the truth the first of them",
            "page",
            lambda f: of(f["answering"]["first"], f["answering"]["plays"]),
        ),
        ("had to be typed", "page", lambda f: str(f["answering"]["typed"])),
        ("left alone by the lazy table", "page", lambda f: str(f["lazy"]["left"])),
    ]
    return by_lot(sheet, "page", ACCURACY, lines, GAMES)


def replay(sheet: Sheet) -> Table:
    """Whole games that nobody answers."""
    lines: list[Line] = [
        ("turns in view, after one in view", "replay", lambda f: str(f["turns"])),
        ("right without a question", "replay", lambda f: percent(f["right"], f["turns"])),
        ("asked about", "replay", lambda f: percent(f["asked"], f["turns"])),
        ("wrong in silence, of all turns", "replay", lambda f: str(f["silent"])),
        ("points right, of the turns told exactly", "replay", lambda f: of(f["points"], f["exact"])),
        ("points wrong and not marked", "replay", lambda f: str(f["unsaid"])),
    ]
    return by_lot(sheet, "replay", ACCURACY, lines, GAMES)


def films(sheet: Sheet) -> Table:
    """Films with the tracker and without it."""
    lines: list[tuple[str, str, str | None]] = [
        ("plays committed", "committed", "plays"),
        ("asked", "asked", None),
        ("wrong in silence", "silent", None),
    ]
    rows: list[Row] = []
    for name, part, whole in lines:
        ways = [partial(films_total, part, whole, without) for without in (False, True)]
        rows.append((name, *(sheet.cell("films", "films", shown) for shown in ways)))
    noticed = sheet.cell("films", "films", partial(films_total, "noticed", "takebacks", False))
    delay = sheet.cell("films", "films", lambda f: f"{f['delay']:.1f} s")
    rows += [
        ("take-backs noticed", noticed, NONE),
        ("from the hands' leaving to the commit, median", delay, NONE),
    ]
    return sheet.table("films", ACCURACY, ("", "with the tracker", "a look every two seconds"), rows)


def drawn(sheet: Sheet) -> Table:
    """The curve of asked and silent."""
    lots = (TUNED, RENDERED)
    rows: list[Row] = []
    for k, threshold in enumerate(THRESHOLDS):
        name = f"**{threshold:g}**" if threshold == reasons.SURE else f"{threshold:g}"
        asked = [sheet.cell("drawn", lot, partial(_asked_at, k)) for lot in lots]
        both = [f["points"][k] for lot in lots if (f := sheet.record.figures("drawn", lot)) is not None]
        rows.append((name, *asked, _silent(both)))
    asked_heads = (f"{manifest()[lot].title}: asked; of those in view" for lot in lots)
    heads = ("taken from", *asked_heads, f"silent of both; in {PER:,}; at most (95 %)")
    return sheet.table("drawn", ACCURACY, heads, rows)


def drawn_questions(sheet: Sheet) -> Table:
    """What came of the drawn turns as Upscore is shipped."""
    lines: list[Line] = [
        ("turns", "drawn", lambda f: f"{f['shipped']['turns']:,}"),
        ("wrong in silence", "drawn", lambda f: str(f["shipped"]["silent"])),
        ("the truth among the answers about a play", "drawn", lambda f: of(f["offered"], f["plays"])),
        ("the truth the first of them", "drawn", lambda f: of(f["first"], f["plays"])),
    ]
    return by_lot(sheet, "drawn-questions", ACCURACY, lines, (TUNED, RENDERED))


def ablation(sheet: Sheet) -> Table:
    """One source of evidence left out."""
    rows: list[Row] = []
    for part in (EVERYTHING, *PARTS):
        cells = [
            sheet.cell("ablation", RENDERED, partial(_kept, part, shown))
            for shown in (_right, _asked, _wrong)
        ]
        rows.append((_WITHOUT.get(part, part), *cells))
    title = manifest()[RENDERED].title
    heads = (title, "right without a question", "asked about", "wrong in silence")
    return sheet.table("ablation", ACCURACY, heads, rows)


def asked_in_view(f: Figures) -> str:
    """Turns in view that an answering table is asked about."""
    return percent(f["answering"]["seen asked"], f["answering"]["seen"])


def offered(f: Figures) -> str:
    """Questions about a play with the truth among the answers."""
    return of(f["answering"]["offered"], f["answering"]["plays"])


def films_total(part: str, whole: str | None, without: bool, f: Figures) -> str:
    """A count over all films, with the tracker or without it."""
    each = [film["without"] if without else film for film in f["films"].values()]
    total = sum(film[part] for film in each)
    return str(total) if whole is None else of(total, sum(film[whole] for film in each))


def _asked_at(k: int, f: Figures) -> str:
    point = f["points"][k]
    return f"{100 * point['asked']:.1f} %; {100 * point['asked_in_view']:.1f} %"


def _silent(points: list[Figures]) -> str:
    """Silent errors of all turns that one threshold judged."""
    wrong, count = (sum(point[name] for point in points) for name in ("silent", "turns"))
    if not count:
        return NONE
    return f"{wrong} of {count:,}; {PER * wrong / count:.1f}; {PER * upper_bound(wrong, count):.1f}"


def _kept(part: str, shown: Callable[[Figures], str], f: Figures) -> str:
    """A figure of the turns without a part; figures that were kept before that part was there have none."""
    return shown(f[part]) if part in f else NONE


def _right(f: Figures) -> str:
    return percent(f["right"], f["turns"])


def _asked(f: Figures) -> str:
    return percent(f["asked"], f["turns"])


def _wrong(f: Figures) -> str:
    return str(f["silent"])
