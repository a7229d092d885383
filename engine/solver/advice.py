"""Advice on a turn: what each choice scores, less what the next player can be expected to answer.

The next player's rack is unknown. So the advice draws racks from the unseen tiles, the same ones for every choice, and
takes the mean of their best plays. It adds what the tiles that stay on the rack are worth for the next turn.

A short end game for two is searched to its end: the draw pile is empty, so each knows the other's tiles. That search
comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from random import Random
from statistics import fmean
from types import MappingProxyType

from engine.board import Board
from engine.editions import Edition
from engine.lexicon.lexicon import Lexicon
from engine.play import Play
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.solver.hands import Hands, Supply
from engine.solver.lines import Line, lines_of
from engine.solver.plays import ScoredPlay, Search
from engine.solver.search import fillings, legal_plays

MAX_TILES = 8
"""Tiles on the two racks together up to which a search is tried: larger end games seldom end within `MAX_NODES`.
[by eye]"""

MAX_NODES = 300
"""Positions in which the search lists plays, 0.2 s. It ended in 180 of 211 end games of up to eight tiles. [by hand,
80 games of most points]"""


class OutOfNodesError(Exception):
    """The search took more than `MAX_NODES`, or the caller's time is up."""


def always() -> bool:
    """Let advice take all the time that it needs."""
    return True


@dataclass(frozen=True, slots=True)
class EndPosition:
    """A board, the racks of the player whose turn it is and of the other, and whether the other has just passed.

    Racks are faces in alphabetical order.
    """

    board: Board
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    passed: bool = False

    def after(self, play: Play | None) -> EndPosition:
        """Return the position after a play, or a pass."""
        if play is None:
            return EndPosition(self.board, self.theirs, self.mine, passed=True)
        left = Counter(self.mine) - Counter(play.faces)
        return EndPosition(self.board.with_play(play), self.theirs, tuple(sorted(left.elements())))


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Bounds of a position: its lead lies between `low` and `high`. The best turn so far scores `points`."""

    low: float = -inf
    high: float = inf
    points: int = 0


@dataclass(slots=True)
class EndGame:
    """Searches end games of one edition, list and set of rules. It reuses its results in the next search.

    The game ends when a player has no tile left, or after two passes in a row, and tiles left cost points (11, 6F). Two
    passes also stand for the end where nobody can play, and for house rules that want more passes, since the position
    stays the same. It stops once `may_go_on` returns False.
    """

    edition: Edition
    lexicon: Lexicon
    rules: HouseRules
    may_go_on: Callable[[], bool] = always
    _known: dict[EndPosition, _Bounds] = field(default_factory=dict)
    _plays: dict[tuple[Board, tuple[str, ...]], list[ScoredPlay]] = field(default_factory=dict)

    def best(self, position: EndPosition) -> tuple[int, int]:
        """Return the lead that the player to move gains until the end, and the points of that player's best turn.

        Raises OutOfNodesError if that takes too long.
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
            if len(self._plays) == MAX_NODES or not self.may_go_on():
                raise OutOfNodesError
            plays = legal_plays(
                position.board, position.mine, edition=self.edition, lexicon=self.lexicon, rules=self.rules
            )
            plays.sort(key=lambda play: -play.points - self.rules.leftover_penalty * len(play.letters))
            self._plays[key] = plays
        return [*plays, None]


SAMPLED_RACKS = 12
"""Racks drawn for the next player. [by eye]"""

MAX_PLAYS_WEIGHED = 12
"""Plays weighed at most, those with the most points. [by eye]"""

_TILE_WORTH: Mapping[str, float] = MappingProxyType(
    {
        "A": 0.8, "B": -0.8, "C": -0.8, "D": 0.5, "E": 1.1, "F": -0.8, "G": -0.8, "H": -0.5, "I": -0.2, "J": -2.2,
        "K": -1.4, "L": 0.4, "M": 0.0, "N": 0.2, "O": 0.0, "P": 0.2, "Qu": -2.5, "R": 1.0, "S": 2.5, "T": 0.5,
        "U": -1.5, "V": -1.5, "W": -1.7, "X": -2.7, "Y": -1.0, "Z": -1.9,
    }
)  # fmt: skip
_TWIN_COST = 1.7
"""Points that a tile on the rack adds to its best play, compared with an average tile, and what a second tile of its
letter costs, on both boards. `workshop.bench.advice --worth` makes such a fit. [by hand, 7,500 racks of 100 games]"""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice for a turn: a play that the solver found, or the exchange of the tile `given`.

    Both are None for a pass, or for a play that the solver would not find. `reply` is the mean of the next player's
    best plays after it, `kept` the worth of the tiles that stay on the rack. If the game was searched `to_end`, `reply`
    is the best answer, and `kept` everything after it, including the tiles left. `value` is then the lead gained.
    """

    play: ScoredPlay | None
    given: str | None
    points: int
    reply: float
    kept: float
    to_end: bool = False

    @property
    def value(self) -> float:
        """The points, less those of the reply, and the worth of the tiles kept."""
        return self.points - self.reply + self.kept


class Adviser:
    """Weighs choices for a rack on a board.

    `unseen` are the tiles that are neither on the board nor on the rack. With one player, or no tile unseen, nobody
    replies. If the next player must hold all unseen tiles, the advice is about exactly that rack. An end game for two
    with few tiles is searched to its end.

    `may_go_on` limits the time of one decision: it is asked before each choice but the first, and once it returns False
    the rest is left out. A search to the end that needs too many positions starts again without one, but what it has
    weighed is kept if the time is up. The caller has the clock.
    """

    def __init__(
        self,
        board: Board,
        rack: Sequence[str],
        unseen: Sequence[str],
        *,
        edition: Edition,
        lexicon: Lexicon,
        rules: HouseRules = SHEET_RULES,
        players: int = 2,
        samples: int = SAMPLED_RACKS,
        seed: int = 0,
        may_go_on: Callable[[], bool] = always,
    ) -> None:
        tiles, random = sorted(unseen), Random(seed)
        size = min(edition.rack_size, len(tiles)) if players > 1 else 0
        racks = [random.sample(tiles, size) for _ in range(samples if size < len(tiles) else 1)]
        self.racks = tuple(map(tuple, racks))
        self.pile = max(0, len(tiles) - edition.rack_size * (players - 1))
        self._board = board
        self._rack = Counter(rack)
        self._others = len(tiles) - self.pile
        self._settings = (edition, lexicon, rules)
        self._may_go_on = may_go_on
        self._end: EndGame | None = None
        if players == 2 and tiles and len(tiles) + len(rack) <= MAX_TILES:
            self._end = EndGame(*self._settings, may_go_on)
            self._position = EndPosition(board, tuple(sorted(rack)), tuple(tiles))
        dawg = lexicon.dawg_over(edition.alphabet, edition.size)
        self._hands = [Hands(rack, dawg) for rack in self.racks]
        self._any_tile = Supply(None, dawg, 1)
        self._known: dict[tuple[bool, int], tuple[Line, list[int]]] = {}
        self._known = {(line.vertical, line.at): (line, best) for line, best in self._best_by_line(board)}

    def advise(self, plays: Iterable[ScoredPlay]) -> list[Choice]:
        """Weigh plays, given with the most points first; return the best choices first.

        Only the first `MAX_PLAYS_WEIGHED` of them count, except in a search to the end. With a whole rack, a pass and,
        if there is a pile, exchanges are weighed, too. With unknown tiles on the rack they can't be.
        """
        plays = list(plays if self._end else islice(plays, MAX_PLAYS_WEIGHED))
        turns: list[tuple[ScoredPlay | None, str | None]] = [(play, None) for play in plays]
        if not self.pile or self._rack.total() == self._settings[0].rack_size:
            turns += [(None, None), *((None, face) for face in sorted(self._rack) if self.pile)]
        choices: list[Choice] = []
        for turn in turns:
            if choices and not self._may_go_on():
                break
            choice = self._weigh(*turn)
            if choices and choice.to_end != choices[0].to_end:  # the search to the end was given up
                if self._may_go_on():
                    return self.advise(plays)
                break
            choices.append(choice)
        return sorted(choices, key=lambda choice: choice.value, reverse=True)

    def _weigh(self, play: ScoredPlay | None, given: str | None) -> Choice:
        if given:
            return self.exchange(given)
        return replace(self.weigh(play.play, play.points), play=play) if play else self.weigh(None)

    def weigh(self, play: Play | None, points: int = 0) -> Choice:
        """Weigh a play that scores `points`, or a pass."""
        if self._end:
            try:
                lead, reply = self._end.best(self._position.after(play))
            except OutOfNodesError:
                self._end = None
            else:
                return Choice(None, None, points, reply, reply - lead, to_end=True)
        left = self._rack - Counter(play.faces if play else ())
        if not left and not self.pile:
            rules = self._settings[2]
            return Choice(None, None, points, 0.0, float(rules.leftover_penalty * self._others))
        return Choice(None, None, points, fmean(self.replies(play)), self._worth(left))

    def exchange(self, face: str) -> Choice:
        """Weigh the exchange of a tile."""
        return Choice(None, face, 0, fmean(self.replies(None)), self._worth(self._rack - Counter([face])))

    def replies(self, play: Play | None) -> list[int]:
        """Return the points of each drawn rack's best answer."""
        board = self._board.with_play(play) if play else self._board
        best = [0] * len(self.racks)
        for _, points in self._best_by_line(board):
            best = list(map(max, best, points))
        return best

    def _best_by_line(self, board: Board) -> list[tuple[Line, list[int]]]:
        """Return each line with the points of every rack's best play there; unchanged lines are looked up."""
        search = Search(board, *self._settings, len(self.racks[0]))
        result = []
        for line in lines_of(board, self._any_tile, self._settings[0]):
            same, points = self._known.get((line.vertical, line.at), (None, []))
            if line != same:
                points = search.best_points_in(line, [fillings(line, hands) for hands in self._hands])
            result.append((line, points))
        return result

    def _worth(self, tiles: Counter[str]) -> float:
        """Return the worth of tiles for the next turn, 0 once no more tiles can be drawn."""
        if not self.pile:
            return 0.0
        return sum(_TILE_WORTH.get(face, 0.0) * count - _TWIN_COST * (count - 1) for face, count in tiles.items())
