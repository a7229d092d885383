"""The rules in our own words, by the numbers of the rule sheets, with their house rules, and links to them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from engine import EDITIONS, Edition
from engine.rules.house_rules import HOUSE_RULES, HouseRule
from engine.squares import centre_squares, square_names
from engine.wording import counted, points_text

_NAMED = re.compile(r"Rules? (?P<rule>[0-9]+)|House rule|\((?P<score>[0-9]+)[A-F]\)")
"""A rule as verdicts and scores name it. A house rule that a verdict names is one on stacking, Rule 5."""


_SENTENCES = {
    "plural_rule": "No plural by just adding S",
    "lone_s_with_crossing_word": "Adding an S is fine if it also makes a crossing word",
    "stacked_s": "Stacking an S is fine (HAT → HAS)",
    "verb_s_plural": "No adding S to a verb either (RUN → RUNS)",
    "several_tiles_ending_in_s": "Adding several tiles that end in S is fine (BOX → BOXES)",
    "parallel_plays": "One turn may make several crossing words",
    "lone_qu_first_play": "The Qu tile alone may be the first play",
    "bonus_for_short_rack": "20-point bonus for playing your last tiles, even if fewer than seven",
    "exchange_counts_as_pass": "An exchange counts as a pass",
    "passing_rounds": "Rounds of passes that end the game",
    "failed_challenge_loses_turn": "A failed challenge costs your next turn",
    "leftover_penalty": "Points lost per leftover tile",
    "solo_leftover_penalty": "Leftover tiles cost points in a solo game too",
    "joint_winners": "A tie is a shared win",
    "words_always_checked": "Words are checked at once, challenged or not",
    "solo_words_always_checked": "Words are checked at once in a solo game",
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
        """The name of the rule that this one says more about, "" for none."""
        return _EXCEPTIONS.get(self.rule.name, "")


def view_house_rules(values: Mapping[str, bool | int | str]) -> tuple[HouseRuleView, ...]:
    """Return every house rule with its value. `values` are by name."""
    return tuple(
        HouseRuleView(
            rule,
            _SENTENCES.get(rule.name, rule.question),
            values[rule.name],
            str(values[rule.name]) != str(rule.default),
        )
        for rule in HOUSE_RULES
    )


@dataclass(frozen=True)
class Rule:
    """A rule: its number on the sheets, its title, its sentences, and the names of the house rules that change it.

    The sentences have names in braces for the numbers of an edition. `house` are the house rules as they are set.
    """

    number: int
    title: str
    sentences: tuple[str, ...]
    switches: tuple[str, ...] = ()
    house: tuple[HouseRuleView, ...] = ()


RULES = (
    Rule(
        3,
        "The first word",
        (
            "To see who begins, everyone draws a tile. The letter nearest to A begins, and these tiles go back.",
            "The first word has at least two tiles and covers at least one of {start}.",
        ),
        ("lone_qu_first_play",),
    ),
    Rule(
        4,
        "Laying tiles",
        (
            "All tiles of a turn go in one row or one column. With tiles that lie there already, they leave no gap.",
            "At least one of them lies beside a tile that was there before, or on top of one.",
        ),
    ),
    Rule(
        5,
        "Stacking and new words",
        (
            "Words read from left to right or from top to bottom.",
            "Every row of two letters or more that the turn makes or changes has to be a word.",
            "A tile may go on top of another one, but not on the same letter. A turn puts one tile on a square.",
            "No stack is higher than {stack}.",
            "A word on the board can't be covered whole: one letter at least stays, and the new word uses it.",
            "A turn can't just add an S to make a plural. An S that belongs to another new word is fine.",
        ),
        (
            "plural_rule",
            "lone_s_with_crossing_word",
            "stacked_s",
            "verb_s_plural",
            "several_tiles_ending_in_s",
            "parallel_plays",
        ),
    ),
    Rule(
        6,
        "Scoring",
        (
            "6A: a word that lies flat scores 2 points for each tile.",
            "6B: a word with any stack in it scores 1 point for each of its tiles, those underneath included.",
            "6C: Qu is one tile. In a flat word it scores {qu} more, in a word with a stack nothing more.",
            "6D: all {rack} in one turn earn {full} more.",
            "6E: every word made or changed scores. A letter in two words scores in both.",
            "6F: at the end each tile left on a rack costs 5 points.",
        ),
        ("bonus_for_short_rack", "leftover_penalty", "solo_leftover_penalty"),
    ),
    Rule(
        7,
        "Which words count",
        (
            "Agree on a dictionary. It settles challenges.",
            "Not allowed are names, abbreviations, and words with a hyphen or an apostrophe. Nor are beginnings and "
            "endings that can't stand alone, and foreign words that your dictionary doesn't have.",
        ),
        ("words_always_checked", "solo_words_always_checked"),
    ),
    Rule(
        8,
        "Challenges",
        (
            "A word can be challenged until another word is played. A pass or an exchange doesn't end that.",
            "If it is no word, its tiles come off, and the player plays another word or passes. Otherwise it stands.",
            "A word that nobody challenges counts, even if it is none.",
        ),
        ("failed_challenge_loses_turn",),
    ),
    Rule(9, "Passing", ("You may pass at any time.",)),
    Rule(
        10,
        "Exchanging a tile",
        (
            "Put one tile back and draw another one. That is your turn.",
            "Playing alone, you may exchange five tiles in a game, and it costs no turn.",
        ),
        ("exchange_counts_as_pass",),
    ),
    Rule(
        11,
        "The end and the winner",
        (
            "The game ends when a player has used all tiles and no tile is left to draw. "
            "It also ends when nobody can play any more, or when everybody has passed in a row.",
            "Tiles left on the racks are subtracted. Then the most points win.",
        ),
        ("passing_rounds", "joint_winners"),
    ),
)


def view_rules(house: tuple[HouseRuleView, ...], edition: Edition = EDITIONS["8x8"]) -> tuple[Rule, ...]:
    """Return every rule of an edition with its house rules, as they are set in `house`."""
    is_centre = edition.start == centre_squares(edition.size)
    numbers = {
        "start": "the marked squares in the middle" if is_centre else f"these: {square_names(sorted(edition.start))}",
        "stack": counted(edition.stack_limit, "tile"),
        "qu": points_text(edition.qu_bonus),
        "rack": counted(edition.rack_size, "tile"),
        "full": points_text(edition.full_rack_bonus),
    }
    return tuple(
        replace(
            rule,
            sentences=tuple(text.format(**numbers) for text in rule.sentences),
            house=tuple(each for each in house if each.rule.name in rule.switches),
        )
        for rule in RULES
    )


def link_rules(text: str, url: str) -> Markup:
    """Return a sentence in which each rule that it names is a link to that rule on the page `url`."""
    linked, at = Markup(), 0
    for named in _NAMED.finditer(text):
        number = named["rule"] or named["score"] or "5"
        linked += escape(text[at : named.start()])
        linked += Markup('<a href="{}#rule-{}">{}</a>').format(url, number, named[0])
        at = named.end()
    return linked + escape(text[at:])
