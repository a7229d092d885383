"""Cuts WordNet's glosses to the words of the lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from pathlib import Path

from upscore.words.meanings import Meanings
from upscore.words.wordforms import inflected_from, respelled_from
from workshop.words.decisions import Recent, rows
from workshop.words.scowl import letters_of
from workshop.words.screening import is_for_families
from workshop.words.wordnet import Entry, WordNet, short_gloss

SENSES_OF_SHORT_WORDS = 2
"""Senses for each part of speech of a word of up to `SHORT` letters, the likeliest to be played. [by eye]"""

SHORT = 8

MOST_SENSES = 4

_CAPITAL_FIELDS = frozenset((5, 6, 13, 20, 27))
"""Animals, things made, food, plants and substances: what is named after someone is still a thing (STETSON)."""


def own_senses(table: Path, recent: Iterable[Recent]) -> dict[str, str]:
    """Return the senses that were written for this product, of the table and of the recent words."""
    return {row[0].upper(): row[1] for row in rows(table)} | {each.word: each.senses for each in recent if each.senses}


def senses_of(wordnet: WordNet, words: frozenset[str], own: Mapping[str, str]) -> dict[str, str]:
    """Return the senses of `words`, as `upscore.words.meanings.Meanings` takes them, our own before WordNet's.

    The commonest sense comes first, whatever its part of speech. Those that are not for a family's ears are left
    out. WordNet spells names with a capital: such a sense serves only for a kind of thing, never for a people, a
    language, a place or a person, and only where a word has no other.
    """
    met: dict[tuple[str, str], int] = {}
    common: dict[str, list[Entry]] = {}
    capital: dict[str, list[Entry]] = {}
    for entry in wordnet.entries():
        word = entry.lemma.upper()
        met[word, entry.gloss] = entry.count
        if word not in words or not is_for_families(entry.gloss):
            continue
        if entry.lemma.islower():
            common.setdefault(word, []).append(entry)
        elif entry.lemma[1:].islower() and len(word) > 3 and not entry.named and entry.field in _CAPITAL_FIELDS:
            capital.setdefault(word, []).append(entry)
    found = {word: _joined(word, common.get(word) or capital[word], met) for word in common | capital}
    often = {word for (word, _), count in met.items() if count}
    found = {word: senses for word, senses in found.items() if senses and not _is_mere_form(word, often)}
    return found | {word: senses for word, senses in own.items() if word in words}


def _is_mere_form(word: str, often: Set[str]) -> bool:
    """Return whether people take a word for a form of another: CLOCKS are more than one clock, and hardly a weed."""
    return word not in often and any(
        origin.base in often and word.endswith(("S", "ED", "ING")) for origin in inflected_from(word)
    )


def _joined(word: str, entries: Iterable[Entry], met: Mapping[tuple[str, str], int]) -> str:
    """Return the senses to tell, the oftenest met first: under the word or, for COLOUR, under the other spelling."""
    spellings = {word, *(origin.base for origin in respelled_from(word))}
    limit = SENSES_OF_SHORT_WORDS if len(word) <= SHORT else 1
    kept: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for entry in sorted(entries, key=lambda each: -_times_met(each, spellings, met)):
        glosses = kept.setdefault(entry.part, [])
        gloss = short_gloss(entry.gloss)
        if gloss and len(glosses) < limit and gloss not in glosses:
            glosses.append(gloss)
            counts[f"{entry.part}:{gloss}"] = _times_met(entry, spellings, met)
    ordered = sorted(counts, key=lambda sense: -counts[sense])
    return "|".join(ordered[:MOST_SENSES])


def _times_met(entry: Entry, spellings: Iterable[str], met: Mapping[tuple[str, str], int]) -> int:
    return sum(met.get((spelling, entry.gloss), 0) for spelling in spellings)


def irregular_of(
    wordnet: WordNet, words: frozenset[str], senses: Mapping[str, str], own: Mapping[str, str]
) -> dict[str, str]:
    """Return the irregular forms among `words` whose base has a sense and that no rule leads to it.

    The words of our own table are left alone: it says all there is to say.
    """
    known = Meanings(senses, {})
    forms: dict[str, list[str]] = {}
    for form, part, base in wordnet.irregular():
        word, stem = letters_of(form), letters_of(base)
        if word not in words or word in own or word == stem or not form.isalpha():
            continue
        if not any(sense.part == part for sense in known.senses(stem)):
            continue
        regular = any(origin.base == stem and origin.part == part for origin in inflected_from(word))
        if not regular or word in senses:
            forms.setdefault(word, []).append(f"{part}:{stem}")
    return {word: " ".join(dict.fromkeys(origins)) for word, origins in forms.items()}


def not_plurals(words: frozenset[str], senses: Mapping[str, str]) -> frozenset[str]:
    """Return the words that are a shorter word and S but no plural: the shorter word is known, and as no noun."""
    known = Meanings(senses, {})
    found = set()
    for word in words:
        stem = word[:-1]
        if word.endswith("S") and stem in words:
            parts = {sense.part for sense in known.senses(stem)}
            if parts and "n" not in parts:
                found.add(word)
    return frozenset(found)
