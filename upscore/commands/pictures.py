"""Options that the commands on pictures share: corners, profiles and overlays."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np
import numpy.typing as npt

from calibration import load_profile
from engine import Edition
from upscore.errors import OutputError, UsageError
from vision import NO_CALIBRATION, CalibrationData
from vision.atomic_file import write_atomically
from vision.images import Image, encode_jpeg

Corners = npt.NDArray[np.float64]

_FARTHEST = 1e6
"""No corner lies further outside its picture, px. [by eye]"""


def parse_corners(text: str | None) -> Corners | None:
    """Parse four corners, (4, 2) px, TL TR BR BL of the playing grid, from "x,y x,y x,y x,y"."""
    if text is None:
        return None
    try:
        corners = np.array([[float(v) for v in pair.split(",")] for pair in text.split()], dtype=np.float64)
    except ValueError:
        corners = np.zeros(0)
    if corners.shape != (4, 2) or not bool((np.abs(corners) < _FARTHEST).all()):
        raise UsageError('--corners takes four points, "x,y x,y x,y x,y": TL TR BR BL of the playing grid.')
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if not bool((turns > 1.0).all()):
        raise UsageError(
            "--corners must go clockwise around a board: TL TR BR BL of the playing grid, letters upright."
        )
    return corners


def corners_at(corners: Corners | None, scale: float) -> Corners | None:
    """Convert corners (4, 2) from px of the file to px of the picture decoded at `scale`."""
    return None if corners is None else (corners + 0.5) * scale - 0.5


def calibration_in(path: Path | None, edition: Edition) -> CalibrationData:
    """Return what the profile of --profile knows of the camera and the tiles; raises ProfileError."""
    return NO_CALIBRATION if path is None else load_profile(path).calibration_for(edition)


class Overlays:
    """The folder of --overlay. Pictures appear in it whole or not at all, and under names of their own."""

    def __init__(self, folder: Path, *, photographs: Collection[Path]) -> None:
        """Make the folder; `photographs` are folders that it must not be, since it would overwrite them."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            ours = any(folder.samefile(taken) for taken in photographs if taken.is_dir())
        except OSError as error:
            raise UsageError(
                f"{folder} cannot be made a folder ({error.strerror}): give another for --overlay."
            ) from None
        if ours:
            raise UsageError(
                f"{folder} holds the photographs, which would be overwritten: give another folder for --overlay."
            )
        self._folder = folder
        self._names: set[str] = set()

    def write(self, name: str, picture: Image) -> None:
        """Write a picture as NAME.jpg, NAME-2.jpg for the second of that name; raises OutputError."""
        unique, count = name, 1
        while unique in self._names:
            count += 1
            unique = f"{name}-{count}"
        self._names.add(unique)
        path = self._folder / f"{unique}.jpg"
        try:
            write_atomically(path, encode_jpeg(picture))
        except OSError as error:
            raise OutputError(
                f"{path} cannot be written ({error.strerror}): make room, or give another folder for --overlay."
            ) from None


def overlays_in(folder: Path | None, *, photographs: Collection[Path]) -> Overlays | None:
    """Return the overlays of --overlay, None where it is not given."""
    return None if folder is None else Overlays(folder, photographs=photographs)
