"""Learning a set while it is played with: every turn that needed no question is a labelled picture of its tiles.

What games have taught of a family's set: kept as a text a game, and joined for the games to come.
"""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from operator import eq

import numpy as np
import numpy.typing as npt

from calibration.errors import ProfileError
from calibration.profile import faces_from, faces_json
from calibration.template_learning import join_templates, learn_templates
from calibration.thickness import most_probable_thickness, thickness_from_pictures
from engine import FACES, Board, Square
from vision import NO_CALIBRATION, BoardReading, CalibrationData
from vision.geometry.rectify import square_places
from vision.heights.thickness import relative_weights, thickness_evidence
from vision.hidden.occlusion import VISIBLE
from vision.images import Image
from vision.letters.classifier import REJECT, cut_faces, read_faces
from vision.letters.templates import WELL_KNOWN, SetFaces
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


VERSION = 1
_DOUBT = 0.05
"""How probable it is, before a picture is looked at, that other tiles lie there, or that the sheet that taught a letter
was wrong: what was learned never makes surer than that. By eye."""
_KNOWS = 0.75
"""Share of a set's faces that the network must name rightly by itself to be believed as it is: of four sets of odd
typefaces it named 0.94 to 1.00, in the dark and under noise it names 0.87 of real ones and more; of two with broken
letters 0.37 and 0.42, and it was sure of wrong ones."""


def dump_lessons(lessons: Lessons) -> str:
    """What a game has taught as text."""
    document = {
        "version": VERSION, "turns": lessons.turns, "examples": lessons.examples, "named": lessons.named,
        "faces": None if lessons.faces is None else faces_json(lessons.faces),
    }  # fmt: skip
    return json.dumps(document, separators=(",", ":"))


def load_lessons(text: str) -> Lessons:
    """What `dump_lessons` wrote; raises ProfileError where it is damaged or another version's."""
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise ValueError(document["version"])
        faces = None if document["faces"] is None else faces_from(document["faces"])
        turns, examples, named = (int(document[key]) for key in ("turns", "examples", "named"))
        if not 0 <= named <= examples:
            raise ValueError(named)
        return Lessons(faces, (), turns, examples, named)
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        raise ProfileError(
            "What a game taught of your tiles is damaged: forget the tiles on the page of games."
        ) from None


def joined(games: Sequence[Lessons]) -> Lessons:
    """What several games with one set have taught together."""
    faces = [game.faces for game in games if game.faces is not None]
    return Lessons(
        join_templates(faces) if faces else None,
        (),
        sum(game.turns for game in games),
        sum(game.examples for game in games),
        sum(game.named for game in games),
    )


def learned_calibration(lessons: Lessons) -> CalibrationData:
    """What is known of a set's letters by what its games have taught, with a doubt left.

    Not its thickness: what single games have told of that removed no wrong height (docs/calibration.md).
    """
    if lessons.faces is None:
        return NO_CALIBRATION
    counts = np.where(lessons.faces.counts >= WELL_KNOWN, lessons.faces.counts, 0)
    named = (lessons.named + 1) / (lessons.examples + 1)
    believed = 1.0 if named >= _KNOWS else named
    return CalibrationData(faces=replace(lessons.faces, counts=counts, doubt=_DOUBT, named=believed))
