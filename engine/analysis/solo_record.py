"""The record of solo totals, which a player who plays alone tries to beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.editions import Edition
from engine.game.game import Game
from engine.rules.house_rules import HouseRules

Standing = Literal["first", "new", "level", "below"]
"""How a total compares with earlier ones: there were none, it beats them, it equals the best, it is below."""

_SWITCHES_WITHOUT_EFFECT = (
    "exchange_counts_as_pass",
    "passing_rounds",
    "failed_challenge_loses_turn",
    "joint_winners",
    "words_always_checked",
)
_SWITCHES_OF_PLURAL_RULE = ("lone_s_with_crossing_word", "stacked_s", "verb_s_plural", "several_tiles_ending_in_s")


@dataclass(frozen=True)
class SoloRecord:
    """The record of finished solo games; `best` and `last` are None before the first."""

    games: int
    best: int | None
    last: int | None

    def standing(self, total: int) -> Standing:
        """Compare the total of one more game with this record."""
        if self.best is None:
            return "first"
        if total == self.best:
            return "level"
        return "new" if total > self.best else "below"


def solo_record(totals: Sequence[int]) -> SoloRecord:
    """Return the record of finished solo games from their totals, in the order in which the games ended."""
    if not totals:
        return SoloRecord(0, None, None)
    return SoloRecord(len(totals), max(totals), totals[-1])


def solo_terms(edition: Edition, rules: HouseRules) -> str:
    """Return a key for totals that can be compared: the edition and the house rules.

    Switches that don't matter in a solo game are left out: ``"8x8"``, ``"10x10 plural_rule=False"``.
    """
    idle = set(_SWITCHES_WITHOUT_EFFECT)
    if not rules.solo_leftover_penalty:
        idle.add("leftover_penalty")
    if not rules.plural_rule:
        idle.update(_SWITCHES_OF_PLURAL_RULE)
    changed = sorted(f"{name}={value}" for name, value in rules.changes().items() if name not in idle)
    return " ".join([edition.name, *changed])


def solo_total(game: Game) -> int | None:
    """Return what a finished solo game from an empty board without points adds to the record; None for any other."""
    setup = game.setup
    if not setup.solo or game.ended is None or not setup.start.is_empty or any(setup.scores) or game.state.taken:
        return None
    return game.totals[game.players[0]]
