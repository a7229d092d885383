"""What GCIDE says of a word, where the system has that dictionary installed (in Debian: dict-gcide).

The GNU Collaborative International Dictionary of English is under the GPL, so that nothing of it is shipped:
the files of its dictd database are read where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from engine import LexiconError
from upscore.words.dictd import Database
from upscore.words.meanings import Meanings, Sense
from upscore.words.wordforms import inflected_from

FOLDERS = (Path("/usr/share/dictd"), Path("/usr/local/share/dictd"))
"""Where systems keep the databases of dictd."""

LONGEST = 160
"""Letters of a gloss at most; a longer sentence is cut. [by eye]"""

_SHORTEST = 3
"""Letters of a gloss at least: less is a remark such as "pl". [by eye]"""

_ENTRIES = 3
"""Entries of a word that are told at most. [by eye]"""

_PARTS: Mapping[str, str] = MappingProxyType(
    {
        "n": "n",
        "v": "v",
        "v. t": "v",
        "v. i": "v",
        "a": "a",
        "adj": "a",
        "p. a": "a",
        "adv": "r",
        "pron": "p",
        "prep": "e",
        "conj": "c",
        "interj": "i",
    }
)
"""GCIDE's parts of speech as those of `upscore.words.meanings.PARTS`."""

_HEADWORD = re.compile(r",? ?(?:or )?([^\\(){}\[\]]+?) ?\\[^\\]*\\ ?(?:\([^()]*\))?")
_PART = re.compile(r"[ ,;]*(" + "|".join(map(re.escape, sorted(_PARTS, key=len, reverse=True))) + r")\.")
_BODY = re.compile(r"(?<=[.\])\\])\n(?!\s*(?:[\[{\\]|\((?!\w\)|[A-Z])))")
_LEADING = re.compile(r" ?(?:\[[^\]]*\]|\([A-Z][^()]*\)|\d+\.|\([a-z]\)) ?")
_ACCENT = re.compile(r"\[[^\w\]]?(ae|oe|[A-Za-z])[^\w\].]?\]")
_END = re.compile(r'\.(?= [A-Z"])|; as,| ?--| ?\[| \([a-z]\)| \d\. |$')


@dataclass(frozen=True)
class Entry:
    """What is told of an entry: its headwords, in capitals, its part of speech as in `PARTS`, and a gloss."""

    headwords: tuple[str, ...]
    part: str
    gloss: str


class Gcide:
    """The meanings of words from GCIDE's database. Raises LexiconError where it cannot be opened."""

    def __init__(self, folder: Path) -> None:
        self._database = Database(folder, "gcide")

    def meaning(self, word: str) -> str | None:
        """Return what a word, in capitals, means, on one line that names the source; None where GCIDE has nothing.

        A regular form leads to its base: ``"plural of zax: (noun) A tool for ... slates (GCIDE)"``.
        """
        bases = {word, *(origin.base for origin in inflected_from(word))}
        try:
            entries = {base: self._entries(base) for base in bases}
        except LexiconError:  # damaged or gone since it was opened: no GCIDE, as where it is not installed
            return None
        own = {base: "|".join(_own_senses(base, found)) for base, found in entries.items()}
        meaning = Meanings(own, {}).meaning(word) or _named_in(entries[word])
        return f"{meaning} (GCIDE)" if meaning else None

    def _entries(self, word: str) -> list[Entry]:
        return list(filter(None, map(parse_entry, self._database.entries(word))))


def _own_senses(word: str, entries: list[Entry]) -> list[str]:
    """Return the senses of the entries that have `word` at their head, as `Meanings` takes them."""
    senses = [f"{entry.part}:{entry.gloss}" for entry in entries if word in entry.headwords]
    return list(dict.fromkeys(senses))[:_ENTRIES]


def _named_in(entries: list[Entry]) -> str | None:
    """Return the sense of another word under which a word is listed, as a variant or an odd form of it."""
    if not entries:
        return None
    first = entries[0]
    return f"see {first.headwords[0].lower()}: {Sense(first.part, first.gloss)}"


@cache
def installed_gcide(folders: tuple[Path, ...] = FOLDERS) -> Gcide | None:
    """Return the GCIDE of the first of these folders where it can be read."""
    return next(_readable(folders), None)


def _readable(folders: tuple[Path, ...]) -> Iterator[Gcide]:
    for folder in folders:
        try:
            yield Gcide(folder)
        except LexiconError:
            continue


def parse_entry(text: str) -> Entry | None:
    r"""What is to be told of an entry, from its text; None where it has no part of speech or no sense.

    >>> parse_entry('Zax \\Zax\\ (z[a^]ks), n.\n   A tool for trimming slates. [Written\n   also {sax}.]')
    Entry(headwords=('ZAX',), part='n', gloss='A tool for trimming slates')
    """
    head, body = _halves(text)
    headwords = []
    at = 0
    while found := _HEADWORD.match(head, at):
        headwords.append(found[1].upper())
        at = found.end()
    part = _PART.match(head, at)
    gloss = first_sentence(body)
    if not (headwords and part and len(gloss) >= _SHORTEST):
        return None
    return Entry(tuple(headwords), _PARTS[part[1]], gloss)


def _halves(text: str) -> tuple[str, str]:
    """Return the head of an entry, with its pronunciation and etymology, and what follows: the sense comes first."""
    for line_end in _BODY.finditer(text):
        head = text[: line_end.start()]
        if head.count("[") == head.count("]") and head.count("(") == head.count(")"):
            return " ".join(head.split()), text[line_end.end() :]
    return " ".join(text.split()), ""


def first_sentence(body: str) -> str:
    """Return the first sentence of a sense, without marks of its source; empty where none can be read."""
    text = " ".join(body.split())
    at = 0
    while leading := _LEADING.match(text, at):
        at = leading.end()
    text = re.sub(r"[{}|]", "", _ACCENT.sub(r"\1", text[at:]))
    sentence = _END.split(text, maxsplit=1)[0].rstrip(" .,;:")
    if "?" in sentence or "\\" in sentence:  # letters that GCIDE's makers could not read
        return ""
    if len(sentence) <= LONGEST:
        return sentence
    cut = sentence[:LONGEST]
    return f"{(cut.rpartition(' ')[0] or cut).rstrip(' ,;')} ..."
