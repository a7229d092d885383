"""Reads WordNet 3.0, Princeton's lexical database, as Debian's package ``wordnet-base`` installs it.

The formats are those of WordNet's manual pages wndb(5WN) and morphy(7WN).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from upscore.words.meanings import shorten

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

_KINDS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}

GLOSS_LENGTH = 110

LONG_GLOSS, LONG_CLAUSE = 70, 20
"""A gloss that is longer than the first is cut to its first clause, if that is longer than the second. [by eye]"""

_GRAMMAR = re.compile(
    r"""^\((?:usually|often|sometimes|used|comparative|superlative|followed)\ [^()]*\)\s*
    |;\ (?:often|sometimes|usually)\ (?:used\ in\ combination|followed\ by).*$""",
    re.VERBOSE,
)
_TERMS = re.compile(
    r"^(?:(?:an? )?(?:informal|alternative|archaic|colloquial|slang|old-fashioned|common|popular)(?: or \w+)?"
    r" (?:terms?|names?|words?))(?:;| for) "
)
"""A beginning that speaks of the word, and not of what it means: "informal terms for money"."""
_ASIDES = (
    "as|such as|especially|usually|sometimes|often|particularly|mainly|chiefly|probably|perhaps|typically|or|including"
    "|trade names?|for example|when|where|deduced|relative|supposedly|also|of|in|not|but|and|with|about|either|like|who"
    "|which|that|used|from|for|by|one|two|set|liquid|spoken"
)
_ASIDE = re.compile(rf",? \((?:(?:{_ASIDES})\b|e\.g\.|i\.e\.|')[^()]*\)(?!\w)")
_LABEL = re.compile(r"^\(([^()]*)\) ")
_MANNERS = ("formal", "slang", "nautical", "archaic", "direction", "poetic", "military", "facetious", "chiefly")
_SAID_OF = (
    "of ",
    "used ",
    "formerly",
    "especially ",
    "usually ",
    "in ",
    "as ",
    "with ",
    "often ",
    "on ",
    "for ",
    "from ",
)
_NO_NOUN = re.compile(
    r"(?:native to|used|found|grown|similar to|related to|of|from|made|located|containing|common in|occurring"
    r"|resembling|(?:distilled|derived|obtained|extracted) from|having"
    r"|(?:widely|extensively|cultivated) \w+,? (?:in|throughout|for|as|by|from|to|at|and(?= cult))) "
)
"""How a gloss of a noun begins that leaves the kind of thing to its synset: lotus is "native to eastern Asia"."""
_LATIN = re.compile(
    r",? (?:(?:of|in|constituting|belonging to) )?(?:the )?"
    r"(?:genus|genera|family|families|suborder|order|class|phylum) [A-Z]\w+(?:(?:,| and| or|, and) [A-Z]\w+)*"
)
_EXAMPLE = re.compile(r"(?:\s*[;:,]+|(?<=\)))\s*(?:(?:as in )?e\.g\.,?\s*)?:?\"[^\"]*\"?$")
"""An example that no semicolon and space divide from the gloss."""

_VAGUE = re.compile(
    r"any (?:of (?:various|several|numerous|certain|a number of) )?(?:\w+ ){0,2}"
    r"(?:plants?|herbs?|trees?|shrubs?|flowers?|grass(?:es)?|fungus|fungi|algae?|ferns?|orchids?|worms?|insects?|beetles?"
    r"|butterfl(?:y|ies)|birds?|fish(?:es)?|lizards?|animals?|members?|species|of the \w+)(?: especially)?"
)
"""A gloss that says little without the Latin name of its group."""

_PEOPLE, _THINGS = frozenset((9, 10, 14, 20, 24, 25, 30)), frozenset((8, 11, 15, 16, 17, 18, 19, 21, 31))
"""The frames of WordNet's sentences (wninput(5WN)) in which a verb does something to a person, or to a thing."""

_BOUND = frozenset(
    (
        *("of", "to", "from", "for", "with", "without", "upon", "against", "into", "onto"),
        *("than", "toward", "towards", "at", "like", "as", "between", "among", "amongst"),
    )
)
"""Prepositions at the end of a gloss that want what the verb is done to."""

_FREE = frozenset(("in", "on", "over", "through", "about", "around", "across", "by"))
"""Words at the end of a gloss that want it only if the verb has an object, as adverbs stand alone."""

_ADVERBIAL = re.compile(
    r"\b(?:(?:take|work|bring|up or|broken) in|(?:take|spur|head|passed|agreed|come|go) on|bring about"
    r"|(?:knocking|something|make|win|heel|do) over|think through|(?:follow|move) around)$"
)
"""Ends of glosses in which such a word is an adverb, whatever the verb takes. [by eye]"""

_BRACKETED = re.compile(r"\(([^()]*)\)")

_GAP = re.compile(
    r"\b(?:be|being|been|able|easy|hard|worth|which|that|who|whom|what|where|as|are|is|was|live|like|between"
    r"|difficult|impossible|unpleasant|deep|asked|cared|hoped|grieved|interfered|taken|spoken|owned|given|made"
    r"|contracted|agreed|services|acted|expected)\b"
)
"""Words of an adjective's gloss whose preposition belongs to something named before: "capable of being atoned for".
[by eye]"""


@dataclass(frozen=True)
class Entry:
    """One sense of a lemma, spelled as the synset has it.

    `named` is True for an instance, a single thing; `field` is the number of the lexicographers' file, such as
    5 for animals (lexnames(5WN)); `count` is how often the sense was met in tagged texts; `leads` is True if the synset
    names the lemma first; `wants` is what a verb is done to: "somebody", "something", either, or nothing.
    """

    lemma: str
    part: str
    gloss: str
    named: bool
    field: int
    count: int
    leads: bool
    wants: str = ""


@dataclass(frozen=True)
class WordNet:
    """A folder of WordNet's database files."""

    folder: Path

    def entries(self) -> Iterator[Entry]:
        """Yield every sense of every lemma, part by part, a lemma's senses in WordNet's order of frequency."""
        counts = self._counts()
        for part, name in PARTS.items():
            synsets = self._synsets(name)
            for line in self._lines(f"index.{name}"):
                columns = line.split()
                for number, offset in enumerate(columns[-int(columns[2]) :], 1):
                    words, gloss, named, field, kind, wants = synsets[offset]
                    if part == "n" and kind in synsets and _NO_NOUN.match(gloss):
                        noun = synsets[kind][0][0].replace("_", " ")
                        gloss = f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun} {gloss}"
                    for word in words:
                        if word.lower() == columns[0]:
                            count = counts.get((columns[0], part, number), 0)
                            yield Entry(word, part, gloss, named, field, count, word == words[0], wants)

    def irregular(self) -> Iterator[tuple[str, str, str]]:
        """Yield the irregular forms: form, part, base, as morphy's exception lists have them."""
        for part, name in PARTS.items():
            for line in (self.folder / f"{name}.exc").read_text(encoding="utf-8").splitlines():
                form, *bases = line.split()
                for base in bases:
                    yield form, part, base

    def _counts(self) -> dict[tuple[str, str, int], int]:
        """Return how often each sense was met: by lemma, part and number (cntlist(5WN))."""
        counts = {}
        for line in (self.folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
            key, number, count = line.split()
            lemma, _, rest = key.partition("%")
            counts[lemma, _KINDS[rest[0]], int(number)] = int(count)
        return counts

    def _synsets(self, name: str) -> dict[str, tuple[list[str], str, bool, int, str, str]]:
        """Return by offset: words, gloss, whether it is one thing, field, offset of the kind of thing, and object."""
        synsets = {}
        for line in self._lines(f"data.{name}"):
            head, _, gloss = line.partition(" | ")
            columns = head.split()
            count = int(columns[3], 16)
            words = [re.sub(r"\(\w+\)$", "", word) for word in columns[4 : 4 + 2 * count : 2]]
            kind = re.search(r" @ (\d{8}) ", head)
            wants = _object_of({int(frame) for frame in re.findall(r" \+ (\d\d) ", f"{head} ")})
            synsets[columns[0]] = (words, gloss, " @i " in head, int(columns[1]), kind[1] if kind else "", wants)
        return synsets

    def _lines(self, name: str) -> Iterator[str]:
        for line in (self.folder / name).read_text(encoding="utf-8").splitlines():
            if not line.startswith(" "):
                yield line


def short_gloss(gloss: str, limit: int = GLOSS_LENGTH) -> str:
    """Return the definition in plain words and whole phrases of `limit` characters at most, or nothing.

    Its examples, asides in brackets, remarks on grammar and Latin names of groups are left out. A Latin name stays, or
    a second clause, where the rest would be "any of various plants".

    >>> short_gloss('a flat slab (as of fired clay) to cover surfaces; often used in combination; "tiles"')
    'a flat slab to cover surfaces'
    """
    text = gloss.split('; "')[0].strip()
    text = text.strip('"') if text.count('"') < 2 or text.find('"', 1) == len(text) - 1 else _EXAMPLE.sub("", text)
    text = text.replace("|", "/").replace("`", "'")
    for learned in (_GRAMMAR, _TERMS, _ASIDE):
        text = learned.sub("", text)
    plain = _LATIN.sub("", text)
    if plain.endswith((" or", " of", " to", " and")):
        plain = text
    is_vague = _VAGUE.fullmatch(plain.partition(";")[0]) is not None
    if not is_vague or (";" in plain and len(plain) <= limit):
        text = plain
    label = _LABEL.match(text)
    said = _say(label[1]) if label else ""
    text = text[label.end() :] if label else text
    text = re.sub(r"\s+|(?<=;)(?=\w)|(?<=[a-z],)(?=[a-z])", " ", text).strip(" ;,:")
    clause = text.partition(";")[0].rstrip()
    if (
        len(text) > LONG_GLOSS
        and (len(text) > limit or not is_vague)
        and len(clause) >= LONG_CLAUSE
        and clause.count("(") == clause.count(")")
    ):
        text = clause
    short = shorten(text, limit - len(said))
    return said + short if short else ""


def whole_phrase(gloss: str, part: str, wants: str) -> str:
    """Return a gloss that breaks off before its object with that object, so that it can be read aloud.

    An object in brackets loses them. Each clause of a verb's gloss is looked at by itself.

    >>> whole_phrase("hurt the pride of", "v", "somebody")
    'hurt the pride of somebody'
    >>> whole_phrase("take hold of; grab", "v", "something")
    'take hold of something; grab'
    """
    if part == "v":
        clauses = _BRACKETED.sub(r"\1", gloss).split("; ")
        return "; ".join(_with_object(clause, part, wants) for clause in clauses)
    return _with_object(gloss, part, wants)


def _with_object(gloss: str, part: str, wants: str) -> str:
    last = gloss.rpartition(" ")[2]
    if part == "r" and last == "that" and gloss.startswith("it is"):
        return gloss.removesuffix(" that")
    bound = last in _BOUND or gloss.endswith(" to be")
    if part == "v" and (bound or (last in _FREE and wants)) and not _ADVERBIAL.search(gloss):
        return f"{gloss} {wants or 'something'}"
    if part == "a" and bound and not _GAP.search(gloss):
        return f"{gloss} something"
    return gloss


def _object_of(frames: set[int]) -> str:
    """Return what a verb with these sentence frames is done to."""
    objects = ("somebody" if frames & _PEOPLE else "", "something" if frames & _THINGS else "")
    return " or ".join(filter(None, objects))


def _say(label: str) -> str:
    """Return a label before a definition as one says it aloud: "in law: "."""
    if label.startswith(_SAID_OF):
        return f"{label}: "
    if any(manner in label for manner in _MANNERS):
        return ""
    return f"in the {label}: " if label.endswith(("Church", "Ages", "century", "Indies")) else f"in {label}: "
