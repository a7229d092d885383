"""The record of solo totals, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from engine import Edition
from engine.analysis.solo_record import solo_record
from engine.wording import board_name
from webui.storage.database import SoloRow


def record_to_beat(edition: Edition, rows: Sequence[SoloRow]) -> str:
    """Say what a new solo game has to beat. `rows` are the totals so far, in the order in which the games ended."""
    record = solo_record([row.total for row in rows])
    if record.best is None:
        return f"No finished solo game on {board_name(edition.name)} with these rules yet. The first sets the record."
    holder = next(row for row in rows if row.total == record.best)
    best = f"{record.best} points ({holder.player}, {_day(holder.finished_at)})"
    text = f"Solo record on {board_name(edition.name)}: {best}"
    if record.games == 1:
        return f"{text}, in the only game so far."
    return f"{text}. The latest of {record.games} games scored {record.last}."


def compare_with_record(game_id: int, rows: Sequence[SoloRow]) -> str:
    """Compare a finished game's total with the record before it, in a sentence, "" if it is not among `rows`."""
    place = next((at for at, row in enumerate(rows) if row.game_id == game_id), None)
    if place is None:
        return ""
    total = rows[place].total
    before = solo_record([row.total for row in rows[:place]])
    standing = before.standing(total)
    if standing == "below":
        assert before.best is not None
        return f"The record is {before.best}, {before.best - total} more."
    text = {
        "first": f"{total} points: the first record.",
        "new": f"New record: {total}, before {before.best}.",
        "level": f"That ties the record: {total}.",
    }[standing]
    best = max(row.total for row in rows)
    return text if best == total else f"{text} It has been beaten since: {best}."


def _day(stamp: str) -> str:
    return datetime.fromisoformat(stamp).astimezone().strftime("%d %b %Y").lstrip("0")
