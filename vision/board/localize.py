"""The search for the board: from the whole picture to one lattice, or to a refusal that says what to do.

The network looks at the whole picture, then closer where a board seems to be. If no lattice confirms a board there,
another network looks. Then the picture's parts are examined one by one, because a board that fills a small part of the
picture is lost among larger things.

It also fits the lattice at a known place: under a camera that stands still, or between corners that a person gave.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from engine.wording import phrase
from vision.board.detect import (
    PART_SHARES,
    Location,
    corners_at,
    locate_again,
    locate_closer,
    locate_in_parts,
    locate_in_whole,
    locate_outline,
)
from vision.board.grid_doubt import mark_rivalled
from vision.board.lattice import (
    GOOD,
    LOST,
    SHARP,
    Lattice,
    is_board,
    is_off,
    may_be_board,
    refine_lattice,
    shows_border,
    take_as_given,
)
from vision.board.lattice_search import ASTRAY, BUDGET, poses_at, search_lattice
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
from vision.geometry.camera import Camera, corner_gap, corner_shift, corners_of, side_lengths
from vision.geometry.rectify import PITCH, Reductions, pitch_of, resize
from vision.images import Image
from vision.picture_quality import error_of_picture, is_unevenly_lit, lighten_board, lighten_gloom
from vision.stopwatch import Stopwatch

_NO_BOARD = phrase("No board found. Come nearer, and get the whole board and all four corners in.")
_GIVEN_UP = phrase("The board wasn't found in time. Come nearer, and get all four corners in.")
_CUT_OFF = phrase("Too much of the board is out of the picture. Go back, and get all four corners in.")
_CHEQUERED = phrase("This looks like a chessboard. Show the board with the letter tiles.")
_SEARCH_SIDE = 1600
"""Longest side of the picture in which the board is searched, px. Larger pictures took the most time for no gain. A
board across two sevenths of it has squares of PITCH px. [by eye]"""
_BUDGET_IN_PARTS = 2 * BUDGET
"""Fits that are tried in parts of the picture if no other lattice was found. Of 863 simulated boards two more are found
than with BUDGET (one of them a row off, with its border in doubt). None took longer than 0.8 s. [by hand]"""
_BUDGET_FROM_POSES = BUDGET // 2
"""Fits that are tried from poses in which squares are seen. [by eye]"""
_OUTSIDE_SHARE = 0.1
"""Share of a lattice's squares outside the picture from which, unless it is GOOD, it may be a floor's, so that parts
are examined, too. Of 1,123 pictures one more board is found, on a tablecloth that was taken for it. Nothing else
changes. [by hand, sets, hard_views]"""
_LARGE_PLACE = 0.3
"""Mean side of a place where a board may be, over the picture's shorter side, from which coming nearer does not help: a
square then has 30 pixels and more. [by eye]"""
_MAX_OUTSIDE_SHARE = 0.4
"""Share of a faint lattice's squares out of the picture from which words don't confirm it: they would stand as well
on a grid a square aside. A genuine board with 0.46 of it out of view was read on one of four such grids by chance.
Another with 0.31 is in its place, in doubt. [by hand, real]"""


@dataclass(frozen=True)
class SearchTime:
    """The time that a search may take: processor time of this thread since this object was made."""

    parts_s: float = 0.5
    """Seconds spent on examining parts of the picture. Of 354 simulated boards that are hard to find as many are found
    as with more time. [by hand, hard_views]"""
    fits_s: float = 0.8
    """Seconds after which no more fits are tried in parts of the picture. Of 144 boards that are hard to find
    (`hard_views`, games from hard places) as many are found as without the limit. [by hand, hard_views]"""
    all_s: float = 1.2
    """Seconds after which no fits are tried from poses either: 141 pictures of other games' boards are then refused
    after 1.1 s in the median, 2.0 s at most. [by hand, real]"""
    began: float = field(default_factory=time.thread_time)


def find_lattice(image: Image, size: int, watch: Stopwatch | None = None, limit: SearchTime | None = None) -> Lattice:
    """Find the lattice of the n x n board in the picture (h, w, 3).

    The caller must refuse an `unproven` lattice with `not_this_board`, unless letters or words on it confirm it.
    `watch` takes the time that the network needs to locate the board. `limit` may give the search more or less time.

    Raises BoardNotFound, with a text that says what to do.
    """
    longest = max(image.shape[:2])
    small = image if longest <= _SEARCH_SIDE else resize(image, _SEARCH_SIDE / longest)
    try:
        lattice = _find_in_any_light(small, size, watch or Stopwatch(), limit or SearchTime())
    except BoardNotFound as refusal:
        raise error_of_picture(refusal, small) from None
    if is_chequered(small, lattice.fit.camera, size):
        raise BoardNotFound(_CHEQUERED)
    lattice = replace(lattice, printed=is_printed(small, lattice.fit.camera, size))
    return lattice if small is image else _enlarge(image, lattice, size, small.shape[1] / image.shape[1])


def _find_in_any_light(image: Image, size: int, watch: Stopwatch, limit: SearchTime) -> Lattice:
    """Find the lattice in a picture, or in one exposed for its dark part if the first shows none or a dark one.

    A rivalled lattice is returned as it is, with its doubt. The other exposure would remove the doubt of eleven such
    lattices (development sets, in the sun), but one of these was a row off, with 57 sure squares.
    """
    try:
        lattice = _find_beside_other_edition(image, size, watch, limit)
    except BoardNotFound:
        dark_lattice = _find_in_gloom(image, size, watch, limit)
        if dark_lattice is None:
            raise
        return dark_lattice
    if lattice.rivalled or lighten_board(image, corners_of(lattice.fit.camera, size)).gain <= 1.0:
        return lattice
    return _find_in_gloom(image, size, watch, limit) or lattice


def _find_in_gloom(image: Image, size: int, watch: Stopwatch, limit: SearchTime) -> Lattice | None:
    """Find the lattice in a picture exposed for its dark part, or None. Return None if the light is even."""
    if not is_unevenly_lit(image):
        return None
    try:
        return _find_beside_other_edition(lighten_gloom(image), size, watch, limit)
    except BoardNotFound:
        return None


def _find_beside_other_edition(image: Image, size: int, watch: Stopwatch, limit: SearchTime) -> Lattice:
    """Find the lattice in a picture, even beside a board of another edition."""
    try:
        return _find(image, size, watch, limit)
    except OtherEdition as other:
        if (beside := board_beside(image, other.corners, size)) is None:
            raise
        return beside


def not_this_board(image: Image, size: int) -> BoardNotFound:
    """Make the error for a picture (h, w, 3) whose lattice isn't that of an n x n board."""
    return error_of_picture(
        BoardNotFound(
            phrase(
                "No %(size)s × %(size)s board was found. Show the whole board, without a hand over it, or "
                "choose another board.",
                size=size,
            )
        ),
        image,
    )


def _find(image: Image, size: int, watch: Stopwatch, limit: SearchTime) -> Lattice:
    """Find the lattice in a picture of at most _SEARCH_SIDE: in the whole of it, then closer, then in its parts.

    Then look for squares where the outline may have misled. Stop when a lattice is found, or at the time `limit`.
    """
    picture = Reductions(image)
    first = watch.wrap("locate", locate_in_whole)(image)
    quick = search_lattice(picture, corners_at(first[:1]), size, budget=1)
    if quick is not None and quick.doubt < GOOD:
        refuse_other_edition(picture, first, size, quick)
        return _accept(picture, quick, first, size, given_up=False)
    places = watch.wrap("locate", locate_closer)(image, first)
    best, given_up = search_lattice(picture, corners_at(places), size), False
    if best is None or best.doubt > LOST:
        again = watch.wrap("locate", locate_again)(image)
        other = search_lattice(picture, corners_at(again), size)
        best, places = (other, again) if _is_better(other, best) else (best, places)
    whole = places
    refuse_other_edition(picture, places, size, best)
    for part in PART_SHARES:
        # A lattice that isn't a board's belongs to something else that fills the picture. None of 35 boards found in a
        # part of their pictures (`hard_views`, development sets) lay beside such a lattice.
        other_grid = best is not None and best.spread < ASTRAY
        # A chequered tablecloth looks like a board under a hand until the board beside it is found.
        if _is_settled(best) or (other_grid and part == PART_SHARES[-1]):
            break
        if given_up := time.thread_time() > limit.began + limit.parts_s:
            break
        in_parts = watch.wrap("locate", locate_in_parts)(image, part)
        until, budget = limit.began + limit.fits_s, BUDGET if other_grid else _BUDGET_IN_PARTS
        other = search_lattice(picture, corners_at(in_parts), size, budget=budget, until=until)
        given_up = time.thread_time() > until
        if _is_better(other, best):
            best, places = other, in_parts
            refuse_other_edition(picture, places, size, best)
    if _outline_may_have_misled(best):
        places = whole or watch.wrap("locate", locate_outline)(image) or places
        best = _search_from_poses(picture, places[:1], size, best, limit.began + limit.all_s)
        refuse_other_edition(picture, places, size, best)
    return _accept(picture, best, places, size, given_up)


def _outline_may_have_misled(best: Lattice | None) -> bool:
    """Return whether the outline of something else may have led the search to a wrong `best` lattice."""
    # plain squares that go on are a larger board's
    return best is None or (not is_board(best) and (best.spread > ASTRAY or shows_border(best)))


def _search_from_poses(
    picture: Reductions, places: list[Location], size: int, best: Lattice | None, until: float
) -> Lattice | None:
    """Return the lattice that squares near large places show, though the outline has misled, or `best` if it is better.

    Finer squares, two by two or aslant, make lattices as well, but these go on beyond their borders: on seven of 45
    boards of another game by 0.15 and more.
    """
    poses = [pose for place in places if _is_large(picture, place) for pose in poses_at(picture, place.corners, size)]
    posed = search_lattice(picture, poses, size, budget=_BUDGET_FROM_POSES, until=until)
    return posed if posed is not None and shows_border(posed) and _is_better(posed, best) else best


def _is_settled(best: Lattice | None) -> bool:
    """Return whether the search can stop at the `best` lattice so far."""
    return best is not None and best.doubt < (GOOD if best.outside > _OUTSIDE_SHARE else LOST)


def _is_better(other: Lattice | None, best: Lattice | None) -> bool:
    """Return whether the `other` lattice exists and is less doubtful than the `best`."""
    return other is not None and (best is None or other.doubt < best.doubt)


def _is_large(picture: Reductions, place: Location) -> bool:
    """Return whether a place spans so much of the picture that coming nearer doesn't help."""
    return bool(side_lengths(place.corners).mean() > _LARGE_PLACE * min(picture.whole.shape[:2]))


def _accept(picture: Reductions, best: Lattice | None, places: list[Location], size: int, given_up: bool) -> Lattice:
    """Return the best lattice of the search near `places`. Raise BoardNotFound if it isn't a board's."""
    large = bool(places) and _is_large(picture, places[0])
    if best is None or best.spread > ASTRAY:
        if large:
            raise BoardNotFound(
                phrase(
                    "No %(size)s × %(size)s board was found. Take your hand away, keep stripes of sun off the board, "
                    "and get all four corners in. Or choose another board.",
                    size=size,
                )
            )
        raise BoardNotFound(_GIVEN_UP if given_up else _NO_BOARD)
    if not is_board(best):
        if may_be_board(best):
            if best.outside > _MAX_OUTSIDE_SHARE:
                raise BoardNotFound(_CUT_OFF)
            return replace(best, unproven=True)
        if given_up and not large:
            raise BoardNotFound(
                phrase(
                    "No %(size)s × %(size)s board was found in time. Come nearer, or choose another board.", size=size
                )
            )
        raise not_this_board(picture.whole, size)
    refuse_two_boards(picture, best, places, size)
    return _mark_rivals(picture, best, places, size)


def _mark_rivals(picture: Reductions, lattice: Lattice, places: list[Location], size: int) -> Lattice:
    """Set `rivalled` if a neighbour grid, or that of another edition at the best of `places`, rivals the lattice."""
    marked = mark_rivalled(picture.whole, lattice, size)
    if not marked.rivalled and is_rivalled_by_other_edition(picture, places, size, lattice):
        return replace(lattice, rivalled=True)
    return marked


def _enlarge(image: Image, lattice: Lattice, size: int, scale: float) -> Lattice:
    """Return a lattice, found in a picture reduced by `scale`, in the picture (h, w, 3) itself.

    It is fitted again if its squares in the reduced picture are smaller than PITCH.
    """
    camera = lattice.fit.camera
    if pitch_of(camera, size) < PITCH:
        finer = refine_lattice(image, camera.scale(1.0 / scale), size)
        if finer.doubt < LOST:
            return replace(finer, rivalled=lattice.rivalled, printed=lattice.printed, unproven=lattice.unproven)
    return lattice.scale(1.0 / scale)


_MAX_TRACKED_SHIFT_SQUARES = 0.4
"""Squares by which a lattice that is beyond doubt may differ from the last one, if the camera was nudged. [by eye]"""
_MAX_GIVEN_SHIFT_SQUARES = 0.25
"""Squares by which a lattice may differ from corners that a person gave. That person may see what the picture
hardly shows: of four genuine boards two had their right corners moved by 0.5 and 1.2. [by hand, real]"""
_STILL_CAMERA_SQUARES = 0.1
"""Squares by which a doubtful lattice may differ from the last one while the camera stands still. [by eye]"""


def track_lattice(image: Image, near: Camera, size: int) -> Lattice | None:
    """Return the lattice of the board that the camera `near` saw, if it still fits a picture (h, w, 3).

    Return None if the board must be searched for.
    """
    lattice = refine_lattice(image, near, size)
    moved = corner_shift(near, lattice.fit.camera, size)
    if is_off(lattice):
        return None
    if lattice.doubt < GOOD and moved < _MAX_TRACKED_SHIFT_SQUARES:
        return lattice
    # A hand over half the board leaves it doubtful, but no other board would lie in exactly this place.
    return lattice if lattice.doubt < LOST and moved < _STILL_CAMERA_SQUARES else None


def keeps_given(corners: npt.ArrayLike, camera: Camera, size: int) -> bool:
    """Return whether a camera sees the grid's corners where a person gave them, (4, 2) px, but for a small shift."""
    return corner_gap(np.asarray(corners, dtype=np.float64), camera, size) < _MAX_GIVEN_SHIFT_SQUARES


def lattice_from_corners(image: Image, corners: npt.ArrayLike, size: int) -> Lattice:
    """Return the lattice at corners (4, 2) px that a person gave, refined where the picture (h, w, 3) agrees.

    If the picture shows squares elsewhere (see `keeps_given`), or none, the lattice lies at the given corners and is
    `rivalled`.
    """
    given = take_as_given(image, corners, size)
    fitted = refine_lattice(image, given.fit.camera, size)
    if keeps_given(corners, fitted.fit.camera, size) and (fitted.doubt < LOST or fitted.spread < SHARP):
        return replace(fitted, rivalled=fitted.doubt >= LOST)
    return replace(given, rivalled=True)
