"""What a story may really have been where pictures cannot tell: other letters, a tile out of sight, unseen layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from engine.board import MAX_HEIGHT, Board
from engine.faces import FACES
from engine.lexicon.lexicon import Lexicon
from engine.play import PlacedTile, Play
from engine.solver.square_plays import plays_on
from engine.squares import Square
from vision.turn.inference.candidates import line_of, one_line
from vision.turn.inference.prior import play_prior, tile_prior
from vision.turn.inference.story import Story, StoryModel
from vision.turn.look import Floats
from vision.turn.thresholds import PLACE_KNOWN

_LEFT_OPEN, _NO_WORD = 7.0, 30.0
"""How far below the best letter in log likelihood another may lie to be thought of, and where the play makes no word
that a list has: a letter that makes one may have looked hardly possible."""
_HARDLY_HIGHER, _SETS = -2.5, 6
"""Log odds of two layers more, against one, above which a stack may hide a tile of a turn in between; and how many sets
of such stacks are tried. By eye, not measured."""
_SHOWN, _GUESSES = 3, 3
"""Tiles of such a turn that may show beside what lies under others, and guesses at its letters."""


def other_letters(model: StoryModel, story: Story) -> Iterator[Story]:
    """The story with another letter on any one tile of its last play, of all that the newest look leaves open."""
    play = story.events[-1] if story.events else None
    if play is None:
        return
    before, boards = story.events[:-1], story.boards(model.start)
    legal = model.context.verdict(boards[-2], play).legal
    within = _LEFT_OPEN if legal else _NO_WORD
    for tile in play.tiles:
        here = model.looks.newest[tile.square.row, tile.square.col, boards[-1].height(tile.square)]
        others = [other for other in play.tiles if other != tile]
        for face in np.flatnonzero(here > here[FACES.index(tile.face)] - within):
            yield Story((*before, Play((*others, PlacedTile(tile.square, FACES[int(face)])))))


def one_tile_more(model: StoryModel, story: Story) -> Iterator[Story]:
    """The story with any letter on one more square of its last play's line that cannot be seen, word or not."""
    play = story.events[-1] if story.events else None
    if play is None:
        return
    before, board = story.events[:-1], story.board(model.start)
    unseen = model.looks.looks[-1].placed < PLACE_KNOWN
    for square in set(line_of(play, board, unseen)) - set(play.squares):
        if unseen[square.row, square.col] and board.height(square) < MAX_HEIGHT:
            for face in FACES:
                if face != board.top(square):
                    yield Story((*before, play.with_tiles([PlacedTile(square, face)])))


def with_unseen_layers(model: StoryModel, story: Story, play: Play) -> Iterator[Story]:
    """Yield two plays where one is seen: some of its stacks hold a tile that no picture has shown.

    Any letter that makes words there may be that tile. The other tiles may be of either play. A stack on the play's
    line that shows the letter it showed before may have grown by two.
    """
    board, words = story.board(model.start), model.context.lexicon
    if not isinstance(words, Lexicon):
        return
    for covered, again in _covered_squares(model, board, play):
        others = [tile for tile in play.tiles if tile.square not in covered]
        for count in range(min(len(others), _SHOWN) + 1):
            for shown in combinations(others, count):
                tiles = (*(tile for tile in play.tiles if tile not in shown), *again)
                second = Play(tuple(sorted(tiles)))
                guesses = [
                    guess for guess in _hidden_plays(model, words, board, covered, shown)
                    if not {*guess.tiles} & {*second.tiles}  # Rule 5: never a letter on the same letter
                ][:_GUESSES]  # fmt: skip
                if guesses and not model.looks.last:
                    # no look tells them apart: one stands for all
                    guesses = [max(guesses, key=lambda guess: play_prior(guess, board, model.context))]
                for guess in guesses:
                    yield story.then(guess, second)


def _covered_squares(
    model: StoryModel, board: Board, play: Play
) -> list[tuple[tuple[Square, ...], tuple[PlacedTile, ...]]]:
    """Return the sets of squares that may hold an unseen tile below, the likeliest by their heights first.

    Each comes with the tiles that then lie there besides those of the play: letters that are the same as before.
    """
    table = model.looks.newest
    odds: dict[Square, float] = {}
    again: dict[Square, PlacedTile] = {}
    for tile in play.tiles:
        odds[tile.square] = _log_odds(table, board, tile, board.height(tile.square) + 1)
    for square in line_of(play, board):
        if square not in odds:
            tile = PlacedTile(square, board.top(square))
            more = _log_odds(table, board, tile, board.height(square))
            if more > 0.0:
                odds[square], again[square] = more, tile
    likely = [square for square in odds if odds[square] > _HARDLY_HIGHER]
    sets = [
        chosen for count in range(1, len(likely) + 1) for chosen in combinations(likely, count)
        if sum(odds[square] for square in chosen) > 0.0
    ]  # fmt: skip
    sets.sort(key=lambda chosen: -sum(odds[square] for square in chosen))
    return [(chosen, tuple(again[s] for s in chosen if s in again)) for chosen in sets[:_SETS]]


def _log_odds(table: Floats, board: Board, tile: PlacedTile, lower: int) -> float:
    """Return the log odds that the stack under a tile's letter is two layers higher than before, not `lower`."""
    row, col, height = tile.square.row, tile.square.col, board.height(tile.square)
    face = FACES.index(tile.face)
    if height + 2 > MAX_HEIGHT:
        return -np.inf
    return float(table[row, col, height + 2, face] - table[row, col, lower, face])


def _hidden_plays(
    model: StoryModel,
    words: Lexicon,
    board: Board,
    covered: tuple[Square, ...],
    shown: tuple[PlacedTile, ...],
) -> list[Play]:
    """Plays with a tile on each covered square beside those shown, the likeliest by the looks before first."""
    known, context = Play(shown), model.context
    if not one_line((*covered, *known.squares)):
        return []
    found = plays_on(
        board.with_play(known), covered, None, edition=context.edition, lexicon=words,
        rules=replace(context.rules, plural_rule=False),
    )  # fmt: skip
    prior = tile_prior(board, context)
    plays = [known.with_tiles(more.play.tiles) for more in found]
    before = model.looks.span(0, model.looks.last - 1) if model.looks.last else None

    def likely(play: Play) -> float:
        faces = [(tile.square, FACES.index(tile.face)) for tile in play.tiles]
        seen = 0.0 if before is None else sum(before[s.row, s.col, board.height(s) + 1, f] for s, f in faces)
        return float(seen + sum(prior[face] for _, face in faces))

    return sorted(plays, key=likely, reverse=True)
