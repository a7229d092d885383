"""The faces that the networks of letters tell apart, and what they tell of those of one alphabet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine import ENGLISH, Alphabet
from vision.arrays import Ints, Tensor

LATIN: tuple[str, ...] = (
    *"ABCDEFGHIJKLMNOP", "Qu", *"RSTUVWXYZ", "Q",
    *"ÀÁÂÃÄÅĀĂĄÆ", *"ÇĆĈČ", *"ĎÐ", *"ÈÉÊËĒĖĘĚ", *"ĜĞĢ", "Ĥ", *"ÌÍÎÏĪĮİ", "Ĵ", "Ķ", *"ĹĻĽŁ", *"ÑŃŅŇ", *"ÒÓÔÕÖØŐŒ",
    *"ŔŘ", *"ŚŜŠȘẞ", *"ŤȚ", *"ÙÚÛÜŪŬŮŰŲ", "Ŵ", *"ÝŶŸ", *"ŹŻŽ", "Þ",
    "Ch", "Cs", "Dd", "Dz", "Dzs", "Dž", "Ff", "Gy", "Ij", "Lj", "Ll", "Ly", "Ng", "Nh", "Nj", "Ny", "Ph", "Rh", "Rr",
    "Sch", "Sz", "Th", "Ty", "Zs",
)  # fmt: skip
"""Every face that the network `latin_faces` reads, in the order of its output, which ends with "no upright face".

A small letter may be printed large: Ch stands for CH, too."""

_SAME_LOOK = {"Ş": "Ș", "Ţ": "Ț", "Đ": "Ð", "Ĳ": "Ij"}
"""Faces that look like one of `LATIN`, and are read as that one."""
_OUTPUT = {face: number for number, face in enumerate(LATIN)}
_UNREADABLE = -20.0
"""Logit of a face that no network knows, against the likeliest. Only learned tiles make it likelier. [by eye]"""


@dataclass(frozen=True)
class Eyes:
    """What a network reads of an alphabet: `outputs` (F + 1) of its outputs, -1 for a face that it doesn't know."""

    outputs: Ints

    @property
    def count(self) -> int:
        """The faces of the alphabet, and one for "no upright face"."""
        return len(self.outputs)

    def of_alphabet(self, logits: Tensor) -> Tensor:
        """Return the logits (m, F + 1) of the alphabet's faces, of those (m, k) of all faces."""
        if logits.shape[1] == self.count and not (self.outputs < 0).any():
            return logits
        chosen = logits[:, self.outputs]
        chosen[:, self.outputs < 0] = logits.max(axis=1, keepdims=True) + _UNREADABLE
        return chosen


ENGLISH_EYES = Eyes(np.arange(len(ENGLISH) + 1))
"""What the networks of English sets read: their faces in order."""


@lru_cache(maxsize=64)
def eyes_of(alphabet: Alphabet) -> Eyes:
    """Return what the network of all Latin faces reads of an alphabet."""
    return Eyes(np.array([*map(_output_of, alphabet.faces), len(LATIN)]))


def unreadable_faces(alphabet: Alphabet) -> tuple[str, ...]:
    """Return the faces that no network knows: only learned tiles tell them."""
    return tuple(face for face in alphabet.faces if not alphabet.is_english and _output_of(face) < 0)


def all_faces(given: Iterable[str] = ()) -> Alphabet:
    """Return every face that can be read, and those `given`, which take the place of faces that look like them."""
    more = [face for face in dict.fromkeys(given) if face not in _OUTPUT]
    taken = {_SAME_LOOK.get(face) for face in more}
    return Alphabet((*(face for face in LATIN if face not in taken), *more))


def _output_of(face: str) -> int:
    return _OUTPUT.get(_SAME_LOOK.get(face, face), -1)
