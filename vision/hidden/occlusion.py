"""How hidden is hidden: every threshold on what a hand, a stack or the picture's edge hides, by what it decides.

Two measures are kept apart everywhere: `hidden` is the probability that a hand, an object or the picture's edge hides a
square, `covered` the share of a face that nearer stacks hide.

What stacks cover of each other, and faces with what covers them filled in.

A stack hides of a plane above the board what lies in its shadow, were the camera a lamp: the hull of its foot in that
plane and of its top face as thrown onto it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.tile_shape import TILE
from vision.images import Image


@dataclass(frozen=True)
class Visibility:
    """Thresholds; on probabilities of `hidden` unless said otherwise.

    Attributes:
        hidden: from which a square counts as hidden: what is not there more likely than not is not read.
        reference: up to which a square is clear enough that others are compared with it or learned from; chosen by eye,
            not measured.
        covered_face: share of a face that stacks may cover while its letter still counts as in view. Letters covered by
            less are read rightly in 97 % of the faces, up to 0.5 in 70 %; asking Tesseract about the others took 115 ms
            and told nothing (development sets).
        covered_ground: share of a bare square that stacks may cover while its ground counts as in view; chosen by eye,
            not measured.
        covered_stack: share of a face that stacks may cover while the height of its stack counts as seen. On the
            development sets and in rendered games 2 % of the heights of squares covered by 0.5 to 0.7 were wrong, 4 %
            up to 0.9, 18 % of the 652 beyond that.
        least_seen: share of a window that must be in view for its ground's colour to be known; chosen by eye, not
            measured.
    """

    hidden: float = 0.5
    reference: float = 0.3
    covered_face: float = 0.3
    covered_ground: float = 0.2
    covered_stack: float = 0.7
    least_seen: float = 0.3


VISIBLE = Visibility()


Floats = npt.NDArray[np.float64]
Masks = npt.NDArray[np.bool_]

_RISE = 0.05
"""How much higher (cells) a stack must be to hide anything. By eye, not measured."""
_SHIFT = 4
"""Bits of a pixel's fraction to which outlines are drawn."""
_FINE = 12
"""Points a side at which it is asked how much of a face is hidden: shares of a hundredth. By eye."""


def covered_masks(camera: Camera, places: Floats, tops: Floats, px: int, width: float = 1.0) -> Masks:
    """What (m, px, px) nearer stacks hide of windows `width` cells wide around board points `places` (m, 3).

    `places` are x, y and height in cells; `tops` (n, n) the elevations of the stacks' faces, 0 where none stands.
    Pixels that an outline only touches count as hidden.
    """
    hidden = np.zeros((len(places), px, px), dtype=np.uint8)
    for k, _, outline in _shadows(camera, places, tops, width):
        _fill(hidden[k], (outline - places[k, :2]) / width)
    return hidden.astype(np.bool_)


def shares_hidden_by(camera: Camera, place: Floats, tops: Floats) -> Floats:
    """Return the share of the letter at `place` (3,) that each stack (n, n) hides by itself; as for `covered_masks`."""
    shares = np.zeros(tops.shape)
    for _, stack, outline in _shadows(camera, place[None], tops, TILE.letter):
        hidden = np.zeros((_FINE, _FINE), dtype=np.uint8)
        _fill(hidden, (outline - place[:2]) / TILE.letter)
        shares[stack] = hidden.mean()
    return shares


def covered_faces(camera: Camera, tops: Floats) -> Floats:
    """The share (n, n) of each square's top face that nearer stacks hide; `tops` as for `covered_masks`."""
    return covered_shares(camera, tops, tops)


def covered_shares(camera: Camera, heights: Floats, tops: Floats) -> Floats:
    """The share (n, n) that nearer stacks hide of faces at `heights` (n, n), cells; `tops` as for `covered_masks`."""
    row, col = np.indices(heights.shape)
    places = np.stack([col + 0.5, row + 0.5, heights], axis=-1).reshape(-1, 3)
    hidden = covered_masks(camera, places, tops, _FINE, TILE.letter)
    return np.asarray(hidden.mean(axis=(1, 2)).reshape(heights.shape), dtype=np.float64)


def partly_covered(hidden: Masks) -> npt.NDArray[np.int64]:
    """Which windows of `hidden` (m, px, px) are hidden in part, but not so far that hardly anything is in view."""
    return np.flatnonzero(hidden.any(axis=(1, 2)) & (hidden.mean(axis=(1, 2)) < 1.0 - VISIBLE.least_seen))


def fill_covered(windows: Image, hidden: Masks) -> Image:
    """Windows (m, px, px, 3) whose `hidden` (m, px, px) pixels, where some are in view, have the others' median colour.

    What is left of a letter is then held against others by itself, not along with what hides it.
    """
    out = windows.copy()
    for k in partly_covered(hidden):
        out[k, hidden[k]] = np.median(windows[k, ~hidden[k]], axis=0)
    return out


def _fill(window: npt.NDArray[np.uint8], outline: Floats) -> None:
    """Set to 1 what an outline (k, 2), in widths of the window (px, px) from its middle, covers of it."""
    at = (outline + 0.5) * len(window) - 0.5
    cv2.fillConvexPoly(window, np.round(at * 2**_SHIFT).astype(np.int32), 1, shift=_SHIFT)


def _shadows(
    camera: Camera, places: Floats, tops: Floats, width: float
) -> Iterator[tuple[int, tuple[int, int], Floats]]:
    """Yield windows that nearer stacks may hide part of: which one, the stack's row and column, its outline (k, 2).

    The outline is that of the stack's shadow in the plane of the window.
    """
    rows, cols = np.nonzero(tops > _RISE)
    middles, heights = np.column_stack([cols, rows]) + 0.5, tops[rows, cols]
    eye, level = camera.position, places[:, 2:]
    # what stands as high as the camera would throw an endless shadow
    heights = np.minimum(heights, eye[2] - _RISE)
    hides = heights > level + _RISE
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
