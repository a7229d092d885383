"""Finding the playing grid in a photograph: a small network's corner map and mask, joined to a quadrilateral."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.images import Image
from vision.networks import network
from vision.warp import Letterbox, letterbox, normalised

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]

LOCATE_SIDE = 256
LOCATE_INNER = 208
"""The photograph's longer side inside the square; the rest is room for corners out of the frame."""
STRIDE = 4
_PEAK = 0.12
_MOST_PEAKS = 9
_LEAST_OVERLAP = 0.55
_LEAST_AREA = 60.0


@dataclass(frozen=True)
class Location:
    """A board found: its grid's corners (4, 2) px, clockwise from any of them, and a score from 0 to 1."""

    corners: Floats
    score: float


def locate(image: Image) -> list[Location]:
    """Where the playing grid may be, most probable first; empty when nothing in the picture looks like one."""
    square, box = letterbox(image, LOCATE_SIDE, LOCATE_INNER)
    logits = network("locate")(normalised(square)[None])[0]
    heat, mask = (1.0 / (1.0 + np.exp(-logits))).astype(np.float32)
    return _join(heat, mask, box)


def _join(heat: Plane, mask: Plane, box: Letterbox) -> list[Location]:
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
    return [
        Location(box.to_picture(quad * STRIDE + (STRIDE - 1) / 2), min(1.0, score / 1.25))
        for score, quad in found[:3]
    ]


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
    parts, labels, stats, _ = cv2.connectedComponentsWithStats((mask > 0.5).astype(np.uint8))
    if parts < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    if stats[largest, cv2.CC_STAT_AREA] < _LEAST_AREA:
        return None
    contours, _ = cv2.findContours(
        (labels == largest).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
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
