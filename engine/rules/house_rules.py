"""House rules: one switch for each question that tables argue about (docs/houserules.md)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Literal

from engine.errors import NotationError, RulesError
from engine.json_reading import as_bool, as_int, as_mapping, load_json, only_keys
from engine.wording import phrase


def _switch(default: bool, question: str) -> bool:
    value: bool = field(default=default, metadata={"kind": "bool", "question": question, "low": 0, "high": 1})
    return value


def _number(default: int, low: int, high: int, question: str) -> int:
    value: int = field(default=default, metadata={"kind": "int", "question": question, "low": low, "high": high})
    return value


@dataclass(frozen=True)
class HouseRules:
    """The table's house rules; ``HouseRules()`` plays by the rule sheets."""

    plural_rule: bool = _switch(True, "Is a turn refused that simply adds one S to make a plural?")
    lone_s_with_crossing_word: bool = _switch(
        True, "May a lone S end one word when it also makes a different crossing word?"
    )
    stacked_s: bool = _switch(True, "May a lone S be stacked on the last letter of a word (HAT to HAS)?")
    verb_s_plural: bool = _switch(
        True, "Is adding S to a verb refused too? If not, only where the word list knows a plural."
    )
    several_tiles_ending_in_s: bool = _switch(
        True, "May several tiles, the last an S, lengthen a word (BOX to BOXES, CAT to SCATS)?"
    )
    parallel_plays: bool = _switch(
        True, "May a turn make or change two or more crossing words, as plays parallel to a word do?"
    )
    lone_qu_first_play: bool = _switch(False, "May a lone Qu tile be the first play?")
    bonus_for_short_rack: bool = _switch(
        False, "Does playing all tiles held earn the 20 points when fewer than seven were held?"
    )
    exchange_counts_as_pass: bool = _switch(False, "Does an exchange count as a pass for the end of the game?")
    passing_rounds: int = _number(1, 1, 9, "How many rounds of passing end the game?")
    failed_challenge_loses_turn: bool = _switch(False, "Does a failed challenge cost the next turn?")
    leftover_penalty: int = _number(5, 0, 50, "How many points does each tile left at the end cost?")
    solo_leftover_penalty: bool = _switch(True, "Do tiles left at the end cost points in a solo game?")
    joint_winners: bool = _switch(
        True, "Do players with equal totals share the win? If not, the points before leftover tiles decide."
    )
    words_always_checked: bool = _switch(
        False, "Is every word checked against the word list at once, before anybody challenges it?"
    )
    solo_words_always_checked: bool = _switch(
        True, "Is every word of a solo game checked against the word list at once?"
    )

    def __post_init__(self) -> None:
        for rule in HOUSE_RULES:
            rule.check(getattr(self, rule.name))

    def changes(self) -> dict[str, bool | int]:
        """Return the switches that differ from the rule sheets, by name."""
        values = {rule.name: getattr(self, rule.name) for rule in HOUSE_RULES}
        return {rule.name: values[rule.name] for rule in HOUSE_RULES if values[rule.name] != rule.default}


@dataclass(frozen=True)
class HouseRule:
    """One switch as a set-up page shows it; `low` and `high` bound a number (0 and 1 for a yes or no)."""

    name: str
    kind: Literal["bool", "int"]
    default: bool | int
    question: str
    low: int
    high: int

    def check(self, value: object) -> None:
        """Check that `value` is of this switch's kind and within its bounds; raise RulesError if not."""
        try:
            if self.kind == "bool":
                as_bool(value, phrase("house rule %(name)s", name=self.name))
            else:
                as_int(value, phrase("house rule %(name)s", name=self.name), self.low, self.high)
        except NotationError as error:
            raise RulesError(str(error)) from None


HOUSE_RULES = tuple(
    HouseRule(each.name, default=getattr(HouseRules, each.name), **each.metadata) for each in fields(HouseRules)
)
"""Every switch, in the order in which a set-up page asks."""

SHEET_RULES = HouseRules()
"""The rules as the sheets have them."""


def house_rules_from(data: object) -> HouseRules:
    """Read house rules from decoded JSON: an object of switches, where a missing switch keeps its default.

    Raises RulesError for an unknown name, and then lists the known ones, or for an impossible value.
    """
    try:
        values = as_mapping(data, phrase("the house rules"))
        only_keys(values, [rule.name for rule in HOUSE_RULES], phrase("the set of house rules"))
    except NotationError as error:
        raise RulesError(str(error)) from None
    return HouseRules(**values)  # type: ignore[arg-type]  # checked by HouseRules itself


def parse_house_rules(text: str) -> HouseRules:
    """Parse house rules from JSON text: ``{"passing_rounds": 3}``. Raise RulesError as `house_rules_from` does."""
    try:
        data = load_json(text, phrase("the text of the house rules"))
    except NotationError as error:
        raise RulesError(str(error)) from None
    return house_rules_from(data)
