"""What is known of a game besides the picture."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Board
from engine.editions import Edition
from engine.lexicon.word_list import WordList
from engine.play import Play
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.rules.referee import Verdict, referee


@dataclass(frozen=True)
class Context:
    """What is known besides the picture: the edition, the words and the rules."""

    edition: Edition
    lexicon: WordList | None = None
    rules: HouseRules = SHEET_RULES
    count_tiles: bool = True

    def verdict(self, before: Board, play: Play) -> Verdict:
        """The referee's verdict on a play."""
        return referee(before, play, edition=self.edition, lexicon=self.lexicon, rules=self.rules)
