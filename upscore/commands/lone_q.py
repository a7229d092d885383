"""Games with a Q instead of Qu: inside, the tile is spelt QU as in other games, and people see a lone Q."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine import Edition, Lexicon, Verdict

_NAMED = re.compile("(“.*”)")


def has_lone_q(edition: Edition) -> bool:
    """Return whether an edition is of another game, whose tiles have a lone Q."""
    return not edition.tile_total


def spelt_for_lone_q(words: Lexicon) -> Lexicon:
    """Return the word list as such tiles spell it: QUIT as QUUIT, QI as QUI."""
    spelt = {word: word.replace("Q", "QU") for word in words}
    on_s = {word: form for word, form in spelt.items() if word.endswith("S") and not word.endswith("SS")}
    return Lexicon.from_words(
        spelt.values(),
        name=words.name,
        not_plurals=(form for word, form in on_s.items() if not words.is_plural(word)),
        not_inflections=(form for word, form in on_s.items() if not words.is_inflection(word)),
        rare=(form for word, form in spelt.items() if words.is_rare(word)),
    )


def with_lone_q(value: Any, name: str = "") -> Any:
    """Return a line of JSON, or what it has under a name, with a lone Q in its tiles, words and rules."""
    if isinstance(value, dict):
        return {key: with_lone_q(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [with_lone_q(each, name) for each in value]
    if not isinstance(value, str) or name not in ("letter", "word", "text"):
        return value
    return spell_face(value) if name == "letter" else _words(value)


def verdict_with_lone_q(verdict: Verdict) -> Verdict:
    """Return a verdict whose words and sentences have a lone Q."""
    return replace(
        verdict,
        words=tuple(replace(each, word=_words(each.word)) for each in verdict.words),
        violations=tuple(replace(each, text=_words(each.text)) for each in verdict.violations),
    )


def spell_face(text: str) -> str:
    """Return a face, or a part of a sentence that names some, with a lone Q instead of Qu."""
    return _outside_names(lambda part: re.sub(r"\bQu\b", "Q", part), text)


def _words(text: str) -> str:
    return _outside_names(lambda part: part.replace("QU", "Q"), spell_face(text))


def _outside_names(change: Callable[[str], str], text: str) -> str:
    """Change a sentence, but not the name of a word list that it quotes: the owner chose the name QUICK.txt."""
    return "".join(part if part.startswith("“") else change(part) for part in _NAMED.split(text))
