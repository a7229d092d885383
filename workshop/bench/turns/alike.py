"""Which squares are like others, as far as readings go."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

import numpy as np

from engine import MAX_HEIGHT
from workshop.bench.turns.observations import COVERED, VEILED, Floats, Ints

BURIED, GONE = len(COVERED), len(VEILED)
"""The classes in which nothing can be seen of a face: which it is does not matter."""

Hid = tuple[int, int]
"""How far nearer stacks and a hand hide a square, as classes."""
_WAYS: list[Hid] = [(covered, veiled) for covered in range(BURIED + 1) for veiled in range(GONE + 1)]


def height_key(height: int, fresh: bool, hid: Hid) -> Hashable:
    """Return the key by which squares of a height are found; `fresh` ones have their own."""
    return ("height", height, fresh, hid)


def face_key(top: int | None, hid: Hid) -> Hashable:
    """Return the key by which faces are found; None for any."""
    return ("face", top, hid)


def hid_of(classes: Ints) -> Hid:
    """Return classes (2,) as a pair."""
    return int(classes[0]), int(classes[1])


@cache
def wider(hid: Hid) -> tuple[Hid, ...]:
    """Return classes of how far a square is hidden, the most similar first."""
    return tuple(sorted(_WAYS, key=lambda way: _unlike(way, hid)))


@cache
def heights_like(height: int, hid: Hid) -> tuple[tuple[int, Hid], ...]:
    """Return differences of height in layers, with classes of how far a square is hidden, the most similar first."""
    by = [other - height for other in range(1, MAX_HEIGHT + 1)] if height else [0]
    pairs = [(more, way) for more in by for way in _WAYS]
    return tuple(sorted(pairs, key=lambda pair: 1.5 * abs(pair[0]) + _unlike(pair[1], hid)))


def _unlike(one: Hid, other: Hid) -> int:
    return abs(one[0] - other[0]) + 2 * abs(one[1] - other[1])


def shift(probs: Floats, by: int) -> Floats:
    """Return probabilities (6,) of heights, as if all stacks were `by` higher; a square that is empty stays so."""
    if not by:
        return probs
    moved = np.zeros_like(probs)
    moved[0] = probs[0]
    for height in range(1, len(probs)):
        moved[min(max(height + by, 1), len(probs) - 1)] += probs[height]
    return moved
