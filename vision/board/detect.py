"""From the locating network's corner map and mask to the quadrilaterals that both agree on.

Finding the playing grid in a photograph: a small network's corner map and mask, joined to a quadrilateral.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice, zip_longest

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import corner_gaps, side_lengths
from vision.geometry.rectify import letterbox, normalised, resize
from vision.images import Image
from vision.networks import network
from vision.probability import sigmoid

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]


@dataclass(frozen=True)
class QuadrilateralLimits:
    """What is taken for a board's outline; chosen by eye, not measured.

    Attributes:
        peak: value of the corner map from which a local maximum may be a corner.
        most_peaks: peaks that are tried: with the outline's four corners, where none of them is a peak, thirteen make
            715 quadrilaterals.
        least_overlap: of a quadrilateral with the mask, intersection over union.
        least_size: of a quadrilateral that is compared with the mask, share of the area that this overlap takes.
        least_area: map cells from which what hangs together is no speck.
        most_quads: quadrilaterals that are kept.
        corner_weight: weight of the corners' mean strength beside the overlap.
        outline_strength: strength of a corner that only the mask's outline shows.
        same_corner: map cells within which a corner of the outline is one of the peaks.
    """

    peak: float = 0.12
    most_peaks: int = 9
    least_overlap: float = 0.55
    least_size: float = 0.7
    least_area: float = 60.0
    most_quads: int = 12
    corner_weight: float = 0.25
    outline_strength: float = 0.05
    same_corner: float = 2.5


QUADRILATERAL_LIMITS = QuadrilateralLimits()
BEST_SCORE = 1.0 + QUADRILATERAL_LIMITS.corner_weight
"""Score of a quadrilateral whose overlap and corners are perfect."""


def quadrilaterals(heat: Plane, mask: Plane) -> list[tuple[float, Floats]]:
    """Scores and corners (4, 2), in map cells, of what corner map and mask agree on, best first."""
    outline = _outline(mask)
    if outline is None:
        return []
    peaks = _peaks(heat)
    points = [p for p, _ in peaks] + [
        p for p in outline if all(np.linalg.norm(p - q) > QUADRILATERAL_LIMITS.same_corner for q, _ in peaks)
    ]
    strength = [s for _, s in peaks] + [QUADRILATERAL_LIMITS.outline_strength] * (len(points) - len(peaks))
    found: list[tuple[float, Floats]] = []
    chosen = np.array(list(combinations(range(len(points)), 4)), dtype=np.int64).reshape(-1, 4)
    quads, fit = _clockwise(np.array(points)[chosen])
    # one much smaller than the least overlap with the mask cannot have it
    fit &= _areas(quads) > QUADRILATERAL_LIMITS.least_size * QUADRILATERAL_LIMITS.least_overlap * float(
        mask.sum()
    )
    for quad, corners in zip(quads[fit], chosen[fit], strict=True):
        overlap = _overlap(quad, mask)
        if overlap >= QUADRILATERAL_LIMITS.least_overlap:
            mean = float(np.mean([strength[k] for k in corners]))
            found.append((overlap + QUADRILATERAL_LIMITS.corner_weight * mean, quad))
    found.sort(key=lambda item: -item[0])
    return found[: QUADRILATERAL_LIMITS.most_quads]


def _peaks(heat: Plane) -> list[tuple[Floats, float]]:
    """Local maxima of the corner map, (x, y) in map cells to a fraction of a cell, strongest first."""
    tops = (heat == cv2.dilate(heat, np.ones((5, 5), np.uint8))) & (heat > QUADRILATERAL_LIMITS.peak)
    rows, cols = np.nonzero(tops)
    strongest = np.argsort(-heat[rows, cols])[: QUADRILATERAL_LIMITS.most_peaks]
    return [(_centroid(heat, int(rows[k]), int(cols[k])), float(heat[rows[k], cols[k]])) for k in strongest]


def _centroid(heat: Plane, row: int, col: int) -> Floats:
    top, left = max(row - 2, 0), max(col - 2, 0)
    patch = heat[top : row + 3, left : col + 3].astype(np.float64)
    y, x = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    total = patch.sum()
    return np.array([left + (x * patch).sum() / total, top + (y * patch).sum() / total])


def _outline(mask: Plane) -> list[Floats] | None:
    """The four corners of the polygon that the mask fills best, or None when there is hardly any mask."""
    largest = next(components(mask), None)
    if largest is None:
        return None
    contours, _ = cv2.findContours((largest > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=len))
    if len(hull) < 4:
        return None
    polygon = np.asarray(cv2.approxPolyN(hull, 4, None, -1.0, True)).reshape(-1, 2)
    return [p.astype(np.float64) for p in polygon]


def _clockwise(points: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Four points each (m, 4, 2) in clockwise order (as seen in the picture), and which are convex (m,)."""
    away = points - points.mean(axis=1, keepdims=True)
    order = np.argsort(np.arctan2(away[..., 1], away[..., 0]), axis=1)
    quads = np.take_along_axis(points, order[..., None], axis=1)
    edges = np.roll(quads, -1, axis=1) - quads
    following = np.roll(edges, -1, axis=1)
    turns = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    return quads, np.asarray((turns > 1.0).all(axis=1))


def _areas(quads: Floats) -> Floats:
    """Areas (m,) of quadrilaterals (m, 4, 2)."""
    following = np.roll(quads, -1, axis=1)
    crossed = quads[..., 0] * following[..., 1] - quads[..., 1] * following[..., 0]
    return np.asarray(np.abs(crossed.sum(axis=1)) / 2.0, dtype=np.float64)


def _overlap(quad: Floats, mask: Plane) -> float:
    """Soft intersection over union of the quadrilateral with the mask, within the map."""
    inside = np.zeros(mask.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad * 16).astype(np.int32), 1, cv2.LINE_8, shift=4)
    both = float((mask * inside).sum())
    return both / (float(mask.sum()) + float(inside.sum()) - both + 1e-6)


def components(mask: Plane, level: float = 0.5) -> Iterator[Plane]:
    """What of the mask (s, s) hangs together above a `level`, and is no speck, largest first."""
    parts, labels, stats, _ = cv2.connectedComponentsWithStats((mask > level).astype(np.uint8))
    areas = stats[:, cv2.CC_STAT_AREA]
    large = (part for part in range(1, parts) if areas[part] >= QUADRILATERAL_LIMITS.least_area)
    for part in sorted(large, key=lambda part: -int(areas[part])):
        yield np.where(labels == part, mask, 0.0).astype(np.float32)


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
