"""The list of games, each with its players' points and who won, the table of all finished games, and solo records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

from engine import Edition
from engine.analysis.solo_record import solo_record
from engine.json_reading import load_own_json
from engine.wording import board_name, join_texts, phrase, points_text, turns_text
from webui.language import day_text
from webui.storage.database import GameRow, SoloRow, load_summary
from webui.table.games import MAX_BEST_WORDS, Standing
from webui.views.finish import say_winners


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
        players = load_own_json(row.log)["players"]
        return [name for name in players if isinstance(name, str)]
    except (ValueError, KeyError, TypeError):
        return []


def view_game_line(row: GameRow, standing: Callable[[GameRow], Standing | None]) -> GameLine:
    """Return a game's line in the list. The game's `standing` is needed only if an earlier version stored it."""
    summary = load_summary(row.summary) or standing(row)
    state: str = phrase("finished") if row.finished else phrase("open")
    if summary is None:
        return GameLine(row, row.summary, (), state)
    won = summary.winners if row.finished and len(summary.totals) > 1 else ()
    if won:
        state = say_winners(won)
    about = join_texts((board_name(summary.edition), turns_text(summary.turns)), ", ")
    return GameLine(row, about, tuple((name, total, name in won) for name, total in summary.totals.items()), state)


@dataclass(frozen=True)
class PlayerRecord:
    """A player's finished games: how many, how many were won (a shared win counts), the best and the mean total.

    `longest_run` is the most games that were won in a row, `run` how many of the newest were.
    """

    name: str
    games: int
    wins: int
    best: int
    mean: int
    longest_run: int
    run: int


@dataclass(frozen=True)
class Meeting:
    """How often each of two players was ahead of the other at the end of a game, and how often they were level."""

    one: str
    other: str
    one_ahead: int
    other_ahead: int
    level: int


@dataclass(frozen=True)
class FamilyRecord:
    """A record of all finished games: its name, its points, the words or the board, who holds it, and the game."""

    name: str
    points: int
    about: str
    holder: str
    game_id: int


@dataclass(frozen=True)
class AllTimeView:
    """All finished games of two players or more, and the best words of all finished games with points and player."""

    players: tuple[PlayerRecord, ...]
    meetings: tuple[Meeting, ...]
    records: tuple[FamilyRecord, ...]
    words: tuple[tuple[str, int, str], ...]


def view_all_time(standings: Iterable[tuple[GameRow, Standing | None]]) -> AllTimeView:
    """Return the table of all finished games. Capital letters don't matter in names. Demos don't count.

    Runs and records go by the order in which games ended: an old game may be finished after a newer one.
    """
    games = [(row, standing) for row, standing in standings if standing and row.finished and not row.demo]
    games.sort(key=lambda game: game[0].ended, reverse=True)
    finished = [standing for _, standing in games]
    together = [standing for standing in finished if len(standing.totals) > 1]
    names: dict[str, str] = {}
    for name in (name for standing in finished for name in standing.totals):
        names.setdefault(name.casefold(), name)
    played = [{name.casefold(): total for name, total in standing.totals.items()} for standing in together]
    won = [{name.casefold() for name in standing.winners} for standing in together]
    records = []
    for key, name in names.items():
        results = [(each[key], key in winners) for each, winners in zip(played, won, strict=True) if key in each]
        if results:
            records.append(_record(name, results))
    players = sorted(records, key=lambda each: (-each.wins, each.name))
    meetings = []
    for one, other in combinations([each.name for each in players], 2):
        keys = one.casefold(), other.casefold()
        ahead = [each[keys[0]] - each[keys[1]] for each in played if keys[0] in each and keys[1] in each]
        if ahead:
            counts = sum(by > 0 for by in ahead), sum(by < 0 for by in ahead), ahead.count(0)
            meetings.append(Meeting(one, other, *counts))
    words = sorted((word for standing in finished for word in standing.words), key=lambda word: -word[1])
    best = tuple((word, points, names[player.casefold()]) for word, points, player in words[:MAX_BEST_WORDS])
    held = [replace(each, holder=names[each.holder.casefold()]) for each in _family_records(games)]
    return AllTimeView(tuple(players), tuple(meetings), tuple(held), best)


def _record(name: str, results: Sequence[tuple[int, bool]]) -> PlayerRecord:
    """Return the record of a player's games: in each the total, and whether it was won, the one ended last first."""
    totals, won = zip(*results, strict=True)
    runs = [sum(1 for _ in games) if is_won else 0 for is_won, games in groupby(won)]
    mean = round(sum(totals) / len(totals))
    return PlayerRecord(name, len(totals), sum(won), max(totals), mean, longest_run=max(runs), run=runs[0])


def _family_records(games: Sequence[tuple[GameRow, Standing]]) -> list[FamilyRecord]:
    """Return the records of finished games, the one ended last first. The first to reach a record holds it."""
    reached: list[FamilyRecord] = []
    for row, standing in reversed(games):
        board = board_name(standing.edition)
        ranking = sorted(standing.totals.items(), key=lambda each: -each[1])
        if len(ranking) > 1:
            (first, most), (_, second) = ranking[:2]
            reached.append(FamilyRecord(phrase("Highest total"), most, board, first, row.id))
            if most > second:
                reached.append(FamilyRecord(phrase("Widest win"), most - second, board, first, row.id))
        if standing.best_turn is not None:
            words, points, player = standing.best_turn
            reached.append(FamilyRecord(phrase("Best turn"), points, words, player, row.id))
        reached += [
            FamilyRecord(phrase("Best word"), points, word, player, row.id) for word, points, player in standing.words
        ]
    best: dict[str, FamilyRecord] = {}
    for each in reached:
        if each.name not in best or each.points > best[each.name].points:
            best[each.name] = each
    return [
        best[name]
        for name in (phrase("Highest total"), phrase("Widest win"), phrase("Best turn"), phrase("Best word"))
        if name in best
    ]


def record_to_beat(edition: Edition, rows: Sequence[SoloRow]) -> str:
    """Say what a new solo game has to beat. `rows` are the totals so far, in the order in which the games ended."""
    record = solo_record([row.total for row in rows])
    if record.best is None:
        return phrase(
            "No finished solo game on %(board)s with these rules yet. The first sets the record.",
            board=board_name(edition.name),
        )
    holder = next(row for row in rows if row.total == record.best)
    best = phrase(
        "%(points)s (%(player)s, %(day)s)",
        points=points_text(record.best),
        player=holder.player,
        day=day_text(holder.finished_at),
    )
    text = phrase("Solo record on %(board)s: %(best)s", board=board_name(edition.name), best=best)
    if record.games == 1:
        return phrase("%(record)s, in the only game so far.", record=text)
    return phrase(
        "%(record)s. The latest of %(games)s games scored %(last)s.", record=text, games=record.games, last=record.last
    )


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
        return phrase("The record is %(best)s, %(more)s more.", best=before.best, more=before.best - total)
    text = {
        "first": phrase("%(points)s: the first record.", points=points_text(total)),
        "new": phrase("New record: %(total)s, before %(best)s.", total=total, best=before.best),
        "level": phrase("That ties the record: %(total)s.", total=total),
    }[standing]
    best = max(row.total for row in rows)
    return text if best == total else join_texts((text, phrase("It has been beaten since: %(best)s.", best=best)))
