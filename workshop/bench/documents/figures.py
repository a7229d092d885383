"""Every measured figure in one document: `python -m workshop.bench --recorded --write` makes docs/figures.md and two
diagrams.

A cell names a measurement, its dataset and what to show: a function of the figures, or a formula. `pictures` is the
figure of that name, and `start/help s` one within another, in seconds; `all [ms]` gives a unit that the name lacks.
`found % pictures` is a share, `false : bare` so many of so many, `letters %: tiles` a share of how many, `a + b` a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from vision.turn import reasons
from workshop.bench.data.manifest import manifest
from workshop.bench.measurements import GAMES, REAL, RENDERED, TUNED
from workshop.bench.reading.alone import EDGES, KINDS
from workshop.bench.reading.profile import VARIANTS
from workshop.bench.reading.spoiled import WAYS
from workshop.bench.record import Figures, Record, Stamp
from workshop.bench.speed.peer import PEER
from workshop.bench.speed.serving import CROWDS, LENGTHS
from workshop.bench.speed.sizes import SIZES
from workshop.bench.speed.slowest import PARTS as SLOW_PARTS
from workshop.bench.speed.slowest import SHOWN as SLOW_PICTURES
from workshop.bench.speed.stages import STAGE_NAMES, STAGES
from workshop.bench.turns.ablation import EVERYTHING, PARTS
from workshop.bench.turns.drawn import PER, THRESHOLDS, upper_bound

NOTHING = "-"
"""Shown where there is nothing to measure."""
UNMEASURED = "not measured"
Shown = str | Callable[[Figures], str]
Cell = str | tuple[str, str, Shown]
"""A text, or a measurement, its dataset and what to show of it."""
_INTRO = """# Figures

Everything that `python -m workshop.bench` measures. [accuracy.md](accuracy.md) and [performance.md](performance.md)
explain how. The line below each table has the option that measures it again, the version, the day, the machine, and the
share of the machine that other programs took. To make games again, run `python -m workshop.training.games --words FILE`
with the options in the first table. FILE has the words of the list `standard`, one a line. To make this page from
`figures.json`, run `python -m workshop.bench --recorded --write`."""
_UNITS = ("ms", "µs", "ns", "s", "MB")
_SURENESS = (0.0, 0.5, 0.8, 0.9, 0.95, 2.0)
"""Bounds of the rows in the tables of confidence; the last is above any probability."""
_COLOURS = ("#1f5fa8", "#b8362f", "#7aa6d6", "#e09a2b", "#9a9a9a")
_WIDE, _HIGH, _PAD = 420, 320, 52
"""Size of a diagram and the room around it, pixels. [by eye]"""


class Table(NamedTuple):
    """A table of the document."""

    title: str
    heads: tuple[str, ...]
    rows: list[list[Cell]]


def write(docs: Path, record: Record) -> None:
    """Write the document, and the diagrams of which there are figures."""
    (docs / "figures.md").write_text(document(record), encoding="utf-8")
    for name, diagram in _diagrams(record).items():
        (docs / name).write_text(diagram, encoding="utf-8")


def document(record: Record) -> str:
    """Return docs/figures.md."""
    return "\n\n".join([_INTRO, *(markdown(table, record) for table in tables(record))]) + "\n"


def markdown(table: Table, record: Record) -> str:
    """Return a table under its title, and a line that says how, when and on what its figures were measured."""
    texts = [[_text(cell, record) for cell in row] for row in table.rows]
    head, *rows = (f"| {' | '.join(row)} |" for row in (table.heads, *texts))
    lines = [head, "|---" * len(table.heads) + "|", *rows]
    cells = [cell for row in table.rows for cell in row if not isinstance(cell, str)]
    stamps = _busiest(stamp for name, dataset, _ in cells if (stamp := record.stamp(name, dataset)))
    if stamps:
        names = " ".join(dict.fromkeys(name for name, _, _ in cells))
        versions = " ".join(stamp.line() for stamp in stamps)
        lines += ["", f"*Measured by `--only {names}`. {versions}*"]
    return "\n".join([f"## {table.title}", "", *lines]).replace("|  |", "| |")


def tables(record: Record) -> list[Table]:
    """Return all tables in the order of the document."""
    return [*_reading_tables(), *_turn_tables(), _threshold_table(record), *_speed_tables(), *_page_tables()]


def _reading_tables() -> list[Table]:
    tilted = "heights slanting + heights aside % tiles slanting + tiles aside"
    spoiled = {
        "boards found": "found : pictures",
        "letters": "letters %: tiles",
        "heights, under 20°": "heights above %: tiles above",
        "heights, from 20° on": tilted,
        "sure and wrong": "sure wrong : sure",
    }
    photographs = {
        "pictures": "pictures",
        "boards found": "found % pictures",
        "the right way round, of those with tiles": "turned % bearing",
        "corner error, median": "corner error [square]",
        "letters of tiles in view": "letters %: tiles",
        "heights, tilts under 20°": "heights above %: tiles above",
        "heights, 20° to 35°": "heights slanting %: tiles slanting",
        "heights, from 35° on": "heights aside %: tiles aside",
        "bare squares read as tiles": "false : bare",
        "whole boards right": "whole % pictures",
        "squares called sure (0.95) that are wrong": "sure wrong : sure",
    }
    real = {
        "boards found": "found : pictures",
        "the right way round": "turned : pictures",
        "letters, the corners given": "letters : tiles",
        "bare squares read as tiles": "false : bare",
        "squares called sure that are wrong": "sure wrong : sure",
    }
    cubes = {"single letter cubes, any way round": "right %: cubes", "of those read surely": "sure right %: sure"}
    profile = {"letters wrong": "letters : tiles", "heights wrong": "heights : tiles"}
    heads = ("dataset", "what it is", "pictures or films", "use", "whose, or options that make it")
    datasets: list[list[Cell]] = [
        [f"`{dataset.name}`: {dataset.title}", dataset.what, str(dataset.count), dataset.use, dataset.source]
        for dataset in manifest().values()
    ]
    return [
        Table("Datasets", heads, datasets),
        _by_dataset("Single photographs", "reading", GAMES, photographs),
        _by_key("Spoiled photographs", "spoiled", TUNED, "pictures", {way: way for way in WAYS}, spoiled),
        Table(
            "Real photographs of another game",
            ("", "real photographs"),
            [*_column("real", REAL, real), *_column("cubes", "cubes", cubes)],
        ),
        *(_confidence(dataset) for dataset in (TUNED, RENDERED)),
        _by_key("What a profile adds", "profile", TUNED, "known", {way: way for way in VARIANTS}, profile),
    ]


def _turn_tables() -> list[Table]:
    page = {
        "turns": "answering/turns",
        "of which all tiles are in view": "answering/seen",
        "wrong in silence, every question answered": "answering/silent",
        'wrong in silence, "unclear" left alone': "lazy/silent",
        "asked, of all turns": "answering/asked % answering/turns",
        "asked, of turns in view": "answering/seen asked % answering/seen",
        "the truth among the answers about a play": "answering/offered : answering/plays",
        "the truth the first of them": "answering/first : answering/plays",
        "had to be typed": "answering/typed",
        'left alone by the table that ignores "unclear"': "lazy/left",
        "from sending a photograph to the sheet": "answering/seconds [s]",
    }
    replay = {
        "turns in view, after one in view": "turns",
        "right without a question": "right % turns",
        "asked about": "asked % turns",
        "wrong in silence, of all turns": "silent",
        "points right, where the turn was right": "points : exact",
        "points wrong and not marked": "unsaid",
    }
    drawn = {
        "turns": "shipped/turns",
        "wrong in silence": "shipped/silent",
        "the truth among the answers about a play": "offered : plays",
        "the truth the first of them": "first : plays",
    }
    parts = {EVERYTHING: EVERYTHING} | {f"without {part}": part for part in PARTS}
    outcomes = {
        "right without a question": "right % turns",
        "asked about": "asked % turns",
        "wrong in silence": "silent",
    }
    counts = {
        "plays committed": ("committed", "plays"),
        "asked": ("asked", ""),
        "wrong in silence": ("silent", ""),
        "take-backs noticed": ("noticed", "takebacks"),
    }
    films: list[list[Cell]] = [
        [name, *(("films", "films", partial(_film_total, *count, without)) for without in (False, True))]
        for name, count in counts.items()
    ]
    films.append(["from the hands' leaving to the commit, median", ("films", "films", "delay [s]"), NOTHING])
    return [
        _by_dataset("Whole games through the page", "page", GAMES, page),
        _by_dataset("Replays that nobody answers", "replay", GAMES, replay),
        Table("Hands-free films", ("", "with the tracker", "a look every two seconds"), films),
        _by_key("One source of evidence left out", "ablation", RENDERED, f"`{RENDERED}`", parts, outcomes),
        _by_dataset("Simulated turns, at the threshold that ships", "drawn", (TUNED, RENDERED), drawn),
    ]


def _threshold_table(record: Record) -> Table:
    """Return the trade between asking and silent errors, which are added up over both datasets."""
    datasets = (TUNED, RENDERED)
    rows: list[list[Cell]] = []
    for k, threshold in enumerate(THRESHOLDS):
        name = f"**{threshold:g}**" if threshold == reasons.SURE else f"{threshold:g}"
        points = [figures["points"][k] for dataset in datasets if (figures := record.figures("drawn", dataset))]
        silent, turns = (sum(point[part] for point in points) for part in ("silent", "turns"))
        rates = f"; {PER * silent / turns:.1f}; {PER * upper_bound(silent, turns):.1f}" if turns else ""
        rows.append(
            [
                name,
                *(("drawn", dataset, partial(_count_asked_at, k)) for dataset in datasets),
                _of(silent, turns) + rates,
            ]
        )
    heads = (f"`{dataset}`: asked; of those in view" for dataset in datasets)
    columns = ("taken from", *heads, f"silent of both; in {PER:,}; at most (95 %)")
    return Table("Simulated turns, by threshold", columns, rows)


def _speed_tables() -> list[Table]:
    sizes = {f"{name} ({wide} x {high})": name for name, (wide, high) in SIZES.items()}
    grown: list[list[Cell]] = [
        [stage, *(("sizes", "samples", f"pictures/{name}/{stage} [ms]") for name in sizes.values())]
        for stage in ("decoding", *STAGES, "all")
    ]
    boards = {
        "reading a picture of a board of 8x8": "boards/8x8 [ms]",
        "reading a picture of a board of 10x10": "boards/10x10 [ms]",
        "from a reading to the turn, median": "inference/median ms",
        "the slowest turn": "inference/slowest ms",
    }
    tracker = {
        "the tracker, frames of 1920 pixels": "frames a second [a second]",
        "a frame, median": "median ms",
        "the slowest frame of a hundred": "slowest ms",
    }
    referee = {"the referee, legal plays": "legal [a second]", "the referee, other plays": "other [a second]"}
    slowest: list[list[Cell]] = [
        [name, ("slowest", TUNED, f"{part} [ms]"), NOTHING, NOTHING, NOTHING]
        for name, part in (("median", "median"), ("nine in ten under", "nine in ten"))
    ]
    slow_parts = ("picture", "all", *SLOW_PARTS, "other")
    slowest += [[("slowest", TUNED, partial(_slow, k, part)) for part in slow_parts] for k in range(SLOW_PICTURES)]
    solver = {name: name for name in ("positions", "median ms", "mean ms", "nine in ten ms", "plays", "spelling µs")}
    lists = {name: name for name in ("words", "loading ms", "nodes", "graph ms", "look-up ns")}
    shipped = {f"`{name}`": f"lists/{name}" for name in ("both", "standard", "standard-british", "large")}
    stages = {stage: f"{stage} [ms]" for stage in ("loading", *STAGE_NAMES)}
    return [
        Table(
            "Reading a photograph, stage by stage", ("stage", "a picture, median"), _column("stages", "samples", stages)
        ),
        Table("Reading by size of the photograph", ("stage", *sizes), grown),
        Table("Reading by board, and finding the turn", ("", "time"), _column("sizes", "samples", boards)),
        Table("The slowest pictures", ("picture", "in all", *SLOW_PARTS, "other"), slowest),
        Table(
            "Tracker, referee and meanings",
            ("", "how fast"),
            [
                *_column("tracker", "films", tracker),
                *_column("referee", "samples", referee),
                *_column("lexicon", "samples", {"loading the meanings of words": "meanings ms"}),
            ],
        ),
        Table("Upscore beside Tesseract", ("", "Upscore", "Tesseract, tile by tile"), _beside_tesseract()),
        _by_key("The solver", "solver", "samples", "edition", {"8x8": "8x8", "10x10": "10x10"}, solver),
        Table("The solver beside upwords-solver", ("", "Upscore", "upwords-solver"), _beside_peer()),
        _by_key("Word lists", "lexicon", "samples", "list", shipped, lists),
    ]


def _beside_tesseract() -> list[list[Cell]]:
    """Return the rows of the comparison with Tesseract, which may be missing."""
    rows = {"letters right": "{}right % tiles", "a picture, mean": "{}ms"}
    return [
        [name, *(("sizes", "samples", partial(_within, "tesseract", each.format(who))) for who in ("", "tesseract "))]
        for name, each in rows.items()
    ]


def _beside_peer() -> list[list[Cell]]:
    """Return the rows of the comparison with the solver of npm; shared figures appear under both."""
    lines: list[tuple[str, Shown, Shown]] = [
        ("version", lambda _: "this", lambda f: str(f["version"])),
        ("legal plays of a position, with their points, median", "ms", "peer ms"),
        ("plays of a position, unjudged, median", lambda _: NOTHING, "peer listed ms"),
        ("legal plays", "plays", "peer plays"),
        ("found by this one alone", lambda f: f"{f['plays'] - f['both']}", lambda f: f"{f['peer plays'] - f['both']}"),
        ("found by both, with the same points", "same points : both", "same points : both"),
        ("positions whose best play scores the same", "same best : positions", "same best : positions"),
    ]
    return [[name, ("peer", PEER, ours), ("peer", PEER, theirs)] for name, ours, theirs in lines]


def _page_tables() -> list[Table]:
    start = {
        "`upscore serve` to the line with the address": "start/address s",
        "to the first page, of a game": "start/page s",
        "to the first page, the quickest of seven": "start/page, quickest s",
        "`upscore --help`": "start/help s",
    }
    pages = {"page": "page ms", "what changed": "parts ms", "state": "state ms", "an entry": "entry ms"}
    crowd = {
        "an event, half within": "event median ms",
        "99 % within": "event p99 ms",
        "a page, half within": "page median ms",
        "99 % of pages within": "page p99 ms",
        "missed": "missed",
        "memory": "MB",
    }
    memory = {
        "just started": "memory/start MB",
        "after a game of 660 entries, the networks loaded meanwhile": "memory/played MB",
        "after a photograph, all processes together": "memory/loaded MB",
        "at most, during 50 photographs of 12 megapixels, all processes together": "memory/photographs MB",
        "on top of one photograph, three hostile pictures at once, at most": "memory/upload MB",
    }
    lengths = {f"{length} entries": f"lengths/{length}" for length in LENGTHS}
    crowds = {f"{each} of {tables} table{'s'[: tables > 1]}": f"viewers/{each} x {tables}" for each, tables in CROWDS}
    return [
        Table("Start", ("", "time"), _column("serving", "samples", start)),
        _by_key("The page by length of the game", "serving", "samples", "game of", lengths, pages),
        _by_key("The page by viewers", "serving", "samples", "viewers", crowds, crowd),
        Table("Memory", ("", "resident"), _column("serving", "samples", memory)),
    ]


def _by_dataset(title: str, measurement: str, datasets: tuple[str, ...], lines: Mapping[str, Shown]) -> Table:
    """Return a table with a column for each dataset."""
    rows: list[list[Cell]] = [
        [name, *((measurement, dataset, each) for dataset in datasets)] for name, each in lines.items()
    ]
    return Table(title, ("", *(manifest()[dataset].heading for dataset in datasets)), rows)


def _by_key(
    title: str, measurement: str, dataset: str, corner: str, keys: Mapping[str, str], columns: Mapping[str, Shown]
) -> Table:
    """Return a table with a row for each part of one measurement, from the names of the rows and their keys."""
    rows: list[list[Cell]] = [
        [name, *((measurement, dataset, partial(_within, key, each)) for each in columns.values())]
        for name, key in keys.items()
    ]
    return Table(title, (corner, *columns), rows)


def _column(measurement: str, dataset: str, lines: Mapping[str, Shown]) -> list[list[Cell]]:
    return [[name, (measurement, dataset, each)] for name, each in lines.items()]


def _confidence(dataset: str) -> Table:
    """Return how often squares and plays were right, by how sure Upscore was."""
    rows: list[list[Cell]] = []
    for low, high in pairwise(_SURENESS):
        name = f"under {high:g}" if not low else f"over {low:g}" if high > 1 else f"{low:g} to {high:g}"
        squares = [("reading", dataset, partial(_between, low, high, kind)) for kind in KINDS]
        rows.append([name, *squares, ("replay", dataset, partial(_between, low, high, None))])
    heads = ("how sure", *(f"{kind}: right" for kind in (*KINDS, "plays, replayed")))
    return Table(f"Confidence: {manifest()[dataset].heading}", heads, rows)


def _text(cell: Cell, record: Record) -> str:
    if isinstance(cell, str):
        return cell
    measurement, dataset, shown = cell
    figures = record.figures(measurement, dataset)
    return UNMEASURED if figures is None else show(shown, figures)


def show(shown: Shown, figures: Figures) -> str:
    """Return the text of a formula, as the module describes them, or of a function for these figures."""
    if callable(shown):
        return shown(figures)
    for sign, form in ((" %: ", _share_of), (" % ", percent), (" : ", _of)):
        part, found, whole = shown.partition(sign)
        if found:
            return form(_sum(figures, part), _sum(figures, whole))
    name, _, unit = shown.removesuffix("]").partition(" [")
    last = name.rpartition(" ")[2]
    unit = unit or (last if last in _UNITS else "")
    number = _sum(figures, name)
    return short(number, unit) if unit else f"{number:,.0f}"


def percent(part: float, whole: float) -> str:
    """Return a share to a tenth of a percent, 100 % only if it is all and 0 % only if it is nothing."""
    if not whole:
        return NOTHING
    share = 100 * part / whole
    if part not in (0, whole):
        share = min(max(share, 0.1), 99.9)
    return f"{round(share, 1):.1f}".removesuffix(".0") + " %"


def short(number: float, unit: str) -> str:
    """Return a number to two or three digits, with its unit."""
    digits = 0 if number >= 100 else 1 if number >= 10 else 2 if number >= 0.1 else 3
    return f"{number:,.{digits}f} {unit}"


def _of(part: float, whole: float) -> str:
    return f"{part:,} of {whole:,}" if whole else NOTHING


def _share_of(part: float, whole: float) -> str:
    return f"{percent(part, whole)} of {whole:,}" if whole else NOTHING


def _sum(figures: Figures, names: str) -> float:
    total = 0
    for path in names.split(" + "):
        number: Any = figures
        for name in path.split("/"):
            number = number[name]
        total += number
    return total


def _within(path: str, shown: Shown, figures: Figures) -> str:
    """Show figures that are part of others; older records lack some, and some need a program that was missing."""
    for name in path.split("/"):
        figures = figures.get(name) or {}
    return show(shown, figures) if figures else NOTHING


def _film_total(part: str, whole: str, without: bool, figures: Figures) -> str:
    """Return a count over all films, with the tracker or without it."""
    films = [film["without"] if without else film for film in figures["films"].values()]
    if part not in films[0]:
        return NOTHING
    total = sum(film[part] for film in films)
    return _of(total, sum(film[whole] for film in films)) if whole else str(total)


def _count_asked_at(k: int, figures: Figures) -> str:
    point = figures["points"][k]
    return f"{100 * point['asked']:.1f} %; {100 * point['asked_in_view']:.1f} %"


def _slow(k: int, part: str, figures: Figures) -> str:
    """Return the name of the k-th slowest picture, or the time of one part of its reading."""
    picture = figures["slowest"][k]
    if part == "picture":
        return str(picture[part]) + ("" if picture["read"] else ", refused")
    return short(picture[part], "ms") if part in picture else NOTHING


def _between(low: float, high: float, kind: str | None, figures: Figures) -> str:
    """Return the share that was right among those with a confidence between two bounds."""
    bins = figures["bins"] if kind is None else figures["bins"][kind]
    inside = [each for edge, each in zip(EDGES, bins, strict=True) if low <= edge < high]
    return _share_of(sum(each[1] for each in inside), sum(each[2] for each in inside))


def _busiest(stamps: Iterable[Stamp]) -> list[Stamp]:
    """Return one stamp for each version, machine and day, that of the busiest machine; the oldest first."""
    kept: dict[Stamp, Stamp] = {}
    for stamp in sorted(stamps, key=lambda stamp: (stamp.date, stamp.others or 0.0)):
        kept[replace(stamp, others=None)] = stamp
    return list(kept.values())


def _diagrams(record: Record) -> dict[str, str]:
    """Return the diagrams of which there are figures, by the names of their files."""
    diagrams: dict[str, str] = {}
    reading, replay = record.figures("reading", TUNED), record.figures("replay", TUNED)
    if reading and replay:
        lines = {
            name: [(total / count, right / count) for total, right, count in bins if count]
            for name, bins in {**reading["bins"], "turns": replay["bins"]}.items()
        }
        lines["as sure as right"] = [(0.0, 0.0), (1.0, 1.0)]
        diagrams["reliability.svg"] = plot(lines, "how sure Upscore was", "share that was right")
    tuned, rendered = record.figures("drawn", TUNED), record.figures("drawn", RENDERED)
    if tuned and rendered:
        lines = {
            manifest()[dataset].title: [(100 * p["asked"], PER * p["silent"] / p["turns"]) for p in figures["points"]]
            for dataset, figures in ((TUNED, tuned), (RENDERED, rendered))
        }
        diagrams["asked-and-silent.svg"] = plot(lines, "turns asked about, %", f"silent errors in {PER:,} turns")
    return diagrams


def plot(lines: Mapping[str, list[tuple[float, float]]], across: str, up: str) -> str:
    """Return dotted lines as SVG, with axes from 0 to 1, or to an even number beyond the largest value."""
    largest = (max(point[axis] for points in lines.values() for point in points) for axis in (0, 1))
    right, top = (1 if value <= 1 else 2 * ceil(value / 2) for value in largest)
    wide, high = _WIDE + 2 * _PAD + 170, _HIGH + 2 * _PAD

    def at(x: float, y: float) -> tuple[float, float]:
        return round(_PAD + _WIDE * x / right, 1), round(_PAD + _HIGH * (1 - y / top), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="12">',
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
        f'<path d="M{_PAD} {_PAD}V{_PAD + _HIGH}H{_PAD + _WIDE}" fill="none" stroke="#888"/>',
        f'<text x="{_PAD + _WIDE / 2}" y="{high - 12}" text-anchor="middle">{across}</text>',
        f'<text transform="translate(14 {high / 2}) rotate(-90)" text-anchor="middle">{up}</text>',
    ]
    for part in (0.0, 0.5, 1.0):
        x, y = at(part * right, part * top)
        parts.append(f'<text x="{x}" y="{_PAD + _HIGH + 16}" text-anchor="middle">{part * right:.3g}</text>')
        parts.append(f'<text x="{_PAD - 6}" y="{y + 4}" text-anchor="end">{part * top:.3g}</text>')
    for k, (name, points) in enumerate(lines.items()):
        colour, places = _COLOURS[k % len(_COLOURS)], [at(*point) for point in points]
        line = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>' for x, y in places]
        parts.append(f'<text x="{_PAD + _WIDE + 14}" y="{_PAD + 16 + 18 * k}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])
