"""How words are made from other words: inflected forms, derivatives, and spellings of another country."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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


def inflected_from(word: str) -> Iterator[Origin]:
    """The words that `word` would be a regular form of, whether or not they exist, the likelier first.

    >>> [origin.base for origin in inflected_from("HOPPED")]
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


def derived_from(word: str) -> Iterator[Origin]:
    """The words that `word` would be derived from by a common prefix or suffix, the likelier first.

    >>> next(derived_from("UNGLAZED"))
    Origin(relation='not', base='GLAZED', part='a')
    """
    for ending, relation, part in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + _SHORTEST - 1:
            for base in _stems(word[: -len(ending)]):
                yield Origin(relation, base, part)
    if word.endswith(("ABLY", "IBLY", "GLY", "PLY", "TLY")):
        yield Origin("adverb of", f"{word[:-1]}E", "a")
    if word.endswith("ICALLY"):
        yield Origin("adverb of", word[:-4], "a")
    for prefix, relation, parts in _PREFIXES:
        base = word[len(prefix) :]
        if word.startswith(prefix) and len(base) >= (_SHORTEST if prefix in _CLEAR else _SHORTEST + 1):
            for part in parts:
                yield Origin(relation, base, part)
            for origin in inflected_from(base):
                if origin.part in parts:
                    yield Origin(f"{relation} {base.lower()}, {origin.relation}", origin.base, origin.part)


def respelled_from(word: str) -> Iterator[Origin]:
    """The spellings that `word` would be the British or older spelling of, whether or not they exist.

    >>> [origin.base for origin in respelled_from("HAEMATOID")]
    ['HEMATOID']
    """
    for theirs, ours in _SPELLINGS:
        at = word.find(theirs.rstrip("$"), 1)
        if at > 0 and len(word) >= _SHORTEST_RESPELLED and (theirs[-1] != "$" or word.endswith(theirs[:-1])):
            base = word[: -len(theirs) + 1] + ours if theirs[-1] == "$" else word.replace(theirs, ours)
            for part in "nvar":
                yield Origin("another spelling of", base, part)


def made_part(origin: Origin) -> str:
    """The part of speech of the word that `origin` leads from."""
    return _MADE.get(origin.relation, origin.part)


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
    ("Y", "I"),
    ("PH", "F"),
    ("K", "C"),
)
"""British and older letters, and those that they stand for; a dollar sign marks the end of a word."""

_SHORTEST_RESPELLED = 5

_MADE = {
    "adverb of": "r",
    "adverb from": "r",
    "state of being": "n",
    "one that does, from": "n",
    "that one can, from": "a",
    "act or work of, from": "n",
    "act or result of, from": "n",
    "practice or belief from": "n",
    "one who works at or believes in, from": "n",
    "state or office of, from": "n",
    "without": "a",
    "like": "a",
    "somewhat like": "a",
    "somewhat": "a",
    "full of or like": "a",
    "full of": "a",
    "having": "a",
    "of, from": "a",
    "to make": "v",
    "to make into or treat with": "v",
}

_ENDINGS = (
    ("LY", "adverb of", "a"),
    ("INGLY", "adverb from", "v"),
    ("EDLY", "adverb from", "v"),
    ("NESS", "state of being", "a"),
    ("ER", "one that does, from", "v"),
    ("OR", "one that does, from", "v"),
    ("ABLE", "that one can, from", "v"),
    ("ING", "act or work of, from", "v"),
    ("LESS", "without", "n"),
    ("LIKE", "like", "n"),
    ("SHIP", "state or office of, from", "n"),
    ("ISH", "somewhat like", "n"),
    ("ISH", "somewhat", "a"),
    ("Y", "full of or like", "n"),
    ("ED", "having", "n"),
    ("ITY", "state of being", "a"),
    ("IZE", "to make", "a"),
    ("IZE", "to make into or treat with", "n"),
    ("MENT", "act or result of, from", "v"),
    ("ATION", "act or result of, from", "v"),
    ("ION", "act or result of, from", "v"),
    ("ISM", "practice or belief from", "n"),
    ("ISM", "practice or belief from", "a"),
    ("IST", "one who works at or believes in, from", "n"),
    ("IST", "one who works at or believes in, from", "a"),
    ("AL", "of, from", "n"),
    ("IC", "of, from", "n"),
    ("FUL", "full of", "n"),
)

_PREFIXES = (
    ("UN", "not", ("a",)),
    ("UN", "the reverse of", ("v",)),
    ("NON", "not", ("a", "n")),
    ("RE", "again:", ("v",)),
    ("OVER", "too much:", ("v", "a")),
    ("MIS", "wrongly:", ("v",)),
    ("OUT", "to surpass at:", ("v",)),
    ("PRE", "before:", ("v", "n", "a")),
    ("SUB", "under:", ("n", "a", "v")),
    ("SUPER", "above:", ("n", "a")),
    ("ANTI", "against:", ("n", "a")),
    ("FORE", "before:", ("n", "v")),
    ("UNDER", "too little or under:", ("v", "n")),
    ("INTER", "between:", ("a", "n", "v")),
    ("MULTI", "many:", ("a", "n")),
    ("MICRO", "very small:", ("n",)),
    ("SEMI", "half:", ("a", "n")),
    ("DIS", "the reverse of", ("v",)),
    ("DE", "to undo:", ("v",)),
)


_CLEAR = frozenset(("UN", "NON", "RE", "OVER", "MIS", "OUT"))
"""The prefixes that are hardly ever the chance beginning of another word."""

_SHORTEST = 3
"""Letters of the shortest word that another is taken to be derived from."""


def _without_s(word: str) -> Iterator[str]:
    yield word[:-1]
    if word.endswith("IES"):
        yield f"{word[:-3]}Y"
    elif word.endswith("ES") and (word[:-2].endswith(_SIBILANTS) or word[-3] == "O"):
        yield word[:-2]
        if word.endswith(("ZZES", "SSES")):
            yield word[:-3]


def _stems(stem: str) -> Iterator[str]:
    """What stood before an ending: as it is, with its E or Y back, or without its doubled consonant.

    A single consonant after a single vowel would have been doubled: HOPED comes from HOPE.
    """
    whole = (stem, f"{stem}E")
    yield from reversed(whole) if _would_double(stem) else whole
    if stem.endswith("I"):
        yield f"{stem[:-1]}Y"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
        yield stem[:-1]


def _would_double(stem: str) -> bool:
    vowels = [letter in _VOWELS for letter in stem]
    return vowels[-2:] == [True, False] and sum(vowels) == 1 and stem[-1] not in "WXY"
