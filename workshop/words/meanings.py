"""Cuts WordNet's glosses to the words of the lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from upscore.words.meanings import Meanings, shorten
from upscore.words.wordforms import undo_inflection, undo_respelling
from workshop.words.decisions import Recent, rows
from workshop.words.scowl import letters_of
from workshop.words.screening import is_awkward, is_for_families
from workshop.words.wordnet import GLOSS_LENGTH, Entry, WordNet, short_gloss, whole_phrase

SENSES_OF_SHORT_WORDS = 2
"""Senses for each part of speech of a word of up to `SHORT` letters, the likeliest to be played. [by eye]"""

SHORT = 8

MOST_SENSES = 4

SELDOM = 5
"""How many times as often the commonest sense of a part of speech is met as one that isn't worth telling. [by eye]"""

_CIRCLE = re.compile(r"\w:(?:[^|;()]{0,50}\b)?(?P<last>[a-z]+)(?: (?:manner|way|fashion))?")
"""The only sense of a word, told in few words that end with another word."""

_ALIKE = 4
"""Letters that a word and its base have in common at least. [by eye]"""

_USED_AS = {"S": "n", "ED": "a", "ING": "na"}
"""Endings of forms, and the parts of speech that such forms are used as besides."""

MERE_FORM = 10
"""A form on S, ED or ING is explained only as a form if its base is met this many times as often. [by eye]"""

_FLESH = re.compile(r"(?:the )?(?:\w+ )?(?:flesh|meat) of ")
"""The gloss of an animal as food, which comes after the animal."""

_ADJECTIVAL = ("ABLE", "IBLE", "OUS", "FUL", "LESS", "ISH")
"""Endings of words that people know as adjectives, if WordNet has met them as nothing else oftener. [by eye]"""

_MERGED = frozenset("nvar")
"""Parts of speech that WordNet has. A word that has another one in our table gets our meanings only (THE, THEY)."""

_OF_A_NOUN = re.compile(r"(?:of or )?(?:relating|pertaining) to ")
"""The gloss of an adjective that says no more than its noun."""

_CAPITAL_FIELDS = frozenset((5, 6, 13, 20, 27))
"""Animals, things made, food, plants and substances: what is named after someone is still a thing (STETSON)."""


def own_senses(table: Path, recent: Iterable[Recent]) -> dict[str, str]:
    """Return the senses that were written for this product, of the table and of the recent words."""
    return {row[0].upper(): row[1] for row in rows(table)} | {each.word: each.senses for each in recent if each.senses}


def senses_of(
    wordnet: WordNet, words: frozenset[str], own: Mapping[str, str], everyday: Collection[str] = ()
) -> dict[str, str]:
    """Return the senses of `words`, as `upscore.words.meanings.Meanings` takes them.

    Our own stand in place of WordNet's of the same part of speech. WordNet's first sense of each other part stays, so
    that a form is explained by the part it is of: CRABBING is of the verb, of which our own table says nothing.
    The commonest sense comes first, whatever its part of speech. Coarse senses are left out. An entry that WordNet
    writes in two words or with a hyphen is used for a word that it lacks otherwise. WordNet spells names with a
    capital. Such a sense is used only for a kind of thing, never for a people, a language, a place or a person, and
    only if a word has no other. A base that is not in `everyday` use is explained, too.
    """
    met: dict[tuple[str, str], int] = {}
    common: dict[str, list[Entry]] = {}
    capital: dict[str, list[Entry]] = {}
    apart: dict[str, list[Entry]] = {}
    for entry in wordnet.entries():
        word = letters_of(entry.lemma)
        met[word, entry.gloss] = entry.count
        if word not in words or not is_for_families(entry.gloss):
            continue
        if entry.lemma.isalpha() and entry.lemma.islower():
            common.setdefault(word, []).append(entry)
        elif entry.lemma.islower() and len(word) > 3 and (entry.part != "v" or "_" not in entry.lemma):
            apart.setdefault(word, []).append(entry)
        elif entry.lemma[1:].islower() and len(word) > 3 and not entry.named and entry.field in _CAPITAL_FIELDS:
            capital.setdefault(word, []).append(entry)
    known = capital | apart | common
    found = {word: _join_senses(word, entries, met) for word, entries in known.items()}
    often = Counter[tuple[str, str]]()
    for entry in wordnet.entries():
        often[letters_of(entry.lemma), entry.part] += entry.count
    found = {word: senses for word, senses in found.items() if senses and not _is_mere_form(word, senses, often)}
    merged = {
        word: _merge(word, senses, found.get(word, "") if word in common else "", often)
        for word, senses in own.items()
        if word in words
    }
    told = found | merged
    learned = {word: senses for word, senses in told.items() if word not in everyday and "|" not in senses}
    return {word: senses if word in own else explain_word(word, senses, learned) for word, senses in told.items()}


def _merge(word: str, own: str, found: str, often: Mapping[tuple[str, str], int]) -> str:
    """Return our own senses of a word, and after them WordNet's first one of each part of speech that ours lack.

    An adjective or an adverb that people seldom meet (POP, DEEP as an adverb) isn't worth telling, but forms hang on a
    noun and a verb.
    """
    parts = {sense[0] for sense in own.split("|")}
    commonest = max(often.get((word, part), 0) for part in _MERGED)
    if not parts <= _MERGED:
        return own
    told = [own]
    for sense in filter(None, found.split("|")):
        part, gloss = sense[0], sense[2:]
        count = often.get((word, part), 0)
        worth_telling = part in "nv" or (count and SELDOM * count >= commonest)
        if part not in parts and not is_awkward(gloss) and worth_telling:
            told.append(sense)
            parts.add(part)
    return "|".join(told)


def explain_word(word: str, senses: str, learned: Mapping[str, str]) -> str:
    """Return the senses of a word. If they only name a `learned` base, add what the base means.

    Those who don't know the uvula are not helped by "of the uvula".
    """
    circle = _CIRCLE.fullmatch(senses)
    if circle is None:
        return senses
    last = circle["last"].upper()
    for base, part in ((last, ""), *((origin.base, origin.part) for origin in undo_inflection(last))):
        sense = learned.get(base, "")
        if not sense.startswith(part):  # RIVER is no comparative of the verb RIVE
            continue
        gloss = shorten(sense[2:].partition(";")[0], GLOSS_LENGTH - len(senses) - 1)
        if gloss and base != word and base[:_ALIKE] == word[:_ALIKE] and word.lower() not in gloss and "(" not in gloss:
            return f"{senses} ({gloss})"
    return senses


def _is_mere_form(word: str, senses: str, often: Mapping[tuple[str, str], int]) -> bool:
    """Return whether people take a word for a form of another: CLOCKS are more than one clock, and hardly a weed.

    It is no mere form if it is another part of speech than such forms are used as: SEED, NEWS.
    """
    used_as = next((parts for ending, parts in _USED_AS.items() if word.endswith(ending)), "")
    parts = {sense[0] for sense in senses.split("|")}
    count = sum(often.get((word, part), 0) for part in parts)
    return parts <= {*used_as} and any(
        often.get((origin.base, origin.part), 0) > MERE_FORM * count for origin in undo_inflection(word)
    )


def _join_senses(word: str, entries: Iterable[Entry], met: Mapping[tuple[str, str], int]) -> str:
    """Return the senses to tell, the oftenest met first: under the word or, for COLOUR, under the other spelling."""
    spellings = {word, *(origin.base for origin in undo_respelling(word))}
    limit = SENSES_OF_SHORT_WORDS if len(word) <= SHORT else 1
    kept: dict[str, list[str]] = {}
    told: list[str] = []
    commonest: dict[str, int] = {}

    def order(entry: Entry) -> tuple[bool, int, bool]:
        return is_awkward(entry.gloss), -_count_met(entry, spellings, met), not entry.leads

    ranked = sorted(entries, key=order)
    adjective = next((entry for entry in ranked if entry.part == "a"), None)
    if adjective and word.endswith(_ADJECTIVAL) and not _OF_A_NOUN.match(adjective.gloss):
        ranked.sort(key=lambda entry: (*order(entry)[:2], entry.part != "a"))
    for entry in _flesh_last(ranked):
        glosses, count = kept.setdefault(entry.part, []), _count_met(entry, spellings, met)
        gloss = whole_phrase(short_gloss(entry.gloss), entry.part, entry.wants)
        seldom = SELDOM * count < commonest.setdefault(entry.part, count)
        enough = len(glosses) == limit or (told and is_awkward(entry.gloss))
        if gloss and not seldom and not enough and not any(each.startswith(gloss) for each in glosses):
            glosses.append(gloss)
            told.append(f"{entry.part}:{gloss}")
    return "|".join(told[:MOST_SENSES])


def _flesh_last(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries with an animal's flesh at the end; the next sense of its part of speech takes its place.

    Flesh stays where its part of speech has nothing else.
    """

    def is_flesh(entry: Entry) -> bool:
        return _FLESH.match(entry.gloss) is not None

    parts = {entry.part for entry in entries}
    ranked = {part: iter(sorted((e for e in entries if e.part == part), key=is_flesh)) for part in parts}
    others = {entry.part for entry in entries if not is_flesh(entry)}
    placed = [next(ranked[entry.part]) for entry in entries]
    return sorted(placed, key=lambda entry: is_flesh(entry) and entry.part in others)


def _count_met(entry: Entry, spellings: Iterable[str], met: Mapping[tuple[str, str], int]) -> int:
    return sum(met.get((spelling, entry.gloss), 0) for spelling in spellings)


def irregular_of(
    wordnet: WordNet, words: frozenset[str], senses: Mapping[str, str], own: Mapping[str, str]
) -> dict[str, str]:
    """Return the irregular forms among `words` whose base has a sense and that no rule leads to it.

    Our own table explains SAW as a tool and leaves out that it is a form of see. So a form is added to its senses,
    unless they name the base, or explain the plural of a noun: GRAFFITI are words on walls.
    """
    known = Meanings(senses, {})
    forms: dict[str, list[str]] = {}
    for form, part, base in wordnet.irregular():
        word, stem = letters_of(form), letters_of(base)
        if word not in words or word == stem or not form.isalpha():
            continue
        if not any(sense.part == part for sense in known.senses(stem)):
            continue
        regular = any(origin.base == stem and origin.part == part for origin in undo_inflection(word))
        told = own.get(word, "")
        if told and (regular or f"of {base}" in told or (part == "n" and _has_part(told, part))):
            continue
        if not regular or word in senses:
            forms.setdefault(word, []).append(f"{part}:{stem}")
    return {word: " ".join(dict.fromkeys(origins)) for word, origins in forms.items()}


def _has_part(senses: str, part: str) -> bool:
    return any(sense.startswith(f"{part}:") for sense in senses.split("|"))


def find_parts(wordnet: WordNet, own: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return the parts of speech of each word, in WordNet or in our `own` senses, told or too coarse to tell.

    WordNet's entries in two words or with a hyphen count, too, verbs aside (PEPTALK, but not BETON of bet on), and what
    is named after somebody (TEFLON).
    """
    parts: dict[str, set[str]] = {word: {sense[0] for sense in senses.split("|")} for word, senses in own.items()}
    for entry in wordnet.entries():
        is_word = entry.lemma.islower() and (entry.part != "v" or "_" not in entry.lemma)
        if is_word or (not entry.named and entry.field in _CAPITAL_FIELDS):
            parts.setdefault(letters_of(entry.lemma), set()).add(entry.part)
    return {word: frozenset(found) for word, found in parts.items()}


def not_plurals(words: frozenset[str], parts: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Return the words that are a shorter word and S but no plural: the shorter word is a verb, and no noun.

    An S after an adjective or an exclamation makes a plural: VIRALS are viral posts.
    """
    found = (word for word in words if word.endswith("S") and word[:-1] in words)
    return frozenset(word for word in found if "v" in parts.get(word[:-1], ()) and "n" not in parts[word[:-1]])
