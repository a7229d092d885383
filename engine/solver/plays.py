"""What a search for plays finds: plays with their points, each legal by the referee."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from engine.board import Board, stacks_after
from engine.editions import Edition
from engine.faces import FACES
from engine.lexicon.lexicon import Lexicon
from engine.play import PlacedTile, Play
from engine.rules.house_rules import HouseRules
from engine.rules.referee import referee
from engine.rules.scoring import WordScore, score_word, words_made
from engine.solver.hands import LETTERS
from engine.solver.line_scores import ILLEGAL, LineScorer, squares_of
from engine.solver.lines import Line
from engine.solver.walk import Filling
from engine.squares import SQUARES, Square, centre_squares

_FACE_OF = dict(zip(LETTERS, FACES, strict=True))


class ScoredPlay(NamedTuple):
    """A legal play and its points, as the referee gives them.

    `play` and `words` are worked out when they are asked for: a solver finds hundreds of plays, of which few are looked
    at. The tiles lie on row `at`, or column `at` where `vertical`, on the squares whose bits `mask` has.
    """

    points: int
    board: Board
    vertical: bool
    at: int
    mask: int
    letters: str

    @property
    def play(self) -> Play:
        """The tiles and their squares."""
        return _play(self.vertical, self.at, self.mask, self.letters)

    @property
    def words(self) -> tuple[WordScore, ...]:
        """The words made or changed, the one along the play first, with their scores."""
        play = self.play
        words = words_made(stacks_after(self.board, play), play.tiles)
        # Only a lone Qu as a first play, where the house allows it, makes no word of two squares.
        return words or (score_word((("Qu",),), play.squares),)


@dataclass(frozen=True, slots=True)
class Search:
    """What all plays of one search have in common; `rack_size` is the number of tiles on the rack."""

    board: Board
    edition: Edition
    lexicon: Lexicon
    rules: HouseRules
    rack_size: int

    def scored(self, line: Line, found: Iterable[Filling]) -> list[ScoredPlay]:
        """Those fillings of a line that are legal plays, with their points, in the order in which they come."""
        scorer = LineScorer(line, self.rack_size, self.rules, first=self.board.is_empty)
        plays: list[ScoredPlay] = []
        for mask, letters in found:
            points = scorer.points(mask)
            if points == ILLEGAL:
                continue
            if "Q" in letters or (letters[-1] == "S" and scorer.may_break_plural(mask)):
                plays += self._judged(line.vertical, line.at, mask, letters)
            else:
                plays.append(ScoredPlay(points, self.board, line.vertical, line.at, mask, letters))
        return plays

    def lone_qu(self, square: Square) -> list[ScoredPlay]:
        """A lone Qu as the first play, where the board is empty and the house allows it."""
        centre = square in centre_squares(self.board.size)
        if not (self.rules.lone_qu_first_play and self.board.is_empty and centre):
            return []
        return self._judged(False, square.row, 1 << square.col, "Q")

    def _judged(self, vertical: bool, at: int, mask: int, letters: str) -> list[ScoredPlay]:
        """The play where its letters matter to its points or its legality: the referee decides."""
        verdict = referee(
            self.board,
            _play(vertical, at, mask, letters),
            edition=self.edition,
            lexicon=self.lexicon,
            rules=self.rules,
            rack_size=self.rack_size,
        )
        return [ScoredPlay(verdict.points, self.board, vertical, at, mask, letters)] if verdict.legal else []


def _play(vertical: bool, at: int, mask: int, letters: str) -> Play:
    places = squares_of(mask)
    squares = [SQUARES[place][at] if vertical else SQUARES[at][place] for place in places]
    return Play(tuple(map(PlacedTile, squares, (_FACE_OF[sign] for sign in letters))))
