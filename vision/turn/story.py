"""Stories: sequences of events that may have happened since the last certain board, and how well looks support them.

`Story` and `CertainBoard` come first; `StoryModel` weighs stories by the looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from engine import SQUARES, Board, Lexicon, PlacedTile, Play, Square
from engine.errors import PositionError
from engine.solver.search import plays_on
from vision.arrays import Floats, log_softmax
from vision.turn.candidates import Candidate, one_line
from vision.turn.look import LookHistory
from vision.turn.prior import TAKEN_BACK, UNKNOWN_PACE, GameSettings, Pace, play_prior, plays_prior, tile_prior

_LAYERS_OFF, _OFF = (-1, 1), 0.01
"""Layers by which all the stacks of one look may seem higher than they are, and the share of looks with each: where the
board's plane is a little off, or tiles are thicker than was thought, all err alike. Of 105 heights seen from the side
that are wrong in the development sets and in rendered pictures 51 were such ones, in eight of 408 pictures.
[by hand, sets]"""
SAME_LOOK, _COUNTED = 0.1, 24
"""Difference in log likelihood by earlier looks below which two plays look the same; and such plays that count together
at most. [by eye]"""
IMPOSSIBLE = -1e6
"""Log probability of a story that no board can have."""

State = tuple[int, int]
"""Height of a square, and the index of its top face (0 where it is empty)."""


Event: TypeAlias = Play | None
"""What a table does: a play, or None: the last play is taken off the board again (Rule 8)."""


@dataclass(frozen=True)
class Story:
    """A possible course of the game since the certain board: `events` in order."""

    events: tuple[Event, ...] = ()

    def then(self, *more: Event) -> Story:
        """Return the story with more events at its end."""
        return Story((*self.events, *more))

    def boards(self, start: CertainBoard) -> tuple[Board, ...]:
        """Return the board at the start and after each event; raises PositionError if there can be none."""
        boards, before = [start.board], [start.before]
        for event in self.events:
            if event is None:
                boards.append(_take_back(before.pop() if before else None))
            else:
                before.append(boards[-1])
                boards.append(boards[-1].with_play(event))
        return tuple(boards)

    def board(self, start: CertainBoard) -> Board:
        """Return the board that it leads to; raises PositionError if there can be none."""
        return self.boards(start)[-1]

    def last_play(self, start: CertainBoard) -> Play | None:
        """Return the last play in it, or else the one at the start.

        A story that ends in taking back has it off the board.
        """
        return next((event for event in reversed(self.events) if event is not None), start.last_play)


def without_tries(story: Story, entered: int) -> Story:
    """Return the story without plays after its first `entered` events that were taken back at once."""
    events = list(story.events[:entered])
    for event in story.events[entered:]:
        if event is None and len(events) > entered and events[-1] is not None:
            events.pop()
        else:
            events.append(event)
    return Story(tuple(events))


@dataclass(frozen=True)
class CertainBoard:
    """The last board that is certain, and the play on it that may still be taken back, if there is one."""

    board: Board
    last_play: Play | None = None

    @property
    def before(self) -> Board | None:
        """The board before that play."""
        return None if self.last_play is None else self.board.without_top(self.last_play.squares)


def _take_back(before: Board | None = None) -> Board:
    if before is None:
        raise PositionError("there is no play that can be taken back: correct the turn instead")
    return before


@dataclass(frozen=True)
class WeighedStory:
    """A story, and its log probability up to a constant that all stories share."""

    story: Story
    log: float


def state_of(board: Board, square: Square) -> State:
    """Return the state of a square on a board."""
    stack = board.stacks[square.row][square.col]
    return len(stack), board.alphabet.number[stack[-1]] if stack else 0


@dataclass(frozen=True)
class _Path:
    """Events since the start, weighed once for all stories that begin with them.

    Attributes:
        events: the events.
        shorter: the paths of no event, of the first event, of the first two, and so on, without this one.
        board: the board that they lead to.
        before: the boards before the plays that may still be taken back; the board before the last play comes last.
        prior: their log prior.
        reached: for each look, the log probability that exactly these events came before it, and that the looks up to
            it show what they do.
        longer: the paths with one more event that were worked out so far; None if no board can have that event.
    """

    events: tuple[Event, ...]
    shorter: tuple[_Path, ...]
    board: Board
    before: tuple[Board, ...]
    prior: float
    reached: tuple[float, ...]
    longer: dict[Event, _Path | None] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class StoryModel:
    """A model that weighs stories: where they start, and the looks since."""

    start: CertainBoard
    looks: LookHistory
    settings: GameSettings
    pace: Pace = UNKNOWN_PACE
    searched: dict[tuple[Board, int], list[Candidate]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """The plays found so far, by the board and by the first look that was searched."""
    _fitting: dict[tuple[Board, Play, frozenset[Square]], list[Play]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _together: dict[tuple[Board, Play, frozenset[PlacedTile]], float | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _ways: dict[int, tuple[Floats, Floats]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _repeats: dict[tuple[int, Board, Board], float] = field(default_factory=dict, init=False, repr=False, compare=False)
    _letters: dict[Board, Floats] = field(default_factory=dict, init=False, repr=False, compare=False)
    _priors: dict[tuple[Play, Board], float] = field(default_factory=dict, init=False, repr=False, compare=False)
    _known: dict[tuple[int, Board], float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def weigh(self, story: Story) -> WeighedStory:
        """Return the story with its log probability, over all the gaps in which its events may have happened."""
        path = self._start_of_paths
        for event in story.events:
            if event not in path.longer:
                path.longer[event] = self._path(path, event)
            after = path.longer[event]
            if after is None:
                return WeighedStory(story, IMPOSSIBLE)
            path = after
        return WeighedStory(story, path.prior + path.reached[-1])

    @cached_property
    def _start_of_paths(self) -> _Path:
        start = self.start
        return self._weigh((), (), start.board, () if start.before is None else (start.before,), 0.0)

    def _path(self, path: _Path, event: Event) -> _Path | None:
        """Return the path with one more event, or None if no board can have that event."""
        try:
            board = _take_back(*path.before[-1:]) if event is None else path.board.with_play(event)
        except PositionError:
            return None
        before = path.before[:-1] if event is None else (*path.before, path.board)
        prior = path.prior + self._prior(event, path.board)
        return self._weigh((*path.events, event), (*path.shorter, path), board, before, prior)

    def _prior(self, event: Event, board: Board) -> float:
        if event is None:
            return float(np.log(TAKEN_BACK))
        key = (event, board)
        if key not in self._priors:
            self._priors[key] = play_prior(event, board, self.settings)
        return self._priors[key]

    def _weigh(
        self,
        events: tuple[Event, ...],
        shorter: tuple[_Path, ...],
        board: Board,
        before: tuple[Board, ...],
        prior: float,
    ) -> _Path:
        """Return the path of these events, weighed by all looks, with the forward algorithm, a column at a time."""
        reached: list[float] = []
        for number in range(len(self.looks.gaps)):
            if not number:
                steps = [self._in_gap(events, self.start.board, 0)]
            else:
                earlier = [(path.reached[number - 1], path.board, len(path.events)) for path in shorter]
                earlier.append((reached[-1], board, len(events)))
                steps = [
                    log + self._in_gap(events[count:], was, number) + self._again(number, was, board)
                    for log, was, count in earlier
                    if log > IMPOSSIBLE / 2
                ]
            reached.append(self._weigh_look(number, board) + float(np.logaddexp.reduce([IMPOSSIBLE, *steps])))
        return _Path(events, shorter, board, before, prior, tuple(reached))

    def _in_gap(self, events: tuple[Event, ...], board: Board, number: int) -> float:
        """Return the log prior of these events on a board in the gap before look `number`."""
        played = sum(event is not None for event in events)
        priors = self.plays_prior(number)
        if played >= len(priors):
            return IMPOSSIBLE
        if not played:
            return 0.0 if events else priors[0]
        return priors[played] + self.weigh_any_letters(events, board)

    def weigh_any_letters(self, events: tuple[Event, ...], board: Board) -> float:
        """Return what the log prior of events on a board gains because any letter that makes a word would do.

        No look showed a letter that was laid and covered in the same gap. Of two plays, all that could lie under the
        second count together; of more, and with a word list that can't be searched, the letters cost nothing.
        """
        if len(events) < 2 or None in events:
            return 0.0
        plays = [event for event in events if event is not None]
        later = [{s for play in plays[at + 1 :] for s in play.squares} for at in range(len(plays))]
        covered = [frozenset(later[at].intersection(play.squares)) for at, play in enumerate(plays)]
        if len(plays) == 2 and covered[0]:
            together = self._weigh_together(plays[0], plays[1], covered[0], board)
            if together is not None:
                return together
        if board not in self._letters:
            self._letters[board] = tile_prior(board, self.settings)
        prior = self._letters[board]
        return -sum(
            float(prior[board.alphabet.number[tile.face]])
            for play, under in zip(plays, covered, strict=True)
            for tile in play.tiles
            if tile.square in under
        )

    def _weigh_together(self, play: Play, second: Play, covered: frozenset[Square], board: Board) -> float | None:
        """Return how much likelier a play is, in log probability, together with those that fit in its place.

        They have other letters on the squares that the `second` play has `covered`, and looked the same earlier. None
        if no play fits.
        """
        above = {tile for tile in second.tiles if tile.square in covered}  # Rule 5: never a letter on the same letter
        key = (board, play, frozenset(above))
        if key not in self._together:
            known = Play(tuple(tile for tile in play.tiles if tile.square not in covered))
            seen, prior = self.weigh_earlier(play, board), tile_prior(board, self.settings)
            fitting = [more for more in self.find_fitting(board, known, covered) if not above & {*more.tiles}]
            whole = [known.with_tiles(more.tiles) for more in fitting]
            alike = [other for other in whole if abs(self.weigh_earlier(other, board) - seen) < SAME_LOOK]
            number = board.alphabet.number
            alike.sort(key=lambda other: -sum(float(prior[number[tile.face]]) for tile in other.tiles))
            priors = [self._prior(other, board) for other in alike[:_COUNTED]]
            own = self._prior(play, board)
            self._together[key] = max(0.0, float(np.logaddexp.reduce(priors)) - own) if priors else None
        return self._together[key]

    def find_fitting(self, board: Board, known: Play, squares: frozenset[Square]) -> list[Play]:
        """Return the plays on exactly these squares that make words beside the `known` tiles of the same turn.

        With a word list that can't be searched there are none.
        """
        key, words, rules = (board, known, squares), self.settings.lexicon, self.settings.rules
        if not isinstance(words, Lexicon) or not one_line((*known.squares, *squares)):
            return []
        if key not in self._fitting:
            found = plays_on(
                board.with_play(known), sorted(squares), None, edition=self.settings.edition, lexicon=words,
                rules=replace(rules, plural_rule=False),
            )  # fmt: skip
            self._fitting[key] = [more.play for more in found]
        return self._fitting[key]

    def weigh_earlier(self, play: Play, board: Board) -> float:
        """Return the log likelihood of a play's tiles on a board by all looks before the newest."""
        if not self.looks.last:
            return 0.0
        earlier = self.looks.span(0, self.looks.last - 1)
        return sum(
            float(earlier[t.square.row, t.square.col, board.height(t.square) + 1, board.alphabet.number[t.face]])
            for t in play.tiles
        )

    def plays_prior(self, number: int) -> tuple[float, ...]:
        """Return the log prior of 0, 1, ... plays in the gap before a look."""
        return plays_prior(
            self.looks.gaps[number],
            is_first=number == 0 and self.start.board.is_empty,
            pace=self.pace,
            watched=self.settings.watched,
            plays_between=self.settings.plays_between,
        )

    def _again(self, number: int, was: Board, now: Board) -> float:
        """Return the evidence that look `number` repeats from the look before, on squares that stayed the same.

        It is relative to the board at the start, like `_weigh_look`.
        """
        key = (number, was, now)
        if key not in self._repeats:
            table, start = self.looks.discount_repeated(number), self.start.board
            total = 0.0
            for s in {*differing(start, was), *differing(start, now)}:
                state = state_of(now, s)
                stayed = float(table[(s.row, s.col, *state)]) if state == state_of(was, s) else 0.0
                total += stayed - float(table[(s.row, s.col, *state_of(start, s))])
            self._repeats[key] = total
        return self._repeats[key]

    def _weigh_look(self, number: int, board: Board) -> float:
        """Return the log likelihood of a look at a board, relative to the board at the start."""
        return self._likelihood(number, board) - self._likelihood(number, self.start.board)

    def _likelihood(self, number: int, board: Board) -> float:
        """Return the log likelihood of a look at a board, relative to the board at the start with heights as seen."""
        key = (number, board)
        if key not in self._known:
            self._known[key] = float(np.logaddexp.reduce(self.weights_of_heights(number, board)))
        return self._known[key]

    def weights_of_heights(self, number: int, board: Board) -> Floats:
        """Return the log likelihood (m,) of a look at a board for each of `ways_of_heights`.

        It is relative to the board at the start with heights as seen.
        """
        weights, tables = self.ways_of_heights(number)
        squares, start = differing(self.start.board, board), self.start.board
        return weights + _sum_tables(tables, board, squares) - _sum_tables(tables, start, squares)

    def ways_of_heights(self, number: int) -> tuple[Floats, Floats]:
        """Return the ways in which all heights of look `number` may err together.

        These are its groups of thicknesses, and stacks that all seem a layer too high or too low. The first result (m,)
        are their log weights after the board at the start was seen, the second (m, n, n, 6, F) the log likelihoods.
        """
        if number not in self._ways:
            start = self.start.board
            known = list(start.list_occupied())
            layers, tables = self.looks.layers(number)
            layers = log_softmax(layers + _sum_tables(tables, start, known))
            off = np.stack([self.looks.off(number, by) for by in (0, *_LAYERS_OFF)])
            seen = _sum_tables(off, start, known)
            weights = np.log1p(-_OFF * len(_LAYERS_OFF)) + layers, np.log(_OFF) + seen[1:] - seen[0]
            self._ways[number] = np.concatenate(weights), np.concatenate([tables, off[1:]])
        return self._ways[number]


def _sum_tables(tables: Floats, board: Board, squares: Sequence[Square]) -> Floats:
    """Sum log likelihoods (m, n, n, 6, F) of the states that `squares` of a board have, (m,)."""
    states = [(s.row, s.col, *state_of(board, s)) for s in squares]
    if not states:
        return np.zeros(len(tables))
    rows, cols, heights, faces = np.array(states).T
    return np.asarray(tables[:, rows, cols, heights, faces].sum(axis=-1), dtype=np.float64)


def differing(one: Board, other: Board) -> list[Square]:
    """Return the squares on which two boards of a size differ."""
    rows = zip(one.stacks, other.stacks, strict=True)
    return [
        SQUARES[row][col]
        for row, (mine, its) in enumerate(rows)
        if mine is not its and mine != its
        for col in range(len(mine))
        if mine[col] != its[col]
    ]
