"""Boards of which only tops and heights are known, as a photograph shows them, and games that began from one."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TypeAlias

from engine.board import Board
from engine.editions import Edition
from engine.errors import UpscoreError
from engine.game.events import BoardTaken, Corrected
from engine.game.game import Game
from engine.squares import Square

TopsAndHeights: TypeAlias = tuple[tuple[tuple[str, int], ...], ...]
"""The face on top ("" for an empty square) and the height of each square, by row."""


def fill_under(position: TopsAndHeights, edition: Edition, known: Board | None = None) -> Board:
    """Return a board with these tops and heights.

    Underneath lie the tiles of the board `known` from before, and above those the letters of which the set has most
    left. Letters underneath never score, so any will do. These choices keep the count of the remaining tiles closest to
    the truth. A letter goes directly under the same letter only if no other will do.
    """
    before = Board.empty(edition.size, edition.alphabet) if known is None else known
    under = [
        [_find_known_under(stack, face, height) for stack, (face, height) in zip(*rows, strict=True)]
        for rows in zip(before.stacks, position, strict=True)
    ]
    left = Counter(edition.distribution or dict.fromkeys(edition.alphabet.faces, 4))
    left.subtract(face for row in position for face, _ in row if face)
    left.subtract(face for row in under for stack in row for face in stack)

    def stack(below: tuple[str, ...], face: str, height: int) -> tuple[str, ...]:
        above = [face] if face else []
        while face and len(below) + len(above) < height:
            avoided = (above[0], *below[-1:])
            chosen = max(edition.alphabet.faces, key=lambda other: (other not in avoided, left[other]))
            left[chosen] -= 1
            above.insert(0, chosen)
        return (*below, *above)

    rows = zip(under, position, strict=True)
    return Board(
        tuple(tuple(stack(below, *top) for below, top in zip(belows, tops, strict=True)) for belows, tops in rows),
        edition.alphabet,
    )


def _find_known_under(stack: tuple[str, ...], face: str, height: int) -> tuple[str, ...]:
    """Return the tiles of a stack from before that lie under the face now on top, which is `height` tiles high.

    The tile directly under the top never has the same letter: if it would, the earlier stack was a different one.
    """
    under = stack[: max(height - 1, 0)]
    return under[:-1] if len(under) == height - 1 and under[-1:] == (face,) else under


def with_height(game: Game, square: Square, height: int) -> Game:
    """Return the game in which the stack on a square is so high now, and was as much higher or lower all along.

    If its lowest tiles came with a play, or later turns do not fit, the board is taken as it lies now.
    """
    starts = [(at, event) for at, event in enumerate(game.events) if isinstance(event, BoardTaken)]
    at, taken = starts[-1] if starts else (0, BoardTaken.of(game.setup.start, game.setup.first))
    size, alphabet = game.board.size, game.board.alphabet
    start = Board.empty(size, alphabet).with_play(taken.tiles)
    then = start.height(square) + height - game.board.height(square)
    if start.height(square) and then > 0:
        board = _restack(start, square, then, game.setup.edition)
        with suppress(UpscoreError):
            return game.put_right(Corrected(at, BoardTaken.of(board, taken.player), insert=not starts)).game
    player = game.current_player
    assert player is not None, "a question waits while the game goes on"
    board = _restack(game.board, square, height, game.setup.edition)
    return game.with_event(BoardTaken.of(board, game.players.index(player)))


def _restack(board: Board, square: Square, height: int, edition: Edition) -> Board:
    """Return the board with a stack of another height and the same letter on top."""
    position = [[(stack[-1] if stack else "", len(stack)) for stack in row] for row in board.stacks]
    position[square.row][square.col] = (board.top(square), height)
    return fill_under(tuple(map(tuple, position)), edition, board)
