"""What is known of the owner's own camera and tiles before a picture is looked at; calibration finds it out."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry.camera import Camera
from vision.geometry.lens import Lens
from vision.geometry.rectify import ReducedView
from vision.heights.elevations import Elevations
from vision.heights.stack_heights import Heights
from vision.heights.thickness import THICKNESSES
from vision.images import Image
from vision.letters.classifier import read_faces
from vision.letters.faces import clearest_faces
from vision.letters.templates import SetFaces

Floats = npt.NDArray[np.float64]

_LOG = logging.getLogger(__name__)
_OTHER_LENS = (
    "The board does not lie as the profile's lens would show it: read without it. If zoom or camera were changed, "
    "calibrate the camera again."
)
_OTHER_SET = (
    "The letters do not look like those of the set that is known: read without it. If these are other tiles, "
    "calibrate them, or have the old ones forgotten."
)


@dataclass(frozen=True)
class CalibrationData:
    """The owner's camera and tiles, as far as they are known.

    Attributes:
        lens: of the camera, from its calibration.
        faces: the letters of the set.
        thickness: (m,) log weights of the thicknesses in `vision.heights.thickness.THICKNESSES`, for this set.
    """

    lens: Lens | None = None
    faces: SetFaces | None = None
    thickness: Floats | None = None

    def __post_init__(self) -> None:
        if self.thickness is not None and self.thickness.shape != THICKNESSES.shape:
            raise ValueError(f"{self.thickness.shape} weights for {len(THICKNESSES)} thicknesses")

    def without_tiles(self) -> CalibrationData:
        """The camera alone."""
        return CalibrationData(lens=self.lens)

    def with_thickness(self, taught: Floats | None) -> Floats | None:
        """The log weights of the thicknesses joined with those (m,) that a game has taught so far."""
        if self.thickness is None or taught is None:
            return self.thickness if taught is None else taught
        return np.asarray(self.thickness + taught, dtype=np.float64)


NO_CALIBRATION = CalibrationData()


class CalibrationCheck:
    """Takes what is calibration only where the picture bears it out, and warns, once, where it does not."""

    def __init__(self, calibration: CalibrationData) -> None:
        self._calibration = calibration
        self._said: set[str] = set()

    def check_shape(self, image: Image) -> None:
        """Raise LensError where the picture (h, w, 3) cannot come from the camera whose lens is known."""
        if self._calibration.lens is not None:
            self._calibration.lens.of_picture((image.shape[1], image.shape[0]))

    def camera(self, fitted: Camera, image: Image, size: int) -> Camera:
        """The camera of a picture (h, w, 3) with the lens that is known, or as fitted where the lattice disagrees."""
        if self._calibration.lens is None:
            return fitted
        posed = self._calibration.lens.of_picture((image.shape[1], image.shape[0])).posed(fitted, size)
        if posed is None:
            self._say(_OTHER_LENS)
        return fitted if posed is None else posed

    def is_other_set(self, view: ReducedView, seen: Elevations, heights: Heights) -> bool:
        """Whether the tiles of a view whose letters stand upright are another set's than the one that is known."""
        faces = self._calibration.faces
        if faces is None:
            return False
        windows, _ = clearest_faces(view, seen, heights)
        other = faces.disagrees(windows, read_faces(windows))
        if other:
            self._say(_OTHER_SET)
        return other

    def _say(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            _LOG.warning(sentence)
