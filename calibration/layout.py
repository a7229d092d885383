"""Learning a set from one photograph of all its tiles, laid face up on the board's squares in any order.

All tiles of an edition fill its grid exactly, and the number of tiles of each letter is known. That decides which
letter lies on which square, even where the face network alone is wrong. A set with letters that no network reads is
laid in alphabetical order, row by row.

The letters of all squares are found together. This is a transportation problem, solved by successive shortest
augmenting paths over the letters (Ahuja, Magnanti and Orlin, "Network Flows", 1993, chapter 9). Moving a tile from
letter a to letter b costs the least log probability that any square of a loses by it. SciPy's `linear_sum_assignment`
would find the labels, but not the margins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.errors import CalibrationError
from engine import Alphabet, Edition, Square
from vision import BoardReader, BoardReading, Hints
from vision.arrays import Flags, Floats, Ints
from vision.geometry.rectify import square_places
from vision.images import Image
from vision.letters.classifier import REJECT, cut_faces, read_faces
from vision.letters.eyes import unreadable_faces


@dataclass(frozen=True)
class Assignment:
    """The most probable labels (m,), and the log probability of the whole, `total`.

    `margins` (m,) is how much less probable the whole gets if a square takes its second best label.
    """

    labels: Ints
    margins: Floats
    total: float


def assign(logs: npt.ArrayLike, supply: npt.ArrayLike) -> Assignment:
    """Label m squares with k labels so that no label is used more than `supply` (k,) times.

    `logs` (m, k) are finite log probabilities. Raises ValueError if there are fewer labels than squares.
    """
    cost, left = -np.asarray(logs, dtype=np.float64), np.asarray(supply, dtype=np.int64).copy()
    if left.sum() < len(cost):
        raise ValueError(f"{int(left.sum())} labels for {len(cost)} squares")
    labels = np.full(len(cost), -1, dtype=np.int64)
    for square in range(len(cost)):
        _augment(cost, labels, left, square)
    total = -float(cost[np.arange(len(cost)), labels].sum())
    return Assignment(labels, _margins(cost, labels, left), total)


def _augment(cost: Floats, labels: Ints, left: Ints, square: int) -> None:
    """Label one more square and move others where that costs least (Bellman and Ford's shortest paths)."""
    moves, movers = _moves(cost, labels)
    reach, before = cost[square].copy(), np.full(len(left), -1)
    for _ in range(len(left)):
        through = reach[:, None] + moves
        best = through.argmin(axis=0)
        shorter = through[best, np.arange(len(left))] < reach - 1e-12
        if not shorter.any():
            break
        reach = np.where(shorter, through[best, np.arange(len(left))], reach)
        before = np.where(shorter, best, before)
    at = int(np.where(left > 0, reach, np.inf).argmin())
    left[at] -= 1
    while before[at] >= 0:
        labels[movers[before[at], at]] = at
        at = int(before[at])
    labels[square] = at


def _moves(cost: Floats, labels: Ints) -> tuple[Floats, Ints]:
    """Return the least cost (k, k) of moving a square from one label to another, and that square (k, k)."""
    k = cost.shape[1]
    moves, movers = np.full((k, k), np.inf), np.full((k, k), -1, dtype=np.int64)
    for label in set(labels[labels >= 0].tolist()):
        squares = np.flatnonzero(labels == label)
        more = cost[squares] - cost[squares, label][:, None]
        movers[label] = squares[more.argmin(axis=0)]
        moves[label] = more.min(axis=0)
    return moves, movers


def _margins(cost: Floats, labels: Ints, left: Ints) -> Floats:
    """Return what each square's second best label costs, if all other squares make room for it as best they can.

    The square goes from a to b, so b must give a tile away and a may take one: the shortest path from b to a. One more
    node leads from every label with tiles to spare to every label in use.
    """
    k = len(left)
    away = np.full((k + 1, k + 1), np.inf)
    away[:k, :k], _ = _moves(cost, labels)
    away[:k, k] = np.where(left > 0, 0.0, np.inf)
    away[k, :k] = np.where(np.bincount(labels, minlength=k) > 0, 0.0, np.inf)
    np.fill_diagonal(away, 0.0)
    for through in range(k + 1):  # Floyd and Warshall's shortest paths
        away = np.minimum(away, away[:, through, None] + away[through])
    margins = np.full(len(labels), np.inf)
    for square, label in enumerate(labels):
        other = cost[square] - cost[square, label] + away[:k, label]
        other[label] = np.inf
        margins[square] = max(float(other.min()), 0.0)
    return margins


_MAX_MISSING_TILES = 4
"""Most tiles that may be lost or covered. [by eye]"""
_MIN_UPRIGHT_PROBABILITY = 0.9
"""Least probability of the letters' orientation to go on with it. [by eye]"""
_ELEVATIONS = (0.16, 0.2, 0.24, 0.28, 0.32)
"""Elevations of the faces that are tried, cells. All tiles lie one high, and known sets are 0.20 to 0.32 thick.
[by eye]"""
_MIN_LOG_PROBABILITY = np.log(1e-4)
"""Least log probability of a letter: the network is never surer than this that a letter is not there. [by eye]"""
_MIN_SURE_MARGIN = np.log(20.0)
"""Least margin of a sure letter, in log probability: odds of twenty to one. [by eye]"""
_MIN_FITTING_LOG_PROBABILITY = np.log(0.02)
"""Least log probability of a letter that fits its square. [by eye]"""
_MAX_DOUBTFUL_SHARE, _MAX_MISFIT_SHARE = 0.15, 0.1
"""Largest shares of doubtful and of misfitting squares in a photograph of one whole set. [by eye]"""


@dataclass(frozen=True)
class Layout:
    """A photograph of all tiles, read.

    Attributes:
        squares: (m) squares that bear tiles.
        letters: (m) the letter on each.
        doubtful: (m,) which letters are in doubt.
        corrected: (m,) which letters the network alone would have read wrongly.
        windows: (m, FACE_PX, FACE_PX, 3) their faces.
    """

    squares: tuple[Square, ...]
    letters: tuple[str, ...]
    doubtful: Flags
    corrected: Flags
    windows: Image

    def examples(self) -> tuple[Image, list[str]]:
        """Return the windows (k, FACE_PX, FACE_PX, 3) whose letter is beyond doubt, and these letters."""
        sure = ~self.doubtful
        return self.windows[sure], [face for face, kept in zip(self.letters, sure, strict=True) if kept]


def read_layout(reader: BoardReader, image: Image, edition: Edition, corners: npt.ArrayLike | None = None) -> Layout:
    """Read a photograph (h, w, 3) of all tiles of an edition; corners (4, 2) px as for `BoardReader.read`.

    Raises CalibrationError if the photograph shows something else, BoardNotFound if it shows no board.
    """
    if edition.distribution is None:
        raise CalibrationError(
            f"The number of tiles of each letter in edition {edition.name} is unknown. Learn its tiles from a game, "
            "with --from-game."
        )
    if edition.tile_total > edition.size**2:
        raise CalibrationError(
            f"The {edition.tile_total} tiles of edition {edition.name} are more than its board has squares. Learn them "
            "from a game, with --from-game."
        )
    reading = reader.read(image, edition.size, corners=corners, hints=Hints(alphabet=edition.alphabet))
    if reading.upright < _MIN_UPRIGHT_PROBABILITY:
        raise CalibrationError(
            "It isn't clear which way up the letters are. Lay all tiles the same way, or give --corners."
        )
    bears = (reading.height_probs[..., 0] < 0.5) & ~reading.find_occluded()
    squares = [(int(row), int(col)) for row, col in np.argwhere(bears)]
    missing = edition.tile_total - len(squares)
    if missing > _MAX_MISSING_TILES:
        raise CalibrationError(
            f"Only {len(squares)} tiles are seen where {edition.tile_total} should be: lay one tile on every square, "
            "face up, and keep hands away."
        )
    if unreadable_faces(edition.alphabet):
        return _in_order(edition, image, reading, squares)
    windows, logs = _best_cut(image, reading, squares)
    supply = [edition.distribution[face] for face in reading.alphabet.faces]
    return _check_layout(squares, windows, logs, assign(logs, supply), reading.alphabet)


def _in_order(edition: Edition, image: Image, reading: BoardReading, squares: list[tuple[int, int]]) -> Layout:
    """Read tiles that lie in alphabetical order, row by row; raise CalibrationError unless all are seen."""
    faces = edition.alphabet.faces
    letters = tuple(face for face in faces for _ in range((edition.distribution or {})[face]))
    if len(squares) != len(letters):
        raise CalibrationError(
            f"{len(squares)} tiles are seen where {len(letters)} should be. Letters such as "
            f"{unreadable_faces(edition.alphabet)[0]} can't be read: lay all tiles in alphabetical order, row by row."
        )
    none = np.zeros(len(letters), dtype=bool)
    windows = cut_faces(image, reading.camera, reading.size, square_places(squares, reading.face_elevations(1)))
    return Layout(tuple(Square(row, col) for row, col in squares), letters, none, none, windows)


def _best_cut(image: Image, reading: BoardReading, squares: list[tuple[int, int]]) -> tuple[Image, Floats]:
    """Cut the faces at the elevation at which they read best; return them and log probabilities (m, F)."""
    best, score = None, -np.inf
    for elevation in _ELEVATIONS:
        places = square_places(squares, elevation)
        windows = cut_faces(image, reading.camera, reading.size, places)
        table = read_faces(windows, reading.alphabet).astype(np.float64)
        clear = float(np.maximum(table[:, :REJECT].max(axis=1), _MIN_LOG_PROBABILITY).sum())
        if best is None or clear > score:
            letters = table[:, :REJECT] - np.logaddexp.reduce(table[:, :REJECT], axis=1)[:, None]
            best, score = (windows, np.maximum(letters, _MIN_LOG_PROBABILITY)), clear
    assert best is not None
    return best


def _check_layout(
    squares: list[tuple[int, int]], windows: Image, logs: Floats, assignment: Assignment, alphabet: Alphabet
) -> Layout:
    misfits = logs[np.arange(len(logs)), assignment.labels] < _MIN_FITTING_LOG_PROBABILITY
    doubtful = assignment.margins < _MIN_SURE_MARGIN
    if float(misfits.mean()) > _MAX_MISFIT_SHARE or float(doubtful.mean()) > _MAX_DOUBTFUL_SHARE:
        raise CalibrationError(
            f"The letters seen are not those of this edition's tiles ({int(misfits.sum())} do not fit, "
            f"{int(doubtful.sum())} are in doubt): lay out one whole set, and take a sharp picture without glare."
        )
    return Layout(
        squares=tuple(Square(row, col) for row, col in squares),
        letters=tuple(alphabet.faces[label] for label in assignment.labels),
        doubtful=doubtful,
        corrected=logs.argmax(axis=1) != assignment.labels,
        windows=windows,
    )
