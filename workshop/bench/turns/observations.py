"""What the reader says of photographs whose truth is known, square by square: the stock from which readings are drawn.

Photographs are read as in play: each with the true board before it known, and with what the set's earlier pictures
taught of its thickness and its camera.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine import FACES, Board
from upscore.words.loader import load_lexicon
from vision import BoardNotFound, BoardReader, BoardReading, Camera, Hints, load_image
from vision.heights.thickness import THICKNESSES, relative_weights, thickness_evidence
from vision.hidden.occlusion import measure_covered_faces
from workshop.bench.data.program import say
from workshop.bench.data.truth import Record, Snapshot, games_in

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

COVERED = (1e-9, 0.3, 0.5, 0.7, 0.95)
"""Shares of a face behind nearer stacks, between which squares are alike."""
VEILED = (0.02, 0.3, 0.6, 0.9)
"""Bounds of the share that a hand hides, or that lies out of the picture."""
TILTS = (10.0, 20.0, 32.0, 45.0)
"""Bounds of the tilts of cameras, degrees."""
_OFF = 0.25
"""Squares by which a grid may lie beside the board's: further off, other squares are read than meant. [by eye]"""
_SURELY_UPRIGHT, _TELLING = 0.99, 3
"""From which probability, and from how many tiles, the camera's orientation is remembered. [by eye]"""


@dataclass(frozen=True)
class Photograph:
    """One photograph of a set, the true board, and its reading (None: no board was found).

    `veiled` (n, n) is the share of each top face that a hand or the picture's edge hides; a `still` set has one camera.
    """

    name: str
    still: bool
    board: Board
    before: Board
    tilt: float
    veiled: Floats
    reading: BoardReading | None

    @property
    def size(self) -> int:
        """Rows of the board."""
        return self.board.size

    @property
    def tilt_class(self) -> int:
        """The class of photographs taken at about this tilt."""
        return int(np.digitize(self.tilt, TILTS))

    @cached_property
    def heights(self) -> Ints:
        """(n, n) true heights."""
        return heights_of(self.board)

    @property
    def fresh(self) -> npt.NDArray[np.bool_]:
        """(n, n) squares that hold more tiles than on the board before."""
        return self.heights > heights_of(self.before)

    @cached_property
    def covered_class(self) -> Ints:
        """(n, n) how far nearer stacks hide each face, by `COVERED`."""
        return classify_covered(shares_covered(self.read, self.read.camera, self.heights))

    @property
    def veiled_class(self) -> Ints:
        """(n, n) how far a hand hides each face, by `VEILED`."""
        return np.digitize(self.veiled, VEILED)

    @property
    def read(self) -> BoardReading:
        """The reading of a photograph in which the board was found."""
        assert self.reading is not None
        return self.reading


def heights_of(board: Board) -> Ints:
    """Return (n, n) heights of a board."""
    return np.array([[len(stack) for stack in row] for row in board.stacks], dtype=np.int64)


def tops_of(board: Board) -> Ints:
    """Return (n, n) indices in FACES of the top faces, -1 where there is none."""
    return np.array([[FACES.index(stack[-1]) if stack else -1 for stack in row] for row in board.stacks])


def shares_covered(reading: BoardReading, camera: Camera, heights: Ints) -> Floats:
    """Return (n, n) shares of the faces that nearer stacks hide, for tiles as thick as those of `reading`."""
    elevations = np.array([reading.face_elevations(height) for height in range(6)])
    return measure_covered_faces(camera, elevations[heights])


def classify_covered(shares: Floats) -> Ints:
    """Return shares as classes, by `COVERED`."""
    return np.digitize(shares, COVERED)


def photographs(folder: Path) -> list[Photograph]:
    """Return the photographs in a folder of games.

    It leaves out each game's first photograph, of an empty board, and those whose grid was found in the wrong place,
    since such readings can't be simulated square by square.
    """
    reader = BoardReader(words=load_lexicon())
    return [each for game in games_in(folder) for each in _read_game(game, reader)]


def _read_game(game: Record, reader: BoardReader) -> Iterator[Photograph]:
    say(f"  {game[0].path.parent.name}")
    layers, camera = np.zeros(len(THICKNESSES)), None
    still = len({turn.tilt for turn in game}) == 1
    before: Board | None = None
    for turn in game:
        image = load_image(turn.path)[0]
        reading: BoardReading | None = None
        try:
            hints = Hints(board=before, thickness=layers, camera=camera)
            reading = reader.read(image, turn.edition.size, hints=hints)
        except BoardNotFound:
            pass
        if reading is not None:
            heights = heights_of(turn.board)
            if reading.upright > _SURELY_UPRIGHT and int((heights > 0).sum()) >= _TELLING:
                camera = reading.camera
            layers = relative_weights(layers + thickness_evidence(reading.elevations, reading.hidden, heights))
        if before is not None and (reading is None or squares_off(reading, turn) < _OFF):
            name = turn.path.parent.name
            yield Photograph(name, still, turn.board, before, turn.tilt, turn.veiled, reading)
        before = turn.board


def squares_off(reading: BoardReading, turn: Snapshot) -> float:
    """Return how far, in squares, a reading's faces lie beside the true ones: the median of all."""
    true = np.array([np.mean(cell["corners"], axis=0) for cell in turn.cells])
    places = [(c["col"] + 0.5, c["row"] + 0.5, reading.face_elevations(c["height"])) for c in turn.cells]
    pitch = np.linalg.norm(reading.corners[1] - reading.corners[0]) / reading.size
    return float(np.median(np.linalg.norm(reading.camera.project(np.array(places)) - true, axis=1)) / pitch)
