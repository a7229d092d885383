"""Heights of walls: the higher a stack, the more of its sides shows towards the camera.

From above the place of a face tells its elevation only as far as the grid is known and the tile lies in the middle of
its square. Its walls begin at the board and end at the face wherever both lie. A network measures how much of a wall
shows in a window that lies with the camera below; what that says of the heights is weighed in
`vision.heights.from_above`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.geometry.rectify import ReducedView, resample
from vision.geometry.tile_shape import TILE
from vision.heights.apparent_size import faces_from_above
from vision.heights.elevations import SliceState, unmeasured
from vision.images import Image
from vision.networks import network, standardised

Floats = npt.NDArray[np.float64]

WALL_PX = 48
"""Side of a window, pixels; what the network was trained on, like the four that follow."""
WALL_SPAN = 1.2
"""Squares that a window spans: most of a face, and what shows of the wall below it."""
WALL_AHEAD = 0.25
"""How far the middle of a window lies nearer to the camera than that of its face, squares."""
WALL_UNIT = 0.02
"""What the network tells widths and their errors in, squares."""
WALL_ERRORS = (-3.0, 4.0)
"""Range of the logarithm of an error, in that unit, that the network can mean."""
TAILS = 4.0
"""Degrees of freedom of Student's distribution of its errors, which the network was trained for."""
STEEPEST = float(np.radians(16.0))
"""Tilt of the camera, radians, from which elevations tell what walls would: `FromAbove.tilts` gives these no weight."""
_LEAST_SLANT = 0.1
"""How much of a wall shows at least, over its height: of less a layer shows by a pixel, as wide as shade is. With 0.06,
167 of 1,979 heights of rendered games are wrong, not 144; in the development sets 280 of 639, not 290."""
SIDES: tuple[tuple[int, int], ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""The sides of a tile, as the directions (x, y) in which they lie."""


class Wall(NamedTuple):
    """A wall that shows, of the tile on a square.

    Attributes:
        square: row, col.
        towards: direction (x, y) from the tile to the wall.
        place: board point (x, y, height) about which its face is looked at, cells.
        reach: how far the camera stands beyond the wall, cells.
        away: how far the camera is above the board, cells.
    """

    square: tuple[int, int]
    towards: tuple[int, int]
    place: tuple[float, float, float]
    reach: float
    away: float

    def width(self, elevation: float, foot: float = 0.0) -> float:
        """How wide (cells of the plane of `place`) a wall from `foot` up to a face at `elevation` shows, cells."""
        return self._scale * (1.0 / (self.away - elevation) - 1.0 / (self.away - foot))

    def elevation(self, width: float, error: float) -> tuple[float, float]:
        """The elevation of a face whose wall shows so wide, from a foot on the board, and its standard error."""
        nearest = 1.0 / max(width / self._scale + 1.0 / self.away, 1e-3)
        return self.away - nearest, error * nearest**2 / self._scale

    @property
    def _scale(self) -> float:
        return (self.away - self.place[2]) * self.reach


def wall_heights(view: ReducedView, state: SliceState) -> Floats:
    """Elevations of the faces by their walls, (n, n, 2, 2): of two walls each the elevation, cells, and its error.

    Elevations are told from the foot of the stack. Errors are infinite where no wall was measured: on bare and hidden
    squares, and in views from the side and of few tiles everywhere.
    """
    told = unmeasured((*state.hidden.shape, 2))
    squares, looked = faces_from_above(view, state, STEEPEST)
    walls = [
        wall for square, height in zip(squares, looked, strict=True)
        for wall in walls_shown(view.camera.position, square, float(height))
    ]  # fmt: skip
    if not walls:
        return told
    widths, errors = read_walls(wall_windows(view, walls))
    for wall, width, error in zip(walls, widths, errors, strict=True):
        told[(*wall.square, int(wall.towards[0] == 0))] = wall.elevation(float(width), float(error))
    return told


def walls_shown(
    position: Floats, square: tuple[int, int], height: float, half: float = TILE.middling_wall
) -> list[Wall]:
    """The walls, two at most, that a camera at `position` (x, y, height) sees of a tile whose face is at `height`.

    `half` is how far its walls are from its middle, cells.
    """
    row, col = square
    x, y, away = (float(at) for at in position)
    shown = []
    for towards in SIDES:
        reach = (x - col - 0.5) * towards[0] + (y - row - 0.5) * towards[1] - half
        if reach > _LEAST_SLANT * away and height < away:
            shown.append(Wall(square, towards, (col + 0.5, row + 0.5, height), reach, away))
    return shown


def wall_windows(view: ReducedView, walls: list[Wall], zoom: npt.ArrayLike = 1.0) -> Image:
    """Windows (m, WALL_PX, WALL_PX, 3) on walls, each turned so that the camera stands below it.

    They are WALL_SPAN squares wide, `zoom` times as wide, a number or (m,), in training.
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
    """How wide walls show (m,), squares, in windows (m, WALL_PX, WALL_PX, 3), and their standard errors (m,)."""
    out = network("walls")(standardised(windows)).astype(np.float64)
    return out[:, 0] * WALL_UNIT, np.exp(np.clip(out[:, 1], *WALL_ERRORS)) * WALL_UNIT


def walls_log_likelihood(walls: Floats, elevations: Floats) -> Floats:
    """Log likelihood (t, m, 5), up to a constant, of walls that seem `elevations` (m, 5) high, by `walls` (t, 2, 2)."""
    measured = np.isfinite(walls[..., 1])[:, :, None, None]
    off = (walls[..., 0][:, :, None, None] - elevations) / np.where(
        measured, walls[..., 1][:, :, None, None], 1.0
    )
    logs = -0.5 * (TAILS + 1.0) * np.log1p(off**2 / TAILS)
    return np.asarray(np.where(measured, logs, 0.0).sum(axis=1), dtype=np.float64)
