"""The append-only log of a game: its events, and the entries that undo or correct them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.errors import GameError, UpscoreError
from engine.game.events import Challenged, Corrected, Entry, Event, Played, Redone, Undone
from engine.game.records import GameState, Setup
from engine.game.state import apply_event, initial_state, replay_events
from engine.lexicon.lexicon import WordList


def replay_log(setup: Setup, log: Iterable[Entry], lexicon: WordList | None) -> tuple[tuple[Event, ...], GameState]:
    """Replay a log; return the events that stand in the end, and the state after them.

    Raises GameError for the first impossible entry, even if it was undone later: no game writes such a log.
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
                events, _ = apply_correction(events, entry)
                state = replay_events(setup, events, lexicon)
            else:
                state = apply_event(setup, state, entry, len(events), lexicon)
                events = (*events, entry)
        except UpscoreError as error:
            raise GameError(f"log entry {number} is impossible: {error}") from None
        history.append((events, state))
        undone.clear()
    return history[-1]


def undo_stacks(log: Sequence[Entry]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers (from 0) of the entries of a log that stand, and of those that can be redone.

    Each list ends with the next entry to undo or redo. Only events and corrections count. The log is one that
    `replay_log` accepts.
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


def apply_correction(
    events: tuple[Event, ...], correction: Corrected
) -> tuple[tuple[Event, ...], tuple[int | None, ...]]:
    """Return the events after a correction, and the new number of each event before it, None where it is gone.

    A challenge stays with its play. It goes when the play goes. Where another word now comes between the two, the
    challenge moves to right behind its play. Raises GameError where there is no event of that number.
    """
    at, insert = correction.at, correction.insert
    if insert and not 0 <= at <= len(events):
        raise _no_event(events, at)
    if insert and correction.put is None:
        raise GameError("nothing to insert: say what happened")
    put = [*correction.also] if insert else [(at, correction.put), *correction.also]
    actual: dict[int, Event | None] = dict(put)
    for number in actual:
        if not 0 <= number < len(events):
            raise _no_event(events, number)
    if len(actual) < len(put):
        raise GameError("one event is corrected twice in one step: say once what happened")
    numbered: list[_Placed] = []
    for number, event in enumerate((*events, None)):
        if insert and number == at and correction.put is not None:
            numbered.append((None, correction.put))
        corrected = actual.get(number, event)
        if corrected is not None:
            numbered.append((number, corrected))
    for challenge, play in challenged_plays(events).items():
        if isinstance(actual.get(challenge, events[challenge]), Challenged):
            numbered = _with_its_play(numbered, challenge, play)
    places = {was: now for now, (was, _) in enumerate(numbered)}
    return tuple(event for _, event in numbered), tuple(places.get(was) for was in range(len(events)))


def _no_event(events: Sequence[Event], number: int) -> GameError:
    return GameError(f"there is no event {number + 1} to correct: {len(events)} stand")


_Placed = tuple[int | None, Event]
"""An event, and its number before the correction, None for a new one."""


def challenged_plays(events: Sequence[Event]) -> dict[int, int]:
    """Map the number of each challenge among the events to the number of its play."""
    plays: dict[int, int] = {}
    play: int | None = None
    for number, event in enumerate(events):
        if isinstance(event, Played):
            play = number
        elif isinstance(event, Challenged) and play is not None:
            plays[number] = play
    return plays


def _with_its_play(numbered: list[_Placed], challenge: int, play: int) -> list[_Placed]:
    """Move one challenge behind its play, or drop it with the play; both numbers are those before the correction."""
    play_at = next((at for at, (was, event) in enumerate(numbered) if was == play and isinstance(event, Played)), None)
    now = next(at for at, (was, _) in enumerate(numbered) if was == challenge)
    others = [*numbered[:now], *numbered[now + 1 :]]
    if play_at is None:
        return others
    if not any(isinstance(event, Played) for _, event in numbered[play_at + 1 : now]):
        return numbered
    behind = play_at + 1
    while behind < len(others) and isinstance(others[behind][1], Challenged):
        behind += 1
    return [*others[:behind], numbered[now], *others[behind:]]
