"""Closes a list under regular forms: no list has STORYLINE and lacks STORYLINES, or ZIPLINED and lacks ZIPLINING."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from upscore.words.wordforms import undo_derivation, undo_inflection, undo_respelling
from workshop.words.growth import SHORTEST

_KINDS: Mapping[str, str] = {
    "plural of": "S",
    "third person of": "S",
    "past of": "ED",
    "present participle of": "ING",
    "comparative of": "ER",
    "superlative of": "EST",
}

_TWINS: Mapping[str, str] = {"ED": "ING", "ING": "ED", "ER": "EST", "EST": "ER"}
"""The ending that a word takes besides another one."""

_EVERYWHERE = ("ABLE", "PHONY", "PRISE")
"""Ends of words that look like a country's spelling and aren't. [by eye]"""

_ROUNDS = 3
"""A base may join, then its forms, then nothing more. [by eye]"""


@dataclass(frozen=True)
class Grammar:
    """The parts of speech of WordNet's words, and of each irregular form its bases, with their part of speech."""

    parts: Mapping[str, frozenset[str]]
    irregular: Mapping[str, frozenset[tuple[str, str]]]

    @cached_property
    def _irregular_bases(self) -> frozenset[tuple[str, str]]:
        return frozenset(base for bases in self.irregular.values() for base in bases)

    def makes(self, base: str, ending: str) -> bool:
        """Return whether a word takes an ending: HENCE and STIMULUS take no S, CLING takes no -ED and WALK no -EST."""
        parts = self.parts.get(base, frozenset())
        if ending == "S":
            if base.endswith("SIS"):
                return False
            if not parts:
                return not self._is_plural(base)
            return not parts.isdisjoint("nva") and (parts != {"n"} or ("n", base) not in self._irregular_bases)
        if ending == "ED":
            return ("v", base) not in self._irregular_bases
        return ending == "ING" or ("a" in parts and ("a", base) not in self._irregular_bases)

    def is_of_another(self, form: str, kept: Collection[str]) -> bool:
        """Return whether a word on S is an irregular plural of a word that is in: ANALYSES is of ANALYSIS.

        HYDROLYSES is of HYDROLYSIS alone where the verb is spelled HYDROLYZE.
        """
        stem = form.removesuffix("SES")
        if form.endswith("YSES") and f"{stem}SIS" in kept and f"{stem}ZE" in kept:
            return True
        return any(base in kept for _, base in self.irregular.get(form, ()))

    def _is_plural(self, word: str) -> bool:
        origins = undo_inflection(word)
        return any(each.relation == "plural of" and "n" in self.parts.get(each.base, ()) for each in origins)


def pool_of(rarer: Iterable[str], every: Iterable[str], parts: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the words that may join a list as a regular sister: the `rarer` ones, and of `every` word the plurals.

    A list of nearly everything has BRINGED and ALIVES, too. So it vouches for no verb's form, and for an S only after
    what is a noun or a verb by the `parts` of speech.
    """
    plurals = (
        form
        for form in every
        for base, kind in _origins(form)
        if kind == "S" and parts.get(base, frozenset()) & {"n", "v"}
    )
    return frozenset(rarer) | frozenset(plurals)


def close_words(words: Iterable[str], pool: frozenset[str], grammar: Grammar) -> set[str]:
    """Return `words` and the regular sisters that they lack, as far as the `pool` has them."""
    kept = set(words)
    for _ in range(_ROUNDS):
        missing = {lacking for _, lacking in inconsistent(kept, pool, grammar)}
        if not missing:
            break
        kept |= missing
    return kept


def of_one_country(
    words: Iterable[str], both: frozenset[str], grammar: Grammar, foreign: Collection[str] = ()
) -> set[str]:
    """Return a country's list closed by the list of `both`: a base has its forms, and a plural has its base.

    If the base is spelled as in the other country, or `foreign`, the plural leaves: the American list has no
    HAEMORRHOID, and so no HAEMORRHOIDS. HYDROLYSES stays, as the plural of HYDROLYSIS. What is built of a word of the
    other country leaves, too: the British list has no CENTER, and so no DECENTERS.
    """
    kept = set(words)
    spelled_here = {word for word in kept if not grammar.parts.get(word, frozenset()).isdisjoint("nva")}
    spelled_there = {origin.base for word in spelled_here for origin in undo_respelling(word)}

    def is_foreign(word: str) -> bool:
        here = {f"{first}{word}" for first in "AO" if word.startswith("E")}  # ETIOLOGY is AETIOLOGY here
        here |= {origin.base for origin in undo_respelling(word)}
        return word in foreign or word in spelled_there or not spelled_here.isdisjoint(here)

    theirs = {word for word in both - kept if is_foreign(word)}
    away = {word for word in kept if _is_of_theirs(word, kept, theirs, grammar)}
    away |= {f"{word[:-2]}EST" for word in away if word.endswith("ER")}  # DECENTEST, the twin of DECENTER
    kept = without_forms(kept - away, away, frozenset())
    for form, lacking in list(inconsistent(kept, both, grammar)):
        if is_foreign(lacking) and (lacking, "S") in _origins(form):
            kept.discard(form)
    kept = close_words(kept, both - {*foreign} - away, grammar)
    forms = {word for word in kept - grammar.parts.keys() if _is_form_of_theirs(word, kept, theirs, grammar)}
    return without_forms(kept - forms, forms, frozenset())


def _is_of_theirs(word: str, kept: Collection[str], theirs: Collection[str], grammar: Grammar) -> bool:
    """Return whether a word is a prefix before a word of `theirs`, or its adverb: MICROFIBER, HUMORLESSLY.

    Other endings tell nothing: HUMOROUS is spelled so everywhere. A comparative is no word of its own: DECENTER is
    of CENTER rather than of DECENT, but RESPECTER is of RESPECT. An E after A or O may be part of AE: PARAESTHESIA.
    """
    for base, ending in _origins(word):
        if base in kept and (ending != "ER" or "v" in grammar.parts.get(base, ())):
            return False
    return any(
        origin.base in theirs and (origin.relation == "adverb of" or _is_prefixed(word, origin.base))
        for origin in undo_derivation(word)
        if not origin.base.endswith(_EVERYWHERE)
    )


def _is_prefixed(word: str, base: str) -> bool:
    before = word.removesuffix(base)
    return before != word and not (base.startswith("E") and before.endswith(("A", "O")))


def _is_form_of_theirs(word: str, kept: Collection[str], theirs: Collection[str], grammar: Grammar) -> bool:
    """Return whether a word is only a form of a verb of `theirs`, or the one who does it: CALKING, CALKER.

    Two Ls before the ending tell nothing: OVERFULFILLED is of OVERFULFIL, too.
    """
    if word.endswith(("LLED", "LLING", "LLER")):
        return False
    bases = {base for base, ending in _origins(word) if ending in ("ED", "ING", "ER")}
    return bases.isdisjoint(kept) and any(base in theirs and "v" in grammar.parts.get(base, ()) for base in bases)


def with_plurals_on_ses(words: Collection[str], pool: Collection[str]) -> set[str]:
    """Return `words` with MIMESES for MIMESISES. A noun on -SIS makes -SES, if the `pool` has that.

    The form of a verb stays (SYNTHESISES), and so does MISSISES: MISSES are of MISS.
    """
    kept = set(words)
    for word in words:
        stem = word.removesuffix("SISES")
        verbs, plural = {f"{stem}SISE", f"{stem}SIZE"}, f"{stem}SES"
        if word != stem and verbs.isdisjoint(kept) and plural in pool and f"{stem}S" not in kept:
            kept.discard(word)
            if f"{stem}SIS" in kept:
                kept.add(plural)
    return kept


def without_forms(words: Collection[str], dropped: Collection[str], known: Collection[str]) -> set[str]:
    """Return `words` without the regular forms of what was `dropped`: no STREETLAMPS if there is no STREETLAMP.

    A form of another word as well, one that has forms itself (SITUS), and one that is `known` by itself, stays.
    """
    inflected = {base for word in words for base, _ in _origins(word)}

    def stays(word: str) -> bool:
        bases = {base for base, ending in _origins(word) if ending in ("S", "ED", "ING")}
        return word in known or word in inflected or bases.isdisjoint(dropped) or not bases.isdisjoint(words)

    return {word for word in words if stays(word)}


def inconsistent(kept: set[str] | frozenset[str], pool: frozenset[str], grammar: Grammar) -> Iterator[tuple[str, str]]:
    """Yield each word of a list with a regular sister that the list lacks and the pool has.

    Sisters are a word and its plural, the forms on -ED and -ING of one word, and those on -ER and -EST. A word whose
    sister stands there in another spelling (MANGOES for MANGOS) lacks nothing.
    """
    forms: dict[tuple[str, str], set[str]] = {}
    for form in kept | pool:
        for origin in _origins(form):
            forms.setdefault(origin, set()).add(form)
    for (base, kind), found in forms.items():
        mine = found & kept
        if base in kept:
            twin = _TWINS.get(kind)
            sister = base if twin is None else min(forms.get((base, twin), set()) & kept, default=None)
            if sister and not mine and grammar.makes(base, kind):
                yield from ((sister, form) for form in found if len(form) >= SHORTEST)
        elif kind == "S" and mine and base in pool and len(base) >= SHORTEST:
            known = any(
                grammar.is_of_another(form, kept) or any(origin in kept for origin, _ in _origins(form))
                for form in mine
            )
            yield from () if known else ((min(mine), base),)


@cache
def _origins(form: str) -> frozenset[tuple[str, str]]:
    """Return what a word may be a regular form of, with the ending of that form."""
    origins = undo_inflection(form)
    return frozenset((each.base, _KINDS[each.relation]) for each in origins if each.relation in _KINDS)
