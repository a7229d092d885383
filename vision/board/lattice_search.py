"""The search for the lattice: from several places where the board may be to the one grid that the picture supports.

The lattice's phases cannot tell one square from the next. The network's map of the inside of the grid can. A fit that
starts near enough converges on the lattice. One that starts a square off converges a square off, and its doubt is
higher. The search goes on from the least doubtful fit to where the border seems to be, until one fit is beyond doubt or
the budget is spent (best-first search).
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Iterator
from itertools import product

import cv2
import numpy as np

from vision.arrays import Floats
from vision.board.grid_doubt import neighbour_lattices
from vision.board.lattice import GOOD, Lattice, refine_lattice, reframe_camera, rough_camera, spread_over
from vision.board.sightings import LATTICE_MARGIN, take_sightings
from vision.geometry.camera import Camera, corners_of, grid_corners, side_lengths
from vision.geometry.camera_fit import usual_focal
from vision.geometry.rectify import Reductions
from vision.images import Image

SIDES = (((3, 0), 0), ((1, 2), 0), ((0, 1), 1), ((2, 3), 1))
"""Corners and axis of the left, right, upper and lower side."""
_MOVES = (*SIDES, *(((corner,), axis) for corner in range(4) for axis in (0, 1)))
"""Corners and axis of each trial move: whole sides first, then single corners."""
_STEPS, _PASSES, _LEAST_GAIN = (1.0, 0.5, 0.25), 3, 0.3
"""Sizes of a trial move (squares), passes with each size, and the least gain in log likelihood. [by eye]"""
_PROBABILITY_RANGE = (0.02, 0.98)
"""Range to which the network's probabilities are clipped. [by eye]"""
_LOG_ODDS_PER_SQUARE = 6.0
"""Growth of the log odds of being inside the border, for each square of distance from it. [by eye]"""


def _shift_grid(size: int) -> Iterator[Floats]:
    """Yield the grid's corners (4, 2), board coordinates, with one side or the whole grid moved by a square."""
    whole = tuple(((0, 1, 2, 3), axis) for axis in (0, 1))
    for (corners, axis), step in product((*SIDES, *whole), (-1.0, 1.0)):
        quad = grid_corners(size)
        quad[list(corners), axis] += step
        yield quad


def _best_border(inside: Floats, size: int) -> Floats:
    """Return the corners (4, 2) that agree best with the log odds `inside` (k, k), by coordinate ascent."""
    quad = grid_corners(size)
    best = _agreement(quad, inside)
    for step in _STEPS:
        for _ in range(_PASSES):
            before = best
            for (corners, axis), change in product(_MOVES, (-step, step)):
                trial = quad.copy()
                trial[list(corners), axis] += change
                score = _agreement(trial, inside)
                if score > best + _LEAST_GAIN:
                    quad, best = trial, score
            if best == before:
                break
    return quad


def _agreement(quad: Floats, inside: Floats) -> float:
    """Return the log likelihood of a clockwise border (4, 2) under the squares' log odds `inside` (k, k)."""
    centres = np.arange(len(inside)) - LATTICE_MARGIN + 0.5
    sides = np.roll(quad, -1, axis=0) - quad
    along = (sides / np.maximum(np.linalg.norm(sides, axis=1), 1e-6)[:, None])[:, :, None, None]
    away = centres[:, None] - quad[:, 1, None, None], centres[None, :] - quad[:, 0, None, None]
    distance = along[:, 0] * away[0] - along[:, 1] * away[1]
    within = np.prod(1.0 / (1.0 + np.exp(np.clip(-_LOG_ODDS_PER_SQUARE * distance, -30, 30))), axis=0)
    return float((inside * within).sum())


BUDGET = 12
"""Usual number of fits before the best of them is taken. With BUDGET and _SHIFTS the 302 pictures of the development
sets come out as with 36 fits and all shifts, the slowest in less than half the time. [by hand, sets]"""
_SHIFTS = 3
"""Number of shifts of a side or of the grid, of twelve possible ones, that are tried from each fit. Measured with
BUDGET. [by hand, sets]"""
_NEIGHBOUR_BORDER_ERROR = 0.1
"""Border error, squares over a side, from which a neighbour grid may be taken instead. [by eye]"""
_MAX_REFRAMED_PLACES = 2
"""Number of the likeliest places that are also tried as parts of a cropped or squeezed picture. Of 197 such pictures
two places find 191, and so do all six. On 108 pictures without a board the search takes 9 % longer with two, and 14 %
longer with six. [by hand, sets]"""
ASTRAY = 0.08
"""Spread, cells, from which a fit has found no lattice at all, so that moving its border leads nowhere. Of the fits
that ended on boards none had more than 0.06 (`hard_views`, faint grooves). [by hand, sets, hard_views]"""
_SAME_FIT_SQUARES = 0.3
"""Distance of corners, squares, within which two fits are the same. [by eye]"""


def search_lattice(
    picture: Reductions, places: list[Floats], size: int, *, budget: int = BUDGET, until: float = math.inf
) -> Lattice | None:
    """Return the least doubtful lattice near `places`, each corners (4, 2) px, or None if there are no places.

    Try at most `budget` fits. Once `time.thread_time()` has passed `until`, fit no more than the places themselves.
    """
    search = _Search(picture, size)
    for corners in places:
        if search.try_camera(rough_camera(picture.whole, corners, size)):
            return search.result()
    for corners in places[:_MAX_REFRAMED_PLACES] if budget > 1 else ():
        reframed = reframe_camera(picture.whole, corners, size)
        if reframed is not None and search.try_reframed(reframed):
            return search.result()
    while search.fits < budget and (start := search.next_start()) is not None:
        for camera in search.cameras_from(start):
            if search.fits >= budget or time.thread_time() > until or search.try_camera(camera):
                return search.result()
    return search.result()


_TILTS, _TURNS, _SCALES = (10.0, 35.0, 50.0, 60.0), (0.0, 22.5, 45.0, 67.5), (0.7, 1.0, 1.4)
"""Poses that are tried: degrees off the vertical and around it, and sizes over that of the place. They cost 0.1 s. Of
two genuine boards that were lost the best pose shows squares with a spread of 0.06 and 0.04, of two boards under hands
with 0.11 and more. [by hand, real, video]"""
_POSE_SQUARES, _MAX_POSES = 5, 3
"""Side of the part of the grid by which a pose is judged, squares, and most poses that are returned. The whole grid
takes twice as long and tells no better. [by hand, real]"""
_SAME_AREA_RATIO = 1.5
"""Ratio of areas up to which two poses have squares of one size: with the next
size squares are twice as large. [by eye]"""


def poses_at(picture: Reductions, corners: Floats, size: int) -> list[Floats]:
    """Return corners (4, 2) px of grids that are seen from usual directions near the place `corners` (4, 2) px.

    The picture shows squares in the middle of each; those that are seen most sharply come first. Where a box
    or a table has misled about a board's outline, its squares still show how it lies: a guess that is right to
    a third in size and direction suffices.
    """
    near: list[tuple[float, float, Floats]] = []
    for camera in _usual_poses(picture.whole, corners, size):
        beside = (size - _POSE_SQUARES) / 2
        view = picture.at_pitch(camera.move((beside, beside)), _POSE_SQUARES)
        spread = spread_over(take_sightings(view.image, view.camera, _POSE_SQUARES).unwrap(), _POSE_SQUARES)
        if spread < ASTRAY:
            quad = corners_of(camera, size)
            near.append((cv2.contourArea(quad.astype(np.float32)), spread, quad))
    least = min((area for area, _, _ in near), default=0.0)
    # finer squares, two by two or aslant, make lattices as well
    finest = sorted((spread, k) for k, (area, spread, _) in enumerate(near) if area < _SAME_AREA_RATIO * least)
    return [near[k][2] for _, k in finest[:_MAX_POSES]]


def _usual_poses(image: Image, corners: Floats, size: int) -> Iterator[Camera]:
    """Yield cameras of the picture (h, w, 3), held upright, that see a grid with about the middle and area of a place.

    The place has the `corners` (4, 2) px.
    """
    height, width = image.shape[:2]
    focal, _ = usual_focal((width, height), 1.0, cropped=False)
    centre = ((width - 1) / 2, (height - 1) / 2)
    ray = np.array([*(corners.mean(axis=0) - centre) / focal, 1.0])
    pitch = math.sqrt(cv2.contourArea(corners.astype(np.float32))) / size
    for tilt, turn, scale in product(np.radians(_TILTS), np.radians(_TURNS), _SCALES):
        lean, spin = (cv2.Rodrigues(np.array(axis))[0] for axis in ((-tilt, 0.0, 0.0), (0.0, 0.0, turn)))
        rotation = np.asarray(lean @ spin, dtype=np.float64)
        # a square looks smaller by the cosine of the tilt
        distance = focal * math.sqrt(math.cos(tilt)) / (pitch * scale)
        yield Camera(focal, centre, 0.0, rotation, ray * distance - rotation @ (size / 2, size / 2, 0.0))


class _Search:
    """The state of a search: the fits so far, the best of them, and those that the search may continue from."""

    def __init__(self, picture: Reductions, size: int) -> None:
        self._picture, self._size = picture, size
        self._open: list[tuple[float, int, Lattice]] = []
        self._starts: list[Floats] = []
        self._ends: list[Floats] = []
        self.fits = 0
        self.best: Lattice | None = None

    def try_camera(self, camera: Camera) -> bool:
        """Fit a lattice from `camera`, unless it was tried before. Return whether the best fit is now beyond doubt."""
        start = corners_of(camera, self._size)
        if self._among(start, self._starts) or self._among(start, self._ends):
            return False
        self._starts.append(start)
        lattice = self._fit(camera)
        self.fits += 1
        corners = corners_of(lattice.fit.camera, self._size)
        if not self._among(corners, self._ends):
            self._ends.append(corners)
            heapq.heappush(self._open, (lattice.doubt, self.fits, lattice))
        if self.best is None or lattice.doubt < self.best.doubt:
            self.best = lattice
        return self.best.doubt < GOOD

    def try_reframed(self, camera: Camera) -> bool:
        """Fit a lattice from a cropped picture's `camera`. Keep it, and return True, only if it is beyond doubt.

        A cropped picture would also explain half a board under a hand, so a doubtful fit proves nothing.
        """
        lattice = self._fit(camera)
        if lattice.doubt < GOOD:
            self.best = lattice
        return lattice.doubt < GOOD

    def _fit(self, camera: Camera) -> Lattice:
        view = self._picture.at_pitch(camera, self._size)
        return refine_lattice(view.image, view.camera, self._size).scale(view.enlargement)

    def result(self) -> Lattice | None:
        """Return the best lattice so far, or its neighbour if the border is in doubt and the neighbour is better."""
        if self.best is None or self.best.border_error < _NEIGHBOUR_BORDER_ERROR:
            return self.best
        view = self._picture.at_pitch(self.best.fit.camera, self._size)
        reduced = self.best.scale(1.0 / view.enlargement)
        near = neighbour_lattices(view.image, reduced.fit, self._size)
        return min([reduced, *near], key=lambda lattice: lattice.doubt).scale(view.enlargement)

    def cameras_from(self, lattice: Lattice) -> Iterator[Camera]:
        """Yield the cameras with which the search goes on from a lattice, likeliest first.

        The first has the border that agrees best with the network. Then come the _SHIFTS likeliest borders that have
        one side, or the whole grid, moved by one square.
        """
        view = self._picture.at_pitch(lattice.fit.camera, self._size)
        chance = take_sightings(view.image, view.camera, self._size).inside
        yes, no = np.clip(chance, *_PROBABILITY_RANGE), np.clip(1.0 - chance, *_PROBABILITY_RANGE)
        inside = np.log(yes) - np.log(no)
        shifted = sorted(_shift_grid(self._size), key=lambda quad: -_agreement(quad, inside))
        for quad in (_best_border(inside, self._size), *shifted[:_SHIFTS]):
            corners = view.camera.project(np.column_stack([quad, np.zeros(4)]))
            yield rough_camera(view.image, corners, self._size, like=view.camera).scale(view.enlargement)

    def next_start(self) -> Lattice | None:
        """Return the least doubtful fit that the search hasn't continued from, or None."""
        while self._open:
            lattice = heapq.heappop(self._open)[2]
            if lattice.spread < ASTRAY:
                return lattice
        return None

    def _among(self, corners: Floats, others: list[Floats]) -> bool:
        pitch = float(side_lengths(corners).mean()) / self._size
        return any(float(np.linalg.norm(corners - other, axis=1).max()) < _SAME_FIT_SQUARES * pitch for other in others)
