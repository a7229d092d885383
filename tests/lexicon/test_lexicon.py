"""Lexicons and their word graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import FACES, Lexicon, LexiconError, WordList
from engine.faces import parse_faces
from engine.lexicon.dawg import Dawg, build_dawg
from engine.lexicon.lexicon import GradedList, InflectingList

letters = st.text("AEIQSTU", min_size=1, max_size=6)
word_sets = st.frozensets(letters, min_size=1, max_size=40)


def has_tiles(word: str) -> bool:
    return "Q" not in word.replace("QU", "")


def test_a_lexicon_is_what_the_referee_asks_for() -> None:
    lexicon = Lexicon.from_words(["QUIET", "BEGS", "CATS", "CATS"], name="few", not_plurals=["BEGS"])
    assert isinstance(lexicon, InflectingList)
    words: WordList = lexicon
    assert words.name == "few"
    assert "QUIET" in words
    assert "QUIT" not in words
    assert 3 not in words
    assert len(lexicon) == 3
    assert list(lexicon) == ["BEGS", "CATS", "QUIET"]
    assert [lexicon.is_plural(word) for word in lexicon] == [False, True, False]


def test_a_lexicon_knows_what_another_word_and_an_s_make() -> None:
    lexicon = Lexicon.from_words(["A"], not_plurals=["BEGS"], not_inflections=["HIS"])
    words = ("CATS", "BEGS", "HIS", "PRINCESS", "CAT")
    assert [lexicon.is_inflection(word) for word in words] == [True, True, False, False, False]
    assert [lexicon.is_plural(word) for word in words] == [True, False, False, False, False]


def test_a_lexicon_knows_which_of_its_words_are_hardly_in_use() -> None:
    lexicon = Lexicon.from_words(["TEA", "ZAX"], rare=["ZAX", "VUG"])
    assert isinstance(lexicon, GradedList)
    assert [lexicon.is_rare(word) for word in ("TEA", "ZAX", "VUG")] == [False, True, False]


@pytest.mark.parametrize("word", ["quiet", "ISN'T", "", "A B", "CAFÉ", "A1"])
def test_words_are_capitals_without_signs(word: str) -> None:
    with pytest.raises(LexiconError, match="correct the word list"):
        Lexicon.from_words(["FINE", word])


def test_a_lexicon_holds_a_word_at_least() -> None:
    with pytest.raises(LexiconError, match="'mine' is empty"):
        Lexicon.from_words([], name="mine")


@given(word_sets)
def test_the_graph_holds_the_words_that_tiles_can_show(words: frozenset[str]) -> None:
    assert list(words_of(build_dawg(words))) == sorted(filter(has_tiles, words), key=tile_order)


def words_of(dawg: Dawg, node: int | None = None, prefix: str = "") -> Iterator[str]:
    """Every word that goes on from a node, in order."""
    node = dawg.root if node is None else node
    if dawg.table[node + dawg.flags] & dawg.final:
        yield prefix
    for number, face in enumerate(FACES):
        child = dawg.table[node + number]
        if child:
            yield from words_of(dawg, child, prefix + face.upper())


def walk(dawg: Dawg, faces: Iterable[str]) -> int:
    """Return the node reached from the first by faces, 0 if no word goes on like that."""
    node = dawg.root
    for face in faces:
        node = dawg.table[node + FACES.index(face)] if node else 0
    return node


def tile_order(word: str) -> list[int]:
    return [FACES.index(face) for face in parse_faces(word)]


@given(word_sets)
def test_the_graph_is_minimal(words: frozenset[str]) -> None:
    """By Myhill and Nerode, there are as many nodes as different sets of endings."""
    spelled = [word.replace("QU", "q") for word in words if has_tiles(word)]
    beginnings = {word[:end] for word in spelled for end in range(len(word) + 1)} | {""}
    endings = {frozenset(word[len(start) :] for word in spelled if word.startswith(start)) for start in beginnings}
    assert build_dawg(words).node_count == len(endings)


@given(word_sets, letters)
def test_walking_finds_words_and_nothing_else(words: frozenset[str], word: str) -> None:
    dawg = build_dawg(words)
    if has_tiles(word):
        node = walk(dawg, parse_faces(word))
        assert bool(node and dawg.table[node + dawg.flags] & dawg.final) == (word in words)


def test_a_node_holds_its_children_and_flags() -> None:
    dawg = Lexicon.from_words(["QUA", "A"]).dawg
    qu = dawg.table[dawg.root + FACES.index("Qu")]
    assert dawg.table[dawg.root + dawg.flags] == 1 << FACES.index("Qu") | 1
    assert dawg.table[qu] == dawg.table[dawg.root] == walk(dawg, ["Qu", "A"])
    assert dawg.table[dawg.table[qu] + dawg.flags] == dawg.final
    assert len(dawg.table) == dawg.root * (1 + dawg.node_count)
    assert walk(dawg, "BB") == 0
