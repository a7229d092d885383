"""Finding the playing grid in a photograph: a small network's corner map and mask, joined to a quadrilateral."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest

import cv2
import numpy as np
import numpy.typing as npt

from vision.board.quadrilaterals import BEST_SCORE, components, quadrilaterals
from vision.geometry.corners import corner_gaps, side_lengths
from vision.geometry.rectify import letterbox, normalised, resize
from vision.images import Image
from vision.networks import network
from vision.probability import sigmoid

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]

LOCATE_SIDE = 256
"""Side of the square that the network sees, pixels; what it was trained on, like STRIDE."""
LOCATE_INNER = 208
"""The photograph's longer side inside the square; the rest is room for corners out of the frame."""
LOCATE_CLOSE = 152
"""Side of the board in the second, closer look."""
STRIDE = 4
"""Pixels of that square for a cell of the maps."""


@dataclass(frozen=True)
class DetectionLimits:
    """Where boards are looked for; chosen by eye, not measured, where nothing else is said.

    Attributes:
        most_places: places that the lattice is searched at.
        second_looks: places that are looked at closer. The first look by itself settles seven boards in eight.
        parts: sides of the parts that are looked at one by one, by the picture's longer side. With the first 20 of 24
            pictures of the development sets shrunk to half were found, 14 without; of 24 drawn boards that span a
            sixth of the picture's width or so (`hard_views`, small) 16 were found with the first alone, 23 with both.
        levels: of the mask, at which the whole picture is taken apart into things: of 884 pictures of one board (the
            development sets and drawn) two are, of 24 pictures put together of two boards 15.
        in_whole: things in the whole picture that may be boards.
        in_a_part: things in each part that may be boards.
        outlines: outlines of each of them that are kept.
        things: things that are looked at closer when parts have been looked at.
        same: share of a side within which two quadrilaterals are one.
        another: share of a side beyond which they are of two things.
        rim: how much farther from its middle a board reaches than its grid.
        room: share of a board's smaller extent in the picture that is room enough beside it for another one.
    """

    most_places: int = 6
    second_looks: int = 2
    parts: tuple[float, ...] = (0.55, 0.33)
    levels: tuple[float, ...] = (0.5, 0.7)
    in_whole: int = 2
    in_a_part: int = 2
    outlines: int = 2
    things: int = 4
    same: float = 0.03
    another: float = 0.4
    rim: float = 1.2
    room: float = 0.5


LIMITS = DetectionLimits()
_FIRST, _AGAIN = "locate", "locate_again"
"""The network that looks, and the one that looks where the search is lost."""
_FINER, _HARDLY_SMALLER = 1.4, 0.8
"""How much larger than LOCATE_CLOSE a board is in the picture that its surroundings are cut from, and the factor from
which the picture is left as it is. By eye, not measured."""


@dataclass(frozen=True)
class Location:
    """A board found: its grid's corners (4, 2) px, clockwise from any of them, and a score from 0 to 1."""

    corners: Floats
    score: float


def corners_at(places: list[Location]) -> list[Floats]:
    """The corners (4, 2) px of each place."""
    return [place.corners for place in places]


def locate_in_whole(image: Image, by: str = _FIRST) -> list[Location]:
    """What a look of a network at the whole picture (h, w, 3) finds, most probable first, to about half a square.

    Where several things lie apart, the best of each come first: no board fills what two boards fill.
    """
    square, box = letterbox(image, LOCATE_SIDE, LOCATE_INNER)
    heat, mask = _maps(square, by)
    each = [_locations(heat, thing, box.to_picture)[: LIMITS.outlines] for thing in _things_apart(mask)]
    apart = [place for rank in zip_longest(*each) for place in rank if place is not None]
    return _suppressed(apart + _locations(heat, mask, box.to_picture))


def _things_apart(mask: Plane) -> list[Plane]:
    """The mask taken apart into the things that may be boards; none where it is one thing."""
    for level in LIMITS.levels:
        things = list(islice(components(mask, level), LIMITS.in_whole))
        if len(things) > 1:
            return things
    return []


def locate_in_parts(image: Image, part: float = LIMITS.parts[0]) -> list[Location]:
    """What looks at overlapping parts of the picture (h, w, 3) find, each looked at closer: boards small in it.

    `part` is a part's side by the picture's longer one.
    """
    # all parts are cut from one small picture: reducing it takes longer than looking at a part of it
    small = resize(image, LOCATE_INNER / (part * max(image.shape[:2])))
    height, width = small.shape[:2]
    scale = width / image.shape[1]
    found: list[Location] = []
    for top in _part_starts(height, LOCATE_INNER):
        for left in _part_starts(width, LOCATE_INNER):
            there = small[top : top + LOCATE_INNER, left : left + LOCATE_INNER]
            found += _locate_in_part(there, partial(_to_whole, (left, top), scale))
    found.sort(key=lambda place: -place.score)
    return _suppressed(_second_look(image, _suppressed(found, LIMITS.another)[: LIMITS.things]))[
        : LIMITS.most_places
    ]


def _part_starts(length: int, part: int) -> list[int]:
    """Where parts begin that cover a side, each overlapping the next by half at least."""
    count = max(1, -(-2 * (length - part) // part) + 1)
    return sorted({round(start) for start in np.linspace(0, max(length - part, 0), count)})


def locate_beside(image: Image, corners: npt.ArrayLike) -> list[Location]:
    """What looks at the picture (h, w, 3) beside a board, whose corners are (4, 2) px, find: other boards.

    Nothing is looked at where no other board has room.
    """
    found: list[Location] = []
    for left, top, right, bottom in _strips_beside(np.asarray(corners, dtype=np.float64), image):
        found += _locate_in_part(image[top:bottom, left:right], partial(_to_whole, (left, top), 1.0))
    return sorted(found, key=lambda place: -place.score)


def _strips_beside(quad: Floats, image: Image) -> Iterator[tuple[int, int, int, int]]:
    """The strips of the picture (h, w, 3) left of, right of, above and below a board (4, 2) that have room for another.

    Each as left, top, right and bottom, px.
    """
    height, width = image.shape[:2]
    middle = quad.mean(axis=0)
    rim = np.clip(middle + LIMITS.rim * (quad - middle), 0, (width, height)).astype(int)
    (left, top), (right, bottom) = rim.min(axis=0), rim.max(axis=0)
    room = LIMITS.room * float(np.ptp(quad, axis=0).min())
    strips = ((0, 0, left, height), (right, 0, width, height), (0, 0, width, top), (0, bottom, width, height))
    for strip in strips:
        if min(strip[2] - strip[0], strip[3] - strip[1]) > room:
            yield strip


def _locate_in_part(there: Image, to_whole: Callable[[Floats], Floats]) -> list[Location]:
    """What a look at a part (h, w, 3) of a picture finds, its pixels brought `to_whole`."""
    square, box = letterbox(there, LOCATE_SIDE, LOCATE_INNER)
    heat, mask = _maps(square)
    found: list[Location] = []
    for thing in islice(components(mask), LIMITS.in_a_part):
        found += _locations(heat, thing, lambda points: to_whole(box.to_picture(points)))[: LIMITS.outlines]
    return found


def _to_whole(begin: tuple[int, int], scale: float, points: Floats) -> Floats:
    """Points (m, 2) of the picture, from those of a part that begins at x, y of the picture reduced by `scale`."""
    return (points + begin + 0.5) / scale - 0.5


def locate_closer(image: Image, first: list[Location], by: str = _FIRST) -> list[Location]:
    """The places, and what a second look at the picture (h, w, 3) finds around the best, larger and squared up."""
    return _suppressed(_second_look(image, first[: LIMITS.second_looks], by) + first)[: LIMITS.most_places]


def locate_again(image: Image) -> list[Location]:
    """What a network that has seen other boards finds in the picture (h, w, 3): it overlooks others."""
    return locate_closer(image, locate_in_whole(image, _AGAIN), _AGAIN)


def _second_look(image: Image, places: list[Location], by: str = _FIRST) -> list[Location]:
    """What looks at the surroundings of each place find, most probable first."""
    found: list[Location] = []
    for place in places:
        square, matrix = surroundings(image, place.corners)
        to_picture = partial(_through_homography, np.asarray(np.linalg.inv(matrix), dtype=np.float64))
        found += _locations(*_maps(square, by), to_picture)
    return sorted(found, key=lambda place: -place.score)


def _through_homography(homography: Floats, points: Floats) -> Floats:
    """Points (m, 2) through a homography."""
    return np.asarray(cv2.perspectiveTransform(points[None], homography)[0], dtype=np.float64)


def _maps(square: Image, by: str = _FIRST) -> tuple[Plane, Plane]:
    """A network's corner map and mask, probabilities (side / STRIDE, side / STRIDE) each."""
    logits = network(by)(normalised(square)[None])[0]
    heat, mask = sigmoid(logits).astype(np.float32)
    return heat, mask


def _locations(heat: Plane, mask: Plane, to_picture: Callable[[Floats], Floats]) -> list[Location]:
    return [
        Location(to_picture(quad * STRIDE + (STRIDE - 1) / 2), min(1.0, score / BEST_SCORE))
        for score, quad in quadrilaterals(heat, mask)
    ]


def _suppressed(places: list[Location], same: float = LIMITS.same) -> list[Location]:
    """The places, best first, without those that are the `same` as a better one, to a share of a side.

    Non-maximum suppression, by the distance of corners.
    """
    kept: list[Location] = []
    for place in places:
        side = float(side_lengths(place.corners).mean())
        gaps = [float(corner_gaps(place.corners, other.corners).max(axis=1).min()) for other in kept]
        if min(gaps, default=np.inf) > same * side:
            kept.append(place)
    return kept


def surroundings(image: Image, corners: npt.ArrayLike) -> tuple[Image, Floats]:
    """A square picture in which the quadrilateral `corners` (4, 2) px fills the middle, and the homography to it."""
    quad = np.asarray(corners, dtype=np.float64)
    longest = float(side_lengths(quad).max())
    scale = min(1.0, _FINER * LOCATE_CLOSE / max(longest, 1.0))
    small = resize(image, scale) if scale < _HARDLY_SMALLER else image
    shrink = np.diag([small.shape[1] / image.shape[1], small.shape[0] / image.shape[0], 1.0])
    low = (LOCATE_SIDE - LOCATE_CLOSE) / 2
    high = low + LOCATE_CLOSE
    middle = np.array([(low, low), (high, low), (high, high), (low, high)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), middle)
    square = cv2.warpPerspective(
        small, matrix @ np.linalg.inv(shrink), (LOCATE_SIDE, LOCATE_SIDE), borderMode=cv2.BORDER_CONSTANT,
        borderValue=(128, 128, 128),
    )  # fmt: skip
    return np.asarray(square, dtype=np.uint8), np.asarray(matrix, dtype=np.float64)
