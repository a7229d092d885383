"""The plane sweep: the board resampled at many elevations.

In the slice of its own elevation a tile's face lies exactly on its square. In the other slices parallax displaces it.
The elevations don't depend on a set, so the thickness of a layer need not be known.
The sweep is turned by quarters so that the camera stands on the lower side of the canvas. Side walls then always show
below their faces.

The method is the space sweep of R. Collins, "A space-sweep approach to true multi-image matching", 1996, with one
view and the squares' known places instead of a second picture.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Tensor
from vision.geometry.camera import Camera
from vision.geometry.rectify import rectify
from vision.images import Image
from vision.networks import network

SLICES, SLICE_STEP = 17, 0.1
"""Number of slices, and the step of elevation between them, cells. The last slice shows five layers of the thickest
sets."""
SWEEP_PX, SWEEP_MARGIN = 16, 1
"""Pixels a square, and squares around the grid, of the slices. Canvases of 24 pixels a square were no better: of 1,351
heights seen from the side in the development sets 15 were wrong instead of 14. [by hand, sets]"""
VIEW = 3
"""Number of planes that describe the view."""
_SCENE_WEIGHT = 0.6
"""Weight of the network that looks at the scene itself, beside the one that looks at its mirror image. Of 4,300 heights
seen from the side and 34,063 bare squares, 24 and 24 are wrong with this weight, and 24 and 25 with a half. With the
narrow network in both places 33 and 26 are wrong, with the wide one 28 and 31.
[by hand, sets and four datasets of rendered games]"""
CHANNELS, _VIEW_X = SLICES + 2 + VIEW, SLICES + 2
"""Number of all planes, and the index of the plane whose sign changes in a mirror."""


def quarter_towards_camera(camera: Camera, size: int) -> int:
    """Return the number of quarter turns (`Camera.turn`) that bring the camera to the board's lower side."""
    away = camera.position[:2] - size / 2
    if abs(away[1]) >= abs(away[0]):
        return 0 if away[1] >= 0 else 2
    return 1 if away[0] < 0 else 3


def sweep(image: Image, camera: Camera, size: int) -> Tensor:
    """Make the sweep (CHANNELS, side, side) of a reduced picture, side = (size + 2) * SWEEP_PX.

    The camera must be turned to the lower side already. The channels are SLICES grey slices, SLICE_STEP cells apart
    from the ground up, and two colour differences of the lowest slice. Constant planes that describe the parallax
    follow: the camera's place x, y from the middle of the board over its height, and ten cells over its height.
    """
    ground = rectify(image, camera, size, SWEEP_PX, SWEEP_MARGIN)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    planes = np.empty((CHANNELS, *ground.shape[:2]), dtype=np.float32)
    slices, colours, view = planes[:SLICES], planes[SLICES : SLICES + 2], planes[SLICES + 2 :]
    for k in range(SLICES):
        slices[k] = rectify(grey, camera, size, SWEEP_PX, SWEEP_MARGIN, height=k * SLICE_STEP)
    mean, spread = float(slices[0].mean()), float(slices[0].std()) + 8.0
    slices -= mean
    slices /= spread
    blue, green, red = ground.astype(np.float32).transpose(2, 0, 1)
    colours[0], colours[1] = (blue - green) / 48.0, (red - green) / 48.0
    x, y, height = camera.position - (size / 2, size / 2, 0.0)
    view[:] = np.array([x / height, y / height, 10.0 / height])[:, None, None]
    return planes


def average_logits(planes: Tensor) -> Tensor:
    """Return two networks' mean logits (SLICES + 1, k, k) of a sweep (CHANNELS, side, side). The last is of a hand.

    One network looks at the scene, a wider one at its mirror image. Two networks make different errors, and so does one
    network on a mirror image.
    """
    scene, other = network("stacks")(planes[None])[0], network("wide_stacks")(mirror(planes)[None])[0]
    return np.asarray(_SCENE_WEIGHT * scene + (1.0 - _SCENE_WEIGHT) * other[..., ::-1], dtype=np.float32)


def mirror(planes: Tensor) -> Tensor:
    """Mirror a sweep (CHANNELS, side, side). Left and right change places, also in the camera's place."""
    other = planes[..., ::-1].copy()
    other[_VIEW_X] *= -1
    return other
