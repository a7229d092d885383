"""The shipped lists and what comes with them."""

from __future__ import annotations

from pathlib import Path

import pytest

import upscore.words as words_package
from engine.errors import LexiconError
from upscore.words.build.decisions import read_decisions, rows
from upscore.words.loader import lexicon_names, load_lexicon, load_meanings
from upscore.words.packaged import packed_lines

DATA = Path(words_package.__file__).parent / "data"
SHORT = DATA / "short_words.txt"


def test_each_list_holds_the_one_before_it() -> None:
    assert lexicon_names() == ("standard", "standard-british", "large")
    lists = [frozenset(load_lexicon(name)) for name in lexicon_names()]
    assert lists[0] < lists[1] < lists[2]
    assert all(len(words) > least for words, least in zip(lists, (110_000, 115_000, 250_000), strict=True))
    assert load_lexicon().name == "standard"


@pytest.mark.parametrize(
    ("kept", "dropped"),
    [
        ("aa ab ae ag al za qi ok xu", "kb lm ln lx mb mf ps cs gs ks ls rs ts"),
        ("axe emu app bro", "csc dkl hhd hoc quo non ert oui jew"),
        ("cafe crepe souffle facade", "nasa rome isnt twas multi"),
        ("grey axe theatre dialogue judgement travelling", "colour centre tyre metre realise"),
        ("bits biting bitten quiz quizzes", "qu a i"),
    ],
)
def test_what_standard_holds(kept: str, dropped: str) -> None:
    standard = load_lexicon()
    assert [word for word in kept.upper().split() if word not in standard] == []
    assert [word for word in dropped.upper().split() if word in standard] == []


def test_british_spellings_come_by_a_list_of_their_own() -> None:
    british = load_lexicon("standard-british")
    assert all(word in british for word in ("COLOUR", "CENTRE", "TYRE", "REALISE", "GAOL", "COLOR"))


def test_every_manual_decision_is_in_the_lists() -> None:
    standard, large = load_lexicon(), load_lexicon("large")
    decisions = read_decisions(DATA / "decisions.tsv")
    assert len(decisions) > 10
    for decision in decisions:
        assert decision.reason
        for word in decision.words:
            assert (word in standard) == (decision.action == "add"), word
            assert (word in large) == (decision.place != "all"), word


def test_the_short_words_are_the_reviewed_ones() -> None:
    standard = {word for word in load_lexicon() if len(word) < 4}
    large = {word for word in load_lexicon("large") if len(word) < 4}
    reviewed = {(name, int(length)): set(words.upper().split()) for name, length, words in rows(SHORT)}
    for length in (1, 2, 3):
        assert {word for word in standard if len(word) == length} == reviewed.get(("standard", length), set())
        assert {word for word in large - standard if len(word) == length} == reviewed.get(
            ("large only", length), set()
        )


def test_plurals_and_verbs_are_told_apart() -> None:
    standard = load_lexicon()
    assert [standard.is_plural(word) for word in ("CATS", "BEGS", "RUNS", "OCCURS", "CAT")] == [
        *(True, False, True, False, False)
    ]


def test_the_data_stay_small() -> None:
    sizes = {path.name: len(path.read_bytes()) for path in DATA.iterdir() if path.is_file()}
    assert sizes["meanings.txt.xz"] + sizes["irregular.txt.xz"] < 2_000_000
    assert sum(sizes.values()) < 6_000_000


def test_the_notices_come_with_the_data() -> None:
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in (DATA / "LICENSE-WORDNET.txt").read_text()
    assert "Copyright 2000-2011 by Kevin Atkinson" in (DATA / "LICENSE-SCOWL.txt").read_text("utf-8")
    assert {row[0] for row in rows(DATA / "sources.tsv")} == {"scowl", "wordnet"}


def test_most_words_have_a_meaning() -> None:
    meanings = load_meanings()
    words = list(load_lexicon())[::10]
    answered = sum(meanings.meaning(word) is not None for word in words)
    assert answered / len(words) >= 0.86
    short = [word for word in load_lexicon() if len(word) <= 3]
    assert sum(meanings.meaning(word) is not None for word in short) / len(short) > 0.99


def test_damaged_data_are_named() -> None:
    with pytest.raises(LexiconError, match=r"word data nothing\.txt cannot be read: install"):
        packed_lines("nothing.txt")


@pytest.mark.parametrize("name", ["sowpods", "no/such/file.txt", "x" * 5000, "standard.txt.xz"])
def test_a_list_that_is_not_there_is_one_clear_line(name: str) -> None:
    with pytest.raises(
        LexiconError, match="choose standard, standard-british, large, or give a file"
    ) as error:
        load_lexicon(name)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 160
