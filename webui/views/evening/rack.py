"""A player's tiles left, as a photograph of them shows them: what is plain, and what is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.faces import FACES
from webui.ports import RackTile

SURE_ODDS = 2.5
"""How many times likelier than the next a face must be not to be asked about: of 1,059 real tiles called plain so, any
way round, one was wrong."""
_ASKED = 4
"""Faces that are offered for a tile in doubt."""
_NONE_LEFT = 0.05
"""What the chance of a face counts for of which every tile lies on the board: sets get mixed, but seldom."""


@dataclass(frozen=True)
class RackTileView:
    """A tile: what it may be, the likeliest first, one face where that is plain; and where it is in the picture.

    `x` and `y` are shares of the picture's width and height, `side` one of its width; `turn` is clockwise, radians.
    """

    faces: tuple[str, ...]
    x: float
    y: float
    side: float
    turn: float


def view_rack(tiles: Sequence[RackTile], left: Counter[str] | None) -> tuple[RackTileView, ...]:
    """The tiles of a photograph; `left` are those that nobody has seen on the board, None where that is not known."""
    return tuple(RackTileView(_likeliest(tile, left), tile.x, tile.y, tile.side, tile.turn) for tile in tiles)


def _likeliest(tile: RackTile, left: Counter[str] | None) -> tuple[str, ...]:
    """The face that is plain, or those that it may be."""
    weighed = {
        face: chance * (1.0 if left is None or left[face] else _NONE_LEFT)
        for face, chance in zip(FACES, tile.chances, strict=True)
    }
    first, second, *rest = sorted(FACES, key=lambda face: -weighed[face])
    plain = weighed[first] >= SURE_ODDS * weighed[second]
    return (first,) if plain else (first, second, *rest[: _ASKED - 2])
