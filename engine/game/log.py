"""The append-only log of a game: events, and what took them back or put them right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.errors import GameError, UpscoreError
from engine.game.events import Corrected, Entry, Event, Redone, Undone
from engine.game.records import GameState, Setup
from engine.game.state import apply_event, initial_state, replay_events
from engine.lexicon.word_list import WordList


def replay_log(
    setup: Setup, log: Iterable[Entry], lexicon: WordList | None
) -> tuple[tuple[Event, ...], GameState]:
    """The events that stand once all that was undone, redone and corrected is followed, and what they come to.

    Raises GameError for the first entry that can't be, even if it was undone later: no game wrote such a log.
    """
    history: list[tuple[tuple[Event, ...], GameState]] = [((), initial_state(setup))]
    undone: list[tuple[tuple[Event, ...], GameState]] = []
    for number, entry in enumerate(log, start=1):
        events, state = history[-1]
        try:
            if isinstance(entry, Undone):
                if len(history) == 1:
                    raise GameError("there is nothing to undo")
                undone.append(history.pop())
                continue
            if isinstance(entry, Redone):
                if not undone:
                    raise GameError("there is nothing to redo")
                history.append(undone.pop())
                continue
            if isinstance(entry, Corrected):
                events = apply_correction(events, entry)
                state = replay_events(setup, events, lexicon)
            else:
                state = apply_event(setup, state, entry, len(events), lexicon)
                events = (*events, entry)
        except UpscoreError as error:
            raise GameError(f"log entry {number} can't be: {error}") from None
        history.append((events, state))
        undone.clear()
    return history[-1]


def standing(log: Sequence[Entry]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers (from 0) of a log's events and corrections that stand, and of those that can be redone.

    Both end with the one that is next to be undone or redone. The log is one that `replay_log` takes.
    """
    stands: list[int] = []
    undone: list[int] = []
    for number, entry in enumerate(log):
        if isinstance(entry, Undone):
            undone.append(stands.pop())
        elif isinstance(entry, Redone):
            stands.append(undone.pop())
        else:
            stands.append(number)
            undone.clear()
    return tuple(stands), tuple(undone)


def apply_correction(events: tuple[Event, ...], correction: Corrected) -> tuple[Event, ...]:
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
