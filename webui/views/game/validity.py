"""The verdict that the page shows on a play before it is entered."""

from __future__ import annotations

from engine.game.challenges import told_now
from engine.game.game import Game
from engine.play import Play
from engine.rules.referee import Verdict


def verdict_on(game: Game, play: Play) -> Verdict:
    """Return the verdict on a play, as far as it may be told before anybody challenges.

    Raises UpscoreError for a play that can't be made, as `Game.judge` does.
    """
    return told_now(game.judge(play), game.setup)
