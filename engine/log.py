"""The append-only log of a game: events, and what took them back or put them right."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import GameError, UpscoreError
from engine.events import Corrected, Entry, Event, Undone
from engine.records import GameState, Setup
from engine.state import apply_event, first_state, play_out
from engine.words import WordList


def follow(
    setup: Setup, log: Iterable[Entry], lexicon: WordList | None
) -> tuple[tuple[Event, ...], GameState]:
    """The events that stand once every undoing and correction has been followed, and what they come to.

    Raises GameError for the first entry that can't be, even if it was undone later: no game wrote such a log.
    """
    history: list[tuple[tuple[Event, ...], GameState]] = [((), first_state(setup))]
    for number, entry in enumerate(log, start=1):
        events, state = history[-1]
        try:
            if isinstance(entry, Undone):
                if len(history) == 1:
                    raise GameError("there is nothing to undo")
                history.pop()
                continue
            if isinstance(entry, Corrected):
                events = put_right(events, entry)
                state = play_out(setup, events, lexicon)
            else:
                state = apply_event(setup, state, entry, len(events), lexicon)
                events = (*events, entry)
        except UpscoreError as error:
            raise GameError(f"log entry {number} can't be: {error}") from None
        history.append((events, state))
    return history[-1]


def put_right(events: tuple[Event, ...], correction: Corrected) -> tuple[Event, ...]:
    """The events after a correction; raises GameError where there is no such event."""
    at = correction.at
    last = len(events) if correction.insert else len(events) - 1
    if not 0 <= at <= last:
        raise GameError(f"there is no event {at + 1} to correct: {len(events)} stand")
    if correction.insert and correction.put is None:
        raise GameError("nothing to insert: say what happened")
    put = () if correction.put is None else (correction.put,)
    return events[:at] + put + events[at + (not correction.insert) :]


def moved(event: int, correction: Corrected) -> int | None:
    """Where event number `event` is after a correction, None where that event was removed."""
    if correction.insert:
        return event + (event >= correction.at)
    if correction.put is None:
        return None if event == correction.at else event - (event > correction.at)
    return event
