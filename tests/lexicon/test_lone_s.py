"""5-plural with the shipped lists: only a plural, or a verb's form, of the word that stood there is refused."""

from __future__ import annotations

import pytest
from solverkit import standard

from engine import EDITIONS, Board, HouseRules, Lexicon, parse_play, referee
from engine.solver.search import legal_plays
from upscore.words.loader import lexicon_names, load_lexicon
from upscore.words.packaged import not_inflections

LARGE = EDITIONS["10x10"]


def find_broken_rules(word: str, lexicon: Lexicon, **switches: bool) -> list[str]:
    """Return the rules that a lone S after a word breaks, and check that the solver agrees."""
    board = Board.empty(10).with_play(parse_play(f"b5-{word}"))
    square = "abcdefghij"[1 + len(word)]
    rules = HouseRules(**switches)
    verdict = referee(board, parse_play(f"S@{square}5"), edition=LARGE, lexicon=lexicon, rules=rules)
    found = legal_plays(board, ["S"], edition=LARGE, lexicon=lexicon, rules=rules)
    assert verdict.legal == any(play.words[0].word == f"{word}S" for play in found)
    return [broken.rule for broken in verdict.violations]


@pytest.mark.parametrize(
    "word", ["PRINCES", "CARES", "NEEDLES", "PAS", "HI", "IT", "BESIDE", "YE", "HER", "THI", "PLU", "GENOMIC"]
)
def test_an_s_that_makes_another_word_is_allowed(word: str) -> None:
    for lexicon in map(load_lexicon, lexicon_names()):
        assert find_broken_rules(word, lexicon) == []
        assert find_broken_rules(word, lexicon, verb_s_plural=False) == []


@pytest.mark.parametrize("word", ["HEADWARD", "LEFTWARD", "HYGIENIC", "WHERE", "AMID", "NONE", "SPECIE"])
def test_adverbs_sciences_pronouns_and_prepositions_on_s_are_no_plurals(word: str) -> None:
    assert find_broken_rules(word, load_lexicon("large")) == []


def test_an_s_that_makes_no_word_stands_until_it_is_challenged() -> None:
    assert find_broken_rules("MOODY", standard()) == ["7"]


@pytest.mark.parametrize("word", ["CAT", "NET", "TEA", "HAT", "PRINCE", "RUN", "BEG", "NEEDLE"])
def test_an_s_that_makes_a_plural_or_a_verbs_form_is_refused(word: str) -> None:
    assert find_broken_rules(word, standard()) == ["5-plural"]
    assert find_broken_rules(word, standard(), plural_rule=False) == []


def test_the_house_may_refuse_plurals_alone() -> None:
    assert find_broken_rules("BEG", standard(), verb_s_plural=False) == []
    assert find_broken_rules("CAT", standard(), verb_s_plural=False) == ["5-plural"]


def test_the_reviewed_words_are_a_word_and_an_s_each() -> None:
    large = load_lexicon("large")
    assert all(word.endswith("S") and not word.endswith("SS") for word in not_inflections())
    assert [word for word in sorted(not_inflections()) if word not in large] == []
    assert [word for word in sorted(not_inflections()) if word[:-1] not in large] == []
