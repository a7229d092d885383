"""What of a verdict the page tells: rules of placing at once, words only once somebody has challenged them."""

from __future__ import annotations

from dataclasses import replace

from engine.game.game import Game
from engine.game.records import Setup, TurnRecord
from engine.play import Play
from engine.rules.referee import Verdict


def told_now(verdict: Verdict, setup: Setup) -> Verdict:
    """The verdict as it may be told before anybody challenges: without a word on words, unless the table wants it."""
    if setup.words_always_checked:
        return verdict
    return replace(verdict, violations=verdict.breaches)


def told_of(record: TurnRecord, setup: Setup) -> Verdict | None:
    """The same of a turn on the sheet, None where it was no play: of one that was challenged, everything."""
    if record.verdict is None or any(each.authority is not None for each in record.challenges):
        return record.verdict
    return told_now(record.verdict, setup)


def judged(game: Game, play: Play) -> Verdict:
    """What may be told of a play that is about to be made; raises an UpscoreError as `Game.judge` does."""
    return told_now(game.judge(play), game.setup)
