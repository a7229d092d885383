"""The house rules on the form for a new game, each a sentence that a tick makes true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.rules.house_rules import HOUSE_RULES, HouseRule

_SENTENCES = {
    "plural_rule": "An S alone may not end a word",
    "lone_s_with_crossing_word": "It may where it makes a crossing word as well",
    "stacked_s": "It may be stacked on a word's last letter (HAT to HAS)",
    "verb_s_plural": "It may not end a verb either (RUN to RUNS)",
    "several_tiles_ending_in_s": "Several tiles, the last an S, may lengthen a word (BOX to BOXES)",
    "parallel_plays": "One turn may make several crossing words",
    "lone_qu_first_play": "The Qu tile alone may open the game",
    "bonus_for_short_rack": "Playing all tiles held earns 20 points, even fewer than seven",
    "exchange_counts_as_pass": "An exchange counts as a pass",
    "passing_rounds": "Rounds of passing that end the game",
    "failed_challenge_loses_turn": "A challenge that fails costs the next turn",
    "leftover_penalty": "Points that each tile left over costs",
    "solo_leftover_penalty": "Tiles left over cost points in a solo game, too",
    "joint_winners": "A tie stays a tie",
    "words_always_checked": "Words are checked at once, challenged or not",
    "solo_words_always_checked": "Words are checked at once in a solo game",
}

COMMON_RULES = ("plural_rule", "failed_challenge_loses_turn", "leftover_penalty")
"""The rules that tables ask for. The form folds the others away."""


@dataclass(frozen=True)
class HouseRuleView:
    """A house rule on the form. `changed` says that its value differs from the rule sheets'."""

    rule: HouseRule
    sentence: str
    value: bool | int | str
    changed: bool

    @property
    def usual(self) -> bool:
        """Whether the form shows the rule without unfolding."""
        return self.rule.name in COMMON_RULES


def view_house_rules(values: Mapping[str, bool | int | str]) -> tuple[HouseRuleView, ...]:
    """Return every house rule with its value, in the order of the form. `values` are by name."""
    return tuple(
        HouseRuleView(
            rule,
            _SENTENCES.get(rule.name, rule.question),
            values[rule.name],
            str(values[rule.name]) != str(rule.default),
        )
        for rule in HOUSE_RULES
    )
