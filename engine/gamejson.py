"""Games as JSON data, as paired functions for those who keep them: `Game.to_dict` and `Game.from_dict`."""

from __future__ import annotations

from engine.game import Game
from engine.words import WordList


def game_to_dict(game: Game) -> dict[str, object]:
    """The game as JSON data; see `Game.to_dict`."""
    return game.to_dict()


def game_from_dict(data: object, lexicon: WordList | None) -> Game:
    """The game that `game_to_dict` wrote; see `Game.from_dict`."""
    return Game.from_dict(data, lexicon)
