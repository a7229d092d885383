"""The solver: every legal play for a board and a rack, best first."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from engine.board import Board
from engine.editions import RACK_SIZE, Edition
from engine.errors import RulesError
from engine.lexicon.lexicon import Lexicon
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.solver.hands import Hands
from engine.solver.lines import lines_of
from engine.solver.plays import ScoredPlay, Search
from engine.solver.walk import fillings
from engine.squares import centre_squares

__all__ = ["ScoredPlay", "legal_plays"]


def legal_plays(
    board: Board,
    rack: Sequence[str],
    *,
    edition: Edition,
    lexicon: Lexicon,
    rules: HouseRules = SHEET_RULES,
    rack_size: int | None = None,
) -> list[ScoredPlay]:
    """Every play that the referee finds legal, best first; each set of tiles on squares comes once.

    `rack` holds faces, seven at most, as `engine.faces.parse_faces` gives them; `rack_size` is the number of tiles on
    the whole rack, where these are only some of them. Plays of equal points come rows first, from the top, then
    columns from the left. Raises RulesError for a rack that cannot be, or for a board that is not the edition's.
    """
    if len(rack) > RACK_SIZE:
        raise RulesError(f"a rack of {len(rack)} tiles: give {RACK_SIZE} at most")
    edition.check_size(board.size)
    hands = Hands(rack, lexicon.dawg)
    search = Search(board, edition, lexicon, rules, len(rack) if rack_size is None else rack_size)
    plays: list[ScoredPlay] = []
    if "Qu" in rack:
        for square in sorted(centre_squares(board.size)):
            plays += search.lone_qu(square)
    for line in lines_of(board, hands):
        plays += search.scored(line, fillings(line, hands))
    plays.sort(key=attrgetter("points"), reverse=True)
    return plays
