"""The elevations of the faces, joined from sources of evidence, and the interface that these share.

The plane sweep comes first. It alone distinguishes hidden squares from others, and without it nothing would be known
about any face. Every other source is a function `(view, state) -> log odds`, and its log odds are added to the state.
Any of these sources can be left out.

One of them, `overlap_log_odds`, settles which square owns a face that more than one claims. A face high on a near
square and a lower face on the square behind it appear at the same place in the picture. But a face belongs to one
stack, and a nearer stack hides the squares behind it. The claims are weighed against each other, over and over, until
they agree. This is mean-field inference (D. Koller and N. Friedman, "Probabilistic Graphical Models", 2009, section
11.5) of a model in which overlapping faces exclude each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from engine import MAX_HEIGHT
from vision.arrays import Flags, Floats, Ints, log_softmax, sigmoid
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, outside
from vision.heights.plane_sweep import SLICE_STEP, SLICES, SWEEP_MARGIN, average_logits, quarter_towards_camera, sweep
from vision.heights.thickness import COMPARED_THICKNESSES, THICKNESSES
from vision.hidden.occlusion import VISIBLE, measure_overlaps

State = TypeVar("State")

_PRESENCE_POWER = 3
"""Power of a face's probability by which it counts for the thickness. With a power of 1, thirty printed squares of
another game, each taken for a thin tile by 0.1 to 0.9, made all of its 28 thick single tiles two. [by hand, real]"""


@dataclass(frozen=True)
class Source(Generic[State]):
    """A source of evidence. It takes a view and the current state, and says how the odds change.

    Attributes:
        name: its name, by which it is left out and timed.
        log_odds: returns log odds in the shape of the state's probabilities, each row (the last axis) up to a
            constant. A source that measures returns its measurements and their errors.
        between_squares: whether it assigns a face that several squares explain to one of them.
    """

    name: str
    log_odds: Callable[[ReducedView, State], Floats]
    between_squares: bool = False


@dataclass(frozen=True)
class SliceState:
    """The belief about the faces while evidence is gathered. The camera stands on the board's lower side.

    Attributes:
        log_probs: (n, n, SLICES) log probability of the slice in which the top face lies. The first slice means no
            face.
        hidden: (n, n) probability that a hand, an object or the picture's edge hides the square.
        expected: (n, n, SLICES) log prior of the slices, or None. It is not part of a square's own probability. It only
            says which of several squares a face is likelier to belong to.
    """

    log_probs: Floats
    hidden: Floats
    expected: Floats | None = None

    def tile_odds(self) -> Floats:
        """Return the odds (n, n) that there is any tile on a square."""
        empty = np.exp(self.log_probs[..., 0])
        return (1.0 - empty + 1e-6) / (empty + 1e-6)

    def tops(self) -> Floats:
        """Return the elevations (n, n), cells, of the likeliest faces, 0 for bare and hidden squares."""
        in_view = self.hidden < VISIBLE.hidden
        return np.where(in_view, self.log_probs.argmax(axis=-1), 0) * SLICE_STEP

    def join(self, log_odds: Floats) -> SliceState:
        """Return the state with log odds (n, n, SLICES) added. Each square's log odds are up to a constant."""
        return replace(self, log_probs=log_softmax(self.log_probs + log_odds))


@dataclass(frozen=True)
class Elevations:
    """The elevations of one picture's faces by all evidence, and other measurements of the faces.

    Attributes:
        log_probs: (n, n, SLICES) log probability of the slice in which the top face lies. The first slice means no
            face.
        by_itself: (n, n, SLICES) log probability of the slice from each square alone, before faces that several
            squares explain were assigned to one of them.
        hidden: (n, n) probability that a hand, an object or the picture's edge hides the square.
        explained_away: (n, n) share of a tile's odds that went to other squares, because the face is theirs.
        thickness: (m,) log odds of each of THICKNESSES from the walls.
        sizes: (n, n, 2) from `vision.heights.comparison`: the logarithm of each face's apparent width,
            squares, and its standard error, infinite if not measured.
        walls: (n, n, 2, 2) from `vision.heights.walls`: for two walls of each square the elevation
            of its face and the standard error, cells, infinite if not measured.
        compared: (n, n, K, 5) from `vision.heights.comparison`: log probabilities of the heights for each
            of the K COMPARED_THICKNESSES, all equal if nothing was compared.
        away: height of the camera above the board, cells.
        tilt: angle between the line of sight to the board's middle and the vertical, radians.
        around: (n + 2, n + 2) elevations, cells, of apparent faces on the grid's squares and on those one beyond its
            sides, from each square alone. 0 for no face, where a hand may be, and out of the picture.
    """

    log_probs: Floats
    by_itself: Floats
    hidden: Floats
    explained_away: Floats
    thickness: Floats
    sizes: Floats
    walls: Floats
    compared: Floats
    away: float
    tilt: float
    around: Floats

    def __post_init__(self) -> None:
        n = len(self.hidden)
        sliced, square, compared = (n, n, SLICES), (n, n), make_uncompared(n).shape
        measures = (self.sizes, self.walls, self.compared, self.around)
        tables = (self.log_probs, self.by_itself, self.hidden, self.explained_away, *measures)
        shapes = tuple(table.shape for table in tables)
        if (
            shapes != (sliced, sliced, square, square, (n, n, 2), (n, n, 2, 2), compared, (n + 2, n + 2))
            or self.thickness.shape != THICKNESSES.shape
        ):
            raise ValueError(f"no elevations of one board: {shapes}, {self.thickness.shape}")

    def presence(self, tiles: Flags) -> Floats:
        """Return the weight (t,) of each face of the `tiles` (n, n) when all faces are weighed together.

        It is a power of the face's probability, so that faces in doubt weigh little. It is 0 if something hides the
        square.
        """
        there = 1.0 - np.exp(self.log_probs[tiles][:, 0])
        return there**_PRESENCE_POWER * (self.hidden[tiles] < VISIBLE.hidden)

    def turn(self, turns: int) -> Elevations:
        """Return the elevations in the frame of `Camera.turn(turns)`."""
        of_squares = ("log_probs", "by_itself", "hidden", "explained_away", "sizes", "walls", "compared", "around")
        return replace(self, **{name: np.rot90(getattr(self, name), turns) for name in of_squares})

    def shared_out(
        self, view: ReducedView, sources: Sequence[Source[SliceState]], expected: Floats | None = None
    ) -> Elevations:
        """Assign faces that several squares explain to one square each. Return the new elevations.

        It asks only `sources` that are `between_squares`. `expected` is the prior of `SliceState`, in the frame of the
        view, like these elevations.
        """
        state = SliceState(self.by_itself, self.hidden, expected)
        for source in sources:
            if source.between_squares:
                state = state.join(source.log_odds(view, state))
        before = SliceState(self.by_itself, self.hidden).tile_odds()
        explained_away = np.clip(1.0 - state.tile_odds() / before, 0.0, 1.0)
        return replace(self, log_probs=state.log_probs, explained_away=explained_away)


def read_elevations(view: ReducedView, sources: Mapping[str, Sequence[Source[SliceState]]]) -> Elevations:
    """Read the elevations of the faces in a view, by `sources` as `vision.evidence.all_sources` makes them.

    It asks the sources of "slices" one after another, those of single squares before those between squares. With the
    resulting state, "thickness" gives log odds, and "sizes", "walls" and "compared" give the fields of these names.
    """
    turns = quarter_towards_camera(view.camera, view.size)
    towards = view.turn(turns)
    state, around = _sweep_state(towards)
    for source in sources["slices"]:
        if not source.between_squares:
            state = state.join(source.log_odds(towards, state))
    elevations = Elevations(
        log_probs=state.log_probs,
        by_itself=state.log_probs,
        hidden=state.hidden,
        explained_away=np.zeros(state.hidden.shape),
        thickness=np.zeros(len(THICKNESSES)),
        sizes=make_unmeasured(state.hidden.shape),
        walls=make_unmeasured((*state.hidden.shape, 2)),
        compared=make_uncompared(view.size),
        away=float(view.camera.position[2]),
        tilt=view.tilt,
        around=around,
    ).shared_out(towards, sources["slices"])
    state = replace(state, log_probs=elevations.log_probs)
    thickness = sum((each.log_odds(towards, state) for each in sources["thickness"]), np.zeros(len(THICKNESSES)))
    measured: dict[str, Any] = {
        name: source.log_odds(towards, state) for name in ("sizes", "walls", "compared") for source in sources[name]
    }
    return replace(elevations, thickness=thickness, **measured).turn(-turns)


def make_unmeasured(shape: tuple[int, ...]) -> Floats:
    """Make an array (*shape, 2) of measurements and errors with none measured: zeros and infinite errors."""
    return np.stack([np.zeros(shape), np.full(shape, np.inf)], axis=-1)


def make_uncompared(size: int) -> Floats:
    """Make log probabilities (n, n, K, 5) of the heights for a board whose stacks weren't compared: all equal."""
    return np.full((size, size, len(COMPARED_THICKNESSES), MAX_HEIGHT), -np.log(MAX_HEIGHT))


def _sweep_state(view: ReducedView) -> tuple[SliceState, Floats]:
    """Return what the plane sweep alone says of each square, and the elevations of all faces, off the board too."""
    logits = average_logits(sweep(view.image, view.camera, view.size)).astype(np.float64)
    out_of_view = outside(view.image, view.camera.move((-1.0, -1.0)), view.size + 2)
    faces = np.where(logits[SLICES] < 0.0, logits[:SLICES].argmax(axis=0), 0) * SLICE_STEP
    around = np.where(out_of_view < VISIBLE.hidden, faces, 0.0)
    inner = slice(SWEEP_MARGIN, SWEEP_MARGIN + view.size)
    inside = logits[:, inner, inner].transpose(1, 2, 0)
    hidden = np.maximum(sigmoid(inside[..., SLICES]), out_of_view[inner, inner])
    return SliceState(log_softmax(inside[..., :SLICES]), hidden), around


_LEAST_CLAIM = 0.004
"""Probability from which a square claims a face at an elevation. It keeps the claims few. [by eye]"""
_OVERLAP_RANGE = (0.25, 0.55)
"""Overlaps, as shares of a face, at which two faces begin to exclude each other and exclude each other fully.
[by eye]"""
_EXCLUDES_LOWER, _EXCLUDES_HIGHER = 0.99, 0.9
"""Weights with which a face excludes a lower one that it overlaps, and a higher one. The higher face is nearer and
hides the other. With the change that introduced this, the share of right heights seen from the side in the development
sets rose from 97 to 98 %. [by eye]"""
_MISTAKEN_CLAIM = 0.1
"""How often a bare square behind a high stack seems to bear that stack's face. [by eye]"""
_ROUNDS = 6
"""Number of times the claims are weighed, enough for a chain of stacks to agree. [by eye]"""


def overlap_log_odds(view: ReducedView, state: SliceState) -> Floats:
    """Return the log odds (n, n, SLICES) by which other squares' claims change the belief about each square."""
    return resolve_overlaps(view.camera, state.log_probs, state.expected) - state.log_probs


def resolve_overlaps(camera: Camera, elevations: Floats, expected: Floats | None = None) -> Floats:
    """Return the log probabilities (n, n, k) of the faces' slices after all claims to the same face are settled.

    `elevations` (n, n, k) are the log probabilities of each square alone, for slices `SLICE_STEP` apart. The first
    slice means no face. `expected` (n, n, k), a log prior, says whose claims weigh more. The result doesn't contain it.
    """
    size = len(elevations)
    chance = np.exp(elevations).reshape(size * size, -1)
    prior = np.ones_like(chance) if expected is None else np.exp(expected).reshape(chance.shape)
    believed = _normalise_rows(chance * prior)
    square, level = np.nonzero(np.maximum(chance, believed)[:, 1:] > _LEAST_CLAIM)
    if not len(square):
        return elevations
    overlaps = _overlaps(camera, square, level + 1, size)
    overlaps[square[:, None] == square] = 0.0
    # few pairs of claims overlap
    by, of = np.nonzero(overlaps.T)
    shared = overlaps[of, by]
    hides = shared * (level[by] > level[of])
    excludes = _EXCLUDES_LOWER * hides + _EXCLUDES_HIGHER * (shared - hides)
    place = square[by] * len(square) + of
    claimed = chance[square, level + 1]

    def weigh_unopposed(strength: Floats) -> Floats:
        """Return for each claim the probability (m,) that its face belongs to no other square.

        `strength` says how far each pair of claims excludes the other.
        """
        # A square's own overlapping faces count together against each claim of another square.
        against = np.bincount(place, strength * claims[by], size * size * len(square)).reshape(size * size, -1)
        return np.asarray(np.prod(1.0 - np.clip(against, 0.0, 1.0), axis=0), dtype=np.float64)

    for _ in range(_ROUNDS):
        claims = believed[square, level + 1]
        free, behind = weigh_unopposed(excludes), 1.0 - weigh_unopposed(hides)
        weighed = chance.copy()
        weighed[square, level + 1] *= free
        weighed[:, 0] += _MISTAKEN_CLAIM * np.bincount(square, claimed * behind, size * size)
        believed = 0.5 * (believed + _normalise_rows(weighed * prior))
    return np.log(_normalise_rows(weighed) + 1e-9).reshape(elevations.shape)


def _normalise_rows(weights: Floats) -> Floats:
    """Scale each row of weights (m, k) to a sum of 1."""
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)


def _overlaps(camera: Camera, square: Ints, level: Ints, size: int) -> Floats:
    """Return how far (m, m) the claimed faces exclude each other: 0 if they lie apart, 1 if one covers the other."""
    faces = np.column_stack([square % size + 0.5, square // size + 0.5, level * SLICE_STEP])
    shared = measure_overlaps(camera, faces, faces)
    shared = np.minimum(shared, shared.T)
    return np.asarray(np.interp(shared, _OVERLAP_RANGE, (0.0, 1.0)), dtype=np.float64)
