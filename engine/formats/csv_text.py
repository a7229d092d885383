"""A scoresheet as CSV text, for spreadsheets."""

from __future__ import annotations

import csv

from engine.game.game import Game
from engine.game.records import TurnRecord
from engine.game.turns import challenge_text, shown_turn_verdict
from engine.play import format_play
from engine.rules.referee import Verdict

COLUMNS = ("turn", "player", "kind", "tiles", "words", "points", "total", "legal", "notes")
_BOARD_ROW = ("", "", "board", "", "", "", "", "", "The board was taken as it lies.")
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t")


def game_csv(game: Game) -> str:
    """Write the scoresheet as CSV: a line of column names, one line a turn, and one a player for tiles left at the end.

    Points that the game began with come first. `legal` and `notes` give away only what the table has heard. Once the
    game is over, that is everything. Before, it is the plays that were challenged, unless words are always checked.
    Lines end with CR LF (RFC 4180). A text that a spreadsheet would run as a formula starts with an apostrophe.
    """
    parts = _Parts()
    sheet = csv.writer(parts)
    sheet.writerow(COLUMNS)
    totals = dict(zip(game.players, game.setup.scores, strict=True))
    if any(game.setup.scores):
        for name, score in totals.items():
            sheet.writerow(_points_row(name, "start", score, score))
    taken = {board.place for board in game.state.taken}
    for place, record in enumerate(game.turns):
        if place in taken:
            sheet.writerow(_BOARD_ROW)
        totals[record.player] += record.points
        verdict = shown_turn_verdict(record, game.setup) if game.ended is None else record.verdict
        sheet.writerow(_turn_row(record, verdict, totals[record.player]))
    if len(game.turns) in taken:
        sheet.writerow(_BOARD_ROW)
    if game.ended is not None:
        for name, penalty in zip(game.players, game.ended.penalties, strict=True):
            totals[name] += penalty
            sheet.writerow(_points_row(name, "left over", penalty, totals[name]))
    return "".join(parts)


class _Parts(list[str]):
    """The parts of a text, in the order in which the CSV writer wrote them."""

    def write(self, part: str) -> None:
        self.append(part)


def _points_row(player: str, kind: str, points: int, total: int) -> tuple[str | int, ...]:
    """Return a line for points that no turn made."""
    return ("", _safe(player), kind, "", "", points, total, "", "")


def _turn_row(record: TurnRecord, verdict: Verdict | None, total: int) -> tuple[str | int, ...]:
    legal = "" if verdict is None else ("yes" if verdict.legal else "no")
    words = "" if verdict is None else ", ".join(f"{word.word} {word.points}" for word in verdict.words)
    reasons = () if verdict is None else tuple(broken.text for broken in verdict.violations)
    kind = "taken back" if record.taken_back else record.kind
    tiles = "" if record.play is None else format_play(record.play)
    notes = " ".join((*reasons, *map(challenge_text, record.challenges), *record.notes))
    return (record.number, _safe(record.player), kind, tiles, words, record.points, total, legal, _safe(notes))


def _safe(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula."""
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) else text
