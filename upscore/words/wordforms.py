"""How words are made from other words: inflected forms, derivatives, and spellings of another country."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from upscore.words.packaged import data_lines

RESPELLED = "another spelling of"

_VOWELS = frozenset("AEIOU")
_SIBILANTS = ("S", "X", "Z", "CH", "SH")


@dataclass(frozen=True, slots=True)
class Origin:
    """How a form comes from another word: ``Origin("past of", "LEAP", "v")``.

    `base` is in capitals; `part` is the part of speech that `base` must have.
    """

    relation: str
    base: str
    part: str


def undo_inflection(word: str) -> Iterator[Origin]:
    """Yield the words that `word` would be a regular form of, whether or not they exist, the likelier first.

    >>> [origin.base for origin in undo_inflection("HOPPED")]
    ['HOPP', 'HOPPE', 'HOP']
    """
    if word.endswith("S") and not word.endswith("SS") and len(word) > 2:
        for base in _without_s(word):
            yield Origin("plural of", base, "n")
            yield Origin("third person of", base, "v")
    if word.endswith("MEN"):
        yield Origin("plural of", f"{word[:-2]}AN", "n")
    for ending, relation, part in (
        ("ED", "past of", "v"),
        ("ING", "present participle of", "v"),
        ("ER", "comparative of", "a"),
        ("EST", "superlative of", "a"),
        ("ER", "comparative of", "r"),
        ("EST", "superlative of", "r"),
    ):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            for base in _stems(word[: -len(ending)]):
                yield Origin(relation, base, part)


def undo_derivation(word: str) -> Iterator[Origin]:
    """Yield the words that `word` would be derived from by a common prefix or suffix, the likelier first.

    >>> Origin("not", "GLAZED", "a") in undo_derivation("UNGLAZED")
    True
    """
    for ending in _ENDINGS:
        if word.endswith(ending.text) and len(word) >= len(ending.text) + ending.shortest:
            for base in _stems(word[: -len(ending.text)]):
                yield from (Origin(ending.relation, base, part) for part in ending.parts)
    if word.endswith(("ABLY", "IBLY", "GLY", "PLY", "TLY")):
        yield Origin("adverb of", f"{word[:-1]}E", "a")
    if word.endswith("ICALLY"):
        yield Origin("adverb of", word[:-4], "a")
    for ending in _EXCHANGED:
        if word.endswith(ending.text) and len(word) >= len(ending.text) + ending.shortest:
            base = word[: -len(ending.text)] + ending.instead
            yield from (Origin(ending.relation, base, part) for part in ending.parts)
    yield from _undo_prefix(word)


def _undo_prefix(word: str) -> Iterator[Origin]:
    for prefix in _PREFIXES:
        base = word[len(prefix.text) :]
        if word.startswith(prefix.text) and len(base) >= prefix.shortest:
            for part in prefix.parts:
                yield Origin(prefix.relation, base, part)
            for origin in undo_inflection(base):
                if origin.part in prefix.parts:
                    yield Origin(f"{prefix.relation} {base.lower()}, {origin.relation}", origin.base, origin.part)


def undo_respelling(word: str) -> Iterator[Origin]:
    """Yield the spellings that `word` would be the British or older spelling of, whether or not they exist.

    >>> {origin.base for origin in undo_respelling("HAEMATOID")}
    {'HEMATOID'}
    """
    for theirs, ours in _SPELLINGS:
        at = word.find(theirs.rstrip("$"), 1)
        if at > 0 and len(word) >= _SHORTEST_RESPELLED and (theirs[-1] != "$" or word.endswith(theirs[:-1])):
            base = word[: -len(theirs) + 1] + ours if theirs[-1] == "$" else word.replace(theirs, ours)
            for part in "nvar":
                yield Origin(RESPELLED, base, part)


def is_misspelled(word: str, origin: Origin) -> bool:
    """Return whether a regular form of the origin's base would be spelled otherwise: SIPPED, of SIP, and KAYS, of KAY.

    >>> is_misspelled("SIPED", Origin("past of", "SIP", "v")), is_misspelled("SIPED", Origin("past of", "SIPE", "v"))
    (True, False)
    """
    base = origin.base
    if word.removeprefix(base) in ("ED", "ING", "ER", "EST"):
        return _would_double(base)
    return base.endswith("Y") and base[-2:-1] in _VOWELS and word.startswith(f"{base[:-1]}IE")


def find_base_part(origin: Origin) -> str:
    """Return the part of speech of the word that `origin` leads from."""
    return _MADE.get(origin.relation, origin.part)


@dataclass(frozen=True, slots=True)
class _Affix:
    """An affix, the parts of speech and letters that it is added to, its meaning, and the letters it replaces."""

    text: str
    parts: str
    relation: str
    shortest: int
    instead: str = ""


_SPELLINGS = (
    ("OUR", "OR"),
    ("IS", "IZ"),
    ("YS", "YZ"),
    ("AE", "E"),
    ("OE", "E"),
    ("LL", "L"),
    ("L", "LL"),
    ("RE$", "ER"),
    ("RES$", "ERS"),
    ("OGUE", "OG"),
    ("ENCE", "ENSE"),
    ("GRAMME", "GRAM"),
    ("EY$", "Y"),
    ("IE$", "Y"),
    ("EABLE", "ABLE"),
)
"""British and older letters, and those that they stand for; a dollar sign marks the end of a word."""

_SHORTEST_RESPELLED = 5


_ROWS = [line.split("\t") for line in data_lines("derivations.tsv")]
_MADE = {relation: made for *_, made, relation in _ROWS if made}


def _affixes(wanted: str) -> tuple[_Affix, ...]:
    return tuple(
        _Affix(text, parts, relation, int(shortest), instead)
        for kind, text, instead, shortest, parts, _, relation in _ROWS
        if kind == wanted
    )


_ENDINGS, _EXCHANGED, _PREFIXES = map(_affixes, ("ending", "exchanged", "prefix"))


def _without_s(word: str) -> Iterator[str]:
    yield word[:-1]
    if word.endswith("IES"):
        yield f"{word[:-3]}Y"
    elif word.endswith("ES") and (word[:-2].endswith(_SIBILANTS) or word[-3] == "O"):
        yield word[:-2]
        if word.endswith(("ZZES", "SSES")):
            yield word[:-3]


def _stems(stem: str) -> Iterator[str]:
    """Yield possible words before an ending: as written, with E or Y restored, or without a doubled consonant.

    A single consonant after a single vowel would have been doubled: HOPED comes from HOPE.
    """
    yield from (f"{stem}E", stem) if _would_double(stem) else (stem, f"{stem}E")
    if stem.endswith("I"):
        yield f"{stem[:-1]}Y"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
        yield stem[:-1]


def _would_double(stem: str) -> bool:
    vowels = [letter in _VOWELS for letter in stem]
    return vowels[-2:] == [True, False] and sum(vowels) == 1 and stem[-1] not in "WXY"
