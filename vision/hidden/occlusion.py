"""What hands, stacks and the picture's edge hide: the thresholds, the faces that stacks cover, and what is cut off.

Two measures are kept apart everywhere. `hidden` is the probability that a hand, an object or the picture's edge hides a
square. `covered` is the share of a face that nearer stacks hide.

If the camera were a lamp, a stack would hide whatever lies in its shadow. In a plane above the board the shadow is the
hull of the stack's foot and of its top face as projected onto that plane.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine import Square, square_name
from engine.wording import capitalize, join_names, phrase, plural
from vision.arrays import Flags, Floats, Ints
from vision.geometry.camera import Camera
from vision.geometry.tile_shape import TILE
from vision.images import Image
from vision.picture_quality import find_shown_area, has_missing_part


@dataclass(frozen=True)
class Visibility:
    """Thresholds, on probabilities of `hidden` unless stated otherwise.

    Attributes:
        hidden: above this a square counts as hidden. A square that is probably hidden is not read.
        reference: up to this a square is clear enough to compare others with it or to learn from it. [by eye]
        covered_face: share of a face that stacks may cover while its letter still counts as in view. If less is
            covered, 97 % of the letters are right, up to 0.5 70 %. Asking Tesseract about the others took 115 ms and
            helped nothing. [by hand, sets]
        covered_ground: share of a bare square that stacks may cover while its ground counts as in view. [by eye]
        covered_stack: share of a face that stacks may cover while the height of its stack counts as seen. On the
            development sets and in rendered games 2 % of the heights of squares covered by 0.5 to 0.7 were wrong, 4 %
            up to 0.9, 18 % of the 652 beyond that. [by hand, sets]
        least_seen: share of a window that must be in view for the colour of its ground to be known. [by eye]
    """

    hidden: float = 0.5
    reference: float = 0.3
    covered_face: float = 0.3
    covered_ground: float = 0.2
    covered_stack: float = 0.7
    least_seen: float = 0.3


VISIBLE = Visibility()


_MIN_RISE = 0.05
"""How much higher (cells) a stack must be to hide anything. [by eye]"""
_OUTLINE_BITS = 4
"""Bits of a pixel's fraction with which outlines are drawn."""
_FACE_POINTS = 12
"""Points a side that measure how much of a face is hidden: shares of a hundredth. [by eye]"""


def mask_covered(camera: Camera, places: Floats, tops: Floats, px: int, width: float = 1.0) -> Flags:
    """Return the pixels (m, px, px) that nearer stacks hide of windows around board points `places` (m, 3).

    The windows are `width` cells wide. `places` are x, y and height in cells; `tops` (n, n) are the elevations of the
    stacks' faces, 0 for a bare square. Pixels that an outline only touches count as hidden.
    """
    hidden = np.zeros((len(places), px, px), dtype=np.uint8)
    for k, _, outline in _shadows(camera, places, tops, width):
        _fill(hidden[k], (outline - places[k, :2]) / width)
    return hidden.astype(np.bool_)


def measure_hidden_by(camera: Camera, place: Floats, tops: Floats) -> Floats:
    """Return the share of the letter at `place` (3,) that each stack (n, n), with its face at `tops`, hides alone."""
    shares = np.zeros(tops.shape)
    for _, stack, outline in _shadows(camera, place[None], tops, TILE.letter):
        hidden = np.zeros((_FACE_POINTS, _FACE_POINTS), dtype=np.uint8)
        _fill(hidden, (outline - place[:2]) / TILE.letter)
        shares[stack] = hidden.mean()
    return shares


def measure_overlaps(camera: Camera, places: Floats, faces: Floats) -> Floats:
    """Return the share (m, k) of each face at `places` (m, 3) that each of `faces` (k, 3) overlaps in the picture."""
    pixels = camera.project(places)
    shared = np.empty((len(places), len(faces)))
    for height in np.unique(faces[:, 2]):
        level = faces[:, 2] == height
        apart = np.abs(camera.to_board(pixels, float(height))[:, None] - faces[None, level, :2])
        shared[:, level] = np.clip(1.0 - apart / TILE.footprint, 0.0, None).prod(axis=-1)
    return shared


def measure_covered_faces(camera: Camera, tops: Floats) -> Floats:
    """Return the share (n, n) that nearer stacks hide of each top face; `tops` (n, n) is 0 on bare squares."""
    return measure_covered(camera, tops, tops)


def measure_covered(camera: Camera, heights: Floats, tops: Floats) -> Floats:
    """Return the share (n, n) that nearer stacks, as high as `tops` (n, n), hide of faces at `heights` (n, n)."""
    row, col = np.indices(heights.shape)
    places = np.stack([col + 0.5, row + 0.5, heights], axis=-1).reshape(-1, 3)
    hidden = mask_covered(camera, places, tops, _FACE_POINTS, TILE.letter)
    return np.asarray(hidden.mean(axis=(1, 2)).reshape(heights.shape), dtype=np.float64)


def find_partly_covered(hidden: Flags) -> Ints:
    """Return which windows of `hidden` (m, px, px) are hidden in part, with enough left in view."""
    return np.flatnonzero(hidden.any(axis=(1, 2)) & (hidden.mean(axis=(1, 2)) < 1.0 - VISIBLE.least_seen))


def fill_covered(windows: Image, hidden: Flags) -> Image:
    """Fill the `hidden` pixels (m, px, px) of windows (m, px, px, 3) with the median colour of those in view.

    The visible part of a letter is then compared by itself, without the stack in front. Windows with too little in view
    stay as they are.
    """
    out = windows.copy()
    for k in find_partly_covered(hidden):
        out[k, hidden[k]] = np.median(windows[k, ~hidden[k]], axis=0)
    return out


def _fill(window: npt.NDArray[np.uint8], outline: Floats) -> None:
    """Set a window (px, px) to 1 inside an outline (k, 2), which is in widths of the window from its middle."""
    at = (outline + 0.5) * len(window) - 0.5
    cv2.fillConvexPoly(window, np.round(at * 2**_OUTLINE_BITS).astype(np.int32), 1, shift=_OUTLINE_BITS)


def _shadows(
    camera: Camera, places: Floats, tops: Floats, width: float
) -> Iterator[tuple[int, tuple[int, int], Floats]]:
    """Yield each shadow that may fall on a window: the window's index, the stack's row and column, and the outline.

    The outline (k, 2) is that of the stack's shadow in the plane of the window.
    """
    rows, cols = np.nonzero(tops > _MIN_RISE)
    middles, heights = np.column_stack([cols, rows]) + 0.5, tops[rows, cols]
    eye, level = camera.position, places[:, 2:]
    # a stack as high as the camera would have an endless shadow
    heights = np.minimum(heights, eye[2] - _MIN_RISE)
    hides = heights > level + _MIN_RISE
    hides &= (np.floor(places[:, None, :2]) != middles - 0.5).any(axis=-1)
    magnified = (eye[2] - level) / (eye[2] - heights)
    thrown = eye[:2] + (middles - eye[:2]) * magnified[..., None]
    half = TILE.half * np.stack([np.ones_like(magnified), magnified])[..., None]
    ends = np.stack([np.broadcast_to(middles, thrown.shape), thrown]) - places[:, None, :2]
    meets = ((ends - half).min(axis=0) < 0.5 * width) & ((ends + half).max(axis=0) > -0.5 * width)
    for k, s in np.argwhere(hides & meets.all(axis=-1)):
        base = middles[s] + TILE.corners()
        top = thrown[k, s] + magnified[k, s] * TILE.corners()
        hull = cv2.convexHull(np.concatenate([base, top]).astype(np.float32))
        yield int(k), (int(rows[s]), int(cols[s])), np.asarray(hull[:, 0], dtype=np.float64)


_MAX_OUTSIDE = 0.3
"""Share of a square outside the picture above which it is cut off: no letter can be read then. [by eye]"""
_MIN_LINE_OUTSIDE = 0.5
"""Share of a border row or column that must be cut off for the sentence to name the line instead of its corners.
[by eye]"""
_EDGE_NAMES = (phrase("left"), phrase("top"), phrase("right"), phrase("bottom"))


@dataclass(frozen=True)
class CutOff:
    """The part of a board that is out of the picture.

    Attributes:
        squares: (n, n), the squares of which too much is out of the picture to be read.
        edges: the edges of the picture, as it is seen, beyond which they lie.
        missing: they lie in a part of the picture that is missing, because its file is damaged.
    """

    squares: Flags
    edges: tuple[str, ...]
    missing: bool = False

    def text(self) -> str:
        """Return the sentence that says which part is missing and what to do."""
        parts = _parts(self.squares)
        one = len(parts) == 1 and "corners" not in parts[0]
        named, edges = join_names(parts), join_names(self.edges)
        if self.missing:
            return capitalize(
                plural(
                    "%(parts)s of the board is in a part of the picture that is missing: copy the photograph again, "
                    "or take it again.",
                    "%(parts)s of the board are in a part of the picture that is missing: copy the photograph again, "
                    "or take it again.",
                    1 if one else 2,
                    parts=named,
                )
            )
        beyond = plural(
            "beyond the %(edges)s edge of the picture",
            "beyond the %(edges)s edges of the picture",
            len(self.edges),
            edges=edges,
        )
        return capitalize(
            plural(
                "%(parts)s of the board is %(beyond)s: bring it in, so that all four corners are in view.",
                "%(parts)s of the board are %(beyond)s: bring them in, so that all four corners are in view.",
                1 if one else 2,
                parts=named,
                beyond=beyond,
            )
        )


def cut_off(image: Image, camera: Camera, beyond: Floats) -> CutOff | None:
    """Return the part of the board that is out of the picture (h, w, 3), None if all is in view.

    `beyond` (n, n) is the share of each square outside, or of its stack's face, which may leave the picture before it.
    """
    squares = beyond > _MAX_OUTSIDE
    if not squares.any():
        return None
    rows, cols = np.nonzero(squares)
    middles = camera.project(np.column_stack([cols + 0.5, rows + 0.5, np.zeros(len(rows))]))
    left, top, right, bottom = find_shown_area(image)
    # the middle of a square that is cut off may still lie inside the edge
    beyond = np.column_stack([(left, top) - middles, middles - (right - 1, bottom - 1)])
    edges = sorted({int(edge) for edge in beyond.argmax(axis=1)})
    return CutOff(squares, tuple(_EDGE_NAMES[edge] for edge in edges), has_missing_part(image))


def _parts(squares: Flags) -> list[str]:
    """Name the border rows and columns that are cut off, and the corners that none of these contain."""
    last = len(squares) - 1
    sides = ((squares[0], squares[last], 0), (squares[:, 0], squares[:, last], 1))
    named: list[str] = []
    rest = squares.copy()
    for first, final, axis in sides:
        for at, side in ((0, first), (last, final)):
            if side.mean() >= _MIN_LINE_OUTSIDE:
                name = square_name(Square(at, at))
                row_name = phrase("row %(name)s", name=name[1:])
                named.append(phrase("column %(name)s", name=name[0]) if axis else row_name)
                rest[(at, slice(None)) if axis == 0 else (slice(None), at)] = False
    corners = [square_name(Square(row, col)) for row in (0, last) for col in (0, last) if rest[row, col]]
    if corners:
        at_corners = join_names(corners)
        named.append(
            plural("the corner at %(squares)s", "the corners at %(squares)s", len(corners), squares=at_corners)
        )
    return named or [phrase("a part")]
