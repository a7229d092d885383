"""Tile faces and alphabets: the letters A to Z with Qu in the place of Q, and those of other sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from unicodedata import normalize

from engine.errors import NotationError, quote
from engine.wording import phrase

FACES: tuple[str, ...] = tuple("Qu" if letter == "Q" else letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""All 26 faces of the English sets in alphabetical order; the order of every table over faces."""

HALF_TURNED: Mapping[str, str] = {**{face: face for face in "HINOSXZ"}, "M": "W", "W": "M"}
"""The face that each of these shows when it stands on its head; the other faces then show no letter."""

MAX_FACES = 60
"""The most faces of an alphabet. [by eye]"""
LONGEST_FACE = 3
"""The most letters on one tile."""
FIRST_SIGN = 65
"""The code of the first face's sign, an A."""
_WRITTEN_OUT = {"Æ": "AE", "Œ": "OE", "ẞ": "SS", "Ĳ": "IJ", "Þ": "TH", "Đ": "D", "Ð": "D", "Ł": "L", "Ø": "O"}
"""Letters that no sign is taken off, and how languages write them without."""


class _Signs(dict[int, str]):
    """Signs by the codes of letters, "\\0" for any other."""

    def __missing__(self, code: int) -> str:
        return "\0"


@dataclass(frozen=True)
class Alphabet:
    """The faces of a set in alphabetical order, the order of every table over its faces.

    A face is a capital, or a capital and small letters for a tile with several: ``"Qu"``, ``"Ch"``.
    """

    faces: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.faces)

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The place of each face."""
        return {face: number for number, face in enumerate(self.faces)}

    @cached_property
    def signs(self) -> str:
        """One ASCII character for each face, as the solver writes plays; in English the letter, Q for Qu."""
        return "".join(chr(FIRST_SIGN + number) for number in range(len(self.faces)))

    @cached_property
    def letters(self) -> frozenset[str]:
        """The capitals that its words have."""
        return frozenset("".join(map(capitals, self.faces)))

    @cached_property
    def is_english(self) -> bool:
        """True for A to Z with Qu."""
        return self.faces == FACES

    @cached_property
    def described(self) -> str:
        """What a tile shows, for messages."""
        if self.is_english:
            return phrase("A to Z, or Qu")
        return ", ".join(self.faces)

    def parse_face(self, text: str) -> str:
        """Return the face that `text` names, in upper or lower case; raise NotationError for anything else.

        Where no tile shows a lone Q, ``Q`` names the Qu tile.
        """
        face = self._named(normalize("NFC", text))
        if face is None:
            if self.is_english:
                raise NotationError(phrase("%(text)s is not a tile: write a letter A to Z, or Qu", text=quote(text)))
            raise NotationError(
                phrase("%(text)s is not a tile: write one of %(faces)s", text=quote(text), faces=self.described)
            )
        return face

    def parse_faces(self, text: str, *, lone_q: bool = False) -> tuple[str, ...]:
        """Parse faces written one after another.

        If there are L tiles and an LL tile, write LL for two L's, and Ll or ll for the one tile. GY is one tile where
        no tile shows a lone Y.

        `lone_q` is as for the function of this name. Raises NotationError that names the character that is not a
        letter, and its place.
        """
        text = normalize("NFC", text)
        faces: list[str] = []
        at = 0
        while at < len(text):
            length, face = self._face_at(text, at, lone_q)
            if face is None:
                place = phrase("character %(number)s of %(text)s", number=at + 1, text=quote(text))
                letters = phrase("A to Z") if lone_q else self.described
                raise NotationError(
                    phrase(
                        "%(sign)s (%(place)s) is not a tile: write letters %(letters)s",
                        sign=quote(text[at]),
                        place=place,
                        letters=letters,
                    )
                )
            faces.append(face)
            at += length
        return tuple(faces)

    def _face_at(self, text: str, at: int, lone_q: bool) -> tuple[int, str | None]:
        """Return how many characters of `text` from `at` on name a face, and the face; None if they name none."""
        for length in range(min(LONGEST_FACE, len(text) - at), 1, -1):
            part = text[at : at + length]
            face = None if lone_q else self._named(part)
            two_tiles = part[0].isupper() and part != face and self.number.keys() >= set(capitals(part))
            if face is not None and not two_tiles:
                return length, face
        return 1, self._named(text[at])

    def _named(self, text: str) -> str | None:
        whole = capitals(text)
        # other signs, such as the long s, have the same capitals
        return self._by_capitals.get(whole) if whole.lower() == text.lower() else None

    @cached_property
    def _by_capitals(self) -> Mapping[str, str]:
        named = {capitals(face): face for face in self.faces}
        return named if "Q" in named or "Qu" not in self.number else named | {"Q": "Qu"}

    def tiles_of(self, word: str) -> tuple[str, ...]:
        """Return the tiles of a word in capitals, as few as possible; none if tiles can't spell it."""
        # the fewest tiles up to each letter; to list every way takes for ever for LLLL… in a set with LL
        fewest: list[tuple[str, ...] | None] = [()]
        for end in range(1, len(word) + 1):
            ways = [
                (*before, self.faces[ord(sign) - FIRST_SIGN])
                for length in range(1, min(end, LONGEST_FACE) + 1)
                if (before := fewest[end - length]) is not None
                and (sign := self._sign_of.get(word[end - length : end])) is not None
            ]
            fewest.append(min(ways, key=len, default=None))
        return fewest[-1] or ()

    def folded(self, word: str) -> str:
        """Return a word in capitals as its tiles can spell it: a letter that isn't among them without its mark.

        Letters that nothing stands for stay, so that no tiles spell the word.
        """
        if self.letters.issuperset(word):
            return word
        return "".join(self._plain(letter) for letter in word)

    def _plain(self, letter: str) -> str:
        if letter in self.letters:
            return letter
        return _WRITTEN_OUT.get(letter) or "".join(sign for sign in normalize("NFD", letter) if sign.isalpha())

    def tiled(self, word: str) -> list[str]:
        """Return every way to spell a word in capitals with tiles, each as `signs`; none if tiles can't spell it."""
        if not any(more in word for more in self._several):
            spelt = word.translate(self._translation)
            return [spelt] if "\0" not in spelt else []
        ways: list[list[str]] = [[""]]
        for end in range(1, len(word) + 1):
            ways.append(
                [
                    way + sign
                    for length in range(1, min(end, LONGEST_FACE) + 1)
                    if (sign := self._sign_of.get(word[end - length : end]))
                    for way in ways[end - length]
                ]
            )
        return ways[-1]

    @cached_property
    def _several(self) -> tuple[str, ...]:
        """The capitals of faces of several letters."""
        return tuple(capitals(face) for face in self.faces if len(face) > 1)

    @cached_property
    def _translation(self) -> Mapping[int, str]:
        """The signs of single letters, for `str.translate`; of others a sign that stands for none."""
        return _Signs({ord(face): sign for face, sign in zip(self.faces, self.signs, strict=True) if len(face) == 1})

    @cached_property
    def _sign_of(self) -> Mapping[str, str]:
        return {capitals(face): sign for face, sign in zip(self.faces, self.signs, strict=True)}


ENGLISH = Alphabet(FACES)
"""The alphabet of the English sets."""


def capitals(text: str) -> str:
    """Return text in capitals, ß as the one letter ẞ."""
    return text.upper() if text.isascii() else text.replace("ß", "ẞ").upper()


def as_face(text: str) -> str:
    """Write text as a face: a capital, and small letters if there are more. ``"LL"`` gives ``"Ll"``."""
    whole = capitals(text)
    return whole[:1] + whole[1:].lower()


def alphabetical(face: str) -> tuple[str, str]:
    """Return the key that sorts faces as most languages do: Ä behind A, CH behind C."""
    whole = capitals(face)
    return "".join(sign for sign in normalize("NFD", whole) if sign.isalpha()), normalize("NFD", whole)


def is_vowel(face: str) -> bool:
    """Return whether a face begins with one of the vowels A, E, I, O and U, with or without a mark, or joined."""
    return normalize("NFD", face)[0] in "AEIOUÆŒØ"


def is_face(text: str) -> bool:
    """Return whether text is written as a face of some alphabet: one to three letters, the first a capital."""
    return 0 < len(text) <= LONGEST_FACE and text.isalpha() and as_face(text) == text and text[0].isupper()


def parse_face(text: str, alphabet: Alphabet = ENGLISH) -> str:
    """Return the face that `text` names, in upper or lower case.

    ``Q`` names the Qu tile, if no tile shows a lone Q. Raises NotationError for anything else.

    >>> parse_face("qu")
    'Qu'
    """
    return alphabet.parse_face(text)


def parse_faces(text: str, *, lone_q: bool = False, alphabet: Alphabet = ENGLISH) -> tuple[str, ...]:
    """Parse faces written one after another in `text`; in English QU is always the one Qu tile.

    >>> parse_faces("AEINSTQu")
    ('A', 'E', 'I', 'N', 'S', 'T', 'Qu')

    Pass `lone_q` for a game whose tiles show a lone Q instead of Qu. QU is then two tiles, that one and a U.

    Raises NotationError that names the character that is not a letter, and its place.
    """
    return alphabet.parse_faces(text, lone_q=lone_q)


def format_faces(faces: Iterable[str]) -> str:
    """Write faces one after another, the inverse of `parse_faces`: ``("A", "Qu")`` gives ``"AQu"``."""
    return "".join(faces)


def spell(faces: Iterable[str]) -> str:
    """Return the word that faces spell, in capitals; Qu stands for the two letters QU.

    >>> spell(("Qu", "I", "T"))
    'QUIT'
    """
    return capitals("".join(faces))
