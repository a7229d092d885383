"""Walks the word graph along a line and finds every way to put rack tiles into words there.

From each square where a word may begin, left to right: an occupied square is kept as it is or covered, an empty
one is filled. The first free squares are taken from the rack's beginnings, which all lines share (after Appel
and Jacobson, "The World's Fastest Scrabble Program", 1988, where the left part is built anew at each anchor).
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.lexicon.dawg import FINAL, FLAGS
from engine.solver.hands import LETTERS, Hands
from engine.solver.lines import EMPTY, Line

Filling = tuple[int, str]
"""Which squares of a line get tiles, as a mask, and the letters put there in their order (Q for Qu)."""


def fillings(line: Line, hands: Hands) -> list[Filling]:
    """Every filling of a line whose word, and the words across it, are in the graph; each once.

    Only words are looked at, and that the play touches what is there: the other rules come later.
    """
    found: list[Filling] = []
    tops, allowed = line.tops, line.allowed
    table, masks, after, faces_in = hands.table, hands.masks, hands.after, hands.faces_in

    def visit(col: int, node: int, hand: int, mask: int, letters: str) -> None:
        """Goes on at `col`, where all squares before it are dealt with and have led to `node`."""
        flags = table[node + FLAGS]
        top = tops[col]
        if top == EMPTY:
            if flags & FINAL and mask:
                found.append((mask, letters))
        elif table[node + top]:
            visit(col + 1, table[node + top], hand, mask, letters)
        faces = flags & allowed[col] & masks[hand]
        if faces:
            fewer = after[hand]
            mask |= 1 << col
            for face in faces_in[faces]:
                visit(col + 1, table[node + face], fewer[face], mask, letters + LETTERS[face])

    for start, anchor in _starts(line, hands.size):
        length = anchor - start
        mask = (1 << anchor) - (1 << start)
        if tops[anchor] != EMPTY:
            for node, hand, letters in hands.leading_to(length, tops[anchor]):
                visit(anchor + 1, node, hand, mask, letters)
        faces = allowed[anchor]
        if faces and length < hands.size:
            mask |= 1 << anchor
            longer = hands.ending_in(length + 1)
            for face in faces_in[faces]:
                for node, hand, letters in longer[face]:
                    visit(anchor + 1, node, hand, mask, letters)
    return found


def _starts(line: Line, tiles: int) -> Iterator[tuple[int, int]]:
    """The squares where a word may begin, each with the first square at or behind it that connects it."""
    anchor = len(line.anchors)
    for start in range(anchor - 1, -1, -1):
        if line.anchors[start]:
            anchor = start
        first = start == 0 or line.tops[start - 1] == EMPTY
        if first and anchor < len(line.anchors) and anchor - start <= tiles:
            yield start, anchor
