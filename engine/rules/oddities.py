"""Oddities of a board, however it came about: a table may insist on such a board and go on playing."""

from __future__ import annotations

from itertools import pairwise

from engine.board import Board
from engine.editions import Edition
from engine.squares import SQUARES, Square, centre_squares, square_name, square_names
from engine.tiles import excess_letters


def oddities(edition: Edition, board: Board) -> tuple[str, ...]:
    """Return a sentence for each thing about a board that no game by the rules leads to.

    These are tiles apart from the rest (4-connect), no tile on a centre square (3) and a letter on the same letter
    (5-same). Another is more of a letter than the edition has. People can play on in spite of them.
    """
    apart = separate_squares(board)
    are = "is" if len(apart) == 1 else "are"
    lines = [f"{square_names(apart)} {are} not joined to the other tiles (Rule 4)"] if apart else []
    start = edition.start
    if not board.is_empty and not any(board.height(square) for square in start):
        where = "the centre of the board" if start == centre_squares(board.size) else "a start square"
        lines.append(f"no tile lies on {where}, {square_names(sorted(start))} (Rule 3)")
    for square in board.occupied():
        if any(one == other for one, other in pairwise(board.stack(square))):
            lines.append(f"a letter lies on the same letter at {square_name(square)} (Rule 5)")
    return (*lines, *excess_letters(edition, board.counts()))


def separate_squares(board: Board) -> tuple[Square, ...]:
    """Return the squares with tiles outside the largest (first largest) group of joined ones, in reading order."""
    unvisited = {(square.row, square.col) for square in board.occupied()}
    groups: list[set[tuple[int, int]]] = []
    while unvisited:
        reached = {unvisited.pop()}
        edge = list(reached)
        while edge:
            row, col = edge.pop()
            for near in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                if near in unvisited:
                    unvisited.remove(near)
                    reached.add(near)
                    edge.append(near)
        groups.append(reached)
    groups.sort(key=lambda group: (-len(group), min(group)))
    return tuple(sorted(SQUARES[row][col] for group in groups[1:] for row, col in group))
