"""What colours tell of stacks: the tiles of a set are of one colour, the board is of another.

Rings and stars printed on a board look like letters, and one square's letter like another's; the ground beside them
seldom does. And a stack has walls: where the board shows where its near wall would be, there is none. The colours of
the picture's own tiles and bare squares, as far as they are beyond doubt, are taken to be those of all (Student's t
distributions: light, shade and painted squares leave outliers).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.images import Image
from vision.occlusion import shares_hidden
from vision.sweep import SLICE_STEP
from vision.warp import resample

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_BESIDE = np.array([-0.32, -0.24, 0.24, 0.32])
"""Distances, both ways, from the middle of a face, cells: its four corners, which letters and prints leave free."""
_WALL = 0.42
"""Distance of a near wall from the middle of its square, cells."""
_ALONG_WALL = np.array([-0.25, 0.0, 0.25])
_SURE = 0.02
"""How far from certain a tile or a bare square may be that others are compared with."""
_HIDDEN = 0.3
_LEAST_TILES, _LEAST_BARE = 4, 8
_FACES_DIFFER, _WALLS_DIFFER = np.array([6.0, 4.0, 4.0]), np.array([12.0, 5.0, 5.0])
"""Standard deviations of L*, a* and b* at least: light differs from place to place, and most on walls."""
_TAIL = 4.0
"""Degrees of freedom of the colours' distributions."""
_ALIKE = ((8.0, 16.0), (1.0, 0.0))
"""Squared distances from a kind, deviations, up to which a colour is one of it, and from which it is none."""
_FACE_SAYS = (-8.0, 1.0)
"""How far a face's ground may change the log odds of a tile. It may be another, nearer tile's: little upwards."""
_SQUARE_SAYS = (0.0, 3.0)
"""Likewise for the square's own ground, where no other stack can hide it. Shade and paint: only upwards."""
_COVERED = 0.2
"""Share of a square that others may hide while its ground counts as in view."""
_CONCEIVABLE = 0.02
"""Probability from which a slice is reckoned with as one that may hide others."""
_WALL_LEAST = -5.0
"""Least log odds of a piece of wall."""
_WALL_FREE, _WALL_SAYS, _WALL_MOST = 0.5, 2.0, -6.0
"""Mean log odds of a wall, downwards, that mean nothing yet; the weight of what is beyond, and its limit."""


def colour_odds(image: Image, camera: Camera, elevations: Floats, hidden: Floats) -> Floats:
    """Log odds (n, n, k - 1) of a face in each slice but the first, against a bare square, from colours alone.

    `camera` looks from the lower side of the board (`quarter_towards_camera`); `elevations` (n, n, k) are the log
    probabilities of each square by itself, slices `SLICE_STEP` apart, the first for an empty square; `hidden` (n, n).
    Where few tiles or bare squares are beyond doubt, colour says nothing.
    """
    empty, seen = np.exp(elevations[..., 0]), hidden < _HIDDEN
    tiles, bare = seen & (empty < _SURE), seen & (empty > 1.0 - _SURE)
    if tiles.sum() < _LEAST_TILES or bare.sum() < _LEAST_BARE:
        return np.zeros_like(elevations[..., 1:])
    tops = elevations[..., 1:].argmax(axis=-1) + 1
    faces, squares = _faces(image, camera, tops * SLICE_STEP), _faces(image, camera, np.zeros(tops.shape))
    by_face = _odds(faces, _Kind.of(faces[tiles], _FACES_DIFFER), _Kind.of(squares[bare], _FACES_DIFFER))
    board = _Kind.of(squares[bare], _WALLS_DIFFER)
    by_square = _in_view(camera, elevations) * _odds(squares, _Kind.of(faces[tiles], _WALLS_DIFFER), board)
    odds = np.clip(by_face, *_FACE_SAYS) + np.clip(by_square, *_SQUARE_SAYS)
    walls = _walls(image, camera, len(tops), elevations.shape[-1] - 1)
    return odds[..., None] + _walls_say(walls, np.where(tiles, tops, 0), board)


@dataclass(frozen=True)
class _Kind:
    """Colours that belong together, as a Student's t distribution: its middle (3,), inverse scatter (3, 3), scale."""

    middle: Floats
    inverse: Floats
    scale: float

    @staticmethod
    def of(known: Floats, differ: Floats) -> _Kind:
        """The kind of the colours `known` (m, 3), which `differ` (3,) at least; a few strangers do no harm."""
        middle = np.median(known, axis=0)
        off = known - middle
        wide = 4.5 * np.median(np.abs(off), axis=0) + 1.0
        off = np.clip(off, -wide, wide)
        spread = off.T @ off / len(off) + np.diag(differ**2)
        inverse = np.asarray(np.linalg.inv(spread), dtype=np.float64)
        return _Kind(np.asarray(middle), inverse, 0.5 * float(np.linalg.slogdet(spread)[1]))

    def far(self, colours: Floats) -> Floats:
        """Squared distance (...) of colours (..., 3) from the middle, in deviations."""
        away = colours - self.middle
        return np.asarray(np.einsum("...i,ij,...j->...", away, self.inverse, away), dtype=np.float64)


def _odds(colours: Floats, tiles: _Kind, board: _Kind) -> Floats:
    """Log odds (...) of tiles against board for colours (..., 3); 0 where they resemble neither."""
    far, near = tiles.far(colours), board.far(colours)
    odds = board.scale - tiles.scale + 0.5 * (_TAIL + 3.0) * (np.log1p(near / _TAIL) - np.log1p(far / _TAIL))
    return np.asarray(odds * np.interp(np.where(odds > 0, far, near), *_ALIKE), dtype=np.float64)


def _in_view(camera: Camera, elevations: Floats) -> Flags:
    """The squares (n, n) whose ground no other stack hides, even if all are as high as they may be."""
    conceivable = np.exp(elevations) > _CONCEIVABLE
    highest = (conceivable * np.arange(elevations.shape[-1])).max(axis=-1) * SLICE_STEP
    return np.asarray(shares_hidden(camera, np.zeros(highest.shape), highest) < _COVERED, dtype=np.bool_)


def _walls_say(walls: Floats, tops: npt.NDArray[np.int64], board: _Kind) -> Floats:
    """Log odds (n, n, k), 0 or less, of stacks up to each slice, by how much of their near wall is board.

    `walls` (n, n, k, 3) are its colours, from the board upwards; `tops` (n, n) the slices of the stacks that are beyond
    doubt, 0 elsewhere.
    """
    slices = np.arange(walls.shape[2])
    known = walls[slices < tops[..., None] - 1]
    if len(known) < _LEAST_TILES:
        return np.zeros(walls.shape[:3])
    odds = np.clip(_odds(walls, _Kind.of(known, _WALLS_DIFFER), board), _WALL_LEAST, 0.0)
    amiss = odds.cumsum(axis=-1) / (slices + 1)
    # the topmost piece may be the face's edge
    amiss = np.concatenate([amiss[..., :1], amiss[..., :-1]], axis=-1)
    return np.clip(_WALL_SAYS * (amiss + _WALL_FREE), _WALL_MOST, 0.0)


def _faces(image: Image, camera: Camera, heights: Floats) -> Floats:
    """Colours (n, n, 3) of the corners of a face on each square at `heights` (n, n), cells."""
    size = len(heights)
    row, col, dy, dx = np.meshgrid(np.arange(size), np.arange(size), _BESIDE, _BESIDE, indexing="ij")
    places = np.stack([col + 0.5 + dx, row + 0.5 + dy, heights[row, col]], axis=-1)
    return _colours(image, camera, places.reshape(size, size, -1, 3))


def _walls(image: Image, camera: Camera, size: int, slices: int) -> Floats:
    """Colours (n, n, slices, 3) of each square's near wall, slice by slice from the board upwards."""
    levels = (np.arange(slices) + 0.5) * SLICE_STEP
    row, col, z, dx = np.meshgrid(np.arange(size), np.arange(size), levels, _ALONG_WALL, indexing="ij")
    return _colours(image, camera, np.stack([col + 0.5 + dx, row + 0.5 + _WALL, z], axis=-1))


def _colours(image: Image, camera: Camera, places: Floats) -> Floats:
    """Median L*a*b* (..., 3) of the picture at board points `places` (..., k, 3)."""
    maps = camera.project(places).astype(np.float32).reshape(-1, places.shape[-2], 2)
    seen = resample(image, maps, grey_outside=False).astype(np.float32) / 255.0
    colours = np.median(cv2.cvtColor(seen, cv2.COLOR_BGR2LAB), axis=1)
    return np.asarray(colours, dtype=np.float64).reshape(*places.shape[:-2], 3)
