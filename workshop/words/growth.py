"""Which rarer words join a list: those of WordNet, and the forms and derivatives of words that are in it.

SCOWL's size 80 holds what people like to use in word games, from dictionaries of every kind; as a whole it is too
much for a family's list. A word of it is taken when something besides vouches for it: WordNet has it in small
letters, or it is made by a common rule from a word that the list has already.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from upscore.words.wordforms import undo_derivation, undo_inflection

SHORTEST = 4
"""Letters of the shortest word taken so: all shorter ones are looked at one by one. [by eye]"""

RELATIONS = frozenset(
    (
        "again:",
        "wrongly:",
        "to surpass at:",
        "before:",
        "under:",
        "against:",
        "too much:",
        "half:",
        "not",
        "one that does, from",
        "that one can, from",
        "like",
        "without",
        "adjective or past of",
        "adverb of",
        "adverb from",
        "of, from",
        "state of being",
    )
)
"""The relations of `upscore.words.wordforms.undo_derivation` that make words for a list.

Chosen by kind on one half of the rarer words: those that a tournament list allows two words in three of, and more.
Left out are, with the share allowed: to undo (UNCOCK, DEAIR: 0.64), full of or like (CREASY: 0.55), somewhat like
(PAPISH: 0.58), one who believes in (0.35), practice of (0.34), act of (0.33), the reverse of (UNCLOUD: 0.31).
"""

_VERB_PREFIXES = ("OUT", "OVER", "RE", "MIS", "UN", "FORE", "UNDER", "PRE", "BE", "UP", "WITH", "INTER")

_ROUNDS = 4
"""A derivative of a form of a derivative is as far as rules lead. [by eye]"""


@dataclass(frozen=True)
class Known:
    """What WordNet knows: the parts of speech of its words, and the bases of irregular forms of verbs."""

    parts: Mapping[str, frozenset[str]]
    irregular: Mapping[str, frozenset[str]]


def grown(words: Iterable[str], rarer: Iterable[str], known: Known) -> set[str]:
    """Return `words` and what of the `rarer` joins them."""
    kept = set(words)
    waiting = {word for word in rarer if len(word) >= SHORTEST} - kept
    for _ in range(_ROUNDS):
        joining = {word for word in waiting if word in known.parts or _is_made(word, kept, known)}
        if not joining:
            break
        kept |= joining
        waiting -= joining
    return kept


def _is_made(word: str, kept: set[str], known: Known) -> bool:
    """Return whether it is a form of a word kept, of whatever part where WordNet lacks that, or a derivative."""
    if any(form.base in kept and form.part in known.parts.get(form.base, form.part) for form in undo_inflection(word)):
        return True
    if any(
        origin.relation in RELATIONS and origin.base in kept and origin.part in known.parts.get(origin.base, ())
        for origin in undo_derivation(word)
    ):
        return True
    return any(  # OUTSANG, as SANG is of SING
        prefix + base in kept
        for prefix in ("", *_VERB_PREFIXES)
        if word.startswith(prefix)
        for base in known.irregular.get(word[len(prefix) :], ())
    )
