"""The family switch: words that wound or are coarse, kept out of play, hints and meanings where a table wants it so.

Whether a word wounds does not decide whether it is a word: the lists have what dictionaries have, since they settle
challenges. With the switch on, the marked words (``data/family.tsv``) and their forms are not playable and not
explained. Best plays never show them, whatever the switch says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine import Lexicon
from upscore.words.packaged import data_lines, not_inflections, not_plurals
from upscore.words.wordforms import inflected_from

REASON = "it is one of the words that this table leaves out"


@cache
def _marks() -> Mapping[str, frozenset[str]]:
    """Return the words of each kind of ``family.tsv``, in capitals, without their forms."""
    rows = (line.split("\t") for line in data_lines("family.tsv"))
    return {kind: frozenset(words.upper().split()) for kind, words in rows}


def is_marked(word: str) -> bool:
    """Return whether a word, in capitals, or a word that it is a form of, is left out of a family's play."""
    marked = _marks()["slur"] | _marks()["coarse"]
    if word in _marks()["harmless"]:
        return False
    return word in marked or any(form.base in marked for form in inflected_from(word))


@cache
def family_lexicon(lexicon: Lexicon) -> Lexicon:
    """Return the list without the marked words, of the same name: give it to referee, solver and hints alike."""
    kept = [word for word in lexicon if not is_marked(word)]
    return Lexicon.from_words(
        kept,
        name=lexicon.name,
        not_plurals=not_plurals(),
        not_inflections=not_inflections(),
        rare=(word for word in kept if lexicon.is_rare(word)),
    )
