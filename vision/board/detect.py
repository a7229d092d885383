"""Finding the playing grid in a photograph: a small network's corner map and mask, joined to a quadrilateral."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.rectify import letterbox, normalised, resize
from vision.images import Image
from vision.networks import network

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]

LOCATE_SIDE = 256
LOCATE_INNER = 208
"""The photograph's longer side inside the square; the rest is room for corners out of the frame."""
LOCATE_CLOSE = 152
"""Side of the board in the second, closer look."""
STRIDE = 4
_PEAK = 0.12
_MOST_PEAKS = 9
_LEAST_OVERLAP = 0.55
_LEAST_AREA = 60.0
_MOST_QUADS = 12
_MOST_PLACES = 6
_SECOND_LOOKS = 2
_PART = 0.55
"""Side of the parts that are looked at one by one, by the picture's longer side."""
_IN_A_PART = 2
"""Things in each part of a picture that may be boards."""
_OUTLINES = 2
"""Outlines of each of them that are kept."""
_THINGS = 4
"""Things that are looked at closer when parts of the picture have been looked at."""
_SAME, _ANOTHER = 0.03, 0.4
"""Shares of a side within which two quadrilaterals are taken as one, and beyond which they are of two things."""


@dataclass(frozen=True)
class Location:
    """A board found: its grid's corners (4, 2) px, clockwise from any of them, and a score from 0 to 1."""

    corners: Floats
    score: float


def first_look(image: Image) -> list[Location]:
    """What a look at the whole picture finds, most probable first, to about half a square."""
    square, box = letterbox(image, LOCATE_SIDE, LOCATE_INNER)
    return _apart(_found(square, box.to_picture))


def looked_in_parts(image: Image) -> list[Location]:
    """What looks at overlapping parts of the picture find, each looked at closer: boards that lie small in it."""
    height, width = image.shape[:2]
    side = round(_PART * max(height, width))
    found: list[Location] = []
    for top in _starts(height, side):
        for left in _starts(width, side):
            square, box = letterbox(image[top : top + side, left : left + side], LOCATE_SIDE, LOCATE_INNER)
            to_picture = partial(_shifted, box.to_picture, np.array([left, top]))
            heat, mask = _maps(square)
            for thing in islice(_things(mask), _IN_A_PART):
                found += _located(heat, thing, to_picture)[:_OUTLINES]
    found.sort(key=lambda place: -place.score)
    return _apart(_closer(image, _apart(found, _ANOTHER)[:_THINGS]))[:_MOST_PLACES]


def _starts(length: int, part: int) -> list[int]:
    """Where parts begin that cover a side, each overlapping the next by half at least."""
    count = max(1, -(-2 * (length - part) // part) + 1)
    return sorted({round(start) for start in np.linspace(0, max(length - part, 0), count)})


def _shifted(to_part: Callable[[Floats], Floats], by: Floats, points: Floats) -> Floats:
    """Points (m, 2) of the picture, from those of a part of it that begins at `by` px."""
    return to_part(points) + by


def looked_closer(image: Image, first: list[Location]) -> list[Location]:
    """The places, and what a second look finds in the surroundings of the best, larger and squared up."""
    return _apart(_closer(image, first[:_SECOND_LOOKS]) + first)[:_MOST_PLACES]


def _closer(image: Image, places: list[Location]) -> list[Location]:
    """What looks at the surroundings of each place find, most probable first."""
    found: list[Location] = []
    for place in places:
        square, matrix = surroundings(image, place.corners)
        to_picture = partial(_mapped, np.asarray(np.linalg.inv(matrix), dtype=np.float64))
        found += _found(square, to_picture)
    return sorted(found, key=lambda place: -place.score)


def _mapped(homography: Floats, points: Floats) -> Floats:
    """Points (m, 2) through a homography."""
    return np.asarray(cv2.perspectiveTransform(points[None], homography)[0], dtype=np.float64)


def _found(square: Image, to_picture: Callable[[Floats], Floats]) -> list[Location]:
    return _located(*_maps(square), to_picture)


def _maps(square: Image) -> tuple[Plane, Plane]:
    """The network's corner map and mask, probabilities (side / STRIDE, side / STRIDE) each."""
    logits = network("locate")(normalised(square)[None])[0]
    heat, mask = (1.0 / (1.0 + np.exp(-logits))).astype(np.float32)
    return heat, mask


def _located(heat: Plane, mask: Plane, to_picture: Callable[[Floats], Floats]) -> list[Location]:
    return [
        Location(to_picture(quad * STRIDE + (STRIDE - 1) / 2), min(1.0, score / 1.25))
        for score, quad in _quadrilaterals(heat, mask)
    ]


def _things(mask: Plane) -> Iterator[Plane]:
    """The mask taken apart into what hangs together and is no speck, largest first."""
    parts, labels, stats, _ = cv2.connectedComponentsWithStats((mask > 0.5).astype(np.uint8))
    areas = stats[:, cv2.CC_STAT_AREA]
    large = (part for part in range(1, parts) if areas[part] >= _LEAST_AREA)
    for part in sorted(large, key=lambda part: -int(areas[part])):
        yield np.where(labels == part, mask, 0.0).astype(np.float32)


def _apart(places: list[Location], same: float = _SAME) -> list[Location]:
    """The places without those that are the same as a better one, to a share of a side."""
    kept: list[Location] = []
    for place in places:
        side = float(np.linalg.norm(place.corners - np.roll(place.corners, 1, axis=0), axis=1).mean())
        gaps = [_gap(place.corners, other.corners) for other in kept]
        if min(gaps, default=np.inf) > same * side:
            kept.append(place)
    return kept


def _gap(one: Floats, other: Floats) -> float:
    """The largest distance between corners of two quadrilaterals, whichever of theirs comes first."""
    return min(float(np.linalg.norm(np.roll(one, k, axis=0) - other, axis=1).max()) for k in range(4))


def surroundings(image: Image, corners: npt.ArrayLike) -> tuple[Image, Floats]:
    """A square picture in which the quadrilateral `corners` (4, 2) px fills the middle, and the homography to it."""
    quad = np.asarray(corners, dtype=np.float64)
    longest = float(np.max(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)))
    scale = min(1.0, 1.4 * LOCATE_CLOSE / max(longest, 1.0))
    small = resize(image, scale) if scale < 0.8 else image
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


def _quadrilaterals(heat: Plane, mask: Plane) -> list[tuple[float, Floats]]:
    """Scores and corners (4, 2), in map cells, of what corner map and mask agree on, best first."""
    outline = _outline(mask)
    if outline is None:
        return []
    peaks = _peaks(heat)
    points = [p for p, _ in peaks] + [
        p for p in outline if all(np.linalg.norm(p - q) > 2.5 for q, _ in peaks)
    ]
    strength = [s for _, s in peaks] + [0.05] * (len(points) - len(peaks))
    found: list[tuple[float, Floats]] = []
    for chosen in combinations(range(len(points)), 4):
        quad = _clockwise(np.array([points[k] for k in chosen]))
        if quad is None:
            continue
        overlap = _overlap(quad, mask)
        if overlap >= _LEAST_OVERLAP:
            found.append((overlap + 0.25 * float(np.mean([strength[k] for k in chosen])), quad))
    found.sort(key=lambda item: -item[0])
    return found[:_MOST_QUADS]


def _peaks(heat: Plane) -> list[tuple[Floats, float]]:
    """Local maxima of the corner map, (x, y) in map cells to a fraction of a cell, strongest first."""
    tops = (heat == cv2.dilate(heat, np.ones((5, 5), np.uint8))) & (heat > _PEAK)
    rows, cols = np.nonzero(tops)
    strongest = np.argsort(-heat[rows, cols])[:_MOST_PEAKS]
    return [(_centroid(heat, int(rows[k]), int(cols[k])), float(heat[rows[k], cols[k]])) for k in strongest]


def _centroid(heat: Plane, row: int, col: int) -> Floats:
    top, left = max(row - 2, 0), max(col - 2, 0)
    patch = heat[top : row + 3, left : col + 3].astype(np.float64)
    y, x = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    total = patch.sum()
    return np.array([left + (x * patch).sum() / total, top + (y * patch).sum() / total])


def _outline(mask: Plane) -> list[Floats] | None:
    """The four corners of the polygon that the mask fills best, or None when there is hardly any mask."""
    largest = next(_things(mask), None)
    if largest is None:
        return None
    contours, _ = cv2.findContours((largest > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=len))
    if len(hull) < 4:
        return None
    polygon = np.asarray(cv2.approxPolyN(hull, 4, None, -1.0, True)).reshape(-1, 2)
    return [p.astype(np.float64) for p in polygon]


def _clockwise(points: Floats) -> Floats | None:
    """The four points in clockwise order (as seen in the picture), or None when they are not convex."""
    away = points - points.mean(axis=0)
    quad = points[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    edges = np.roll(quad, -1, axis=0) - quad
    turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    return quad if bool(np.all(turns > 1.0)) else None


def _overlap(quad: Floats, mask: Plane) -> float:
    """Soft intersection over union of the quadrilateral with the mask, within the map."""
    inside = np.zeros(mask.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad * 16).astype(np.int32), 1, cv2.LINE_8, shift=4)
    both = float((mask * inside).sum())
    return both / (float(mask.sum()) + float(inside.sum()) - both + 1e-6)
