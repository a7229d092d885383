"""Meanings of words from GCIDE, where the system has that dictionary installed (in Debian: dict-gcide).

The GNU Collaborative International Dictionary of English is under the GPL, so we ship nothing of it. We read the files
of its dictd database where they are.
"""

from __future__ import annotations

import gzip
import re
import zlib
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from engine import LexiconError
from engine.errors import quote
from upscore.words.meanings import Meanings, Sense, shorten
from upscore.words.wordforms import undo_inflection

FOLDERS = (Path("/usr/share/dictd"), Path("/usr/local/share/dictd"))
"""Where systems keep the databases of dictd."""

LONGEST = 110
"""Letters of a gloss at most. A longer sentence is cut after a whole phrase. [by eye]"""

_SHORTEST = 3
"""Letters of a gloss at least: less is a remark such as "pl". [by eye]"""

_ENTRIES = 3
"""Most entries of a word that are shown. [by eye]"""

_PARTS: Mapping[str, str] = MappingProxyType(
    {"n": "n", "v": "v", "v. t": "v", "v. i": "v", "a": "a", "adj": "a", "p. a": "a", "adv": "r"}
    | {"pron": "p", "prep": "e", "conj": "c", "interj": "i"}
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
    """An entry: its headwords, in capitals, its part of speech as in `PARTS`, and a gloss."""

    headwords: tuple[str, ...]
    part: str
    gloss: str


def _find_named_in(entries: list[Entry]) -> str | None:
    """Return the sense of another word if this one is listed under it, as a variant or an irregular form."""
    if not entries:
        return None
    first = entries[0]
    return f"see {first.headwords[0].lower()}: {Sense(first.part, first.gloss)}"


def parse_entry(text: str) -> Entry | None:
    r"""Read an entry from its text; None if it has no part of speech or no sense.

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
    """Return the head of an entry, with pronunciation and etymology, and the text after it, the sense first."""
    for line_end in _BODY.finditer(text):
        head = text[: line_end.start()]
        if head.count("[") == head.count("]") and head.count("(") == head.count(")"):
            return " ".join(head.split()), text[line_end.end() :]
    return " ".join(text.split()), ""


def first_sentence(body: str) -> str:
    """Return the first sentence of a sense, without marks of its source; "" if none is readable."""
    text = " ".join(body.split())
    at = 0
    while leading := _LEADING.match(text, at):
        at = leading.end()
    text = re.sub(r"[{}|]", "", _ACCENT.sub(r"\1", text[at:]))
    sentence = _END.split(text, maxsplit=1)[0].rstrip(" .,;:")
    if "?" in sentence or "\\" in sentence:  # letters that GCIDE's makers could not read
        return ""
    return shorten(sentence, LONGEST)


MAX_INDEX_BYTES = 64 << 20
"""Most bytes of an index, far more than the headwords of any dictionary take. [by eye]"""

MAX_ENTRY_BYTES = 1 << 14
"""Most bytes that are read of an entry. [by eye]"""

_NUMBER = rb"([A-Za-z0-9+/]{1,10})"  # 60 bits
_PLACE = re.compile(_NUMBER + rb"\t" + _NUMBER + rb"(?=[\t\r\n]|\Z)")


class Gcide:
    """The meanings of words from GCIDE's database in a folder: ``gcide.index`` and ``gcide.dict`` or ``gcide.dict.dz``.

    This is the format of the dictd server. Each line of the index is a headword, an offset and a length in the text,
    with tabs between them, the numbers in base 64 (``A-Za-z0-9+/``). The text is plain, or packed by dictzip, which is
    gzip. It is unpacked from its beginning.

    Raises LexiconError if a file is missing or has another format. Files may change or disappear while it is in use.
    """

    def __init__(self, folder: Path) -> None:
        try:
            path = folder / "gcide.index"
            if path.stat().st_size > MAX_INDEX_BYTES:
                raise LexiconError(f"{quote(str(path))} is too large for an index: install GCIDE again")
            self._index = b"\n" + path.read_bytes()
            self._headwords = self._index.lower()
            self._text = folder / "gcide.dict"
            if not self._text.is_file():
                self._text = folder / "gcide.dict.dz"
            if not self._read([(0, 1)])[0, 1]:  # the first letter
                raise EOFError
        except (OSError, EOFError, zlib.error) as error:
            raise LexiconError("the dictionary gcide cannot be read: install it again") from error

    def meaning(self, word: str) -> str | None:
        """Return the meaning of a word, in capitals, on one line that names the source, or None if GCIDE lacks it.

        A regular form leads to its base: ``"plural of zax: (noun) A tool for ... slates (GCIDE)"``.
        """
        bases = list(dict.fromkeys((word, *(origin.base for origin in undo_inflection(word)))))
        try:
            found = self.entries(*bases)
        except LexiconError:  # damaged or gone since it was opened: go on as if GCIDE weren't installed
            return None
        entries = [[*filter(None, map(parse_entry, texts))] for texts in found]
        own = {}
        for base, under in zip(bases, entries, strict=True):
            senses = dict.fromkeys(f"{entry.part}:{entry.gloss}" for entry in under if base in entry.headwords)
            own[base] = "|".join([*senses][:_ENTRIES])
        meaning = Meanings(own, {}).meaning(word) or _find_named_in(entries[0])
        return f"{meaning} (GCIDE)" if meaning else None

    def entries(self, *headwords: str) -> list[list[str]]:
        """Return the entries under each of some headwords, whatever their case, in the index's order.

        An entry may be listed under several headwords. Raises LexiconError when the text cannot be read.
        """
        places = [dict.fromkeys(self._places(headword.lower().encode())) for headword in headwords]
        try:
            # In the order of the text, so that it is unpacked only once.
            texts = self._read(sorted({place for each in places for place in each}))
        except (OSError, EOFError, zlib.error) as error:
            raise LexiconError("an entry of GCIDE cannot be read: install it again") from error
        return [[texts[place] for place in each] for each in places]

    def _places(self, headword: bytes) -> Iterator[tuple[int, int]]:
        """Yield where the entries under a headword in small letters are: offset and length in bytes of text."""
        start, at = b"\n" + headword + b"\t", 0
        while (at := self._headwords.find(start, at)) >= 0:
            at += len(start)
            if found := _PLACE.match(self._index, at):
                offset, length = (int.from_bytes(b64decode(digits.rjust(12, b"A")), "big") for digits in found.groups())
                yield offset, length

    def _read(self, places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
        """Return the text at each place, an offset and a length. Raises OSError, EOFError and zlib.error."""
        texts = {}
        with self._text.open("rb") if self._text.suffix == ".dict" else gzip.open(self._text) as file:
            for offset, length in places:
                file.seek(offset)
                texts[offset, length] = file.read(min(length, MAX_ENTRY_BYTES)).decode("utf-8", "replace")
        return texts


@cache
def find_gcide(folders: tuple[Path, ...] = FOLDERS) -> Gcide | None:
    """Return the GCIDE of the first of these folders in which it can be read."""
    for folder in folders:
        with suppress(LexiconError):
            return Gcide(folder)
    return None
