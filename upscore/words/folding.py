"""Folds written words to the plain capitals that tiles show."""

from __future__ import annotations

import unicodedata

_UNFOLDED = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th", "ł": "l"})


def fold(entry: str) -> str:
    """An entry in capitals without its accents: ``"crêpe"`` gives ``"CREPE"``.

    Signs that are no letters stay as they are.
    """
    if entry.isascii():
        return entry.upper()
    plain = unicodedata.normalize("NFD", entry.lower().translate(_UNFOLDED))
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).upper()
