"""The choices on the form for a new game: the players of earlier games, and the boards with pictures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.editions import EDITIONS, Edition
from engine.squares import centre_squares
from webui.storage.store import GameRow

MAX_NAMES_OFFERED = 12
"""The most players of earlier games that the form offers. [by eye]"""
MAX_GAMES_SEARCHED = 60
"""The number of newest games whose players the form knows. [by eye]"""

_SAMPLE_WORDS = {8: "UPON", 10: "UPWARD", 11: "UPWARDS"}
"""The word on the picture of a board, by its size: it shows how large the squares are."""


@dataclass(frozen=True)
class PictureTile:
    """A tile on the picture of a board, in units of a square from the top left."""

    x: int
    y: int
    face: str


@dataclass(frozen=True)
class EditionView:
    """A board to choose: its picture, and a line about it. `middle` are the centre squares as (column, row)."""

    name: str
    size: int
    summary: str
    tiles: tuple[PictureTile, ...]
    middle: tuple[tuple[int, int], ...]


def remembered_players(rows: Iterable[GameRow]) -> tuple[str, ...]:
    """Return the players of the newest games, the most frequent first. `rows` begin with the newest game."""
    counted: Counter[str] = Counter()
    games = 0
    for row in rows:
        if row.demo:
            continue
        games += 1
        if games > MAX_GAMES_SEARCHED:
            break
        counted.update(_players_of(row))
    return tuple(name for name, _ in counted.most_common(MAX_NAMES_OFFERED))


def view_editions() -> tuple[EditionView, ...]:
    """Return the boards to choose from."""
    return tuple(map(_view_edition, EDITIONS.values()))


def _players_of(row: GameRow) -> list[str]:
    """Return the players of a stored game, none if its log is damaged: whoever opens that game is told."""
    try:
        players = json.loads(row.log)["players"]
        return [name for name in players if isinstance(name, str)]
    except (ValueError, KeyError, TypeError):
        return []


def _view_edition(edition: Edition) -> EditionView:
    summary = f"{edition.tile_total} tiles"
    if edition.note:
        summary += f"; {edition.note}"
    word = _SAMPLE_WORDS.get(edition.size, "")
    row = (edition.size - 1) // 2
    left = (edition.size - len(word)) // 2
    return EditionView(
        name=edition.name,
        size=edition.size,
        summary=summary,
        tiles=tuple(PictureTile(left + at, row, face) for at, face in enumerate(word)),
        middle=tuple((square.col, square.row) for square in centre_squares(edition.size)),
    )
