"""Checks for what passes for the board: a chessboard, a printed grid, another edition's board, a second board.

Boards for chess and draughts have squares of two alternating colours. Crosswords and squared sheets are as flat and
regular as a board. A board may be printed and white, too, so a grid that looks like paper is doubted, not refused. The
edges of a moulded board catch the light on one side and cast a shadow on the other: its lines are darker one way.

A grid of the wrong size can fit a board that is seen badly. So if a grid leaves room for doubt, the other edition's is
tried at the same places. If it fits clearly better, the picture is refused. If it fits nearly as well, the grid is in
doubt.
"""

from __future__ import annotations

import cv2
import numpy as np

from engine import EDITIONS
from engine.wording import phrase
from vision.arrays import Flags, Floats
from vision.board.detect import Location, corners_at, locate_beside
from vision.board.grid_doubt import is_beyond_doubt, mark_rivalled
from vision.board.lattice import GOOD, LOST, SHARP, Lattice, is_board, may_be_board
from vision.board.lattice_search import search_lattice
from vision.errors import BoardNotFound
from vision.geometry.camera import Camera, corner_gaps, corners_of, side_lengths
from vision.geometry.rectify import Reductions, outside, rectify, squares_of
from vision.images import Image

_CHEQUERED_PX = 12
"""Pixels a square of the rectified board in which colours are looked up. [by eye]"""
_CORNER_PIXELS = (2, 9)
"""First pixels, each way, of the patches of 2 by 2 near a square's corners, which pieces leave free. [by eye]"""
_ALTERNATING_SHARE = 0.85
"""Least share of the squares in view whose colour alternates on a chequered board. It was 1 on eight simulated boards
for chess and draughts with pieces on a third of the squares, and 0.6 at most on 225 letter-tile boards (development
sets and simulated). [by hand, sets]"""
_LEAST_IN_VIEW = 0.5
"""Share of the board that must be in view to decide. [by eye]"""


def is_chequered(image: Image, camera: Camera, size: int) -> bool:
    """Return whether two colours alternate on the n x n grid that `camera` sees in the picture (h, w, 3)."""
    in_view = outside(image, camera, size) == 0.0
    if in_view.mean() < _LEAST_IN_VIEW:
        return False
    odd = np.indices(in_view.shape).sum(axis=0) % 2 == 1
    return share_in_turn(_colours(image, camera, size)[in_view], odd[in_view]) >= _ALTERNATING_SHARE


def share_in_turn(colours: Floats, odd: Flags) -> float:
    """Return the share of colours (m, 3) nearer to the median of their own parity, `odd` (m,), than to the other's."""
    middle = [np.median(colours[odd == which], axis=0) for which in (False, True)]
    across = middle[1] - middle[0]
    towards_odd = (colours - (middle[0] + middle[1]) / 2.0) @ across > 0.0
    return float(np.mean(towards_odd == odd))


def _colours(image: Image, camera: Camera, size: int) -> Floats:
    """Return the median colour (n, n, 3) near the corners of each square."""
    squares = squares_of(rectify(image, camera, size, _CHEQUERED_PX, 0.0), size)
    at = np.add.outer(_CORNER_PIXELS, (0, 1)).ravel()
    near = squares[:, :, at][:, :, :, at].reshape(size, size, -1, 3)
    return np.asarray(np.median(near, axis=2), dtype=np.float64)


_PRINT_PX, _COARSE_PX = 32, 6
"""Pixels a square of the rectified grid, for its lines and for the colour of the whole. [by eye]"""
_MIDDLE = slice(_PRINT_PX // 4, -(_PRINT_PX // 4), 2)
"""Pixels of a square, every second one, that show its colour. [by eye]"""
_WHITE_STRIDE = 8
"""Step in pixels between the samples that determine the picture's white. [by eye]"""
_LEAST_BRIGHTNESS, _MAX_SATURATION = 0.7, 0.35
"""Least brightness of paper, as a share of the picture's white, and its greatest saturation. Measured with the four
numbers for lines below. [by hand, hard_views]"""
_SAME_COLOUR_LEVELS = 30.0
"""Grey levels within which a square has the usual colour. [by eye]"""
_LEAST_LINES = 5
"""Least number of lines between two bare squares, each way, for a profile. [by eye]"""
_LINE_DARKNESS, _LEAST_EVENNESS, _DARKNESS_NOISE, _MAX_LIT = 0.006, 0.93, 0.0012, 0.02
"""Limits of printed lines. The first is a line's least darkness, as a share of the ground a square wide. The second is
the least darkness of the fainter way over the other's, and the third a difference that is always allowed. The last is
how much lighter the ground may be beside a line. They were measured, with brightness and saturation, on simulated empty
grids, crosswords and sheets for battleships seen at a slant, and on letter-tile boards. Of 21 new sheets 18 pass. Of
234 simulated boards six pass, which are white with dark lines. [by hand, hard_views]"""
_STACK_PROBABILITY, _LEAST_STACKS = 0.97, 2
"""Least probability of two tiles or more on a square, and number of such squares, that rule out paper. None of 529
letters, numbers and crosses on twelve sheets of paper reached a probability of 0.9. [by hand]"""
_RAISED_PROBABILITY, _LEAST_RAISED_SLICE = 0.15, 3
"""Least probability that a face lies in this slice of the sweep or higher, for a raised face. Two raised faces rule out
paper. Of the first plays of 55 games, two of them on pale boards with dark lines, 48 have them. On 74 simulated sheets
seen at a slant, with words written on them, the second face of a picture has 0.05 at most. [by hand]"""
_FULL_SHARE = 0.6
"""Share of squares with letters from which a board would have stacks. None of 299 pictures of the development sets has
so many letters without stacks. [by eye]"""


def is_printed(image: Image, camera: Camera, size: int) -> bool:
    """Return whether the n x n grid that `camera` sees in the picture (h, w, 3) looks like dark lines on paper."""
    coarse = rectify(image, camera, size, _COARSE_PX, 0.0)
    ground = np.asarray(np.median(coarse.reshape(-1, 3), axis=0), dtype=np.float64)
    white = float(np.percentile(image[::_WHITE_STRIDE, ::_WHITE_STRIDE].max(axis=2), 99))
    if ground.mean() < _LEAST_BRIGHTNESS * white or np.ptp(ground) > _MAX_SATURATION * ground.max():
        return False
    canvas = rectify(image, camera, size, _PRINT_PX, 0.0)
    middles = squares_of(canvas, size)[:, :, _MIDDLE, _MIDDLE].reshape(size, size, -1, 3)
    bare = np.abs(np.median(middles, axis=2) - ground).max(axis=-1) < _SAME_COLOUR_LEVELS
    grey = canvas.astype(np.float64).mean(axis=-1)
    across, down = _profile(grey, bare, size), _profile(grey.T, bare.T, size)
    return across is not None and down is not None and are_printed(across, down)


def are_printed(across: Floats, down: Floats) -> bool:
    """Return whether lines with these profiles (px,) each way, as shares of the ground's brightness, are printed."""
    dark = [float(np.maximum(1.0 - profile, 0.0).mean()) for profile in (across, down)]
    lit = max(float(across.max()), float(down.max())) - 1.0
    even = max(dark) - min(dark) < max(_DARKNESS_NOISE, (1.0 - _LEAST_EVENNESS) * max(dark))
    return min(dark) > _LINE_DARKNESS and even and lit < _MAX_LIT


def are_stacked(height_probs: Floats) -> bool:
    """Return whether some squares with P(height) (n, n, 6) certainly have stacks, which rules out paper."""
    return int((height_probs[..., 2:].sum(axis=-1) > _STACK_PROBABILITY).sum()) >= _LEAST_STACKS


def stand_up(elevations: Floats) -> bool:
    """Return whether two faces with log probabilities (n, n, SLICES) are raised, as letters on paper never are."""
    raised = np.exp(elevations[..., _LEAST_RAISED_SLICE:]).sum(axis=-1)
    return int((raised > _RAISED_PROBABILITY).sum()) >= _LEAST_STACKS


def is_flat_print(height_probs: Floats) -> bool:
    """Return whether letters fill the grid without any certain stacks, by P(height) (n, n, 6)."""
    occupied = height_probs.argmax(axis=-1) > 0
    return bool(occupied.mean() >= _FULL_SHARE) and not are_stacked(height_probs)


def _profile(grey: Floats, bare: Flags, size: int) -> Floats | None:
    """Return the median profile (px,) across upright lines between two bare squares, or None if there are too few."""
    half, middle = _PRINT_PX // 2, slice(_PRINT_PX // 4, -(_PRINT_PX // 4))
    lines = grey[:, half:-half].reshape(size, _PRINT_PX, size - 1, _PRINT_PX)[:, middle]
    between = bare[:, :-1] & bare[:, 1:]
    if between.sum() < _LEAST_LINES:
        return None
    profiles = np.median(lines, axis=1)[between]
    ground = np.median(profiles, axis=1, keepdims=True)
    return np.median(profiles / np.maximum(ground, 1.0), axis=0)


_BETTER_DOUBT_RATIO = 0.85
"""Doubt of the other edition's grid, over that of this edition's, below which the other edition is believed. Measured
on boards in doubt. With the right edition (95 pictures) the ratio was at least 0.94, with the wrong one (13 pictures)
0.45 to 0.91. Of twelve faint grids that words confirm, six were cut-off boards of the other edition, with ratios of 0.6
to 0.8. The other six had 2.1 and more. [by hand, sets, hard_views]"""
_RIVAL_EDITION_RATIO = 1.1
"""Doubt of the other edition's grid, over that of this edition's, up to which it is a rival. Of 1,282 boards found with
the right edition three that lay aside had such a rival, and of 13 found with the wrong one seven. A single fit at the
best place, in 50 ms, shows all but one of these. [by hand, sets, hard_views]"""
_ASIDE_SQUARES = 0.8
"""Least mean distance, squares, of a grid's corners from the located place for the other edition to be tried. Boards of
every edition are located by their outline, so that a grid of the wrong size comes to lie elsewhere. So did 5 % of 645
boards found with the right edition, and six of the seven with the wrong one that had a rival.
[by hand, sets, hard_views]"""
_PLACES, _BUDGET = 2, 3
"""Places and fits at which the other edition is tried for a doubtful board. Few save time. [by eye]"""


class OtherEdition(BoardNotFound):
    """A refusal, because a board of another edition lies in the picture.

    It has that board's `size`, and its `corners` (4, 2) px.
    """

    def __init__(self, size: int, expected: int, corners: Floats) -> None:
        super().__init__(
            phrase(
                "This board looks %(size)s × %(size)s. The game is set up for %(expected)s × %(expected)s.",
                size=size,
                expected=expected,
            )
        )
        self.size = size
        self.corners = corners


def refuse_other_edition(picture: Reductions, places: list[Location], size: int, best: Lattice | None) -> None:
    """Raise OtherEdition if a board of another edition fits at `places` with clearly less doubt than the `best`.

    Other editions are tried only if the `best` lattice is sharp and doesn't fit exactly.
    """
    if best is None or best.spread > SHARP or is_beyond_doubt(best):
        return
    most = LOST if is_board(best) or may_be_board(best) else GOOD
    for other in _other_sizes(size):
        lattice = search_lattice(picture, corners_at(places[:_PLACES]), other, budget=_BUDGET)
        if lattice is not None and lattice.doubt < min(most, _BETTER_DOUBT_RATIO * best.doubt):
            corners = corners_of(lattice.fit.camera, other)
            raise OtherEdition(other, size, corners)


def is_rivalled_by_other_edition(picture: Reductions, places: list[Location], size: int, found: Lattice) -> bool:
    """Return whether a board of another edition fits nearly as well as the lattice that was `found`.

    Other editions are tried only if that lattice lies away from the best of the `places`.
    """
    if not places:
        return False
    grid = corners_of(found.fit.camera, size)
    aside = float(corner_gaps(places[0].corners, grid).mean(axis=1).min())
    if aside / (float(side_lengths(grid).mean()) / size) < _ASIDE_SQUARES:
        return False
    rivals = (search_lattice(picture, corners_at(places[:1]), other, budget=1) for other in _other_sizes(size))
    return any(rival is not None and rival.doubt < _RIVAL_EDITION_RATIO * found.doubt for rival in rivals)


def _other_sizes(size: int) -> list[int]:
    return sorted({edition.size for edition in EDITIONS.values()} - {size})


_BESIDE = phrase("There are two boards in the picture, one beside the other. Show only the one in play.")
_ABOVE = phrase("There are two boards in the picture, one above the other. Show only the one in play.")
_SECOND_PLACES, _SECOND_BUDGET = 3, 7
"""Places apart from the board at which a second board is searched, and fits for them. They find 43 of 44 second boards
in pictures composed of two boards of one size, and none in 1,004 pictures of one board. Three fits, without a look
beside the board, find 20. [by hand]"""


def board_beside(image: Image, other: Floats, size: int) -> Lattice | None:
    """Return the lattice of an n x n board beside another edition's board, (4, 2) px, or None."""
    lattice = _board_apart(Reductions(image), locate_beside(image, other), other, size)
    return lattice and mark_rivalled(image, lattice, size)


def refuse_two_boards(picture: Reductions, best: Lattice, places: list[Location], size: int) -> None:
    """Raise BoardNotFound if another n x n board lies beside the `best` lattice or at one of the `places`."""
    board = corners_of(best.fit.camera, size)
    second = _board_apart(picture, places + locate_beside(picture.whole, board), board, size)
    if second is not None:
        across, down = np.abs(corners_of(second.fit.camera, size).mean(axis=0) - board.mean(axis=0))
        raise BoardNotFound(_BESIDE if across > down else _ABOVE)


def _board_apart(picture: Reductions, places: list[Location], board: Floats, size: int) -> Lattice | None:
    """Return the lattice of a board, at one of the `places`, that lies apart from a known `board` (4, 2) px."""
    apart = [place for place in places if _are_apart(place.corners, board)]
    apart.sort(key=lambda place: -place.score)
    lattice = search_lattice(picture, corners_at(apart[:_SECOND_PLACES]), size, budget=_SECOND_BUDGET)
    if lattice is None or not is_board(lattice):
        return None
    return lattice if _are_apart(corners_of(lattice.fit.camera, size), board) else None


def _are_apart(one: Floats, other: Floats) -> bool:
    """Return whether neither of two quadrilaterals (4, 2) px contains the other's middle."""
    pairs = ((one, other), (other, one))
    return all(
        cv2.pointPolygonTest(quad.astype(np.float32), tuple(map(float, held.mean(axis=0))), False) < 0
        for quad, held in pairs
    )
