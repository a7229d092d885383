"""From a photograph to a reading: the one place where the stages of vision are put together."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.board import MAX_HEIGHT, Board
from engine.faces import FACES
from engine.words import WordList
from vision.camera import Camera
from vision.errors import BoardNotFound
from vision.faces import REJECT, cut_faces, read_faces, square_places
from vision.images import Image
from vision.lattice import (
    GOOD,
    Lattice,
    border_first,
    given_lattice,
    one_beside,
    refine_lattice,
    rough_camera,
)
from vision.locate import locate
from vision.orientation import occupancy, vote
from vision.reading import BoardReading, corners_of
from vision.second_opinion import SecondOpinion
from vision.stacks import StackReading, read_stacks

Floats = npt.NDArray[np.float64]

_LOST = 0.16
"""Doubt of the lattice (cells) beyond which what was found is no board of this size."""
_NO_BOARD = "No board was found in the picture: show the whole board, all four corners in view."
_NOT_THIS_BOARD = (
    "No board of {} by {} squares could be made out: show the whole board, or give another edition."
)
_NEAR_GIVEN = 0.4
"""Squares by which a lattice may differ from corners that were given."""
_SAME_PLACE = 0.03
"""Share of the board's side by which its corners may move while the camera is taken to stand still."""
_POSSIBLE = 0.02
"""Heights less probable than this are not looked at."""
_MOST_HEIGHTS = 3
_LETTERS_SAY = (0.1, 20.0)
"""By how much a letter, or none, can change the odds of a tile."""


@dataclass(frozen=True)
class Known:
    """What is known of a board before the picture is looked at.

    Attributes:
        board: its tiles at the turn before, for telling which way the letters stand.
        layer: thickness of a layer of this set, in cells.
        upright: a camera whose letters' orientation is known, for a camera that has not moved.
    """

    board: Board | None = None
    layer: float | None = None
    upright: Camera | None = None


class BoardReader:
    """Reads photographs of boards. Holds no state between pictures; safe to share between threads."""

    def __init__(self, *, words: WordList | None = None, second_opinion: bool = True) -> None:
        self._words = words
        self._second = SecondOpinion() if second_opinion else None

    def read(
        self, image: Image, size: int, *, corners: npt.ArrayLike | None = None, known: Known | None = None,
        lone_q: bool = False,
    ) -> BoardReading:  # fmt: skip
        """The reading of an n x n board in the picture.

        `corners` (4, 2) px, TL TR BR BL with the letters upright, spare the search and the vote on orientation.
        `lone_q` reads the tiles of games that have a Q in the place of Qu.
        Raises BoardNotFound when no board of that size can be made out.
        """
        began = time.perf_counter()
        known = known or Known()
        lattice = self.find(image, size, corners=corners, near=known.upright)
        camera = lattice.fit.camera
        stacks = read_stacks(image, camera, size, known.layer)
        read = _FaceReader(image, size, camera, stacks)
        if corners is None:
            turns, upright = self._orient(read, known)
            stacks, camera, read = _turned(stacks, camera, read, turns, size)
        else:
            upright = 1.0
        faces, lettered = read.table(_expected_heights(known.board))
        if self._second is not None:
            faces = self._second.weigh(read.doubtful(faces), faces)
        return BoardReading(
            size=size,
            corners=corners_of(camera, size),
            camera=camera,
            layer=stacks.layer,
            height_probs=_with_letters(_softmax(read.logits), lettered),
            face_probs=faces,
            hidden=stacks.hidden,
            upright=upright,
            lone_q=lone_q,
            seconds=time.perf_counter() - began,
        )

    def find(
        self, image: Image, size: int, *, corners: npt.ArrayLike | None = None, near: Camera | None = None
    ) -> Lattice:
        """The lattice of the board in the picture; raises BoardNotFound.

        `near` is a camera of the same board before: where it still fits, nothing is searched.
        """
        if corners is not None:
            return _lattice_at(image, np.asarray(corners, dtype=np.float64), size)
        if near is not None:
            there = refine_lattice(image, near, size, restarts=0)
            if there.doubt < GOOD and _moved(near, there.fit.camera, size) < _NEAR_GIVEN:
                return there
        best: Lattice | None = None
        places = [rough_camera(image, place.corners, size) for place in locate(image)]
        for attempt in (refine_lattice, border_first):
            for camera in places:
                lattice = attempt(image, camera, size)
                if best is None or lattice.doubt < best.doubt:
                    best = lattice
                if best.doubt < GOOD:
                    return best
        if best is None:
            raise BoardNotFound(_NO_BOARD)
        best = one_beside(image, best, size)
        if best.doubt > _LOST:
            raise BoardNotFound(_NOT_THIS_BOARD.format(size, size))
        return best

    def _orient(self, read: _FaceReader, known: Known) -> tuple[int, float]:
        windows, squares = read.best_windows()
        chances = vote(windows, squares, read.size, self._words)
        if known.board is not None:
            chances = chances * occupancy(1.0 - _softmax(read.logits)[..., 0], known.board)
            chances = chances / chances.sum()
        if known.upright is not None:
            chances = chances * _same_way(read.camera, known.upright, read.size)
            chances = chances / chances.sum()
        turns = int(chances.argmax())
        return turns, float(chances[turns])


class _FaceReader:
    """The faces of one picture, cut at the probable heights of each stack."""

    def __init__(self, image: Image, size: int, camera: Camera, stacks: StackReading) -> None:
        self.image, self.size, self.camera, self.stacks = image, size, camera, stacks
        self.logits = stacks.height_logits

    def best_windows(self) -> tuple[Image, list[tuple[int, int]]]:
        """Faces at the most probable height of every square that bears a tile, surest first."""
        chance = _softmax(self.logits)
        heights = chance.argmax(axis=-1)
        squares = [(int(r), int(c)) for r, c in np.argwhere(heights > 0) if self.stacks.hidden[r, c] < 0.5]
        squares.sort(key=lambda s: -chance[s].max())
        places = square_places(squares, [heights[s] * self.stacks.layer for s in squares])
        return cut_faces(self.image, self.camera, self.size, places), squares

    def table(self, expected: Floats | float = 0.0) -> tuple[Floats, Floats]:
        """P(face | a tile is there), (n, n, 26), from every height that is possible at each square.

        And P(an upright letter is there) (n, n), a half where nothing was looked at.

        `expected` (n, n, 6) is added to the heights' logits: a board known from before says where to look.
        """
        chance = _softmax(self.logits + expected)
        looked = [
            (r, c, h) for r, c in np.argwhere(chance[..., 0] < 1 - _POSSIBLE) for h in _possible(chance[r, c])
        ]
        table = np.full((self.size, self.size, len(FACES)), 1.0 / len(FACES))
        lettered = np.full((self.size, self.size), 0.5)
        if not looked:
            return table, lettered
        squares = [(int(r), int(c)) for r, c, _ in looked]
        places = square_places(squares, [h * self.stacks.layer for _, _, h in looked])
        seen = np.exp(read_faces(cut_faces(self.image, self.camera, self.size, places)).astype(np.float64))
        total, weight = np.zeros_like(table), np.zeros_like(lettered)
        none_there = np.zeros_like(lettered)
        for (row, col, height), probs in zip(looked, seen, strict=True):
            none = probs[REJECT]
            # a face cut a little beside its place still shows its letter
            vague = none**2
            mixed = probs[:REJECT] / max(1.0 - none, 1e-6) * (1.0 - vague) + vague / len(FACES)
            weight[row, col] += chance[row, col, height]
            none_there[row, col] += chance[row, col, height] * none
            total[row, col] += chance[row, col, height] * (1.0 - 0.9 * none) * mixed
        there = weight > 0
        table[there] = total[there] / total[there].sum(axis=-1, keepdims=True)
        lettered[there] = 1.0 - none_there[there] / weight[there]
        return table, lettered

    def doubtful(self, faces: Floats) -> dict[tuple[int, int], Image]:
        """Windows of the squares whose face is in doubt, for a second opinion."""
        chance = _softmax(self.logits)
        heights = chance.argmax(axis=-1)
        unsure = (heights > 0) & (faces.max(axis=-1) < 0.9) & (self.stacks.hidden < 0.5)
        squares = [(int(r), int(c)) for r, c in np.argwhere(unsure)]
        places = square_places(squares, [heights[s] * self.stacks.layer for s in squares])
        return dict(zip(squares, cut_faces(self.image, self.camera, self.size, places), strict=True))


def _lattice_at(image: Image, corners: Floats, size: int) -> Lattice:
    """The lattice at corners given by a person: refined where the picture agrees, else taken as it is."""
    given = given_lattice(image, corners, size)
    fitted = refine_lattice(image, given.fit.camera, size, restarts=0)
    near = _moved(given.fit.camera, fitted.fit.camera, size) < _NEAR_GIVEN
    return fitted if fitted.doubt < _LOST and near else given


def _moved(before: Camera, after: Camera, size: int) -> float:
    """The largest distance between the grid's corners in two views, in squares."""
    old = corners_of(before, size)
    pitch = float(np.linalg.norm(old - np.roll(old, 1, axis=0), axis=1).mean()) / size
    return float(np.linalg.norm(corners_of(after, size) - old, axis=1).max()) / pitch


def _with_letters(heights: Floats, lettered: Floats) -> Floats:
    """Heights' probabilities (n, n, 6) with the letters' say on whether a tile is there at all."""
    odds = np.clip((lettered + 0.02) / (1.0 - lettered + 0.02), *_LETTERS_SAY)
    joined = heights.copy()
    joined[..., 1:] *= odds[..., None]
    return np.asarray(joined / joined.sum(axis=-1, keepdims=True), dtype=np.float64)


def _expected_heights(board: Board | None) -> Floats | float:
    """Log prior (n, n, 6) of the heights one turn after `board`: as they were, or one tile more."""
    if board is None:
        return 0.0
    heights = np.array([[len(stack) for stack in row] for row in board.stacks])
    more = np.arange(MAX_HEIGHT + 1) - heights[..., None]
    return np.asarray(
        np.select([more == 0, more == 1, more == -1], [0.0, -0.7, -3.0], -5.0), dtype=np.float64
    )


def _possible(chance: Floats) -> list[int]:
    order = [int(h) for h in np.argsort(-chance) if h > 0 and chance[h] > _POSSIBLE]
    return order[:_MOST_HEIGHTS]


def _turned(
    stacks: StackReading, camera: Camera, read: _FaceReader, turns: int, size: int
) -> tuple[StackReading, Camera, _FaceReader]:
    """Everything in the frame in which the letters stand upright."""
    if not turns:
        return stacks, camera, read
    turned = replace(
        stacks, height_logits=np.rot90(stacks.height_logits, turns), hidden=np.rot90(stacks.hidden, turns)
    )
    camera = camera.turned(turns, size)
    return turned, camera, _FaceReader(read.image, size, camera, turned)


def _same_way(camera: Camera, upright: Camera, size: int) -> Floats:
    """How much each quarter turn of `camera` agrees with a camera whose letters are upright, (4,)."""
    reference = corners_of(upright, size)
    gaps = np.array([
        np.linalg.norm(corners_of(camera.turned(k, size), size) - reference, axis=1).mean() for k in range(4)
    ])  # fmt: skip
    side = float(np.linalg.norm(reference[1] - reference[0]))
    return np.asarray(np.where(gaps < _SAME_PLACE * side, 1.0, 0.01), dtype=np.float64)


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), dtype=np.float64)
