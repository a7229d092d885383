"""Whether confidence means what it says: how often squares and turns are right, by how sure Upscore was of them.

    python bench/bench_confidence.py FOLDER [--svg docs/reliability.svg]

FOLDER holds a folder for each game, photographs with their truth. Squares are those in view, each picture read on its
own; tiles are counted apart from bare squares, which are easy and many. Turns are those of the games replayed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from truth import Snapshot, games_in

from engine.board import Board
from upscore.commands.replay.unattended import first_look, next_look
from upscore.words.loader import load_lexicon
from vision.errors import BoardNotFound
from vision.images import load_image
from vision.pipeline import BoardReader
from vision.turn.belief import certain
from vision.turn.context import Context

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0001)
Judged = tuple[str, float, bool]
"""What it is, how sure Upscore was, and whether it was right."""
COLOURS = {
    "tiles, tilted": "#1f5fa8",
    "tiles, overhead": "#7aa6d6",
    "bare squares": "#9a9a9a",
    "turns": "#b8362f",
}
_SIDE, _PAD = 360, 46


def squares(game: list[Snapshot], reader: BoardReader) -> Iterator[Judged]:
    """The squares in view of each picture."""
    for turn in game:
        try:
            reading = reader.read(load_image(turn.path)[0], turn.edition.size)
        except BoardNotFound:
            continue
        letters, heights, sure = reading.letters(), reading.heights(), reading.confidence()
        for cell in turn.in_view:
            row, col = cell["row"], cell["col"]
            right = letters[row][col] == (cell["top"] or "") and int(heights[row, col]) == cell["height"]
            kind = (
                "bare squares"
                if not cell["height"]
                else f"tiles, {'tilted' if turn.tilt >= 25 else 'overhead'}"
            )
            yield kind, float(sure[row, col]), right


def turns(game: list[Snapshot], reader: BoardReader) -> Iterator[Judged]:
    """The plays inferred."""
    edition = game[0].edition
    context, belief = Context(edition, load_lexicon()), certain(Board.empty(edition.size))
    for number, turn in enumerate(game):
        image = load_image(turn.path)[0]
        if not number:
            belief, _ = first_look(reader, belief.board, image, context)
            continue
        belief, seen = next_look(reader, belief, image, context)
        if seen.finding.play is not None and seen.finding.kind == "play":
            right = set(seen.finding.play.tiles) == set(turn.play.tiles)
            yield "turns", seen.finding.confidence, right


def table(judged: list[Judged]) -> dict[str, list[tuple[float, float, int]]]:
    """For each kind the mean confidence, the share that was right, and the count, by bins of confidence."""
    found: dict[str, list[tuple[float, float, int]]] = {}
    for kind in COLOURS:
        sure = np.array([chance for name, chance, _ in judged if name == kind])
        right = np.array([ok for name, _, ok in judged if name == kind])
        bins = []
        for low, high in pairwise(EDGES):
            inside = (sure >= low) & (sure < high)
            if inside.any():
                bins.append((float(sure[inside].mean()), float(right[inside].mean()), int(inside.sum())))
        found[kind] = bins
    return found


def diagram(found: dict[str, list[tuple[float, float, int]]]) -> str:
    """The reliability diagram as SVG: on the diagonal confidence means what it says."""

    def x(chance: float) -> float:
        return _PAD + _SIDE * chance

    def y(share: float) -> float:
        return _PAD + _SIDE * (1.0 - share)

    full = _SIDE + 2 * _PAD
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
        colour = COLOURS[kind]
        points = " ".join(f"{x(chance):.1f},{y(share):.1f}" for chance, share, _ in bins)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for chance, share, count in bins:
            radius = 1.5 + 0.8 * float(np.log10(count))
            parts.append(
                f'<circle cx="{x(chance):.1f}" cy="{y(share):.1f}" r="{radius:.1f}" fill="{colour}"/>'
            )
        parts.append(f'<text x="{x(1) + 14}" y="{y(1) + 16 + 18 * k}" fill="{colour}">{kind}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--svg", type=Path, help="where to draw the reliability diagram")
    args = parser.parse_args()
    reader = BoardReader(words=load_lexicon())
    games = games_in(args.folder)
    judged = [each for game in games for source in (squares, turns) for each in source(game, reader)]
    found = table(judged)
    for kind, bins in found.items():
        print(kind)
        for chance, share, count in bins:
            print(f"  sure {chance:.4f}  right {share:.4f}  of {count}")
    if args.svg:
        args.svg.write_text(diagram(found), encoding="utf-8")


if __name__ == "__main__":
    main()
