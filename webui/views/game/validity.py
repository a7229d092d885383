"""What the page tells of a play that is about to be made."""

from __future__ import annotations

from engine.game.challenges import told_now
from engine.game.game import Game
from engine.play import Play
from engine.rules.referee import Verdict


def judged(game: Game, play: Play) -> Verdict:
    """What may be told of it before anybody challenges; raises an UpscoreError as `Game.judge` does."""
    return told_now(game.judge(play), game.setup)
