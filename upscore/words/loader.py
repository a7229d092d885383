"""Loads word lists and meanings: shipped lists and languages by name, a table's own from a file.

Each shipped list comes with a sentence for the page on which people choose one.

A table's own list has a word at the start of each line, folded to the plain capitals of tiles. Lists come with
meanings, scores and marks, as CSV, packed with gzip, or as a spelling checker's ``.dic``.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from engine import ENGLISH, Alphabet, Lexicon, LexiconError
from engine.errors import quote
from engine.faces import capitals
from engine.wording import join_names, number_of, phrase
from upscore.words.languages import LANGUAGES, load_language
from upscore.words.list_text import fold, read_text
from upscore.words.meanings import Meanings
from upscore.words.packaged import everyday, not_inflections, not_plurals, read_packed_lines, read_packed_table

LISTS_NOTE = phrase(
    "These lists come from free dictionaries, since official lists may not be copied: the usual one has about 81 in "
    "100 of the words of two to eight letters that American tournaments allowed in 2006. To play by your own "
    "dictionary, a text file with one word on each line, start: upscore serve --lexicon FILE"
)
"""The page's note on the shipped lists, measured as docs/lexicon.md says."""


@dataclass(frozen=True)
class ListInfo:
    """A list: its name in calls, its name on the page, its name in verdicts, a description, and its files."""

    name: str
    label: str
    spoken: str
    description: str
    files: tuple[str, ...] = ()


_ALL = (
    ListInfo(
        "both",
        phrase("American and British"),
        phrase("the American and British word list"),
        phrase("American and British words, either spelling: the usual list, and the best where you are not sure."),
        ("shared.txt", "american.txt", "british.txt"),
    ),
    ListInfo(
        "standard",
        phrase("American"),
        phrase("the American word list"),
        phrase("Words as Americans spell them: color and tire, but not colour and tyre."),
        ("shared.txt", "american.txt"),
    ),
    ListInfo(
        "standard-british",
        phrase("British"),
        phrase("the British word list"),
        phrase("Words as the British spell them: colour and tyre, but not color."),
        ("shared.txt", "british.txt"),
    ),
    ListInfo(
        "large",
        phrase("Large"),
        phrase("the large word list"),
        phrase("All of these and very many rare words: for players who study words; 2 in 100 are in no official list."),
        ("shared.txt", "american.txt", "british.txt", "large.txt"),
    ),
)
SHIPPED: Mapping[str, ListInfo] = MappingProxyType({info.name: info for info in _ALL})
"""The shipped lists by their names, the usual one first."""


def list_info(name: str) -> ListInfo:
    """Return the list of that name; a table's own list is called by its file's name."""
    if name in SHIPPED:
        return SHIPPED[name]
    if language := LANGUAGES.get(name):
        lacking = (
            phrase(", without those with %(upper)s", upper=join_names(language.own.upper())) if language.own else ""
        )
        return ListInfo(
            name,
            language.label,
            phrase("the %(language)s word list", language=language.label),
            phrase(
                "Words of Debian's package %(package)s%(lacking)s. No meanings are shown.",
                package=language.package,
                lacking=lacking,
            ),
        )
    file = Path(name).name
    return ListInfo(name, file, phrase("the word list %(file)s", file=file), phrase("Your own list."))


DEFAULT_LEXICON = "both"


def lexicon_names() -> tuple[str, ...]:
    """Return the names of the shipped lists, the default first."""
    return tuple(SHIPPED)


def word_language(name: str) -> str:
    """Return the code of the language of a list, "" for a table's own list."""
    return name if name in LANGUAGES else "en" if name in SHIPPED else ""


def is_own_list(name: str) -> bool:
    """Return whether a name is that of a file, a table's own list, not of a shipped list or a language."""
    return name not in SHIPPED and name not in LANGUAGES


def load_lexicon(name_or_file: str = DEFAULT_LEXICON, alphabet: Alphabet = ENGLISH) -> Lexicon:
    """Return a shipped list by its name, a language's by its code, or the list of a file with one word a line.

    It has the words that tiles of an alphabet can spell.
    Anything in a file that isn't a word is left out in silence; `load_word_file` and `load_language` report it.
    Raises LexiconError if there is no such list or it cannot be read.
    """
    if name_or_file in SHIPPED:
        return _load_shipped(name_or_file, alphabet)
    if name_or_file in LANGUAGES:
        return load_language(name_or_file, alphabet=alphabet)[0]
    if not _is_there(Path(name_or_file)):
        names = ", ".join(SHIPPED)
        raise LexiconError(f"there is no word list {quote(name_or_file)}: choose {names}, or give a file")
    return load_word_file(Path(name_or_file), alphabet)[0]


def load_word_file(path: Path, alphabet: Alphabet = ENGLISH) -> tuple[Lexicon, WordFileReport]:
    """Return the lexicon of a table's own file, named after it, and a report on the file.

    A file with the name of a shipped list isn't mistaken for it: its list is named ``./large``. Raises LexiconError if
    the file is missing, isn't text, or holds no words.
    """
    words, report = read_word_file(path, alphabet)
    return _lexicon(words, path.name if is_own_list(path.name) else f"./{path.name}", alphabet), report


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name too long for the file system, or a folder without permission
        return False


@cache
def load_meanings() -> Meanings:
    """Return the meanings of words, from WordNet and, for short words and words of grammar, from our own table."""
    return Meanings(
        read_packed_table("meanings.txt"),
        read_packed_table("irregular.txt"),
        recent=read_packed_table("recent.txt"),
        everyday=everyday(),
    )


@cache
def _load_shipped(name: str, alphabet: Alphabet) -> Lexicon:
    words = [word for part in SHIPPED[name].files for word in read_packed_lines(part)]
    return _lexicon(words if alphabet.is_english else filter(alphabet.letters.issuperset, words), name, alphabet)


def _lexicon(words: Iterable[str], name: str, alphabet: Alphabet) -> Lexicon:
    known = frozenset(words)
    return Lexicon.from_words(
        known,
        name=name,
        not_plurals=not_plurals(),
        not_inflections=not_inflections(),
        rare=_rare(known),
        alphabet=alphabet,
    )


def _rare(words: frozenset[str]) -> frozenset[str]:
    """Return the words that are not in everyday use; none for a list of another language, or of few words."""
    used = everyday()
    return words - used if 2 * len(words & used) > len(used) else frozenset()


def file_digest(file: str) -> str:
    """Return a digest of a word list's file. Compare it later to notice a change. Raises LexiconError."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError as error:
        raise LexiconError(f"the word list {quote(file)} cannot be read: put the file back, then ask again") from error


def check_unchanged(file: str, digest: str) -> None:
    """Raise LexiconError, one line to show, if a word list's file has changed since `digest` was taken, or is gone.

    This changes nothing: the page keeps the words that it has loaded.
    """
    if file_digest(file) != digest:
        raise LexiconError(
            f"The word list {Path(file).name} has changed since the page was started: put the old file back, or start "
            "the page again to go by the new one."
        )


CAPITALS_SHARE = 0.2
"""Share of capitalised entries from which they are words and not names: a German list has a third. [by eye]"""

MARKED_SHARE = 0.1
"""Share of lines with a word right after # from which it is a mark: else they are words switched off. [by eye]"""

_SHOWN = 3

_OPTION = re.compile(r"#\s*capitals:\s*(words|names)\s*$", re.IGNORECASE)
_FIELD = re.compile(r"[\t,;|]|\s{2,}|\s+\d+$|\s+[-=:]\s|:\s")
_BULLET = re.compile(r"(?:\d+[.):]?|[-\u2022])\s+(?=\S)")
"""What stands before a word in a numbered list, in one with its scores first, or in one with dashes."""

_MARKED = re.compile(r"#[^\W\d_]+")
_DIVIDERS = "\t,;|"
_FLAGS = re.compile(r"/.*")
_MARKS = ' \t"*#+!^~\u201c\u201d\u201e\u00ab\u00bb'


@dataclass(frozen=True)
class SkippedEntry:
    """An entry or row without a word of plain letters: its line, from 1, its text, and why it was left out."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True)
class WordFileReport:
    """A report on a word file: its encoding, its words, and what was folded, repeated or left out.

    `accented` words were taken without their accents, `duplicates` only once. `notes` say how the file was understood.
    """

    path: Path
    encoding: str
    words: int
    accented: int
    duplicates: int
    skipped: tuple[SkippedEntry, ...]
    notes: tuple[str, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """Return the report in sentences, one a line. If all is well, there is only the first."""
        lines = [f"{self.path.name}: {self.words} words ({self.encoding})"]
        if self.duplicates:
            lines.append(f"{self.path.name}: {self.duplicates} lines repeat a word")
        if self.accented:
            lines.append(f"{self.path.name}: {number_of(self.accented, 'word')} taken without accents")
        reasons = dict.fromkeys(entry.reason for entry in self.skipped)
        for reason in reasons:
            entries = [entry for entry in self.skipped if entry.reason == reason]
            shown = ", ".join(f"{quote(entry.text)} in line {entry.line}" for entry in entries[:_SHOWN])
            more = ", ..." if len(entries) > _SHOWN else ""
            lines.append(f"{self.path.name}: {len(entries)} left out, {reason}: {shown}{more}")
        return (*lines, *(f"{self.path.name}: {note}" for note in self.notes))


def read_word_file(path: Path, alphabet: Alphabet = ENGLISH) -> tuple[set[str], WordFileReport]:
    """Return the words of a file, in the capitals of tiles, and a report.

    The first field of a line is the word, or the column that the heading calls ``word`` or ``words``. Lines that begin
    with # are comments, unless a tenth of the lines have # and a word without a space as their first field: then # is
    a mark. If less than a fifth of the entries is capitalised, these are names and are left out; the comment
    ``# capitals: words`` or ``# capitals: names`` decides otherwise. Raises LexiconError if the file is missing, isn't
    text, or holds no words.
    """
    if _kind(path) == ".aff":
        raise LexiconError(f"{quote(str(path))} holds the rules of a spelling checker: give the .dic file beside it")
    text, encoding = read_text(path)
    lines = text.splitlines()
    entries, skipped, notes = _entries(path, lines)
    with_capital = sum(map(_is_capitalised, (entry for _, entry in entries)))
    option = next((found[1].lower() for line in lines if (found := _OPTION.match(line))), None)
    names = with_capital < CAPITALS_SHARE * len(entries) if option is None else option == "names"
    words: set[str] = set()
    accented = duplicates = 0
    for at, entry in entries:
        word = fold(entry, alphabet)
        reason = _objection(entry, word, alphabet, names=names)
        if reason:
            skipped.append(SkippedEntry(at, entry, reason))
            continue
        accented += not entry.isascii() and word != capitals(entry)
        duplicates += word in words
        words.add(word)
    if not words:
        foreign = any(entry.text.isalpha() and not fold(entry.text, alphabet).isascii() for entry in skipped)
        letters = "A to Z" if alphabet.is_english else alphabet.described
        mend = f" of the letters {letters}: give a list in that alphabet" if foreign else ": put one word on each line"
        raise LexiconError(f"the word list {quote(str(path))} holds no words{mend}")
    if with_capital:
        done = "left out as names" if names else "taken as words"
        other = '"# capitals: words" to take them' if names else '"# capitals: names" to leave them out'
        notes.append(f"{with_capital} capitalised entries {done}; begin the file with {other}")
    report = WordFileReport(path, encoding, len(words), accented, duplicates, tuple(skipped), tuple(notes))
    return words, report


def _kind(path: Path) -> str:
    """Return a file's suffix in small letters, ``".dic"`` for ``EN.DIC.gz``."""
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _entries(path: Path, lines: list[str]) -> tuple[list[tuple[int, str]], list[SkippedEntry], list[str]]:
    """Return the word's field of each line with its number, without marks, rows that lack it, and notes on the file."""
    texts, lacking = _from_word_column([(at, line) for at, line in enumerate(lines, 1) if line.strip()])
    texts = [(at, _BULLET.sub("", text, count=1) if _BULLET.match(text) else text) for at, text in texts]
    fields = [(at, _FIELD.split(text, maxsplit=1)[0]) for at, text in texts]
    marked = sum(_MARKED.fullmatch(field) is not None for _, field in fields)
    if marked < MARKED_SHARE * len(fields):
        marked = 0
    fields = [(at, field) for at, field in fields if field[:1] != "#" or (marked and _MARKED.fullmatch(field))]
    notes = [f"{number_of(marked, 'line')} with # before a word taken as words"] if marked else []
    if _kind(path) == ".dic" and fields:
        fields = [(at, _FLAGS.sub("", field)) for at, field in fields if not field.isdigit()]
        notes.append("a spelling checker's list: its .aff file is not read, so most inflected forms are missing")
    spaced = sum(" " in field.strip() for _, field in fields)
    if 2 * spaced > len(fields):
        fields = [(at, field.split(maxsplit=1)[0]) for at, field in fields if field.strip()]
    plain = ((at, field.strip(_MARKS)) for at, field in fields)
    return [(at, field) for at, field in plain if field], lacking, notes


def _from_word_column(texts: list[tuple[int, str]]) -> tuple[list[tuple[int, str]], list[SkippedEntry]]:
    """Return what stands under the heading ``word``, and the rows with nothing there; without a heading, all lines."""
    whole = dict(texts)
    first = next((at for at, text in texts if not _is_comment(text)), 0)
    found = _find_word_column(whole.get(first, ""))
    if found is None:
        return [(at, text.strip()) for at, text in texts], []
    divider, column = found
    # In the first column, # may be the mark of a word.
    below = [(at, text) for at, text in texts if at > first and (column == 0 or not _is_comment(text))]
    rows = [(at, cells[column].strip() if column < len(cells) else "") for at, cells in _rows(below, divider)]
    lacking = [SkippedEntry(at, whole[at].strip(), "with nothing in the word column") for at, cell in rows if not cell]
    return [(at, cell) for at, cell in rows if cell], lacking


def _is_comment(text: str) -> bool:
    return text.lstrip().startswith("#")


def _find_word_column(heading: str) -> tuple[str, int] | None:
    """Return the divider of a heading of several columns and which is called the word, from 0; None if none is."""
    for divider in _DIVIDERS:
        names = [name.strip().lower() for name in _row(heading, divider)]
        column = next((at for at, name in enumerate(names) if name in ("word", "words")), None)
        if column is not None and len(names) > 1:
            return divider, column
    return None


def _rows(texts: list[tuple[int, str]], divider: str) -> list[tuple[int, list[str]]]:
    """Return the cells of each row with the number of its first line. A cell in quotation marks may have many lines."""
    reader = csv.reader((text for _, text in texts), delimiter=divider, skipinitialspace=True, strict=True)
    rows: list[tuple[int, list[str]]] = []
    start = 0
    try:
        for cells in reader:
            rows.append((texts[start][0], cells))
            start = reader.line_num
    except csv.Error:  # one mark that is never closed would swallow all lines after it
        return [(at, _row(text, divider)) for at, text in texts]
    return rows


def _row(line: str, divider: str) -> list[str]:
    """Return the cells of a line by itself, none if it is too long for a table."""
    try:
        return next(csv.reader([line], delimiter=divider, skipinitialspace=True))
    except csv.Error:
        return []


def _is_capitalised(entry: str) -> bool:
    return entry[:1].isupper() and entry[1:].islower()


def _objection(entry: str, word: str, alphabet: Alphabet, *, names: bool) -> str | None:
    if not word or not alphabet.letters.issuperset(word):
        return "with characters that no tile has"
    if names and _is_capitalised(entry):
        return "with a capital letter, a name"
    return None
