"""How often a table is asked, and how often a wrong turn is taken in silence: thousands of turns drawn at random.

    python bench/bench_turns.py FOLDER [FOLDER] [--cache FILE [FILE]] [--turns 4000] [--lazy] [--svg FILE] [--list]

A FOLDER holds a folder for each game, photographs with their truth; what the reader says of their squares is kept in
the FILE given for it. Games are drawn at random, and each turn's photograph as a reading put together of what the
reader said of such squares (`drawn_readings`). The table answers every question truthfully; a `--lazy` one leaves
alone what is unclear and photographs its next turn.

The curve is of one run. The turns are those that follow when `--sure` is demanded (what Upscore demands if it isn't
given), and each is judged again for every other threshold: asked about below it, taken from it on. What would have
become of the game then is not played.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, lgamma, log, log1p
from pathlib import Path
from unittest.mock import patch

from drawn_games import Demand, Turn, played_turns
from drawn_readings import Stock
from observations import photographs

from engine.lexicon.lexicon import Lexicon
from upscore.words.loader import load_lexicon
from vision.turn import review

THRESHOLDS = (0.8, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995)
PER = 2000
"""Turns of which the silent errors are told."""
COLOURS = ("#1f5fa8", "#b8362f", "#9a9a9a")
_WIDE, _HIGH, _PAD = 420, 300, 52


@dataclass(frozen=True)
class Point:
    """What becomes of the turns with one threshold: shares asked, of all and of those in view, and silent errors."""

    threshold: float
    asked: float
    asked_in_view: float
    silent: int
    turns: int

    @property
    def rate(self) -> float:
        """Silent errors in `PER` turns."""
        return PER * self.silent / self.turns

    @property
    def bound(self) -> float:
        """As many in `PER` turns at most, with 95 % confidence, were all turns independent."""
        return PER * upper_bound(self.silent, self.turns)


def upper_bound(wrong: int, count: int) -> float:
    """The share (Clopper and Pearson's) that is exceeded with 5 % probability, after `wrong` of `count`."""
    low, high = wrong / count, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(wrong, count, middle) > 0.05:
            low = middle
        else:
            high = middle
    return high


def _at_most(wrong: int, count: int, share: float) -> float:
    """Probability of `wrong` errors or fewer in `count` turns."""
    if share in (0.0, 1.0):
        return 1.0 - share
    return sum(
        exp(
            lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1)
            + k * log(share) + (count - k) * log1p(-share)
        )
        for k in range(wrong + 1)
    )  # fmt: skip


def shipped() -> dict[Demand, float]:
    """The thresholds of `vision.turn.review`."""
    return {"words": review.SURE, "no word": review.SURE_OF_NO_WORD, "doubt": review.SURE_AFTER_DOUBT}


def point(turns: list[Turn], demanded: dict[Demand, float], threshold: float) -> Point:
    """The turns judged by what is demanded of each kind."""
    asked = [t.asked if t.demand is None else t.confidence < demanded[t.demand] for t in turns]
    in_view = [ask for ask, t in zip(asked, turns, strict=True) if t.in_view]
    silent = sum(not ask and not t.right for ask, t in zip(asked, turns, strict=True))
    return Point(threshold, sum(asked) / len(turns), sum(in_view) / max(len(in_view), 1), silent, len(turns))


def curve(turns: list[Turn], kinds: tuple[Demand, ...]) -> list[Point]:
    """The turns judged by each threshold for turns of these kinds; the others by what is shipped for them."""
    return [point(turns, shipped() | dict.fromkeys(kinds, each), each) for each in THRESHOLDS]


def many_turns(stock: Stock, words: Lexicon, count: int, seed: int, *, lazy: bool) -> Iterator[Turn]:
    """Turns of whole games, `count` or a few more."""
    made = game = 0
    while made < count:
        for turn in played_turns(stock, words, (seed, game), lazy=lazy):
            made += 1
            yield turn
        game += 1


def summary(turns: list[Turn]) -> str:
    """What happened with the thresholds that were played by."""
    now = point(turns, shipped(), review.SURE)
    asked = [turn for turn in turns if turn.asked]
    plays = [turn for turn in asked if turn.kind == "play"]
    offered, first = sum(t.offered for t in plays), sum(t.right for t in plays)
    times = sorted(turn.seconds for turn in turns)
    kinds = ", ".join(f"{kind} {count}" for kind, count in Counter(t.kind for t in asked).most_common())
    ways = ", ".join(f"{way} {count}" for way, count in Counter(t.answer for t in turns).most_common())
    return (
        f"turns {len(turns)}, {sum(t.in_view for t in turns)} of them in view; silent {now.silent}; "
        f"asked {now.asked:.1%}, of those in view {now.asked_in_view:.1%}\n"
        f"  asked about: {kinds}; of {len(plays)} plays the truth was offered {offered} times, first {first}\n"
        f"  {ways}; {1000 * times[len(times) // 2]:.0f} ms a turn, at most {1000 * times[-1]:.0f}"
    )


def table(turns: list[Turn]) -> Iterator[str]:
    """Lines that give the curve of the threshold of words, and those of the others by themselves."""
    wholes: tuple[tuple[str, tuple[Demand, ...]], ...] = (
        ("all", ("words", "no word", "doubt")), ("words", ("words",)), ("no word", ("no word",)), ("doubt", ("doubt",)),
    )  # fmt: skip
    for name, kinds in wholes:
        of_kind = [turn for turn in turns if turn.demand in kinds]
        if not of_kind:
            continue
        yield f"  threshold of {name} ({len(of_kind)} turns); the others as shipped"
        yield f"  {'sure':>6} {'asked':>8} {'in view':>8} {'silent':>7} {f'in {PER}':>8} {'at most':>8}"
        for each in curve(turns, kinds):
            yield (
                f"  {each.threshold:6.3f} {each.asked:8.2%} {each.asked_in_view:8.2%} {each.silent:7} "
                f"{each.rate:8.2f} {each.bound:8.2f}"
            )


def diagram(found: dict[str, list[Point]]) -> str:
    """The curves as SVG: asked to the right, silent errors upwards, a dot a threshold."""
    most_asked = max(p.asked for points in found.values() for p in points) * 1.1
    most = max(max(p.rate for points in found.values() for p in points) * 1.1, 2.0)

    def x(share: float) -> float:
        return _PAD + _WIDE * share / most_asked

    def y(rate: float) -> float:
        return _PAD + _HIGH * (1.0 - rate / most)

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
    for k, ((name, points), colour) in enumerate(zip(found.items(), COLOURS, strict=False)):
        line = " ".join(f"{x(p.asked):.1f},{y(p.rate):.1f}" for p in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for p in points:
            at = f"translate({x(p.asked) + 3:.1f} {y(p.rate) - 6:.1f}) rotate(-60)"
            parts.append(f'<circle cx="{x(p.asked):.1f}" cy="{y(p.rate):.1f}" r="2.5" fill="{colour}"/>')
            parts.append(f'<text transform="{at}" font-size="9" fill="{colour}">{p.threshold:g}</text>')
        parts.append(f'<text x="{_PAD + _WIDE + 14}" y="{_PAD + 16 + 18 * k}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--cache", type=Path, nargs="+", default=[], help="what was read, a file a folder")
    parser.add_argument("--names", nargs="+", default=[], help="what to call each folder, if not by its name")
    parser.add_argument("--turns", type=int, default=4000, help="turns from each folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sure", type=float, help="confidence from which a play of words is taken")
    parser.add_argument("--lazy", action="store_true", help="leave alone what is unclear")
    parser.add_argument("--list", action="store_true", help="print every silent error")
    parser.add_argument("--asked", action="store_true", help="print every turn asked about")
    parser.add_argument("--svg", type=Path, help="where to draw the curve")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    words = load_lexicon()
    found: dict[str, list[Point]] = {}
    caches = [*args.cache, *[None] * (len(args.folder) - len(args.cache))]
    names = [*args.names, *[folder.name for folder in args.folder[len(args.names) :]]]
    with patch.object(review, "SURE", args.sure or review.SURE):
        for folder, cache, name in zip(args.folder, caches, names, strict=True):
            stock = Stock(photographs(folder, cache))
            turns: list[Turn] = []
            for turn in many_turns(stock, words, args.turns, args.seed, lazy=args.lazy):
                turns.append(turn)
                if (args.list and turn.silent) or (args.asked and turn.asked):
                    print(f"{'SILENT' if turn.silent else 'asked'} {turn.note}", flush=True)
            found[name] = curve(turns, ("words", "no word"))
            print("\n".join([f"{name}: {summary(turns)}", *table(turns)]), flush=True)
    if args.svg:
        args.svg.write_text(diagram(found), encoding="utf-8")


if __name__ == "__main__":
    main()
