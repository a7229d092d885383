"""The effect of a correction: the lines of the scoresheet before and after it, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.game.records import TurnRecord
from engine.play import format_play
from engine.wording import capitalize, join_names, join_texts, phrase


@dataclass(frozen=True)
class Change:
    """A line of the scoresheet that a correction changed, and what to tell the table, as a part of a sentence.

    A new line has no `before`, and one that is gone has no `after`.
    """

    before: TurnRecord | None
    after: TurnRecord | None
    clause: str

    @property
    def text(self) -> str:
        """The change in a sentence."""
        return join_texts((capitalize(self.clause) if self.begins_with_verb else self.clause, "."), "")

    @property
    def begins_with_verb(self) -> bool:
        """True if the clause begins with a verb, which a sentence capitalizes. Others begin with a player's name."""
        return self.before is None or self.after is None

    @property
    def of_player(self) -> bool:
        """True if the line only went to another player."""
        if self.before is None or self.after is None:
            return False
        return _visible_parts(self.before)[1:] == _visible_parts(self.after)[1:]


_KINDS = {"pass": phrase("pass"), "exchange": phrase("exchange"), "lost": phrase("lost turn")}


def _name(record: TurnRecord) -> str:
    """Return a turn in a word or two: ``"NET and ON"``, or its tiles where it made no word, ``"pass"``."""
    if record.play is None:
        return _KINDS[record.kind]
    words = () if record.verdict is None else record.verdict.words
    return join_names([word.word for word in words]) if words else format_play(record.play)


def _points(record: TurnRecord) -> str:
    return phrase("taken back") if record.taken_back else str(record.points)


def _name_with_points(record: TurnRecord) -> str:
    """Return a turn with its points: ``"NET and ON (10)"``."""
    if record.play is None:
        return _name(record)
    return phrase("%(turn)s (%(points)s)", turn=_name(record), points=_points(record))


def _breaks_rule(record: TurnRecord) -> bool:
    return record.verdict is not None and bool(record.verdict.breaches)


def _change_text(was: TurnRecord, now: TurnRecord) -> str:
    """Say how a line changed: ``"Blue's AXLES: 6 → 9."``."""
    gone = _describe_lost_challenges(was) if now.play is None else ""
    breaks = phrase(", and breaks a rule") if _breaks_rule(now) and not _breaks_rule(was) else ""
    return join_texts((_describe_change(was, now), gone, breaks), "")


def _describe_change(was: TurnRecord, now: TurnRecord) -> str:
    before, after, player = _name_with_points(was), _name_with_points(now), now.player
    if was.player != player and before == after:
        return phrase("%(player)s's %(turn)s is %(other)s's now", player=was.player, turn=before, other=player)
    if was.player != player:
        return phrase(
            "%(player)s's %(turn)s is now %(other)s's %(now)s", player=was.player, turn=before, other=player, now=after
        )
    if _name(was) != _name(now):
        return phrase("%(player)s's %(turn)s is now %(now)s", player=player, turn=before, now=after)
    turn = _name(now)
    if now.taken_back != was.taken_back:
        if now.taken_back:
            return phrase("%(player)s's %(turn)s is taken back now", player=player, turn=turn)
        return phrase("%(player)s's %(turn)s stands now", player=player, turn=turn)
    if _points(was) != _points(now):
        points = f"{_points(was)} → {_points(now)}"
        return phrase("%(player)s's %(turn)s: %(points)s", player=player, turn=turn, points=points)
    return phrase("%(player)s's %(turn)s has changed", player=player, turn=turn)


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
    return _drop_moved_losses((*gone, *result))


def _drop_moved_losses(changes_made: tuple[Change, ...]) -> tuple[Change, ...]:
    """Leave out lost turns that only moved to another event: gone there and new here."""
    losses = [_find_lost_turn(change) for change in changes_made]
    return tuple(
        change for change, loss in zip(changes_made, losses, strict=True) if loss is None or losses.count(loss) < 2
    )


def _find_lost_turn(change: Change) -> tuple[str, int] | None:
    """Return the player and number of the lost turn that a change adds or removes, or None."""
    if change.before is not None and change.after is not None:
        return None
    record = change.before or change.after
    return (record.player, record.number) if record is not None and record.kind == "lost" else None


def _addition_text(record: TurnRecord) -> str:
    if record.play is None:
        return _ADDED[record.kind](record.player)
    breaks = phrase(", which breaks a rule") if _breaks_rule(record) else ""
    turn = phrase(
        "added %(turn)s for %(player)s (%(points)s)", turn=_name(record), player=record.player, points=_points(record)
    )
    return join_texts((turn, breaks), "")


_ADDED: dict[str, Callable[[str], str]] = {
    "pass": lambda player: phrase("added a pass for %(player)s", player=player),
    "exchange": lambda player: phrase("added an exchange for %(player)s", player=player),
    "lost": lambda player: phrase("added a lost turn for %(player)s", player=player),
}


def _removal(record: TurnRecord) -> Change:
    turn = phrase("removed %(player)s's %(turn)s", player=record.player, turn=_name_with_points(record))
    return Change(record, None, join_texts((turn, _describe_lost_challenges(record)), ""))


def _describe_lost_challenges(record: TurnRecord) -> str:
    """Return the words that say which challenges went with a play that is no longer on the sheet."""
    names = [each.challenger for each in record.challenges if each.challenger is not None]
    if not names:
        return ""
    return phrase(", and with it the challenge by %(players)s", players=join_names(list(dict.fromkeys(names))))


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
