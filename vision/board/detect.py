"""Places in a photograph where a board may be: quadrilaterals on which a network's corner map and mask agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice, product, zip_longest

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Flags, Floats, sigmoid
from vision.geometry.camera import corner_gaps, side_lengths
from vision.geometry.rectify import letterbox, normalise, resize
from vision.images import Image
from vision.networks import network

Plane = npt.NDArray[np.float32]


_MIN_PEAK, _MAX_PEAKS = 0.12, 9
"""Value of the corner map from which a local maximum may be a corner, and the most that are tried. With the outline's
four corners, if none of these is a peak, there are thirteen points, which make 715 quadrilaterals. [by eye]"""
_MIN_OVERLAP, _MIN_SIZE_SHARE = 0.55, 0.7
"""Least overlap of a quadrilateral with the mask, intersection over union; and the least area of one that is compared
with the mask, as a share of the least area that such an overlap needs. [by eye]"""
_MIN_COMPONENT_CELLS = 60.0
"""Map cells from which a connected component is no speck. [by eye]"""
_MAX_QUADRILATERALS = 12
"""Most quadrilaterals that are kept. [by eye]"""
_CORNER_WEIGHT, _OUTLINE_STRENGTH = 0.25, 0.05
"""Weight of the corners' mean strength beside the overlap, and the strength of a corner that only the mask's outline
shows. [by eye]"""
_SAME_CORNER_CELLS = 2.5
"""Map cells within which a corner of the outline is the same as a peak. [by eye]"""
BEST_SCORE = 1.0 + _CORNER_WEIGHT
"""Score of a quadrilateral with perfect overlap and corners."""


def quadrilaterals(heat: Plane, mask: Plane) -> list[tuple[float, Floats]]:
    """Return scores and corners (4, 2), in map cells, of quadrilaterals that fit corner map and mask, best first."""
    outline = _outline(mask)
    if outline is None:
        return []
    peaks = _peaks(heat)
    points = [p for p, _ in peaks] + [
        p for p in outline if all(np.linalg.norm(p - q) > _SAME_CORNER_CELLS for q, _ in peaks)
    ]
    strength = [s for _, s in peaks] + [_OUTLINE_STRENGTH] * (len(points) - len(peaks))
    scored: list[tuple[float, Floats]] = []
    chosen = np.array(list(combinations(range(len(points)), 4)), dtype=np.int64).reshape(-1, 4)
    quads, fit = _clockwise(np.array(points)[chosen])
    # A quadrilateral that is much too small cannot have the least overlap with the mask.
    fit &= _areas(quads) > _MIN_SIZE_SHARE * _MIN_OVERLAP * float(mask.sum())
    for quad, corners in zip(quads[fit], chosen[fit], strict=True):
        overlap = _overlap(quad, mask)
        if overlap >= _MIN_OVERLAP:
            mean = float(np.mean([strength[k] for k in corners]))
            scored.append((overlap + _CORNER_WEIGHT * mean, quad))
    scored.sort(key=lambda item: -item[0])
    return scored[:_MAX_QUADRILATERALS]


def _peaks(heat: Plane) -> list[tuple[Floats, float]]:
    """Return the corner map's local maxima, (x, y) in map cells to a fraction, and their strengths, strongest first."""
    tops = (heat == cv2.dilate(heat, np.ones((5, 5), np.uint8))) & (heat > _MIN_PEAK)
    rows, cols = np.nonzero(tops)
    strongest = np.argsort(-heat[rows, cols])[:_MAX_PEAKS]
    return [(_centroid(heat, int(rows[k]), int(cols[k])), float(heat[rows[k], cols[k]])) for k in strongest]


def _centroid(heat: Plane, row: int, col: int) -> Floats:
    top, left = max(row - 2, 0), max(col - 2, 0)
    patch = heat[top : row + 3, left : col + 3].astype(np.float64)
    y, x = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    total = patch.sum()
    return np.array([left + (x * patch).sum() / total, top + (y * patch).sum() / total])


def _outline(mask: Plane) -> list[Floats] | None:
    """Return the corners of the quadrilateral around the mask's largest component, or None if there is hardly any."""
    largest = next(components(mask), None)
    if largest is None:
        return None
    contours, _ = cv2.findContours((largest > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=len))
    if len(hull) < 4:
        return None
    polygon = cv2.approxPolyN(hull, 4, None, -1.0, True).reshape(-1, 2)
    return [p.astype(np.float64) for p in polygon]


def _clockwise(points: Floats) -> tuple[Floats, Flags]:
    """Order each four points (m, 4, 2) clockwise as seen in the picture. Return them and which are convex (m,)."""
    away = points - points.mean(axis=1, keepdims=True)
    order = np.argsort(np.arctan2(away[..., 1], away[..., 0]), axis=1)
    quads = np.take_along_axis(points, order[..., None], axis=1)
    edges = np.roll(quads, -1, axis=1) - quads
    following = np.roll(edges, -1, axis=1)
    turns = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    return quads, np.asarray((turns > 1.0).all(axis=1))


def _areas(quads: Floats) -> Floats:
    """Return the areas (m,) of quadrilaterals (m, 4, 2)."""
    following = np.roll(quads, -1, axis=1)
    crossed = quads[..., 0] * following[..., 1] - quads[..., 1] * following[..., 0]
    return np.asarray(np.abs(crossed.sum(axis=1)) / 2.0, dtype=np.float64)


def _overlap(quad: Floats, mask: Plane) -> float:
    """Return the soft intersection over union of a quadrilateral (4, 2) with the mask, within the map."""
    inside = np.zeros(mask.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad * 16).astype(np.int32), 1, cv2.LINE_8, shift=4)
    both = float((mask * inside).sum())
    return both / (float(mask.sum()) + float(inside.sum()) - both + 1e-6)


def components(mask: Plane, level: float = 0.5) -> Iterator[Plane]:
    """Yield the connected components of the mask (s, s) above a `level`, without specks, largest first."""
    parts, labels, stats, _ = cv2.connectedComponentsWithStats((mask > level).astype(np.uint8))
    areas = stats[:, cv2.CC_STAT_AREA]
    large = (part for part in range(1, parts) if areas[part] >= _MIN_COMPONENT_CELLS)
    for part in sorted(large, key=lambda part: -int(areas[part])):
        yield np.where(labels == part, mask, 0.0).astype(np.float32)


LOCATE_SIDE = 256
"""Side of the network's square input, pixels. The network was trained on it, as on STRIDE."""
LOCATE_INNER = 208
"""Longer side of the photograph inside the network's input, pixels. The rest is room for corners out of the frame."""
LOCATE_CLOSE = 152
"""Side of the board in the second, closer look, pixels of the network's input."""
STRIDE = 4
"""Pixels of the network's input for one cell of its maps."""
_MAX_PLACES, _SECOND_LOOKS = 6, 2
"""Places at which the lattice is searched, and those that get a second, closer look. The first look alone settles seven
boards in eight. [by hand]"""
PART_SHARES = (0.55, 0.33)
"""Sides of the parts that are examined one by one, as shares of the picture's longer side. The first found 20 of 24
pictures of the development sets shrunk to half; without it 14 were found. Of 24 simulated boards that span about a
sixth of the picture's width (`hard_views`, small), the first alone found 16 and both found 23.
[by hand, sets, hard_views]"""
_LEVELS = (0.5, 0.7)
"""Levels of the mask at which the whole picture is split into separate things. That split 2 of 884 pictures of one
board (development sets and simulated), and 15 of 24 pictures composed of two boards. [by hand, sets]"""
_MAX_IN_WHOLE, _MAX_IN_PART = 2, 2
"""Most things in the whole picture, and in each part, that may be boards. [by eye]"""
_MAX_OUTLINES, _MAX_THINGS = 2, 4
"""Most outlines that are kept of each thing, and most things that get a closer look after the parts were examined.
[by eye]"""
_SAME_SHARE, _OTHER_SHARE = 0.03, 0.4
"""Shares of a side within which two quadrilaterals are the same, and beyond which they belong to different things.
[by eye]"""
_RIM_RATIO, _MIN_ROOM = 1.2, 0.5
"""Distance of the board's edge from its middle, over that of its grid; and the least room for another board beside one,
as a share of that board's smaller extent in the picture. [by eye]"""
_FIRST_NETWORK, _FALLBACK_NETWORK = "locate", "locate_again"
"""Names of the network that looks first, and of the one that looks when the first finds no board."""
_OVERSAMPLING, _LEAST_REDUCTION = 1.4, 0.8
"""Size of a board, over LOCATE_CLOSE, in the picture from which its surroundings are cut; and the scale from which that
picture is not reduced at all. [by eye]"""


@dataclass(frozen=True)
class Location:
    """A place where a board may be: its grid's corners (4, 2) px, clockwise from any corner, and a score of 0 to 1."""

    corners: Floats
    score: float


def corners_at(places: list[Location]) -> list[Floats]:
    """Return the corners (4, 2) px of each place."""
    return [place.corners for place in places]


def locate_in_whole(image: Image, by: str = _FIRST_NETWORK) -> list[Location]:
    """Locate boards in the whole picture (h, w, 3), most probable first, to about half a square.

    Where several things lie apart, the best places of each come first, because no single board covers two things.
    `by` names the network.
    """
    square, box = letterbox(image, LOCATE_SIDE, LOCATE_INNER)
    heat, mask = _maps(square, by)
    each = [_locations(heat, thing, box.to_picture)[:_MAX_OUTLINES] for thing in _things_apart(mask)]
    apart = [place for rank in zip_longest(*each) for place in rank if place is not None]
    return _suppress(apart + _locations(heat, mask, box.to_picture))


def locate_outline(image: Image) -> list[Location]:
    """Return the outline of the largest thing that the fallback network marks in the picture, as a place, if any.

    A hand may have bitten so much out of a board that no quadrilateral fits the rest.
    """
    square, box = letterbox(image, LOCATE_SIDE, LOCATE_INNER)
    _, mask = _maps(square, _FALLBACK_NETWORK)
    outline = _outline(mask)
    if outline is None:
        return []
    quad = np.array(outline)
    return [_location(_overlap(quad, mask), quad, box.to_picture)]


def _things_apart(mask: Plane) -> list[Plane]:
    """Split the mask into things that may be boards. Return none if it is one thing."""
    for level in _LEVELS:
        things = list(islice(components(mask, level), _MAX_IN_WHOLE))
        if len(things) > 1:
            return things
    return []


def locate_in_parts(image: Image, part: float = PART_SHARES[0]) -> list[Location]:
    """Locate small boards in overlapping parts, each `part` of the picture's longer side, and look closer at each."""
    # All parts are cut from one reduced picture, because reducing takes longer than looking at a part.
    small = resize(image, LOCATE_INNER / (part * max(image.shape[:2])))
    height, width = small.shape[:2]
    scale = width / image.shape[1]
    places: list[Location] = []
    for top, left in product(_part_starts(height), _part_starts(width)):
        cut = small[top : top + LOCATE_INNER, left : left + LOCATE_INNER]
        places += _locate_in_part(cut, (left, top), scale)
    places.sort(key=lambda place: -place.score)
    closer = _second_look(image, _suppress(places, _OTHER_SHARE)[:_MAX_THINGS])
    return _suppress(closer)[:_MAX_PLACES]


def _part_starts(length: int) -> list[int]:
    """Return the starts of parts that cover a side, each overlapping the next by at least half."""
    beyond = length - LOCATE_INNER
    count = max(1, -(-2 * beyond // LOCATE_INNER) + 1)
    return sorted({round(start) for start in np.linspace(0, max(beyond, 0), count)})


def locate_beside(image: Image, corners: npt.ArrayLike) -> list[Location]:
    """Locate other boards in the picture (h, w, 3) beside one with `corners` (4, 2) px, where there is room."""
    places: list[Location] = []
    for left, top, right, bottom in _strips_beside(np.asarray(corners, dtype=np.float64), image):
        places += _locate_in_part(image[top:bottom, left:right], (left, top))
    return sorted(places, key=lambda place: -place.score)


def _strips_beside(quad: Floats, image: Image) -> Iterator[tuple[int, int, int, int]]:
    """Yield the strips (left, top, right, bottom px) around a board (4, 2) px that have room for another board."""
    height, width = image.shape[:2]
    middle = quad.mean(axis=0)
    rim = np.clip(middle + _RIM_RATIO * (quad - middle), 0, (width, height)).astype(int)
    (left, top), (right, bottom) = rim.min(axis=0), rim.max(axis=0)
    room = _MIN_ROOM * float(np.ptp(quad, axis=0).min())
    strips = ((0, 0, left, height), (right, 0, width, height), (0, 0, width, top), (0, bottom, width, height))
    for strip in strips:
        if min(strip[2] - strip[0], strip[3] - strip[1]) > room:
            yield strip


def _locate_in_part(part: Image, begin: tuple[int, int], scale: float = 1.0) -> list[Location]:
    """Locate boards in a part (h, w, 3) that begins at x, y of the picture reduced by `scale`."""
    square, box = letterbox(part, LOCATE_SIDE, LOCATE_INNER)
    heat, mask = _maps(square)
    places: list[Location] = []

    def to_whole(points: Floats) -> Floats:
        return (box.to_picture(points) + begin + 0.5) / scale - 0.5

    for thing in islice(components(mask), _MAX_IN_PART):
        places += _locations(heat, thing, to_whole)[:_MAX_OUTLINES]
    return places


def locate_closer(image: Image, first: list[Location], by: str = _FIRST_NETWORK) -> list[Location]:
    """Look closer at the surroundings of the best places. Return what that finds, and then the `first` places."""
    return _suppress(_second_look(image, first[:_SECOND_LOOKS], by) + first)[:_MAX_PLACES]


def locate_again(image: Image) -> list[Location]:
    """Locate boards in the picture (h, w, 3) by the fallback network.

    It was trained on other boards, so it finds boards that the first network overlooks, and overlooks others.
    """
    return locate_closer(image, locate_in_whole(image, _FALLBACK_NETWORK), _FALLBACK_NETWORK)


def _second_look(image: Image, places: list[Location], by: str = _FIRST_NETWORK) -> list[Location]:
    """Locate boards in the surroundings of each place, most probable first."""
    closer: list[Location] = []
    for place in places:
        square, matrix = surroundings(image, place.corners)
        to_picture = partial(_through_homography, np.asarray(np.linalg.inv(matrix), dtype=np.float64))
        closer += _locations(*_maps(square, by), to_picture)
    return sorted(closer, key=lambda place: -place.score)


def _through_homography(homography: Floats, points: Floats) -> Floats:
    """Map points (m, 2) through a homography."""
    return np.asarray(cv2.perspectiveTransform(points[None], homography)[0], dtype=np.float64)


def _maps(square: Image, by: str = _FIRST_NETWORK) -> tuple[Plane, Plane]:
    """Return a network's corner map and mask, probabilities (side / STRIDE, side / STRIDE) each."""
    logits = network(by)(normalise(square)[None])[0]
    heat, mask = sigmoid(logits).astype(np.float32)
    return heat, mask


def _locations(heat: Plane, mask: Plane, to_picture: Callable[[Floats], Floats]) -> list[Location]:
    return [_location(score, quad, to_picture) for score, quad in quadrilaterals(heat, mask)]


def _location(score: float, quad: Floats, to_picture: Callable[[Floats], Floats]) -> Location:
    """Return the place of a quadrilateral (4, 2), in map cells."""
    return Location(to_picture(quad * STRIDE + (STRIDE - 1) / 2), min(1.0, score / BEST_SCORE))


def _suppress(places: list[Location], same: float = _SAME_SHARE) -> list[Location]:
    """Drop places whose corners lie within `same`, a share of a side, of a better one (non-maximum suppression)."""
    kept: list[Location] = []
    for place in places:
        side = float(side_lengths(place.corners).mean())
        gaps = [float(corner_gaps(place.corners, other.corners).max(axis=1).min()) for other in kept]
        if min(gaps, default=np.inf) > same * side:
            kept.append(place)
    return kept


def surroundings(image: Image, corners: npt.ArrayLike) -> tuple[Image, Floats]:
    """Cut a square picture around the quadrilateral `corners` (4, 2) px; return it and the homography to it."""
    quad = np.asarray(corners, dtype=np.float64)
    longest = float(side_lengths(quad).max())
    scale = min(1.0, _OVERSAMPLING * LOCATE_CLOSE / max(longest, 1.0))
    small = resize(image, scale) if scale < _LEAST_REDUCTION else image
    shrink = np.diag([small.shape[1] / image.shape[1], small.shape[0] / image.shape[0], 1.0])
    low = (LOCATE_SIDE - LOCATE_CLOSE) / 2
    high = low + LOCATE_CLOSE
    middle = np.array([(low, low), (high, low), (high, high), (low, high)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), middle)
    square = cv2.warpPerspective(
        small,
        matrix @ np.linalg.inv(shrink),
        (LOCATE_SIDE, LOCATE_SIDE),
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(128, 128, 128),
    )
    return np.asarray(square, dtype=np.uint8), np.asarray(matrix, dtype=np.float64)
