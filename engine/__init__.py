"""The game itself: boards, plays, rules, scores and whole games. Standard library only; no files, no clock, no images.

Import the nouns from here. `engine.formats` and `engine.solver` are doors of their own. Modules of the engine import
each other, not this face.

>>> from engine import Game, edition_named, parse_play
>>> game = Game.start(edition_named("8x8"), ["Red", "Blue"]).play(parse_play("b4-BATIK"))
>>> game.totals, game.current_player
({'Red': 10, 'Blue': 0}, 'Blue')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.public_names import lazy_names

if TYPE_CHECKING:
    from engine.board import MAX_HEIGHT as MAX_HEIGHT
    from engine.board import Board as Board
    from engine.editions import EDITIONS as EDITIONS
    from engine.editions import Edition as Edition
    from engine.editions import edition_named as edition_named
    from engine.editions import grid_edition as grid_edition
    from engine.errors import GameError as GameError
    from engine.errors import LexiconError as LexiconError
    from engine.errors import UpscoreError as UpscoreError
    from engine.faces import FACES as FACES
    from engine.game.game import Game as Game
    from engine.game.records import Setup as Setup
    from engine.game.records import TurnRecord as TurnRecord
    from engine.game.revision import Revision as Revision
    from engine.lexicon.lexicon import Lexicon as Lexicon
    from engine.lexicon.lexicon import WordList as WordList
    from engine.play import PlacedTile as PlacedTile
    from engine.play import Play as Play
    from engine.play import format_play as format_play
    from engine.play import parse_play as parse_play
    from engine.rules.house_rules import SHEET_RULES as SHEET_RULES
    from engine.rules.house_rules import HouseRules as HouseRules
    from engine.rules.referee import Verdict as Verdict
    from engine.rules.referee import referee as referee
    from engine.rules.violations import Violation as Violation
    from engine.squares import SQUARES as SQUARES
    from engine.squares import Square as Square
    from engine.squares import parse_square as parse_square
    from engine.squares import square_name as square_name

_HOMES = {
    "Board": "engine.board",
    "EDITIONS": "engine.editions",
    "Edition": "engine.editions",
    "FACES": "engine.faces",
    "Game": "engine.game.game",
    "GameError": "engine.errors",
    "HouseRules": "engine.rules.house_rules",
    "Lexicon": "engine.lexicon.lexicon",
    "LexiconError": "engine.errors",
    "MAX_HEIGHT": "engine.board",
    "PlacedTile": "engine.play",
    "Play": "engine.play",
    "Revision": "engine.game.revision",
    "SHEET_RULES": "engine.rules.house_rules",
    "SQUARES": "engine.squares",
    "Setup": "engine.game.records",
    "Square": "engine.squares",
    "TurnRecord": "engine.game.records",
    "UpscoreError": "engine.errors",
    "Verdict": "engine.rules.referee",
    "Violation": "engine.rules.violations",
    "WordList": "engine.lexicon.lexicon",
    "edition_named": "engine.editions",
    "format_play": "engine.play",
    "grid_edition": "engine.editions",
    "parse_play": "engine.play",
    "parse_square": "engine.squares",
    "referee": "engine.rules.referee",
    "square_name": "engine.squares",
}
"""The module of each public name."""

__getattr__ = lazy_names(__name__, _HOMES)
