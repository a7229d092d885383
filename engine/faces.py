"""Tile faces: the letters A to Z, with Qu in the place of Q."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.errors import NotationError, quote
from engine.wording import phrase

FACES: tuple[str, ...] = tuple("Qu" if letter == "Q" else letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""All 26 faces in alphabetical order; the order of every table over faces."""

_BY_UPPER = {face.upper(): face for face in FACES} | {"Q": "Qu"}

HALF_TURNED: Mapping[str, str] = {**{face: face for face in "HINOSXZ"}, "M": "W", "W": "M"}
"""The face that each of these shows when it stands on its head; the other faces then show no letter."""


def parse_face(text: str) -> str:
    """Return the face that `text` names, in upper or lower case.

    ``Q`` names the Qu tile, since no tile shows a lone Q. Raises NotationError for anything else.

    >>> parse_face("qu")
    'Qu'
    """
    face = _BY_UPPER.get(text.upper()) if text.isascii() else None
    if face is None:
        raise NotationError(phrase("%(text)s is not a tile: write a letter A to Z, or Qu", text=quote(text)))
    return face


def parse_faces(text: str, *, lone_q: bool = False) -> tuple[str, ...]:
    """Parse faces written one after another in `text`; QU is always the one Qu tile.

    >>> parse_faces("AEINSTQu")
    ('A', 'E', 'I', 'N', 'S', 'T', 'Qu')

    Pass `lone_q` for a game whose tiles show a lone Q instead of Qu. QU is then two tiles, that one and a U.

    Raises NotationError that names the character that is not a letter, and its place.
    """
    faces: list[str] = []
    for sign in re.finditer("." if lone_q else "QU|.", text, re.IGNORECASE | re.DOTALL):
        face = _BY_UPPER.get(sign[0].upper()) if sign[0].isascii() else None
        if face is None:
            place = phrase("character %(number)s of %(text)s", number=sign.start() + 1, text=quote(text))
            letters = phrase("A to Z") if lone_q else phrase("A to Z, or Qu")
            raise NotationError(
                phrase(
                    "%(sign)s (%(place)s) is not a tile: write letters %(letters)s",
                    sign=quote(sign[0]),
                    place=place,
                    letters=letters,
                )
            )
        faces.append(face)
    return tuple(faces)


def format_faces(faces: Iterable[str]) -> str:
    """Write faces one after another, the inverse of `parse_faces`: ``("A", "Qu")`` gives ``"AQu"``."""
    return "".join(faces)


def spell(faces: Iterable[str]) -> str:
    """Return the word that faces spell, in capitals; Qu stands for the two letters QU.

    >>> spell(("Qu", "I", "T"))
    'QUIT'
    """
    return "".join(faces).upper()
