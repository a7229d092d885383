"""Which way the letters stand: the faces vote, helped by words and by what is known of the board.

It also finds pictures that show the board in a mirror, as front cameras do: letters are plain only in the mirror.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine import Alphabet, Board, WordList
from engine.faces import spell
from engine.wording import phrase
from vision.arrays import Flags, Floats, softmax
from vision.geometry.camera import Camera, corners_of
from vision.geometry.rectify import ReducedView
from vision.heights.elevations import Elevations
from vision.heights.stack_heights import Heights
from vision.images import Image
from vision.letters.classifier import REJECT, read_faces
from vision.letters.faces import clearest_faces

_Read = tuple[str, float]
"""The face read on a square, and its probability."""

_FACE_WEIGHT = 0.7
"""Share of a face's evidence that counts: faces of one set err together. [by eye]"""
UNREAD = 0.02
"""Probability of a letter below which differences between faces are chance: if no way round makes a face legible, it
tells little. With it the log loss of the vote on 412 pictures went from 18 to 8.5, with one wrong way less. [by hand]
"""
_FEW_FACES, _MOST_FACES = 6, 16
"""Number of faces that are looked at first, and at most; it saves time. [by eye]"""
_ENOUGH_PROBABILITY = 0.999
"""Probability of an orientation from which no more faces are looked at. [by eye]"""
_WORD_BONUS = 2.0
"""Log odds of a word that is surely read. Letters that nobody can read also spell words, by chance. [by eye]"""
_OCCUPANCY_RANGE = (0.03, 0.97)
"""Range to which probabilities of a tile are clipped for the comparison with a known board. [by eye]"""
_NEW_TILES_WEIGHT = 0.3
"""Weight of squares that bore no tile, on which new ones may lie. [by eye]"""
_MIN_OCCUPANCY = -8.0
"""Least log likelihood of a way round, relative to the best. [by eye]"""
_SAME_PLACE_SHARE = 0.03
"""Share of the board's side by which its corners may move while the camera counts as standing still. [by eye]"""
_MOVED_LIKELIHOOD = 0.01
"""Likelihood of a way round in which a camera that stood still would have moved. [by eye]"""


@dataclass(frozen=True)
class Orientation:
    """The quarter turns, for `Camera.turn`, that bring the letters upright, and the probability of this."""

    turns: int = 0
    probability: float = 1.0


def find_orientation(
    view: ReducedView,
    seen: Elevations,
    heights: Heights,
    alphabet: Alphabet,
    words: WordList | None,
    board: Board | None,
    camera: Camera | None,
) -> Orientation:
    """Find which way the letters stand on a board with stacks of the given `heights`.

    `board` is the known board, `camera` that of an earlier photograph of it whose letters stood upright.
    """
    windows, squares = clearest_faces(view, seen, heights)
    chances = orientation_probabilities(windows, squares, view.size, alphabet, words)
    if board is not None:
        chances = chances * occupancy(1.0 - softmax(heights.logits)[..., 0], board)
        chances = chances / chances.sum()
    if camera is not None:
        chances = chances * _camera_likelihoods(view.photograph_camera(), camera, view.size)
        chances = chances / chances.sum()
    turns = int(chances.argmax())
    return Orientation(turns, float(chances[turns]))


def orientation_probabilities(
    windows: Image, squares: Sequence[tuple[int, int]], size: int, alphabet: Alphabet, words: WordList | None
) -> Floats:
    """Return P(quarter turns) (4,) that bring the letters upright.

    `windows` (m, FACE_PX, FACE_PX, 3) are faces cut in some frame of the board, `squares` their (row, col) in it. The
    k-th answer belongs to `Camera.turn(k)`. Words of the list along rows and columns count as evidence.
    """
    if not len(windows):
        return np.full(4, 0.25)
    # a few faces are usually enough; if there are no more, they are not read twice
    for count in sorted({min(most, len(windows)) for most in (_FEW_FACES, _MOST_FACES)}):
        chosen = np.linspace(0, len(windows) - 1, count).astype(int)
        chances = _votes(windows[chosen], [squares[k] for k in chosen], size, alphabet, words)
        if chances.max() > _ENOUGH_PROBABILITY:
            break
    return chances


def _votes(
    windows: Image, squares: Sequence[tuple[int, int]], size: int, alphabet: Alphabet, words: WordList | None
) -> Floats:
    tables = read_each_way(windows, alphabet)
    score = _FACE_WEIGHT * plainness(tables).sum(axis=1)
    for turns, table in enumerate(tables):
        if words is not None:
            places = [turn_square(square, turns, size) for square in squares]
            faces = (alphabet.faces[int(at)] for at in table.argmax(axis=1))
            read = zip(faces, np.exp(table.max(axis=1)), strict=True)
            placed = dict(zip(places, read, strict=True))
            spelt = sum(_weigh_word(placed, start, step, words) for start in placed for step in ((0, 1), (1, 0)))
            score[turns] += _WORD_BONUS * spelt
    score -= score.max()
    return np.asarray(np.exp(score) / np.exp(score).sum(), dtype=np.float64)


def read_each_way(windows: Image, alphabet: Alphabet) -> Floats:
    """Return log probabilities (4, m, F) of faces (m, FACE_PX, FACE_PX, 3), turned by 0 to 3 quarters."""
    turned = np.concatenate([np.rot90(windows, turns, axes=(1, 2)) for turns in range(4)])
    return read_faces(turned, alphabet).astype(np.float64)[:, :REJECT].reshape(4, len(windows), len(alphabet))


def plainness(tables: Floats) -> Floats:
    """Return the log probability (...) of the likeliest letter of each (..., F), kept above UNREAD."""
    return np.asarray(np.log(np.exp(tables.max(axis=-1)) + UNREAD), dtype=np.float64)


def occupancy(tiles: Floats, before: Board) -> Floats:
    """Return the likelihoods (4,) of the ways round, by comparing P(tile) (n, n) with a known board.

    A turn adds only a few tiles, so all tiles of the board before must still be there, whichever way it is turned.
    """
    known = np.array([[bool(stack) for stack in row] for row in before.stacks])
    score = np.zeros(4)
    for turns in range(4):
        turned = np.clip(np.rot90(tiles, turns), *_OCCUPANCY_RANGE)
        score[turns] = np.log(turned[known]).sum() + _NEW_TILES_WEIGHT * np.log(1.0 - turned[~known]).sum()
    return np.asarray(np.exp(np.maximum(score - score.max(), _MIN_OCCUPANCY)), dtype=np.float64)


def turn_square(square: tuple[int, int], turns: int, size: int) -> tuple[int, int]:
    """Return where a square (row, col) lies on the board turned by `Camera.turn(turns)`."""
    row, col = square
    for _ in range(turns % 4):
        row, col = size - 1 - col, row
    return row, col


def _weigh_word(
    placed: Mapping[tuple[int, int], _Read], start: tuple[int, int], step: tuple[int, int], words: WordList
) -> float:
    """Return the probability that a word begins at `start`, as the faces are read; 0 if they spell none."""
    if (start[0] - step[0], start[1] - step[1]) in placed:
        return 0.0
    spelt, chance, at = [], 1.0, start
    while at in placed:
        face, share = placed[at]
        spelt.append(face)
        chance *= share
        at = (at[0] + step[0], at[1] + step[1])
    return chance if len(spelt) > 1 and spell(spelt) in words else 0.0


def _camera_likelihoods(camera: Camera, before: Camera, size: int) -> Floats:
    """Return the likelihood (4,) of each quarter turn of `camera`, given an upright camera `before`."""
    reference = corners_of(before, size)
    turned = [corners_of(camera.turn(k, size), size) for k in range(4)]
    gaps = np.array([np.linalg.norm(corners - reference, axis=1).mean() for corners in turned])
    side = float(np.linalg.norm(reference[1] - reference[0]))
    return np.where(gaps < _SAME_PLACE_SHARE * side, 1.0, _MOVED_LIKELIHOOD)


_MAX_MIRROR_FACES = 12
"""Most faces that are read in a mirror; it saves time. [by eye]"""
_MIN_MIRROR_FACES = 5
"""Least number of faces that can prove a mirror: three that a hand touched passed for mirrored ones in a rendered
picture. [by hand]"""
_MIN_MIRROR_GAIN = 0.2
"""How much plainer faces must be in a mirror, mean log probability. On 50 pictures of the development sets and of
rendered games the gain was at most -0.11 as they are. Mirrored, all gained more than 0.11, all but one more than 0.2.
[by hand, sets]"""
_MIN_MIRROR_PLAINNESS = -0.3
"""How plain faces must be in a mirror, mean log probability: a picture that is illegible either way is no mirror image.
Without it one rendered board of 12 px a square was taken for one. [by hand]"""
_MAX_HARD_PLAINNESS = -0.08
"""Mean log probability of a reading's letters below which the mirror is tried; that of all mirrored pictures was lower.
[by hand]"""
MIRRORED = phrase("The picture is mirrored, as front cameras show it: switch mirroring off, or use the other camera.")


def is_hard_to_read(face_probs: Floats, tiles: Flags) -> bool:
    """Return whether letters (n, n, F) on squares with `tiles` (n, n) are so unsure that it may be a mirror image."""
    sure = face_probs.max(axis=-1)[tiles]
    return sure.size >= _MIN_MIRROR_FACES and float(np.log(sure + UNREAD).mean()) < _MAX_HARD_PLAINNESS


def is_mirrored(view: ReducedView, seen: Elevations, heights: Heights, alphabet: Alphabet) -> bool:
    """Return whether letters are legible in a mirror, but hardly as they are."""
    windows, _ = clearest_faces(view, seen, heights)
    if len(windows) < _MIN_MIRROR_FACES:
        return False
    chosen = windows[np.linspace(0, len(windows) - 1, min(_MAX_MIRROR_FACES, len(windows))).astype(int)]
    there = _best_plainness(chosen[:, :, ::-1], alphabet)
    return there > _MIN_MIRROR_PLAINNESS and there - _best_plainness(chosen, alphabet) > _MIN_MIRROR_GAIN


def _best_plainness(windows: Image, alphabet: Alphabet) -> float:
    """Return the mean log probability of the likeliest letters, for the way round that reads best."""
    return float(plainness(read_each_way(windows, alphabet)).mean(axis=1).max())
