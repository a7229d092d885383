"""The fit of the whole lattice: from a rough quadrilateral to a camera precise to a few hundredths of a square.

The board is rectified with the current camera. A network says how far every square lies from its expected place, and
how sure it is, because tiles, glare and hands hide the board. The camera is then fitted to all of these sightings at
once. Two or three rounds of this are usually enough.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine import EDITIONS
from vision.board.sightings import LATTICE_MARGIN, Sightings, correspondences, take_sightings
from vision.geometry.camera import Camera, homography_from_corners
from vision.geometry.camera_fit import (
    AS_TAKEN,
    CameraFit,
    camera_at_corners,
    camera_from_corners,
    fit_camera,
    fit_framing,
    initial_camera,
    measure_bulge,
)
from vision.geometry.rectify import outside, shrink_to_pitch
from vision.images import Image

GOOD = 0.028
"""Doubt below which a lattice is taken without a further search. Measured with the latest training of the network: of
679 boards in the right place 49 have more doubt, and of four in a wrong place one has less.
[by hand, sets, own2613, hard_views]"""
LOST = 0.042
"""Doubt beyond which a lattice is no board of this size. [by eye]"""
_MAX_ROUND_SPREADS = (0.18, 0.075, 0.055, 0.055)
"""Spread, cells, beyond which each round of looking and fitting is the last. Of 602 fits that ended on a board, none
had a spread of more than 0.15, 0.064, 0.046 and 0.044 in these rounds. The limits saved one in eight rounds of the
other fits. [by hand, sets, hard_views]"""
_CONVERGED_CELLS = 0.015
"""Mean displacement, cells, below which another round would change nothing that matters. [by eye]"""
_GIVEN_SPREAD = 0.05
"""Spread, cells, of a lattice at corners that a person gave, which no picture confirms. [by eye]"""
_HIDDEN_SQUARE_SHARE = 0.5
"""Share of a square out of the picture from which its sighting says nothing about the board. [by eye]"""
_SHARP_OUTSIDE_SHARE, _SHARP_INLIER_SHARE = 0.2, 0.95
"""Most of the grid that may lie out of the picture, and least share of inliers, of a sharp lattice. [by eye]"""
_LEAST_SHARE = 0.1
"""Share of inliers, and of the grid in the picture, below which doubt grows no further. It keeps doubt finite.
Its origin is not on record."""

SHARP = 0.035
"""Spread, cells, below which the network surely sees a lattice. Measured with the two border errors that follow.
[by hand]"""
_COVERED_WITHIN_ERROR, _COVERED_BEYOND_ERROR = 1.1, 0.3
"""Border errors within and beyond the grid, squares over a side, up to which a hand or another cover explains the doubt
of a sharp lattice. Measured on 96 pictures of simulated boards of other sizes, printed grids, graph paper, keyboards
and bare tables. Those refused with less spread than SHARP had more than 1.2 within or 0.9 beyond. All others had a
spread of more than 0.044. [by hand]"""
_FAINT_DOUBT, _FAINT_BORDER_ERROR = 0.065, 0.05
"""Doubt, and border error (squares over a side), up to which letters or words may confirm a faint lattice. Measured on
pictures that were refused. Of seven such lattices on boards (`hard_views`) six lay within 0.28 of a square, and one 0.6
of a square off. Of 400 pictures of tables without a board one had such a lattice, without a letter. Of 1,310 pictures
with the wrong edition six had one with words. These give way to the other edition's grid
(`vision.board.lookalikes`). [by hand, hard_views]"""
_SURROUNDED_BEYOND_ERROR = 1.5
"""Border error beyond the grid, squares over a side, up to which a floor or a cloth of squares may explain it. Of 620
boards in rendered games and `hard_views` one lies on such a floor, with 1.06. Of 260 searches for the wrong number of
squares four ended so, with 0.73 to 0.97, and no letters confirm them. [by hand, hard_views]"""
_MAX_MISFIT_CELLS = 0.12
"""Misfit, cells, from which no square of a grid is sure. Of 90 right grids, 30 of them under hands, none had more than
0.03. With one corner dragged by half a square 25 of 28 had 0.18 and more; the others show no sharp lines.
[by hand, dev]"""


@dataclass(frozen=True)
class Lattice:
    """A fitted grid.

    Attributes:
        fit: the camera and its quality.
        spread: median standard deviation that the network gives the grid's squares, cells. Large where no lattice is.
        border_error: squares seen more likely than not on the wrong side of the border, over the length of a side.
        beyond: the part of border_error that comes from squares outside this grid that seem to belong to a grid.
        outside: share of the grid's squares that lie outside the picture.
        misfit: how far the lines lie from the grid's where they differ most, cells (`Sightings.largest_misfit`).
        rivalled: whether the picture supports another grid nearly as well, either whole squares beside this one or
            another edition's. For corners that a person gave: whether the picture doesn't support this grid.
        printed: whether the grid looks printed on paper (`vision.board.lookalikes`).
        unproven: whether the lattice is too doubtful to be taken unless letters or words confirm it.
    """

    fit: CameraFit
    spread: float
    border_error: float
    outside: float
    beyond: float = 0.0
    misfit: float = 0.0
    rivalled: bool = False
    printed: bool = False
    unproven: bool = False

    @property
    def within(self) -> float:
        """The part of the border error that comes from squares of this grid that seem to lie outside any grid."""
        return self.border_error - self.beyond

    @property
    def doubt(self) -> float:
        """The spread, widened for squares and borders that disagree with the fit, and for squares out of view."""
        agreed = max(self.fit.inliers, _LEAST_SHARE) ** 2 * max(1.0 - self.outside, _LEAST_SHARE)
        return self.spread / agreed * (1.0 + self.border_error)

    def scale(self, factor: float) -> Lattice:
        """Return this lattice in the picture resized by `factor`."""
        return replace(self, fit=replace(self.fit, camera=self.fit.camera.scale(factor)))


def is_board(lattice: Lattice) -> bool:
    """Return whether a lattice belongs to a board: little doubt, or sharp with border errors that a cover explains."""
    covered = lattice.beyond < _COVERED_BEYOND_ERROR and lattice.within < _COVERED_WITHIN_ERROR
    return lattice.doubt < LOST or (covered and _is_sharp(lattice))


def may_be_board(lattice: Lattice) -> bool:
    """Return whether a refused lattice may be a board's: faint with its border in place, or among similar squares."""
    faint = lattice.doubt < _FAINT_DOUBT and shows_border(lattice)
    return faint or goes_on(lattice)


def shows_border(lattice: Lattice) -> bool:
    """Return whether nearly all squares in the picture seem to lie on their own side of the border."""
    return lattice.border_error < _FAINT_BORDER_ERROR


def is_off(lattice: Lattice) -> bool:
    """Return whether somewhere on the board the lines in the picture miss those of the lattice."""
    return lattice.misfit > _MAX_MISFIT_CELLS


def goes_on(lattice: Lattice) -> bool:
    """Return whether a sharp lattice seems to go on beyond its border, as on a tiled floor or a chequered cloth."""
    beyond = _COVERED_BEYOND_ERROR <= lattice.beyond < _SURROUNDED_BEYOND_ERROR
    return _is_sharp(lattice) and lattice.within < _FAINT_BORDER_ERROR and beyond


def _is_sharp(lattice: Lattice) -> bool:
    """Return whether a lattice is seen sharply, nearly all in the picture, and fits nearly all of its squares."""
    agreed = lattice.outside < _SHARP_OUTSIDE_SHARE and lattice.fit.inliers > _SHARP_INLIER_SHARE
    return agreed and lattice.spread < SHARP


def rough_camera(image: Image, corners: npt.ArrayLike, size: int, like: Camera | None = None) -> Camera:
    """Return a first camera from the grid's corners (4, 2) px, clockwise from any corner.

    It has the principal point and the pixels of `like`, another camera of this picture (h, w, 3), if that is given.
    """
    (height, width), plane = image.shape[:2], homography_from_corners(corners, size)
    return initial_camera(plane, (width, height), square=_square(size), like=like)


def reframe_camera(image: Image, corners: npt.ArrayLike, size: int) -> Camera | None:
    """Return a first camera of a cropped or squeezed picture (h, w, 3), or None if the corners (4, 2) px show neither.

    Return None, too, for a board whose cells need not be square.
    """
    height, width = image.shape[:2]
    return camera_from_corners(corners, size, (width, height)) if _square(size) else None


def take_as_given(image: Image, corners: npt.ArrayLike, size: int) -> Lattice:
    """Return a lattice that lies at the given corners (4, 2) px."""
    height, width = image.shape[:2]
    start = reframe_camera(image, corners, size) or rough_camera(image, corners, size)
    camera = camera_at_corners(start, corners, size, (width, height), square=_square(size))
    return Lattice(CameraFit(camera, 1.0), _GIVEN_SPREAD, 0.0, 0.0)


def _square(size: int) -> bool:
    """Return whether cells are known to be square. Those of Upwords boards are; those of another game need not be."""
    return any(edition.size == size for edition in EDITIONS.values())


def refine_lattice(image: Image, camera: Camera, size: int) -> Lattice:
    """Fit a lattice to a picture (h, w, 3), from `camera`, until it converges.

    Stop early if it can't belong to a board.
    """
    small, camera = shrink_to_pitch(image, camera, size)
    scale, square = image.shape[1] / small.shape[1], _square(size)
    height, width = small.shape[:2]
    fit = CameraFit(camera, 0.0)
    for most_spread in _MAX_ROUND_SPREADS:
        sightings = take_sightings(small, fit.camera, size).unwrap()
        if spread_over(sightings, size) > most_spread:
            return judge_lattice(small, sightings, fit, size).scale(scale)
        points = correspondences(fit.camera, size, sightings)
        fit = fit_camera(fit.camera, points, (width, height), square=square)
        if sightings.mean_displacement() < _CONVERGED_CELLS:
            break
    sightings = take_sightings(small, fit.camera, size)
    # The sightings that judge the grid also serve for a last step of the fit.
    points = correspondences(fit.camera, size, sightings)
    fit = fit_camera(fit.camera, points, (width, height), square=square)
    reframed = fit_framing(fit, points, (width, height)) if square else fit
    if AS_TAKEN.is_of(fit.camera) and not AS_TAKEN.is_of(reframed.camera):
        # The earlier sightings were taken through the wrong lens.
        again = refine_lattice(image, reframed.camera.scale(scale), size)
        if again.doubt < max(judge_lattice(small, sightings, fit, size).doubt, GOOD):
            return again
        reframed = replace(fit, framing_in_doubt=True)
    bulge = measure_bulge(reframed.camera, points, size, (width, height), square=square)
    return judge_lattice(small, sightings, replace(reframed, bulge=bulge), size).scale(scale)


def spread_over(sightings: Sightings, size: int) -> float:
    """Return the median of the network's spread over the grid's squares, cells."""
    inner = slice(LATTICE_MARGIN, LATTICE_MARGIN + size)
    return float(np.median(sightings.spread[inner, inner]))


def judge_lattice(image: Image, sightings: Sightings, fit: CameraFit, size: int) -> Lattice:
    """Return a fitted grid as a lattice: how well the sightings in the picture (h, w, 3) support it."""
    inner = slice(LATTICE_MARGIN, LATTICE_MARGIN + size)
    expected = np.zeros(sightings.inside.shape)
    expected[inner, inner] = 1.0
    # Where a hand hides the border, the network is undecided. That is no evidence against a grid.
    wrong = np.maximum(2.0 * np.abs(sightings.inside - expected) - 1.0, 0.0)
    corner = (-float(LATTICE_MARGIN), -float(LATTICE_MARGIN))
    off = outside(image, fit.camera.move(corner), size + 2 * LATTICE_MARGIN)
    wrong = wrong * (1.0 - off)
    border_error, beyond = (float(part.sum()) / size for part in (wrong, wrong * (1.0 - expected)))
    in_view = sightings.spread[inner, inner][off[inner, inner] < _HIDDEN_SQUARE_SHARE]
    spread = float(np.median(in_view)) if in_view.size else spread_over(sightings, size)
    misfit = sightings.largest_misfit(off[inner, inner] < _HIDDEN_SQUARE_SHARE)
    return Lattice(fit, spread, border_error, float(off[inner, inner].mean()), beyond, misfit)
