"""The effect of a correction: the lines of the scoresheet before and after it, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.game.records import TurnRecord
from engine.play import format_play


@dataclass(frozen=True)
class Change:
    """A line of the scoresheet that a correction changed, and the change as a sentence for the table.

    The line is new where `before` is None, and gone where `after` is None.
    """

    before: TurnRecord | None
    after: TurnRecord | None
    text: str

    @property
    def of_player(self) -> bool:
        """Whether the line only went to another player."""
        if self.before is None or self.after is None:
            return False
        return _visible_parts(self.before)[1:] == _visible_parts(self.after)[1:]


def describe(record: TurnRecord) -> str:
    """Write a turn in a few words: ``"Red played N@e6 T@g6 for 10 points"``."""
    notes = f" ({'; '.join(record.notes)})" if record.notes else ""
    if record.play is None:
        did = {"pass": "passed", "exchange": "exchanged", "lost": "lost a turn"}.get(record.kind, record.kind)
        return f"{record.player} {did}{notes}"
    tiles = format_play(record.play)
    if record.taken_back:
        return f"{record.player} took back {tiles}{notes}"
    illegal = ", against the rules" if record.verdict is not None and record.verdict.breaches else ""
    vain = ", challenged in vain" if record.refused_challenges else ""
    return f"{record.player} played {tiles} for {record.points} points{illegal}{vain}{notes}"


def changes(
    before: Sequence[TurnRecord], after: Sequence[TurnRecord], places: Sequence[int | None]
) -> tuple[Change, ...]:
    """Return every line that a correction changed, in the order of the new scoresheet, with lines gone first.

    `places` gives, for each event before the correction, its number after it, None where it is gone. A line that only
    moved to another number has not changed; one that now belongs to another player has.
    """
    old: dict[tuple[int, int], TurnRecord] = {}
    gone: list[Change] = []
    for record, ordinal in _ordinals(before):
        event = places[record.event]
        if event is None:
            gone.append(_gone(record))
        else:
            old[event, ordinal] = record
    result: list[Change] = []
    for record, ordinal in _ordinals(after):
        was = old.pop((record.event, ordinal), None)
        line = f"Turn {record.number}: {describe(record)}"
        if was is None:
            result.append(Change(None, record, f"{line}; this is new."))
        elif _visible_parts(was) != _visible_parts(record):
            gone_too = _challenges_gone(was) if record.play is None else ""
            result.append(Change(was, record, f"{line}; it said: {describe(was)}{gone_too}."))
    gone += [_gone(record) for record in old.values()]
    return _without_moved_losses((*gone, *result))


def _without_moved_losses(changes_made: tuple[Change, ...]) -> tuple[Change, ...]:
    """Leave out lost turns that only moved to another event: gone there and new here."""
    losses = [_loss(change) for change in changes_made]
    return tuple(
        change
        for change, loss in zip(changes_made, losses, strict=True)
        if loss is None or losses.count(loss) < 2
    )


def _loss(change: Change) -> tuple[str, int] | None:
    """Return the player and number of the lost turn that a change adds or removes, None for any other change."""
    record = change.after if change.before is None else change.before
    if record is None or record.kind != "lost" or (change.before is not None and change.after is not None):
        return None
    return record.player, record.number


def _gone(record: TurnRecord) -> Change:
    return Change(
        record, None, f"Turn {record.number}: {describe(record)}; this is gone{_challenges_gone(record)}."
    )


def _challenges_gone(record: TurnRecord) -> str:
    """Return the words about the challenges of a play that is no longer on the sheet."""
    names = [each.challenger for each in record.challenges if each.challenger is not None]
    if not names:
        return ""
    return f", and with it the challenge by {' and '.join(dict.fromkeys(names))}"


def _ordinals(records: Sequence[TurnRecord]) -> list[tuple[TurnRecord, int]]:
    """Return each line with its place among the lines of its event, counted backwards from the event's own line."""
    result: list[tuple[TurnRecord, int]] = []
    for index, record in enumerate(records):
        later = 0
        while index + later + 1 < len(records) and records[index + later + 1].event == record.event:
            later += 1
        result.append((record, later))
    return result


def _visible_parts(record: TurnRecord) -> tuple[object, ...]:
    """Return the parts of a line whose changes people see."""
    placed_well = record.verdict is None or not record.verdict.breaches
    outcome = (record.points, record.taken_back, record.refused_challenges, placed_well, record.notes)
    return (record.player, record.kind, record.play, *outcome)
