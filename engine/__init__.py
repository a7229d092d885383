"""The game itself: boards, plays, rules, scores and whole games. Standard library only; no files, no clock, no images.

Import the nouns from here. `engine.formats` and `engine.solver` are doors of their own. Modules of the engine import
each other, not this face.

>>> from engine import Game, find_edition, parse_play
>>> game = Game.start(find_edition("8x8"), ["Red", "Blue"]).play(parse_play("b4-BATIK"))
>>> game.totals, game.current_player
({'Red': 10, 'Blue': 0}, 'Blue')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.public_names import lazy_names

if TYPE_CHECKING:
    from engine.board import MAX_HEIGHT, Board
    from engine.editions import EDITIONS, Edition, find_edition, grid_edition
    from engine.errors import GameError, LexiconError, UpscoreError
    from engine.faces import ENGLISH, FACES, Alphabet
    from engine.game.game import Game
    from engine.game.records import Setup, TurnRecord
    from engine.game.revision import Revision
    from engine.lexicon.lexicon import Lexicon, WordList
    from engine.play import PlacedTile, Play, format_play, parse_play
    from engine.rules.house_rules import SHEET_RULES, HouseRules
    from engine.rules.referee import Verdict, Violation, referee
    from engine.squares import SQUARES, Square, parse_square, square_name

__getattr__ = lazy_names(__name__)
