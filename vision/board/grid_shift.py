"""The grid is a square off: neighbour grids, tiles off the grid, and the check that moves a grid back to its tiles.

A moulded board with a rim a square wide can be taken a whole square beside the board's own grid where tiles or hands
hide its border: rows of tiles then lie off the grid. Names and patterns are printed on rims as well, so letters alone
prove nothing: the lattice must allow for the neighbour grid, too, and more letters must hang together there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.lattice import GOOD, LOST, Lattice, judge_lattice, refine_lattice
from vision.board.sightings import take_sightings
from vision.geometry.camera import Camera, corner_shift, corners_of
from vision.geometry.camera_fit import CameraFit
from vision.geometry.rectify import outside, shrink_to_pitch
from vision.images import Image

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Step = tuple[float, float]
"""Squares, x and y, by which a grid is moved."""

STEPS: tuple[Step, ...] = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
"""The ways in which a grid may be a whole square off. By definition."""
_ANOTHER_GRID = 0.5
"""Squares from which a fit beside another is a different one: it has not slid back. By definition: grids lie one
apart."""
_BORDER_SURE = 0.05
"""Squares on the wrong side of the border, over a side, below which a grid that is beyond doubt has no rivals: with it
9 of 100 grids of the development sets are compared with their neighbours."""
_FITS_WELL = 0.022
"""Doubt from which neighbours are compared, however exact the border: where light had burnt all grooves out a grid lay
a row off without a sign of it (0.028), every square sure. Of 1,648 grids in no doubt (development sets as they are,
too bright and in the sun, six drawn lots) that one alone has a rival. Every sixth of those as they are fits so
badly."""
_FITS_BADLY = 0.031
"""Doubt from which a grid may lie elsewhere, whatever the grids beside it are like. Of those that were in no doubt
otherwise four lay elsewhere under stripes of sun, with 0.033 to 0.043 (two of 139 in two lots of the development sets,
two of 92 in every third picture of them); of 469 right ones that the sun leaves alone (development sets, own6503,
traced3501, hard6421) four have as much, of 137 in the sun 15."""
_SIDE_OUTSIDE = 0.02
"""Share of the grid out of the picture from which neighbours are compared: a border that is out of view proves nothing.
One picture (`hard_views`, faint) lay a row off for sure without it."""
_RIVAL_DOUBT = 1.7
"""Doubt of a rival, by that of the grid it would replace. Measured on the development sets and 174 drawn pictures
(`hard_views`): of the four grids that lay elsewhere all had a neighbour with less than 1.6 times their doubt, and so
had 18 of 447 right ones; 1.5 missed one."""
_RIVAL_BORDER = 1.0
"""Border error of a rival below which letters off the grid may move it there. By eye, not measured."""
_FAR, _AT_EDGE = (2.0, 3.0), 0.5
"""Squares by which grids are aside that are compared, too, where the picture ends at a side of the grid, and the share
out of the picture of the squares beyond it, and of each of them, from which it does: a board of which whole rows are
cut off may go on there. Of 1,277 boards (development sets, rendered games, `hard_views`) 108 ended there and were in no
doubt; one of them lay two columns off with 80 sure squares, and two right ones are in doubt since."""
_CUT = 0.3
"""Share out of the picture of the squares beyond a side, in the mean, from which the grid that lies on them is
compared, however well this one fits: where the near edge was cut off a tiled floor beyond the far one has passed for a
row, and ten squares were sure and wrong. Of 769 boards (development sets, rendered games, drawn lots) 191 end so; of
those found rightly three drawn ones at most are in doubt since."""
_OUTSIDE = 0.2
"""Share of the grid out of the picture from which nobody can count which of the squares in view is the first: of 109
photographs cropped until a side lay outside 12 were read on a wrong grid, 39 of their squares for sure; those called in
doubt since."""
_LEAST_LETTERS = 2
"""Letters off one side of the grid, and letters more on the neighbour grid, from which that is believed. By eye: of
eight rendered games (seed 904) one picture lay a column off, with 34 sure squares wrong; none is wrong since."""


def neighbour_lattices(image: Image, fit: CameraFit, size: int) -> list[Lattice]:
    """The four lattices a whole square beside a fit to a picture (h, w, 3), in the order of STEPS."""
    return _lattices_beside(image, fit, size, STEPS)


def _lattices_beside(image: Image, fit: CameraFit, size: int, steps: Sequence[Step]) -> list[Lattice]:
    """The lattices that lie some `steps` beside a fit to a picture (h, w, 3)."""
    small, reduced = shrink_to_pitch(image, fit.camera, size)
    cameras = [reduced.moved(step) for step in steps]
    seen = [take_sightings(small, camera, size) for camera in cameras]
    fits = [replace(fit, camera=camera) for camera in cameras]
    judged = [judge_lattice(small, *each, size) for each in zip(seen, fits, strict=True)]
    return [lattice.scaled(image.shape[1] / small.shape[1]) for lattice in judged]


def is_rival(other: Lattice, taken: Lattice) -> bool:
    """Whether the picture bears out the `other` grid nearly as well as the one that is `taken`."""
    return other.doubt < _RIVAL_DOUBT * taken.doubt


def is_beyond_doubt(lattice: Lattice) -> bool:
    """Whether a lattice fits, and its border too: no other grid is compared with it."""
    return lattice.doubt < GOOD and lattice.border_error < _BORDER_SURE


def is_in_doubt(lattice: Lattice) -> bool:
    """Whether it may be another grid's place: rivalled, or not to be told as too much is out of the picture."""
    return lattice.rivalled or lattice.outside > _OUTSIDE


def mark_rivalled(image: Image, lattice: Lattice, size: int) -> Lattice:
    """The lattice, and whether a grid beside it rivals it in the picture (h, w, 3): one that fits well and whose border
    is in view has no rivals, and one that fits badly may lie anywhere."""
    if lattice.doubt >= _FITS_BADLY:
        return replace(lattice, rivalled=True)
    settled = is_beyond_doubt(lattice) and lattice.doubt < _FITS_WELL and lattice.outside < _SIDE_OUTSIDE
    others = [] if settled else neighbour_lattices(image, lattice.fit, size)
    others += _lattices_beside(image, lattice.fit, size, _steps_out_of_view(image, lattice.fit.camera, size))
    return replace(lattice, rivalled=any(is_rival(other, lattice) for other in others))


def _steps_out_of_view(image: Image, camera: Camera, size: int) -> list[Step]:
    """The steps over those sides of the grid at which the picture (h, w, 3) ends: one square where it cuts through
    those beyond, and more where it ends before them."""
    around = outside(image, camera.moved((-1.0, -1.0)), size + 2)
    beyond = (around[1:-1, -1], around[1:-1, 0], around[-1, 1:-1], around[0, 1:-1])
    steps = [step for step, squares in zip(STEPS, beyond, strict=True) if squares.mean() > _CUT]
    ended = [s for s, squares in zip(STEPS, beyond, strict=True) if (squares > _AT_EDGE).mean() > _AT_EDGE]
    return [*steps, *((far * x, far * y) for x, y in ended for far in _FAR)]


def best_of_neighbours(image: Image, lattice: Lattice, size: int) -> Lattice:
    """The lattice, or the neighbour that is less in doubt: the picture (h, w, 3) shows its border."""
    return min([lattice, *neighbour_lattices(image, lattice.fit, size)], key=lambda each: each.doubt)


def neighbour_corners(image: Image, camera: Camera, size: int) -> list[Floats]:
    """Corners (4, 2) px of the neighbour grids that a picture (h, w, 3) allows for, the least doubtful first."""
    near = sorted(neighbour_lattices(image, CameraFit(camera, 1.0), size), key=lambda lattice: lattice.doubt)
    return [corners_of(lattice.fit.camera, size) for lattice in near if lattice.doubt < LOST]


def shifted_lattice(image: Image, camera: Camera, step: Step, taken: Lattice, size: int) -> Lattice | None:
    """The lattice a `step` beside that of `camera`; None where the picture (h, w, 3) does not allow for one there."""
    other = refine_lattice(image, camera.moved(step), size)
    slid_back = corner_shift(camera, other.fit.camera, size) < _ANOTHER_GRID
    allowed = other.doubt < LOST and other.border_error < _RIVAL_BORDER and is_rival(other, taken)
    return other if allowed and not slid_back else None


def step_onto_grid(letters: Sequence[tuple[int, int]], size: int) -> Step | None:
    """The step by which an n x n grid must move for the most `letters` off it, (row, col), to come to lie on it.

    None where too few lie off any one side.
    """
    found = {step: sum(_lands(square, size, step) for square in letters) for step in STEPS}
    best = max(STEPS, key=lambda step: found[step])
    return best if found[best] >= _LEAST_LETTERS else None


def _lands(square: tuple[int, int], size: int, step: Step) -> bool:
    """Whether a square off the grid lies on it after a step."""
    row, col = square
    return 0 <= row - int(step[1]) < size and 0 <= col - int(step[0]) < size


def more_letters_together(there: int, here: int) -> bool:
    """Whether the neighbour grid, where so many letters hang together, is to be believed rather than this one."""
    return there - here >= _LEAST_LETTERS


def letters_together(tiles: Flags, hidden: Flags, legible: Flags) -> int:
    """The legible letters of the group of tiles that has the most; (n, n) each, and so do plays hang together (rule 4).

    What a hand hides may join two groups, and none of its letters count.
    """
    groups, group_of = cv2.connectedComponents((tiles | hidden).astype(np.uint8), connectivity=4)
    letters = tiles & ~hidden & legible
    return max((int(letters[group_of == group].sum()) for group in range(1, groups)), default=0)
