"""Closes a list under regular forms: no list has STORYLINE and lacks STORYLINES, or ZIPLINED and lacks ZIPLINING."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from upscore.words.wordforms import inflected_from
from workshop.words.growth import SHORTEST

_KINDS: Mapping[str, str] = {"plural of": "S", "third person of": "S", "past of": "ED", "present participle of": "ING"}

_ROUNDS = 3
"""A base may join, then its forms, then nothing more. [by eye]"""


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


def closed(words: Iterable[str], pool: frozenset[str]) -> set[str]:
    """Return `words` and the regular sisters that they lack, as far as the `pool` has them."""
    kept = set(words)
    for _ in range(_ROUNDS):
        missing = {lacking for _, lacking in inconsistent(kept, pool)}
        if not missing:
            break
        kept |= missing
    return kept


def inconsistent(kept: set[str] | frozenset[str], pool: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield each word of a list with a regular sister that the list lacks and the pool has.

    Sisters are a word and its plural, and the forms on -ED and -ING of one word. A word whose sister stands there in
    another spelling (MANGOES for MANGOS) lacks nothing.
    """
    forms: dict[tuple[str, str], set[str]] = {}
    for form in kept | pool:
        for origin in _origins(form):
            forms.setdefault(origin, set()).add(form)
    for (base, kind), found in forms.items():
        mine = found & kept
        if base in kept:
            other = {"ED": "ING", "ING": "ED"}.get(kind)
            sister = base if other is None else min(forms.get((base, other), set()) & kept, default=None)
            if sister and not mine:
                yield from ((sister, form) for form in found if len(form) >= SHORTEST)
        elif kind == "S" and mine and base in pool and len(base) >= SHORTEST:
            known = any(origin in kept for form in mine for origin, _ in _origins(form))
            yield from () if known else ((min(mine), base),)


@cache
def _origins(form: str) -> frozenset[tuple[str, str]]:
    """Return what a word may be a regular form of, with the ending of that form."""
    origins = inflected_from(form)
    return frozenset((each.base, _KINDS[each.relation]) for each in origins if each.relation in _KINDS)
