"""The list of games, each with its players' points and who won, the table of all finished games, and solo records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from engine import Edition
from engine.analysis.solo_record import solo_record
from engine.wording import board_name, listed
from webui.storage.database import GameRow, SoloRow, load_summary, turns_text
from webui.table.games import MAX_BEST_WORDS, Standing


@dataclass(frozen=True)
class GameLine:
    """A game in the list.

    `about` names the board and counts the turns. `points` are each player's name, total, and whether that player won.
    `state` says who won, or that the game goes on.
    """

    row: GameRow
    about: str
    points: tuple[tuple[str, int, bool], ...]
    state: str


def players_of(row: GameRow) -> list[str]:
    """Return the players of a stored game, none if its log is damaged."""
    try:
        players = json.loads(row.log)["players"]
        return [name for name in players if isinstance(name, str)]
    except (ValueError, KeyError, TypeError):
        return []


def view_game_line(row: GameRow, standing: Callable[[GameRow], Standing | None]) -> GameLine:
    """Return a game's line in the list. The game's `standing` is needed only if an earlier version stored it."""
    summary, state = load_summary(row.summary) or standing(row), "finished" if row.finished else "open"
    if summary is None:
        return GameLine(row, row.summary, (), state)
    won = summary.winners if row.finished and len(summary.totals) > 1 else ()
    if won:
        state = f"{won[0]} wins" if len(won) == 1 else f"{listed(won)} share the win"
    about = f"{board_name(summary.edition)}, {turns_text(summary.turns)}"
    return GameLine(row, about, tuple((name, total, name in won) for name, total in summary.totals.items()), state)


@dataclass(frozen=True)
class PlayerRecord:
    """A player's finished games: how many, how many were won (a shared win counts), the best and the mean total."""

    name: str
    games: int
    wins: int
    best: int
    mean: int


@dataclass(frozen=True)
class Meeting:
    """How often each of two players was ahead of the other at the end of a game, and how often they were level."""

    one: str
    other: str
    one_ahead: int
    other_ahead: int
    level: int


@dataclass(frozen=True)
class AllTimeView:
    """All finished games of two players or more, and the best words of all finished games with points and player."""

    players: tuple[PlayerRecord, ...]
    meetings: tuple[Meeting, ...]
    words: tuple[tuple[str, int, str], ...]


def view_all_time(standings: Iterable[tuple[GameRow, Standing | None]]) -> AllTimeView:
    """Return the table of all finished games. Capital letters don't matter in names. Demos don't count."""
    finished = [standing for row, standing in standings if standing and row.finished and not row.demo]
    together = [standing for standing in finished if len(standing.totals) > 1]
    names: dict[str, str] = {}
    for name in (name for standing in finished for name in standing.totals):
        names.setdefault(name.casefold(), name)
    played = [{name.casefold(): total for name, total in standing.totals.items()} for standing in together]
    won = Counter(key for standing in together for key in {name.casefold() for name in standing.winners})
    records = [_record(name, won[key], [each[key] for each in played if key in each]) for key, name in names.items()]
    players = sorted((each for each in records if each.games), key=lambda each: (-each.wins, each.name))
    meetings = []
    for one, other in combinations([each.name for each in players], 2):
        keys = one.casefold(), other.casefold()
        ahead = [each[keys[0]] - each[keys[1]] for each in played if keys[0] in each and keys[1] in each]
        if ahead:
            counts = sum(by > 0 for by in ahead), sum(by < 0 for by in ahead), ahead.count(0)
            meetings.append(Meeting(one, other, *counts))
    words = sorted((word for standing in finished for word in standing.words), key=lambda word: -word[1])
    best = tuple((word, points, names[player.casefold()]) for word, points, player in words[:MAX_BEST_WORDS])
    return AllTimeView(tuple(players), tuple(meetings), best)


def _record(name: str, wins: int, totals: list[int]) -> PlayerRecord:
    mean = round(sum(totals) / len(totals)) if totals else 0
    return PlayerRecord(name, len(totals), wins, max(totals, default=0), mean)


def record_to_beat(edition: Edition, rows: Sequence[SoloRow]) -> str:
    """Say what a new solo game has to beat. `rows` are the totals so far, in the order in which the games ended."""
    record = solo_record([row.total for row in rows])
    if record.best is None:
        return f"No finished solo game on {board_name(edition.name)} with these rules yet. The first sets the record."
    holder = next(row for row in rows if row.total == record.best)
    day = datetime.fromisoformat(holder.finished_at).astimezone().strftime("%d %b %Y").lstrip("0")
    best = f"{record.best} points ({holder.player}, {day})"
    text = f"Solo record on {board_name(edition.name)}: {best}"
    if record.games == 1:
        return f"{text}, in the only game so far."
    return f"{text}. The latest of {record.games} games scored {record.last}."


def compare_with_record(game_id: int, rows: Sequence[SoloRow]) -> str:
    """Compare a finished game's total with the record before it, in a sentence; "" if the game is not among `rows`."""
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
