from __future__ import annotations

import json
from pathlib import Path

import pytest
from enginekit import Words, WordsWithPlurals, board_of
from hypothesis import given
from hypothesis import strategies as st

from engine import SHEET_RULES, HouseRules, Verdict, WordList, find_edition, parse_play, referee
from engine.errors import RulesError
from engine.rules.house_rules import HOUSE_RULES, house_rules_from, parse_house_rules


def judge(before: str, play: str, lexicon: WordList | None = None, /, **switches: bool) -> Verdict:
    return referee(
        board_of(8, before),
        parse_play(play),
        edition=find_edition("8x8"),
        lexicon=lexicon,
        rules=house_rules_from(switches),
    )


def test_the_defaults_are_those_of_the_sheets() -> None:
    assert SHEET_RULES == HouseRules() == parse_house_rules("{}")
    assert {switch.name: switch.default for switch in HOUSE_RULES} == {
        "plural_rule": True,
        "lone_s_with_crossing_word": True,
        "stacked_s": True,
        "verb_s_plural": True,
        "several_tiles_ending_in_s": True,
        "parallel_plays": True,
        "lone_qu_first_play": False,
        "bonus_for_short_rack": False,
        "exchange_counts_as_pass": False,
        "passing_rounds": 1,
        "failed_challenge_loses_turn": False,
        "leftover_penalty": 5,
        "solo_leftover_penalty": True,
        "joint_winners": True,
        "words_always_checked": False,
        "solo_words_always_checked": True,
    }
    assert all(switch.question.endswith(("?", ".")) for switch in HOUSE_RULES)


def test_every_switch_is_documented_with_its_default() -> None:
    text = (Path(__file__).parents[2] / "docs" / "houserules.md").read_text(encoding="utf-8")
    for switch in HOUSE_RULES:
        assert f"| `{switch.name}` | {json.dumps(switch.default)} |" in text


def test_switches_are_read() -> None:
    rules = parse_house_rules('{"passing_rounds": 3, "plural_rule": false}')
    assert rules == HouseRules(passing_rounds=3, plural_rule=False)
    assert rules.changes() == {"passing_rounds": 3, "plural_rule": False}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the text of the house rules is not readable JSON"),
        ("[]", "must be an object"),
        ("3", "must be an object"),
        ('{"plural_rule": tru}', "line 1, column 17"),
        ('{"plural": true}', "has no 'plural': use plural_rule, lone_s_with_crossing_word"),
        ('{"plural_rule": 1}', "plural_rule must be true or false"),
        ('{"passing_rounds": true}', "passing_rounds must be a whole number from 1 to 9"),
        ('{"passing_rounds": 0}', "from 1 to 9"),
        ('{"passing_rounds": 1.0}', "from 1 to 9"),
        ('{"leftover_penalty": -1}', "from 0 to 50"),
        ('{"leftover_penalty": NaN}', "NaN is not a number"),
        ('{"stacked_s": true, "stacked_s": false}', "'stacked_s' appears twice"),
        ("[" * 100_000, "nested too deeply"),
        ('{"leftover_penalty": ' + "9" * 5000 + "}", "house"),
    ],
)
def test_what_is_wrong_with_the_rules_is_said_in_one_line(text: str, says: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_house_rules(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
def test_no_text_does_worse_than_a_rules_error(text: str) -> None:
    with pytest.raises(RulesError):
        parse_house_rules(f"x{text}")


def test_rules_made_in_code_are_checked_too() -> None:
    with pytest.raises(RulesError, match="from 1 to 9"):
        HouseRules(passing_rounds=10)


@given(st.fixed_dictionaries({switch.name: st.integers(switch.low, switch.high) for switch in HOUSE_RULES}))
def test_rules_come_back_from_their_changes(numbers: dict[str, int]) -> None:
    kinds = {switch.name: switch.kind for switch in HOUSE_RULES}
    values = {name: bool(value) if kinds[name] == "bool" else value for name, value in numbers.items()}
    rules = house_rules_from(values)
    assert parse_house_rules(json.dumps(rules.changes())) == rules


OFF = {"stacked_s": False, "several_tiles_ending_in_s": False, "lone_s_with_crossing_word": False}
VERBS = WordsWithPlurals("RUN", "RUNS", "CAT", "CATS", plurals=["CATS"])


@pytest.mark.parametrize(
    ("before", "play", "lexicon", "switches", "rules"),
    [
        ("d4-CAT", "S@g4", None, {}, "5-plural"),
        ("d4-CAT", "S@g4", None, {"plural_rule": False}, ""),
        ("d4-HAT", "S@f4", None, {"plural_rule": False, **OFF}, ""),
        ("d4-BOX", "g4-ES", None, {"plural_rule": False, **OFF}, ""),
        # a lone S with a crossing word
        ("d4-CAT; O@g5", "S@g4", None, {}, ""),
        ("d4-CAT; O@g5", "S@g4", None, {"lone_s_with_crossing_word": False}, "5-plural"),
        ("d4-CAT; O@g5", "D@g4", None, {"lone_s_with_crossing_word": False}, ""),
        ("d4-NET", "g1|PLUS", None, {"lone_s_with_crossing_word": False}, ""),
        # a stacked S
        ("d4-HAT", "S@f4", None, {}, ""),
        ("d4-HAT", "S@f4", None, {"stacked_s": False}, "5-plural"),
        ("d4-HAT", "S@d4", None, {"stacked_s": False}, ""),
        ("d4-HAT", "Y@f4", None, {"stacked_s": False}, ""),
        # an S added to a verb
        ("d4-RUN", "S@g4", VERBS, {}, "5-plural"),
        ("d4-RUN", "S@g4", VERBS, {"verb_s_plural": False}, ""),
        ("d4-CAT", "S@g4", VERBS, {"verb_s_plural": False}, "5-plural"),
        ("d4-RUN", "S@g4", Words("RUN", "RUNS"), {"verb_s_plural": False}, "5-plural"),
        ("d4-RUN", "S@g4", None, {"verb_s_plural": False}, "5-plural"),
        # several tiles that end in S
        *(
            (before, play, None, {"several_tiles_ending_in_s": allowed}, "" if allowed else "5-plural")
            for before, play in (("d4-BOX", "g4-ES"), ("d4-CAT", "c4-S...S"), ("d4-CAT", "d4-H..S"))
            for allowed in (True, False)
        ),
        *(
            (before, play, None, {"several_tiles_ending_in_s": False}, "")
            for before, play in (("d4-NET", "g1|PLUS"), ("d4-HAT", "e4-IS"), ("d4-BOX", "g4-ED"), ("d4-ON", "d5-AS"))
        ),
        # parallel plays
        ("d4-CAT", "d5-ONE", None, {}, ""),
        ("d4-CAT", "d5-ONE", None, {"parallel_plays": False}, "5-all"),
        ("d4-CAT", "f5-ON", None, {"parallel_plays": False}, ""),
        # a lone Qu as first play
        ("", "Qu@d4", None, {}, "3"),
        ("", "Qu@a1", None, {"lone_qu_first_play": True}, "3"),
        ("", "A@d4", None, {"lone_qu_first_play": True}, "3"),
        ("", "Qu@d4", Words("ON"), {"lone_qu_first_play": True}, "7"),
    ],
)
def test_a_house_rule_allows_or_forbids(
    before: str, play: str, lexicon: WordList | None, switches: dict[str, bool], rules: str
) -> None:
    verdict = judge(before, play, lexicon, **switches)
    assert [breach.rule for breach in verdict.violations] == rules.split()


def test_a_lone_qu_as_first_play_scores() -> None:
    house = judge("", "Qu@d4", lone_qu_first_play=True)
    assert house.legal
    assert [(word.word, word.points) for word in house.words] == [("QU", 4)]
