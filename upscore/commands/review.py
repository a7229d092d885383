"""`upscore review`: what each turn of a game could have done better, and where the game turned."""

from __future__ import annotations

import argparse

from engine import TurnRecord, format_play
from engine.analysis.chances import chances, turning_points
from engine.formats.game_json import JsonDict, Position, tiles_json
from upscore.commands.console import DONE, say, tell, tell_json
from upscore.commands.inputs import read_game
from webui.views.analysis import MissedView, view_missed


def run(args: argparse.Namespace) -> int:
    """Print a line for each turn as soon as it is weighed, and the turning points."""
    game = read_game(args.game, args)
    if not game.setup.start.is_empty:
        for line in Position(game.setup.edition, game.setup.start).oddities:
            say(f"warning: the board at the start: {line}")
    if not game.turns:
        say("There is no turn to look back at.")
    rows = chances(game)
    for at, record in enumerate(game.turns):
        row = dict(zip(game.players, rows[at + 1], strict=True)) if rows else {}
        missed = view_missed(game, at + 1, None)
        if args.json:
            tell_json(_turn_json(record, row, missed))
        else:
            _tell_turn(record, row, missed)
    if not args.json:
        for point in turning_points(game):
            tell(
                f"Turn {point.record.number} took {point.record.player}'s chance to win "
                f"from {point.before:.0%} to {point.after:.0%}."
            )
    return DONE


def _tell_turn(record: TurnRecord, row: dict[str, float], missed: MissedView | None) -> None:
    chance = f", chance to win {row[record.player]:.0%}" if row else ""
    what = format_play(record.play) if record.play else record.kind
    tell(f"{record.number:3}  {record.player}: {what}, {record.points} points{chance}")
    if missed is not None:
        tell(f"     better: {missed.best.where}, {missed.summary}")


def _turn_json(record: TurnRecord, row: dict[str, float], missed: MissedView | None) -> JsonDict:
    better: JsonDict | None = None
    if missed is not None:
        play = missed.best.play
        better = {
            "tiles": tiles_json(play) if play else [],
            "points": missed.best.points,
            "gain": missed.gain,
            "where": missed.best.where,
            "why": missed.summary,
        }
    return {
        "turn": record.number,
        "player": record.player,
        "kind": record.kind,
        "tiles": tiles_json(record.play) if record.play else [],
        "points": record.points,
        "chances": {name: round(chance, 3) for name, chance in row.items()},
        "better": better,
    }
