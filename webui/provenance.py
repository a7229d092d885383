"""Which entry of a game's log each turn on the sheet comes from, whatever was undone or put right since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from engine.events import Corrected, Entry, Undone
from engine.game import Game

START = -1
"""Stands for the board that a game started from, which no entry made."""

T = TypeVar("T")


def entries_standing(log: Iterable[Entry]) -> tuple[int, ...]:
    """For each event that stands, the number (from 0) of the log entry that first told of it.

    A corrected event keeps the entry that it had: a photograph taken then still shows that turn.
    """
    history: list[tuple[int, ...]] = [()]
    for number, entry in enumerate(log):
        standing = history[-1]
        if isinstance(entry, Undone):
            history.pop()
            continue
        if not isinstance(entry, Corrected):
            standing = (*standing, number)
        elif entry.insert:
            standing = (*standing[: entry.at], number, *standing[entry.at :])
        elif entry.put is None:
            standing = (*standing[: entry.at], *standing[entry.at + 1 :])
        history.append(standing)
    return history[-1]


def by_place(game: Game, by_entry: Mapping[int, T]) -> dict[int, T]:
    """What belongs to the entries of a game's log, by the line of the sheet, from 1; 0 is the start."""
    entries = entries_standing(game.log)
    found = {0: by_entry[START]} if START in by_entry else {}
    for place, record in enumerate(game.turns, start=1):
        entry = entries[record.event]
        if record.kind != "lost" and entry in by_entry:
            found[place] = by_entry[entry]
    return found
