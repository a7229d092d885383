"""Learning a set while it is played with: every turn that needed no question is a labelled picture of its tiles."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from operator import eq

import numpy as np
import numpy.typing as npt

from calibration.template_learning import learn_templates
from calibration.thickness import most_probable_thickness, thickness_from_pictures
from engine.board import Board
from engine.faces import FACES
from engine.squares import Square
from vision.geometry.rectify import square_places
from vision.heights.thickness import relative_weights, thickness_evidence
from vision.hidden.visibility import VISIBLE
from vision.images import Image
from vision.letters.classifier import REJECT, cut_faces, read_faces
from vision.letters.templates import SetFaces
from vision.reading import BoardReading
from vision.turn.observe import Observation

Floats = npt.NDArray[np.float64]

_UPRIGHT = 0.99
"""Probability from which it is known which way up the letters are: what is learned wrongly stays. By eye."""
_HEIGHT_AGREES = 0.3
"""Least probability of the height that the game tells: elsewhere the face may be cut beside its place. By eye."""
_NO_FACE = np.log(0.5)
"""Log probability of no upright letter from which a face is not learned: more likely not than so."""
_TELLING_TILT = np.radians(20.0)
"""Seen from nearer to straight above, stacks show too little of how thick their layers are: heights
from above are told in two squares of three, tilted in 99 of a hundred. By eye."""
_STACKED, _LEAST_STACKS = 2, 3
"""Tiles in a stack, and stacks, from which a picture tells it: how single tiles stand on the board differs. By eye."""
_AMISS = 0.1
"""Share of the tiles of a settled board by which a picture may show tiles where none lie, or none where they do:
beyond, it shows another board. Letters do not count: where they are misread, most is to be learned. By eye."""
ENOUGH = 20
"""Faces below which a game has taught too little of its set. By eye."""


@dataclass(frozen=True)
class Lessons:
    """What a game has taught of its set so far.

    Attributes:
        faces: the letters; None before the first example.
        thicknesses: of a layer, cells, as single pictures show it.
        turns: pictures that were learned from.
        examples: faces that were learned from.
        named: how many of these the network names rightly by itself.
    """

    faces: SetFaces | None = None
    thicknesses: tuple[float, ...] = ()
    turns: int = 0
    examples: int = 0
    named: int = 0

    def after(self, image: Image, seen: Observation) -> Lessons:
        """What is known after one more photograph (h, w, 3) of the game; nothing new where its turn was asked about."""
        sure = not seen.finding.needs_review and seen.finding.kind in ("play", "none")
        return self if seen.reading is None or not sure else self.shown(image, seen.reading, seen.board)

    def shown(
        self, image: Image, reading: BoardReading, board: Board, untaught: Container[Square] = ()
    ) -> Lessons:
        """What is known after a photograph (h, w, 3) of a board that is settled; letters on squares `untaught` are left
        out.

        Nothing new where it is not sure which way up the letters are.
        """
        if reading.upright < _UPRIGHT or board.is_empty:
            return self
        windows, letters, named = _examples(image, reading, board, untaught)
        faces = learn_templates(self.faces, windows, letters) if letters else self.faces
        estimate = _thickness(reading, board)
        return replace(
            self, faces=faces, thicknesses=self.thicknesses if estimate is None else (*self.thicknesses, estimate),
            turns=self.turns + 1, examples=self.examples + len(letters), named=self.named + named,
        )  # fmt: skip

    def thickness(self, before: Floats | None = None) -> Floats | None:
        """Log weights (m,) of THICKNESSES, joined with those known before."""
        learned = thickness_from_pictures(self.thicknesses)
        if learned is None or before is None:
            return before if learned is None else learned
        return relative_weights(learned + before)


def shows(reading: BoardReading, board: Board) -> bool:
    """Whether a reading shows a settled board, as far as tiles lie where they should: a sheet can be wrong."""
    tiles = np.array([[bool(stack) for stack in row] for row in board.stacks])
    amiss = ((reading.heights() > 0) != tiles) & (reading.hidden < VISIBLE.reference)
    return int(amiss.sum()) <= _AMISS * int(tiles.sum())


def _thickness(reading: BoardReading, board: Board) -> float | None:
    """The thickness (cells) that best explains the stacks seen of a known board; None where they tell too little."""
    middle = (reading.size / 2, reading.size / 2)
    heights = np.array([[len(stack) for stack in row] for row in board.stacks])
    telling = (heights >= _STACKED) & (reading.hidden < VISIBLE.reference)
    if reading.camera.tilt(middle) < _TELLING_TILT or int(telling.sum()) < _LEAST_STACKS:
        return None
    return most_probable_thickness(
        thickness_evidence(reading.elevations, np.where(telling, 0.0, 1.0), heights)
    )


def _examples(
    image: Image, reading: BoardReading, board: Board, untaught: Container[Square]
) -> tuple[Image, list[str], int]:
    """Faces (m, FACE_PX, FACE_PX, 3) in view on a known board, their letters, how many the network names rightly."""
    shown = [
        (square.row, square.col)
        for square in board.squares()
        if board.height(square)
        and square not in untaught
        and reading.hidden[square.row, square.col] < VISIBLE.reference
        and reading.height_probs[square.row, square.col, board.height(square)] > _HEIGHT_AGREES
    ]
    lifts = [reading.elevation(len(board.stacks[row][col])) for row, col in shown]
    windows = cut_faces(image, reading.camera, reading.size, square_places(shown, lifts))
    logs = read_faces(windows)
    there = logs[:, REJECT] < _NO_FACE
    letters = [board.stacks[row][col][-1] for row, col in shown]
    taught = [face for face, kept in zip(letters, there, strict=True) if kept]
    named = [FACES[at] for at in logs[there, :REJECT].argmax(axis=1)]
    return windows[there], taught, sum(map(eq, named, taught))
