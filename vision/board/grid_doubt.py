"""Why the grid that was found may not be the board's own: a square beside it, of paper, or of another game.

Lines that cross tell nothing of the game: floors, windows and othello boards have as fine a grid. Letters on tiles do,
where they hang together as words do (rule 4): those of crosswords and diagrams lie about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

import numpy as np

from engine import Board, WordList
from engine.squares import runs_along
from vision.arrays import Flags, Floats
from vision.board.grid_shift import letters_together
from vision.picture_quality import Fault

Letters = Sequence[Sequence[str]]
"""The top face of every square, (n, n), "" where there is none."""


class GridDoubt(Enum):
    """A reason to doubt a grid, as a sentence for people."""

    FAINT = "The grid is hard to see. Check the squares."
    BORDER = "The edge of the board isn't clear. Everything may be one square off."
    GIVEN = "The corners you gave don't fit the squares in the picture. Check all four."
    PRINTED = "This looks like a grid printed on paper. Is the board itself in the picture?"
    UNLETTERED = "Hardly any letter can be read. Is this the right board?"
    DARK = Fault.DARK.value
    BLURRED = Fault.BLURRED.value
    DAZZLED = Fault.DAZZLED.value
    SCATTERED = "The letters don't form words. Is this the right board?"


SPOILED = frozenset(GridDoubt[fault.name] for fault in Fault)
"""Those of pictures that were taken so badly that next to nothing can be made out in them."""
GRID_CHANCE = {
    None: 1.0,
    GridDoubt.FAINT: 0.6,
    GridDoubt.BORDER: 0.6,
    GridDoubt.GIVEN: 0.6,
    GridDoubt.PRINTED: 0.6,
    GridDoubt.UNLETTERED: 0.85,
    GridDoubt.DARK: 0.85,
    GridDoubt.BLURRED: 0.85,
    GridDoubt.DAZZLED: 0.85,
    GridDoubt.SCATTERED: 0.6,
}
"""Probability of a grid in doubt: no square of it is sure. A bare board is this game's more often than not.
[by eye]"""
_PLAIN, _LEAST_PLAIN, _PLAIN_SHARE = 0.9, 2, 0.5
"""Probability of a tile and its letter from which it is plain, and the squares, and their share of those with tiles,
that must be so. Measured: of the pictures of the development sets with tiles on them only four that a hand hides have
fewer; of 99 looks at drawn sheets, floors and boards of other games that are taken for a board 43 had squares of 0.9
and more without it, and four have. [by hand, sets]"""
_MAY_BE, _LEAST_TO_TELL, _TOGETHER = 0.05, 4, 0.5
"""Probability of a tile from which a square may join two groups of letters, letters from which it is asked whether they
hang together, and the share of them that must. Measured: of 852 pictures of boards (development sets, rendered games,
`hard_views`) none had fewer than 0.56, of the six looks that were still believed in among 143 at sheets, floors and
boards of other games none more than 0.33. [by hand, sets]"""
_LONG, _LEAST_LONG, _LAWFUL_SHARE = 3, 2, 0.65
"""Letters of a long word, how many such words must stand on a grid in doubt, and the share of all runs that must be
words. Measured on the refused looks of `vision.board.lattice.may_be_board`: of the six grids of boards five have 0.69
and more of them; so has the one that lay aside, which letters beside it tell. [by hand, sets]"""
_AS_BEFORE = 0.6
"""Share of the tiles known from before, _LEAST_TO_TELL of them at least, whose letters must be read where they lay:
hands and stacks hide some. [by eye]"""


def is_lettered(height_probs: Floats, face_probs: Floats) -> bool:
    """Return whether letters show that this game lies there, by P(height) (n, n, 6) and P(face) (n, n, 26)."""
    tiles = height_probs.argmax(axis=-1) > 0
    return int(_plain(height_probs, face_probs).sum()) >= max(_LEAST_PLAIN, _PLAIN_SHARE * int(tiles.sum()))


def are_scattered(height_probs: Floats, face_probs: Floats, hidden: Flags) -> bool:
    """Return whether most letters, by P(height) and P(face), lie apart. `hidden` squares (n, n) may join them."""
    plain = _plain(height_probs, face_probs) & ~hidden
    letters = int(plain.sum())
    between = hidden | (~plain & (1.0 - height_probs[..., 0] > _MAY_BE))
    return letters >= _LEAST_TO_TELL and letters_together(plain, between, plain) < _TOGETHER * letters


def lies_there(letters: Letters, board: Board) -> bool:
    """Return whether the `letters` that were read, (n, n) faces, are those of a board known from before."""
    known = tuple(board.occupied())
    same = sum(letters[square.row][square.col] == board.top(square) for square in known)
    return same >= _LEAST_TO_TELL and same >= _AS_BEFORE * len(known)


def spell_words(letters: Letters, hidden: Flags, words: WordList) -> bool:
    """Return whether what is read, (n, n) faces, spells words: most runs across and down are in the list, and two are
    long.

    `hidden` squares (n, n) count as bare.
    """
    runs = list(_runs(letters, hidden))
    lawful = [run for run in runs if run.upper() in words]
    long = [run for run in lawful if len(run) >= _LONG]
    return len(long) >= _LEAST_LONG and len(lawful) >= _LAWFUL_SHARE * len(runs)


def _runs(letters: Letters, hidden: Flags) -> Iterator[str]:
    """Yield the letters that stand in a row, across and down."""
    rows = [
        ["" if hid else face for face, hid in zip(*each, strict=True)] for each in zip(letters, hidden, strict=True)
    ]
    for line in (*rows, *zip(*rows, strict=True)):
        for start, end in runs_along(line):
            yield "".join(line[start:end])


def _plain(height_probs: Floats, face_probs: Floats) -> Flags:
    """Return the squares (n, n) whose tile and letter are plain."""
    tiles = height_probs.argmax(axis=-1) > 0
    chance = (1.0 - height_probs[..., 0]) * face_probs.max(axis=-1)
    return np.asarray(tiles & (chance > _PLAIN), dtype=np.bool_)
