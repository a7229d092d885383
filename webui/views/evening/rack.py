"""A player's leftover tiles in a photograph: which are certain, and which the page asks about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.faces import FACES
from webui.ports import RackTile

SURE_ODDS = 2.5
"""A face is certain if it is so many times likelier than the next one.

Of 1,059 real tiles that were certain, in any rotation, one was wrong. [ban-seg, docs/accuracy.md]
"""
_MAX_FACES_ASKED = 4
"""The most faces that the page offers for a tile in doubt. [by eye]"""
_USED_UP_FACTOR = 0.05
"""The probability of a face is multiplied by this if all its tiles lie on the board: sets are seldom mixed. [by eye]"""


@dataclass(frozen=True)
class RackTileView:
    """A tile: its possible faces, the likeliest first (one if it is certain), and its place in the picture.

    `x` and `y` are shares of the picture's width and height, `side` is a share of its width. `turn` is in radians,
    clockwise.
    """

    faces: tuple[str, ...]
    x: float
    y: float
    side: float
    turn: float


def view_rack(tiles: Sequence[RackTile], left: Counter[str] | None) -> tuple[RackTileView, ...]:
    """Return the views of the tiles in a photograph. `left` are the tiles not on the board, None if not known."""
    return tuple(RackTileView(_likeliest(tile, left), tile.x, tile.y, tile.side, tile.turn) for tile in tiles)


def _likeliest(tile: RackTile, left: Counter[str] | None) -> tuple[str, ...]:
    """Return the face of a certain tile, or the faces to ask about."""
    weights = {
        face: chance * (1.0 if left is None or left[face] else _USED_UP_FACTOR)
        for face, chance in zip(FACES, tile.chances, strict=True)
    }
    first, second, *rest = sorted(FACES, key=lambda face: -weights[face])
    certain = weights[first] >= SURE_ODDS * weights[second]
    return (first,) if certain else (first, second, *rest[: _MAX_FACES_ASKED - 2])
