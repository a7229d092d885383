"""Finding the board: from the whole picture to one lattice, or to a refusal that says what to do.

The picture is looked at as a whole, then closer where a board seems to be; where no lattice bears that out, another
network looks, and then the picture's parts are looked at one by one: a board that fills a small part of it is lost
among what is larger.

The lattice where its place is known: under a camera that stands still, or between corners that a person gave.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.board.detect import (
    LIMITS,
    Location,
    corners_at,
    locate_again,
    locate_closer,
    locate_in_parts,
    locate_in_whole,
)
from vision.board.grid_shift import mark_rivalled
from vision.board.lattice import (
    GOOD,
    LOST,
    SHARP,
    Lattice,
    is_board,
    lattice_as_given,
    may_be_board,
    refine_lattice,
)
from vision.board.lattice_search import ASTRAY, BUDGET, search_lattice
from vision.board.lookalikes import (
    OtherEdition,
    board_beside,
    is_chequered,
    is_printed,
    is_rivalled_by_other_edition,
    refuse_other_edition,
    refuse_two_boards,
)
from vision.errors import BoardNotFound
from vision.geometry.camera import Camera, corner_shift, corners_of
from vision.geometry.rectify import PITCH, Reductions, pitch_of, resize
from vision.images import Image
from vision.picture_quality import blamed, is_unevenly_lit, lightened_board, lightened_gloom
from vision.stopwatch import Stopwatch

Floats = npt.NDArray[np.float64]

_NO_BOARD = (
    "No board was found in the picture: come nearer, with the whole board and all four corners in view."
)
_GIVEN_UP = (
    "The search for the board was given up: come nearer, with the whole board and all four corners in view."
)
_NOT_FOUND_IN_TIME = (
    "The search for a board of {} by {} squares was given up: come nearer, with the whole board in view, "
    "or give another edition."
)
_NOT_THIS_BOARD = (
    "No board of {} by {} squares could be made out: show the whole board, or give another edition."
)
_CHEQUERED = (
    "That is a chequered board, as for chess or draughts: show the board that the letter tiles lie on."
)
_SEARCH_SIDE = 1600
"""Longest side of the picture in which the board is searched, px: larger ones took the longest for nothing. A board
across two sevenths of it has squares of PITCH px."""
_PATIENCE_S = 0.5
"""Seconds of this thread's work after which no more parts of the picture are looked at, so that "no board" is said
within a second: of 268 looks at tables without one, other games' boards and printed grids two took longer, 1.2 s at
most. Of 354 drawn boards that are hard to find (`hard_views`) as many are found as with more."""
_ENOUGH_S = 0.8
"""Seconds of this thread's work after which no more fits are tried at what a part of the picture shows. Of 108 looks at
tables without a board and at other games' the slowest takes 1.2 s (1.5 s without it); of 144 boards that are hard to
find (`hard_views`, games from hard places) as many are found."""
_BUDGET_IN_PARTS = 2 * BUDGET
"""Fits that are tried at what parts of the picture show, where no other lattice was found. Of 863 drawn boards two more
are found than with BUDGET (one a row off, with a doubt of its border), and none took longer than 0.8 s."""
_CUT = 0.1
"""Share of its squares outside the picture from which a lattice that is not GOOD may be a floor's, so that parts are
looked at, too. Of 1,123 pictures (development sets, games, `hard_views`) one board more is found, on a tablecloth that
was taken for it, and nothing else changes."""


def find_lattice(image: Image, size: int, watch: Stopwatch | None = None) -> Lattice:
    """The lattice of the n x n board in the picture (h, w, 3); raises BoardNotFound, saying what to do.

    One that is `unproven` is to be refused with `not_this_board`, unless what lies on it bears it out. `watch` is told
    how long it took to locate the board.
    """
    longest = max(image.shape[:2])
    small = image if longest <= _SEARCH_SIDE else resize(image, _SEARCH_SIDE / longest)
    try:
        found = _found_in_any_light(small, size, watch or Stopwatch())
    except BoardNotFound as refusal:
        raise blamed(refusal, small) from None
    if is_chequered(small, found.fit.camera, size):
        raise BoardNotFound(_CHEQUERED)
    found = replace(found, printed=is_printed(small, found.fit.camera, size))
    return found if small is image else _enlarged(image, found, size, small.shape[1] / image.shape[1])


def _found_in_any_light(image: Image, size: int, watch: Stopwatch) -> Lattice:
    """The lattice in a picture, or, where that shows none or shows it in the dark, in one exposed for the dark.

    One that is in doubt stays so: of eleven whose doubt the other exposure did away with (development sets, in the sun)
    one lay a row off, with 57 sure squares.
    """
    began = time.thread_time()
    try:
        found = _found_apart(image, size, watch, began)
    except BoardNotFound:
        in_the_dark = _found_in_gloom(image, size, watch, began)
        if in_the_dark is None:
            raise
        return in_the_dark
    if found.rivalled or not _lies_in_the_dark(image, found, size):
        return found
    return _found_in_gloom(image, size, watch, began) or found


def _found_in_gloom(image: Image, size: int, watch: Stopwatch, began: float) -> Lattice | None:
    """The lattice in a picture exposed for the dark of it; None where there is none, or where it is evenly lit."""
    if not is_unevenly_lit(image):
        return None
    try:
        return _found_apart(lightened_gloom(image), size, watch, began)
    except BoardNotFound:
        return None


def _lies_in_the_dark(image: Image, found: Lattice, size: int) -> bool:
    """Whether a board that was found lies in the dark."""
    return lightened_board(image, corners_of(found.fit.camera, size)).gain > 1.0


def _found_apart(image: Image, size: int, watch: Stopwatch, began: float) -> Lattice:
    """The lattice in a picture, which may lie beside a board of another edition."""
    try:
        return _found(image, size, watch, began)
    except OtherEdition as other:
        if (beside := board_beside(image, other.corners, size)) is None:
            raise
        return beside


def not_this_board(image: Image, size: int) -> BoardNotFound:
    """The refusal of a lattice in a picture (h, w, 3) that is no n x n board's."""
    return blamed(BoardNotFound(_NOT_THIS_BOARD.format(size, size)), image)


def _found(image: Image, size: int, watch: Stopwatch, began: float) -> Lattice:
    """The lattice in a picture that is no larger than need be: looked for in the whole of it, then closer, then in its
    parts, until one is found or the time since it `began` is spent."""
    picture = Reductions(image)
    first = watch.timed("locate", locate_in_whole)(image)
    quick = search_lattice(picture, corners_at(first[:1]), size, budget=1)
    if quick is not None and quick.doubt < GOOD:
        refuse_other_edition(picture, first, size, quick)
        refuse_two_boards(picture, quick, first, size)
        return _marked(picture, quick, first, size)
    places = watch.timed("locate", locate_closer)(image, first)
    best, given_up = search_lattice(picture, corners_at(places), size), False
    if best is None or best.doubt > LOST:
        again = watch.timed("locate", locate_again)(image)
        other = search_lattice(picture, corners_at(again), size)
        best, places = (other, again) if _is_better(other, best) else (best, places)
    refuse_other_edition(picture, places, size, best)
    for part in LIMITS.parts:
        # a lattice that is no board's is that of something else, which fills the picture: of 35 boards that were found
        # in a part of theirs (`hard_views`, development sets) none lay beside such a lattice
        other_grid = best is not None and best.spread < ASTRAY
        # a chequered tablecloth passes for a board under a hand, which the board beside it shows to be wrong
        if _is_settled(best) or (other_grid and part == LIMITS.parts[-1]):
            break
        if given_up := time.thread_time() - began > _PATIENCE_S:
            break
        there = watch.timed("locate", locate_in_parts)(image, part)
        budget = BUDGET if other_grid else _BUDGET_IN_PARTS
        other = search_lattice(picture, corners_at(there), size, budget=budget, until=began + _ENOUGH_S)
        given_up = time.thread_time() - began > _ENOUGH_S
        if _is_better(other, best):
            best, places = other, there
            refuse_other_edition(picture, places, size, best)
    return _accepted(picture, best, places, size, given_up)


def _is_settled(best: Lattice | None) -> bool:
    """Whether nothing else need be looked at."""
    return best is not None and best.doubt < (GOOD if best.outside > _CUT else LOST)


def _is_better(other: Lattice | None, best: Lattice | None) -> bool:
    """Whether the other lattice was found, and is the surer one."""
    return other is not None and (best is None or other.doubt < best.doubt)


def _accepted(
    picture: Reductions, best: Lattice | None, places: list[Location], size: int, given_up: bool
) -> Lattice:
    """The best lattice of the search near some `places`; raises BoardNotFound where it is no board's."""
    if best is None or best.spread > ASTRAY:
        raise BoardNotFound(_GIVEN_UP if given_up else _NO_BOARD)
    if not is_board(best):
        if may_be_board(best):
            return replace(best, unproven=True)
        raise (
            BoardNotFound(_NOT_FOUND_IN_TIME.format(size, size))
            if given_up
            else not_this_board(picture.whole, size)
        )
    refuse_two_boards(picture, best, places, size)
    return _marked(picture, best, places, size)


def _marked(picture: Reductions, found: Lattice, places: list[Location], size: int) -> Lattice:
    """The lattice found near `places`, and whether another grid rivals it: a neighbour, or one of another edition."""
    if is_rivalled_by_other_edition(picture, places, size, found):
        return replace(found, rivalled=True)
    return mark_rivalled(picture.whole, found, size)


def _enlarged(image: Image, found: Lattice, size: int, scale: float) -> Lattice:
    """What was `found` in a picture that was reduced by `scale`, in the picture (h, w, 3) itself; fitted anew where
    its squares have become smaller than they are looked at."""
    camera = found.fit.camera
    if pitch_of(camera, size) < PITCH:
        finer = refine_lattice(image, camera.scaled(1.0 / scale), size)
        if finer.doubt < LOST:
            return replace(finer, rivalled=found.rivalled, printed=found.printed, unproven=found.unproven)
    return found.scaled(1.0 / scale)


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
