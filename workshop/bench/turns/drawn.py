"""How often a table is asked, and how often a wrong turn is taken in silence: thousands of turns drawn at random.

Games are drawn at random, and each turn's photograph as a reading put together of what the reader said of such squares
in photographs with known truth (`drawn_readings`). The table answers every question truthfully. The curve is of one
run: its turns are those that follow when what Upscore demands is demanded, and each is judged again for every other
threshold: asked about below it, taken from it on. What would have become of the game then is not played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import exp, lgamma, log, log1p
from pathlib import Path

from engine import Lexicon
from upscore.words.loader import load_lexicon
from vision.turn import reasons, review
from workshop.bench.data.program import say
from workshop.bench.record import Figures
from workshop.bench.turns.drawn_games import Demand, Turn, play_turns
from workshop.bench.turns.drawn_readings import Stock
from workshop.bench.turns.observations import photographs

THRESHOLDS = (0.8, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995)
PER = 2000
"""Turns of which the silent errors are told."""
TURNS, SEED = 3000, 7
"""Turns from each dataset, and the games' seed."""
_SAID = 500
"""Turns between lines of progress."""


@dataclass(frozen=True)
class Point:
    """The results with one threshold: the shares asked, of all turns and of those in view, and silent errors."""

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
        """The upper bound in `PER` turns, with 95 % confidence, if all turns were independent."""
        return PER * upper_bound(self.silent, self.turns)


def upper_bound(wrong: int, count: int) -> float:
    """Return the share (Clopper and Pearson's) that is exceeded with 5 % probability, after `wrong` of `count`."""
    low, high = wrong / count, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _at_most(wrong, count, middle) > 0.05:
            low = middle
        else:
            high = middle
    return high


def _at_most(wrong: int, count: int, share: float) -> float:
    """Return the probability of `wrong` errors or fewer in `count` turns."""
    if share in (0.0, 1.0):
        return 1.0 - share
    return sum(
        exp(
            lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1)
            + k * log(share) + (count - k) * log1p(-share)
        )
        for k in range(wrong + 1)
    )  # fmt: skip


def read_shipped() -> dict[Demand, float]:
    """Return the thresholds of `vision.turn.review`."""
    return {"words": reasons.SURE, "no word": review.SURE_OF_NO_WORD, "doubt": review.SURE_AFTER_DOUBT}


def point(turns: list[Turn], demanded: dict[Demand, float], threshold: float) -> Point:
    """Return the results with this threshold for each kind of turn."""
    asked = [t.asked if t.demand is None else t.confidence < demanded[t.demand] for t in turns]
    in_view = [ask for ask, t in zip(asked, turns, strict=True) if t.in_view]
    silent = sum(not ask and not t.right for ask, t in zip(asked, turns, strict=True))
    return Point(threshold, sum(asked) / len(turns), sum(in_view) / max(len(in_view), 1), silent, len(turns))


def curve(turns: list[Turn], kinds: tuple[Demand, ...]) -> list[Point]:
    """Return the results with each threshold for turns of these kinds, and the shipped threshold for others."""
    return [point(turns, read_shipped() | dict.fromkeys(kinds, each), each) for each in THRESHOLDS]


def many_turns(stock: Stock, words: Lexicon, count: int, seed: int, *, lazy: bool) -> Iterator[Turn]:
    """Yield turns of whole games, `count` or a few more."""
    made = game = 0
    while made < count:
        for turn in play_turns(stock, words, (seed, game), lazy=lazy):
            made += 1
            yield turn
        game += 1


def draw_turns(folder: Path) -> Figures:
    """Return the curve of one run with the photographs of a folder of games, and the results as shipped."""
    say("  reading the stock of photographs")
    stock, words = Stock(photographs(folder)), load_lexicon()
    turns: list[Turn] = []
    for turn in many_turns(stock, words, TURNS, SEED, lazy=False):
        turns.append(turn)
        if len(turns) % _SAID == 0:
            say(f"  {len(turns)} turns of {TURNS}")
        if turn.silent:
            say(f"    SILENT: {turn.note}")
    plays = [turn for turn in turns if turn.asked and turn.kind == "play"]
    return {
        "points": [asdict(point) for point in curve(turns, ("words", "no word"))],
        "shipped": asdict(point(turns, read_shipped(), reasons.SURE)),
        "judged": sum(turn.demand in ("words", "no word") for turn in turns),
        "plays": len(plays),
        "offered": sum(turn.offered for turn in plays),
        "first": sum(turn.right for turn in plays),
        "answers": Counter(turn.answer for turn in turns),
        "seconds": sorted(turn.seconds for turn in turns)[len(turns) // 2],
    }
