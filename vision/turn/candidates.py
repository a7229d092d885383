"""Candidates: plays that a look suggests on a board, hidden squares included. Stories weigh them in full later.

A play lies on one line, so every row and column is searched by itself: squares where a change is conceivable are taken
or left one after another (a beam search). Where squares on the line cannot be seen, every lawful word that goes on
there is a candidate, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT, SQUARES, Alphabet, Board, Lexicon, PlacedTile, Play, Square
from engine.solver.search import plays_on
from engine.squares import run_around
from vision.arrays import Floats
from vision.turn.prior import PLAY, GameSettings, rules_prior, tile_prior

_CONCEIVABLE = -3.5
"""Gain below which a face on a square is not looked at. [by eye]"""
_FACES_A_SQUARE = 4
"""Letters that are thought of where they can be read; where they cannot, all are. [by eye]"""
_BEAM = 48
"""Likeliest ways to have put tiles on a line so far that are continued from each of its squares.
[by eye]"""
_JUDGED = 48
"""Plays of each search that the rules are asked about. [by eye]"""
_PLAIN, _GUESSED = 0.6, 0.25
"""How far a letter must be legible to be read by its looks alone, and for its looks to suggest one at all. [by eye]"""
_EVIDENT = 0.0
"""Gain from which it is evident that a tile was put on a square, whether its letter can be read or not. [by eye]"""
_BARE = 5.0
"""Log odds of a bare square from which no tile is thought to lie on the one that was there. [by eye]"""
_RULED_OUT = -7.0
"""Gain of the likeliest tile below which a square whose letter cannot be read is known to have none. [by eye]"""
_EXTENDED, _EXTENDED_WITHIN = 5, 9.0
"""Likeliest plays, by the tiles that can be read, whose hidden squares are filled in, and how far in log probability
they may lie below the best. [by eye]"""
_MOST_HIDDEN, _MOST_FILLINGS = 3, 16
"""Hidden squares of a play that are filled in at a time, and ways to choose them. [by eye]"""
_LEAST_LIKELY = -14.0
"""Gain below the best one from which a candidate is not worth its time. [by eye]"""


@dataclass(frozen=True)
class Candidate:
    """A play, and its log probability by the newest look against nothing having changed."""

    play: Play
    gain: float


@dataclass(frozen=True)
class SearchInput:
    """The input of a search: a board, and the looks at what may have been played on it since.

    `table` (n, n, 6, F) is their log likelihood, `legible` (n, n) how far each letter can be read in any of them.
    """

    board: Board
    table: Floats
    legible: Floats
    settings: GameSettings

    def gains(self) -> Floats:
        """Return the gain in log probability of putting each face on each square, (n, n, F); -inf if not allowed."""
        heights, tops = board_arrays(self.board)
        rows, cols = np.indices(heights.shape)
        now = self.table[rows, cols, heights, np.maximum(tops, 0)]
        more = self.table[rows, cols, np.minimum(heights + 1, MAX_HEIGHT)] - now[..., None]
        gains = more + tile_prior(self.board, self.settings)
        gains[heights == MAX_HEIGHT] = -np.inf
        # a square that looks bare has had its tile knocked off: nothing was put on it
        bare = self.table[..., :1, 0] - self.table[rows, cols, np.minimum(heights + 1, MAX_HEIGHT)]
        gains[(heights > 0)[..., None] & (bare > _BARE)] = -np.inf
        stacked = np.argwhere(tops >= 0)
        gains[stacked[:, 0], stacked[:, 1], tops[tops >= 0]] = -np.inf
        return np.asarray(gains, dtype=np.float64)


def board_arrays(board: Board) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the heights (n, n) of a board, and the indices (n, n) of the top faces, -1 on empty squares."""
    heights = np.array([[len(stack) for stack in row] for row in board.stacks], dtype=np.int64)
    number = board.alphabet.number
    tops = [[number[stack[-1]] if stack else -1 for stack in row] for row in board.stacks]
    return heights, np.array(tops, dtype=np.int64)


def candidates(search: SearchInput) -> list[Candidate]:
    """Return the likeliest plays on a board, best first. Visible squares are read, hidden ones filled in."""
    gains = search.gains()
    likeliest = gains.max(axis=-1, keepdims=True)
    suggested = (search.legible[..., None] >= _GUESSED) | (likeliest > _EVIDENT)
    shown = np.where(suggested, gains, -np.inf)
    faces = np.where(search.legible < _PLAIN, len(search.board.alphabet), _FACES_A_SQUARE)
    hidden = (search.legible < _PLAIN) & (gains.max(axis=-1) > _RULED_OUT)
    found: dict[Play, float] = {}
    for line in _lines(search.board.size):
        for gain, tiles in _subsets(shown, faces, line, search.board.alphabet):
            if tiles:
                found[Play(tiles)] = gain
    read = _judge(found, search)
    found, number = {}, search.board.alphabet.number
    for clear in _to_extend(read, hidden):
        for play in extend(clear, search, hidden):
            found[play] = sum(float(gains[t.square.row, t.square.col, number[t.face]]) for t in play.tiles)
    both = {c.play: c for c in (*read, *_judge(found, search))}
    ranked = sorted(both.values(), key=lambda c: (-c.gain, c.play.tiles))
    return [c for c in ranked if c.gain > ranked[0].gain + _LEAST_LIKELY]


def _judge(found: dict[Play, float], search: SearchInput) -> list[Candidate]:
    judged: list[Candidate] = []
    best = -np.inf
    for play, gain in sorted(found.items(), key=lambda item: -item[1])[:_JUDGED]:
        if gain + PLAY <= best + _LEAST_LIKELY:
            break  # no rule makes a play likelier, and one so far below the best is left out in the end
        judged.append(Candidate(play, gain + PLAY + rules_prior(play, search.board, search.settings)))
        best = max(best, judged[-1].gain)
    return sorted(judged, key=lambda c: (-c.gain, c.play.tiles))


def _lines(size: int) -> Iterator[list[Square]]:
    for i in range(size):
        yield [SQUARES[i][k] for k in range(size)]
        yield [SQUARES[k][i] for k in range(size)]


def _subsets(
    gains: Floats, faces: npt.NDArray[np.int64], line: Iterable[Square], alphabet: Alphabet
) -> list[tuple[float, tuple[PlacedTile, ...]]]:
    beam: list[tuple[float, tuple[PlacedTile, ...]]] = [(0.0, ())]
    for square in line:
        count = int(faces[square.row, square.col])
        options = list(_options(gains[square.row, square.col], count, square, alphabet))
        if not options:
            continue
        longer = [(gain + more, (*tiles, tile)) for gain, tiles in beam for more, tile in options]
        beam = sorted(beam + longer, key=lambda item: -item[0])[:_BEAM]
    return beam


def _options(gains: Floats, count: int, square: Square, alphabet: Alphabet) -> Iterator[tuple[float, PlacedTile]]:
    if gains.max() > _CONCEIVABLE:
        for face in np.argsort(-gains)[:count]:
            if gains[face] > _CONCEIVABLE:
                yield float(gains[face]), PlacedTile(square, alphabet.faces[int(face)])


def _to_extend(read: list[Candidate], hidden: npt.NDArray[np.bool_]) -> list[Play]:
    """Return the parts of the likeliest plays that can be read."""
    parts: dict[Play, None] = {}
    for candidate in read:
        if candidate.gain < read[0].gain - _EXTENDED_WITHIN or len(parts) == _EXTENDED:
            break
        clear = [tile for tile in candidate.play.tiles if not hidden[tile.square.row, tile.square.col]]
        if clear:
            parts.setdefault(Play(tuple(clear)))
    return list(parts)


def extend(clear: Play, search: SearchInput, hidden: npt.NDArray[np.bool_]) -> Iterator[Play]:
    """Yield every play that has tiles on some of the `hidden` (n, n) squares of its line beside the `clear` ones.

    It can search for words only with a `Lexicon`, and yields nothing with another list.
    """
    words, edition = search.settings.lexicon, search.settings.edition
    if not isinstance(words, Lexicon):
        return
    seen = search.board.with_play(clear)
    # by itself the hidden end may be a lone S, but it isn't in the whole play
    rules = replace(search.settings.rules, plural_rule=False)
    for chosen in _fillings(clear, seen, hidden):
        for more in plays_on(seen, chosen, None, edition=edition, lexicon=words, rules=rules):
            yield clear.with_tiles(more.play.tiles)


def _fillings(clear: Play, seen: Board, hidden: npt.NDArray[np.bool_]) -> Iterator[tuple[Square, ...]]:
    """Yield the sets of hidden squares that make one unbroken line with the clear tiles and those on the board."""
    reached = _find_reached(clear, seen, hidden)
    counts = range(1, min(len(reached), _MOST_HIDDEN) + 1)
    every = (chosen for count in counts for chosen in combinations(reached, count))
    whole = (
        chosen
        for chosen in every
        if one_line((*chosen, *clear.squares)) and _unbroken((*chosen, *clear.squares), seen, chosen)
    )
    return islice(whole, _MOST_FILLINGS)


def _unbroken(squares: tuple[Square, ...], seen: Board, chosen: tuple[Square, ...]) -> bool:
    first, last = min(squares), max(squares)
    between = [Square(row, col) for row in range(first.row, last.row + 1) for col in range(first.col, last.col + 1)]
    return all(seen.stack(square) or square in chosen for square in between)


def _find_reached(play: Play, board: Board, hidden: npt.NDArray[np.bool_]) -> list[Square]:
    """Return the hidden squares within a play and those to which its line may go on without a gap."""
    played = {tile.square for tile in play.tiles}
    return [at for at in line_of(play, board, hidden) if hidden[at.row, at.col] and at not in played]


def line_of(play: Play, board: Board, hidden: npt.NDArray[np.bool_] | None = None) -> Iterator[Square]:
    """Yield the squares of a play's line, or of both lines of a tile, as far as tiles lie or may be `hidden` (n, n)."""
    squares = {tile.square for tile in play.tiles}
    first = min(squares)
    lines = [(SQUARES[first.row][: board.size], first.col)] if len({s.row for s in squares}) == 1 else []
    if len({s.col for s in squares}) == 1:
        lines.append((tuple(row[first.col] for row in SQUARES[: board.size]), first.row))
    for line, at in lines:
        occupied = [s in squares or board.stack(s) or (hidden is not None and hidden[s.row, s.col]) for s in line]
        start, end = run_around(occupied, at, at)
        yield from line[at + 1 : end]
        yield from reversed(line[start:at])


def one_line(squares: tuple[Square, ...]) -> bool:
    """Return whether squares lie in one row or one column, or there are none."""
    return min(len({square.row for square in squares}), len({square.col for square in squares})) <= 1
