"""Which way the letters stand: a vote of the faces, helped by words and by what is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.faces import FACES
from engine.lexicon.word_list import WordList
from vision.images import Image
from vision.letters.classifier import REJECT, read_faces

Floats = npt.NDArray[np.float64]
_Read = tuple[int, float]
"""Index of the face that is read on a square, and its probability."""

_TRUST = 0.7
"""Share of a face's evidence that counts: faces of one set err together."""
_UNREAD = 0.02
"""Probability of a letter below which faces differ by chance: what no way round makes legible tells little."""
_FEW_FACES, _MOST_FACES = 6, 16
_SETTLED = 0.999
"""Probability from which the faces looked at are enough."""
_WORD_BONUS = 2.0
"""Log odds of a word, where it is surely read: letters that nobody can read spell words by chance, too."""


def vote(windows: Image, squares: Sequence[tuple[int, int]], size: int, words: WordList | None) -> Floats:
    """P(quarter turns) (4,) that bring the letters upright.

    `windows` (m, FACE_PX, FACE_PX, 3) are faces cut in some frame of the board, `squares` their (row, col) in it.
    The k-th answer belongs to `Camera.turned(k)`. Words of the lexicon along the lines add their evidence.
    """
    if not len(windows):
        return np.full(4, 0.25)
    # a few faces mostly settle it; fewer than that are not looked at twice
    for count in sorted({min(most, len(windows)) for most in (_FEW_FACES, _MOST_FACES)}):
        chosen = np.linspace(0, len(windows) - 1, count).astype(int)
        chances = _votes(windows[chosen], [squares[k] for k in chosen], size, words)
        if chances.max() > _SETTLED:
            break
    return chances


def _votes(windows: Image, squares: Sequence[tuple[int, int]], size: int, words: WordList | None) -> Floats:
    score = np.zeros(4)
    turned = np.concatenate([np.rot90(windows, turns, axes=(1, 2)) for turns in range(4)])
    tables = read_faces(turned).astype(np.float64)[:, :REJECT].reshape(4, len(windows), REJECT)
    for turns, table in enumerate(tables):
        score[turns] = _TRUST * np.log(np.exp(table.max(axis=1)) + _UNREAD).sum()
        if words is not None:
            places = [turned_square(square, turns, size) for square in squares]
            read = zip(table.argmax(axis=1), np.exp(table.max(axis=1)), strict=True)
            score[turns] += _WORD_BONUS * _words_spelt(dict(zip(places, read, strict=True)), words)
    score -= score.max()
    return np.asarray(np.exp(score) / np.exp(score).sum(), dtype=np.float64)


def occupancy(tiles: Floats, before: Board) -> Floats:
    """How well the squares that bear tiles, P(tile) (n, n), agree with a board known from before, (4,) likelihoods.

    A turn adds a few tiles at most, so the tiles of the board before must all be there, whichever way it is turned.
    """
    known = np.array([[bool(stack) for stack in row] for row in before.stacks])
    score = np.zeros(4)
    for turns in range(4):
        turned = np.clip(np.rot90(tiles, turns), 0.03, 0.97)
        score[turns] = np.log(turned[known]).sum() + 0.3 * np.log(1.0 - turned[~known]).sum()
    return np.asarray(np.exp(np.maximum(score - score.max(), -8.0)), dtype=np.float64)


def turned_square(square: tuple[int, int], turns: int, size: int) -> tuple[int, int]:
    """Where a square (row, col) lies on the board turned by `Camera.turned(turns)`."""
    row, col = square
    for _ in range(turns % 4):
        row, col = size - 1 - col, row
    return row, col


def _words_spelt(placed: Mapping[tuple[int, int], _Read], words: WordList) -> float:
    """How many words of two faces or more stand across and down, each as far as it is surely read."""
    return sum(_word(placed, start, step, words) for start in placed for step in ((0, 1), (1, 0)))


def _word(
    placed: Mapping[tuple[int, int], _Read], start: tuple[int, int], step: tuple[int, int], words: WordList
) -> float:
    """Probability that a word begins at `start`, as the faces are read; 0 where they spell none."""
    if (start[0] - step[0], start[1] - step[1]) in placed:
        return 0.0
    spelt, chance, at = [], 1.0, start
    while at in placed:
        face, share = placed[at]
        spelt.append(FACES[face].upper())
        chance *= share
        at = (at[0] + step[0], at[1] + step[1])
    return chance if len(spelt) > 1 and "".join(spelt) in words else 0.0
