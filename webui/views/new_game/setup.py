"""What the form for a new game offers: the players of earlier games, and pictures of the boards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.editions import EDITIONS, Edition
from engine.squares import centre_squares
from webui.storage.store import GameRow

MOST_REMEMBERED = 12
_LOOKED_THROUGH = 60
"""Newest games whose players are remembered."""

_SAMPLE = {8: "UPON", 10: "UPWARD", 11: "UPWARDS"}
"""What lies on the picture of a board, so that its squares show their size."""


@dataclass(frozen=True)
class PictureTile:
    """A tile on the picture of a board, in units of a square from the top left."""

    x: int
    y: int
    face: str


@dataclass(frozen=True)
class EditionView:
    """A board to choose: its picture, and a line about it."""

    name: str
    size: int
    summary: str
    tiles: tuple[PictureTile, ...]
    middle: tuple[tuple[int, int], ...]


def remembered_players(rows: Iterable[GameRow]) -> tuple[str, ...]:
    """Who played the newest games, those who played most often first; `rows` are the newest first."""
    counted: Counter[str] = Counter()
    looked_through = 0
    for row in rows:
        if row.demo:
            continue
        looked_through += 1
        if looked_through > _LOOKED_THROUGH:
            break
        counted.update(_players_of(row))
    return tuple(name for name, _ in counted.most_common(MOST_REMEMBERED))


def view_editions() -> tuple[EditionView, ...]:
    """The boards to choose from."""
    return tuple(map(_view_edition, EDITIONS.values()))


def _players_of(row: GameRow) -> list[str]:
    """The players of a stored game, none where its log is damaged: opening it says so."""
    try:
        players = json.loads(row.log)["players"]
        return [name for name in players if isinstance(name, str)]
    except (ValueError, KeyError, TypeError):
        return []


def _view_edition(edition: Edition) -> EditionView:
    summary = f"{edition.tile_total} tiles"
    if edition.note:
        summary += f"; {edition.note}"
    word = _SAMPLE.get(edition.size, "")
    row = (edition.size - 1) // 2
    left = (edition.size - len(word)) // 2
    return EditionView(
        name=edition.name,
        size=edition.size,
        summary=summary,
        tiles=tuple(PictureTile(left + at, row, face) for at, face in enumerate(word)),
        middle=tuple((square.col, square.row) for square in centre_squares(edition.size)),
    )
