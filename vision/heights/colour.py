"""What colours tell of stacks: the tiles of a set are of one colour, the board is of another.

Rings and stars printed on a board look like letters, and one square's letter like another's; the ground beside them
seldom does. And a stack has walls: where the board shows where its near wall would be, there is none. The colours of
the picture's own tiles and bare squares, as far as they are beyond doubt, are taken to be those of all. Both as they
look and in evened light: a shadow makes a tile look like board, its edge spoils the evening, and only what both tell
is believed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.occlusion import shares_hidden
from vision.heights.colour_model import Kind, colours_at, evened, odds, relit
from vision.heights.plane_sweep import SLICE_STEP
from vision.images import Image

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_BESIDE = np.array([-0.32, -0.24, 0.24, 0.32])
"""Distances, both ways, from the middle of a face, cells: its four corners, which letters and prints leave free."""
_WALL = 0.42
"""Distance of a near wall from the middle of its square, cells."""
_ALONG_WALL = np.array([-0.25, 0.0, 0.25])
"""Places along a wall, cells from its middle, clear of the corners."""
_SURE = 0.02
"""How far from certain a tile or a bare square may be that others are compared with."""
_HIDDEN = 0.3
"""Probability of a hand up to which a square is compared with."""
_LEAST_TILES, _LEAST_BARE = 4, 8
"""Tiles, pieces of wall, and bare squares beyond doubt, without which nothing is told of their colours."""
_FACES_DIFFER, _WALLS_DIFFER = np.array([6.0, 4.0, 4.0]), np.array([12.0, 5.0, 5.0])
"""Standard deviations of L*, a* and b* at least: light differs from place to place, and most on walls."""
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


@dataclass(frozen=True)
class _Seen:
    """Colours (n, n, 3) of faces where they would lie and of the squares themselves; walls (n, n, k, 3), upwards."""

    faces: Floats
    squares: Floats
    walls: Floats

    def relit(self, change: Floats) -> _Seen:
        """The same in light changed by (n, n, 3)."""
        return _Seen(
            relit(self.faces, change), relit(self.squares, change), relit(self.walls, change[:, :, None])
        )


def colour_odds(image: Image, camera: Camera, elevations: Floats, hidden: Floats) -> Floats:
    """Log odds (n, n, k - 1) of a face in each slice but the first, against a bare square, from colours alone.

    Faces are looked at in each square's likeliest slice, and tell the same of all; walls tell the slices apart.
    `camera` looks from the lower side of the board (`quarter_towards_camera`); `elevations` (n, n, k) are the log
    probabilities of each square by itself, slices `SLICE_STEP` apart, the first for an empty square; `hidden` (n, n).
    Where few tiles or bare squares are beyond doubt, colour says nothing.
    """
    empty, seen = np.exp(elevations[..., 0]), hidden < _HIDDEN
    tiles, bare = seen & (empty < _SURE), seen & (empty > 1.0 - _SURE)
    if tiles.sum() < _LEAST_TILES or bare.sum() < _LEAST_BARE:
        return np.zeros_like(elevations[..., 1:])
    tops = elevations[..., 1:].argmax(axis=-1) + 1
    colours = _Seen(
        _corners(image, camera, tops * SLICE_STEP),
        _corners(image, camera, np.zeros(tops.shape)),
        _walls(image, camera, len(tops), elevations.shape[-1] - 1),
    )
    even = colours.relit(evened(colours.squares, bare))
    in_view, sure_tops = _in_view(camera, elevations), np.where(tiles, tops, 0)
    once, again = (_told(each, sure_tops, bare, in_view) for each in (colours, even))
    agreed = np.sign(once) * np.minimum(np.abs(once), np.abs(again))
    return np.asarray(np.where(once * again > 0, agreed, 0.0).sum(axis=0), dtype=np.float64)


def _told(seen: _Seen, tops: npt.NDArray[np.int64], bare: Flags, in_view: Flags) -> Floats:
    """What faces, squares and walls tell (3, n, n, k): log odds of a stack up to each slice.

    `tops` (n, n) are the slices of the stacks that are beyond doubt, 0 elsewhere; `bare` (n, n) the squares that are.
    """
    tiles = seen.faces[tops > 0]
    faces = odds(seen.faces, Kind.of(tiles, _FACES_DIFFER), Kind.of(seen.squares[bare], _FACES_DIFFER))
    board = Kind.of(seen.squares[bare], _WALLS_DIFFER)
    squares = in_view * odds(seen.squares, Kind.of(tiles, _WALLS_DIFFER), board)
    walls = _walls_say(seen.walls, tops, board)
    flat = [np.clip(faces, *_FACE_SAYS), np.clip(squares, *_SQUARE_SAYS)]
    return np.stack([*(np.broadcast_to(each[..., None], walls.shape) for each in flat), walls])


def _in_view(camera: Camera, elevations: Floats) -> Flags:
    """The squares (n, n) whose ground other stacks hardly hide, even if all are as high as they may be."""
    conceivable = np.exp(elevations) > _CONCEIVABLE
    highest = (conceivable * np.arange(elevations.shape[-1])).max(axis=-1) * SLICE_STEP
    return np.asarray(shares_hidden(camera, np.zeros(highest.shape), highest) < _COVERED, dtype=np.bool_)


def _walls_say(walls: Floats, tops: npt.NDArray[np.int64], board: Kind) -> Floats:
    """Log odds (n, n, k), 0 or less, of stacks up to each slice, by how much of their near wall is board.

    `walls` (n, n, k, 3) are its colours, from the board upwards; `tops` (n, n) the slices of the stacks that are beyond
    doubt, 0 elsewhere.
    """
    slices = np.arange(walls.shape[2])
    known = walls[slices < tops[..., None] - 1]
    if len(known) < _LEAST_TILES:
        return np.zeros(walls.shape[:3])
    amiss = np.clip(odds(walls, Kind.of(known, _WALLS_DIFFER), board), _WALL_LEAST, 0.0)
    mean = amiss.cumsum(axis=-1) / (slices + 1)
    # of more pieces than one the topmost may be the face's edge
    mean = np.concatenate([mean[..., :1], mean[..., :-1]], axis=-1)
    return np.clip(_WALL_SAYS * (mean + _WALL_FREE), _WALL_MOST, 0.0)


def _corners(image: Image, camera: Camera, heights: Floats) -> Floats:
    """Colours (n, n, 3) of the corners of a face on each square at `heights` (n, n), cells."""
    size = len(heights)
    row, col, dy, dx = np.meshgrid(np.arange(size), np.arange(size), _BESIDE, _BESIDE, indexing="ij")
    places = np.stack([col + 0.5 + dx, row + 0.5 + dy, heights[row, col]], axis=-1)
    return colours_at(image, camera, places.reshape(size, size, -1, 3))


def _walls(image: Image, camera: Camera, size: int, slices: int) -> Floats:
    """Colours (n, n, slices, 3) of each square's near wall, slice by slice from the board upwards."""
    levels = (np.arange(slices) + 0.5) * SLICE_STEP
    row, col, z, dx = np.meshgrid(np.arange(size), np.arange(size), levels, _ALONG_WALL, indexing="ij")
    return colours_at(image, camera, np.stack([col + 0.5 + dx, row + 0.5 + _WALL, z], axis=-1))
