"""Reads and checks a table's own word list: a word at the start of each line, folded to the plain capitals of tiles.

Lists come with meanings, scores and marks, as CSV, packed with gzip, or as a spelling checker's ``.dic``.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
import zlib
from dataclasses import dataclass
from pathlib import Path

from engine import LexiconError
from engine.errors import quoted

_UNFOLDED = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th", "ł": "l"})


def fold(entry: str) -> str:
    """Return an entry in capitals without accents, ``"CREPE"`` for ``"crêpe"``; signs stay as they are."""
    if entry.isascii():
        return entry.upper()
    plain = unicodedata.normalize("NFD", entry.lower().translate(_UNFOLDED))
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).upper()


MAX_BYTES = 64 << 20
"""Far more than any dictionary of words has. [by eye]"""

CAPITALS_SHARE = 0.2
"""Share of capitalised entries from which they are words and not names: a German list has a third. [by eye]"""

_SHOWN = 3

_OPTION = re.compile(r"#\s*capitals:\s*(words|names)\s*$", re.IGNORECASE)
_FIELD = re.compile(r"[\t,;|]|\s{2,}|\s+\d+$|\s+[-=:]\s")
_FLAGS = re.compile(r"/.*")


@dataclass(frozen=True)
class SkippedEntry:
    """A line that is no word of plain letters: its number, from 1, its text, and why."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True)
class WordFileReport:
    """What a word file holds: its encoding, its words, and what was folded, repeated or left out.

    `accented` words were taken without their accents, `duplicates` once. `notes` say what was decided about the file.
    """

    path: Path
    encoding: str
    words: int
    accented: int
    duplicates: int
    skipped: tuple[SkippedEntry, ...]
    notes: tuple[str, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """Return the report in sentences, one a line; nothing to object to gives just the first."""
        lines = [f"{self.path.name}: {self.words} words ({self.encoding})"]
        if self.duplicates:
            lines.append(f"{self.path.name}: {self.duplicates} lines repeat a word")
        if self.accented:
            lines.append(f"{self.path.name}: {self.accented} words taken without their accents")
        reasons = dict.fromkeys(entry.reason for entry in self.skipped)
        for reason in reasons:
            entries = [entry for entry in self.skipped if entry.reason == reason]
            shown = ", ".join(f"{quoted(entry.text)} in line {entry.line}" for entry in entries[:_SHOWN])
            more = ", ..." if len(entries) > _SHOWN else ""
            lines.append(f"{self.path.name}: {len(entries)} left out, {reason}: {shown}{more}")
        return (*lines, *(f"{self.path.name}: {note}" for note in self.notes))


def read_word_file(path: Path) -> tuple[set[str], WordFileReport]:
    """Return the words of a file, in plain capitals, and a report.

    The first field of a line is the word. Lines that begin with # are comments. Where less than a fifth of the entries
    is capitalised, these are names and are left out; the comment ``# capitals: words`` or ``# capitals: names`` decides
    otherwise. Raises LexiconError when the file is missing, is no text, or holds no words.
    """
    text, encoding = _decoded(path)
    lines = text.splitlines()
    entries, notes = _entries(path, lines)
    capitals = sum(map(_is_capitalised, (entry for _, entry in entries)))
    option = next((found[1].lower() for line in lines if (found := _OPTION.match(line))), None)
    names = capitals < CAPITALS_SHARE * len(entries) if option is None else option == "names"
    words: set[str] = set()
    skipped: list[SkippedEntry] = []
    accented = duplicates = 0
    for at, entry in entries:
        word = fold(entry)
        reason = _objection(entry, word, names=names)
        if reason:
            skipped.append(SkippedEntry(at, entry, reason))
            continue
        accented += not entry.isascii()
        duplicates += word in words
        words.add(word)
    if not words:
        raise LexiconError(f"the word list {quoted(str(path))} holds no words: put one word on each line")
    if capitals:
        done = "left out as names" if names else "taken as words"
        other = '"# capitals: words" to take them' if names else '"# capitals: names" to leave them out'
        notes.append(f"{capitals} capitalised entries {done}; begin the file with {other}")
    report = WordFileReport(path, encoding, len(words), accented, duplicates, tuple(skipped), tuple(notes))
    return words, report


def _entries(path: Path, lines: list[str]) -> tuple[list[tuple[int, str]], list[str]]:
    """Return the first field of each line with its number, without marks, and what is to be told of the file."""
    fields = [(at, _FIELD.split(line.strip(), maxsplit=1)[0]) for at, line in enumerate(lines, 1) if line[:1] != "#"]
    notes = []
    if path.suffix == ".dic" and fields:
        fields = [(at, _FLAGS.sub("", field)) for at, field in fields if not field.isdigit()]
        notes.append("a spelling checker's list: its .aff file is not read, so that most inflected forms are missing")
    spaced = sum(" " in field.strip() for _, field in fields)
    if 2 * spaced > len(fields):
        fields = [(at, field.split(maxsplit=1)[0]) for at, field in fields if field.strip()]
    plain = ((at, field.strip(' \t"*#+!^~')) for at, field in fields)
    return [(at, field) for at, field in plain if field], notes


def _is_capitalised(entry: str) -> bool:
    return entry[:1].isupper() and entry[1:].islower()


def _objection(entry: str, word: str, *, names: bool) -> str | None:
    if not (word.isascii() and word.isalpha()):
        return "with signs that no tile has"
    if names and _is_capitalised(entry):
        return "with a capital letter, a name"
    return None


def _decoded(path: Path) -> tuple[str, str]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise LexiconError(f"{quoted(str(path))} is too large for a word list: give a smaller file")
        data = path.read_bytes()
    except OSError as error:
        why = error.strerror or "it cannot be opened"
        raise LexiconError(f"the word list {quoted(str(path))} cannot be read ({why}): give a text file") from None
    if data.startswith(b"\x1f\x8b"):
        data = _unpacked(path, data)
    marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    if data.startswith(marks):
        encodings = ["utf-16"]
    elif b"\0" in data:
        raise LexiconError(f"{quoted(str(path))} is no text file: give a file with one word a line")
    else:
        encodings = ["utf-8-sig", "latin-1"]
    for encoding in encodings:
        try:
            return data.decode(encoding), encoding.removesuffix("-sig")
        except UnicodeDecodeError:
            continue
    raise LexiconError(f"the word list {quoted(str(path))} is damaged: save it as UTF-8 text")


def _unpacked(path: Path, data: bytes) -> bytes:
    packed = zlib.decompressobj(wbits=31)  # 31: gzip
    try:
        plain = packed.decompress(data, MAX_BYTES + 1)
    except zlib.error:
        plain = b""
    if len(plain) > MAX_BYTES:
        raise LexiconError(f"{quoted(str(path))} is too large for a word list: give a smaller file")
    if not packed.eof:
        raise LexiconError(f"{quoted(str(path))} is damaged: unpack it, and give the text file")
    return plain
