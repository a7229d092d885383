"""Which entry of a game's log each turn on the sheet comes from, whatever was undone or put right since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from engine.game.events import Corrected, Entry
from engine.game.game import Game
from engine.game.log import standing

START = -1
"""Stands for the board that a game started from, which no entry made."""

T = TypeVar("T")


def entries_standing(log: Sequence[Entry]) -> tuple[int, ...]:
    """For each event that stands, the number (from 0) of the log entry that first told of it.

    A corrected event keeps the entry that it had: a photograph taken then still shows that turn.
    """
    entries: list[int] = []
    for number in standing(log)[0]:
        entry = log[number]
        if not isinstance(entry, Corrected):
            entries.append(number)
        elif entry.insert:
            entries.insert(entry.at, number)
        elif entry.put is None:
            del entries[entry.at]
    return tuple(entries)


def by_place(game: Game, by_entry: Mapping[int, T]) -> dict[int, T]:
    """What belongs to the entries of a game's log, by the line of the sheet, from 1; 0 is the start."""
    entries = entries_standing(game.log)
    found = {0: by_entry[START]} if START in by_entry else {}
    for place, record in enumerate(game.turns, start=1):
        entry = entries[record.event]
        if record.kind != "lost" and entry in by_entry:
            found[place] = by_entry[entry]
    return found
