"""The plays that a search returns, each legal by the referee, with its points.

Legality and points depend mostly on the squares, not on the letters. So the solver works them out once for each set of
squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from engine.board import Board, stacks_after
from engine.editions import QU_BONUS, Edition
from engine.faces import ENGLISH, FIRST_SIGN, Alphabet
from engine.lexicon.lexicon import Lexicon
from engine.play import PlacedTile, Play
from engine.rules.house_rules import HouseRules
from engine.rules.referee import referee
from engine.rules.scoring import WordScore, all_tiles_bonus, score_word, score_words
from engine.solver.lines import Line, qu_number
from engine.squares import SQUARES, Square, run_around, runs_along

ILLEGAL = -1
"""Stands for the points of a set of squares that no play may fill."""


class LineScorer:
    """Judges and scores the sets of squares of one line for a search, given as masks."""

    def __init__(self, line: Line, search: Search) -> None:
        self._line = line
        self._rules = search.rules
        self._edition = search.edition
        self._rack_size = search.rack_size
        self._first = search.board.is_empty
        self._words = [(1 << end) - (1 << start) for start, end in runs_along(line.heights)]  # as masks
        alphabet = search.edition.alphabet
        self._qu = qu_number(alphabet)
        self._shows_qu = self._qu in line.tops
        self._qu_sign, self._s_sign = sign_of("Qu", alphabet), sign_of("S", alphabet)
        self._known: dict[int, int] = {}

    def points(self, mask: int) -> int:
        """Return the points of a play on these squares, or `ILLEGAL`.

        It ignores 5-plural, and 6C for a Qu in the play: see `needs_referee`.
        """
        points = self._known.get(mask)
        if points is None:
            points = self._known[mask] = self._score(mask)
        return points

    def needs_referee(self, mask: int, letters: str) -> bool:
        """Return whether the points or the legality of a play on these squares depend on its letters."""
        return self._qu_sign in letters or (letters[-1] == self._s_sign and self._may_break_plural(mask))

    def _may_break_plural(self, mask: int) -> bool:
        """Return whether a play on these squares that ends in an S may break 5-plural, as far as the squares show."""
        if not self._rules.plural_rule:
            return False
        squares = squares_of(mask)
        start, end = run_around(self._line.heights, squares[0], squares[-1])
        at = squares[-1]
        stacked = self._line.heights[at] > 0
        if len(squares) > 1:
            return not (self._rules.several_tiles_ending_in_s or stacked or at != end - 1)
        if stacked:
            return not self._rules.stacked_s
        cross = self._line.crosses[at]
        return (at == end - 1 and end - start > 2) or (cross is not None and cross.last and cross.squares > 1)

    def _score(self, mask: int) -> int:
        for word in self._words:
            if mask & word == word:
                return ILLEGAL
        line = self._line
        heights = line.heights
        squares = squares_of(mask)
        start, end = run_around(heights, squares[0], squares[-1])
        count = len(squares)
        points = all_tiles_bonus(self._edition, count, self._rack_size, short_rack=self._rules.bonus_for_short_rack)
        crossing = 0
        for at in squares:
            cross = line.crosses[at]
            if cross is not None:
                crossing += 1
                points += self._points(cross.squares + 1, cross.tiles + heights[at] + 1, cross.qu)
        # A lone tile that makes words in both directions is found by its row, so that each play comes once.
        if end - start < 2 or (count == 1 and (self._first or (line.vertical and crossing))):
            return ILLEGAL
        if crossing > 1 and not self._rules.parallel_plays:
            return ILLEGAL
        qu = self._shows_qu and any(line.tops[at] == self._qu and not mask >> at & 1 for at in range(start, end))
        return points + self._points(end - start, sum(heights[start:end]) + count, qu)

    def _points(self, squares: int, tiles: int, qu: bool) -> int:
        """Score a word of `squares` letters and `tiles` tiles by 6A, 6B and 6C."""
        if tiles > squares:
            return tiles
        return 2 * tiles + (self._edition.qu_bonus if qu else 0)


@lru_cache(maxsize=1 << 13)
def squares_of(mask: int) -> tuple[int, ...]:
    """Return the squares of a line whose bits are set in a mask."""
    return tuple(at for at in range(mask.bit_length()) if mask >> at & 1)


Filling = tuple[int, str]
"""The squares of a line that get tiles, as a mask, and the faces put there in their order, as the alphabet's signs."""


class ScoredPlay(NamedTuple):
    """A legal play and its points, as the referee counts them.

    `play` and `words` are computed on demand: the solver finds hundreds of plays, and few are ever shown. The tiles
    lie on row `at`, or on column `at` where `vertical`, on the squares whose bits are set in `mask`.
    """

    points: int
    board: Board
    vertical: bool
    at: int
    mask: int
    letters: str
    qu_bonus: int = QU_BONUS
    alphabet: Alphabet = ENGLISH

    @property
    def play(self) -> Play:
        """The tiles and their squares."""
        return _play(self.vertical, self.at, self.mask, self.letters, self.alphabet)

    @property
    def bonus(self) -> int:
        """The 20 of rule 6D if the points include it, otherwise 0."""
        return self.points - sum(word.points for word in self.words)

    @property
    def words(self) -> tuple[WordScore, ...]:
        """The words made or changed, the one along the play first, with their scores."""
        play = self.play
        words = score_words(stacks_after(self.board, play), play.tiles, self.qu_bonus)
        # Only a lone Qu as a first play, where the house rules allow it, makes no word of two squares.
        return words or (score_word((("Qu",),), play.squares, self.qu_bonus),)


@dataclass(frozen=True, slots=True)
class Search:
    """The settings that all plays of one search share; `rack_size` is the number of tiles on the rack."""

    board: Board
    edition: Edition
    lexicon: Lexicon
    rules: HouseRules
    rack_size: int

    def legal_plays_in(self, line: Line, fillings: Iterable[Filling]) -> list[ScoredPlay]:
        """Return the fillings of a line that are legal plays, with their points, in the order given."""
        scorer = LineScorer(line, self)
        qu_bonus, alphabet = self.edition.qu_bonus, self.edition.alphabet
        plays: list[ScoredPlay] = []
        for mask, letters in fillings:
            points = scorer.points(mask)
            if points == ILLEGAL:
                continue
            if scorer.needs_referee(mask, letters):
                plays += self._ask_referee(line.vertical, line.at, mask, letters)
            else:
                plays.append(ScoredPlay(points, self.board, line.vertical, line.at, mask, letters, qu_bonus, alphabet))
        return plays

    def best_points_in(self, line: Line, choices: Sequence[Iterable[Filling]]) -> list[int]:
        """Return the points of the best legal play among each of the `choices` of fillings, 0 if none is legal."""
        scorer = LineScorer(line, self)
        return [self._best_points(line, scorer, fillings) for fillings in choices]

    def _best_points(self, line: Line, scorer: LineScorer, fillings: Iterable[Filling]) -> int:
        best, qu = 0, sign_of("Qu", self.edition.alphabet)
        for mask, letters in fillings:
            points = scorer.points(mask)
            # A Qu may count 6C in both of its words.
            if points != ILLEGAL and points + 2 * self.edition.qu_bonus * (qu in letters) > best:
                if scorer.needs_referee(mask, letters):
                    judged = self._ask_referee(line.vertical, line.at, mask, letters)
                    points = judged[0].points if judged else 0
                best = max(best, points)
        return best

    def lone_qu(self, square: Square) -> list[ScoredPlay]:
        """Return a lone Qu on `square` as the first play, where the board is empty and the house rules allow it."""
        start = square in self.edition.start
        if not (self.rules.lone_qu_first_play and self.board.is_empty and start):
            return []
        return self._ask_referee(False, square.row, 1 << square.col, sign_of("Qu", self.edition.alphabet))

    def _ask_referee(self, vertical: bool, at: int, mask: int, letters: str) -> list[ScoredPlay]:
        """Ask the referee about a play whose letters matter to its points or its legality."""
        verdict = referee(
            self.board,
            _play(vertical, at, mask, letters, self.edition.alphabet),
            edition=self.edition,
            lexicon=self.lexicon,
            rules=self.rules,
            rack_size=self.rack_size,
        )
        edition = self.edition
        found = ScoredPlay(verdict.points, self.board, vertical, at, mask, letters, edition.qu_bonus, edition.alphabet)
        return [found] if verdict.legal else []


def sign_of(face: str, alphabet: Alphabet) -> str:
    """Return the sign of a face, or one that stands for none if the alphabet lacks it."""
    number = alphabet.number.get(face)
    return "\0" if number is None else alphabet.signs[number]


def _play(vertical: bool, at: int, mask: int, letters: str, alphabet: Alphabet) -> Play:
    places = squares_of(mask)
    squares = [SQUARES[place][at] if vertical else SQUARES[at][place] for place in places]
    return Play(tuple(map(PlacedTile, squares, (alphabet.faces[ord(sign) - FIRST_SIGN] for sign in letters))))
