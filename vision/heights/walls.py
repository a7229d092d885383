"""Heights of walls: the higher a stack, the more of its sides the camera sees.

From above the place of a face shows its elevation only if the grid is exact and the tile lies in the middle of its
square. Its walls begin at the board and end at the face, wherever the tile lies. A network measures the visible width
of a wall in a window that is turned so that the camera is below. `vision.heights.from_above` then weighs what
the walls say about the heights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats
from vision.geometry.rectify import ReducedView, resample
from vision.geometry.tile_shape import TILE
from vision.heights.apparent_size import faces_from_above
from vision.heights.elevations import SliceState, unmeasured
from vision.images import Image
from vision.networks import network, standardised

WALL_PX = 48
"""Side of a window, pixels. The network was trained with it and with the other four WALL constants and TAILS."""
WALL_SPAN = 1.2
"""Squares that a window spans: most of a face, and the visible wall below it."""
WALL_AHEAD = 0.25
"""Distance, squares, by which a window's middle is nearer to the camera than its face's middle."""
WALL_UNIT = 0.02
"""Unit of the network's widths and errors, squares."""
WALL_ERRORS = (-3.0, 4.0)
"""Range of the logarithm of an error, in WALL_UNIT, that the network can give."""
TAILS = 4.0
"""Degrees of freedom of Student's distribution of the errors."""
STEEPEST = float(np.radians(16.0))
"""Largest tilt of the camera, radians, at which walls are measured. Beyond it elevations say as much, and
`FromAbove.tilts` gives walls no weight. [by eye]"""
_LEAST_SLANT = 0.1
"""Least visible width of a wall over its height. With less, a layer shows by a single pixel, as wide as shade. With
0.06, 167 of 1,979 heights of rendered games are wrong, not 144, and 280 of 639 in the development sets, not 290.
[by hand, sets]"""
SIDES: tuple[tuple[int, int], ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Directions (x, y) of a tile's four sides."""


class Wall(NamedTuple):
    """A visible wall of the tile on a square.

    Attributes:
        square: row, col.
        towards: direction (x, y) from the tile to the wall.
        place: board point (x, y, height) of the middle of its face, cells.
        reach: distance of the camera beyond the wall, cells.
        away: height of the camera above the board, cells.
    """

    square: tuple[int, int]
    towards: tuple[int, int]
    place: tuple[float, float, float]
    reach: float
    away: float

    def width(self, elevation: float, foot: float = 0.0) -> float:
        """Return the visible width of a wall from `foot` up to a face at `elevation`, cells.

        The width is in cells of the plane of `place`.
        """
        return self._scale * (1.0 / (self.away - elevation) - 1.0 / (self.away - foot))

    def elevation(self, width: float, error: float) -> tuple[float, float]:
        """Return the elevation of a face, and its standard error, from its wall's visible width and error, cells.

        The wall's foot is on the board.
        """
        nearest = 1.0 / max(width / self._scale + 1.0 / self.away, 1e-3)
        return self.away - nearest, error * nearest**2 / self._scale

    @property
    def _scale(self) -> float:
        return (self.away - self.place[2]) * self.reach


def wall_heights(view: ReducedView, state: SliceState) -> Floats:
    """Measure the faces' elevations by two walls each, (n, n, 2, 2): elevation and standard error, cells.

    An elevation is measured from the foot of the stack. The error is infinite if a wall wasn't measured: on bare and
    hidden squares, and everywhere in views from the side and with few tiles.
    """
    measured = unmeasured((*state.hidden.shape, 2))
    squares, elevations = faces_from_above(view, state, STEEPEST)
    walls = [
        wall
        for square, height in zip(squares, elevations, strict=True)
        for wall in walls_shown(view.camera.position, square, float(height))
    ]
    if not walls:
        return measured
    widths, errors = read_walls(wall_windows(view, walls))
    for wall, width, error in zip(walls, widths, errors, strict=True):
        measured[(*wall.square, int(wall.towards[0] == 0))] = wall.elevation(float(width), float(error))
    return measured


def walls_shown(
    position: Floats, square: tuple[int, int], height: float, half: float = TILE.middling_wall
) -> list[Wall]:
    """Return the walls, at most two, that a camera at `position` (x, y, height) sees of a tile.

    The tile's face is at `height`, and `half` is the distance of its walls from its middle. All lengths are in cells.
    """
    row, col = square
    x, y, away = (float(part) for part in position)
    walls = []
    for towards in SIDES:
        reach = (x - col - 0.5) * towards[0] + (y - row - 0.5) * towards[1] - half
        if reach > _LEAST_SLANT * away and height < away:
            walls.append(Wall(square, towards, (col + 0.5, row + 0.5, height), reach, away))
    return walls


def wall_windows(view: ReducedView, walls: list[Wall], zoom: npt.ArrayLike = 1.0) -> Image:
    """Cut windows (m, WALL_PX, WALL_PX, 3) around walls, each turned so that the camera is below it.

    A window is WALL_SPAN squares wide. In training it is `zoom` times as wide, a number or (m,).
    """
    step = (np.arange(WALL_PX) + 0.5) / WALL_PX - 0.5
    across, down = np.meshgrid(step, step)
    wide = np.broadcast_to(WALL_SPAN * np.asarray(zoom, dtype=np.float64), (len(walls),))[:, None, None]
    towards = np.array([wall.towards for wall in walls], dtype=np.float64)[:, None, None]
    places = np.array([wall.place for wall in walls])[:, None, None]
    ahead, aside = wide * down + WALL_AHEAD, wide * across
    points = np.broadcast_to(places, (len(walls), WALL_PX, WALL_PX, 3)).copy()
    points[..., 0] += ahead * towards[..., 0] - aside * towards[..., 1]
    points[..., 1] += ahead * towards[..., 1] + aside * towards[..., 0]
    maps = view.camera.project(points).astype(np.float32)
    sheet = resample(view.image, maps.reshape(-1, WALL_PX, 2), grey_outside=False)
    return sheet.reshape(-1, WALL_PX, WALL_PX, 3)


def read_walls(windows: Image) -> tuple[Floats, Floats]:
    """Read the visible widths (m,) of walls and their standard errors (m,), squares.

    `windows` (m, WALL_PX, WALL_PX, 3) are those of `wall_windows`.
    """
    out = network("walls")(standardised(windows)).astype(np.float64)
    return out[:, 0] * WALL_UNIT, np.exp(np.clip(out[:, 1], *WALL_ERRORS)) * WALL_UNIT


def walls_log_likelihood(walls: Floats, elevations: Floats) -> Floats:
    """Return the log likelihood (t, m, 5), up to a constant, of `elevations` (m, 5) by the walls of t faces.

    `walls` (t, 2, 2) are elevations and standard errors of two walls of each face, as `wall_heights` measures them.
    """
    measured = np.isfinite(walls[..., 1])[:, :, None, None]
    off = (walls[..., 0][:, :, None, None] - elevations) / np.where(measured, walls[..., 1][:, :, None, None], 1.0)
    logs = -0.5 * (TAILS + 1.0) * np.log1p(off**2 / TAILS)
    return np.asarray(np.where(measured, logs, 0.0).sum(axis=1), dtype=np.float64)
