"""What all sources of evidence have in common.

The elevations of the faces: what every source of evidence says of where they lie, joined.

The plane sweep begins: it alone tells hidden squares from others, and without it nothing would be known of any face.
Every other source has one signature, `(view, state) -> log odds`: it is shown what is believed so far, and what it says
is added to that. Any of them can be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from engine import MAX_HEIGHT
from vision.geometry.rectify import ReducedView, outside
from vision.heights.plane_sweep import (
    SLICE_STEP,
    SLICES,
    SWEEP_MARGIN,
    averaged_logits,
    quarter_towards_camera,
    sweep,
)
from vision.heights.thickness import COMPARED_THICKNESSES, THICKNESSES
from vision.hidden.occlusion import VISIBLE
from vision.probability import log_softmax, sigmoid
from vision.stopwatch import Stopwatch

Floats = npt.NDArray[np.float64]
State = TypeVar("State")


@dataclass(frozen=True)
class Source(Generic[State]):
    """A source of evidence: shown a view and what is believed so far, it says how the odds change.

    Attributes:
        name: by which it is left out and timed.
        log_odds: what it says, in the shape of what the state believes; each row (the last axis) up to a constant. One
            that measures gives what it measured, and its error.
        between_squares: it gives a face that several squares explain to one of them.
    """

    name: str
    log_odds: Callable[[ReducedView, State], Floats]
    between_squares: bool = False

    def timed(self, watch: Stopwatch) -> Source[State]:
        """The same, its time told to a stopwatch."""
        return replace(self, log_odds=watch.timed(self.name, self.log_odds))


@dataclass(frozen=True)
class SliceState:
    """What is believed of the faces while evidence is gathered; the camera stands on the board's lower side.

    Attributes:
        log_probs: (n, n, SLICES) log probability of the slice in which the top face lies; the first: none is there.
        hidden: (n, n) probability that a hand, an object or the picture's edge hides the square.
        expected: (n, n, SLICES) log prior of the slices that is in no square's own probability: it tells which of
            several squares a face is likelier to belong to. None where nothing is known beforehand.
    """

    log_probs: Floats
    hidden: Floats
    expected: Floats | None = None

    def tile_odds(self) -> Floats:
        """Odds (n, n) that a tile is there at all."""
        empty = np.exp(self.log_probs[..., 0])
        return np.asarray((1.0 - empty + 1e-6) / (empty + 1e-6), dtype=np.float64)

    def tops(self) -> Floats:
        """Elevations (n, n), cells, of the likeliest faces; 0 where none is, or where it is hidden."""
        seen = self.hidden < VISIBLE.hidden
        return np.asarray(np.where(seen, self.log_probs.argmax(axis=-1), 0) * SLICE_STEP, dtype=np.float64)

    def joined(self, log_odds: Floats) -> SliceState:
        """What is believed with log odds (n, n, SLICES), each square's up to a constant, joined in."""
        return replace(self, log_probs=log_softmax(self.log_probs + log_odds))


@dataclass(frozen=True)
class Elevations:
    """Where the faces of one picture lie, by all evidence, and how large they look.

    Attributes:
        log_probs: (n, n, SLICES) log probability of the slice in which the top face lies; the first: none is there.
        by_itself: (n, n, SLICES) the same by what is seen of each square, before faces that several squares explain
            were given to one of them.
        hidden: (n, n) probability that a hand, an object or the picture's edge hides the square.
        explained_away: (n, n) share of the odds of a tile that went to other squares, whose face it is.
        thickness: (m,) log odds of each of THICKNESSES from what walls show.
        sizes: (n, n, 2) as `vision.heights.apparent_size` tells them: the logarithm of how wide each face
            looks, squares, and its standard error, infinite where none was measured.
        walls: (n, n, 2, 2) as `vision.heights.walls` tells them: of two walls of each square the
            elevation of its face and the standard error, cells, infinite where none was measured.
        compared: (n, n, K, 5) as `vision.heights.comparison` tells them: log probabilities of the heights
            for each of the K COMPARED_THICKNESSES, all alike where nothing was compared.
        away: how far above the board the camera is, cells.
        tilt: angle between the line of sight to the board's middle and the vertical, radians.
        around: (n + 2, n + 2) elevations, cells, of what looks like faces on the grid's squares and on those one beyond
            its sides, each by itself; 0 where none does, where a hand may be, and out of the picture.
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
        sliced, square, compared = (n, n, SLICES), (n, n), uncompared(n).shape
        measures = (self.sizes, self.walls, self.compared, self.around)
        tables = (self.log_probs, self.by_itself, self.hidden, self.explained_away, *measures)
        shapes = tuple(table.shape for table in tables)
        if (
            shapes != (sliced, sliced, square, square, (n, n, 2), (n, n, 2, 2), compared, (n + 2, n + 2))
            or self.thickness.shape != THICKNESSES.shape
        ):
            raise ValueError(f"no elevations of one board: {shapes}, {self.thickness.shape}")

    def presence(self, tiles: npt.NDArray[np.bool_]) -> Floats:
        """Probability (t,) of a face on each of the `tiles` (n, n), 0 where something hides the square."""
        there = 1.0 - np.exp(self.log_probs[tiles][:, 0])
        return np.asarray(there * (self.hidden[tiles] < VISIBLE.hidden), dtype=np.float64)

    def turned(self, turns: int) -> Elevations:
        """The same in the frame of `Camera.turned(turns)`."""
        return replace(
            self, log_probs=np.rot90(self.log_probs, turns), by_itself=np.rot90(self.by_itself, turns),
            hidden=np.rot90(self.hidden, turns), explained_away=np.rot90(self.explained_away, turns),
            sizes=np.rot90(self.sizes, turns), walls=np.rot90(self.walls, turns),
            compared=np.rot90(self.compared, turns), around=np.rot90(self.around, turns),
        )  # fmt: skip

    def shared_out(
        self, view: ReducedView, sources: Sequence[Source[SliceState]], expected: Floats | None = None
    ) -> Elevations:
        """The same, faces that several squares explain given to one of them by those `sources` that speak of that.

        `expected` as `SliceState` has it, in the frame of the view, which these elevations are in, too.
        """
        state = SliceState(self.by_itself, self.hidden, expected)
        for source in sources:
            if source.between_squares:
                state = state.joined(source.log_odds(view, state))
        before = SliceState(self.by_itself, self.hidden).tile_odds()
        explained_away = np.clip(1.0 - state.tile_odds() / before, 0.0, 1.0)
        return replace(self, log_probs=state.log_probs, explained_away=explained_away)


def read_elevations(
    view: ReducedView,
    sources: Sequence[Source[SliceState]],
    thickness_sources: Sequence[Source[SliceState]],
    measures: Mapping[str, Sequence[Source[SliceState]]],
) -> Elevations:
    """Where the faces lie in a view.

    `sources` are asked one after another for log odds (n, n, SLICES) of the slices, those of each square by itself
    before those between squares; with what is then believed, `thickness_sources` for log odds (m,) of THICKNESSES, and
    those of `measures` for what `Elevations` has by that name: "sizes", "walls", "compared".
    """
    turns = quarter_towards_camera(view.camera, view.size)
    towards = view.turned(turns)
    state, around = _swept(towards)
    for source in sources:
        if not source.between_squares:
            state = state.joined(source.log_odds(towards, state))
    seen = Elevations(
        log_probs=state.log_probs, by_itself=state.log_probs, hidden=state.hidden,
        explained_away=np.zeros(state.hidden.shape), thickness=np.zeros(len(THICKNESSES)),
        sizes=unmeasured(state.hidden.shape), walls=unmeasured((*state.hidden.shape, 2)),
        compared=uncompared(view.size), away=float(view.camera.position[2]), tilt=view.tilt, around=around,
    ).shared_out(towards, sources)  # fmt: skip
    state = replace(state, log_probs=seen.log_probs)
    thickness = sum((each.log_odds(towards, state) for each in thickness_sources), np.zeros(len(THICKNESSES)))
    measured = {name: source.log_odds(towards, state) for name, asked in measures.items() for source in asked}
    return replace(
        seen, thickness=thickness, sizes=measured.get("sizes", seen.sizes),
        walls=measured.get("walls", seen.walls), compared=measured.get("compared", seen.compared),
    ).turned(-turns)  # fmt: skip


def unmeasured(shape: tuple[int, ...]) -> Floats:
    """Measures and their errors, (*shape, 2), where none was taken."""
    return np.stack([np.zeros(shape), np.full(shape, np.inf)], axis=-1)


def uncompared(size: int) -> Floats:
    """What is said of the heights of an n x n board where no stacks are compared, (n, n, K, 5)."""
    return np.full((size, size, len(COMPARED_THICKNESSES), MAX_HEIGHT), -np.log(MAX_HEIGHT))


def _swept(view: ReducedView) -> tuple[SliceState, Floats]:
    """What the plane sweep tells of each square by itself, and `around` as `Elevations` has it."""
    logits = averaged_logits(sweep(view.image, view.camera, view.size)).astype(np.float64)
    out_of_view = outside(view.image, view.camera.moved((-1.0, -1.0)), view.size + 2)
    faces = np.where(logits[SLICES] < 0.0, logits[:SLICES].argmax(axis=0), 0) * SLICE_STEP
    around = np.where(out_of_view < VISIBLE.hidden, faces, 0.0)
    inner = slice(SWEEP_MARGIN, SWEEP_MARGIN + view.size)
    inside = logits[:, inner, inner].transpose(1, 2, 0)
    hidden = np.maximum(sigmoid(inside[..., SLICES]), out_of_view[inner, inner])
    return SliceState(log_softmax(inside[..., :SLICES]), hidden), around
