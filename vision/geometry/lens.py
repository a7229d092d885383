"""The lens of a calibrated camera: with it, only the camera's pose is unknown in a picture of the board."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.errors import VisionError
from vision.geometry.camera import Camera
from vision.geometry.camera_fit import same_shape

_MAX_LATTICE_ERROR = 0.08
"""Largest difference (root mean square, squares) between a lattice and its view through the lens. [by eye]"""


class LensError(VisionError):
    """The picture cannot come from the calibrated camera."""


@dataclass(frozen=True)
class Lens:
    """The lens of a `vision.geometry.camera.Camera`.

    Attributes:
        focal: focal length, px, down the picture.
        centre: principal point (x, y), px, pixel centres at whole numbers.
        k1: first radial distortion coefficient.
        size_wh: width and height, px, of the pictures for which these values hold.
        stretch: width of the pictures over their width with square pixels.
    """

    focal: float
    centre: tuple[float, float]
    k1: float
    size_wh: tuple[int, int]
    stretch: float = 1.0

    def of_picture(self, size_wh: tuple[int, int]) -> Lens:
        """Return the lens for pictures of another size, or held upright instead of lengthwise.

        Nothing shows which way a picture was turned, so the principal point of a turned picture is its middle. Raises
        LensError if the picture has another shape: part of it is missing, or another camera took it.
        """
        (width, height), shape = self.size_wh, size_wh[0] / size_wh[1]
        if same_shape(shape, width / height):
            factor = size_wh[0] / width
            cx, cy = ((c + 0.5) * factor - 0.5 for c in self.centre)
            return Lens(self.focal * factor, (cx, cy), self.k1, size_wh, self.stretch)
        if same_shape(shape, height / width):
            middle = ((size_wh[0] - 1) / 2, (size_wh[1] - 1) / 2)
            focal = self.focal * self.stretch * size_wh[0] / height
            return Lens(focal, middle, self.k1, size_wh, 1.0 / self.stretch)
        raise LensError(
            f"The profile's camera takes pictures shaped as {width}x{height}, this one is {size_wh[0]}x{size_wh[1]}: "
            "give whole pictures of that camera, or leave --profile out."
        )

    def pose(self, camera: Camera, size: int) -> Camera | None:
        """Return the camera with this lens that sees an n x n lattice where `camera` does; None if no pose does.

        `camera` is a fit in which focal length and distortion were free. They trade off against distance and tilt,
        which moves faces above the board's plane. With a known lens only the pose is left (perspective-n-point).
        """
        steps = np.arange(size + 1, dtype=np.float64)
        x, y = np.meshgrid(steps, steps)
        ground = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
        pixels = camera.project(ground)
        matrix = np.array(
            [[self.focal * self.stretch, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]]
        )
        lens = np.array([self.k1, 0.0, 0.0, 0.0])
        guess = cv2.Rodrigues(camera.rotation)[0]
        away = camera.translation * (1.0, 1.0, self.focal / camera.focal)
        across, down, _ = camera.units
        done, turn, shift = cv2.solvePnP(
            ground * (across, down, 1.0), pixels, matrix, lens, guess, away.reshape(3, 1), True, cv2.SOLVEPNP_ITERATIVE
        )
        if not done:
            return None
        rotation = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
        posed = replace(
            camera,
            focal=self.focal,
            centre=self.centre,
            k1=self.k1,
            stretch=self.stretch,
            cropped=False,
            rotation=rotation,
            translation=np.asarray(shift, dtype=np.float64).ravel(),
        )
        off = posed.project(ground) - pixels
        pitch = float(np.linalg.norm(pixels[1] - pixels[0]) + np.linalg.norm(pixels[size + 1] - pixels[0])) / 2
        return posed if float(np.sqrt((off**2).sum(axis=1).mean())) < _MAX_LATTICE_ERROR * pitch else None
