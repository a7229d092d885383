"""How games stand, as a list of all of them tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from engine.game.game import Game
from webui.errors import WebError
from webui.storage.store import GameRow


@dataclass(frozen=True)
class Standing:
    """How a game stands in one of its versions: its board, and each player's points."""

    version: int
    edition: str
    totals: dict[str, int]


class Standings:
    """Remembers how games stand: for a list, each is replayed once a version, and need not be held whole."""

    def __init__(self) -> None:
        self._known: dict[int, Standing] = {}

    def of(
        self, rows: Iterable[GameRow], replay: Callable[[GameRow], Game]
    ) -> list[tuple[GameRow, Standing | None]]:
        """The games of these rows with how each stands, None where `replay` raises WebError."""
        found = [(row, self._standing(row, replay)) for row in rows]
        self._known = {row.id: standing for row, standing in found if standing is not None}
        return found

    def _standing(self, row: GameRow, replay: Callable[[GameRow], Game]) -> Standing | None:
        known = self._known.get(row.id)
        if known is not None and known.version == row.version:
            return known
        with suppress(WebError):  # one that can't be opened says so when somebody opens it
            game = replay(row)
            return Standing(row.version, game.setup.edition.name, game.totals)
        return None
