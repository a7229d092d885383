"""Which way the letters stand: a vote of all faces over the four quarter turns, words deciding when few have been played."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.faces import FACES
from engine.words import WordList
from vision.faces import REJECT, read_faces
from vision.images import Image

Floats = npt.NDArray[np.float64]

_TRUST = 0.6
"""Share of a face's evidence that counts: faces of one set err together."""
_MOST_FACES = 16
_WORD_BONUS = 1.5
_KNOWN_BONUS = 4.0


def vote(
    windows: Image,
    squares: Sequence[tuple[int, int]],
    size: int,
    words: WordList | None,
    before: Board | None,
) -> Floats:
    """P(quarter turns) (4,) that bring the letters upright.

    `windows` (m, FACE_PX, FACE_PX, 3) are faces cut in some frame of the board, `squares` their (row, col) in it. The
    k-th answer belongs to `Camera.turned(k)`. A board known from before, and words of the lexicon along the lines,
    add their evidence.
    """
    if not len(windows):
        return np.full(4, 0.25)
    chosen = np.linspace(0, len(windows) - 1, min(_MOST_FACES, len(windows))).astype(int)
    tables = []
    score = np.zeros(4)
    for turns in range(4):
        turned = np.rot90(windows, turns, axes=(1, 2))
        table = read_faces(np.ascontiguousarray(turned[chosen])).astype(np.float64)
        tables.append(table)
        score[turns] = _TRUST * table[:, :REJECT].max(axis=1).sum()
    if words is not None or before is not None:
        score += [_context(tables[k], [squares[i] for i in chosen], k, size, words, before) for k in range(4)]
    score -= score.max()
    return np.asarray(np.exp(score) / np.exp(score).sum(), dtype=np.float64)


def turned_square(square: tuple[int, int], turns: int, size: int) -> tuple[int, int]:
    """Where a square (row, col) lies on the board turned by `Camera.turned(turns)`."""
    row, col = square
    for _ in range(turns % 4):
        row, col = size - 1 - col, row
    return row, col


def _context(
    table: Floats,
    squares: Sequence[tuple[int, int]],
    turns: int,
    size: int,
    words: WordList | None,
    before: Board | None,
) -> float:
    placed = {
        turned_square(square, turns, size): FACES[int(face)]
        for square, face in zip(squares, table[:, :REJECT].argmax(axis=1), strict=True)
    }
    bonus = 0.0
    if before is not None:
        known = sum(before.stacks[r][c][-1:] == (face,) for (r, c), face in placed.items())
        bonus += _KNOWN_BONUS * known
    if words is not None:
        bonus += _WORD_BONUS * sum(
            _run_is_word(placed, start, step, words) for start in placed for step in ((0, 1), (1, 0))
        )
    return bonus


def _run_is_word(
    placed: dict[tuple[int, int], str], start: tuple[int, int], step: tuple[int, int], words: WordList
) -> bool:
    """Whether a run of two or more faces begins at `start` and spells a word."""
    if (start[0] - step[0], start[1] - step[1]) in placed:
        return False
    spelt, at = "", start
    while at in placed:
        spelt += placed[at].upper()
        at = (at[0] + step[0], at[1] + step[1])
    return len(spelt) > 1 and spelt in words
