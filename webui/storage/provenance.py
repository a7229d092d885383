"""Which entry of a game's log each turn on the sheet comes from, whatever was undone or put right since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from engine.game.events import Corrected, Entry, Event, Redone, Undone
from engine.game.game import Game
from engine.game.log import apply_correction, standing

START = -1
"""Stands for the board that a game started from, which no entry made."""

T = TypeVar("T")


def entries_standing(log: Sequence[Entry]) -> tuple[int, ...]:
    """For each event that stands, the number (from 0) of the log entry that first told of it.

    A corrected event keeps the entry that it had: a photograph taken then still shows that turn.
    """
    entries: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    for number in standing(log)[0]:
        entry = log[number]
        if not isinstance(entry, Corrected):
            assert not isinstance(entry, (Undone, Redone))
            events, entries = (*events, entry), (*entries, number)
            continue
        events, places = apply_correction(events, entry)
        kept = {now: was for was, now in enumerate(places)}
        entries = tuple(entries[kept[at]] if at in kept else number for at in range(len(events)))
    return entries


def by_place(game: Game, by_entry: Mapping[int, T]) -> dict[int, T]:
    """What belongs to the entries of a game's log, by the line of the sheet, from 1; 0 is the start."""
    entries = entries_standing(game.log)
    found = {0: by_entry[START]} if START in by_entry else {}
    for place, record in enumerate(game.turns, start=1):
        entry = entries[record.event]
        if record.kind != "lost" and entry in by_entry:
            found[place] = by_entry[entry]
    return found
