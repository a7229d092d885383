"""Alternatives to a story that pictures cannot exclude.

First come the ways to make two plays that one look shows. Then come variants of a story: other letters, a tile out of
sight, unseen layers. Last come stacks that look higher or lower than a play leaves them.

`table` (n, n, 6, F) is the log likelihood of each height and top face by the newest look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np

from engine import MAX_HEIGHT, Board, PlacedTile, Play, Square, square_name
from vision.arrays import Floats, log_softmax
from vision.turn.candidates import line_of, one_line
from vision.turn.finding import Outcome
from vision.turn.prior import GameSettings, play_prior, tile_prior
from vision.turn.reasons import PLACE_KNOWN, Doubt, Reason
from vision.turn.story import SAME_LOOK, Story, StoryModel, state_of


def legal_ways(before: Board, first: Play, second: Play, settings: GameSettings) -> frozenset[tuple[Play, ...]]:
    """Return every legal way to lay the tiles of two plays in at most two turns that leaves the same stacks.

    These are the plays themselves, the other order, other divisions of the tiles, and all tiles in one turn. For
    example, the S of BIDDERS over MILDEW may belong to MILDEWS. Words in no list are left out: the prior weighs whether
    somebody bluffs.
    """
    return frozenset(
        tuple(play for play in pair if play.tiles)
        for pair in _deal_out(first, second)
        if _is_legal(before, pair, settings)
    )


def _deal_out(first: Play, second: Play) -> Iterator[tuple[Play, Play]]:
    """Yield every division of the tiles into two plays that leaves the same stacks. The second may be empty."""
    covered, covering = {*first.squares}, {*second.squares}
    free = tuple(t for t in first.tiles if t.square not in covering)
    free += tuple(t for t in second.tiles if t.square not in covered)
    below = tuple(t for t in first.tiles if t.square in covering)
    above = tuple(t for t in second.tiles if t.square in covered)
    for comes_first in product((True, False), repeat=len(free)):
        early = Play((*(tile for tile, is_early in zip(free, comes_first, strict=True) if is_early), *below))
        late = Play((*(tile for tile, is_early in zip(free, comes_first, strict=True) if not is_early), *above))
        if early.tiles and one_line(early.squares) and one_line(late.squares):
            yield early, late


def _is_legal(before: Board, pair: tuple[Play, Play], settings: GameSettings) -> bool:
    first, second = pair
    if not settings.verdict(before, first).legal:
        return False
    return not second.tiles or settings.verdict(before.with_play(first), second).legal


_LEFT_OPEN, _NO_WORD = 7.0, 30.0
"""How far below the best letter in log likelihood another may lie to be thought of, and where the play makes no word
that a list has: a letter that makes one may have looked hardly possible. [by eye]"""
_HARDLY_HIGHER, _SETS = -2.5, 6
"""Log odds of two layers more, against one, above which a stack may hide a tile of a turn in between; and how many sets
of such stacks are tried. [by eye]"""
_SHOWN, _GUESSES = 5, 3
"""Tiles of such a turn that may show beside what lies under others, and guesses at its letters: one for each way they
may have looked earlier, the likeliest of as many plays. [by eye]"""


def other_letters(model: StoryModel, story: Story) -> Iterator[Story]:
    """Yield the story with another letter, not excluded by the newest look, on any one tile of its last play."""
    play = story.events[-1] if story.events else None
    if play is None:
        return
    before, boards = story.events[:-1], story.boards(model.start)
    alphabet = boards[-1].alphabet
    legal = model.settings.verdict(boards[-2], play).legal
    within = _LEFT_OPEN if legal else _NO_WORD
    for tile in play.tiles:
        here = model.looks.newest[tile.square.row, tile.square.col, boards[-1].height(tile.square)]
        others = [other for other in play.tiles if other != tile]
        for face in np.flatnonzero(here > here[alphabet.number[tile.face]] - within):
            yield Story((*before, Play((*others, PlacedTile(tile.square, alphabet.faces[int(face)])))))


def one_tile_more(model: StoryModel, story: Story) -> Iterator[Story]:
    """Yield the story with any letter, word or not, on one more unseen square in the line of its last play."""
    play = story.events[-1] if story.events else None
    if play is None:
        return
    before, board = story.events[:-1], story.board(model.start)
    unseen = model.looks.looks[-1].placed < PLACE_KNOWN
    for square in set(line_of(play, board, unseen)) - set(play.squares):
        if unseen[square.row, square.col] and board.height(square) < MAX_HEIGHT:
            for face in board.alphabet.faces:
                if face != board.top(square):
                    yield Story((*before, play.with_tiles([PlacedTile(square, face)])))


def with_unseen_layers(model: StoryModel, story: Story, play: Play) -> Iterator[Story]:
    """Yield two plays instead of the one that is seen: some of its stacks hold a tile that no picture has shown.

    Any letter that makes words there may be on that tile. The other tiles may belong to either play. A stack on the
    play's line that shows the same letter as before may have grown by two.
    """
    board = story.board(model.start)
    for covered, again in _find_covered_squares(model, board, play):
        others = [tile for tile in play.tiles if tile.square not in covered]
        for count in range(min(len(others), _SHOWN) + 1):
            for shown in combinations(others, count):
                second = Play((*(tile for tile in play.tiles if tile not in shown), *again))
                covering = Play(tuple(tile for tile in second.tiles if tile.square in covered))
                for guess in _find_hidden_plays(model, board, covering, shown):
                    yield story.then(guess, second)


def with_play_divided(model: StoryModel, story: Story) -> Iterator[Story]:
    """Yield the story with its last play made in two turns.

    Two turns are possible if one play would break a rule of placing, if the look before left a doubt, so that a turn
    may be missing there, or if two are likelier than one, as where the board was out of view. Asking a table that
    forgets every third turn about each such play would put 11 questions more in 100 photographs, and none of dev's
    turns is wrong for want of it.
    """
    play = story.events[-1] if story.events else None
    if play is None:
        return
    before = story.boards(model.start)[-2]
    verdict = model.settings.verdict(before, play)
    last = model.looks.last
    prior = model.plays_prior(last)
    missed = not model.looks.gaps[last].is_fresh or prior[2] > prior[1]
    if not missed and all(violation.of_words for violation in verdict.violations):
        return
    for first, second in _deal_out(play, Play(())):
        if second.tiles and (not verdict.legal or _is_legal(before, (first, second), model.settings)):
            yield Story((*story.events[:-1], first, second))


def with_crossing_dealt(model: StoryModel, story: Story, first: Play, second: Play) -> Iterator[Story]:
    """Yield two plays whose lines cross. The tile on the crossing belongs to the first or to the second.

    In the second play it may cover a tile of the first that no picture has shown. If every third turn isn't
    photographed, the answers contain the truth for 92.6 % of the questions about plays. Without these pairs it is
    90.2 %. [by hand, dev]
    """
    if one_line((*first.squares, *second.squares)):
        return
    board = story.board(model.start)
    tables = model.ways_of_heights(model.looks.last)[1]
    for tile in (*first.tiles, *second.tiles):
        early, late = (Play(tuple(t for t in play.tiles if t != tile)) for play in (first, second))
        first_crossed, second_crossed = early.with_tiles([tile]), late.with_tiles([tile])
        if not (early.tiles and late.tiles and one_line(first_crossed.squares) and one_line(second_crossed.squares)):
            continue
        yield story.then(first_crossed, late)
        yield story.then(early, second_crossed)
        if _log_odds(tables, board, tile, board.height(tile.square) + 1).max() > _HARDLY_HIGHER:
            for guess in _find_hidden_plays(model, board, Play((tile,)), early.tiles):
                yield story.then(guess, second_crossed)


def _find_covered_squares(
    model: StoryModel, board: Board, play: Play
) -> list[tuple[tuple[Square, ...], tuple[PlacedTile, ...]]]:
    """Return the sets of squares that may hold an unseen tile below, the likeliest by their heights first.

    Each comes with the tiles that then lie there in addition to those of the play: the same letters as before.
    """
    last = model.looks.last
    tables = model.ways_of_heights(last)[1]
    odds: dict[Square, Floats] = {}
    again: dict[Square, PlacedTile] = {}
    for tile in play.tiles:
        odds[tile.square] = _log_odds(tables, board, tile, board.height(tile.square) + 1)
    for square in line_of(play, board):
        if square not in odds:
            tile = PlacedTile(square, board.top(square))
            more = _log_odds(tables, board, tile, board.height(square))
            if more.max() > 0.0:
                odds[square], again[square] = more, tile
    likely = [square for square in odds if odds[square].max() > _HARDLY_HIGHER]
    ways = log_softmax(model.weights_of_heights(last, board.with_play(play)))
    gains = {
        chosen: float(np.logaddexp.reduce(ways + sum(odds[square] for square in chosen)))
        for count in range(1, len(likely) + 1)
        for chosen in combinations(likely, count)
    }
    sets = sorted((chosen for chosen in gains if gains[chosen] > 0.0), key=lambda chosen: -gains[chosen])
    return [(chosen, tuple(again[s] for s in chosen if s in again)) for chosen in sets[:_SETS]]


def _log_odds(tables: Floats, board: Board, tile: PlacedTile, lower: int) -> Floats:
    """Return the log odds (m,) that the stack under a tile's letter is two layers higher than before, against `lower`.

    `tables` (m, n, n, 6, F) are the log likelihoods for each way in which all heights may err.
    """
    row, col, height = tile.square.row, tile.square.col, board.height(tile.square)
    face = board.alphabet.number[tile.face]
    if height + 2 > MAX_HEIGHT:
        return np.full(len(tables), -np.inf)
    return np.asarray(tables[:, row, col, height + 2, face] - tables[:, row, col, lower, face])


def _find_hidden_plays(model: StoryModel, board: Board, covering: Play, shown: tuple[PlacedTile, ...]) -> list[Play]:
    """Return the likeliest plays with the tiles `shown` and another one under each tile of `covering`.

    If earlier looks don't distinguish some of the plays, one stands for all of them. With a word list that can't be
    searched there are none.
    """
    known = Play(shown)
    fitting = model.find_fitting(board, known, frozenset(covering.squares))
    above = {*covering.tiles}  # Rule 5: never a letter on the same letter
    found = [known.with_tiles(more.tiles) for more in fitting if not above & {*more.tiles}]
    prior = tile_prior(board, model.settings)
    seen = [model.weigh_earlier(play, board) for play in found]
    number = board.alphabet.number
    letters = [sum(float(prior[number[tile.face]]) for tile in play.tiles) for play in found]
    alike: dict[int, list[Play]] = {}
    for at in sorted(range(len(found)), key=lambda at: -(seen[at] + letters[at])):
        alike.setdefault(round(seen[at] / SAME_LOOK), []).append(found[at])
    groups = [group[:_GUESSES] for group in list(alike.values())[:_GUESSES]]
    return [max(plays, key=lambda play: play_prior(play, board, model.settings)) for plays in groups]


_HIGHER = 2.5
"""Log odds from which a stack looks higher. [by eye]"""

_OTHERWISE = 3.0
"""Log odds from which a stack looks of another height than a play makes it. Of 321 plays that were read correctly (the
development sets, a dataset of rendered games) one has such a stack; most of those have that only seem to be plays: a
tile was knocked off, a letter is wrong on the sheet, turns were not photographed. [by hand, sets]"""


@dataclass(frozen=True)
class HeightDoubt:
    """A stack that doesn't look as high as a play makes it: its square, and the question about it.

    `by_one` says that it looks exactly one tile higher.
    """

    square: Square
    doubt: Doubt
    by_one: bool = True


def other_height(
    table: Floats, after: Board, squares: Iterable[Square], reason: Reason = Reason.OTHER_HEIGHT
) -> HeightDoubt | None:
    """Return a stack on one of the `squares` whose height looks different from that on the board `after` the play.

    A single misread height is likelier than most stories that explain it, and perhaps none of those left explains it.
    """
    for square in squares:
        by_height = table[square.row, square.col].max(axis=-1)
        seen = int(by_height.argmax())
        if by_height[seen] - by_height[after.height(square)] > _OTHERWISE:
            details = (square_name(square), str(seen), str(after.height(square)))
            return HeightDoubt(square, Doubt(reason, details))
    return None


def higher_neighbour(table: Floats, before: Board, play: Play) -> HeightDoubt | None:
    """Return a stack on the line of a play that looks higher than before: it may hold another tile of the play.

    If a letter was misread before, the tile now on it may show the letter that was read, and looks like nothing new. A
    stack that has grown by two may show the same letter, too.
    """
    squares = set(play.squares)
    for square in line_of(play, before):
        height, face = state_of(before, square)
        if square in squares or not 0 < height < MAX_HEIGHT:
            continue
        here = table[square.row, square.col]
        if here[height + 1 :, face].max() - here[height, face] > _HIGHER:
            by_one = int(here[height + 1 :, face].argmax()) == 0
            return HeightDoubt(square, Doubt(Reason.HIGHER_NEIGHBOUR, (square_name(square),)), by_one)
    return None


def with_tile(table: Floats, outcome: Outcome, before: Board, square: Square) -> Outcome:
    """Return the outcome with one more tile, on this square: the face that is seen there if it lies a layer higher."""
    face = int(table[square.row, square.col, before.height(square) + 1].argmax())
    last = outcome.events[-1]
    assert last is not None
    more = last.with_tiles([PlacedTile(square, before.alphabet.faces[face])])
    return replace(outcome, story=Story((*outcome.events[:-1], more)), share=0.0)


def find_mistyped(table: Floats, outcome: Outcome, before: Board, typed: Play) -> Outcome | None:
    """Return the outcome in which the play typed last had the letters that are seen now, or None.

    It is None if tiles were found on other squares, too, or if all stacks clearly look a tile higher.
    """
    play = outcome.events[-1] if len(outcome.changes) == 1 and not outcome.revises else None
    if play is None or not {*play.squares} <= {*typed.squares}:
        return None
    for square in play.squares:
        by_height = table[square.row, square.col].max(axis=-1)
        if by_height[before.height(square) + 1] - by_height[before.height(square)] < _HIGHER:
            break
    else:
        return None
    seen = {tile.square: tile.face for tile in play.tiles}
    really = Play(tuple(PlacedTile(tile.square, seen.get(tile.square, tile.face)) for tile in typed.tiles))
    return replace(outcome, story=Story((really,)), kept=0, replaces=1)
