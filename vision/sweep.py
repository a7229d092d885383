"""The plane sweep: the board resampled at the height of every possible layer.

In the slice of its own height a tile's face sits exactly on its square; in the others it is displaced by parallax.
The sweep is turned by quarters so that the camera stands on the lower side of the canvas: side walls then always
show below their faces.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.images import Image
from vision.warp import rectify, shrink_to_pitch

Tensor = npt.NDArray[np.float32]

MAX_HEIGHT = 5
SLICES = MAX_HEIGHT + 1
SWEEP_PX = 16
SWEEP_MARGIN = 1
CHANNELS = SLICES + 2 + 4


def quarter_towards_camera(camera: Camera, size: int) -> int:
    """How many quarter turns (`Camera.turned`) bring the camera to the lower side of the board."""
    away = camera.position[:2] - size / 2
    if abs(away[1]) >= abs(away[0]):
        return 0 if away[1] >= 0 else 2
    return 1 if away[0] < 0 else 3


def sweep(image: Image, camera: Camera, size: int, layer: float) -> Tensor:
    """The sweep of a camera already turned: (CHANNELS, side, side) with side = (size + 2) * SWEEP_PX.

    Channels: six grey slices at heights 0, `layer`, ..., 5 `layer` (cells); two colour differences of the lowest
    slice; and four constant planes: parallax (x, y) of one layer at the middle of the board, in cells, and its
    growth over the board, which is what a camera straight above has to go by.
    """
    small, camera = shrink_to_pitch(image, camera, size, SWEEP_PX)
    ground = rectify(small, camera, size, SWEEP_PX, SWEEP_MARGIN)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    slices = [
        rectify(grey, camera, size, SWEEP_PX, SWEEP_MARGIN, height=k * layer).astype(np.float32)
        for k in range(SLICES)
    ]
    mean, spread = float(np.mean(slices[0])), float(np.std(slices[0])) + 8.0
    planes = [(s - mean) / spread for s in slices]
    colour = ground.astype(np.float32)
    planes += [(colour[..., 0] - colour[..., 1]) / 48.0, (colour[..., 2] - colour[..., 1]) / 48.0]
    middle = parallax(camera, (size / 2, size / 2), layer)
    edge = parallax(camera, (float(size), float(size)), layer) - parallax(camera, (0.0, 0.0), layer)
    planes += [np.full_like(planes[0], value) for value in (*(4.0 * middle), *(4.0 * edge))]
    return np.stack(planes).astype(np.float32)


def parallax(camera: Camera, at: tuple[float, float], layer: float) -> npt.NDArray[np.float64]:
    """Where a point one layer up over board point `at` seems to lie on the plane, minus `at`: (2,) cells."""
    pixel = camera.project((*at, layer))
    return camera.to_board(pixel) - np.asarray(at, dtype=np.float64)
