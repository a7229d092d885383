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

from vision.geometry.camera import Camera
from vision.geometry.rectify import Tensor, rectify
from vision.images import Image
from vision.networks import network

SLICES, SLICE_STEP = 17, 0.1
"""Slices, and the elevation from one to the next, cells; the last shows five layers of the thickest sets."""
SWEEP_PX, SWEEP_MARGIN = 16, 1
"""Pixels a square, and squares around the grid, of the slices. Canvases of 24 pixels brought no more: heights seen
from the side in the development sets 15 wrong of 1,351 instead of 14."""
VIEW = 3
"""Planes of the view."""
_SCENE = 0.6
"""Share of the network that looks at the scene. Of 4,300 heights seen from the side and 34,063 bare squares, in the
development sets and four lots of rendered games, 24 and 24 are wrong with it, 24 and 25 with a half, 33 and 26 with the
narrow network in both places, 28 and 31 with the wide one."""
CHANNELS, _VIEW_X = SLICES + 2 + VIEW, SLICES + 2
"""Planes altogether, and the one whose sign changes in a mirror."""


def quarter_towards_camera(camera: Camera, size: int) -> int:
    """How many quarter turns (`Camera.turned`) bring the camera to the lower side of the board."""
    away = camera.position[:2] - size / 2
    if abs(away[1]) >= abs(away[0]):
        return 0 if away[1] >= 0 else 2
    return 1 if away[0] < 0 else 3


def sweep(image: Image, camera: Camera, size: int) -> Tensor:
    """The sweep of a reduced picture and a camera already turned: (CHANNELS, side, side), side = (size + 2) * SWEEP_PX.

    Channels: SLICES grey slices, SLICE_STEP cells apart from the ground up; two colour differences of the lowest; and
    constant planes that say how parallax goes: the camera's place x, y from the middle of the board over its
    height, and ten cells over its height.
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


def averaged_logits(planes: Tensor) -> Tensor:
    """What two networks tell of a sweep (CHANNELS, side, side): logits (SLICES + 1, k, k), the last of a hand.

    A mean of one that looks at the scene and of a wider one that looks at its mirror image: two networks err otherwise,
    and so does one in a mirror.
    """
    scene, other = network("stacks")(planes[None])[0], network("wide_stacks")(mirrored(planes)[None])[0]
    return np.asarray(_SCENE * scene + (1.0 - _SCENE) * other[..., ::-1], dtype=np.float32)


def mirrored(planes: Tensor) -> Tensor:
    """The sweep (CHANNELS, side, side) of the mirrored scene: left and right change places, the camera's too."""
    other = planes[..., ::-1].copy()
    other[_VIEW_X] *= -1
    return other
