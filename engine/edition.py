"""An edition of the game: its grid, its tiles and their distribution (the rule sheets, "Equipment")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import RulesError
from engine.faces import FACES
from engine.squares import MAX_SIZE, Square, centre_squares

QU_BONUS = 2
"""Points of the rule sheets for a Qu in a word of single tiles (6C)."""


@dataclass(frozen=True)
class Edition:
    """A board and its tiles. The defaults are those of the rule sheets.

    Attributes:
        distribution: the number of tiles by face. It is None where the numbers are unknown, and counts go unchecked.
        tile_total: the number of tiles, 0 where even that is unknown.
        note: which parts of the edition the referee doesn't cover, "" where it covers everything. Show it wherever
            people choose the edition.
        start: the squares of which the first play covers one (Rule 3). None given means those in the middle.
        stack_limit: the most tiles on a square (5-five).
        rack_size: tiles on a full rack.
        full_rack_bonus: points for a whole rack in one turn (6D).
        qu_bonus: points for a Qu in a word of single tiles (6C).
        plural_rule: whether a turn that just adds S for a plural is refused (5-plural), if the house rules say so too.
        lexicon: the word list to use if nobody names one, "" for the usual one.
    """

    name: str
    size: int
    distribution: Mapping[str, int] | None
    tile_total: int
    note: str = ""
    start: frozenset[Square] = frozenset()
    stack_limit: int = 5
    rack_size: int = 7
    full_rack_bonus: int = 20
    qu_bonus: int = QU_BONUS
    plural_rule: bool = True
    lexicon: str = ""

    def __post_init__(self) -> None:
        if not (2 <= self.size <= MAX_SIZE and self.name):
            raise RulesError(f"an edition has a name and 2 to {MAX_SIZE} rows, not {self.size}")
        tiles = self.distribution
        if tiles is None:
            if self.tile_total < 0:
                raise RulesError(f"edition {self.name} cannot have {self.tile_total} tiles")
        elif set(tiles) != set(FACES) or min(tiles.values()) < 0 or sum(tiles.values()) != self.tile_total:
            raise RulesError(f"the tiles of edition {self.name} do not add up to {self.tile_total}: count again")
        if not self.start:
            object.__setattr__(self, "start", centre_squares(self.size))

    def check_size(self, rows: int) -> None:
        """Check that a board has the edition's number of rows; raise RulesError if not."""
        if rows != self.size:
            raise RulesError(f"the board has {rows} rows, and edition {self.name} has {self.size}: use its edition")
