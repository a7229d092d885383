"""From a photograph to a reading: the one place where the stages of vision are put together."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.board import MAX_HEIGHT, Board
from engine.editions import EDITIONS
from engine.words import WordList
from vision.beyond import shows_more, step_to_tiles, still_rivalled
from vision.camera import Camera
from vision.errors import BoardNotFound
from vision.fitting import CameraFit
from vision.images import Image
from vision.lattice import GOOD, Lattice, Step, given_lattice, lattices_beside, settled, with_rivals
from vision.lettering import FaceReader, normal, tempered
from vision.locate import first_look, looked_closer
from vision.occlusion import covered
from vision.orientation import occupancy, vote
from vision.owned import NOTHING_OWNED, Owned, OwnedCheck
from vision.reading import BoardReading, corners_of
from vision.search import search_lattice
from vision.second_opinion import SecondOpinion
from vision.stacks import StackReading, explained, read_stacks
from vision.warp import shrink_to_pitch

Floats = npt.NDArray[np.float64]

_LOST = 0.042
"""Doubt of the lattice (cells) beyond which what was found is no board of this size."""
_NO_BOARD = "No board was found in the picture: show the whole board, all four corners in view."
_NOT_THIS_BOARD = (
    "No board of {} by {} squares could be made out: show the whole board, or give another edition."
)
_OTHER_EDITION = "The board has {} by {} squares, not {} by {}: give the edition that lies on the table."
_FAR_LESS = 0.75
"""Share of a board's doubt below which one of another edition is believed to be there."""
_OTHER_BUDGET = 8
"""Fits that are spent on the question whether a doubtful board is one of another edition."""
_NEAR_GIVEN = 0.4
"""Squares by which a lattice may differ from corners that were given."""
_UNMOVED = 0.1
"""Squares by which a lattice may differ from that of a camera that stands still."""
_A_SQUARE = 0.5
"""Squares from which a fit beside another is a different one: it has not slid back."""
_EITHER = 0.6
"""Probability of a grid that another a square beside it rivals."""
_BARE = 0.1
"""Probability of a bare square below which a tile surely lies there."""
_SAME_PLACE = 0.03
"""Share of the board's side by which its corners may move while the camera is taken to stand still."""


@dataclass(frozen=True)
class Known:
    """What is known of a board before the picture is looked at.

    Attributes:
        board: its tiles at the turn before, for telling which way the letters stand.
        layers: (m,) log weights of the thicknesses in `vision.stacks.LAYERS`, from earlier pictures of this set.
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
        """The reading of the squares of a lattice; where it is `given`, it lies the right way round."""
        camera = self._check.camera(lattice.fit.camera, image, size)
        small, camera = shrink_to_pitch(image, camera, size)
        stacks = read_stacks(small, camera, size, self._owned.with_layers(known.layers))
        read = FaceReader(small, size, camera, stacks)
        rivalled = still_rivalled(lattice, normal(stacks.height_logits)[..., 0] < _BARE)
        upright = 1.0
        if not given:
            turns, upright = self._orient(read, known)
            stacks, camera, read = _turned(stacks, camera, read, turns, size)
        expected = _expected_heights(known.board)
        tiles = self._owned if self._owned.faces is None else self._check.tiles(read.best_windows()[0])
        if expected is not None or tiles is not self._owned:
            stacks = explained(stacks, tiles.with_layers(known.layers), expected)
            read = FaceReader(small, size, camera, stacks)
        faces, heights = read.table(expected, tiles.faces)
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
            grid=_EITHER if rivalled else 1.0,
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
        if _moved(reading.camera, other.fit.camera, size) < _A_SQUARE or not other.is_rival_of(lattice):
            return reading
        there, _ = self._read_on(other, image, size, known, given=True)
        return replace(there, upright=reading.upright) if shows_more(there, reading) else reading

    def beside(self, image: Image, reading: BoardReading, known: Known) -> list[BoardReading]:
        """Other readings of the picture, with the grid a whole square beside, where the picture allows for that."""
        fit = CameraFit(reading.camera, 1.0)
        places = sorted(lattices_beside(image, fit, reading.size), key=lambda lattice: lattice.doubt)
        near = [corners_of(place.fit.camera, reading.size) for place in places if place.doubt < _LOST]
        return [
            self.read(image, reading.size, corners=corners, known=known, lone_q=reading.lone_q)
            for corners in near
        ]

    def find(
        self, image: Image, size: int, *, corners: npt.ArrayLike | None = None, near: Camera | None = None
    ) -> Lattice:
        """The lattice of the board in the picture; raises BoardNotFound.

        `near` is a camera of the same board before: where it still fits, nothing is searched.
        """
        if corners is not None:
            return _lattice_at(image, np.asarray(corners, dtype=np.float64), size)
        if near is not None:
            there = settled(image, near, size)
            moved = _moved(near, there.fit.camera, size)
            # a hand over half the board leaves it doubtful, but no other board would lie in this very place
            if (there.doubt < GOOD and moved < _NEAR_GIVEN) or (there.doubt < _LOST and moved < _UNMOVED):
                return there
        first = first_look(image)
        quick = search_lattice(image, [place.corners for place in first[:1]], size, budget=1)
        if quick is not None and quick.doubt < GOOD:
            return quick
        places = [place.corners for place in looked_closer(image, first)]
        best = search_lattice(image, places, size)
        if best is None:
            raise BoardNotFound(_NO_BOARD)
        if best.doubt < GOOD:
            return best
        _refuse_other_edition(image, places, size, best.doubt)
        if best.doubt > _LOST:
            raise BoardNotFound(_NOT_THIS_BOARD.format(size, size))
        return with_rivals(image, best, size)

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


def _refuse_other_edition(image: Image, places: list[Floats], size: int, doubt: float) -> None:
    """Raise BoardNotFound when the board is one of another edition's size, far less doubtfully than one of this."""
    for other in sorted({edition.size for edition in EDITIONS.values()} - {size}):
        lattice = search_lattice(image, places, other, budget=_OTHER_BUDGET)
        if lattice is not None and lattice.doubt < min(GOOD, _FAR_LESS * doubt):
            raise BoardNotFound(_OTHER_EDITION.format(other, other, size, size))


def _lattice_at(image: Image, corners: Floats, size: int) -> Lattice:
    """The lattice at corners given by a person: refined where the picture agrees, else taken as it is."""
    given = given_lattice(image, corners, size)
    fitted = settled(image, given.fit.camera, size)
    near = _moved(given.fit.camera, fitted.fit.camera, size) < _NEAR_GIVEN
    return fitted if fitted.doubt < _LOST and near else given


def _moved(before: Camera, after: Camera, size: int) -> float:
    """The largest distance between the grid's corners in two views, in squares."""
    old = corners_of(before, size)
    pitch = float(np.linalg.norm(old - np.roll(old, 1, axis=0), axis=1).mean()) / size
    return float(np.linalg.norm(corners_of(after, size) - old, axis=1).max()) / pitch


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
