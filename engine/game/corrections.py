"""The effect of a correction: the lines of the scoresheet before and after it, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.game.records import TurnRecord
from engine.play import format_play
from engine.wording import listed


@dataclass(frozen=True)
class Change:
    """A line of the scoresheet that a correction changed, and a sentence about it for the table.

    A new line has no `before`, and one that is gone has no `after`.
    """

    before: TurnRecord | None
    after: TurnRecord | None
    text: str

    @property
    def of_player(self) -> bool:
        """True if the line only went to another player."""
        if self.before is None or self.after is None:
            return False
        return _visible_parts(self.before)[1:] == _visible_parts(self.after)[1:]


def _name(record: TurnRecord) -> str:
    """Return a turn in a word or two: ``"NET and ON"``, or its tiles where it made no word, ``"pass"``."""
    if record.play is None:
        return "lost turn" if record.kind == "lost" else record.kind
    words = () if record.verdict is None else record.verdict.words
    return listed([word.word for word in words]) if words else format_play(record.play)


def _points(record: TurnRecord) -> str:
    return "taken back" if record.taken_back else str(record.points)


def _name_with_points(record: TurnRecord) -> str:
    """Return a turn with its points: ``"NET and ON (10)"``."""
    return _name(record) if record.play is None else f"{_name(record)} ({_points(record)})"


def _breaks_rule(record: TurnRecord) -> bool:
    return record.verdict is not None and bool(record.verdict.breaches)


def _change_text(was: TurnRecord, now: TurnRecord) -> str:
    """Say how a line changed: ``"Blue's AXLES: 6 → 9."``."""
    gone = _challenges_gone(was) if now.play is None else ""
    breaks = ", and breaks a rule" if _breaks_rule(now) and not _breaks_rule(was) else ""
    if was.player != now.player and _name_with_points(was) == _name_with_points(now):
        return f"{was.player}'s {_name_with_points(was)} is {now.player}'s now{gone}{breaks}."
    if was.player != now.player or _name(was) != _name(now):
        owner = "" if was.player == now.player else f"{now.player}'s "
        return f"{was.player}'s {_name_with_points(was)} is now {owner}{_name_with_points(now)}{gone}{breaks}."
    if now.taken_back != was.taken_back:
        return f"{now.player}'s {_name(now)} {'is taken back' if now.taken_back else 'stands'} now{breaks}."
    if _points(was) != _points(now):
        return f"{now.player}'s {_name(now)}: {_points(was)} → {_points(now)}{breaks}."
    return f"{now.player}'s {_name(now)} has changed{breaks}."


def changes(
    before: Sequence[TurnRecord], after: Sequence[TurnRecord], places: Sequence[int | None]
) -> tuple[Change, ...]:
    """Return every line that a correction changed, in the order of the new scoresheet, with lines gone first.

    `places` gives, for each event before the correction, its number after it, None if it is gone. A line that only
    moved to another number has not changed; one that now belongs to another player has.
    """
    old: dict[tuple[int, int], TurnRecord] = {}
    gone: list[Change] = []
    for record, ordinal in _ordinals(before):
        event = places[record.event]
        if event is None:
            gone.append(_removal(record))
        else:
            old[event, ordinal] = record
    result: list[Change] = []
    for record, ordinal in _ordinals(after):
        was = old.pop((record.event, ordinal), None)
        if was is None:
            result.append(Change(None, record, _addition_text(record)))
        elif _visible_parts(was) != _visible_parts(record):
            result.append(Change(was, record, _change_text(was, record)))
    gone += [_removal(record) for record in old.values()]
    return _without_moved_losses((*gone, *result))


def _without_moved_losses(changes_made: tuple[Change, ...]) -> tuple[Change, ...]:
    """Leave out lost turns that only moved to another event: gone there and new here."""
    losses = [_lost_turn(change) for change in changes_made]
    return tuple(
        change for change, loss in zip(changes_made, losses, strict=True) if loss is None or losses.count(loss) < 2
    )


def _lost_turn(change: Change) -> tuple[str, int] | None:
    """Return the player and number of the lost turn that a change adds or removes, or None."""
    if change.before is not None and change.after is not None:
        return None
    record = change.before or change.after
    return (record.player, record.number) if record is not None and record.kind == "lost" else None


def _addition_text(record: TurnRecord) -> str:
    if record.play is None:
        return f"Added {'an' if record.kind == 'exchange' else 'a'} {_name(record)} for {record.player}."
    breaks = ", which breaks a rule" if _breaks_rule(record) else ""
    return f"Added {_name(record)} for {record.player} ({_points(record)}){breaks}."


def _removal(record: TurnRecord) -> Change:
    text = f"Removed {record.player}'s {_name_with_points(record)}{_challenges_gone(record)}."
    return Change(record, None, text)


def _challenges_gone(record: TurnRecord) -> str:
    """Return the words that say which challenges went with a play that is no longer on the sheet."""
    names = [each.challenger for each in record.challenges if each.challenger is not None]
    if not names:
        return ""
    return f", and with it the challenge by {' and '.join(dict.fromkeys(names))}"


def _ordinals(records: Sequence[TurnRecord]) -> list[tuple[TurnRecord, int]]:
    """Return each line with its place among the lines of its event, counted backwards from the event's own line.

    The lines of an event are adjacent.
    """
    later: Counter[int] = Counter()
    result: list[tuple[TurnRecord, int]] = []
    for record in reversed(records):
        result.append((record, later[record.event]))
        later[record.event] += 1
    return result[::-1]


def _visible_parts(record: TurnRecord) -> tuple[object, ...]:
    """Return the parts of a line whose changes people see."""
    placed_well = record.verdict is None or not record.verdict.breaches
    outcome = (record.points, record.taken_back, record.refused_challenges, placed_well, record.notes)
    return (record.player, record.kind, record.play, *outcome)
