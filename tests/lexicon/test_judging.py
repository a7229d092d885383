"""Settling challenges."""

from __future__ import annotations

import pytest

from engine.lexicon.lexicon import Lexicon
from upscore.words.judging import judge_word
from upscore.words.loader import load_lexicon, load_meanings


@pytest.mark.parametrize("word", ["belated", "BELATED", " Belated "])
def test_a_playable_word_comes_with_its_meaning(word: str) -> None:
    assert judge_word(word, load_lexicon(), load_meanings()).to_json() == {
        "word": "BELATED",
        "playable": True,
        "meaning": "(adjective) after the expected or usual time; delayed",
        "reason": None,
    }


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("nasa", "an abbreviation: NASA"),
        ("Rome", "only with a capital letter: Rome"),
        ("isnt", "needs an apostrophe: isn't"),
        ("isn't", "needs an apostrophe"),
        ("multi", "can't stand alone: multi-, a prefix: many"),
        ("ness", None),
        ("ible", "can't stand alone: -ible, a suffix: that can be"),
        ("hoc", "left out of the word lists: stands only in a set phrase"),
        ("icecream", "two words: ice cream"),
        ("ice cream", "more than one word"),
        ("selfcontrol", "needs a hyphen: self-control"),
        ("self-control", "needs a hyphen"),
        ("colour", "not in the word list standard, though in the list standard-british"),
        ("zho", "not in the word list standard, though in the list large"),
        ("xyzzy", "not in the word list standard"),
        ("r2d2", "has signs that no tile has"),
        ("", "no word at all"),
        ("café", None),
    ],
)
def test_reasons(word: str, reason: str | None) -> None:
    verdict = judge_word(word, load_lexicon(), load_meanings())
    assert verdict.playable == (reason is None)
    assert (verdict.reason or "").startswith(reason or "")


def test_what_is_no_word_gets_no_meaning() -> None:
    assert judge_word("beed", load_lexicon(), load_meanings()).meaning is None


def test_a_tables_own_list_decides() -> None:
    own = Lexicon.from_words(["XYZZY"], name="ours.txt")
    assert judge_word("xyzzy", own, load_meanings()).playable
    verdict = judge_word("tea", own, load_meanings())
    assert verdict.reason == "not in the word list ours.txt, though in the list standard"
    assert verdict.meaning is not None
