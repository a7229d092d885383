"""From the locating network's corner map and mask to the quadrilaterals that both agree on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

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


LIMITS = QuadrilateralLimits()
BEST_SCORE = 1.0 + LIMITS.corner_weight
"""Score of a quadrilateral whose overlap and corners are perfect."""


def quadrilaterals(heat: Plane, mask: Plane) -> list[tuple[float, Floats]]:
    """Scores and corners (4, 2), in map cells, of what corner map and mask agree on, best first."""
    outline = _outline(mask)
    if outline is None:
        return []
    peaks = _peaks(heat)
    points = [p for p, _ in peaks] + [
        p for p in outline if all(np.linalg.norm(p - q) > LIMITS.same_corner for q, _ in peaks)
    ]
    strength = [s for _, s in peaks] + [LIMITS.outline_strength] * (len(points) - len(peaks))
    found: list[tuple[float, Floats]] = []
    chosen = np.array(list(combinations(range(len(points)), 4)), dtype=np.int64).reshape(-1, 4)
    quads, fit = _clockwise(np.array(points)[chosen])
    # one much smaller than the least overlap with the mask cannot have it
    fit &= _areas(quads) > LIMITS.least_size * LIMITS.least_overlap * float(mask.sum())
    for quad, corners in zip(quads[fit], chosen[fit], strict=True):
        overlap = _overlap(quad, mask)
        if overlap >= LIMITS.least_overlap:
            mean = float(np.mean([strength[k] for k in corners]))
            found.append((overlap + LIMITS.corner_weight * mean, quad))
    found.sort(key=lambda item: -item[0])
    return found[: LIMITS.most_quads]


def _peaks(heat: Plane) -> list[tuple[Floats, float]]:
    """Local maxima of the corner map, (x, y) in map cells to a fraction of a cell, strongest first."""
    tops = (heat == cv2.dilate(heat, np.ones((5, 5), np.uint8))) & (heat > LIMITS.peak)
    rows, cols = np.nonzero(tops)
    strongest = np.argsort(-heat[rows, cols])[: LIMITS.most_peaks]
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
    large = (part for part in range(1, parts) if areas[part] >= LIMITS.least_area)
    for part in sorted(large, key=lambda part: -int(areas[part])):
        yield np.where(labels == part, mask, 0.0).astype(np.float32)
