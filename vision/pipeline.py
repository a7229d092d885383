"""From a photograph to a reading: the one place where the stages of vision are put together."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.board import MAX_HEIGHT, Board
from engine.lexicon.word_list import WordList
from vision.board.grid_shift import shows_more, step_to_tiles
from vision.board.lattice import Lattice, Step, lattices_beside, settled
from vision.board.localize import LOST, find_lattice, lattice_at, lattice_still, moved_squares
from vision.board.orientation import occupancy, vote
from vision.calibration_data import NOTHING_OWNED, Owned, OwnedCheck
from vision.geometry.camera import Camera
from vision.geometry.camera_fit import CameraFit
from vision.geometry.occlusion import covered
from vision.geometry.rectify import shrink_to_pitch
from vision.heights.stacks import StackReading, explained, read_stacks
from vision.images import Image
from vision.letters.reader import FaceReader, normal, tempered
from vision.letters.tesseract import SecondOpinion
from vision.reading import BoardReading, corners_of

Floats = npt.NDArray[np.float64]

_A_SQUARE = 0.5
"""Squares from which a fit beside another is a different one: it has not slid back."""
_EITHER = 0.6
"""Probability of a grid that is in doubt."""
_SAME_PLACE = 0.03
"""Share of the board's side by which its corners may move while the camera is taken to stand still."""


@dataclass(frozen=True)
class Known:
    """What is known of a board before the picture is looked at.

    Attributes:
        board: its tiles at the turn before, for telling which way the letters stand.
        layers: (m,) log weights of `vision.heights.stacks.LAYERS`, from earlier pictures of this set.
        upright: a camera whose letters' orientation is known, for a camera that has not moved.
    """

    board: Board | None = None
    layers: Floats | None = None
    upright: Camera | None = None


class BoardReader:
    """Reads photographs of boards. Holds no state between pictures; safe to share between threads.

    `owned` is what calibration found out about the camera and the tiles.
    """

    def __init__(
        self, *, words: WordList | None = None, second_opinion: bool = True, owned: Owned = NOTHING_OWNED
    ) -> None:
        self._words = words
        self._second = SecondOpinion() if second_opinion else None
        self._owned, self._check = owned, OwnedCheck(owned)

    def read(
        self, image: Image, size: int, *, corners: npt.ArrayLike | None = None, known: Known | None = None,
        lone_q: bool = False,
    ) -> BoardReading:  # fmt: skip
        """The reading of an n x n board in the picture.

        `corners` (4, 2) px, TL TR BR BL with the letters upright, spare the search and the vote on orientation.
        `lone_q` reads the tiles of games that have a Q in the place of Qu.
        Raises BoardNotFound when no board of that size can be made out, and LensError when the picture cannot come
        from the camera that is owned.
        """
        began = time.perf_counter()
        known = known or Known()
        self._check.check_shape(image)
        lattice = self.find(image, size, corners=corners, near=known.upright)
        reading, read = self._read_on(lattice, image, size, known, given=corners is not None)
        if corners is None and (step := step_to_tiles(read)) is not None:
            reading = self._moved_to_tiles(step, reading, lattice, image, known)
        return replace(reading, lone_q=lone_q, seconds=time.perf_counter() - began)

    def _read_on(
        self, lattice: Lattice, image: Image, size: int, known: Known, *, given: bool
    ) -> tuple[BoardReading, FaceReader]:
        """The reading of the squares of a lattice, and its faces; `lone_q` and `seconds` are left to the caller.

        One that is `given` is upright, and its place is not questioned.
        """
        camera = self._check.camera(lattice.fit.camera, image, size)
        small, camera = shrink_to_pitch(image, camera, size)
        stacks = read_stacks(small, camera, size, self._owned.with_layers(known.layers))
        read = FaceReader(small, size, camera, stacks)
        upright = 1.0
        if not given:
            turns, upright = self._orient(read, known)
            stacks, camera, read = _turned(stacks, camera, read, turns, size)
        expected = _expected_heights(known.board)
        owned = self._owned if self._owned.faces is None else self._check.tiles(read.best_windows()[0])
        if expected is not None or owned is not self._owned:
            stacks = explained(stacks, owned.with_layers(known.layers), expected)
            read = FaceReader(small, size, camera, stacks)
        faces, heights = read.table(expected, owned.faces)
        if self._second is not None:
            faces = self._second.weigh(read.doubtful(faces), faces)
        camera = camera.scaled(image.shape[1] / small.shape[1])
        reading = BoardReading(
            size=size,
            corners=corners_of(camera, size),
            camera=camera,
            layer=stacks.layer,
            foot=stacks.foot,
            elevations=stacks.elevations,
            height_probs=tempered(heights, camera.tilt((size / 2, size / 2))),
            face_probs=faces,
            hidden=stacks.hidden,
            covered=covered(camera, stacks.median_tops(heights)),
            grid=_EITHER if lattice.in_doubt and not given else 1.0,
            upright=upright,
            lone_q=False,
            seconds=0.0,
        )
        return reading, read

    def _moved_to_tiles(
        self, step: Step, reading: BoardReading, lattice: Lattice, image: Image, known: Known
    ) -> BoardReading:
        """The reading, or that of the grid a `step` beside it where the picture allows for it and shows more there."""
        size = reading.size
        other = settled(image, reading.camera.moved(step), size)
        slid_back = moved_squares(reading.camera, other.fit.camera, size) < _A_SQUARE
        if slid_back or other.doubt > LOST or not other.is_rival_of(lattice):
            return reading
        there, _ = self._read_on(other, image, size, known, given=True)
        if not shows_more(there, reading):
            return reading
        # the letters of a rim may hang together with the game's, too
        return replace(there, upright=reading.upright, grid=_EITHER)

    def beside(self, image: Image, reading: BoardReading, known: Known) -> list[BoardReading]:
        """Other readings of the picture, with the grid a whole square beside, where the picture allows for that."""
        fit = CameraFit(reading.camera, 1.0)
        places = sorted(lattices_beside(image, fit, reading.size), key=lambda lattice: lattice.doubt)
        near = [corners_of(place.fit.camera, reading.size) for place in places if place.doubt < LOST]
        read = [
            self.read(image, reading.size, corners=corners, known=known, lone_q=reading.lone_q)
            for corners in near
        ]
        return [replace(other, grid=reading.grid) for other in read]

    def find(
        self, image: Image, size: int, *, corners: npt.ArrayLike | None = None, near: Camera | None = None
    ) -> Lattice:
        """The lattice of the board in the picture; raises BoardNotFound.

        `near` is a camera of the same board before: where it still fits, nothing is searched.
        """
        if corners is not None:
            return lattice_at(image, corners, size)
        still = None if near is None else lattice_still(image, near, size)
        return still or find_lattice(image, size)

    def _orient(self, read: FaceReader, known: Known) -> tuple[int, float]:
        windows, squares = read.best_windows()
        chances = vote(windows, squares, read.size, self._words)
        if known.board is not None:
            chances = chances * occupancy(1.0 - normal(read.logits)[..., 0], known.board)
            chances = chances / chances.sum()
        if known.upright is not None:
            chances = chances * _same_way(read.camera, known.upright, read.size)
            chances = chances / chances.sum()
        turns = int(chances.argmax())
        return turns, float(chances[turns])


def _expected_heights(board: Board | None) -> Floats | None:
    """Log prior (n, n, 6) of the heights one turn after `board`: as they were, or one tile more."""
    if board is None:
        return None
    heights = np.array([[len(stack) for stack in row] for row in board.stacks])
    more = np.arange(MAX_HEIGHT + 1) - heights[..., None]
    return np.asarray(
        np.select([more == 0, more == 1, more == -1], [0.0, -0.7, -3.0], -5.0), dtype=np.float64
    )


def _turned(
    stacks: StackReading, camera: Camera, read: FaceReader, turns: int, size: int
) -> tuple[StackReading, Camera, FaceReader]:
    """Everything in the frame in which the letters stand upright."""
    if not turns:
        return stacks, camera, read
    turned = stacks.turned(turns)
    camera = camera.turned(turns, size)
    return turned, camera, FaceReader(read.image, size, camera, turned)


def _same_way(camera: Camera, upright: Camera, size: int) -> Floats:
    """How much each quarter turn of `camera` agrees with a camera whose letters are upright, (4,)."""
    reference = corners_of(upright, size)
    gaps = np.array([
        np.linalg.norm(corners_of(camera.turned(k, size), size) - reference, axis=1).mean() for k in range(4)
    ])  # fmt: skip
    side = float(np.linalg.norm(reference[1] - reference[0]))
    return np.asarray(np.where(gaps < _SAME_PLACE * side, 1.0, 0.01), dtype=np.float64)
