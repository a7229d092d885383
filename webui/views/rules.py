"""House rules in our own words, the numbers that differ between editions, and links to the page of rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from engine import Edition
from engine.rules.house_rules import HOUSE_RULES, HouseRule
from engine.squares import centre_squares, square_names
from engine.wording import number_of, phrase, points_text
from webui.language import translate

_SENTENCES = {
    "plural_rule": phrase("No plural by just adding S"),
    "lone_s_with_crossing_word": phrase("Adding an S is fine if it also makes a crossing word"),
    "stacked_s": phrase("Stacking an S is fine (HAT → HAS)"),
    "verb_s_plural": phrase("No adding S to a verb either (RUN → RUNS)"),
    "several_tiles_ending_in_s": phrase("Adding several tiles that end in S is fine (BOX → BOXES)"),
    "parallel_plays": phrase("One turn may make several crossing words"),
    "lone_qu_first_play": phrase("The Qu tile alone may be the first play"),
    "bonus_for_short_rack": phrase("20-point bonus for playing your last tiles, even if fewer than seven"),
    "exchange_counts_as_pass": phrase("An exchange counts as a pass"),
    "passing_rounds": phrase("Rounds of passes that end the game"),
    "failed_challenge_loses_turn": phrase("A failed challenge costs your next turn"),
    "leftover_penalty": phrase("Points lost per leftover tile"),
    "solo_leftover_penalty": phrase("Leftover tiles cost points in a solo game too"),
    "joint_winners": phrase("A tie is a shared win"),
    "words_always_checked": phrase("Words are checked at once, challenged or not"),
    "solo_words_always_checked": phrase("Words are checked at once in a solo game"),
}

COMMON_RULES = ("plural_rule", "failed_challenge_loses_turn", "leftover_penalty")
"""The rules that tables ask for. The form folds the others away."""
_EXCEPTIONS = {
    "lone_s_with_crossing_word": "plural_rule",
    "stacked_s": "plural_rule",
    "verb_s_plural": "plural_rule",
    "several_tiles_ending_in_s": "plural_rule",
    "solo_leftover_penalty": "leftover_penalty",
}
"""The rules that say more about a common rule, each with that rule. They stand below it on the form."""


@dataclass(frozen=True)
class HouseRuleView:
    """A house rule on the form. `changed` says that its value differs from the rule sheets'."""

    rule: HouseRule
    sentence: str
    value: bool | int | str
    changed: bool

    @property
    def usual(self) -> bool:
        """True if the form shows the rule without unfolding."""
        return self.rule.name in COMMON_RULES

    @property
    def of(self) -> str:
        """The name of the rule that this one refines, or ""."""
        return _EXCEPTIONS.get(self.rule.name, "")


def view_house_rules(values: Mapping[str, bool | int | str]) -> tuple[HouseRuleView, ...]:
    """Return every house rule with its value. `values` are by name."""
    return tuple(
        HouseRuleView(rule, rule_sentence(rule), values[rule.name], str(values[rule.name]) != str(rule.default))
        for rule in HOUSE_RULES
    )


def rule_sentence(rule: HouseRule) -> str:
    """Return a house rule as the form says it."""
    return _SENTENCES.get(rule.name, rule.question)


def rule_numbers(edition: Edition) -> dict[str, str]:
    """Return, in words, the numbers in which editions differ, by their names on the page of rules."""
    is_centre = edition.start == centre_squares(edition.size)
    return {
        "start": phrase("the marked squares in the middle")
        if is_centre
        else phrase("these: %(squares)s", squares=square_names(sorted(edition.start))),
        "stack": number_of(edition.stack_limit, "tile"),
        "qu": points_text(edition.qu_bonus),
        "rack": number_of(edition.rack_size, "tile"),
        "full": points_text(edition.full_rack_bonus),
    }


def link_rules(text: str, url: str) -> Markup:
    """Return a sentence, translated, in which each rule that it names is a link to that rule on the page `url`.

    A house rule that a verdict names is one on stacking, Rule 5.
    """
    text, (rule, house_rule) = translate(text), map(translate, (phrase("Rule"), phrase("House rule")))
    names = rf"{re.escape(rule)}\w* (?P<rule>[0-9]+)|{re.escape(house_rule)}|\((?P<score>[0-9]+)[A-F]\)"
    linked, at = Markup(), 0
    for named in re.finditer(names, text, re.IGNORECASE):  # a language may write it small in a sentence
        number = named["rule"] or named["score"] or "5"
        linked += escape(text[at : named.start()])
        linked += Markup('<a href="{}#rule-{}">{}</a>').format(url, number, named[0])
        at = named.end()
    return linked + escape(text[at:])
