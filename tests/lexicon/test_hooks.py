"""Hooks, stack hooks and anagrams."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from propertykit import examples
from solverkit import standard

from engine import FACES, Lexicon
from engine.faces import parse_faces, spell
from engine.lexicon.hooks import Hooks, hooks_of

WORDS = Lexicon.from_words(
    [
        "CATER",
        "CATERS",
        "CATERED",
        "SCATER",
        "LATER",
        "CAGER",
        "REACT",
        "TRACE",
        "LASER",
        "QUIT",
        "SIT",
        "QUIET",
        "QUITE",
    ]
)


def test_a_word_has_its_hooks_stack_hooks_and_anagrams() -> None:
    assert hooks_of("CATER", WORDS) == Hooks(
        front=("SCATER",),
        back=("CATERS",),
        stacked=("CAGER", "LATER"),
        stacked_two=("LASER",),
        anagrams=("REACT", "TRACE"),
    )
    assert hooks_of("RTACE", WORDS).anagrams == ("CATER", "REACT", "TRACE")
    assert hooks_of("CATER", WORDS, lambda word: word != "REACT").anagrams == ("TRACE",)


def test_qu_is_one_tile() -> None:
    assert hooks_of("QUIT", WORDS).stacked == ("SIT",)
    assert hooks_of("QUITE", WORDS).anagrams == ("QUIET",)
    assert hooks_of("SIT", WORDS).stacked == ("QUIT",)


def test_what_tiles_cannot_spell_has_none() -> None:
    for text in ("", "A", "QI", "CAFÉ", "its", "A B", "CATER" * 3):
        assert hooks_of(text, WORDS) == Hooks()


@examples(10)
@given(st.integers(0, 10**9))
def test_one_tile_on_top_is_what_replacing_a_letter_makes(seed: int) -> None:
    word = Random(seed).choice([each for each in standard() if len(each) == 5])
    tiles = parse_faces(word)
    replaced = {spell((*tiles[:at], face, *tiles[at + 1 :])) for at in range(len(tiles)) for face in FACES}
    assert set(hooks_of(word, standard()).stacked) == {each for each in replaced if each in standard()} - {word}
