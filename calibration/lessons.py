"""The learned tile set: every turn that needed no question is a labelled picture of its tiles.

First comes the thickness of its tiles, as log weights over `vision.heights.thickness.THICKNESSES`, then its letters.
What each game taught is kept as text for the next games.
"""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from operator import eq

import numpy as np

from calibration.errors import CalibrationError, ProfileError
from calibration.profile import faces_from, faces_json
from engine import ENGLISH, Alphabet, Board, Square
from engine.wording import phrase
from vision import NO_CALIBRATION, BoardReading, CalibrationData, Finding
from vision.arrays import Floats
from vision.geometry.rectify import square_places
from vision.heights.thickness import LEAST_WEIGHT, THICKNESSES, relative_weights, thickness_evidence
from vision.hidden.occlusion import VISIBLE
from vision.images import Image
from vision.letters.classifier import REJECT, cut_faces, read_faces
from vision.letters.templates import SIDE, WELL_KNOWN, SetFaces, align, cut_shifted_patches

STACK_TILES = 5
"""Tiles in the stack that people measure."""
_RULER_SIGMA = 0.04
"""Relative standard deviation of a thickness measured with a ruler: a millimetre in the 26 of five tiles. [by eye]"""
MIN_PICTURES = 4
"""Fewest pictures of a game for learning the thickness. Their median then withstands one that is far off. [by eye]"""
_PICTURES_SIGMA = 0.06
"""Relative standard deviation that remains however many pictures there are, since their errors are alike. [by eye]"""


def thickness_from_stack(stack: float, side: float, size: int) -> Floats:
    """Return log weights (m,) for a stack of five tiles `stack` high on an n x n grid of `side`, both in one unit.

    Raises CalibrationError if no set is like that.
    """
    layer = stack / STACK_TILES / (side / size) if side > 0 else 0.0
    if not THICKNESSES[0] <= layer <= THICKNESSES[-1]:
        raise CalibrationError(
            f"If five tiles are {stack:g} high and the grid is {side:g} wide, a tile is {layer:.2f} of a square thick. "
            f"Real ones are {THICKNESSES[0]:.2f} to {THICKNESSES[-1]:.2f}: measure both in the same unit."
        )
    return np.maximum(-0.5 * (np.log(THICKNESSES / layer) / _RULER_SIGMA) ** 2, LEAST_WEIGHT)


def thickness_from_pictures(estimates: Sequence[float]) -> Floats | None:
    """Return log weights (m,) from the thicknesses (cells) that single pictures showed; None if these are too few.

    One picture can be far off, so the median counts. The more the pictures agree, the surer it is.
    """
    if len(estimates) < MIN_PICTURES:
        return None
    logs = np.log(np.asarray(estimates, dtype=np.float64))
    variance = _PICTURES_SIGMA**2 + float(logs.var(ddof=1)) / len(logs)
    return np.asarray(
        np.maximum(-0.5 * (np.log(THICKNESSES) - np.median(logs)) ** 2 / variance, LEAST_WEIGHT), dtype=np.float64
    )


def most_probable_thickness(logs: Floats) -> float:
    """Return the thickness of most weight, in cells, given log weights (m,) of THICKNESSES."""
    return float(THICKNESSES[int(np.argmax(logs))])


_ALIGNMENT_ROUNDS = 3
"""Rounds of shifting and averaging the first examples of a letter. [by eye]"""
_MAX_EXAMPLES = 40
"""Most examples that a template counts, so that it still follows new light and wear. [by eye]"""
_MIN_CORRELATION = 0.5
"""Least correlation of an example with its template. Below it, the example shows another letter, is hidden, or is
cut beside its face. [by eye]
"""
_MIN_EXAMPLES_TO_REJECT = 3
"""Fewest examples for a template to reject others. [by eye]"""


def learn_templates(
    known: SetFaces | None, windows: Image, letters: Sequence[str], alphabet: Alphabet = ENGLISH
) -> SetFaces:
    """Add examples to a set's faces: windows (m, FACE_PX, FACE_PX, 3) and the letter that each shows.

    It shifts the examples to agree with each other, and leaves out those that disagree with the rest.
    """
    count = len(alphabet)
    known = known or SetFaces(np.zeros((count, SIDE, SIDE)), np.zeros(count, dtype=np.int64), alphabet=alphabet)
    templates, counts = known.templates.copy(), known.counts.copy()
    for letter in sorted(set(letters)):
        at = known.alphabet.number[letter]
        views = np.stack([cut_shifted_patches(w) for w, shown in zip(windows, letters, strict=True) if shown == letter])
        template, count = _template(templates[at].ravel(), int(counts[at]), views)
        templates[at], counts[at] = template.reshape(SIDE, SIDE), min(count, _MAX_EXAMPLES)
    return SetFaces(templates, counts, alphabet=known.alphabet)


def join_templates(each: Sequence[SetFaces]) -> SetFaces:
    """Join the faces of one set from several games. Weight each letter by its number of examples."""
    templates, counts = each[0].templates, each[0].counts
    for more in each[1:]:
        moved, _ = align(more.templates, templates)
        moved = np.where((counts > 0)[:, None, None], moved, more.templates)
        templates = templates * counts[:, None, None] + moved * more.counts[:, None, None]
        norms = np.linalg.norm(templates, axis=(1, 2), keepdims=True)
        templates, counts = templates / np.maximum(norms, 1e-9), counts + more.counts
    return SetFaces(templates, np.minimum(counts, _MAX_EXAMPLES), alphabet=each[0].alphabet)


def _template(before: Floats, count: int, views: Floats) -> tuple[Floats, int]:
    """Join a template (p,) and its count with examples (m, shifts, p)."""
    # A template from before aligns examples in one round. Without one, they come to agree round by round.
    rounds, template = (1, before) if count else (_ALIGNMENT_ROUNDS, _unit(views[:, views.shape[1] // 2].sum(axis=0)))
    good = np.ones(len(views), dtype=bool)
    for _ in range(rounds):
        match = views @ template
        shifted = views[np.arange(len(views)), match.argmax(axis=1)]
        if count + len(views) >= _MIN_EXAMPLES_TO_REJECT:
            good = match.max(axis=1) >= _MIN_CORRELATION
        template = _unit(before * count + shifted[good].sum(axis=0))
    return (template, count + int(good.sum())) if good.any() else (before, count)


def _unit(row: Floats) -> Floats:
    return row / max(float(np.linalg.norm(row)), 1e-9)


_MIN_UPRIGHT_PROBABILITY = 0.99
"""Least probability of the letters' orientation for learning from a picture: wrong lessons stay. [by eye]"""
_MIN_HEIGHT_PROBABILITY = 0.3
"""Least probability of the known height of a stack. Below it, the face may be cut beside its place. [by eye]"""
_NO_FACE = np.log(0.5)
"""Log probability of "no upright letter" from which a face is not learned: more likely than not."""
_MIN_TILT = np.radians(20.0)
"""Least tilt of the camera for measuring the thickness of layers, radians.

From nearer to straight above, stacks show too little. There, heights are read right on two squares of three; tilted,
on 99 of a hundred. [by hand, sets]
"""
_MIN_STACK_TILES, _MIN_STACKS = 2, 3
"""Fewest tiles in a stack, and fewest stacks, for a picture to measure the thickness.

Single tiles don't count: they stand on the board in different ways. [by eye]
"""
_MAX_MISPLACED_SHARE = 0.1
"""Largest share of a settled board's tiles that a picture may miss, or show where none lie.

Beyond it, the picture shows another board. Letters don't count: misread ones have the most to teach. [by eye]
"""
MIN_LEARNED_FACES = 20
"""Fewest faces by which a game teaches enough of its set. [by eye]"""


@dataclass(frozen=True)
class Lessons:
    """The lessons of one game about its set, so far.

    `faces` are the letters, None before the first example; `thicknesses` has the thickness of a layer, cells, from each
    picture that measured it. `turns` and `examples` count the pictures and faces behind them; the network alone reads
    `named` of these faces correctly.
    """

    faces: SetFaces | None = None
    thicknesses: tuple[float, ...] = ()
    turns: int = 0
    examples: int = 0
    named: int = 0

    def after(self, image: Image, finding: Finding, board: Board) -> Lessons:
        """Learn from a photograph (h, w, 3) of a turn that leads to `board`, unless the turn needs a question."""
        if finding.reading is None or finding.needs_review or finding.kind not in ("play", "none"):
            return self
        return self.after_board(image, finding.reading, board)

    def after_board(
        self, image: Image, reading: BoardReading, board: Board, skipped: Container[Square] = ()
    ) -> Lessons:
        """Learn from a photograph (h, w, 3) of a settled board, except for the letters on squares `skipped`.

        It learns nothing if the letters' orientation isn't sure.
        """
        if reading.upright < _MIN_UPRIGHT_PROBABILITY or board.is_empty:
            return self
        windows, letters, named = _examples(image, reading, board, skipped)
        faces = learn_templates(self.faces, windows, letters, board.alphabet) if letters else self.faces
        estimate = _thickness(reading, board)
        return replace(
            self,
            faces=faces,
            thicknesses=self.thicknesses if estimate is None else (*self.thicknesses, estimate),
            turns=self.turns + 1,
            examples=self.examples + len(letters),
            named=self.named + named,
        )

    def thickness(self, before: Floats | None = None) -> Floats | None:
        """Return log weights (m,) of THICKNESSES, joined with those known before."""
        learned = thickness_from_pictures(self.thicknesses)
        if learned is None or before is None:
            return before if learned is None else learned
        return relative_weights(learned + before)


def shows_board(reading: BoardReading, board: Board) -> bool:
    """Return whether a reading shows tiles where a settled board has them: the sheet can be wrong."""
    tiles = np.array([[bool(stack) for stack in row] for row in board.stacks])
    misplaced = ((reading.heights() > 0) != tiles) & (reading.hidden < VISIBLE.reference)
    return int(misplaced.sum()) <= _MAX_MISPLACED_SHARE * int(tiles.sum())


def _thickness(reading: BoardReading, board: Board) -> float | None:
    """Estimate the thickness (cells) from the stacks of a known board; return None if they tell too little."""
    middle = (reading.size / 2, reading.size / 2)
    heights = np.array([[len(stack) for stack in row] for row in board.stacks])
    measurable = (heights >= _MIN_STACK_TILES) & (reading.hidden < VISIBLE.reference)
    if reading.camera.tilt(middle) < _MIN_TILT or int(measurable.sum()) < _MIN_STACKS:
        return None
    return most_probable_thickness(thickness_evidence(reading.elevations, np.where(measurable, 0.0, 1.0), heights))


def _examples(
    image: Image, reading: BoardReading, board: Board, skipped: Container[Square]
) -> tuple[Image, list[str], int]:
    """Cut the faces in view on a known board; return them, their letters, and how many the network reads correctly."""
    shown = [
        (square.row, square.col)
        for square in board.squares()
        if board.height(square)
        and square not in skipped
        and reading.hidden[square.row, square.col] < VISIBLE.reference
        and reading.height_probs[square.row, square.col, board.height(square)] > _MIN_HEIGHT_PROBABILITY
    ]
    lifts = [reading.face_elevations(len(board.stacks[row][col])) for row, col in shown]
    windows = cut_faces(image, reading.camera, reading.size, square_places(shown, lifts))
    logs = read_faces(windows, board.alphabet)
    has_face = logs[:, REJECT] < _NO_FACE
    letters = [board.stacks[row][col][-1] for row, col in shown]
    learned = [face for face, kept in zip(letters, has_face, strict=True) if kept]
    named = [board.alphabet.faces[at] for at in logs[has_face, :REJECT].argmax(axis=1)]
    return windows[has_face], learned, sum(map(eq, named, learned))


VERSION = 1
_LESSON_DOUBT = 0.05
"""Prior probability that other tiles lie there, or that the sheet that taught a letter was wrong.

What was learned never makes a letter surer than that. [by eye]
"""
_MIN_NAMED_SHARE = 0.75
"""Least share of a set's faces that the network must read correctly to be fully believed.

Of four sets with odd typefaces it named 0.94 to 1.00. Of real ones in the dark and under noise it names 0.87 and more.
Of two sets with broken letters it named 0.37 and 0.42, and was sure of wrong ones. [by hand, sets]"""


def dump_lessons(lessons: Lessons) -> str:
    """Write the lessons of a game as text."""
    document = {
        "version": VERSION,
        "turns": lessons.turns,
        "examples": lessons.examples,
        "named": lessons.named,
        "faces": None if lessons.faces is None else faces_json(lessons.faces),
    }
    return json.dumps(document, separators=(",", ":"))


def load_lessons(text: str) -> Lessons:
    """Read what `dump_lessons` wrote; raise ProfileError if it is damaged or of another version."""
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
            phrase("What a game taught of your tiles is damaged: forget the tiles on the page of games.")
        ) from None


def join_lessons(games: Sequence[Lessons], alphabet: Alphabet = ENGLISH) -> Lessons:
    """Join the lessons of several games with one set; those of other alphabets are left out."""
    games = [game for game in games if game.faces is None or game.faces.alphabet == alphabet]
    faces = [game.faces for game in games if game.faces is not None]
    return Lessons(
        join_templates(faces) if faces else None,
        (),
        sum(game.turns for game in games),
        sum(game.examples for game in games),
        sum(game.named for game in games),
    )


def learn_calibration(lessons: Lessons) -> CalibrationData:
    """Return the letters of a set as learned from its games, with some doubt left.

    It leaves out the thickness: learning it from single games removed no wrong height (docs/calibration.md).
    """
    if lessons.faces is None:
        return NO_CALIBRATION
    counts = np.where(lessons.faces.counts >= WELL_KNOWN, lessons.faces.counts, 0)
    named = (lessons.named + 1) / (lessons.examples + 1)
    believed = 1.0 if named >= _MIN_NAMED_SHARE else named
    return CalibrationData(faces=replace(lessons.faces, counts=counts, doubt=_LESSON_DOUBT, named=believed))
