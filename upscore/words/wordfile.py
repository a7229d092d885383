"""Reads and checks a table's own word list: one word a line, folded to the plain capitals that tiles show."""

from __future__ import annotations

import codecs
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from engine import LexiconError
from engine.errors import quoted

_UNFOLDED = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th", "ł": "l"})


def fold(entry: str) -> str:
    """Return an entry in capitals without its accents: ``"crêpe"`` gives ``"CREPE"``.

    Signs that are no letters stay as they are.
    """
    if entry.isascii():
        return entry.upper()
    plain = unicodedata.normalize("NFD", entry.lower().translate(_UNFOLDED))
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).upper()


MAX_BYTES = 64 << 20
"""Far more than any dictionary of words has. [by eye]"""

_SHOWN = 3


@dataclass(frozen=True)
class SkippedEntry:
    """A line that is no word of plain letters: its number, from 1, its text, and why."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True)
class WordFileReport:
    """What a word file holds: its encoding, its words, and what was folded, repeated or left out.

    `accented` words were taken without their accents, `duplicates` once.
    """

    path: Path
    encoding: str
    words: int
    accented: int
    duplicates: int
    skipped: tuple[SkippedEntry, ...]

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
        return tuple(lines)


def read_word_file(path: Path) -> tuple[set[str], WordFileReport]:
    """Return the words of a file, in plain capitals, and a report.

    Lines that begin with # are comments. Where most of the file is in lower case, an entry with a capital is a
    name and is left out. Raises LexiconError when the file is missing, is no text, or
    holds no words.
    """
    text, encoding = _decoded(path)
    entries = [(at, line.strip()) for at, line in enumerate(text.splitlines(), 1)]
    entries = [(at, entry) for at, entry in entries if entry and not entry.startswith("#")]
    lower = sum(entry == entry.lower() for _, entry in entries) * 2 > len(entries)
    words: set[str] = set()
    skipped: list[SkippedEntry] = []
    accented = duplicates = 0
    for at, entry in entries:
        word = fold(entry)
        reason = _objection(entry, word, lower=lower)
        if reason:
            skipped.append(SkippedEntry(at, entry, reason))
            continue
        accented += not entry.isascii()
        duplicates += word in words
        words.add(word)
    if not words:
        raise LexiconError(f"the word list {quoted(str(path))} holds no words: put one word on each line")
    return words, WordFileReport(path, encoding, len(words), accented, duplicates, tuple(skipped))


def _objection(entry: str, word: str, *, lower: bool) -> str | None:
    if not (word.isascii() and word.isalpha()):
        return "with signs that no tile has"
    if lower and entry != entry.lower():
        return "with a capital letter, a name"
    return None


def _decoded(path: Path) -> tuple[str, str]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise LexiconError(f"{quoted(str(path))} is too large for a word list: give a smaller file")
        data = path.read_bytes()
    except OSError as error:
        why = error.strerror or "it cannot be opened"
        raise LexiconError(
            f"the word list {quoted(str(path))} cannot be read ({why}): give a text file"
        ) from None
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
