"""What became of a picture between the lens and here: it may have been cropped, or squeezed into another shape.

Unless a picture says otherwise its middle is taken for the principal point, and its pixels for square. People crop
photographs before they send them; cameras in the network often squeeze the whole of their sensor's picture into a
smaller one of another shape. Either moves the faces of stacks to where they are not looked for. The squares of a board
tell of both: one plane seen aslant gives two equations for the intrinsics (Zhang, "A flexible new technique for camera
calibration", 2000, eq. 3 and 4), and focal lengths are much alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera, grid_corners, homography_from_corners
from vision.geometry.camera_fit import (
    OUTLYING,
    CameraFit,
    Correspondences,
    fit_camera,
    initial_camera,
)
from vision.geometry.corners import side_lengths
from vision.geometry.picture_shape import is_as_taken, possible_stretches, same_shape

_CROPPED, _CROPPED_TO_SHAPE, _SQUEEZED = 6.0, 10.0, 14.0
"""By how much (squared standard deviations) it must explain a picture better that it was cropped, cropped to a usual
shape, or squeezed than that nothing became of it. By eye: of 302 pictures of the development sets, as they are, none is
explained better by more than 2.5, of 72 seen from low down by wide lenses (`--hard`) one by 16; those of the
development sets, squeezed from 16:9 to 4:3, mostly by 15 to 330."""
_ASTRAY = 0.2
"""Squares (standard deviation) by which corners that a network finds, or a finger shows, miss their places. By eye, not
measured."""
_NO_OUTLIERS = 1e9
"""Squared standard deviations at which nothing is outlying."""


@dataclass(frozen=True)
class Framing:
    """What may have become of a picture.

    Attributes:
        stretch: its width over what it would be with square pixels.
        cropped: it is a part of what the lens saw, and the principal point need not be its middle.
        unlikely: by how much (squared standard deviations) it must explain the picture better than that nothing became
            of it.
    """

    stretch: float = 1.0
    cropped: bool = False
    unlikely: float = 0.0

    def is_of(self, camera: Camera) -> bool:
        """Whether a camera was fitted with it."""
        return camera.cropped == self.cropped and same_shape(camera.stretch, self.stretch)


AS_TAKEN = Framing()


def framings(image_size_wh: tuple[int, int]) -> Iterator[Framing]:
    """What may have become of a picture of this size, the likeliest first."""
    yield AS_TAKEN
    yield Framing(cropped=True, unlikely=_CROPPED_TO_SHAPE if is_as_taken(image_size_wh) else _CROPPED)
    for stretch in possible_stretches(image_size_wh):
        yield Framing(stretch=stretch, unlikely=_SQUEEZED)


def fit_framing(
    fit: CameraFit, points: Correspondences, image_size_wh: tuple[int, int], outlying: float = OUTLYING
) -> CameraFit:
    """The fit to the same points of a board of square cells under the likeliest framing; `outlying` as it was fitted.

    A stretch that is no framing's, as a calibrated lens may have, is left as it is.
    """
    possible = list(framings(image_size_wh))
    taken = [framing for framing in possible if framing.is_of(fit.camera)]
    if not taken or fit.cost + taken[0].unlikely < min(framing.unlikely for framing in possible[1:]):
        return fit
    homography = np.asarray(cv2.findHomography(points.board, points.pixels, cv2.LMEDS)[0], dtype=np.float64)
    middle = ((image_size_wh[0] - 1) / 2, (image_size_wh[1] - 1) / 2)
    best, least = fit, fit.cost + taken[0].unlikely
    for framing in possible:
        if framing.is_of(fit.camera):
            continue
        like = replace(fit.camera, centre=middle, stretch=framing.stretch, cropped=framing.cropped)
        start = initial_camera(homography, image_size_wh, like=like)
        other = fit_camera(start, points, image_size_wh, outlying=outlying)
        if other.cost + framing.unlikely < least:
            best, least = other, other.cost + framing.unlikely
    return best


def camera_from_corners(corners: npt.ArrayLike, size: int, image_size_wh: tuple[int, int]) -> Camera | None:
    """A first camera for rough corners (4, 2) px of n x n square cells in a picture that was cropped or squeezed.

    None where they do not say so.
    """
    quad = np.asarray(corners, dtype=np.float64)
    square = float(side_lengths(quad).mean()) / size
    points = Correspondences(grid_corners(size), quad, np.full(4, _ASTRAY * square))
    start = initial_camera(homography_from_corners(quad, size), image_size_wh)
    # of four corners none is an outlier: any three are met whatever became of the picture
    plain = fit_camera(start, points, image_size_wh, outlying=_NO_OUTLIERS)
    fit = fit_framing(plain, points, image_size_wh, _NO_OUTLIERS)
    return None if AS_TAKEN.is_of(fit.camera) else fit.camera
