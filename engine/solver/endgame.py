"""Exact search of an end game for two: the draw pile is empty, so each knows the other's tiles."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import inf

from engine.board import Board
from engine.editions import Edition
from engine.lexicon.lexicon import Lexicon
from engine.play import Play
from engine.rules.house_rules import HouseRules
from engine.solver.plays import ScoredPlay
from engine.solver.search import legal_plays

MAX_TILES = 8
"""Tiles on the two racks together up to which a search is tried: larger end games seldom end within `MAX_NODES`.
[by eye]"""

MAX_NODES = 300
"""Positions in which the search lists plays, 0.2 s. It ended in 180 of 211 end games of up to eight tiles. [by eye, on
80 games of most points]"""

Rack = tuple[str, ...]
"""Faces in alphabetical order."""


class OutOfNodesError(Exception):
    """The search took more than `MAX_NODES`."""


@dataclass(frozen=True, slots=True)
class EndPosition:
    """A board, the racks of the player whose turn it is and of the other, and whether the other has just passed."""

    board: Board
    mine: Rack
    theirs: Rack
    passed: bool = False

    def after(self, play: Play | None) -> EndPosition:
        """Return the position after a play, or a pass."""
        if play is None:
            return EndPosition(self.board, self.theirs, self.mine, passed=True)
        left = Counter(self.mine) - Counter(play.faces)
        return EndPosition(self.board.with_play(play), self.theirs, tuple(sorted(left.elements())))


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Bounds of a position: its lead lies between `low` and `high`. The best turn so far brings `points`."""

    low: float = -inf
    high: float = inf
    points: int = 0


@dataclass(slots=True)
class EndGame:
    """Searches end games of one edition, list and set of rules; what it found out serves the next search, too.

    The game ends when a player has no tile left, or after two passes in a row, and tiles left cost points (11, 6F). Two
    passes also stand for the end where nobody can play, and for house rules that ask for more passes: the position
    stays the same.
    """

    edition: Edition
    lexicon: Lexicon
    rules: HouseRules
    _known: dict[EndPosition, _Bounds] = field(default_factory=dict)
    _plays: dict[tuple[Board, Rack], list[ScoredPlay]] = field(default_factory=dict)

    def best(self, position: EndPosition) -> tuple[int, int]:
        """Return the lead that the player to move gains until the end, and the points of that player's best turn.

        Raises OutOfNodesError where that takes too long.
        """
        if not position.mine or not position.theirs:
            return self._at_end(position), 0
        lead = self._lead(position, -inf, inf)
        return int(lead), self._known[position].points

    def _at_end(self, position: EndPosition) -> int:
        return self.rules.leftover_penalty * (len(position.theirs) - len(position.mine))

    def _lead(self, position: EndPosition, low: float, high: float) -> float:
        """Return the lead if it is between `low` and `high`, otherwise a bound of it on that side."""
        if not position.mine or not position.theirs:
            return self._at_end(position)
        known = self._known.get(position, _Bounds())
        if known.low >= high or known.low == known.high:
            return known.low
        if known.high <= low:
            return known.high
        best, points = -inf, 0
        for play in self._turns(position):
            gained = play.points if play else 0
            if play is None and position.passed:
                lead: float = self._at_end(position)
            else:
                after = position.after(play.play if play else None)
                lead = gained - self._lead(after, gained - high, gained - max(low, best))
            if lead > best:
                best, points = lead, gained
            if best >= high:
                break
        self._known[position] = _Bounds(
            known.low if best <= low else best, known.high if best >= high else best, points
        )
        return best

    def _turns(self, position: EndPosition) -> list[ScoredPlay | None]:
        """Return the plays of the player to move, the most promising first, and a pass."""
        key = position.board, position.mine
        plays = self._plays.get(key)
        if plays is None:
            if len(self._plays) == MAX_NODES:
                raise OutOfNodesError
            plays = legal_plays(
                position.board, position.mine, edition=self.edition, lexicon=self.lexicon, rules=self.rules
            )
            plays.sort(key=lambda play: -play.points - self.rules.leftover_penalty * len(play.letters))
            self._plays[key] = plays
        return [*plays, None]
