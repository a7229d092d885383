"""The record of solo totals: what a player who plays alone has to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.editions import Edition
from engine.game.game import Game
from engine.rules.house_rules import HouseRules

Standing = Literal["first", "new", "level", "below"]
"""How a total stands to those before it: there was none, it beats them, it equals the best, it is below."""

_IDLE = (
    "exchange_counts_as_pass",
    "passing_rounds",
    "failed_challenge_loses_turn",
    "joint_winners",
    "words_always_checked",
)
_IDLE_WITHOUT_PLURAL_RULE = (
    "lone_s_with_crossing_word",
    "stacked_s",
    "verb_s_plural",
    "several_tiles_ending_in_s",
)


@dataclass(frozen=True)
class SoloRecord:
    """What the totals of finished solo games come to; `best` and `last` are None before the first."""

    games: int
    best: int | None
    last: int | None

    def standing(self, total: int) -> Standing:
        """How the total of one more game stands to this record."""
        if self.best is None:
            return "first"
        if total == self.best:
            return "level"
        return "new" if total > self.best else "below"


def solo_record(totals: Sequence[int]) -> SoloRecord:
    """The record of finished solo games from their totals, in the order in which the games ended."""
    if not totals:
        return SoloRecord(0, None, None)
    return SoloRecord(len(totals), max(totals), totals[-1])


def solo_terms(edition: Edition, rules: HouseRules) -> str:
    """What solo totals must have in common to be compared, as a key: the edition and the house rules.

    Switches that can't bear on a solo game are left out: ``"8x8"``, ``"10x10 plural_rule=False"``.
    """
    idle = set(_IDLE)
    if not rules.solo_leftover_penalty:
        idle.add("leftover_penalty")
    if not rules.plural_rule:
        idle.update(_IDLE_WITHOUT_PLURAL_RULE)
    changed = sorted(f"{name}={value}" for name, value in rules.changes().items() if name not in idle)
    return " ".join([edition.name, *changed])


def solo_total(game: Game) -> int | None:
    """The total that a game adds to the record, None for one that adds none.

    It must be a solo game that is over and began on an empty board, without points.
    """
    setup = game.setup
    if not setup.solo or game.ended is None or not setup.start.is_empty or any(setup.scores):
        return None
    return game.totals[game.players[0]]
