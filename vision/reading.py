"""The reading of one photograph: an immutable table of probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine import ENGLISH, MAX_HEIGHT, SQUARES, Alphabet, Square
from vision.arrays import Flags, Floats, Ints
from vision.board.grid_doubt import GRID_CHANCE, GridDoubt
from vision.geometry.camera import Camera
from vision.heights.plane_sweep import SLICES
from vision.heights.thickness import LayeredHeights, face_elevations
from vision.hidden.camera_text import CameraText
from vision.hidden.occlusion import VISIBLE, CutOff

_ROUNDING = 1e-6
"""How far probabilities may lie beyond 0 and 1 by rounding."""


@dataclass(frozen=True)
class BoardReading:
    """One photograph's reading of an n x n board.

    Attributes:
        size: n.
        corners: (4, 2) px, TL TR BR BL of the playing grid at the board's plane, letters upright.
        camera: where the picture was taken from.
        layer_thickness: thickness of one layer, in cells.
        base_offset: how far the lowest tiles stand above the board's plane, cells; below 0 if squares are sunk.
        elevations: (n, n, k) log probabilities of where the top faces lie, see `vision.heights.elevations.Elevations`.
        height_probs: (n, n, 6), P(height).
        layered: the heights for each of some thicknesses of a layer; None if they weren't told apart.
        face_probs: (n, n, F), P(face | a tile is there), in the order of the alphabet.
        hidden: (n, n), probability that a hand, an object or text that the camera writes hides the square.
        covered: (n, n), share of each square's top face that nearer stacks hide.
        upright: probability that the letters are the right way round (1 if it was given or is known).
        altered: (n, n), probability that something lies over a square that seems bare, judged by its earlier look and
            by the lines around it; None if the caller didn't ask.
        colours: (n, n, 3), BGR of each square, see `vision.hidden.bare_squares`; None if the caller didn't ask.
        cut_off: the part of the board that is out of the picture; None if all of it is in view.
        outside: (n, n, 6), the share of the face of a stack of each height that would lie outside the picture; None if
            all of them would be in view.
        camera_text: the text that the camera writes over the board; None if there is none.
        grid_doubt: why the grid may not be the board's own; None if there is no doubt.
        lone_q: these tiles have a Q where Upwords has a Qu (another game's tiles).
        other_set: these are other tiles than the calibrated ones, so the calibrated tiles were not used.
        alphabet: the faces of the set.
        seconds: time that the reading took.
        timings: seconds of each stage and source of evidence, by name; the time of a source is part of its stage's.
    """

    size: int
    corners: Floats
    camera: Camera
    layer_thickness: float
    base_offset: float
    elevations: Floats
    height_probs: Floats
    face_probs: Floats
    hidden: Floats
    covered: Floats
    upright: float
    lone_q: bool
    seconds: float
    layered: LayeredHeights | None = None
    altered: Floats | None = None
    colours: Floats | None = None
    cut_off: CutOff | None = None
    outside: Floats | None = None
    camera_text: CameraText | None = None
    other_set: bool = False
    grid_doubt: GridDoubt | None = None
    alphabet: Alphabet = ENGLISH
    timings: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        n = self.size
        shapes = {
            "corners": (4, 2),
            "elevations": (n, n, SLICES),
            "height_probs": (n, n, MAX_HEIGHT + 1),
            "face_probs": (n, n, len(self.alphabet)),
            "hidden": (n, n),
            "covered": (n, n),
        }
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} of a board of {n} rows: {getattr(self, name).shape}, not {shape}")
        for name in ("height_probs", "face_probs", "hidden", "covered", "upright"):
            values = np.asarray(getattr(self, name))
            if not (values.min() >= -_ROUNDING and values.max() <= 1.0 + _ROUNDING):
                raise ValueError(f"{name} beyond 0 and 1: {values.min()} to {values.max()}")
        if not (self.layer_thickness > 0 and self.seconds >= 0):
            raise ValueError(f"layers of {self.layer_thickness} cells, read in {self.seconds} s")

    @property
    def grid(self) -> float:
        """The probability that the grid is the board's own, neither shifted by a square nor found on something else."""
        return GRID_CHANCE[self.grid_doubt]

    @property
    def said_doubt(self) -> GridDoubt | None:
        """The doubt to show to people. A bare board bears no letters, so that doubt isn't shown for it."""
        bare = self.grid_doubt is GridDoubt.UNLETTERED and not self.heights().any()
        return None if bare else self.grid_doubt

    def notice(self, *, cut_off: bool = True) -> str | None:
        """Return sentences on the camera's text and, if `cut_off`, on what is out of the picture; None for neither."""
        parts = (self.cut_off if cut_off else None, self.camera_text)
        return " ".join(part.text() for part in parts if part is not None) or None

    def face_elevations(self, heights: npt.ArrayLike) -> Floats:
        """Return the elevations (...), cells above the board's plane, of stacks of `heights` (...), 0 for no stack."""
        return face_elevations(heights, self.layer_thickness, self.base_offset)

    def heights(self) -> Ints:
        """Return the most probable heights (n, n)."""
        return np.asarray(self.height_probs.argmax(axis=-1), dtype=np.int64)

    def letters(self) -> list[list[str]]:
        """Return the most probable top face of every square, "" for a square without a tile."""
        heights, best = self.heights(), self.face_probs.argmax(axis=-1)
        names = tuple("Q" if self.lone_q and face == "Qu" else face for face in self.alphabet.faces)
        rows = range(self.size)
        return [[names[int(best[r, c])] if heights[r, c] else "" for c in rows] for r in rows]

    def confidence(self) -> Floats:
        """Return the probability (n, n) that letter and height are both right."""
        height = self.height_probs.max(axis=-1)
        tiles = self.heights() > 0
        face = np.where(tiles, self.face_probs.max(axis=-1), 1.0)
        # a bare square stays right under a wrong orientation if the square that lands there is bare too
        elsewhere = np.mean([np.rot90(~tiles, turns) for turns in (1, 2, 3)], axis=0)
        bare = self.upright + (1.0 - self.upright) * elsewhere
        sure = self.grid * height * face * np.where(tiles, self.upright, bare)
        # the wall of a stack that leaves the picture looks like the tile that lay there before
        sure *= np.where(tiles, 1.0 - self.outside_above(MAX_HEIGHT), 1.0)
        return np.asarray(sure * (1.0 - np.clip(self.hidden, 0, 1)), dtype=np.float64)

    @property
    def out_of_sight(self) -> Floats:
        """The probability (n, n) that something hides the square or, if it seems bare, lies over it."""
        return self.hidden if self.altered is None else np.maximum(self.hidden, self.altered)

    @property
    def under_hand(self) -> Floats:
        """The probability (n, n) that a hand or an object hides the square; 0 under the camera's text, which stays."""
        text = self.camera_text
        return self.hidden if text is None else np.where(text.squares, 0.0, self.hidden)

    @property
    def ground_in_view(self) -> Floats:
        """The probability (n, n) that no hand, object or stack hides any part of a bare square's ground."""
        return (1.0 - self.out_of_sight) * (self.covered <= 0.0)

    def outside_above(self, tiles: int) -> Floats:
        """Return the largest share (n, n) of a face outside the picture if 1 to `tiles` more lay on a square."""
        if self.outside is None:
            return np.zeros((self.size, self.size))
        more = np.arange(MAX_HEIGHT + 1) - self.heights()[..., None]
        return np.asarray(np.where((more > 0) & (more <= tiles), self.outside, 0.0).max(axis=-1), dtype=np.float64)

    def find_unseen_stacks(self, asked: Square | None = None) -> frozenset[Square]:
        """Return the squares whose heights can't be seen, since nearer stacks hide them.

        If one more tile would leave the picture, that of the square `asked` about can't be seen either.
        """
        unseen = self.covered > VISIBLE.covered_stack
        if asked is not None:
            unseen[asked.row, asked.col] |= self.outside_above(1)[asked.row, asked.col] > VISIBLE.reference
        return frozenset(SQUARES[row][col] for row, col in np.argwhere(unseen))

    def find_occluded(self) -> Flags:
        """Return which squares (n, n) a hand, an object or text of the camera hides."""
        return self.hidden > VISIBLE.hidden
