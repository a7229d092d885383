"""The tiles that a search may lay: a rack, with every hand that can be left of it, or a supply to choose from.

A beginning is a prefix of a word made of rack tiles alone. Many lines of a board start with free squares, so the
solver finds beginnings once for the whole board, not once for every line.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from engine.errors import RulesError, quote
from engine.faces import Alphabet
from engine.lexicon.dawg import Dawg
from engine.wording import phrase

Beginning = tuple[int, int, str]
"""The node of the word graph after a beginning, the hand left, and the letters so far."""


def face_number(face: str, alphabet: Alphabet) -> int:
    """Return the place of a face in an alphabet; raise RulesError for anything that is not one of its tiles."""
    number = alphabet.number.get(face)
    if number is None:
        raise RulesError(phrase("%(face)s is not a tile: use %(faces)s", face=quote(face), faces=alphabet.described))
    return number


class Hands:
    """All the hands that can be left of a rack during a play.

    A hand is a number: `full` is the whole rack. ``masks[hand]`` has a bit for each face that the hand holds.
    ``after[hand][face]`` is the hand without one tile of that face. ``faces_in[mask]`` lists a mask's faces, for every
    mask of faces on this rack.
    """

    def __init__(self, rack: Sequence[str], dawg: Dawg) -> None:
        self.size = len(rack)
        self.dawg = dawg
        self.table: array[int] = dawg.table
        numbers = sorted(face_number(face, dawg.alphabet) for face in rack)
        faces = sorted(set(numbers))
        counts = [numbers.count(face) for face in faces]
        self.masks = [0]
        self.after: list[dict[int, int]] = [{}]
        for face, count in zip(faces, counts, strict=True):
            self._add(face, count)
        self.full = len(self.masks) - 1
        self.mask = self.masks[self.full]
        self.faces_in: dict[int, tuple[int, ...]] = {0: ()}
        for face in faces:
            for mask, members in list(self.faces_in.items()):
                self.faces_in[mask | 1 << face] = (*members, face)
        self._lengths: list[dict[int, list[Beginning]]] = []
        self._leading: dict[tuple[int, int], list[Beginning]] = {}

    def _add(self, face: int, count: int) -> None:
        """Add the hands with up to `count` tiles of a face to the hands so far, which hold none of it."""
        width = len(self.masks)
        for held in range(1, count + 1):
            for hand in range(width):
                self.masks.append(self.masks[hand] | 1 << face)
                fewer = {other: left + held * width for other, left in self.after[hand].items()}
                fewer[face] = hand + (held - 1) * width
                self.after.append(fewer)

    @cached_property
    def _start(self) -> list[Beginning]:
        return [(self.dawg.root, self.full, "")]

    def ending_in(self, length: int) -> dict[int, list[Beginning]]:
        """Return the beginnings of `length` tiles, 1 or more, by their last face."""
        while len(self._lengths) < length:
            shorter = self._lengths[-1] if self._lengths else {0: self._start}
            self._lengths.append(self._one_longer(shorter))
        return self._lengths[length - 1]

    def leading_to(self, length: int, face: int) -> list[Beginning]:
        """Return the beginnings of `length` tiles, 0 or more, that can go on with `face`.

        The face may come from the rack or the board. Each node returned is the one after it.
        """
        beginnings = self._leading.get((length, face))
        if beginnings is None:
            groups = self.ending_in(length).values() if length else (self._start,)
            table = self.table
            beginnings = [
                (table[node + face], hand, letters)
                for group in groups
                for node, hand, letters in group
                if table[node + face]
            ]
            self._leading[length, face] = beginnings
        return beginnings

    def _one_longer(self, shorter: dict[int, list[Beginning]]) -> dict[int, list[Beginning]]:
        table, masks, after, faces_in = self.table, self.masks, self.after, self.faces_in
        flags, signs = self.dawg.flags, self.dawg.alphabet.signs
        longer: dict[int, list[Beginning]] = {face: [] for face in faces_in[self.mask]}
        for group in shorter.values():
            for node, hand, letters in group:
                fewer = after[hand]
                for face in faces_in[table[node + flags] & masks[hand]]:
                    longer[face].append((table[node + face], fewer[face], letters + signs[face]))
        return longer


class _Members(dict[int, tuple[int, ...]]):
    """The faces of every mask, listed on first use: the masks of all faces are too many to list in advance."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        faces = tuple(face for face in range(mask.bit_length()) if mask >> face & 1)
        self[mask] = faces
        return faces


_FACES_IN = _Members()
"""Shared by all searches, since they meet the same few thousand masks. A look at a board under a hand makes a thousand
searches."""


class Supply:
    """The tiles to choose from, `counts` by face; no count exceeds `most`, the number of squares."""

    def __init__(self, tiles: Mapping[str, int] | None, dawg: Dawg, most: int) -> None:
        self.dawg = dawg
        self.table: array[int] = dawg.table
        self.faces_in = _FACES_IN
        self.counts = [most if tiles is None else 0] * len(dawg.alphabet)
        for face, count in (tiles or {}).items():
            self.counts[face_number(face, dawg.alphabet)] = min(count, most)
        self.mask = sum(1 << face for face, count in enumerate(self.counts) if count > 0)


Tiles: TypeAlias = Hands | Supply
"""The tiles that may be laid: their `mask` of faces, `faces_in` each such mask, the graph `dawg` and its `table`."""
