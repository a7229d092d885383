"""Why the grid that was found may not be the board's own: a square beside it, of paper, or of another game.

Lines that cross tell nothing of the game: floors, windows and othello boards have as fine a grid. Letters on tiles do,
where they hang together as words do (rule 4): those of crosswords and diagrams lie about.
"""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt

from vision.board.grid_shift import letters_together

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class GridDoubt(Enum):
    """A reason to doubt a grid, as a sentence for people."""

    BORDER = "The border of the board cannot be made out: all may lie a square beside."
    PRINTED = "That looks like a grid printed on paper: check that the board itself is in the picture."
    UNLETTERED = "Hardly a letter can be made out: check that it is this game's board that is in the picture."
    SCATTERED = "The letters lie apart: check that it is this game's board that is in the picture."


GRID_CHANCE = {
    None: 1.0,
    GridDoubt.BORDER: 0.6,
    GridDoubt.PRINTED: 0.6,
    GridDoubt.UNLETTERED: 0.85,
    GridDoubt.SCATTERED: 0.6,
}
"""Probability of a grid in doubt: no square of it is sure. By eye; a bare board is this game's more often than not."""
_PLAIN, _LEAST_PLAIN, _MOST_PLAIN = 0.9, 2, 0.5
"""Probability of a tile and its letter from which it is plain, and the squares, and their share of those with tiles,
that must be so. Measured: of the pictures of the development sets with tiles on them only four that a hand hides have
fewer; of 99 looks at drawn sheets, floors and boards of other games that are taken for a board 43 had squares of 0.9
and more without it, and four have."""
_MAY_BE, _LEAST_TO_TELL, _TOGETHER = 0.05, 4, 0.5
"""Probability of a tile from which a square may join two groups of letters, letters from which it is asked whether they
hang together, and the share of them that must. Measured: of 852 pictures of boards (development sets, rendered games,
`hard_views`) none had fewer than 0.56, of the six looks that were still believed in among 143 at sheets, floors and
boards of other games none more than 0.33."""


def is_lettered(height_probs: Floats, face_probs: Floats) -> bool:
    """Whether letters tell that this game lies there: P(height) (n, n, 6) and P(face) (n, n, 26) of every square."""
    tiles = height_probs.argmax(axis=-1) > 0
    return int(_plain(height_probs, face_probs).sum()) >= max(_LEAST_PLAIN, _MOST_PLAIN * int(tiles.sum()))


def are_scattered(height_probs: Floats, face_probs: Floats, hidden: Flags) -> bool:
    """Whether most letters (n, n, 6), (n, n, 26) lie apart from each other: `hidden` squares (n, n) may join them."""
    plain = _plain(height_probs, face_probs) & ~hidden
    letters = int(plain.sum())
    between = hidden | (~plain & (1.0 - height_probs[..., 0] > _MAY_BE))
    return letters >= _LEAST_TO_TELL and letters_together(plain, between, plain) < _TOGETHER * letters


def _plain(height_probs: Floats, face_probs: Floats) -> Flags:
    """The squares (n, n) whose tile and letter are plain."""
    tiles = height_probs.argmax(axis=-1) > 0
    chance = (1.0 - height_probs[..., 0]) * face_probs.max(axis=-1)
    return np.asarray(tiles & (chance > _PLAIN), dtype=np.bool_)
