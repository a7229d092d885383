"""The solver: every legal play for a board and a rack, best first."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from engine.board import Board, stacks_after
from engine.editions import RACK_SIZE, Edition
from engine.errors import RulesError
from engine.faces import FACES
from engine.houserules import SHEET_RULES, HouseRules
from engine.lexicon import Lexicon
from engine.play import PlacedTile, Play
from engine.rules import referee
from engine.scoring import WordScore, score_word, words_made
from engine.solver_lines import lines_of
from engine.solver_rack import LETTERS, Hands
from engine.solver_score import ILLEGAL, LineScorer, squares_of
from engine.solver_walk import fillings
from engine.squares import SQUARES, centre_squares

__all__ = ["ScoredPlay", "legal_plays"]

_FACE_OF = dict(zip(LETTERS, FACES, strict=True))


class ScoredPlay(NamedTuple):
    """A legal play and its points, as the referee gives them.

    `play` and `words` are worked out when they are asked for: a solver finds hundreds of plays, of which few are looked
    at. The tiles lie on row `at`, or column `at` where `upright`, on the squares whose bits `mask` has.
    """

    points: int
    board: Board
    upright: bool
    at: int
    mask: int
    letters: str

    @property
    def play(self) -> Play:
        """The tiles and their squares."""
        return _play(self.upright, self.at, self.mask, self.letters)

    @property
    def words(self) -> tuple[WordScore, ...]:
        """The words made or changed, the one along the play first, with their scores."""
        play = self.play
        words = words_made(stacks_after(self.board, play), play.tiles)
        # Only a lone Qu as a first play, where the house allows it, makes no word of two squares.
        return words or (score_word((("Qu",),), play.squares),)


def legal_plays(
    board: Board,
    rack: Sequence[str],
    *,
    edition: Edition,
    lexicon: Lexicon,
    rules: HouseRules = SHEET_RULES,
) -> list[ScoredPlay]:
    """Every play that the referee finds legal, best first; each set of tiles on squares comes once.

    `rack` holds faces, seven at most, as `engine.faces.parse_faces` gives them. Plays of equal points come rows
    first, from the top, then columns from the left. Raises RulesError for a rack that cannot be, or for a board
    that is not the edition's.
    """
    if len(rack) > RACK_SIZE:
        raise RulesError(f"a rack of {len(rack)} tiles: give {RACK_SIZE} at most")
    if board.size != edition.size:
        raise RulesError(
            f"the board has {board.size} rows, edition {edition.name} {edition.size}: use its edition"
        )
    hands = Hands(rack, lexicon.dawg)
    first = board.is_empty

    def referees(upright: bool, at: int, mask: int, letters: str) -> ScoredPlay | None:
        """The play where its letters matter to its points or its legality: the referee decides."""
        play = _play(upright, at, mask, letters)
        verdict = referee(board, play, edition=edition, lexicon=lexicon, rules=rules, held=len(rack))
        return ScoredPlay(verdict.points, board, upright, at, mask, letters) if verdict.legal else None

    plays: list[ScoredPlay] = []
    if first and rules.lone_qu_first_play and "Qu" in rack:
        lone = (
            referees(False, square.row, 1 << square.col, "Q") for square in sorted(centre_squares(board.size))
        )
        plays += filter(None, lone)
    for line in lines_of(board, hands):
        scorer = LineScorer(line, len(rack), rules, first=first)
        for mask, letters in fillings(line, hands):
            points = scorer.points(mask)
            if points == ILLEGAL:
                continue
            if "Q" in letters or (letters[-1] == "S" and scorer.may_break_plural(mask)):
                judged = referees(line.upright, line.at, mask, letters)
                if judged is not None:
                    plays.append(judged)
            else:
                plays.append(ScoredPlay(points, board, line.upright, line.at, mask, letters))
    plays.sort(key=attrgetter("points"), reverse=True)
    return plays


def _play(upright: bool, at: int, mask: int, letters: str) -> Play:
    places = squares_of(mask)
    squares = [SQUARES[place][at] if upright else SQUARES[at][place] for place in places]
    return Play(tuple(map(PlacedTile, squares, (_FACE_OF[sign] for sign in letters))))
