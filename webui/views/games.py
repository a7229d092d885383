"""The list of games: each with its players' points, and who won."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.wording import board_name, listed
from webui.storage.database import GameRow


@dataclass(frozen=True)
class GameLine:
    """A game in the list.

    `about` names the board and counts the turns. `points` are each player's name, total, and whether that player won.
    `state` says who won, or that the game goes on.
    """

    row: GameRow
    about: str
    points: tuple[tuple[str, str, bool], ...]
    state: str


def players_of(row: GameRow) -> list[str]:
    """Return the players of a stored game, none if its log is damaged: whoever opens that game is told."""
    try:
        players = json.loads(row.log)["players"]
        return [name for name in players if isinstance(name, str)]
    except (ValueError, KeyError, TypeError):
        return []


def view_game_line(row: GameRow, winners: Callable[[GameRow], tuple[str, ...]] | None = None) -> GameLine:
    """Return a game's line in the list. `winners` replays a game for those who won it, which only a tie needs."""
    about, _, told = row.summary.partition(": ")
    edition, _, turns = about.partition(", ")
    about = f"{board_name(edition)}, {turns}"
    players = players_of(row)
    found = re.fullmatch(", ".join(f"{re.escape(name)} (-?[0-9]+)" for name in players), told)
    state = "finished" if row.finished else "open"
    if not players or found is None:
        return GameLine(row, about, ((told, "", False),), state)
    totals = dict(zip(players, found.groups(), strict=True))
    won = _winners(row, totals, winners) if row.finished and len(players) > 1 else ()
    if won:
        state = f"{won[0]} wins" if len(won) == 1 else f"{listed(won)} share the win"
    return GameLine(row, about, tuple((name, total, name in won) for name, total in totals.items()), state)


def _winners(
    row: GameRow, totals: dict[str, str], replayed: Callable[[GameRow], tuple[str, ...]] | None
) -> tuple[str, ...]:
    best, second = sorted(totals, key=lambda name: -int(totals[name]))[:2]
    if int(totals[best]) > int(totals[second]):
        return (best,)
    return () if replayed is None else replayed(row)
