"""Loads the word lists of other languages, Debian's free ones, where they are installed.

Accents are folded: É is played with an E. But where a language's own sets have a tile for a letter, it is no accent:
words with it are left out and counted if the set that is played with lacks it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from engine import ENGLISH, Alphabet, Lexicon, LexiconError
from engine.errors import quote
from engine.faces import capitals
from engine.wording import number_of, phrase
from upscore.words.list_text import fold, read_text

FOLDER = Path("/usr/share/dict")
"""The folder in which Debian's packages put their word lists."""

_NO_TILE = "with characters that no tile has"
_SHOWN = 3
_NOT_LATIN_1 = re.compile("[\x80-\x9f\u0100-\uffff]")


@dataclass(frozen=True)
class Language:
    """A language: its English name, its list's file and package, and how its words are spelled with tiles.

    `own` are the letters that have tiles of their own in its sets. With `nouns` it writes nouns with a capital letter.
    """

    label: str
    file: str
    package: str
    own: str = ""
    nouns: bool = False

    def fold(self, entry: str, alphabet: Alphabet = ENGLISH) -> str:
        """Return an entry in capitals without accents. One with a letter that needs its own tile keeps all signs."""
        composed = unicodedata.normalize("NFC", entry)
        lacking = set(self.own.upper()) - alphabet.letters
        return fold(composed, alphabet) if lacking.isdisjoint(composed.upper()) else composed.upper()


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "da": Language(phrase("Danish"), "danish", "wdanish", "æøå"),
        "nl": Language(phrase("Dutch"), "dutch", "wdutch"),  # IJ is an I and a J
        "fr": Language(phrase("French"), "french", "wfrench"),
        "de": Language(phrase("German"), "ngerman", "wngerman", "äöü", nouns=True),  # ß is SS
        "it": Language(phrase("Italian"), "italian", "witalian"),
        "no": Language(phrase("Norwegian"), "bokmaal", "wnorwegian", "æøå"),
        "pl": Language(phrase("Polish"), "polish", "wpolish", "ąćęłńóśźż"),
        "pt": Language(phrase("Portuguese"), "portuguese", "wportuguese", "ç"),
        "es": Language(phrase("Spanish"), "spanish", "wspanish", "ñ"),  # CH is a C and an H, LL two L and RR two R
        "sv": Language(phrase("Swedish"), "swedish", "wswedish", "åäö"),
    }
)
"""The languages by their codes. `own` are the tiles that Scrabble has in each, the one such game with published sets
for all of them, as Wikipedia's "Scrabble letter distributions" lists them. Of German it says that ß is played as SS, Ä
never as AE, and that other marks don't count."""


def list_languages(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the codes of the languages whose lists are installed."""
    return tuple(code for code, language in LANGUAGES.items() if (folder / language.file).is_file())


@cache
def load_language(code: str, folder: Path = FOLDER, alphabet: Alphabet = ENGLISH) -> tuple[Lexicon, tuple[str, ...]]:
    """Return a language's list as tiles spell it, with sentences on dropped accents and on entries left out.

    The list knows no plurals and no rare words: our tables of them are English. Raises LexiconError, one line that
    says what to do, if the list is not installed, isn't text, or holds no words.
    """
    language, path = LANGUAGES[code], folder / LANGUAGES[code].file
    lacking = sorted(set(language.own.upper()) - alphabet.letters, key=language.own.upper().index)
    own = {*lacking, *"".join(lacking).lower()}
    plain: list[str] = []
    odd: list[str] = []
    unspelt: list[str] = []
    for entry in _lines(language, path):  # a list has millions of entries, so most of them should take only a few calls
        if entry.isascii() and entry.islower() and entry.isalpha() and len(entry) > 1:
            plain.append(entry)
        elif own.isdisjoint(entry):
            odd.append(entry)
        else:
            unspelt.append(entry)
    words = set("\n".join(plain).upper().split("\n"))
    accented, left_out = 0, {f"with letters that no tile has ({' '.join(lacking)})": unspelt}
    if not alphabet.is_english:
        spelt = set(filter(alphabet.letters.issuperset, words))
        left_out[_NO_TILE] = sorted(words - spelt)
        words = spelt
    for entry in filter(None, odd):
        word = fold(entry, alphabet)
        reason = _objection(entry, word, alphabet, nouns=language.nouns)
        if reason:
            left_out.setdefault(reason, []).append(entry)
        else:
            words.add(word)
            accented += not entry.isascii() and word != capitals(entry)
    words.discard("")  # for a list without plain words
    if not words:
        raise LexiconError(f"the word list {quote(str(path))} holds no words: install {language.package} again")
    return Lexicon.from_words(words, name=code, alphabet=alphabet), _objections(code, accented, left_out)


def _objections(code: str, accented: int, left_out: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return sentences on the words taken without accents, and on the entries left out by reason."""
    objections = [f"{code}: {number_of(accented, 'word')} taken without accents"] if accented else []
    for reason, entries in left_out.items():
        if entries:
            shown = ", ".join(map(quote, entries[:_SHOWN])) + (", ..." if len(entries) > _SHOWN else "")
            objections.append(f"{code}: {len(entries)} left out, {reason}: {shown}")
    return tuple(objections)


def _lines(language: Language, path: Path) -> list[str]:
    if not path.is_file():
        raise LexiconError(
            phrase(
                "the %(label)s word list is not installed: install the package %(package)s (Debian, Ubuntu) "
                "or, on any system, give a file with one word on each line",
                label=language.label,
                package=language.package,
            )
        )
    text, encoding = read_text(path)
    if encoding == "latin-1" and _NOT_LATIN_1.search(text + language.own):
        raise LexiconError(f"the word list {quote(str(path))} is in an unknown encoding: save it as UTF-8 text")
    return unicodedata.normalize("NFC", text).splitlines()


def _objection(entry: str, word: str, alphabet: Alphabet, *, nouns: bool) -> str | None:
    """Return why an entry can't be played with tiles, or None if it can.

    `word` is the entry in capitals without accents.
    """
    if not word or not alphabet.letters.issuperset(word):
        return _NO_TILE
    if len(word) == 1:
        return "of one letter"
    if not entry[1:].islower():
        return "with more capital letters, an abbreviation"
    if entry[0].isupper() and not nouns:
        return "with a capital letter, a name"
    return None
