"""Resampling a photograph into frames in which the board stands still.

A canvas of `px` pixels a cell with `margin` cells around the n x n grid: canvas pixel (u, v) shows the board point
((u + 0.5) / px - margin, (v + 0.5) / px - margin) at a given height. Canvases follow the full camera model.

A photograph reduced to the resolution at which it is read, and where it was taken from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera, corners_of, side_lengths
from vision.images import Image
from vision.picture_quality import lightened_board

Floats = npt.NDArray[np.float64]
Tensor = npt.NDArray[np.float32]

_STEP = 8
"""Canvas pixels between those at which sampling maps, which are smooth, are computed; between them they are
interpolated."""
_SAMPLES = 4
"""Points a side at which it is asked whether a square lies in the picture: shares of a sixteenth. By eye."""
_ROWS = 32_000
"""Rows that are resampled at a time at most: OpenCV takes fewer than 32,767."""
_STEEPEST = 4.0
"""Parallax, cells for a cell of height, beyond which the network is told no more; what it was trained with."""


@dataclass(frozen=True)
class Letterbox:
    """A picture shrunk into the middle of a square: `square = picture * scale + offset`, x and y (pixel centres).

    The scales of both axes differ as far as its sides were rounded to whole pixels.
    """

    scale: tuple[float, float]
    offset: tuple[float, float]

    def to_picture(self, points: npt.ArrayLike) -> Floats:
        """Picture pixels (..., 2) of square pixels (..., 2)."""
        return (np.asarray(points, dtype=np.float64) - self.offset) / self.scale


def letterbox(image: Image, side: int, inner: int) -> tuple[Image, Letterbox]:
    """The picture (h, w, 3) in a square (side, side, 3), its longer side `inner` pixels, grey around it.

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
    """The picture (h, w, 3) resized by `scale` without aliasing."""
    height, width = image.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    while scale <= 0.5 and height % 2 == width % 2 == 0:
        # by halves is exact, and ten times as fast
        height, width, scale = height // 2, width // 2, scale * 2
        image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=method), dtype=np.uint8)


def sampling_map(camera: Camera, size: int, px: int, margin: float, height: float = 0.0) -> Tensor:
    """Picture position (side, side, 2) of every canvas pixel, side = (size + 2 margin) px, at `height` cells."""
    side = round((size + 2 * margin) * px)
    count = -(-side // _STEP) + 2
    at = ((np.arange(count) - 1 + 0.5) * _STEP) / px - margin
    x, y = np.meshgrid(at, at)
    coarse = camera.project(np.stack([x, y, np.full_like(x, height)], axis=-1)).astype(np.float32)
    fine = cv2.resize(coarse, (count * _STEP, count * _STEP), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(fine[_STEP : _STEP + side, _STEP : _STEP + side])


def resample(image: Image, maps: Tensor, grey_outside: bool) -> Image:
    """The picture at the positions `maps` (h, w, 2); outside it is grey, or its edge goes on.

    A grey picture (h, w) gives a grey one.
    """
    border = cv2.BORDER_CONSTANT if grey_outside else cv2.BORDER_REPLICATE
    # one map has both axes; an empty second one, as the types of OpenCV ask for, garbles pictures from its 5.0 on
    parts = [
        cv2.remap(image, rows, None, cv2.INTER_LINEAR, borderMode=border, borderValue=(128, 128, 128))  # type: ignore[call-overload]
        for rows in np.split(maps, range(_ROWS, len(maps), _ROWS))
    ]
    return np.asarray(parts[0] if len(parts) == 1 else np.concatenate(parts), dtype=np.uint8)


def rectify(image: Image, camera: Camera, size: int, px: int, margin: float, height: float = 0.0) -> Image:
    """The board seen straight on at `height`: (side, side, 3); outside the picture it is grey."""
    return resample(image, sampling_map(camera, size, px, margin, height), grey_outside=True)


def windows_at(
    image: Image, camera: Camera, places: npt.ArrayLike, px: int, span: npt.ArrayLike = 1.0
) -> Image:
    """Windows (m, px, px, 3) around board points `places` (m, 3): x, y, height in cells.

    `span`, a number or (m,), says how many squares wide they are.
    """
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
    """Board points (m, 3) of the middles of squares (row, col) at `heights` (cells), a number or (m,)."""
    grid = np.asarray(squares, dtype=np.float64).reshape(-1, 2)
    return np.column_stack(
        [grid[:, 1] + 0.5, grid[:, 0] + 0.5, np.broadcast_to(np.asarray(heights), (len(grid),))]
    )


def parallax(camera: Camera, size: int, px: int, margin: float) -> Tensor:
    """By how many cells, x and y (2, side, side), a point a cell above the board seems to lie beside its foot.

    Away from the camera, so that what stands up from the board can be told from where it stands.
    """
    at = (np.arange(round((size + 2 * margin) * px)) + 0.5) / px - margin
    x, y, height = camera.position
    away = np.stack(np.meshgrid(at - x, at - y)) / max(float(height), 1e-6)
    return np.clip(away, -_STEEPEST, _STEEPEST).astype(np.float32)


def normalised(canvas: Image) -> Tensor:
    """Zero-mean, unit-deviation float planes (3, h, w) of a canvas: exposure and contrast drop out."""
    values = canvas.astype(np.float32)
    spread = float(values.std()) + 8.0
    return np.ascontiguousarray(((values - float(values.mean())) / spread).transpose(2, 0, 1))


def outside(image: Image, camera: Camera, size: int) -> Floats:
    """The share (n, n) of each square that lies outside the picture."""
    at = (np.arange(size * _SAMPLES) + 0.5) / _SAMPLES
    x, y = np.meshgrid(at, at)
    pixels = camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1))
    height, width = image.shape[:2]
    off = ((pixels < -0.5) | (pixels > (width - 0.5, height - 0.5))).any(axis=-1)
    return np.asarray(off.reshape(size, _SAMPLES, size, _SAMPLES).mean(axis=(1, 3)), dtype=np.float64)


PITCH = 45.0
"""Pixels a square to which large pictures are reduced, whatever is sampled from them.

Canvases of fewer pixels a square are sampled from the same picture: what they alias tells more than what a second
reduction would blur, in dark and noisy pictures, too. Measured on the development sets: of 1,351 heights seen from the
side 25 were wrong when pictures were reduced twice, 14 now.
"""
_HARDLY_LARGER = 0.8
"""Factor from which a picture is left as it is: chosen by eye, not measured."""
_ALIKE = 1.05
"""Factor by which a picture may be larger or smaller than is asked for, to be looked at once more while a board is
searched. By eye: it saves time."""


@dataclass(frozen=True)
class ReducedView:
    """What every stage after the lattice looks at.

    Attributes:
        image: (h, w, 3) BGR, a square about PITCH px wide at most.
        camera: of this image, in the frame in which squares are counted.
        size: n, of the n x n grid.
        enlargement: width of the photograph over that of the image.
        gain: by what the values of a dark photograph were multiplied.
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
        """The view of an n x n board in a photograph (h, w, 3) whose camera is known, lightened by `gain` before."""
        image, reduced = shrink_to_pitch(photograph, camera, size)
        return cls(image, reduced, size, photograph.shape[1] / image.shape[1], gain)

    def lightened(self) -> ReducedView:
        """The same, exposed for the board where that lies in the dark of the picture."""
        light = lightened_board(self.image, corners_of(self.camera, self.size))
        return replace(self, image=light.image, gain=self.gain * light.gain)

    def turned(self, turns: int) -> ReducedView:
        """The same picture, squares counted in the frame of `Camera.turned(turns)`."""
        return replace(self, camera=self.camera.turned(turns, self.size)) if turns else self

    @property
    def tilt(self) -> float:
        """Angle between the line of sight to the board's middle and the vertical, radians."""
        return self.camera.tilt((self.size / 2, self.size / 2))

    def photograph_camera(self) -> Camera:
        """The camera of the photograph as it was before it was reduced."""
        return self.camera.scaled(self.enlargement)


def pitch_of(camera: Camera, size: int) -> float:
    """Pixels a square of an n x n board spans at most."""
    return float(side_lengths(corners_of(camera, size)).max()) / size


def shrink_to_pitch(image: Image, camera: Camera, size: int) -> tuple[Image, Camera]:
    """The picture (h, w, 3) and camera reduced so that a square spans about `PITCH` pixels, however large it was."""
    factor = PITCH / max(pitch_of(camera, size), 1e-6)
    if factor > _HARDLY_LARGER:
        return image, camera
    small = resize(image, factor)
    return small, camera.scaled(small.shape[1] / image.shape[1])


class Reductions:
    """A picture in the sizes in which a search looks at it: reducing it takes longer than a look, so it is kept.

    Attributes:
        whole: (h, w, 3), as it was given.
    """

    def __init__(self, whole: Image) -> None:
        self.whole = whole
        self._kept: list[tuple[float, Image]] = []

    def at_pitch(self, camera: Camera, size: int) -> ReducedView:
        """The view as `ReducedView.of` has it, or of about that size where it was looked at before."""
        factor = PITCH / max(pitch_of(camera, size), 1e-6)
        for kept, small in self._kept:
            if 1.0 / _ALIKE < kept / factor < _ALIKE:
                scale = small.shape[1] / self.whole.shape[1]
                return ReducedView(small, camera.scaled(scale), size, 1.0 / scale)
        view = ReducedView.of(self.whole, camera, size)
        if view.image is not self.whole:
            self._kept.append((factor, view.image))
        return view
