"""Which way the letters stand: a vote of the faces, helped by words and by what is known.

Whether the picture shows the board in a mirror, as front cameras do: letters are plain that way round alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine import FACES, Board, WordList
from vision.geometry.camera import Camera, corners_of
from vision.geometry.rectify import ReducedView
from vision.heights.elevations import Elevations
from vision.heights.stack_heights import Heights
from vision.images import Image
from vision.letters.classifier import REJECT, read_faces
from vision.letters.faces import clearest_faces
from vision.probability import softmax

Floats = npt.NDArray[np.float64]
_Read = tuple[int, float]
"""Index of the face that is read on a square, and its probability."""

_TRUST = 0.7
"""Share of a face's evidence that counts: faces of one set err together. By eye, not measured."""
UNREAD = 0.02
"""Probability of a letter below which faces differ by chance: what no way round makes legible tells little. Log loss of
the vote on 412 pictures went from 18 to 8.5 with it, one wrong way less."""
_FEW_FACES, _MOST_FACES = 6, 16
"""Faces that are looked at first, and at most: it saves time. By eye, not measured."""
_ENOUGH = 0.999
"""Probability from which the faces looked at are enough. By eye, not measured."""
_WORD_BONUS = 2.0
"""Log odds of a word, where it is surely read: letters that nobody can read spell words by chance, too. By eye."""
_OCCUPANCY_CLIP = (0.03, 0.97)
"""Range to which probabilities of a tile are held when they are compared with a known board. By eye, not measured."""
_NEW_TILES_WEIGHT = 0.3
"""Weight of squares that bore no tile, where new ones may lie. By eye, not measured."""
_LEAST_OCCUPANCY = -8.0
"""Log likelihood that no way round sinks below. By eye, not measured."""
_SAME_PLACE = 0.03
"""Share of the board's side by which its corners may move while the camera is taken to stand still."""
_MOVED = 0.01
"""Likelihood of a way round in which a camera that stood still would have moved. Both by eye, not measured."""


@dataclass(frozen=True)
class Orientation:
    """Which way the letters stand.

    Attributes:
        turns: quarter turns, for `Camera.turned`, that bring them upright.
        probability: that this is right.
    """

    turns: int = 0
    probability: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.turns < 4 or not 0.0 <= self.probability <= 1.0 + 1e-9:
            raise ValueError(f"no orientation: {self.turns} turns at {self.probability}")


def find_orientation(
    view: ReducedView,
    seen: Elevations,
    heights: Heights,
    words: WordList | None,
    *,
    board: Board | None = None,
    camera: Camera | None = None,
) -> Orientation:
    """Which way the letters stand on a board whose stacks are seen to be `heights` high.

    `board` is one known from before, `camera` that of a photograph of it whose letters stood upright.
    """
    windows, squares = clearest_faces(view, seen, heights)
    chances = orientation_probabilities(windows, squares, view.size, words)
    if board is not None:
        chances = chances * occupancy(1.0 - softmax(heights.logits)[..., 0], board)
        chances = chances / chances.sum()
    if camera is not None:
        chances = chances * _same_way(view.photograph_camera(), camera, view.size)
        chances = chances / chances.sum()
    turns = int(chances.argmax())
    return Orientation(turns, float(chances[turns]))


def orientation_probabilities(
    windows: Image, squares: Sequence[tuple[int, int]], size: int, words: WordList | None
) -> Floats:
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
        if chances.max() > _ENOUGH:
            break
    return chances


def _votes(windows: Image, squares: Sequence[tuple[int, int]], size: int, words: WordList | None) -> Floats:
    tables = read_each_way(windows)
    score = _TRUST * plainness(tables).sum(axis=1)
    for turns, table in enumerate(tables):
        if words is not None:
            places = [turned_square(square, turns, size) for square in squares]
            read = zip(table.argmax(axis=1), np.exp(table.max(axis=1)), strict=True)
            score[turns] += _WORD_BONUS * _words_spelt(dict(zip(places, read, strict=True)), words)
    score -= score.max()
    return np.asarray(np.exp(score) / np.exp(score).sum(), dtype=np.float64)


def read_each_way(windows: Image) -> Floats:
    """Log probabilities (4, m, 26) of the letters of faces (m, FACE_PX, FACE_PX, 3), the k-th turned by k quarters."""
    turned = np.concatenate([np.rot90(windows, turns, axes=(1, 2)) for turns in range(4)])
    return read_faces(turned).astype(np.float64)[:, :REJECT].reshape(4, len(windows), REJECT)


def plainness(tables: Floats) -> Floats:
    """How plain letters are to read (...), from their log probabilities (..., 26): the likeliest's, held at UNREAD."""
    return np.asarray(np.log(np.exp(tables.max(axis=-1)) + UNREAD), dtype=np.float64)


def occupancy(tiles: Floats, before: Board) -> Floats:
    """How well the squares that bear tiles, P(tile) (n, n), agree with a board known from before, (4,) likelihoods.

    A turn adds a few tiles at most, so the tiles of the board before must all be there, whichever way it is turned.
    """
    known = np.array([[bool(stack) for stack in row] for row in before.stacks])
    score = np.zeros(4)
    for turns in range(4):
        turned = np.clip(np.rot90(tiles, turns), *_OCCUPANCY_CLIP)
        score[turns] = np.log(turned[known]).sum() + _NEW_TILES_WEIGHT * np.log(1.0 - turned[~known]).sum()
    return np.asarray(np.exp(np.maximum(score - score.max(), _LEAST_OCCUPANCY)), dtype=np.float64)


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


def _same_way(camera: Camera, before: Camera, size: int) -> Floats:
    """How much each quarter turn of `camera` agrees with a camera `before` whose letters are upright, (4,)."""
    reference = corners_of(before, size)
    gaps = np.array([
        np.linalg.norm(corners_of(camera.turned(k, size), size) - reference, axis=1).mean() for k in range(4)
    ])  # fmt: skip
    side = float(np.linalg.norm(reference[1] - reference[0]))
    return np.asarray(np.where(gaps < _SAME_PLACE * side, 1.0, _MOVED), dtype=np.float64)


_FACES = 12
"""Faces that are looked at, at most: it saves time. By eye."""
_LEAST_FACES = 5
"""Faces below which nothing is said: three that a hand touched passed for mirrored ones in a rendered picture."""
_PLAINER = 0.2
"""How much plainer faces must be in a mirror, mean log probability. Measured on 50 pictures of the development sets and
of rendered games: -0.11 at most as they are; more than 0.11 all of them in a mirror, more than 0.2 all but one."""
_PLAIN = -0.3
"""How plain they must be there: what cannot be read either way is no mirror image. One rendered board of 12 px a square
was taken for one without it."""
_HARD_TO_READ = -0.08
"""Mean log probability of the letters of a reading below which the mirror is tried; of mirrored ones all were."""


MIRRORED = "The picture is mirrored, as front cameras show it: switch mirroring off, or use the other camera."


def is_hard_to_read(face_probs: Floats, tiles: npt.NDArray[np.bool_]) -> bool:
    """Whether the letters (n, n, 26) on the squares that bear `tiles` (n, n) are so unsure that a mirror may be why."""
    sure = face_probs.max(axis=-1)[tiles]
    return sure.size >= _LEAST_FACES and float(np.log(sure + UNREAD).mean()) < _HARD_TO_READ


def is_mirrored(view: ReducedView, seen: Elevations, heights: Heights) -> bool:
    """Whether letters can be read in a mirror, and hardly as they are."""
    windows, _ = clearest_faces(view, seen, heights)
    return len(windows) >= _LEAST_FACES and plainer_in_a_mirror(windows) > _PLAINER


def plainer_in_a_mirror(windows: Image) -> float:
    """How much plainer faces (m, FACE_PX, FACE_PX, 3), turned any way, are in a mirror: mean log probability; 0 where
    they are not plain there, either."""
    chosen = windows[np.linspace(0, len(windows) - 1, min(_FACES, len(windows))).astype(int)]
    there = _plainness(chosen[:, :, ::-1])
    return there - _plainness(chosen) if there > _PLAIN else 0.0


def _plainness(windows: Image) -> float:
    """The mean log probability of the likeliest letters the way round that reads best."""
    return float(plainness(read_each_way(windows)).mean(axis=1).max())
