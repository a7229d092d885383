"""The luck of the draw: which tiles each player drew, as far as they played them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from engine.faces import FACES
from engine.game.game import Game
from webui.views.game.tiles import VOWELS


@dataclass(frozen=True)
class BagRow:
    """The tiles that a player played, or the whole set.

    `counts` and `shares` (%) count the vowels, the other letters and the rare letters, in this order.
    """

    name: str
    tiles: int
    counts: tuple[int, int, int]
    shares: tuple[int, int, int]


def view_bag(game: Game) -> tuple[tuple[BagRow, ...], str]:
    """Return a row for the whole set and one for each player's tiles played, and the set's rare letters.

    Both are empty if the edition's letters are not known.
    """
    distribution = game.setup.edition.distribution
    if distribution is None:
        return (), ""
    rare = [face for face in FACES if distribution[face] == min(distribution.values())]
    rows = [_bag_row("The whole set", Counter(distribution), rare)]
    for name in game.players:
        played: Counter[str] = Counter()
        for record in game.turns:
            if record.player == name and record.play is not None and not record.taken_back:
                played.update(record.play.faces)
        rows.append(_bag_row(name, played, rare))
    return tuple(rows), ", ".join(rare)


def _bag_row(name: str, tiles: Counter[str], rare: list[str]) -> BagRow:
    total = tiles.total()
    vowels = sum(tiles[face] for face in VOWELS)
    rare_count = sum(tiles[face] for face in rare)
    counts = (vowels, total - vowels - rare_count, rare_count)
    shares = [round(100 * count / total) if total else 0 for count in counts]
    shares[1] = 100 - shares[0] - shares[2] if total else 0
    return BagRow(name, total, counts, (shares[0], shares[1], shares[2]))
