"""The search for stories that explain the looks: those believed so far are continued and corrected."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT, Board, Play, Square
from engine.errors import PositionError
from vision.turn.alternatives import (
    one_tile_more,
    other_letters,
    with_crossing_dealt,
    with_play_divided,
    with_unseen_layers,
)
from vision.turn.candidates import Candidate, SearchInput, board_arrays, candidates
from vision.turn.reasons import IN_SIGHT
from vision.turn.story import CertainBoard, Story, StoryModel, WeighedStory

_PREFIXES = 6
"""Stories that the search continues. [by eye]"""
_NEXT, _SECOND_AFTER, _SECOND = 28, 4, 8
"""Plays tried next in a story; of these, how many are followed by a second play; and second plays tried after each.
[by eye]"""
_ALIKE = 3
"""Stories with tiles on the same squares whose letters are varied. If two are misread, this finds the second.
[by eye]"""
_PUT_RIGHT = 8
"""Other plays that are tried in place of the last one. [by eye]"""
KEPT, _KEPT_WITHIN = 24, 14.0
"""Stories that are kept, and how far below the best one they may lie, in log probability. [by eye]"""
_PLAIN = 4.0
"""Log odds of a story against all others, and of the state of each square in it, from which the search ends.
[by eye]"""
_FREE, _A_SQUARE = -9.0, 5.0
"""Log prior of a picture that no story explains, and of each square of it that is not as the best story has it: one
square that is plainly odd leaves a doubt, two outweigh any story. Chosen on dev's turns. [by hand, sets]"""

_A_WORD, _ON_A_WORD = 3, 22
"""A word lies on a stretch of a line with so many tiles and at most one bare square. Such a stretch is so many times as
likely to be played on: of 373 plays 243 are on one of 11,630 such stretches, and 130 on one of 136,624 others.
[by hand, dev]"""


@dataclass(frozen=True)
class Explained:
    """The result of a search for stories.

    Attributes:
        stories: those that are kept, with their log probabilities, likeliest first.
        lost: log probability of all stories that were weighed but not kept.
        unexplained: log probability that something else happened.
        ruled_out: the stories that all looks together contradict.
        out_of_sight: log probability that, in addition to the likeliest story, a word was played where nothing can be
            seen.
    """

    stories: tuple[WeighedStory, ...]
    lost: float
    unexplained: float
    ruled_out: frozenset[Story]
    out_of_sight: float = -np.inf

    @property
    def total(self) -> float:
        """The log probability of all explanations together."""
        rest = (self.lost, self.unexplained, self.out_of_sight)
        return float(np.logaddexp.reduce([*(each.log for each in self.stories), *rest]))


def explain(model: StoryModel, believed: tuple[Story, ...], sheet: Story) -> Explained:
    """Return every story worth considering after the newest look.

    `believed` are the stories from before that look, best first; `sheet` is the story on the scoresheet, which may
    differ.
    """
    weighed: dict[Story, WeighedStory] = {}

    def weigh(stories: Iterator[Story]) -> None:
        for story in stories:
            if story not in weighed:
                weighed[story] = model.weigh(story)

    begun = tuple(dict.fromkeys((*believed[:_PREFIXES], sheet)))
    for story in begun:
        weigh(_go_on(model, story))
    best = _rank(weighed)
    for story in dict.fromkeys((believed[0], sheet)):
        for candidate in _nexts(model, story.board(model.start), _SECOND_AFTER):
            weigh(with_unseen_layers(model, story, candidate.play))
    best = _rank(weighed)
    if not model.looks.gaps[-1].is_fresh or _leaves_doubt(model, best):
        for story in {each.story: None for each in best[:3]} | dict.fromkeys((*believed[:2], sheet)):
            weigh(_put_right(model, story))
            weigh(_second(model, story))
        best = _rank(weighed)
    for story in _alike(best):
        weigh(other_letters(model, story))
    weigh(one_tile_more(model, best[0].story))
    weigh(with_play_divided(model, best[0].story))
    best = _rank(weighed)
    least = best[0].log - _KEPT_WITHIN
    kept = tuple(each for each in best[:KEPT] if each.log > least)
    lost = [each.log for each in best[len(kept) :]]
    lost.append(_out_of_sight(model, begun[0].board(model.start), [weighed[story].log for story in begun], 0))
    ruled_out = frozenset(each.story for each in best if each.log <= least)
    return Explained(
        kept,
        float(np.logaddexp.reduce(lost)),
        weigh_unexplained(model, best[0]),
        ruled_out,
        _besides(model, best[0], len(begun[0].events)),
    )


def _besides(model: StoryModel, best: WeighedStory, earlier: int) -> float:
    """Return the log probability of a play out of sight, in addition to those of the best story since the last look.

    `earlier` is the number of events before that look.
    """
    plays = len(best.story.events) - earlier
    if plays < 1:
        return -np.inf
    return _out_of_sight(model, best.story.board(model.start), [best.log], plays)


def _alike(ranked: list[WeighedStory]) -> list[Story]:
    """Return the best story, and the following ones that differ from it only in letters of the last play."""
    best = ranked[0].story
    last = best.events[-1] if best.events else None
    if last is None:
        return []
    stories = (each.story for each in ranked[: 4 * _ALIKE])
    alike = [
        story
        for story in stories
        if story.events[:-1] == best.events[:-1]
        and (event := story.events[-1] if story.events else None) is not None
        and event.squares == last.squares
    ]
    return alike[:_ALIKE]


def _out_of_sight(model: StoryModel, board: Board, before: Sequence[float], plays: int) -> float:
    """Return the log probability of one more play, wholly on hidden squares of a board.

    The stories without it have log probabilities `before`, and `plays` plays since the last look. The play touches a
    tile (rule 4-connect), or covers a start square if the board is empty (rule 3).
    """
    hidden = model.looks.looks[-1].placed < IN_SIGHT
    prior = model.plays_prior(model.looks.last)
    if plays + 1 >= len(prior) or not hidden.any():
        return -np.inf
    start = model.settings.edition.start
    shown = np.exp(_new_tile(model, board))
    share = _places(board, np.where(hidden, shown, 0.0), start) / _places(board, np.ones_like(shown), start)
    more = prior[plays + 1] - prior[plays] + float(np.log(max(share, 1e-9)))
    return float(np.logaddexp.reduce(before)) + more


def _new_tile(model: StoryModel, board: Board) -> npt.NDArray[np.float64]:
    """Return the log odds (n, n) by the newest look that a tile of any letter was put on each square of a board."""
    heights, _ = board_arrays(board)
    rows, cols = np.indices(heights.shape)
    by_height = model.looks.newest.max(axis=3)
    return np.asarray(by_height[rows, cols, np.minimum(heights + 1, MAX_HEIGHT)] - by_height[rows, cols, heights])


def _places(board: Board, free: npt.NDArray[np.float64], start: Collection[Square]) -> float:
    """Return how many plays may have all their tiles on `free` squares, up to a factor.

    `free` (n, n) is how much likelier a play is for each square of its own; 0 where it can't have one.

    A play lies on a stretch of a line that begins and ends on a free square whose stack isn't full (rule 5-five). In
    between lie such squares and tiles. People mostly extend words that lie there, as `_ON_A_WORD` says.
    """
    heights, reach = board_arrays(board)[0], _within_reach(board, start)
    free, tiles = np.where(heights < MAX_HEIGHT, free, 0.0), heights > 0
    lines = zip((*free, *free.T), (*tiles, *tiles.T), (*reach, *reach.T), strict=True)
    return sum(_stretches(*line) for line in lines)


def _stretches(free: npt.NDArray[np.float64], tiles: npt.NDArray[np.bool_], reach: npt.NDArray[np.bool_]) -> float:
    total = 0.0
    for first in np.flatnonzero(free):
        touches, lying, likely = False, 0, 1.0
        for at in range(first, len(free)):
            if not (free[at] or tiles[at]):
                break
            touches, lying = touches or bool(reach[at]), lying + int(tiles[at])
            on_a_word = lying >= _A_WORD and at - first + 1 - lying <= 1
            if at == first or not tiles[at]:
                likely *= free[at]
            if free[at] and touches:
                total += (_ON_A_WORD if on_a_word else 1) * likely * (free[at] if tiles[at] and at > first else 1.0)
    return total


def _within_reach(board: Board, start: Collection[Square]) -> npt.NDArray[np.bool_]:
    """Return which squares (n, n) hold a tile or lie beside one. On an empty board these are the start squares."""
    if board.is_empty:
        centre = np.zeros((board.size, board.size), dtype=bool)
        for square in start:
            centre[square.row, square.col] = True
        return centre
    tiles = np.pad(board_arrays(board)[0] > 0, 1)
    beside = tiles[:-2, 1:-1] | tiles[2:, 1:-1] | tiles[1:-1, :-2] | tiles[1:-1, 2:]
    return np.asarray(tiles[1:-1, 1:-1] | beside, dtype=bool)


def _leaves_doubt(model: StoryModel, ranked: list[WeighedStory]) -> bool:
    """Return whether the best story isn't much likelier than all others, or a square doesn't look as the story says."""
    others = [each.log for each in ranked[1:]] + [weigh_unexplained(model, ranked[0])]
    if float(np.logaddexp.reduce(others)) > ranked[0].log - _PLAIN:
        return True
    return float(_otherwise(model, ranked[0].story.board(model.start)).max()) > _PLAIN


def weigh_unexplained(model: StoryModel, best: WeighedStory) -> float:
    """Return the log probability that the newest look shows something that turns can't explain."""
    gains = _otherwise(model, best.story.board(model.start)) - _A_SQUARE
    return best.log + _FREE + float(np.maximum(gains, 0.0).sum())


def _otherwise(model: StoryModel, board: Board) -> npt.NDArray[np.float64]:
    """Return the log odds (n, n) that a square of the newest look differs from the board."""
    table, (heights, tops) = model.looks.newest, board_arrays(board)
    rows, cols = np.indices(heights.shape)
    return np.asarray(table.max(axis=(2, 3)) - table[rows, cols, heights, np.maximum(tops, 0)], dtype=np.float64)


def _rank(weighed: dict[Story, WeighedStory]) -> list[WeighedStory]:
    return sorted(weighed.values(), key=lambda each: -each.log)


def _plays(model: StoryModel, board: Board, first: int) -> list[Candidate]:
    """Return the possible plays on a board since look number `first`. They are worked out once for each board."""
    key = (board, first)
    if key not in model.searched:
        model.searched[key] = candidates(_scene(model, board, first))
    return model.searched[key]


def _scene(model: StoryModel, board: Board, first: int) -> SearchInput:
    """Return the input for a search for plays on a board, from the looks since number `first`."""
    looks, last = model.looks, model.looks.last
    legible = np.max([look.legible for look in looks.looks[first:]], axis=0)
    return SearchInput(board, looks.span(first, last), legible, model.settings)


def _nexts(model: StoryModel, board: Board, count: int) -> list[Candidate]:
    return _plays(model, board, model.looks.last)[:count]


def _go_on(model: StoryModel, story: Story) -> Iterator[Story]:
    """Yield the story itself, with one more play, and with its last play taken back."""
    yield story
    for candidate in _nexts(model, story.board(model.start), _NEXT):
        yield story.then(candidate.play)
    back = _without_last(model.start, story)
    if back is not None:
        yield story.then(None)
        for candidate in _nexts(model, back, _SECOND):
            yield story.then(None, candidate.play)


def _without_last(start: CertainBoard, story: Story) -> Board | None:
    """Return the board with the last play taken back, None if none can be."""
    if None in story.events:
        return None
    try:
        return story.then(None).board(start)
    except PositionError:
        return None


def _second(model: StoryModel, story: Story) -> Iterator[Story]:
    """Yield the story with two more plays, or with one more after a different last play."""
    board = story.board(model.start)
    for candidate in _nexts(model, board, _SECOND_AFTER):
        after = board.with_play(candidate.play)
        for following in _nexts(model, after, _SECOND):
            yield story.then(candidate.play, following.play)
            yield story.then(following.play, candidate.play)
            if not {*candidate.play.squares} & {*following.play.squares}:
                yield story.then(candidate.play.with_tiles(following.play.tiles))
                yield from with_crossing_dealt(model, story, candidate.play, following.play)
                yield from with_crossing_dealt(model, story, following.play, candidate.play)


def _put_right(model: StoryModel, story: Story) -> Iterator[Story]:
    """Yield the story with another play instead of its last ones, and with plays that may have followed it."""
    for at in range(len(story.events) - 1, max(-1, len(story.events) - 3), -1):
        before, event, after = story.events[:at], story.events[at], story.events[at + 1 :]
        if not isinstance(event, Play):
            return
        board = Story(before).board(model.start)
        for candidate in _plays(model, board, 0)[:_PUT_RIGHT]:
            changed = Story((*before, candidate.play, *after))
            yield changed
            if not after:
                yield from _follow(model, changed)


def _follow(model: StoryModel, story: Story) -> Iterator[Story]:
    for following in _nexts(model, story.board(model.start), _SECOND):
        yield story.then(following.play)
