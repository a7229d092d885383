"""Evidence from the walls of stacks: how much of them the camera sees from above, and their seams.

The higher a stack, the more of its sides the camera sees.
From above the place of a face shows its elevation only if the grid is exact and the tile lies in the middle of its
square. Its walls begin at the board and end at the face, wherever the tile lies. A network measures the visible width
of a wall in a window that is turned so that the camera is below. `vision.heights.from_above` then weighs what
the walls say about the heights.

On a stack's near wall every layer ends in a dark seam. So the brightness along the height is periodic, and its period
is the thickness of a layer. All walls of a picture are searched for one common period (a periodogram). Their common
phase allows for the distance of the walls from the squares' edges.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats
from vision.geometry.camera import Camera
from vision.geometry.rectify import ReducedView, resample
from vision.geometry.tile_shape import TILE
from vision.heights.comparison import faces_from_above
from vision.heights.elevations import SliceState, make_unmeasured
from vision.heights.thickness import THICKNESSES
from vision.images import Image
from vision.networks import network, standardise

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
`vision.heights.from_above` gives walls no weight. [by eye]"""
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
        """Return the visible width of a wall from `foot` to a face at `elevation`, in cells of the plane of `place`."""
        return self._scale * (1.0 / (self.away - elevation) - 1.0 / (self.away - foot))

    def elevation(self, width: float, error: float) -> tuple[float, float]:
        """Return a face's elevation and standard error from its wall's visible width and error, all in cells."""
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
    measured = make_unmeasured((*state.hidden.shape, 2))
    squares, elevations = faces_from_above(view, state, STEEPEST)
    walls = [
        wall
        for square, height in zip(squares, elevations, strict=True)
        for wall in find_walls(view.camera.position, square, float(height))
    ]
    if not walls:
        return measured
    widths, errors = read_walls(wall_windows(view, walls))
    for wall, width, error in zip(walls, widths, errors, strict=True):
        measured[(*wall.square, int(wall.towards[0] == 0))] = wall.elevation(float(width), float(error))
    return measured


def find_walls(
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
    """Cut windows (m, WALL_PX, WALL_PX, 3) around walls, the camera below. In training `zoom` times WALL_SPAN wide."""
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
    """Read the visible widths (m,) of walls and their standard errors (m,), squares, from windows of `wall_windows`."""
    out = network("walls")(standardise(windows)).astype(np.float64)
    return out[:, 0] * WALL_UNIT, np.exp(np.clip(out[:, 1], *WALL_ERRORS)) * WALL_UNIT


def walls_log_likelihood(walls: Floats, elevations: Floats) -> Floats:
    """Return the log likelihood (t, m, 5), up to a constant, of `elevations` (m, 5) by the walls of t faces.

    `walls` (t, 2, 2) are elevations and standard errors of two walls of each face, as `wall_heights` measures them.
    """
    measured = np.isfinite(walls[..., 1])[:, :, None, None]
    off = (walls[..., 0][:, :, None, None] - elevations) / np.where(measured, walls[..., 1][:, :, None, None], 1.0)
    logs = -0.5 * (TAILS + 1.0) * np.log1p(off**2 / TAILS)
    return np.asarray(np.where(measured, logs, 0.0).sum(axis=1), dtype=np.float64)


_ACROSS = TILE.seam_span * np.linspace(-1.0, 1.0, 13)
"""Places along a wall, cells from its middle, over which brightness is averaged. [by eye]"""
_SEAM_STEP = 0.01
"""Distance of the samples down a wall, cells. [by eye]"""
_LEAST_TOP, _BELOW_EDGE = 0.35, 0.05
"""Least elevation of a face whose walls are examined, cells: two layers of the thinnest sets; and the distance below a
face at which its wall's samples end, because the face's own edge is no seam. [by eye]"""
_LEAST_SAMPLES, _SMOOTHED_SAMPLES = 25, 31
"""Least samples of a wall that counts, a quarter of a cell; and those over which slow changes are removed, about the
thickest layer. [by eye]"""
_PHASE_SPREAD = 0.05
"""Standard deviation of the apparent offset of walls from their place, cells. [by eye]"""
_PHASES = np.linspace(-0.12, 0.12, 13)
"""Offsets that are tried, cells. [by eye]"""


def seam_log_odds(view: ReducedView, state: SliceState) -> Floats:
    """Return the log likelihood ratio (m,) of each of THICKNESSES by the seams below the faces in the view.

    The camera must stand on the lower side of the board (`quarter_towards_camera`).
    """
    layers, tops = THICKNESSES, state.tops()
    image, camera = view.image, view.camera
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    size = len(tops)
    waves, samples = np.zeros(len(layers), dtype=np.complex128), 0
    for row, col in np.argwhere(tops > _LEAST_TOP):
        below = float(tops[row + 1, col]) if row + 1 < size else 0.0
        heights, along = _seam_waves(below, float(tops[row, col]))
        if len(heights) >= _LEAST_SAMPLES:
            waves += _seam_profile(grey, camera, int(row), int(col), heights) @ along
            samples += len(heights)
    # One sum serves all phases. Seams are dark, so the wave that fits runs against the brightness.
    total = -(waves * np.exp(-2j * np.pi * _PHASES[:, None] / layers)).real
    scores = total / np.sqrt(max(samples, 1)) - 0.5 * (_PHASES[:, None] / _PHASE_SPREAD) ** 2
    return np.asarray(scores.max(axis=0), dtype=np.float64)


@lru_cache(maxsize=32)
def _seam_waves(below: float, top: float) -> tuple[Floats, npt.NDArray[np.complex128]]:
    """Return the heights (k,) of samples down a wall between two elevations, and the waves (k, m) of THICKNESSES there.

    It is cached: a board has few different walls, and the waves take longest.
    """
    heights = np.arange(below, top - _BELOW_EDGE, _SEAM_STEP)
    return heights, np.exp(2j * np.pi * heights[:, None] / THICKNESSES)


def _seam_profile(grey: npt.NDArray[np.uint8], camera: Camera, row: int, col: int, heights: Floats) -> Floats:
    """Return the brightness of a near wall at `heights` (k,), without slow changes, scaled to about unit deviation."""
    z, x = np.meshgrid(heights, _ACROSS, indexing="ij")
    places = np.stack([col + 0.5 + x, np.full_like(x, row + 0.5 + TILE.seam_wall), z], axis=-1)
    maps = camera.project(places).astype(np.float32)
    wall = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = np.asarray(wall, dtype=np.float64).mean(axis=1)
    padded = np.pad(values, _SMOOTHED_SAMPLES // 2, mode="edge")
    detail = values - np.convolve(padded, np.ones(_SMOOTHED_SAMPLES) / _SMOOTHED_SAMPLES, "valid")
    return np.asarray(detail / (detail.std() + 2.0), dtype=np.float64)
