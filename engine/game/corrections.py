"""What a correction changed: the lines of the scoresheet before and after it, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.game.records import TurnRecord
from engine.play import format_play


@dataclass(frozen=True)
class Change:
    """A line of the scoresheet that a correction changed, and the change as a sentence for the table.

    Without `before` the line is new, without `after` it is gone.
    """

    before: TurnRecord | None
    after: TurnRecord | None
    text: str

    @property
    def of_player(self) -> bool:
        """Whether the line is another player's now, and nothing else of it changed."""
        if self.before is None or self.after is None:
            return False
        return _shown(self.before)[1:] == _shown(self.after)[1:]


def describe(record: TurnRecord) -> str:
    """A turn in a few words: ``"Red played N@e6 T@g6 for 10 points"``."""
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
    """Every line that differs after a correction, in the order of the new scoresheet, lines gone first.

    `places` says where each event is now that stood before, None where it is gone.

    A line that only moved to another number is no change; one that another player has now is.
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
        elif _shown(was) != _shown(record):
            gone_too = _challenges_gone(was) if record.play is None else ""
            result.append(Change(was, record, f"{line}; it said: {describe(was)}{gone_too}."))
    gone += [_gone(record) for record in old.values()]
    return _without_moved_losses((*gone, *result))


def _without_moved_losses(found: tuple[Change, ...]) -> tuple[Change, ...]:
    """The changes but for lost turns that are the same before another event: gone there and new here."""
    losses = [_loss(change) for change in found]
    return tuple(
        change for change, loss in zip(found, losses, strict=True) if loss is None or losses.count(loss) < 2
    )


def _loss(change: Change) -> tuple[str, int] | None:
    """Whose lost turn, and which, a change says is gone or new; None where it says something else."""
    record = change.after if change.before is None else change.before
    if record is None or record.kind != "lost" or (change.before is not None and change.after is not None):
        return None
    return record.player, record.number


def _gone(record: TurnRecord) -> Change:
    return Change(
        record, None, f"Turn {record.number}: {describe(record)}; this is gone{_challenges_gone(record)}."
    )


def _challenges_gone(record: TurnRecord) -> str:
    """What is said of the challenges of a play that is no longer on the sheet."""
    names = [each.challenger for each in record.challenges if each.challenger is not None]
    if not names:
        return ""
    return f", and with it the challenge by {' and '.join(dict.fromkeys(names))}"


def _ordinals(records: Sequence[TurnRecord]) -> list[tuple[TurnRecord, int]]:
    """Each line and its place among those of one event, counted from the event's own line backwards."""
    result: list[tuple[TurnRecord, int]] = []
    for index, record in enumerate(records):
        later = 0
        while index + later + 1 < len(records) and records[index + later + 1].event == record.event:
            later += 1
        result.append((record, later))
    return result


def _shown(record: TurnRecord) -> tuple[object, ...]:
    """What of a line people see change."""
    placed_well = record.verdict is None or not record.verdict.breaches
    outcome = (record.points, record.taken_back, record.refused_challenges, placed_well, record.notes)
    return (record.player, record.kind, record.play, *outcome)
