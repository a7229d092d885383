"""The owner's camera and tiles, as calibration measured them, and the check that a picture agrees with them."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import numpy.typing as npt

from engine import Alphabet
from engine.wording import phrase
from vision.arrays import Floats
from vision.board.localize import keeps_given
from vision.geometry.camera_fit import CameraFit
from vision.geometry.lens import Lens
from vision.geometry.rectify import ReducedView
from vision.heights.elevations import Elevations
from vision.heights.stack_heights import Heights
from vision.heights.thickness import THICKNESSES
from vision.images import Image
from vision.letters.classifier import read_faces
from vision.letters.faces import clearest_faces
from vision.letters.templates import SetFaces

_LOG = logging.getLogger(__name__)
_OTHER_LENS = phrase(
    "The board does not look as the profile's lens would show it, so the picture was read without the lens. "
    "If you changed the zoom or the camera, calibrate the camera again."
)
_OTHER_SET = phrase(
    "The letters do not look like those of the known set, so the picture was read without it. "
    "If these are other tiles, calibrate them, or forget the old ones."
)


@dataclass(frozen=True)
class CalibrationData:
    """What calibration measured of the owner's camera and tiles.

    Attributes:
        lens: the camera's lens.
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
        """Return the calibration of the camera alone."""
        return CalibrationData(lens=self.lens)

    def faces_of(self, alphabet: Alphabet) -> SetFaces | None:
        """Return the letters of the set, None if they are those of another alphabet."""
        return self.faces if self.faces is not None and self.faces.alphabet == alphabet else None

    def with_thickness(self, learned: Floats | None) -> Floats | None:
        """Return the log weights (m,) of the thicknesses, joined with those that a game has `learned` so far."""
        if self.thickness is None or learned is None:
            return self.thickness if learned is None else learned
        return self.thickness + learned


NO_CALIBRATION = CalibrationData()
"""Neither camera nor tiles are calibrated."""


class CalibrationCheck:
    """Uses the calibration only if the picture agrees with it. Otherwise it warns, once for each warning."""

    def __init__(self, calibration: CalibrationData) -> None:
        self.calibration = calibration
        self._warned: set[str] = set()

    def check_shape(self, image: Image) -> None:
        """Raise LensError if the picture (h, w, 3) cannot come from the calibrated camera."""
        if self.calibration.lens is not None:
            self.calibration.lens.of_picture((image.shape[1], image.shape[0]))

    def with_lens(self, fit: CameraFit, image: Image, size: int, corners: npt.ArrayLike | None = None) -> CameraFit:
        """Return the `fit` to a picture (h, w, 3), with the calibrated lens if the board agrees, else as it is.

        With the lens the grid's corners lie a little elsewhere, but not far from `corners` (4, 2) px that were given.
        The lens leaves no doubt about how the picture was framed.
        """
        if self.calibration.lens is None:
            return fit
        posed = self.calibration.lens.of_picture((image.shape[1], image.shape[0])).pose(fit.camera, size)
        if posed is None or (corners is not None and not keeps_given(corners, posed, size)):
            self._warn_once(_OTHER_LENS)
            return fit
        return replace(fit, camera=posed, framing_in_doubt=False)

    def is_other_set(self, view: ReducedView, seen: Elevations, heights: Heights, alphabet: Alphabet) -> bool:
        """Return whether the tiles of an upright view belong to another set than the calibrated one."""
        faces = self.calibration.faces_of(alphabet)
        if faces is None:
            return False
        windows, _ = clearest_faces(view, seen, heights)
        other = faces.disagrees(windows, read_faces(windows, alphabet))
        if other:
            self._warn_once(_OTHER_SET)
        return other

    def _warn_once(self, sentence: str) -> None:
        if sentence not in self._warned:
            self._warned.add(sentence)
            _LOG.warning(sentence)
