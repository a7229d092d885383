"""Fitting the whole lattice: from a rough quadrilateral to a camera precise to a few hundredths of a square.

The board is rectified with the camera so far; a network tells for every square how far it really lies from where
it should be, and how sure it is of that (tiles hide the board, glare and hands too); the camera is fitted to all of
these sightings at once, two or three times over.
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
    camera_from_corners,
    fit_camera,
    fit_framing,
    initial_camera,
)
from vision.geometry.rectify import outside, shrink_to_pitch
from vision.images import Image

Floats = npt.NDArray[np.float64]

GOOD = 0.028
"""Doubt below which a lattice is taken without looking further. Measured with the lattice's last training: of 679
boards found rightly (development sets, `own2613`, `hard_views`) 49 have more, of four found wrongly one has less."""
LOST = 0.042
"""Doubt beyond which what was found is no board of this size. By eye; lowered when, with an earlier training of the
lattice network, the doubts of the development sets' boards fell."""
_HOPELESS = (0.18, 0.075, 0.055, 0.055)
"""Spread, cells, from which each round of looking and fitting is the last: two or three rounds mostly do. Of 602 fits
that ended on a board (development sets, `hard_views`) none had a spread of more than 0.15, 0.064, 0.046 and 0.044 in
its rounds; every eighth round of the others was saved."""
_CONVERGED = 0.015
"""Mean displacement (cells) at which another round would change nothing that matters. By eye, not measured."""
_GIVEN_SPREAD = 0.05
"""Spread of a lattice that is taken as it was given: no picture vouches for it. By eye."""
_IN_VIEW = 0.5
"""Share of a square out of the picture below which its sighting says something of the board. By eye."""
_MOST_OUTSIDE, _AGREED = 0.2, 0.95
"""Share of the grid out of the picture, and of inliers, up to which and from which that holds. By eye, not measured."""
_LEAST_AGREED = 0.1
"""Share of inliers, and of the grid in the picture, below which doubt grows no further: keeps it finite."""


SHARP = 0.035
"""Spread, cells, below which the network sees a lattice. Measured as the next two."""
_MISSED, _BEYOND = 1.1, 0.3
"""Spread, cells, and border errors within and beyond the grid up to which a hand, or what else covers a side, explains
the doubt. Measured on 96 looks at drawn boards of other sizes, printed grids, graph paper, keyboards and bare tables:
those refused with less spread had more than 1.2 within or 0.9 beyond, all others a spread of more than 0.044."""
_PERHAPS, _BORDER_MET = 0.065, 0.05
"""Doubt and border error up to which what lies on a lattice may bear it out though it is in doubt. Measured on looks
that were refused: of seven such at boards (`hard_views`) six lay within 0.28 of a square, one 0.6 of a square off; of
400 looks at tables without a board one was such, without a letter, and of 1,310 with the wrong edition six with words,
which give way to the other edition's grid (`vision.board.lookalikes`)."""
_AROUND = 1.5
"""Border error beyond the grid up to which a floor or a cloth of squares may explain it. Of 620 boards in rendered
games and `hard_views` one is such, on a tiled floor, with 1.06; of 260 looks for another number of squares four, with
0.73 to 0.97, that no letters bear out."""


@dataclass(frozen=True)
class Lattice:
    """The fitted grid.

    Attributes:
        fit: the camera and its quality.
        spread: median of the network's own spread over the grid's squares, cells: large where no lattice is.
        border_error: squares seen more likely on the wrong side of the border than not, over the length of a side.
        beyond: the part of it on squares that are none of this grid's and seem to belong to one.
        outside: share of the grid's squares that lie outside the picture.
        rivalled: the picture bears out another grid nearly as well, whole squares beside this one or another edition's;
            between given corners, it does not bear out this one.
        printed: it looks like a grid printed on paper (`vision.board.lookalikes`).
        unproven: it is too doubtful to be taken, unless what lies on it bears it out.
    """

    fit: CameraFit
    spread: float
    border_error: float
    outside: float
    beyond: float = 0.0
    rivalled: bool = False
    printed: bool = False
    unproven: bool = False

    def __post_init__(self) -> None:
        if not (self.spread > 0 and self.border_error >= 0 and 0 <= self.outside <= 1):
            raise ValueError(
                f"no lattice: spread {self.spread}, border {self.border_error}, outside {self.outside}"
            )

    @property
    def within(self) -> float:
        """The part of the border error on squares of this grid that seem to be none."""
        return self.border_error - self.beyond

    @property
    def doubt(self) -> float:
        """The spread, widened where squares or the border do not agree with the fit, and where much of it is not seen.

        Large where no such board is.
        """
        agreed = max(self.fit.inliers, _LEAST_AGREED) ** 2 * max(1.0 - self.outside, _LEAST_AGREED)
        return self.spread / agreed * (1.0 + self.border_error)

    def scaled(self, factor: float) -> Lattice:
        """The same in the picture resized by `factor`."""
        return replace(self, fit=replace(self.fit, camera=self.fit.camera.scaled(factor)))


def is_board(lattice: Lattice) -> bool:
    """Whether a lattice is that of a board: little in doubt, or sharp, and no square beyond it seems to be its own."""
    covered = lattice.beyond < _BEYOND and lattice.within < _MISSED
    return lattice.doubt < LOST or (covered and _is_sharp(lattice))


def may_be_board(lattice: Lattice) -> bool:
    """Whether a lattice that `is_board` refuses may be a board's all the same.

    It is faint, its border where it belongs; or sharp, and what lies around it looks like squares of it, too.
    """
    faint = lattice.doubt < _PERHAPS and lattice.border_error < _BORDER_MET
    return faint or goes_on(lattice)


def goes_on(lattice: Lattice) -> bool:
    """Whether a sharp lattice has squares around it that seem to be its own: the floor's, or a cloth's."""
    return _is_sharp(lattice) and lattice.within < _BORDER_MET and _BEYOND <= lattice.beyond < _AROUND


def _is_sharp(lattice: Lattice) -> bool:
    """Whether a lattice is seen sharply, nearly all of it in the picture, and its squares agree."""
    agreed = lattice.outside < _MOST_OUTSIDE and lattice.fit.inliers > _AGREED
    return agreed and lattice.spread < SHARP


def rough_camera(image: Image, corners: npt.ArrayLike, size: int, like: Camera | None = None) -> Camera:
    """A first camera from the grid's corners (4, 2) px, any of them first, clockwise.

    Its principal point and pixels are as those of `like`, another one of this picture, where that is known.
    """
    (height, width), plane = image.shape[:2], homography_from_corners(corners, size)
    return initial_camera(plane, (width, height), square=_square(size), like=like)


def reframed_camera(image: Image, corners: npt.ArrayLike, size: int) -> Camera | None:
    """The same of a picture that was cropped or squeezed; None where the corners (4, 2) px do not say so.

    Of boards whose cells need not be square they never do.
    """
    height, width = image.shape[:2]
    return camera_from_corners(corners, size, (width, height)) if _square(size) else None


def lattice_as_given(image: Image, corners: npt.ArrayLike, size: int) -> Lattice:
    """The lattice of corners (4, 2) px that are taken as they are."""
    camera = reframed_camera(image, corners, size) or rough_camera(image, corners, size)
    return Lattice(CameraFit(camera, 1.0), _GIVEN_SPREAD, 0.0, 0.0)


def _square(size: int) -> bool:
    """Whether cells are known to be square: those of Upwords's boards are, another game's need not be."""
    return any(edition.size == size for edition in EDITIONS.values())


def refine_lattice(image: Image, camera: Camera, size: int) -> Lattice:
    """The lattice on which fits to a picture (h, w, 3) converge from `camera`; one that is hopeless is left early."""
    small, camera = shrink_to_pitch(image, camera, size)
    scale, square = image.shape[1] / small.shape[1], _square(size)
    height, width = small.shape[:2]
    fit = CameraFit(camera, 0.0)
    for most_spread in _HOPELESS:
        seen = take_sightings(small, fit.camera, size).unwrapped()
        if _spread(seen, size) > most_spread:
            return judge_lattice(small, seen, fit, size).scaled(scale)
        points = correspondences(fit.camera, size, seen)
        fit = fit_camera(fit.camera, points, (width, height), square=square)
        if seen.mean_displacement() < _CONVERGED:
            break
    seen = take_sightings(small, fit.camera, size)
    # the sighting by which the grid is judged serves for a last step, too
    points = correspondences(fit.camera, size, seen)
    fit = fit_camera(fit.camera, points, (width, height), square=square)
    taken = judge_lattice(small, seen, fit, size).scaled(scale)
    reframed = fit_framing(fit, points, (width, height)) if square else fit
    if AS_TAKEN.is_of(fit.camera) and not AS_TAKEN.is_of(reframed.camera):
        # what was seen so far was seen through the wrong lens
        again = refine_lattice(image, reframed.camera.scaled(scale), size)
        return again if again.doubt < max(taken.doubt, GOOD) else taken
    return taken if reframed is fit else judge_lattice(small, seen, reframed, size).scaled(scale)


def _spread(seen: Sightings, size: int) -> float:
    """Median of the network's own spread over the grid's squares, cells."""
    inner = slice(LATTICE_MARGIN, LATTICE_MARGIN + size)
    return float(np.median(seen.spread[inner, inner]))


def judge_lattice(image: Image, seen: Sightings, fit: CameraFit, size: int) -> Lattice:
    """How well what was seen in the picture (h, w, 3) bears out a fitted grid."""
    inner = slice(LATTICE_MARGIN, LATTICE_MARGIN + size)
    expected = np.zeros(seen.inside.shape)
    expected[inner, inner] = 1.0
    # where a hand hides the border the network does not know, which speaks against no grid
    wrong = np.maximum(2.0 * np.abs(seen.inside - expected) - 1.0, 0.0)
    corner = (-float(LATTICE_MARGIN), -float(LATTICE_MARGIN))
    off = outside(image, fit.camera.moved(corner), size + 2 * LATTICE_MARGIN)
    wrong = wrong * (1.0 - off)
    border_error, beyond = (float(part.sum()) / size for part in (wrong, wrong * (1.0 - expected)))
    in_view = seen.spread[inner, inner][off[inner, inner] < _IN_VIEW]
    spread = float(np.median(in_view)) if in_view.size else _spread(seen, size)
    return Lattice(fit, spread, border_error, float(off[inner, inner].mean()), beyond)
