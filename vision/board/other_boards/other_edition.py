"""Boards of another edition: a grid of the wrong number of squares can be laid over some that are seen badly.

Where the grid that was found leaves room for doubt, one of the other edition is looked for at the same places. Where it
fits clearly better, that is said; where nearly as well, the grid is in doubt.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.editions import EDITIONS
from vision.board.detect import Location, corners_at
from vision.board.grid_shift import is_beyond_doubt
from vision.board.lattice import GOOD, LOST, SHARP, Lattice, is_board, may_be_board
from vision.board.lattice_search import search_lattice
from vision.errors import BoardNotFound
from vision.geometry.camera import corners_of
from vision.geometry.corners import corner_gaps, side_lengths
from vision.geometry.reduced_view import Reductions

Floats = npt.NDArray[np.float64]

_OTHER_EDITION = "The board has {} by {} squares, not {} by {}: choose the edition that lies on the table."
_LESS = 0.85
"""Share of a board's doubt below which one of another edition is believed to be there instead. Measured on the boards
that are doubted at all: of 95 looks with the right edition (development sets, rendered games, `hard_views`) the other
one's doubt was 0.94 of theirs at least, of 13 with the wrong edition 0.45 to 0.91. Of twelve faint grids that words
bear out six were boards of the other edition, cut off: 0.6 to 0.8, and 2.1 and more the others."""
_NEARLY = 1.1
"""Share of a board's doubt up to which one of another edition rivals it. Of 1,282 boards found with the right edition
(as above) three that lay aside had such a rival, of 13 found with the wrong one seven; one fit at the best place tells
all but one of these, in 50 ms."""
_ASIDE = 0.8
"""Squares by which a grid's corners must lie off the place that was located, in the mean, for that to be asked: boards
of either edition are located by their outline, so that a grid of another number of squares comes to lie elsewhere. So
did 5 % of 645 boards found with the right edition, and six of those seven."""
_PLACES, _BUDGET = 2, 3
"""Places at which, and fits with which, it is asked whether a doubtful board is one of another edition: it saves time.
By eye."""


class OtherEdition(BoardNotFound):
    """A board of another edition lies in the picture, its `corners` (4, 2) px."""

    def __init__(self, text: str, corners: Floats) -> None:
        super().__init__(text)
        self.corners = corners


def refuse_other_edition(
    picture: Reductions, places: list[Location], size: int, best: Lattice | None
) -> None:
    """Raise OtherEdition when a board of another edition's size is seen less doubtfully than the `best` of this.

    Only a lattice that is seen sharply, and does not fit quite, makes one look.
    """
    if best is None or best.spread > SHARP or is_beyond_doubt(best):
        return
    most = LOST if is_board(best) or may_be_board(best) else GOOD
    for other in _other_sizes(size):
        lattice = _there(picture, places[:_PLACES], other, _BUDGET)
        if lattice is not None and lattice.doubt < min(most, _LESS * best.doubt):
            there = corners_of(lattice.fit.camera, other)
            raise OtherEdition(_OTHER_EDITION.format(other, other, size, size), there)


def is_rivalled_by_other_edition(
    picture: Reductions, places: list[Location], size: int, found: Lattice
) -> bool:
    """Whether a board of another edition's size fits nearly as well as what was found: asked only where that lies aside
    from the best of the `places`."""
    if not places or _squares_aside(corners_of(found.fit.camera, size), places[0].corners, size) < _ASIDE:
        return False
    rivals = (_there(picture, places[:1], other, 1) for other in _other_sizes(size))
    return any(rival is not None and rival.doubt < _NEARLY * found.doubt for rival in rivals)


def _other_sizes(size: int) -> list[int]:
    return sorted({edition.size for edition in EDITIONS.values()} - {size})


def _there(picture: Reductions, places: list[Location], size: int, budget: int) -> Lattice | None:
    """The lattice of a board of that size at one of the places, with so many fits."""
    return search_lattice(picture, corners_at(places), size, budget=budget)


def _squares_aside(grid: Floats, place: Floats, size: int) -> float:
    """How far the corners (4, 2) px of a place lie from those of a grid, whichever comes first: the mean, squares."""
    gap = float(corner_gaps(place, grid).mean(axis=1).min())
    return gap / (float(side_lengths(grid).mean()) / size)
