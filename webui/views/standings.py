"""The board and points of every game, for the list of games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from engine.game.game import Game
from webui.errors import WebError
from webui.storage.store import GameRow


@dataclass(frozen=True)
class Standing:
    """The edition of a game and each player's points, in one of its versions."""

    version: int
    edition: str
    totals: dict[str, int]


class Standings:
    """The standings of all games. Each version of a game is replayed once, and only its standing stays in memory."""

    def __init__(self) -> None:
        self._known: dict[int, Standing] = {}

    def of(
        self, rows: Iterable[GameRow], replay: Callable[[GameRow], Game]
    ) -> list[tuple[GameRow, Standing | None]]:
        """Return each game with its standing, None if `replay` raises WebError."""
        standings = [(row, self._standing(row, replay)) for row in rows]
        self._known = {row.id: standing for row, standing in standings if standing is not None}
        return standings

    def _standing(self, row: GameRow, replay: Callable[[GameRow], Game]) -> Standing | None:
        known = self._known.get(row.id)
        if known is not None and known.version == row.version:
            return known
        with suppress(WebError):  # Whoever opens a damaged game is told what is wrong.
            game = replay(row)
            return Standing(row.version, game.setup.edition.name, game.totals)
        return None
