"""Where the grid's border lies: phases cannot tell one square from the next, the map of what is inside can.

The search for the lattice: from several places where the board may be to the one grid that the picture bears out.

A fit that starts near enough settles on the lattice; one that starts a square off settles a square off, and says so:
its doubt is higher. The search goes on from the least doubtful fit to where the border seems to be, until one is beyond
doubt or the budget is spent (best-first search).
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt

from vision.board.grid_shift import best_of_neighbours
from vision.board.lattice import GOOD, Lattice, refine_lattice, reframed_camera, rough_camera
from vision.board.sightings import LATTICE_MARGIN, take_sightings
from vision.geometry.camera import Camera, corners_of, grid_corners, side_lengths
from vision.geometry.rectify import Reductions
from vision.images import Image

Floats = npt.NDArray[np.float64]

SIDES = (((3, 0), 0), ((1, 2), 0), ((0, 1), 1), ((2, 3), 1))
"""Corners and axis of the left, right, upper and lower side."""
_MOVES = (*SIDES, *(((corner,), axis) for corner in range(4) for axis in (0, 1)))
"""Sides first, then corners by themselves."""
_STEPS, _PASSES, _LEAST_GAIN = (1.0, 0.5, 0.25), 3, 0.3
"""Squares by which borders are moved, how often with each, and the gain in log likelihood from which one is; by eye."""
_CLIP = (0.02, 0.98)
"""Range of the network's probabilities that are believed. By eye, not measured."""
_SOFT = 6.0
"""How sharply a square counts as inside, log odds for a cell. By eye, not measured."""


def cameras_at_border(image: Image, camera: Camera, size: int, shifts: int) -> Iterator[Camera]:
    """Cameras whose n x n grid may have its border where the picture (h, w, 3) shows it, likeliest first.

    The first has the quadrilateral that agrees best; then come the `shifts` likeliest of those that have a side, or
    the whole grid, a square aside.
    """
    sure = _log_odds(take_sightings(image, camera, size).inside)
    shifted = sorted(_shifted_grids(size), key=lambda quad: -_agreement(quad, sure))
    for quad in (_best_border(sure, size), *shifted[:shifts]):
        corners = camera.project(np.column_stack([quad, np.zeros(4)]))
        yield rough_camera(image, corners, size, like=camera)


def _log_odds(inside: Floats) -> Floats:
    """Log odds (k, k) that a square belongs to the grid."""
    return np.asarray(
        np.log(np.clip(inside, *_CLIP)) - np.log(np.clip(1.0 - inside, *_CLIP)), dtype=np.float64
    )


def _shifted_grids(size: int) -> Iterator[Floats]:
    """The grid's corners (4, 2), board coordinates, with a side or the whole grid a square aside."""
    whole = tuple(((0, 1, 2, 3), axis) for axis in (0, 1))
    for (corners, axis), step in product((*SIDES, *whole), (-1.0, 1.0)):
        quad = grid_corners(size)
        quad[list(corners), axis] += step
        yield quad


def _best_border(sure: Floats, size: int) -> Floats:
    """The corners (4, 2), in board coordinates, of the quadrilateral that agrees best with the log odds `sure`.

    Phases cannot tell one square from the next: this can. Found by moving one corner coordinate at a time.
    """
    quad = grid_corners(size)
    best = _agreement(quad, sure)
    for step in _STEPS:
        for _ in range(_PASSES):
            before = best
            for (corners, axis), change in product(_MOVES, (-step, step)):
                trial = quad.copy()
                trial[list(corners), axis] += change
                score = _agreement(trial, sure)
                if score > best + _LEAST_GAIN:
                    quad, best = trial, score
            if best == before:
                break
    return quad


def _agreement(quad: Floats, sure: Floats) -> float:
    """Log likelihood of the log odds `sure` (k, k) of squares around the grid for a border (4, 2), clockwise."""
    at = np.arange(len(sure)) - LATTICE_MARGIN + 0.5
    sides = np.roll(quad, -1, axis=0) - quad
    along = (sides / np.maximum(np.linalg.norm(sides, axis=1), 1e-6)[:, None])[:, :, None, None]
    away = at[:, None] - quad[:, 1, None, None], at[None, :] - quad[:, 0, None, None]
    beyond = along[:, 0] * away[0] - along[:, 1] * away[1]
    within = np.prod(1.0 / (1.0 + np.exp(np.clip(-_SOFT * beyond, -30, 30))), axis=0)
    return float((sure * within).sum())


BUDGET = 12
"""Fits that are tried before the best of them is taken, where nothing else is said."""
_SHIFTS = 3
"""Shifts of a side or of the grid that are tried from each fit, of the twelve that there are. With these two the
302 pictures of the development sets come out as with 36 fits and all shifts, the slowest in less than half the time."""
_NEIGHBOURS_FROM = 0.1
"""Border error up to which no neighbour grid is taken instead. By eye, not measured."""
_REFRAMED = 2
"""Places, the likeliest, that are also tried as in a picture that was cropped or squeezed. Of 197 such pictures (the
development sets') 191 are found with two as with all six; 108 looks at what is no board take 9 % longer with two, 14 %
with six."""
ASTRAY = 0.08
"""Spread, cells, from which a fit has settled on no lattice at all, and moving its border leads nowhere: of the fits
that ended on boards of the development sets and drawn ones none had more than 0.06 (`hard_views`, faint grooves)."""
_SAME = 0.3
"""Squares within which two fits are the same. By eye, not measured."""


def search_lattice(
    picture: Reductions, places: list[Floats], size: int, *, budget: int = BUDGET, until: float = math.inf
) -> Lattice | None:
    """The least doubtful lattice near `places`, each (4, 2) px corners; None when there are no places.

    So many fits are tried at most as `budget` says, and none beside the places once `time.thread_time()` is past
    `until`.
    """
    search = _Search(picture, size)
    for corners in places:
        if search.tried(rough_camera(picture.whole, corners, size)):
            return search.found()
    for corners in places[:_REFRAMED] if budget > 1 else ():
        reframed = reframed_camera(picture.whole, corners, size)
        if reframed is not None and search.settles(reframed):
            return search.found()
    while search.fits < budget and (at := search.next()) is not None:
        for camera in search.beside(at):
            if search.fits >= budget or time.thread_time() > until or search.tried(camera):
                return search.found()
    return search.found()


class _Search:
    """What was tried so far."""

    def __init__(self, picture: Reductions, size: int) -> None:
        self._picture, self._size = picture, size
        self._open: list[tuple[float, int, Lattice]] = []
        self._starts: list[Floats] = []
        self._ends: list[Floats] = []
        self.fits = 0
        self.best: Lattice | None = None

    def tried(self, camera: Camera) -> bool:
        """Fit a lattice that starts at `camera`; whether the best so far is beyond doubt."""
        start = corners_of(camera, self._size)
        if self._among(start, self._starts) or self._among(start, self._ends):
            return False
        self._starts.append(start)
        lattice = self._fitted(camera)
        self.fits += 1
        corners = corners_of(lattice.fit.camera, self._size)
        if not self._among(corners, self._ends):
            self._ends.append(corners)
            heapq.heappush(self._open, (lattice.doubt, self.fits, lattice))
        if self.best is None or lattice.doubt < self.best.doubt:
            self.best = lattice
        return self.best.doubt < GOOD

    def settles(self, camera: Camera) -> bool:
        """Fit a lattice that starts at `camera`, which is the best if it is beyond doubt, and nothing if it is not.

        A picture that was cropped explains half a board under a hand, too.
        """
        lattice = self._fitted(camera)
        if lattice.doubt < GOOD:
            self.best = lattice
        return lattice.doubt < GOOD

    def _fitted(self, camera: Camera) -> Lattice:
        view = self._picture.at_pitch(camera, self._size)
        return refine_lattice(view.image, view.camera, self._size).scaled(view.enlargement)

    def found(self) -> Lattice | None:
        """The best so far, or the one beside it where its border is in doubt and the other's is less so."""
        if self.best is None or self.best.border_error < _NEIGHBOURS_FROM:
            return self.best
        view = self._picture.at_pitch(self.best.fit.camera, self._size)
        there = self.best.scaled(1.0 / view.enlargement)
        return best_of_neighbours(view.image, there, self._size).scaled(view.enlargement)

    def beside(self, at: Lattice) -> Iterator[Camera]:
        """Where the search goes on from a lattice."""
        view = self._picture.at_pitch(at.fit.camera, self._size)
        for camera in cameras_at_border(view.image, view.camera, self._size, _SHIFTS):
            yield camera.scaled(view.enlargement)

    def next(self) -> Lattice | None:
        """The least doubtful fit on a lattice from which the search has not gone on yet."""
        while self._open:
            lattice = heapq.heappop(self._open)[2]
            if lattice.spread < ASTRAY:
                return lattice
        return None

    def _among(self, corners: Floats, others: list[Floats]) -> bool:
        pitch = float(side_lengths(corners).mean()) / self._size
        return any(float(np.linalg.norm(corners - other, axis=1).max()) < _SAME * pitch for other in others)
