"""Settles challenges: is a word playable, what does it mean, and if it is not playable, why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.lexicon.lexicon import Lexicon
from upscore.words.folding import fold
from upscore.words.gcide import installed_gcide
from upscore.words.loader import lexicon_names, load_lexicon
from upscore.words.meanings import Meanings
from upscore.words.packaged import excluded

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "A": "an abbreviation: {}",
        "C": "only with a capital letter: {}",
        "D": "left out of the word lists: {}",
        "H": "needs a hyphen: {}",
        "P": "needs an apostrophe: {}",
        "W": "two words: {}",
        "X": "can't stand alone: {}",
    }
)
"""Why a form is in no list (Rule 7), by the letter that stands for it in the data."""


@dataclass(frozen=True)
class WordVerdict:
    """What is to be said of a word: `meaning` where it is known, `reason` why it is not playable."""

    word: str
    playable: bool
    meaning: str | None
    reason: str | None

    def to_json(self) -> dict[str, str | bool | None]:
        """The verdict as the command line prints it."""
        return {
            "word": self.word,
            "playable": self.playable,
            "meaning": self.meaning,
            "reason": self.reason,
        }


def judge_word(word: str, lexicon: Lexicon, meanings: Meanings) -> WordVerdict:
    """The verdict on a word, given in any case and with or without accents.

    Where `meanings` has nothing on it, GCIDE is asked, if the system has that installed.
    """
    text = fold(word.strip())
    if text in lexicon:
        return WordVerdict(text, True, _meaning(text, meanings), None)
    if not (text.isascii() and text.isalpha()):
        return WordVerdict(text, False, None, _odd_sign(text))
    known = excluded().get(text)
    if known:
        return WordVerdict(text, False, None, KINDS[known[0]].format(known[1:]))
    reason = f"not in the word list {lexicon.name}"
    others = (name for name in lexicon_names() if name != lexicon.name and text in load_lexicon(name))
    other = next(others, None)
    if other is None:
        return WordVerdict(text, False, None, reason)
    return WordVerdict(text, False, _meaning(text, meanings), f"{reason}, though in the list {other}")


def _meaning(word: str, meanings: Meanings) -> str | None:
    known = meanings.meaning(word)
    gcide = installed_gcide() if known is None else None
    return gcide.meaning(word) if gcide else known


def _odd_sign(text: str) -> str:
    if not text:
        return "no word at all"
    if "'" in text or "\N{RIGHT SINGLE QUOTATION MARK}" in text:
        return "needs an apostrophe"
    if "-" in text:
        return "needs a hyphen"
    if " " in text:
        return "more than one word"
    return "has signs that no tile has"
