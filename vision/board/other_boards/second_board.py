"""A second board in the picture: one that is not being played on, or that of another edition beside the one that is."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.detect import Location, corners_at, locate_beside
from vision.board.grid_shift import mark_rivalled
from vision.board.lattice import Lattice, is_board
from vision.board.lattice_search import search_lattice
from vision.errors import BoardNotFound
from vision.geometry.camera import corners_of
from vision.geometry.reduced_view import Reductions
from vision.images import Image

Floats = npt.NDArray[np.float64]

_TWO_BOARDS = (
    "Two boards are in the picture, one {} the other: leave out the one that is not being played on."
)
_SECOND_PLACES, _SECOND_BUDGET = 3, 7
"""Places apart from the board at which a second one is looked for, and fits with which. Of 44 pictures put together of
two boards of one size 43 are told, of 1,004 of one board none; with three fits, and no look beside the board, 20."""


def board_beside(image: Image, there: Floats, size: int) -> Lattice | None:
    """The lattice of a board of this size beside one of another edition, (4, 2) px; None where there is none."""
    lattice = _board_apart(Reductions(image), locate_beside(image, there), there, size)
    return lattice and mark_rivalled(image, lattice, size)


def refuse_two_boards(picture: Reductions, best: Lattice, places: list[Location], size: int) -> None:
    """Raise BoardNotFound when beside the `best` lattice, or at one of the `places`, lies a board of that size, too."""
    there = corners_of(best.fit.camera, size)
    second = _board_apart(picture, places + locate_beside(picture.whole, there), there, size)
    if second is not None:
        across, down = np.abs(corners_of(second.fit.camera, size).mean(axis=0) - there.mean(axis=0))
        raise BoardNotFound(_TWO_BOARDS.format("beside" if across > down else "above"))


def _board_apart(picture: Reductions, places: list[Location], there: Floats, size: int) -> Lattice | None:
    """The lattice of a board at one of the `places` that lies apart from the one `there`, (4, 2) px."""
    near = [place for place in places if _apart(place.corners, there)]
    near.sort(key=lambda place: -place.score)
    found = search_lattice(picture, corners_at(near[:_SECOND_PLACES]), size, budget=_SECOND_BUDGET)
    if found is None or not is_board(found) or not _apart(corners_of(found.fit.camera, size), there):
        return None
    return found


def _apart(one: Floats, other: Floats) -> bool:
    """Whether neither of two quadrilaterals (4, 2) px holds the other's middle."""
    pairs = ((one, other), (other, one))
    return all(
        cv2.pointPolygonTest(quad.astype(np.float32), tuple(map(float, held.mean(axis=0))), False) < 0
        for quad, held in pairs
    )
