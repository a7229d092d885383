"""Boards for chess and draughts: squares of two colours in turn, which no letter-tile game has.

Grids printed on paper: crosswords, squared sheets, diagrams, which lie as flat and as regular as a board.

A board may be printed, too, and white: what looks like paper is doubted, not refused. What is moulded has edges that
catch the light on one side and cast a shadow on the other, and so its lines are darker one way than the other.

Boards of another edition: a grid of the wrong number of squares can be laid over some that are seen badly.

Where the grid that was found leaves room for doubt, one of the other edition is looked for at the same places. Where it
fits clearly better, that is said; where nearly as well, the grid is in doubt.

A second board in the picture: one that is not being played on, or that of another edition beside the one that is.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from engine import EDITIONS
from vision.board.detect import Location, corners_at, locate_beside
from vision.board.grid_shift import is_beyond_doubt, mark_rivalled
from vision.board.lattice import GOOD, LOST, SHARP, Lattice, is_board, may_be_board
from vision.board.lattice_search import search_lattice
from vision.errors import BoardNotFound
from vision.geometry.camera import Camera, corner_gaps, corners_of, side_lengths
from vision.geometry.rectify import Reductions, outside, rectify
from vision.images import Image

Floats = npt.NDArray[np.float64]

_CHEQUERED_PX = 12
"""Pixels a square at which colours are looked up."""
_EDGE = (2, 9)
"""First pixels, each way, of the patches of 2 by 2 near a square's corners, which pieces leave free."""
_IN_TURN = 0.85
"""Share of the squares in view whose colour must be the one that is in turn. Measured: 1 on eight drawn boards for
chess and draughts with pieces on a third of the squares, 0.6 at most on 225 letter-tile boards (development sets and
drawn)."""
_LEAST_IN_VIEW = 0.5
"""Share of the board that must be in view to tell. By eye."""


def is_chequered(image: Image, camera: Camera, size: int) -> bool:
    """Whether the squares of the n x n grid that `camera` sees in the picture (h, w, 3) are of two colours in turn."""
    in_view = outside(image, camera, size) == 0.0
    if in_view.mean() < _LEAST_IN_VIEW:
        return False
    return share_in_turn(_colours(image, camera, size)[in_view], _parity(size)[in_view]) >= _IN_TURN


def share_in_turn(colours: Floats, odd: npt.NDArray[np.bool_]) -> float:
    """The share of squares (m,) whose colour (m, 3) is nearer the usual one of those in turn with it."""
    middle = [np.median(colours[odd == which], axis=0) for which in (False, True)]
    across = middle[1] - middle[0]
    towards_odd = (colours - (middle[0] + middle[1]) / 2.0) @ across > 0.0
    return float(np.mean(towards_odd == odd))


def _colours(image: Image, camera: Camera, size: int) -> Floats:
    """The median colour (n, n, 3) near the corners of each square."""
    flat = (
        rectify(image, camera, size, _CHEQUERED_PX, 0.0)
        .reshape(size, _CHEQUERED_PX, size, _CHEQUERED_PX, 3)
        .transpose(0, 2, 1, 3, 4)
    )
    at = np.add.outer(_EDGE, (0, 1)).ravel()
    near = flat[:, :, at][:, :, :, at].reshape(size, size, -1, 3)
    return np.asarray(np.median(near, axis=2), dtype=np.float64)


def _parity(size: int) -> npt.NDArray[np.bool_]:
    return np.asarray(np.add.outer(np.arange(size), np.arange(size)) % 2 == 1)


Flags = npt.NDArray[np.bool_]

_PRINTED_PX, _COARSE = 32, 6
"""Pixels a square at which lines, and the colour of the whole, are looked at."""
_SPARSE = 8
"""Pixels of the picture between those that tell what is white in it."""
_PALE, _GREY = 0.7, 0.35
"""Brightness, as a share of the picture's white, and saturation, from which and up to which squares may be paper."""
_ALIKE = 30.0
"""Grey levels within which a square is of the usual colour. By eye."""
_LEAST_LINES = 5
"""Lines between two bare squares, each way, from which their profile is known. By eye."""
_DARK, _EVEN, _NOISE, _LIT = 0.006, 0.93, 0.0012, 0.02
"""Darkness of a line, share of the ground a square wide; that of the fainter way by the other's, or how much less it
may be; and how far beside a line the ground may be lighter. Measured with the two above on drawn empty grids,
crosswords and sheets for battleships seen aslant, and on letter-tile boards: of 21 of the former, not looked at
before, 18 pass, of the latter six of 234 drawn ones (`hard_views`), which are white with dark lines."""
_STACKED, _LEAST_STACKS = 0.97, 2
"""Probability of two tiles or more, and the squares with it, from which no paper lies there. Measured: none of 529
letters, numbers and crosses on twelve sheets of paper had it with 0.9."""
_RAISED, _LEAST_RAISED = 0.15, 3
"""Probability that a face lies so many slices of the sweep above the board, or more, from which it stands up from it;
no paper lies where two do. Measured on the first play of 55 games (48 of which have it), two of them on pale boards
with dark lines, and on 74 drawn sheets seen aslant with words written on them: there the second of a picture has 0.05
at most."""
_FULL = 0.6
"""Share of the squares with letters from which some lie on others, on a board. By eye: none of 299 pictures of the
development sets has as many without."""


def is_printed(image: Image, camera: Camera, size: int) -> bool:
    """Whether the n x n grid that `camera` sees in the picture (h, w, 3) looks like dark lines on paper."""
    ground = _ground(image, camera, size)
    white = float(np.percentile(image[::_SPARSE, ::_SPARSE].max(axis=2), 99))
    if ground.mean() < _PALE * white or np.ptp(ground) > _GREY * ground.max():
        return False
    flat = rectify(image, camera, size, _PRINTED_PX, 0.0).astype(np.float64)
    bare = np.abs(_squares(flat, size) - ground).max(axis=-1) < _ALIKE
    grey = flat.mean(axis=-1)
    across, down = _profile(grey, bare, size), _profile(grey.T, bare.T, size)
    return across is not None and down is not None and are_printed(across, down)


def are_printed(across: Floats, down: Floats) -> bool:
    """Whether lines whose profiles (px,), shares of the ground, are seen each way are printed."""
    dark = [float(np.maximum(1.0 - profile, 0.0).mean()) for profile in (across, down)]
    lit = max(float(across.max()), float(down.max())) - 1.0
    even = max(dark) - min(dark) < max(_NOISE, (1.0 - _EVEN) * max(dark))
    return min(dark) > _DARK and even and lit < _LIT


def are_stacked(height_probs: Floats) -> bool:
    """Whether tiles (n, n, 6), P(height), surely lie on others, which nothing on paper looks like."""
    return int((height_probs[..., 2:].sum(axis=-1) > _STACKED).sum()) >= _LEAST_STACKS


def stand_up(elevations: Floats) -> bool:
    """Whether faces stand up from the board, as letters on paper do not: log probabilities (n, n, SLICES)."""
    raised = np.exp(elevations[..., _LEAST_RAISED:]).sum(axis=-1)
    return int((raised > _RAISED).sum()) >= _LEAST_STACKS


def is_flat_print(height_probs: Floats) -> bool:
    """Whether letters fill the grid and hardly one seems to lie on another: heights (n, n, 6), as P(height)."""
    occupied = height_probs.argmax(axis=-1) > 0
    return bool(occupied.mean() >= _FULL) and not are_stacked(height_probs)


def _ground(image: Image, camera: Camera, size: int) -> Floats:
    """The usual colour (3,) of the grid."""
    coarse = rectify(image, camera, size, _COARSE, 0.0)
    return np.asarray(np.median(coarse.reshape(-1, 3), axis=0), dtype=np.float64)


def _squares(flat: Floats, size: int) -> Floats:
    """The median colour (n, n, 3) of the middle of each square."""
    middle = slice(_PRINTED_PX // 4, -(_PRINTED_PX // 4), 2)
    cut = flat.reshape(size, _PRINTED_PX, size, _PRINTED_PX, 3)[:, middle, :, middle].transpose(0, 2, 1, 3, 4)
    return np.asarray(np.median(cut.reshape(size, size, -1, 3), axis=2), dtype=np.float64)


def _profile(grey: Floats, bare: Flags, size: int) -> Floats | None:
    """The usual profile (px,) across upright lines between two bare squares; None where there are too few."""
    half, middle = _PRINTED_PX // 2, slice(_PRINTED_PX // 4, -(_PRINTED_PX // 4))
    lines = grey[:, half:-half].reshape(size, _PRINTED_PX, size - 1, _PRINTED_PX)[:, middle]
    between = bare[:, :-1] & bare[:, 1:]
    if between.sum() < _LEAST_LINES:
        return None
    profiles = np.median(lines, axis=1)[between]
    ground = np.median(profiles, axis=1, keepdims=True)
    return np.asarray(np.median(profiles / np.maximum(ground, 1.0), axis=0), dtype=np.float64)


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
