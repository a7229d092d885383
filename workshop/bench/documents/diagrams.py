"""The documents' diagrams as SVG: whether confidence means what it says, and asked against silent."""

from __future__ import annotations

from math import log10

from workshop.bench.documents.record import Figures, Record
from workshop.bench.reading.alone import KINDS
from workshop.bench.turns.drawn import PER

_KIND_COLOURS = dict(zip((*KINDS, "turns"), ("#1f5fa8", "#7aa6d6", "#9a9a9a", "#b8362f"), strict=True))
_COLOURS = ("#1f5fa8", "#b8362f", "#9a9a9a")
_SIDE, _MARGIN = 360, 46
_WIDE, _HIGH, _PAD = 420, 300, 52


def diagrams(record: Record) -> dict[str, str]:
    """The diagrams for which there are figures, by the names of their files."""
    made: dict[str, str] = {}
    reading, replay = record.figures("reading", "sets"), record.figures("replay", "sets")
    if reading is not None and replay is not None:
        made["reliability.svg"] = reliability({**reading["bins"], "turns": replay["bins"]})
    lots = {"tuned on": record.figures("drawn", "sets"), "looked at": record.figures("drawn", "own2613")}
    curves = {name: figures["points"] for name, figures in lots.items() if figures is not None}
    if len(curves) == len(lots):
        made["asked-and-silent.svg"] = asked_and_silent(curves)
    return made


def reliability(found: dict[str, list[list[float]]]) -> str:
    """The reliability diagram as SVG: on the diagonal confidence means what it says."""

    def x(chance: float) -> float:
        return _MARGIN + _SIDE * chance

    def y(share: float) -> float:
        return _MARGIN + _SIDE * (1.0 - share)

    full = _SIDE + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full + 130} {full}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{full + 130}" height="{full}" fill="#fff"/>',
        f'<path d="M{x(0)} {y(0)}H{x(1)}V{y(1)}H{x(0)}Z" fill="none" stroke="#888"/>',
        f'<path d="M{x(0)} {y(0)}L{x(1)} {y(1)}" stroke="#bbb" stroke-dasharray="4 4"/>',
        f'<text x="{x(0.5)}" y="{full - 10}" text-anchor="middle">how sure Upscore was</text>',
        f'<text transform="translate(14 {y(0.5)}) rotate(-90)" text-anchor="middle">share that was right</text>',
    ]
    for share in (0.0, 0.5, 1.0):
        parts.append(f'<text x="{x(share)}" y="{y(0) + 16}" text-anchor="middle">{share:g}</text>')
        parts.append(f'<text x="{x(0) - 6}" y="{y(share) + 4}" text-anchor="end">{share:g}</text>')
    for k, (kind, bins) in enumerate(found.items()):
        colour = _KIND_COLOURS[kind]
        means = [(total / count, right / count, count) for total, right, count in bins if count]
        points = " ".join(f"{x(chance):.1f},{y(share):.1f}" for chance, share, _ in means)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for chance, share, count in means:
            radius = 1.5 + 0.8 * log10(count)
            parts.append(
                f'<circle cx="{x(chance):.1f}" cy="{y(share):.1f}" r="{radius:.1f}" fill="{colour}"/>'
            )
        parts.append(f'<text x="{x(1) + 14}" y="{y(1) + 16 + 18 * k}" fill="{colour}">{kind}</text>')
    return "\n".join([*parts, "</svg>\n"])


def asked_and_silent(found: dict[str, list[Figures]]) -> str:
    """The curves as SVG: asked to the right, silent errors upwards, a dot a threshold."""
    most_asked = max(p["asked"] for points in found.values() for p in points) * 1.1
    most = max(max(_rate(p) for points in found.values() for p in points) * 1.1, 2.0)

    def x(share: float) -> float:
        return float(_PAD + _WIDE * share / most_asked)

    def y(rate: float) -> float:
        return float(_PAD + _HIGH * (1.0 - rate / most))

    wide, high = _WIDE + 2 * _PAD + 130, _HIGH + 2 * _PAD
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif"'
        ' font-size="12">',
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
        f'<path d="M{x(0)} {y(most):.1f}V{y(0)}H{_PAD + _WIDE}" fill="none" stroke="#888"/>',
        f'<path d="M{x(0)} {y(1):.1f}H{_PAD + _WIDE}" stroke="#bbb" stroke-dasharray="4 4"/>',
        f'<text x="{_PAD + _WIDE / 2}" y="{high - 12}" text-anchor="middle">turns asked about</text>',
        f'<text transform="translate(14 {_PAD + _HIGH / 2}) rotate(-90)" text-anchor="middle">'
        f"silent errors in {PER:,} turns</text>",
    ]
    for k in range(0, int(100 * most_asked) + 1, 5):
        parts.append(f'<text x="{x(k / 100):.1f}" y="{y(0) + 16}" text-anchor="middle">{k} %</text>')
    for k in range(0, int(most) + 1, max(1, round(most / 6))):
        parts.append(f'<text x="{x(0) - 6}" y="{y(k) + 4:.1f}" text-anchor="end">{k}</text>')
    for k, ((name, points), colour) in enumerate(zip(found.items(), _COLOURS, strict=False)):
        line = " ".join(f"{x(p['asked']):.1f},{y(_rate(p)):.1f}" for p in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for p in points:
            across, up, threshold = x(p["asked"]), y(_rate(p)), p["threshold"]
            at = f"translate({across + 3:.1f} {up - 6:.1f}) rotate(-60)"
            parts.append(f'<circle cx="{across:.1f}" cy="{up:.1f}" r="2.5" fill="{colour}"/>')
            parts.append(f'<text transform="{at}" font-size="9" fill="{colour}">{threshold:g}</text>')
        parts.append(f'<text x="{_PAD + _WIDE + 14}" y="{_PAD + 16 + 18 * k}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _rate(point: Figures) -> float:
    """Silent errors in `PER` turns."""
    return float(PER * point["silent"] / point["turns"])
