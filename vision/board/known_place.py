"""The lattice where its place is known: under a camera that stands still, or between corners that a person gave."""

from __future__ import annotations

from dataclasses import replace

import numpy.typing as npt

from vision.board.lattice import GOOD, LOST, SHARP, Lattice, lattice_as_given, refine_lattice
from vision.board.lattice_search import search_lattice
from vision.geometry.camera import Camera, corner_shift, corners_of
from vision.geometry.reduced_view import Reductions
from vision.images import Image

_NEAR_GIVEN = 0.4
"""Squares by which a lattice may differ from corners that were given: fingers are that exact. By eye."""
_FAR_FROM_GIVEN = 1.5
"""The same where the picture leaves no doubt of the lattice: hands shake. Measured on corners dragged astray by 0.1 to
0.45 of a square (standard deviation of each coordinate; development sets and `hard_views`): of 876 fits that ended 0.4
to 1.5 squares from them 11 lie more than a quarter of a square off the true grid, the corners nearly always."""
_UNMOVED = 0.1
"""Squares by which a lattice may differ from that of a camera that stands still. By eye, not measured."""


def track_lattice(image: Image, near: Camera, size: int) -> Lattice | None:
    """The lattice of the board that `near` saw, where it still fits a picture (h, w, 3); None where it is to be
    searched."""
    there = refine_lattice(image, near, size)
    moved = corner_shift(near, there.fit.camera, size)
    # a hand over half the board leaves it doubtful, but no other board would lie in this very place
    if (there.doubt < GOOD and moved < _NEAR_GIVEN) or (there.doubt < LOST and moved < _UNMOVED):
        return there
    return None


def lattice_from_corners(image: Image, corners: npt.ArrayLike, size: int) -> Lattice:
    """The lattice at corners (4, 2) px given by a person: refined where the picture agrees.

    Else it is `rivalled`: taken as it is given where the picture shows no squares, or none near enough.
    """
    given = lattice_as_given(image, corners, size)
    fitted = refine_lattice(image, given.fit.camera, size)
    moved = corner_shift(given.fit.camera, fitted.fit.camera, size)
    if fitted.doubt < (LOST if moved < _NEAR_GIVEN else GOOD) and moved < _FAR_FROM_GIVEN:
        return fitted
    if fitted.spread < SHARP and moved < _NEAR_GIVEN:
        return replace(fitted, rivalled=True)
    found = search_lattice(Reductions(image), [corners_of(given.fit.camera, size)], size) or given
    near = corner_shift(given.fit.camera, found.fit.camera, size) < _FAR_FROM_GIVEN
    return found if found.doubt < GOOD and near else replace(given, rivalled=True)
