"""What words mean: short senses, and the way from an inflected or derived form to the word that it comes from.

Nothing is read here: the senses come in as mappings (``upscore.words.loader.load_meanings`` makes them).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter

PARTS: Mapping[str, str] = {
    "n": "noun",
    "v": "verb",
    "a": "adjective",
    "r": "adverb",
    "p": "pronoun",
    "e": "preposition",
    "c": "conjunction",
    "i": "interjection",
    "d": "determiner",
}
"""Parts of speech by the letter that stands for each in the data."""

_VOWELS = frozenset("AEIOU")
_SIBILANTS = ("S", "X", "Z", "CH", "SH")


@dataclass(frozen=True, slots=True)
class Sense:
    """One sense of a word: a letter of `PARTS` and a gloss."""

    part: str
    gloss: str

    def __str__(self) -> str:
        return f"({PARTS[self.part]}) {self.gloss}"


@dataclass(frozen=True, slots=True)
class Origin:
    """How a form comes from another word: ``Origin("past of", "LEAP", "v")``.

    `base` is in capitals; `part` is the part of speech that `base` must have.
    """

    relation: str
    base: str
    part: str


class Meanings:
    """Senses of words, in capitals, and the irregular forms that lead to them.

    `senses` maps a word to its senses, a bar between them: ``"n:a light leap|v:to leap lightly"``.
    `irregular` maps a form to the words that it comes from: ``"v:LEAP"``, ``"a:GOOD r:WELL"``.
    """

    def __init__(self, senses: Mapping[str, str], irregular: Mapping[str, str]) -> None:
        self._senses = senses
        self._irregular = irregular

    def senses(self, word: str) -> tuple[Sense, ...]:
        """The senses under the word itself, none where it is only a form of another word."""
        raw = self._senses.get(word)
        if not raw:
            return ()
        return tuple(Sense(sense[0], sense[2:]) for sense in raw.split("|"))

    def meaning(self, word: str) -> str | None:
        """What a word, in capitals, means, on one line; None where nothing is known of it.

        A form leads to its base word: ``"past of leap: (verb) move forward by leaps and bounds"``.
        """
        own = self.senses(word)
        irregular = list(self._irregular_origins(word))
        if own:
            return "; ".join([*map(str, own), *self._forms_beside(word, own, irregular)])
        regular = self._grouped(inflected_from(word))
        if irregular or regular:
            groups = [list(group) for _, group in groupby(irregular + regular, key=attrgetter("base"))]
            return "; also ".join(map(self._told, groups))
        derived = self._grouped(derived_from(word))
        if derived:
            return self._told(derived)
        for inflection in inflected_from(word):
            stem = self._grouped(derived_from(inflection.base))
            if stem:
                return f"{inflection.relation} {inflection.base.lower()}, {self._told(stem)}"
        return None

    def _forms_beside(self, word: str, own: tuple[Sense, ...], irregular: list[Origin]) -> list[str]:
        """What a word with senses of its own is a form of, besides: SAW is also the past of see.

        Of two parts of speech that are alike nothing is said: GLASSES is no mere plural.
        """
        parts = {sense.part for sense in own}
        regular = [form for form in self._grouped(inflected_from(word)) if form.part not in parts]
        return list(dict.fromkeys(f"{form.relation} {form.base.lower()}" for form in irregular + regular))

    @cached_property
    def _replaced(self) -> frozenset[tuple[str, str]]:
        """The bases and relations that irregular forms stand for: no SEED from see, which has SAW."""
        origins = (origin for form in self._irregular for origin in self._irregular_origins(form))
        return frozenset((origin.base, origin.relation) for origin in origins)

    def _is_replaced(self, origin: Origin) -> bool:
        return (origin.base, origin.relation) in self._replaced

    def _grouped(self, origins: Iterator[Origin]) -> list[Origin]:
        """The origins whose base is known as the part of speech asked for, those of the first base found."""
        known = [origin for origin in origins if self._is_known(origin) and not self._is_replaced(origin)]
        return [origin for origin in known if origin.base == known[0].base]

    def _is_known(self, origin: Origin) -> bool:
        return any(sense.part == origin.part for sense in self.senses(origin.base))

    def _irregular_origins(self, word: str) -> Iterator[Origin]:
        for entry in self._irregular.get(word, "").split():
            part, base = entry[0], entry[2:]
            yield Origin(_irregular_relation(word, part), base, part)

    def _told(self, origins: list[Origin]) -> str:
        """The relations to one base and, once, its senses of the parts of speech concerned."""
        base = origins[0].base
        relations = " and ".join(dict.fromkeys(f"{origin.relation} {base.lower()}" for origin in origins))
        parts = {origin.part for origin in origins}
        glosses = "; ".join(str(sense) for sense in self.senses(base) if sense.part in parts)
        return f"{relations}: {glosses}" if glosses else relations


def _irregular_relation(form: str, part: str) -> str:
    if part == "n":
        return "plural of"
    if part == "v":
        if form.endswith("ING"):
            return "present participle of"
        return "third person of" if form.endswith("S") else "past of"
    return "superlative of" if form.endswith("ST") else "comparative of"


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
