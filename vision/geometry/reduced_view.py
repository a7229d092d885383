"""A photograph reduced to the resolution at which it is read, and where it was taken from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.geometry.camera import Camera, corners_of
from vision.geometry.corners import side_lengths
from vision.geometry.rectify import resize
from vision.images import Image
from vision.picture_quality.brightness import lightened_board

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
