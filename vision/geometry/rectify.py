"""Resample a photograph into frames in which the board stands still, and reduce it for reading.

A canvas has `px` pixels a cell and `margin` cells around the n x n grid. Its pixel (u, v) shows the board point ((u +
0.5) / px - margin, (v + 0.5) / px - margin) at a given height. Canvases follow the full camera model.

A `ReducedView` is the photograph reduced to the resolution at which it is read, with its camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Tensor
from vision.geometry.camera import Camera, corners_of, side_lengths
from vision.images import Image
from vision.picture_quality import find_shown_area, lighten_board

_MAP_STEP = 8
"""Canvas pixels between computed points of a sampling map. Maps are smooth, so the points between are interpolated.
[by eye]"""
_SAMPLES_A_SIDE = 4
"""Points a side that test whether a square lies in the picture: shares of a sixteenth. [by eye]"""
_MAX_ROWS = 32_000
"""Most rows that are resampled at a time: OpenCV takes fewer than 32,767."""
_MAX_PARALLAX = 4.0
"""Parallax, cells for a cell of height, at which the network's input is cut off; the network was trained with this
value."""


@dataclass(frozen=True)
class Letterbox:
    """The place of a picture shrunk into the middle of a square.

    `square = picture * scale + offset`, x and y (pixel centres). The scales of both axes differ slightly because the
    sides are rounded to whole pixels.
    """

    scale: tuple[float, float]
    offset: tuple[float, float]

    def to_picture(self, points: npt.ArrayLike) -> Floats:
        """Return the picture pixels (..., 2) of square pixels (..., 2)."""
        return (np.asarray(points, dtype=np.float64) - self.offset) / self.scale


def letterbox(image: Image, side: int, inner: int) -> tuple[Image, Letterbox]:
    """Shrink the picture (h, w, 3) into a square (side, side, 3), its longer side `inner` pixels, grey around it.

    The frame around the picture leaves room for board corners that lie outside it.
    """
    height, width = image.shape[:2]
    scale = inner / max(width, height)
    small = resize(image, scale)
    h, w = small.shape[:2]
    top, left = (side - h) // 2, (side - w) // 2
    square = np.full((side, side, 3), 128, dtype=np.uint8)
    square[top : top + h, left : left + w] = small
    sx, sy = w / width, h / height
    return square, Letterbox((sx, sy), (left + 0.5 * sx - 0.5, top + 0.5 * sy - 0.5))


def resize(image: Image, scale: float) -> Image:
    """Return the picture (h, w, 3) resized by `scale` without aliasing."""
    height, width = image.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    while scale <= 0.5 and height % 2 == width % 2 == 0:
        # halving is exact, and ten times as fast
        height, width, scale = height // 2, width // 2, scale * 2
        image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=method), dtype=np.uint8)


def resample(image: Image, maps: Tensor, grey_outside: bool) -> Image:
    """Sample a picture at the positions `maps` (h, w, 2). Outside it is grey, or repeats its edge."""
    border = cv2.BORDER_CONSTANT if grey_outside else cv2.BORDER_REPLICATE
    # one map holds both axes; OpenCV's types ask for an empty second one, but that garbles pictures from 5.0 on
    parts = [
        cv2.remap(image, rows, None, cv2.INTER_LINEAR, borderMode=border, borderValue=(128, 128, 128))  # type: ignore[call-overload]
        for rows in np.split(maps, range(_MAX_ROWS, len(maps), _MAX_ROWS))
    ]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def rectify(image: Image, camera: Camera, size: int, px: int, margin: float, height: float = 0.0) -> Image:
    """Return the board seen straight on at `height`, (side, side, 3) with side = (size + 2 margin) px; grey outside."""
    side = round((size + 2 * margin) * px)
    count = -(-side // _MAP_STEP) + 2
    at = ((np.arange(count) - 1 + 0.5) * _MAP_STEP) / px - margin
    x, y = np.meshgrid(at, at)
    coarse = camera.project(np.stack([x, y, np.full_like(x, height)], axis=-1)).astype(np.float32)
    fine = cv2.resize(coarse, (count * _MAP_STEP, count * _MAP_STEP), interpolation=cv2.INTER_LINEAR)
    maps = np.ascontiguousarray(fine[_MAP_STEP : _MAP_STEP + side, _MAP_STEP : _MAP_STEP + side], dtype=np.float32)
    return resample(image, maps, grey_outside=True)


def squares_of(canvas: Image, size: int) -> Image:
    """Return the squares (n, n, px, px, 3) of a canvas without a margin."""
    px = len(canvas) // size
    return canvas.reshape(size, px, size, px, 3).swapaxes(1, 2)


def windows_at(image: Image, camera: Camera, places: npt.ArrayLike, px: int, span: npt.ArrayLike = 1.0) -> Image:
    """Cut windows (m, px, px, 3), `span` squares wide (a number or (m,)), around board points (m, 3): x, y, height."""
    at = np.asarray(places, dtype=np.float64).reshape(-1, 3)
    if not len(at):
        return np.zeros((0, px, px, 3), dtype=np.uint8)
    step = (np.arange(px) + 0.5) / px - 0.5
    dx, dy = np.meshgrid(step, step)
    window = np.stack([dx, dy, np.zeros_like(dx)], axis=-1)
    wide = np.broadcast_to(np.asarray(span, dtype=np.float64), (len(at),))[:, None, None, None]
    maps = camera.project(at[:, None, None, :] + window * wide).astype(np.float32)
    sheet = resample(image, maps.reshape(-1, px, 2), grey_outside=False)
    return sheet.reshape(-1, px, px, 3)


def square_places(squares: Sequence[tuple[int, int]], heights: npt.ArrayLike) -> Floats:
    """Return the board points (m, 3) of the middles of squares (row, col) at `heights` (cells), a number or (m,)."""
    grid = np.asarray(squares, dtype=np.float64).reshape(-1, 2)
    return np.column_stack([grid[:, 1] + 0.5, grid[:, 0] + 0.5, np.broadcast_to(np.asarray(heights), (len(grid),))])


def parallax(camera: Camera, size: int, px: int, margin: float) -> Tensor:
    """Return the displacement, cells x and y (2, side, side), of a point one cell above the board.

    It points away from the camera. It helps the network to find where raised things stand.
    """
    at = (np.arange(round((size + 2 * margin) * px)) + 0.5) / px - margin
    x, y, height = camera.position
    away = np.stack([at - x, at - y]) / max(float(height), 1e-6)
    return np.stack(np.meshgrid(*np.clip(away, -_MAX_PARALLAX, _MAX_PARALLAX).astype(np.float32)))


def normalise(canvas: Image) -> Tensor:
    """Return a canvas as float planes (3, h, w) of zero mean and unit deviation, free of exposure and contrast."""
    values = canvas.astype(np.float32)
    spread = float(values.std()) + 8.0
    return np.ascontiguousarray(((values - float(values.mean())) / spread).transpose(2, 0, 1))


def outside(image: Image, camera: Camera, size: int, elevations: Floats | None = None) -> Floats:
    """Return the share (n, n) of each square, lifted to `elevations` (n, n) cells if given, outside the picture."""
    at = (np.arange(size * _SAMPLES_A_SIDE) + 0.5) / _SAMPLES_A_SIDE
    x, y = np.meshgrid(at, at)
    each = np.ones((_SAMPLES_A_SIDE, _SAMPLES_A_SIDE))
    z = np.zeros_like(x) if elevations is None else np.kron(elevations, each)
    pixels = camera.project(np.stack([x, y, z], axis=-1))
    left, top, right, bottom = find_shown_area(image)
    off = ((pixels < (left - 0.5, top - 0.5)) | (pixels > (right - 0.5, bottom - 0.5))).any(axis=-1)
    return np.asarray(off.reshape(size, _SAMPLES_A_SIDE, size, _SAMPLES_A_SIDE).mean(axis=(1, 3)), dtype=np.float64)


PITCH = 45.0
"""Pixels a square to which large pictures are reduced before anything is sampled from them.

Canvases of fewer pixels a square are sampled from the same picture. A second reduction would blur more than aliasing
costs, in dark and noisy pictures too. On the development sets 25 of 1,351 heights seen from the side were wrong when
pictures were reduced twice, 14 now. [by hand, sets]"""
_KEEP_SIZE_FACTOR = 0.8
"""Reduction factor above which a picture is left as it is. [by eye]"""
_SAME_SIZE_FACTOR = 1.05
"""Factor by which a kept reduction may differ in size and be used again during a search, which saves time. [by eye]"""


@dataclass(frozen=True)
class ReducedView:
    """The reduced photograph that every stage after the lattice reads.

    Attributes:
        image: (h, w, 3) BGR, a square about PITCH px wide at most.
        camera: the camera of this image, in the frame in which squares are counted.
        size: n, of the n x n grid.
        enlargement: width of the photograph over that of the image.
        gain: factor by which the values of a dark photograph were multiplied.
    """

    image: Image
    camera: Camera
    size: int
    enlargement: float = 1.0
    gain: float = 1.0

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or not self.image.size:
            raise ValueError(f"no BGR picture: {self.image.shape}")
        if self.size < 1 or not (self.enlargement > 0 and self.gain > 0):
            raise ValueError(f"no view: size {self.size}, enlargement {self.enlargement}, gain {self.gain}")

    @classmethod
    def of(cls, photograph: Image, camera: Camera, size: int, gain: float = 1.0) -> ReducedView:
        """Return the view of an n x n board in a photograph (h, w, 3), already lightened by `gain`."""
        image, reduced = shrink_to_pitch(photograph, camera, size)
        return cls(image, reduced, size, photograph.shape[1] / image.shape[1], gain)

    def lighten(self) -> ReducedView:
        """Return this view, exposed for the board if that lies in the dark."""
        light = lighten_board(self.image, corners_of(self.camera, self.size))
        return replace(self, image=light.image, gain=self.gain * light.gain)

    def turn(self, turns: int) -> ReducedView:
        """Return this view with squares counted in the frame of `Camera.turn(turns)`."""
        return replace(self, camera=self.camera.turn(turns, self.size)) if turns else self

    @property
    def tilt(self) -> float:
        """The angle between the line of sight to the board's middle and the vertical, radians."""
        return self.camera.tilt((self.size / 2, self.size / 2))

    def photograph_camera(self) -> Camera:
        """Return the camera of the photograph at its full size."""
        return self.camera.scale(self.enlargement)


def pitch_of(camera: Camera, size: int) -> float:
    """Return how many pixels a square of an n x n board spans at most."""
    return float(side_lengths(corners_of(camera, size)).max()) / size


def shrink_to_pitch(image: Image, camera: Camera, size: int) -> tuple[Image, Camera]:
    """Reduce the picture (h, w, 3) and its camera so that a square spans about `PITCH` pixels."""
    factor = PITCH / max(pitch_of(camera, size), 1e-6)
    if factor > _KEEP_SIZE_FACTOR:
        return image, camera
    small = resize(image, factor)
    return small, camera.scale(small.shape[1] / image.shape[1])


class Reductions:
    """A `whole` picture (h, w, 3) and its reduced copies. They are kept because reducing takes longer than looking."""

    def __init__(self, whole: Image) -> None:
        self.whole = whole
        self._kept: list[tuple[float, Image]] = []

    def at_pitch(self, camera: Camera, size: int) -> ReducedView:
        """Return the board at about `PITCH` pixels a square, from a kept reduction if one is about that size."""
        factor = PITCH / max(pitch_of(camera, size), 1e-6)
        for kept, small in self._kept:
            if 1.0 / _SAME_SIZE_FACTOR < kept / factor < _SAME_SIZE_FACTOR:
                scale = small.shape[1] / self.whole.shape[1]
                return ReducedView(small, camera.scale(scale), size, 1.0 / scale)
        view = ReducedView.of(self.whole, camera, size)
        if view.image is not self.whole:
            self._kept.append((factor, view.image))
        return view
