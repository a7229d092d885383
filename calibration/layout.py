"""Learning a set from one photograph of all its tiles, laid face up on the squares of the board in any order.

All tiles of an edition fill its grid exactly, and how many there are of each letter is known: that settles which
letter lies on which square even where the face network by itself is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.assignment import Assignment, assign
from calibration.errors import CalibrationError
from engine.editions import Edition
from engine.faces import FACES
from engine.squares import Square
from vision.geometry.rectify import square_places
from vision.images import Image
from vision.letters.classifier import REJECT, cut_faces, read_faces
from vision.pipeline import BoardReader
from vision.reading import BoardReading

Floats = npt.NDArray[np.float64]

_MOST_MISSING = 4
"""Tiles that may be lost, or lie under something. By eye."""
_UPRIGHT = 0.9
"""Probability from which it is known which way up the letters are. By eye."""
_ELEVATIONS = (0.16, 0.2, 0.24, 0.28, 0.32)
"""Elevations of the faces that are tried, cells: all tiles are one high, but how thick they are, 0.20 to 0.32 in the
sets that are known, is not."""
_FLOOR = np.log(1e-4)
"""The network is never surer than this that a letter is not there. By eye, not measured."""
_DOUBTFUL = np.log(20.0)
"""Margin below which a square's letter is in doubt: one in twenty. By eye, not measured."""
_UNLIKELY = np.log(0.02)
"""Log probability below which a letter does not fit its square. By eye, not measured."""
_MOST_DOUBTFUL, _MOST_UNLIKELY = 0.15, 0.1
"""Shares of the squares that may be so in a photograph of one whole set. By eye, not measured."""


@dataclass(frozen=True)
class Layout:
    """What a photograph of all tiles tells.

    Attributes:
        squares: (m) squares that bear tiles.
        letters: (m) the letter on each.
        doubtful: (m,) which of these are not beyond doubt.
        corrected: (m,) where the network by itself would have read another letter.
        windows: (m, FACE_PX, FACE_PX, 3) their faces.
    """

    squares: tuple[Square, ...]
    letters: tuple[str, ...]
    doubtful: npt.NDArray[np.bool_]
    corrected: npt.NDArray[np.bool_]
    windows: Image

    def examples(self) -> tuple[Image, list[str]]:
        """Windows (k, FACE_PX, FACE_PX, 3) whose letter is beyond doubt, and these letters."""
        sure = ~self.doubtful
        return self.windows[sure], [face for face, kept in zip(self.letters, sure, strict=True) if kept]


def read_layout(
    reader: BoardReader, image: Image, edition: Edition, corners: npt.ArrayLike | None = None
) -> Layout:
    """Read a photograph (h, w, 3) of all tiles of an edition; corners (4, 2) px as for `BoardReader.read`.

    Raises CalibrationError where the photograph shows something else, and BoardNotFound where it shows no board.
    """
    if edition.distribution is None:
        raise CalibrationError(
            f"How many tiles of each letter edition {edition.name} has is not known: learn its tiles from a game, with "
            "--from-game."
        )
    reading = reader.read(image, edition.size, corners=corners)
    if reading.upright < _UPRIGHT:
        raise CalibrationError(
            "It cannot be told which way up the letters are: lay all tiles the same way, or give --corners."
        )
    bears = (reading.height_probs[..., 0] < 0.5) & ~reading.occluded()
    squares = [(int(row), int(col)) for row, col in np.argwhere(bears)]
    missing = edition.tile_total - len(squares)
    if missing > _MOST_MISSING:
        raise CalibrationError(
            f"Only {len(squares)} tiles are seen where {edition.tile_total} should be: lay one tile on every square, "
            "face up, and keep hands away."
        )
    windows, logs = _best_cut(image, reading, squares)
    supply = [edition.distribution[face] for face in FACES]
    return _checked(squares, windows, logs, assign(logs, supply))


def _best_cut(image: Image, reading: BoardReading, squares: list[tuple[int, int]]) -> tuple[Image, Floats]:
    """The faces cut at the elevation at which they read best, and their letters' log probabilities (m, 26)."""
    best, score = None, -np.inf
    for elevation in _ELEVATIONS:
        places = square_places(squares, elevation)
        windows = cut_faces(image, reading.camera, reading.size, places)
        table = read_faces(windows).astype(np.float64)
        clear = float(np.maximum(table[:, :REJECT].max(axis=1), _FLOOR).sum())
        if best is None or clear > score:
            letters = table[:, :REJECT] - np.logaddexp.reduce(table[:, :REJECT], axis=1)[:, None]
            best, score = (windows, np.maximum(letters, _FLOOR)), clear
    assert best is not None
    return best


def _checked(squares: list[tuple[int, int]], windows: Image, logs: Floats, found: Assignment) -> Layout:
    each = logs[np.arange(len(logs)), found.labels]
    doubtful = found.margins < _DOUBTFUL
    if float((each < _UNLIKELY).mean()) > _MOST_UNLIKELY or float(doubtful.mean()) > _MOST_DOUBTFUL:
        raise CalibrationError(
            f"The letters seen are not those of this edition's tiles ({int((each < _UNLIKELY).sum())} do not fit, "
            f"{int(doubtful.sum())} are in doubt): lay out one whole set, and take a sharp picture without glare."
        )
    return Layout(
        squares=tuple(Square(row, col) for row, col in squares),
        letters=tuple(FACES[label] for label in found.labels),
        doubtful=doubtful,
        corrected=np.asarray(logs.argmax(axis=1) != found.labels),
        windows=windows,
    )
