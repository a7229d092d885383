"""The plane sweep: the board resampled at many elevations.

In the slice of its own elevation a tile's face sits exactly on its square; in the others parallax displaces it. The
elevations are those of no set in particular: how thick a layer is need not be known to look.
The sweep is turned by quarters so that the camera stands on the lower side of the canvas: side walls then always
show below their faces.

The method is the space sweep of R. Collins, "A space-sweep approach to true multi-image matching", 1996, with one
view and the squares' known places instead of a second picture.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.images import Image
from vision.warp import rectify, shrink_to_pitch

Tensor = npt.NDArray[np.float32]

SLICES = 17
SLICE_STEP = 0.1
"""Elevation from slice to slice, cells; the last shows five layers of the thickest sets."""
SWEEP_PX = 16
SWEEP_MARGIN = 1
VIEW = 3
CHANNELS = SLICES + 2 + VIEW


def quarter_towards_camera(camera: Camera, size: int) -> int:
    """How many quarter turns (`Camera.turned`) bring the camera to the lower side of the board."""
    away = camera.position[:2] - size / 2
    if abs(away[1]) >= abs(away[0]):
        return 0 if away[1] >= 0 else 2
    return 1 if away[0] < 0 else 3


def sweep(image: Image, camera: Camera, size: int) -> Tensor:
    """The sweep of a camera already turned: (CHANNELS, side, side) with side = (size + 2) * SWEEP_PX.

    Channels: SLICES grey slices, SLICE_STEP cells apart from the ground up; two colour differences of the lowest; and
    constant planes that say how parallax goes: the camera's place x, y from the middle of the board over its
    height, and ten cells over its height.
    """
    small, camera = shrink_to_pitch(image, camera, size, SWEEP_PX)
    ground = rectify(small, camera, size, SWEEP_PX, SWEEP_MARGIN)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    slices = [
        rectify(grey, camera, size, SWEEP_PX, SWEEP_MARGIN, height=k * SLICE_STEP).astype(np.float32)
        for k in range(SLICES)
    ]
    mean, spread = float(np.mean(slices[0])), float(np.std(slices[0])) + 8.0
    planes = [(s - mean) / spread for s in slices]
    colour = ground.astype(np.float32)
    planes += [(colour[..., 0] - colour[..., 1]) / 48.0, (colour[..., 2] - colour[..., 1]) / 48.0]
    x, y, height = camera.position - (size / 2, size / 2, 0.0)
    planes += [np.full_like(planes[0], value) for value in (x / height, y / height, 10.0 / height)]
    return np.stack(planes).astype(np.float32)
