"""The shipped word lists and meanings, and what loads them: lists by name, a table's own from a file.

Of each shipped list it is said what it is, in words fit for the page where one is chosen, with what was measured of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from engine import Lexicon, LexiconError
from engine.errors import quoted
from upscore.words.meanings import Meanings
from upscore.words.packaged import everyday, not_inflections, not_plurals, packed_lines, packed_table
from upscore.words.wordfile import WordFileReport, read_word_file

LISTS_NOTE = (
    "These lists are made from free dictionaries, not from the official lists of any word game, which may not be "
    "copied. Of the words of two to eight letters that the American tournament list of 2006 allows, the usual list "
    "has about 81 in 100; of its own words 99 in 100 are allowed by that list or by the British one of 2019. "
    "If you own a dictionary as a text file, one word on each line, start with: upscore serve --lexicon FILE"
)
"""What the page says of the shipped lists; measured as docs/lexicon.md says."""


@dataclass(frozen=True)
class ListInfo:
    """A list: its name in calls, what the page calls it, how a verdict speaks of it, one sentence, and its files."""

    name: str
    label: str
    spoken: str
    description: str
    files: tuple[str, ...] = ()


_ALL = (
    ListInfo(
        "both",
        "American and British",
        "the American and British word list",
        "American and British words, either spelling: the usual list, and the best where you are not sure.",
        ("shared.txt", "american.txt", "british.txt"),
    ),
    ListInfo(
        "standard",
        "American",
        "the American word list",
        "Words as Americans spell them: color and tire, but not colour and tyre.",
        ("shared.txt", "american.txt"),
    ),
    ListInfo(
        "standard-british",
        "British",
        "the British word list",
        "Words as the British spell them: colour and tyre, but not color.",
        ("shared.txt", "british.txt"),
    ),
    ListInfo(
        "large",
        "Large",
        "the large word list",
        "All of these and very many rare words: for players who study words; 2 in 100 are in no official list.",
        ("shared.txt", "american.txt", "british.txt", "large.txt"),
    ),
)
SHIPPED: Mapping[str, ListInfo] = MappingProxyType({info.name: info for info in _ALL})
"""The shipped lists by their names, the usual one first."""


def list_info(name: str) -> ListInfo:
    """Return the list of that name; a table's own list is called by its file's name."""
    if name in SHIPPED:
        return SHIPPED[name]
    file = Path(name).name
    return ListInfo(name, file, f"the word list {file}", "Your own list.")


DEFAULT_LEXICON = "both"


def lexicon_names() -> tuple[str, ...]:
    """Return the names of the shipped lists, the default first."""
    return tuple(SHIPPED)


def load_lexicon(name_or_file: str = DEFAULT_LEXICON) -> Lexicon:
    """Return a shipped list by its name, or the list of a file with one word a line.

    What a file holds besides words is left out in silence: `load_word_file` reports it.
    Raises LexiconError where there is no such list or it cannot be read.
    """
    if name_or_file in SHIPPED:
        return _load_shipped(name_or_file)
    if not _is_there(Path(name_or_file)):
        names = ", ".join(SHIPPED)
        raise LexiconError(f"there is no word list {quoted(name_or_file)}: choose {names}, or give a file")
    return load_word_file(Path(name_or_file))[0]


def load_word_file(path: Path) -> tuple[Lexicon, WordFileReport]:
    """Return the lexicon of a table's own file, named after it, and what was found in the file.

    A file that is called as a shipped list is does not pass for it: its list is named ``./large``.
    Raises LexiconError when the file is missing, is no text, or holds no words.
    """
    words, report = read_word_file(path)
    return _lexicon(words, f"./{path.name}" if path.name in SHIPPED else path.name), report


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name too long for the file system, or a folder that may not be looked into
        return False


@cache
def load_meanings() -> Meanings:
    """Return what words mean, from WordNet and, for the shortest words and those of grammar, our own table."""
    return Meanings(packed_table("meanings.txt"), packed_table("irregular.txt"))


@cache
def _load_shipped(name: str) -> Lexicon:
    words = [word for part in SHIPPED[name].files for word in packed_lines(part)]
    return _lexicon(words, name)


def _lexicon(words: Iterable[str], name: str) -> Lexicon:
    known = frozenset(words)
    return Lexicon.from_words(
        known, name=name, not_plurals=not_plurals(), not_inflections=not_inflections(), rare=_rare(known)
    )


def _rare(words: frozenset[str]) -> frozenset[str]:
    """Return the words that are not in everyday use; none for a list of another language, or of few words."""
    used = everyday()
    return words - used if 2 * len(words & used) > len(used) else frozenset()


def file_digest(file: str) -> str:
    """Return a digest of a word list's file: taken when the list is loaded, it tells a change. Raises LexiconError."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError as error:
        raise LexiconError(f"the word list {quoted(file)} cannot be read: put the file back, then ask again") from error


def check_unchanged(file: str, digest: str) -> None:
    """Raise LexiconError, one line to show, if a word list's file has changed since `digest` was taken, or is gone.

    Nothing is changed by asking: the page keeps the words that it has loaded.
    """
    if file_digest(file) != digest:
        raise LexiconError(
            f"The word list {Path(file).name} has changed since the page was started: put the old file back, or start "
            "the page again to go by the new one."
        )
