"""Editions of the game: grid, tiles and their distribution (the rule sheets, "Equipment")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.errors import RulesError, quoted
from engine.faces import FACES
from engine.squares import MAX_SIZE

RACK_SIZE = 7
"""Tiles on a full rack."""

MAX_PLAYERS = 4


@dataclass(frozen=True)
class Edition:
    """A board and its tiles.

    `distribution` maps each face to its number of tiles. It is None where the numbers are unknown, and counts then go
    unchecked. `tile_total` is the number of tiles, 0 where even that is unknown. `note` says which parts of the
    edition the referee doesn't cover, "" where it covers everything. Show it wherever people choose the edition.
    """

    name: str
    size: int
    distribution: Mapping[str, int] | None
    tile_total: int
    note: str = ""

    def __post_init__(self) -> None:
        if not (2 <= self.size <= MAX_SIZE and self.name):
            raise RulesError(f"an edition has a name and 2 to {MAX_SIZE} rows, not {self.size}")
        tiles = self.distribution
        if tiles is None:
            if self.tile_total < 0:
                raise RulesError(f"edition {self.name} cannot have {self.tile_total} tiles")
        elif set(tiles) != set(FACES) or min(tiles.values()) < 0 or sum(tiles.values()) != self.tile_total:
            raise RulesError(f"the tiles of edition {self.name} do not add up to {self.tile_total}: count again")

    def check_size(self, rows: int) -> None:
        """Check that a board has the edition's number of rows; raise RulesError if not."""
        if rows != self.size:
            raise RulesError(f"the board has {rows} rows, and edition {self.name} has {self.size}: use its edition")


def _edition(size: int, counts: Mapping[int, str]) -> Edition:
    """Make an edition from its faces grouped by count, as the rule sheets list them."""
    tiles = {face: count for count, faces in counts.items() for face in faces.split()}
    distribution = MappingProxyType({face: tiles[face] for face in FACES})
    return Edition(f"{size}x{size}", size, distribution, sum(distribution.values()))


_CLASSIC = _edition(8, {1: "F J K Qu V W X Z", 2: "B C G H R Y", 3: "D L M N P S U", 4: "I O T", 5: "A", 6: "E"})
_HASBRO = _edition(
    10, {1: "J Qu V X Z", 2: "K W Y", 3: "B F G H P", 4: "C", 5: "D L M N R T U", 6: "S", 7: "A I O", 8: "E"}
)
_DELUXE = Edition(
    "11x11",
    11,
    None,
    121,
    "rules not confirmed: no rule sheet known, distribution unchecked, challenge tiles and timer not refereed",
)

EDITIONS: Mapping[str, Edition] = MappingProxyType({e.name: e for e in (_CLASSIC, _HASBRO, _DELUXE)})
"""The editions with names of their own: ``8x8``, ``10x10`` and ``11x11``."""


def edition_named(name: str) -> Edition:
    """Return the edition of that name, or the grid edition for any other ``NxN``.

    Raises RulesError for any other name.
    """
    if name in EDITIONS:
        return EDITIONS[name]
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})(-grid)?", name)
    if match and match[1] == match[2] and 2 <= int(match[1]) <= MAX_SIZE:
        edition = grid_edition(int(match[1]))
        if edition.name == name:
            return edition
    raise RulesError(f"{quoted(name)} is not an edition: choose {', '.join(EDITIONS)}, or a grid such as 15x15")


def grid_edition(size: int) -> Edition:
    """Return an edition of `size` rows and columns whose tiles are unknown.

    Where a named edition has this size, the name ends in ``-grid`` to keep the two apart. Raises RulesError outside 2
    to 21.
    """
    if not 2 <= size <= MAX_SIZE:
        raise RulesError(f"a grid has 2 to {MAX_SIZE} rows and columns, not {size}")
    name = f"{size}x{size}"
    return Edition(f"{name}-grid" if name in EDITIONS else name, size, None, 0)
