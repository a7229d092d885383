"""Reads the text of word lists, in whatever encoding, and folds words to the plain capitals of tiles."""

from __future__ import annotations

import codecs
import unicodedata
import zlib
from pathlib import Path

from engine import ENGLISH, Alphabet, LexiconError
from engine.errors import quote
from engine.faces import capitals

MAX_BYTES = 64 << 20
"""Most bytes of a word file, far more than any dictionary has. [by eye]"""

_OTHER_FILES = (b"%PDF", b"{\\rtf")
"""How files begin that hold text but are no lists."""

_FOREIGN_SHARE = 0.5
"""Share of letters with accents in a file that isn't UTF-8 from which it is in another alphabet. [by eye]"""

_UNFOLDED = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th", "ł": "l"})


def fold(entry: str, alphabet: Alphabet = ENGLISH) -> str:
    """Return an entry in capitals without accents, ``"CREPE"`` for ``"crêpe"``; signs stay as they are.

    Letters that have tiles of their own in an alphabet stay, too.
    """
    if not alphabet.is_english:
        return alphabet.folded(capitals(unicodedata.normalize("NFC", entry)))
    if entry.isascii():
        return entry.upper()
    plain = unicodedata.normalize("NFD", entry.lower().translate(_UNFOLDED))
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).upper()


def read_text(path: Path) -> tuple[str, str]:
    """Return the text of a file and its encoding. Raises LexiconError if it can't be read or isn't text."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise LexiconError(f"{quote(str(path))} is too large for a word list: give a smaller file")
        data = path.read_bytes()
    except OSError as error:
        why = error.strerror or "it cannot be opened"
        raise LexiconError(f"the word list {quote(str(path))} cannot be read ({why}): give a text file") from None
    if data.startswith(b"\x1f\x8b"):
        data = _unpack(path, data)
    marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    if data.startswith(marks):
        encodings = ["utf-16"]
    elif b"\0" in data or data.startswith(_OTHER_FILES):
        raise LexiconError(f"{quote(str(path))} isn't a text file: give a file with one word a line")
    else:
        encodings = ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding in ("cp1252", "latin-1"):
            _check_latin(path, text)
            return text, "latin-1"
        return text, encoding.removesuffix("-sig")
    raise LexiconError(f"the word list {quote(str(path))} is damaged: save it as UTF-8 text")


def _check_latin(path: Path, text: str) -> None:
    """Raise LexiconError if most letters have accents: Russian in an old encoding reads so."""
    letters = [sign for sign in text if sign.isalpha()]
    if sum(not sign.isascii() for sign in letters) > _FOREIGN_SHARE * len(letters):
        raise LexiconError(f"the word list {quote(str(path))} is in an unknown encoding: save it as UTF-8 text")


def _unpack(path: Path, data: bytes) -> bytes:
    packed = zlib.decompressobj(wbits=31)  # 31: gzip
    try:
        plain = packed.decompress(data, MAX_BYTES + 1)
    except zlib.error:
        plain = b""
    if len(plain) > MAX_BYTES:
        raise LexiconError(f"{quote(str(path))} is too large for a word list: give a smaller file")
    if not packed.eof:
        raise LexiconError(f"{quote(str(path))} is damaged: unpack it, and give the text file")
    return plain
