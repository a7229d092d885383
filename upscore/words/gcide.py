"""What GCIDE says of a word, where the system has that dictionary installed (in Debian: dict-gcide).

The GNU Collaborative International Dictionary of English is under the GPL, so that nothing of it is shipped:
the files of its dictd database are read where they are. First come the meanings, then `Database`, which
reads these files.
"""

from __future__ import annotations

import re
import string
import struct
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from engine import LexiconError
from engine.errors import quoted
from upscore.words.meanings import Meanings, Sense, shortened
from upscore.words.wordforms import inflected_from

FOLDERS = (Path("/usr/share/dictd"), Path("/usr/local/share/dictd"))
"""Where systems keep the databases of dictd."""

LONGEST = 110
"""Letters of a gloss at most; of a longer sentence as many whole phrases are told. [by eye]"""

_SHORTEST = 3
"""Letters of a gloss at least: less is a remark such as "pl". [by eye]"""

_ENTRIES = 3
"""Entries of a word that are told at most. [by eye]"""

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
        own = {}
        for base, found in entries.items():
            senses = dict.fromkeys(f"{entry.part}:{entry.gloss}" for entry in found if base in entry.headwords)
            own[base] = "|".join([*senses][:_ENTRIES])
        meaning = Meanings(own, {}).meaning(word) or _named_in(entries[word])
        return f"{meaning} (GCIDE)" if meaning else None

    def _entries(self, word: str) -> list[Entry]:
        return list(filter(None, map(parse_entry, self._database.entries(word))))


def _named_in(entries: list[Entry]) -> str | None:
    """Return the sense of another word under which a word is listed, as a variant or an odd form of it."""
    if not entries:
        return None
    first = entries[0]
    return f"see {first.headwords[0].lower()}: {Sense(first.part, first.gloss)}"


@cache
def installed_gcide(folders: tuple[Path, ...] = FOLDERS) -> Gcide | None:
    """Return the GCIDE of the first of these folders where it can be read."""
    for folder in folders:
        with suppress(LexiconError):
            return Gcide(folder)
    return None


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
    return shortened(sentence, LONGEST)


MAX_INDEX_BYTES = 64 << 20
"""Far more than the headwords of any dictionary take. [by eye]"""

MAX_ENTRY_BYTES = 1 << 14
"""Most bytes that are read of an entry. [by eye]"""

_DIGITS = {digit: value for value, digit in enumerate(f"{string.ascii_letters}{string.digits}+/".swapcase())}
_LONGEST_NUMBER = 10  # digits: 60 bits
_UNSORTED = re.compile(rb"[^a-z0-9 \x80-\xff]")

_EXTRA, _NAME, _COMMENT, _CHECKSUM = 4, 8, 16, 2
_HEADER_BYTES = 1 << 17
_FIXED_BYTES = 10


class Database:
    """A dictionary in a folder: ``name.index`` and ``name.dict`` or ``name.dict.dz``.

    This is the format of the dictd server. Each line of the index is a headword, an offset and a length in the text,
    with tabs between them, the numbers in base 64 (``A-Za-z0-9+/``). Lines are sorted by the letters, digits and
    spaces of their headwords, whatever their case. The text is plain or compressed by dictzip: gzip (RFC 1952) in
    chunks that can each be decompressed alone, with their lengths in the header's RA field.

    Raises LexiconError when a file is missing or is no such file. Files may change or go while it is in use.
    """

    def __init__(self, folder: Path, name: str) -> None:
        try:
            path = folder / f"{name}.index"
            if path.stat().st_size > MAX_INDEX_BYTES:
                raise LexiconError(f"{quoted(str(path))} is too large for an index: install {name} again")
            self._index = path.read_bytes()
            plain = folder / f"{name}.dict"
            self._text = PlainText(plain) if plain.is_file() else Dictzip.open(folder / f"{name}.dict.dz")
        except OSError as error:
            raise LexiconError(f"the dictionary {name} cannot be read: install it again") from error

    def entries(self, headword: str) -> list[str]:
        """Return the entries under a headword, whatever its case, in the index's order.

        An entry may be listed under several headwords. Raises LexiconError when the text cannot be read.
        """
        wanted = headword.lower().encode()
        try:
            return [
                self._text.read(offset, min(length, MAX_ENTRY_BYTES)).decode("utf-8", "replace")
                for offset, length in dict.fromkeys(self._places(wanted))
            ]
        except (OSError, zlib.error) as error:
            raise LexiconError(f"the entry {quoted(headword)} cannot be read: install it again") from error

    def _places(self, wanted: bytes) -> list[tuple[int, int]]:
        """Return where the entries under `wanted`, in small letters, are: offset and length in bytes of text."""
        key = _sort_key(wanted)
        at = self._first_line(key)
        places = []
        while at < len(self._index):
            line, at = self._line(at)
            fields = line.rstrip(b"\r").split(b"\t")
            if _sort_key(fields[0]) != key:
                break
            if fields[0].lower() == wanted and len(fields) >= 3:
                offset, length = _number(fields[1]), _number(fields[2])
                if offset is not None and length is not None:
                    places.append((offset, length))
        return places

    def _first_line(self, key: bytes) -> int:
        """Return where the first line begins whose headword does not sort before `key`."""
        low, high = 0, len(self._index)
        while low < high:
            start = self._index.rfind(b"\n", low, (low + high) // 2) + 1 or low
            line, following = self._line(start)
            if _sort_key(line.partition(b"\t")[0]) < key:
                low = following
            else:
                high = start
        return low

    def _line(self, start: int) -> tuple[bytes, int]:
        """Return the line that begins at `start`, and where the next one does."""
        end = self._index.find(b"\n", start)
        end = len(self._index) if end < 0 else end
        return self._index[start:end], end + 1


@dataclass(frozen=True)
class PlainText:
    """Entries in a file as they are."""

    path: Path

    def read(self, offset: int, length: int) -> bytes:
        """Return `length` bytes from `offset`, fewer at the end. Raises OSError."""
        with self.path.open("rb") as file:
            file.seek(offset)
            return file.read(length)


@dataclass(frozen=True)
class Dictzip:
    """Entries in a file of dictzip: all chunks but the last give `chunk_bytes` of text.

    `starts` are the chunks' offsets in the file and, last, where they end.
    """

    path: Path
    chunk_bytes: int
    starts: tuple[int, ...]

    @staticmethod
    def open(path: Path) -> Dictzip:
        """Read the header. Raises OSError, and LexiconError if it is no dictzip header."""
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
        try:
            chunk_bytes, lengths = _chunks(header)
            at = _header_length(header)
        except (struct.error, ValueError) as error:
            raise LexiconError(f"{quoted(str(path))} is no dictzip file: install it again") from error
        starts = [at]
        for length in lengths:
            starts.append(starts[-1] + length)
        return Dictzip(path, chunk_bytes, tuple(starts))

    def read(self, offset: int, length: int) -> bytes:
        """Return `length` bytes of text from `offset`, fewer at the end. Raises OSError and zlib.error."""
        first = offset // self.chunk_bytes
        last = min((offset + length - 1) // self.chunk_bytes, len(self.starts) - 2)
        text = b""
        with self.path.open("rb") as file:
            for chunk in range(first, last + 1):
                file.seek(self.starts[chunk])
                packed = file.read(self.starts[chunk + 1] - self.starts[chunk])
                text += zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, self.chunk_bytes)
        begin = offset - first * self.chunk_bytes
        return text[begin : begin + length]


def _sort_key(headword: bytes) -> bytes:
    return _UNSORTED.sub(b"", headword.lower())


def _number(digits: bytes) -> int | None:
    """Return a number in base 64; None where it is none."""
    value = 0
    for digit in digits.decode("latin-1"):
        if digit not in _DIGITS:
            return None
        value = value * 64 + _DIGITS[digit]
    return value if 0 < len(digits) <= _LONGEST_NUMBER else None


def _chunks(header: bytes) -> tuple[int, tuple[int, ...]]:
    """Return the bytes of text in a chunk and the bytes that each chunk takes, from the RA field."""
    magic, flags = struct.unpack_from("<3sB", header)
    if magic != b"\x1f\x8b\x08" or not flags & _EXTRA:
        raise ValueError("no gzip file with an extra field")
    (extra,) = struct.unpack_from("<H", header, _FIXED_BYTES)
    at, end = _FIXED_BYTES + 2, _FIXED_BYTES + 2 + extra
    while at < end:
        name, length = struct.unpack_from("<2sH", header, at)
        if name == b"RA":
            version, chunk_bytes, count = struct.unpack_from("<3H", header, at + 4)
            if version != 1 or not chunk_bytes:
                raise ValueError("an unknown version of the RA field")
            return chunk_bytes, struct.unpack_from(f"<{count}H", header, at + 10)
        at += 4 + length
    raise ValueError("no RA field")


def _header_length(header: bytes) -> int:
    """Return where the compressed data begins in a gzip file with an extra field."""
    (extra,) = struct.unpack_from("<H", header, _FIXED_BYTES)
    at: int = _FIXED_BYTES + 2 + extra
    for flag in (_NAME, _COMMENT):
        if header[3] & flag:
            at = header.index(b"\0", at) + 1
    return at + 2 if header[3] & _CHECKSUM else at
