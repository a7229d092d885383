"""What words mean: short senses, and the way from an inflected or derived form to the word that it comes from.

Nothing is read here: the senses come in as mappings (``upscore.words.loader.load_meanings`` makes them).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby
from operator import attrgetter

from upscore.words.wordforms import (
    RESPELLED,
    Origin,
    find_base_part,
    is_misspelled,
    undo_derivation,
    undo_inflection,
    undo_respelling,
)

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

LONGEST = 140
"""Letters of a meaning at most: what is read aloud at a table is one breath long. [by eye]"""

_THOUGHTS = (
    "that which who whose where when having with without used especially usually often including consisting containing "
    "made found formed produced native characterized caused resulting marked followed being by for from between such "
    "so and or but"
)
_PHRASE_ENDS = re.compile(rf";? (?=(?:{_THOUGHTS.replace(' ', '|')})\b)|(?:[,;:]| --) ")
"""Where a gloss may end as a whole phrase: at a mark, or before a word that begins another thought. [by eye]"""

_WANTING = (
    " a an the of to in on at by for from with and or but as is are not very their than into any some either other"
    " more most such be been being was were has have had can characterized caused produced resulting consisting"
    " including containing native marked followed his her your our my its mainly chiefly"
    " usually often especially mostly "
)
"""Words that want another after them."""

_JUST_BEGUN = re.compile(
    r"\b(?:that|who|whose|where|when)(?: \w+)?$|\bwhich(?: \w+){0,2}$|^any of (?:several|various|numerous) \w+$"
)

_HANGING = re.compile(r" (?:\w+ly )?(?:\w+ed|built|driven|found|given|held|known|made|set|shown|worn)$")
_BY_WHAT = (" by ", " with ", " for ", " from ", " into ")
"""A word such as WORN at the end of a phrase, and how what it wants begins: it leaves with that."""

_FORM_ALONE = re.compile(
    r"(?:past|plural|(?:first|third|plural and second) person|present participle|comparative|superlative) of "
    r"(?P<base>\w+)"
)
"""A gloss that only names the base: "past of dig"."""

_FEWEST = 12
"""Letters of a shortened gloss at least: less says too little. [by eye]"""

_STEPS = 2
"""Derivations that lead from a word to one with a sense, at most: more of them lead astray. [by eye]"""

_VERBAL = ("ED", "ING")

_COMPARED = range(3, 6)
"""Letters of adjectives whose comparatives are shown beside another sense: no PIER from pi, no INSIDER. [by eye]"""

_LONG_ENOUGH, _SHORTEST_RESPELLED = 4, 8
"""Letters of a word between two derivations, at least one more; of one that is another spelling: no SELFIE from selfy,
like self. [by eye]"""


@dataclass(frozen=True, slots=True)
class Sense:
    """One sense of a word: a letter of `PARTS` and a gloss."""

    part: str
    gloss: str

    def __str__(self) -> str:
        return f"({PARTS[self.part]}) {self.gloss}"


class Meanings:
    """Senses of words, in capitals, and the irregular forms that lead to them.

    `senses` maps a word to its senses, a bar between them: ``"n:a light leap|v:to leap lightly"``.
    `irregular` maps a form to the words that it comes from: ``"v:LEAP"``, ``"a:GOOD r:WELL"``.
    `recent` maps a word that joined by hand to the forms that it makes, none where nobody wrote them down. Of the bases
    that a form may have, one in `everyday` use is the likeliest, and a recent one the least likely.
    """

    def __init__(
        self,
        senses: Mapping[str, str],
        irregular: Mapping[str, str],
        *,
        recent: Mapping[str, str] | None = None,
        everyday: Collection[str] = (),
    ) -> None:
        self._senses = senses
        self._irregular = irregular
        self._recent = recent or {}
        self._everyday = everyday

    def senses(self, word: str) -> tuple[Sense, ...]:
        """Return the senses under the word itself, none if it is only a form of another word."""
        raw = self._senses.get(word)
        if not raw:
            return ()
        return tuple(Sense(sense[0], sense[2:]) for sense in raw.split("|"))

    def meaning(self, word: str) -> str | None:
        """Return the meaning of a word, in capitals, on one line, or None if it isn't known.

        A form leads to its base word: ``"past of leap: (verb) move forward by leaps and bounds"``. It has at
        most `LONGEST` letters.
        """
        own = tuple(map(self._add_base, self.senses(word)))
        irregular = list(self._irregular_origins(word))
        if own:
            return _fitting([*map(str, own), *self._forms_beside(word, own, irregular)]) or None
        regular = self._inflected(word)
        ways = self._ways(word)
        if regular and not irregular and self._is_doubtful(regular[0].base):
            named = regular[0].base
            elsewhere = (way for way in ways if all(origin.base != named for origin in way))
            likelier = self._find_likelier(named, elsewhere)
            if likelier:
                return self._explain_derived(likelier)
        if irregular or regular:
            groups = [list(group) for _, group in groupby(irregular + regular, key=attrgetter("base"))]
            phrases = [self._phrase(groups[0]), *(f"also {self._phrase(group)}" for group in groups[1:])]
            return _fitting(phrases)
        first = next(ways, None)
        if first and self._is_recent(first[-1].base):
            first = self._find_likelier(first[-1].base, ways) or first
        return self._explain_derived(first) if first else self._of_another_part(word)

    def _ways(self, word: str) -> Iterator[list[Origin]]:
        """Yield the ways from a word to one with a sense, the likelier first: a derivative, or a form of one.

        A regular form beside an irregular one, such as ABACUSES beside abaci, comes first.
        """
        forms = [form for form in self._undo_likely(word) if self._is_known(form)]
        beside = [form for form in forms if (form.base, form.relation) in self._replaced][:1]
        derived = beside or self._derivation(word, None, _STEPS)
        if derived:
            yield derived
        for form in undo_inflection(word):
            stem = self._derivation(form.base, form.part, _STEPS)
            if stem:
                yield [form, *stem]
        yield from self._prefixed_pasts(word)

    def _add_base(self, sense: Sense) -> Sense:
        """Return a sense with what the base means, if it only names the base: DUG is "past of dig: to make a hole"."""
        form = _FORM_ALONE.fullmatch(sense.gloss)
        base = self.senses(form["base"].upper()) if form else ()
        gloss = next((each.gloss for each in base if each.part == sense.part), "")
        return Sense(sense.part, f"{sense.gloss}: {gloss}") if gloss else sense

    def _prefixed_pasts(self, word: str) -> Iterator[list[Origin]]:
        """Yield the ways from an irregular form after a prefix: REDREW, as drew is of draw."""
        for prefixed in undo_derivation(word):
            past = next(self._irregular_origins(prefixed.base), None) if word.endswith(prefixed.base) else None
            if past and past.part == prefixed.part:
                yield [Origin(prefixed.relation, prefixed.base, past.part), past]

    def _of_another_part(self, word: str) -> str | None:
        """Explain a form of a word that has no sense as that part of speech: BIOPSYING, of the noun biopsy."""
        for form in undo_inflection(word):
            senses = self.senses(form.base) if word.endswith(("S", "ED", "ING")) else ()
            if senses:
                named = form.relation if form.part == senses[0].part or senses[0].part in "nv" else "form of"
                relation = f"{named} {form.base.lower()}: "
                return relation + _fitting([str(senses[0])], LONGEST - len(relation))
        return None

    def _derivation(self, word: str, part: str | None, steps: int) -> list[Origin]:
        """Return the shortest way from a word of that part of speech to a word with a sense, if there is one."""
        origins = [o for o in chain(undo_respelling(word), undo_derivation(word)) if part in (None, find_base_part(o))]
        known = [origin for origin in self._known(origins) if self._may_make(origin.base, word)]
        if known:
            named = known[0]
            if self._is_recent(named.base) and named.relation != RESPELLED:
                return self._find_likelier(named.base, ([origin] for origin in known)) or [named]
            return [named]
        if steps > 1:
            for origin in origins:
                short = _SHORTEST_RESPELLED if origin.relation == RESPELLED else _LONG_ENOUGH
                further = len(origin.base) > short and self._derivation(origin.base, origin.part, steps - 1)
                if further:
                    return [origin, *further]
        return []

    def _explain_derived(self, path: list[Origin]) -> str:
        steps = "".join(f"{origin.relation} {origin.base.lower()}, " for origin in path[:-1])
        return steps + self._phrase(path[-1:], LONGEST - len(steps))

    def _forms_beside(self, word: str, own: tuple[Sense, ...], irregular: list[Origin]) -> list[str]:
        """Return the forms that a word with senses of its own also is: SAW is also the past of see.

        A regular form is left out if it has the part of speech of a sense: GLASSES is not merely a plural. So is a form
        that a sense names.
        """
        parts = {sense.part for sense in own}
        regular = [
            form
            for form in self._inflected(word)
            if form.part not in parts and (form.part in "nv" or self._is_compared(form.base))
        ]
        forms = dict.fromkeys(f"{form.relation} {form.base.lower()}" for form in irregular + regular)
        return [form for form in forms if not any(form in sense.gloss for sense in own)]

    def _is_compared(self, base: str) -> bool:
        """Return whether a word is above all an adjective of `_COMPARED` letters: WARM, and neither LAY nor FOUND."""
        return len(base) in _COMPARED and self.senses(base)[0].part == "a"

    @cached_property
    def _replaced(self) -> frozenset[tuple[str, str]]:
        """Return the bases and relations for which irregular forms exist: see has SAW, so SEED isn't its past."""
        origins = (origin for form in self._irregular for origin in self._irregular_origins(form))
        return frozenset((origin.base, origin.relation) for origin in origins)

    def _inflected(self, word: str) -> list[Origin]:
        """Return the origins of a regular form from the likeliest base that is known as the part of speech needed."""
        known = self._known(self._undo_likely(word))
        known.sort(key=lambda origin: (is_misspelled(word, origin), self._rank(origin.base)))
        return [origin for origin in known if origin.base == known[0].base]

    def _known(self, origins: Iterable[Origin]) -> list[Origin]:
        """Return the origins whose base is known as the part of speech it must have, and makes no irregular form."""
        return [each for each in origins if self._is_known(each) and (each.base, each.relation) not in self._replaced]

    def _undo_likely(self, word: str) -> Iterator[Origin]:
        """Yield what a regular form may come from: a recent base that has CHIVVED written down makes no CHIVED."""
        for origin in undo_inflection(word):
            forms = self._recent.get(origin.base, "").split()
            if not forms or word in forms:
                yield origin

    def _may_make(self, base: str, word: str) -> bool:
        """Return whether a base may make a word on -ED or -ING: a recent one that has another such form doesn't."""
        forms = self._recent.get(base, "").split()
        is_form = word.endswith(_VERBAL) and word.startswith(base[:-1])
        return not is_form or word in forms or not any(form.endswith(_VERBAL) for form in forms)

    def _find_likelier(self, named: str, ways: Iterable[list[Origin]]) -> list[Origin] | None:
        """Return the first way to a base that is not recent and begins as the recent one that was found."""
        return next((way for way in ways if not self._is_recent(way[-1].base) and way[-1].base[0] == named[0]), None)

    def _rank(self, base: str) -> int:
        """Return how likely a base is, 0 the likeliest. Nobody uses all short words, though games teach them."""
        if self._is_recent(base):
            return 2
        return int(len(base) < _LONG_ENOUGH or base not in self._everyday)

    def _is_recent(self, base: str) -> bool:
        return base in self._recent

    def _is_doubtful(self, base: str) -> bool:
        """Return whether a base is recent and nobody wrote its forms down."""
        return self._is_recent(base) and not self._recent[base]

    def _is_known(self, origin: Origin) -> bool:
        return any(sense.part == origin.part for sense in self.senses(origin.base))

    def _irregular_origins(self, word: str) -> Iterator[Origin]:
        for entry in self._irregular.get(word, "").split():
            part, base = entry[0], entry[2:]
            yield Origin(_irregular_relation(word, part), base, part)

    def _phrase(self, origins: list[Origin], room: int = LONGEST) -> str:
        """Return the relations to one base and, once, as many of its senses for these parts of speech as fit."""
        base = origins[0].base
        relations = " and ".join(dict.fromkeys(f"{origin.relation} {base.lower()}" for origin in origins))
        parts = {origin.part for origin in origins}
        senses = [sense for sense in self.senses(base) if sense.part in parts]
        first = {sense.part: sense for sense in reversed(senses)}
        glosses = [str(sense) for sense in sorted(senses, key=lambda sense: sense is not first[sense.part])]
        fitting = _fitting(glosses, room - len(relations) - 2) if glosses else ""
        if senses and not fitting and len(parts) > 1:  # one relation leaves more room for its sense
            return self._phrase([origin for origin in origins if origin.part == senses[0].part], room)
        return f"{relations}: {fitting}" if fitting else relations


def shorten(text: str, longest: int) -> str:
    """Shorten a gloss to whole phrases of at most this many letters; return "" if even the first phrase is longer.

    >>> shorten("European weed naturalized in Mexico having fernlike leaves", 40)
    'European weed naturalized in Mexico'
    >>> shorten("a pleated tartan skirt worn by men as part of the dress of the Highlands", 40)
    'a pleated tartan skirt'
    """
    if len(text) <= longest:
        return text
    text = re.sub(r" ?\([^()]*\)(?!\w)", "", text) if not text.startswith("(") else text
    if len(text) <= longest:
        return text
    ends = [found.start() for found in _PHRASE_ENDS.finditer(text, _FEWEST)]
    for end in (end for end in reversed(ends) if end <= longest):
        head = _HANGING.sub("", text[:end]) if text[end:].startswith(_BY_WHAT) else text[:end]
        dangles = f" {head.rsplit(' ', 1)[-1]} " in _WANTING or _JUST_BEGUN.search(head)
        if head.count("(") == head.count(")") and head.count('"') % 2 == 0 and not dangles:
            return head
    return ""


def _fitting(parts: list[str], room: int = LONGEST) -> str:
    """Return as many of the parts as fit, with the first one shortened if necessary."""
    mark = re.match(r"\(\w+\) ", parts[0])
    head = mark[0] if mark else ""
    first = shorten(parts[0][len(head) :], room - len(head))
    if not first:
        return ""
    text = head + first
    for part in parts[1:]:
        if len(text) + len(part) + 2 <= room:
            text = f"{text}; {part}"
    return text


def _irregular_relation(form: str, part: str) -> str:
    if part == "n":
        return "plural of"
    if part == "v":
        if form.endswith("ING"):
            return "present participle of"
        return "third person of" if form.endswith("S") else "past of"
    return "superlative of" if form.endswith("ST") else "comparative of"
