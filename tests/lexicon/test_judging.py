"""Settling challenges."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import workshop.words
from engine import Lexicon, LexiconError
from upscore.words import judging
from upscore.words.judging import family_lexicon, is_marked, judge_word
from upscore.words.loader import check_unchanged, file_digest, load_lexicon, load_meanings
from upscore.words.meanings import Meanings
from workshop.words.decisions import read_recent
from workshop.words.meanings import own_senses

FAMILY = Path(judging.__file__).parent / "data" / "family.tsv"
TABLES = Path(workshop.words.__file__).parent / "tables"


@pytest.mark.parametrize("word", ["belated", "BELATED", " Belated "])
def test_a_playable_word_comes_with_its_meaning(word: str) -> None:
    assert judge_word(word, load_lexicon(), load_meanings()).to_json() == {
        "word": "BELATED",
        "playable": True,
        "meaning": "(adjective) late",
        "reason": None,
    }


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("nasa", "it is an abbreviation, NASA"),
        ("Rome", "it is written with a capital letter, Rome"),
        ("isnt", "it is written with an apostrophe, isn't"),
        ("isn't", "it has an apostrophe"),
        ("multi", "it cannot stand alone: multi-, a prefix: many"),
        ("ness", None),
        ("ible", "it cannot stand alone: -ible, a suffix: that can be"),
        ("-ness", "it cannot stand alone: -ness, a suffix: state"),
        ("re-", "it cannot stand alone: re-, a prefix: again"),
        ("A", "a word has two letters or more"),
        ("thi", "it is not in the American and British word list"),  # an abbreviation that nobody has heard of
        ("lego", "it is left out of the word lists (brand name, "),
        ("hoc", "it is left out of the word lists (stands only in a set phrase"),
        ("icecream", "it is two words, ice cream"),
        ("ice cream", "it is more than one word"),
        ("selfcontrol", "it is written with a hyphen, self-control"),
        ("self-control", "it has a hyphen"),
        ("colour", None),
        ("zho", "it is not in the American and British word list, only in the large word list"),
        ("xyzzy", "it is not in the American and British word list"),
        ("r2d2", "it has characters that no tile has"),
        ("", "there is no word"),
        ("café", None),
    ],
)
def test_reasons(word: str, reason: str | None) -> None:
    verdict = judge_word(word, load_lexicon(), load_meanings())
    assert verdict.playable == (reason is None)
    assert (verdict.reason or "").startswith(reason or "")
    assert verdict.sentence.endswith(".")
    assert "  " not in verdict.line()


def test_what_is_no_word_gets_no_meaning() -> None:
    assert judge_word("beed", load_lexicon(), load_meanings()).meaning is None


def test_a_tables_own_list_decides() -> None:
    own = Lexicon.from_words(["XYZZY"], name="ours.txt")
    assert judge_word("xyzzy", own, load_meanings()).playable
    verdict = judge_word("tea", own, load_meanings())
    assert verdict.meaning is not None


@pytest.mark.parametrize(
    ("word", "elsewhere"),
    [
        ("tea", ", but in the American word list and the British word list"),
        ("color", ", but in the American word list"),
        ("colour", ", but in the British word list"),
        ("zho", ", but in the large word list"),
        ("qzqz", ""),
    ],
)
def test_a_tables_own_list_says_which_shipped_lists_have_a_word(word: str, elsewhere: str) -> None:
    own = Lexicon.from_words(["XYZZY"], name="ours.txt")
    verdict = judge_word(word, own, load_meanings())
    assert verdict.reason == f"it is not in the word list ours.txt{elsewhere}"


def test_a_tables_own_list_called_as_a_shipped_one_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "large").write_text("xyzzy\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for own in (load_lexicon("./large"), load_lexicon(str(tmp_path / "large"))):
        verdict = judge_word("zho", own, load_meanings())
        assert verdict.reason == "it is not in the word list large, but in the large word list"
        assert judge_word("xyzzy", own, load_meanings()).playable
    assert "ZHO" in load_lexicon("large")


def test_a_spelling_of_the_other_country_says_where_it_is_a_word() -> None:
    verdict = judge_word("colour", load_lexicon("standard"), load_meanings())
    assert verdict.sentence == (
        "COLOUR is not playable: it is not in the American word list, only in the British word list."
    )
    assert verdict.meaning is not None


def test_the_verdict_is_said_in_whole_sentences() -> None:
    meanings = Meanings({"TEA": "n:a hot drink"}, {})
    words = Lexicon.from_words(["TEA", "ZAXES"], name="ours.txt")
    assert judge_word("tea", words, meanings).line() == "TEA is playable. Tea: (noun) a hot drink."
    assert judge_word("qzqz", words, meanings).line() == "QZQZ is not playable: it is not in the word list ours.txt."


def test_no_meaning_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "find_gcide", lambda: None)
    verdict = judge_word("tea", Lexicon.from_words(["TEA"]), Meanings({}, {}))
    assert verdict.line() == "TEA is playable. No meaning is known here."


@pytest.mark.parametrize(
    ("word", "left_out"),
    [
        ("bastard", True),
        ("bastards", True),
        ("ladyboys", True),
        ("pissier", True),
        ("spiced", False),
        ("shatter", False),
        ("tits", False),
        ("tea", False),
    ],
)
def test_the_family_switch(word: str, left_out: bool) -> None:
    verdict = judge_word(word, load_lexicon(), load_meanings(), for_family=True)
    assert verdict.playable == (not left_out)
    assert judge_word(word, load_lexicon(), load_meanings()).playable
    if left_out:
        assert verdict.line() == f"{word.upper()} is not playable: it is one of the words that this table leaves out."


def test_a_familys_list_lacks_the_marked_words_and_nothing_else() -> None:
    words = Lexicon.from_words(
        ["TEA", "BASTARD", "BASTARDS", "SHATTER", "BEGS"], name="ours", not_plurals=["BEGS"], rare=["TEA"]
    )
    kept = family_lexicon(words)
    assert set(kept) == {"TEA", "SHATTER", "BEGS"}
    assert kept.name == "ours"
    assert not kept.is_plural("BEGS")
    assert [word for word in kept if kept.is_rare(word)] == ["TEA"]


def test_every_word_marked_for_families_is_a_word() -> None:
    large = load_lexicon("large")
    rows = [line.split("\t") for line in FAMILY.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert [word for _, words in rows for word in words.upper().split() if word not in large] == []
    assert [kind for kind, _ in rows] == ["slur", "coarse", "harmless"]


def test_a_word_that_we_call_coarse_is_marked_with_its_forms() -> None:
    recent = read_recent(TABLES / "recent.tsv")
    own = own_senses(TABLES / "own_meanings.tsv", recent)
    coarse = {word for word, senses in own.items() if re.search(r"\((?:coarse|offensive)\)|coarse word", senses)}
    assert len(coarse) > 70
    assert sorted(word for word in coarse if not is_marked(word)) == []
    forms = {form for each in recent if each.word in coarse for form in each.forms}
    assert sorted(form for form in forms if not is_marked(form)) == []
    for word in ["BIATCHES", "BITCHIN", "ARSIER", "SHITWORKS", "GISMS", "WHOREHOUSES", "APESHIT"]:
        assert is_marked(word), word
    for word in ["TEUCHTER", "SLAPHEAD", "BLOODY", "SNOT", "SHITAKE", "FANNED"]:
        assert not is_marked(word), word


def test_a_changed_file_is_told_in_one_line_and_nothing_else_happens(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text("tea\n")
    digest = file_digest(str(path))
    check_unchanged(str(path), digest)
    path.write_text("tea\ncoffee\n")
    changed = r"^The word list own.txt has changed since the page was started: put the old file back[^\n]*$"
    with pytest.raises(LexiconError, match=changed):
        check_unchanged(str(path), digest)
    path.unlink()
    with pytest.raises(LexiconError, match="put the file back"):
        check_unchanged(str(path), digest)
