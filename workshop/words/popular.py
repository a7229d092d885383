"""Reads popular-english-words, the words of Wikipedia by frequency, and says which rarer words people use.

The npm package ``popular-english-words`` (1.0.2, ISC licence) holds 225,555 of them, names and foreign words included.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from upscore.words.wordforms import undo_inflection
from workshop.words.growth import SHORTEST

COMMON = 100_000
"""How many words at the head of the list are in use, whatever they look like. Of those that it adds, the British
list of 2019 allows 95 %. [by hand, SCOWL's size 80]"""

_LONG = 8
"""Letters of a word from which an English ending, or what it is built of, vouches for it. [by eye]"""

_PART = 4
"""Letters of the shortest word that others are built of. [by eye]"""

_ENDINGS = (
    *("AL", "IC", "OUS", "IVE", "ABLE", "IBLE", "LESS", "ISM", "OLOGY", "OGRAPHY", "NESS", "ITY", "TION", "LY", "ING"),
)
_PREFIXES = (
    *("BIO", "CO", "DE", "DIS", "INTER", "INTRA", "MACRO", "MEGA", "MICRO", "MONO", "MULTI", "NANO", "NEURO", "OVER"),
    *("POLY", "POST", "PRE", "PSEUDO", "RE", "SUPER", "TELE", "THERMO", "TRANS", "ULTRA", "UN", "UNDER"),
)


@dataclass(frozen=True)
class Popular:
    """The unpacked folder of the package."""

    folder: Path

    def words(self) -> tuple[str, ...]:
        """Return its words in capitals, the commonest first."""
        text = (self.folder / "words.js").read_text(encoding="utf-8")
        return tuple(word.upper() for word in re.findall(r"'([a-z]+)'", text))


def words_in_use(
    rarer: Iterable[str],
    words: Collection[str],
    popular: Sequence[str],
    written_otherwise: frozenset[str],
    common: int = COMMON,
) -> set[str]:
    """Return the rarer words that people use as English ones: common, or with a regular form, an ending or parts of it.

    A frequency list has names and foreign words too, mostly among its rare ones. Few of those are met with a regular
    form besides, or are built of `words`. What is `written_otherwise` is a name, or two words run together;
    so is a common word that would be a form of one.
    """
    known = {word for word in rarer if len(word) >= SHORTEST} & {*popular}
    free = known - written_otherwise
    inflected = {form.base for word in known for form in undo_inflection(word)}
    often = {
        word
        for word in free & {*popular[:common]}
        if not any(form.base in written_otherwise for form in undo_inflection(word))
    }
    return often | {
        word
        for word in free
        if word in inflected or (len(word) >= _LONG and (word.endswith(_ENDINGS) or _is_built(word, words)))
    }


def _is_built(word: str, words: Collection[str]) -> bool:
    """Return whether a word is two words run together (WOODYARD), or a prefix and a word (UNDERCOUNT)."""
    if any(word[:at] in words and word[at:] in words for at in range(_PART, len(word) - _PART + 1)):
        return True
    return any(word.startswith(prefix) and word[len(prefix) :] in words for prefix in _PREFIXES)
