"""GCIDE's answers, from small databases with texts of our own in its form."""

from __future__ import annotations

from pathlib import Path

import pytest
from dictdkit import write_database
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there

from engine import Lexicon
from upscore.words import judging
from upscore.words.gcide import LONGEST, Entry, Gcide, find_gcide, first_sentence, parse_entry
from upscore.words.judging import judge_word
from upscore.words.meanings import Meanings

NOTHING = Meanings({}, {})


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("Zax \\Zax\\ (z[a^]ks), n.\n   A tool. [Also {sax}.]\n", Entry(("ZAX",), "n", "A tool")),
        (
            "Vug \\Vug\\, Vugh \\Vugh\\, n.; pl. E. {Vugs} (v[u^]gz), L.\n   {Vugi}. [Corn. vooga. See"
            " {Vog}.]\n   (Min.)\n   1. A hollow; a hole; as, a vug in rock. --Smith.\n      [Test]\n\n   2. No.",
            Entry(("VUG", "VUGH"), "n", "A hollow; a hole"),
        ),
        (
            "Glim \\Glim\\ (gl[i^]m;\n   glim), v. t. & i. [imp. & p. p. {Glimmed}; p. pr. & vb.\n   n."
            " {Glimming}.]\n   [Test]\n   (a) To shine with {Flux}, e. g., of an [ae]on.",
            Entry(("GLIM",), "v", "To shine with Flux, e. g., of an aeon"),
        ),
        ('Flem \\Flem"\\\n   (fl[e^]m), a.\n   Pale. "Flem as he."\n', Entry(("FLEM",), "a", "Pale")),
        ("Erst \\Erst\\, adv. [AS.]\n   Once. -- {Erst*ly}, a.\n", Entry(("ERST",), "r", "Once")),
        ("Air bed \\Air bed\\, or Airbed \\A\\, n.\n   A bed", Entry(("AIR BED", "AIRBED"), "n", "A bed")),
        ("Leapt \\Leapt\\,\n   imp. & p. p. of {Leap}.\n", None),
        ("Buzz \\Buzz\\\n   A part is not said.\n", None),
        ("Blot \\Blot\\, n.\n   To ??ve what could not be read.\n", None),
        ("Bare \\Bare\\, n.\n   [Test]\n", None),
        ("no entry at all", None),
        ("", None),
    ],
)
def test_entries(text: str, entry: Entry | None) -> None:
    assert parse_entry(text) == entry


def test_of_a_long_sentence_whole_phrases_are_told() -> None:
    assert first_sentence("word " * 20 + "which goes on, " * 9) == ("word " * 20).strip()
    assert first_sentence("x" * (LONGEST + 1)) == ""


ODD = st.text('aZ. \n\\[](){}?|,;-123"', max_size=120)


@given(ODD)
def test_no_text_is_too_odd(text: str) -> None:
    entry = parse_entry(text)
    assert entry is None or entry.gloss


@given(ODD)
def test_a_gloss_is_plain_however_odd_the_entry(text: str) -> None:
    entry = parse_entry(f"Zax \\Zax\\, n.\n   A tool {text}")
    assert entry is None or entry.headwords == ("ZAX",)
    assert entry is None or not set("\n|{}\\?") & set(entry.gloss)


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("ZAX", "(noun) A slater's tool (GCIDE)"),
        ("ZAXES", "plural of zax: (noun) A slater's tool (GCIDE)"),
        ("VUGH", "see vug: (noun) A hollow in a rock (GCIDE)"),
        ("AIRBED", None),
        ("XYZZY", None),
        ("", None),
    ],
)
def test_answers_name_their_source(tmp_path: Path, word: str, meaning: str | None) -> None:
    assert Gcide(write_database(tmp_path)).meaning(word) == meaning


def test_some_entries_of_many(tmp_path: Path) -> None:
    entries = [(["Bow"], f"Bow \\Bow\\, n.\n   Sense {name}.\n") for name in "ABBCDE"]
    meaning = Gcide(write_database(tmp_path, entries)).meaning("BOW")
    assert meaning == "(noun) Sense A; (noun) Sense B; (noun) Sense C (GCIDE)"


def test_only_words_without_a_meaning_are_looked_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed = Gcide(write_database(tmp_path))
    monkeypatch.setattr(judging, "find_gcide", lambda: installed)
    lexicon = Lexicon.from_words(["ZAX", "VUG", "XYZZY"], name="ours")
    meanings = Meanings({"VUG": "n:our own gloss"}, {})
    assert judge_word("zax", lexicon, meanings).meaning == "(noun) A slater's tool (GCIDE)"
    assert judge_word("vug", lexicon, meanings).meaning == "(noun) our own gloss"
    assert judge_word("xyzzy", lexicon, meanings).meaning is None
    assert judge_word("nid nod", lexicon, meanings).meaning is None
    other = judge_word("zax", Lexicon.from_words(["TEA"], name="tea"), meanings)
    assert (other.playable, other.meaning) == (False, "(noun) A slater's tool (GCIDE)")


def test_the_first_folder_that_can_be_read(tmp_path: Path) -> None:
    broken, whole = write_database(tmp_path / "broken"), write_database(tmp_path / "whole")
    (broken / "gcide.dict.dz").write_bytes(b"no dictzip")
    found = there(find_gcide((tmp_path / "missing", broken, whole)))
    assert found.meaning("ZAX") == "(noun) A slater's tool (GCIDE)"


def test_not_installed_means_no_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(judging, "find_gcide", lambda: find_gcide((tmp_path,)))
    verdict = judge_word("zax", Lexicon.from_words(["ZAX"], name="ours"), NOTHING)
    assert (verdict.playable, verdict.meaning) == (True, None)


def test_files_that_go_while_they_are_used(tmp_path: Path) -> None:
    installed = Gcide(write_database(tmp_path))
    (tmp_path / "gcide.dict.dz").unlink()
    assert installed.meaning("ZAX") is None
