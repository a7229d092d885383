"""`upscore read`: each photograph on its own, with no history.

First come the options that the commands on pictures share: corners, profiles and overlays.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration import load_profile
from engine import Edition
from upscore.commands.console import DONE, PARTLY, OutputError, UsageError, say, tell, tell_json
from upscore.commands.inputs import choose_edition
from upscore.commands.lone_q import has_lone_q
from upscore.words.loader import DEFAULT_LEXICON, load_lexicon
from vision import (
    NO_CALIBRATION,
    BoardNotFound,
    BoardReader,
    BoardReading,
    CalibrationData,
    Hints,
    ImageError,
    load_image,
)
from vision.atomic_file import write_atomically
from vision.geometry.lens import LensError
from vision.images import Image, encode_jpeg
from vision.overlay import draw_reading

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
    """The folder of --overlay. Every picture appears whole or not at all, under a name of its own."""

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
    """Return the overlays of --overlay, None if it is not given."""
    return None if folder is None else Overlays(folder, photographs=photographs)


_SURE = 0.95
"""Squares given less are marked with a question mark. [by eye]"""
_FEW = 3
"""Photographs up to which no progress is reported. [by eye]"""


def run(args: argparse.Namespace) -> int:
    """Read every photograph; PARTLY when one could not be read or shows no board."""
    edition, corners = choose_edition(args), parse_corners(args.corners)
    other_game = has_lone_q(edition)
    overlays = overlays_in(args.overlay, photographs={path.parent for path in args.images})
    words = load_lexicon(edition.lexicon or DEFAULT_LEXICON, edition.alphabet)
    reader = BoardReader(words=words, calibration=calibration_in(args.profile, edition))
    hints = Hints(alphabet=edition.alphabet)
    status = DONE
    for number, path in enumerate(args.images, start=1):
        if len(args.images) > _FEW:
            say(f"reading {path.name} ({number} of {len(args.images)})")
        try:
            image, scale = load_image(path)
            at = corners_at(corners, scale)
            reading = reader.read(image, edition.size, corners=at, hints=hints, other_game=other_game)
        except (ImageError, BoardNotFound, LensError) as error:
            status = PARTLY
            if args.json:
                tell_json({"image": path.name, "found": False, "reason": str(error)})
            say(f"{path.name}: {error}")
            continue
        if args.json:
            tell_json(reading_json(path.name, reading, scale))
            for notice in _notices(reading):
                say(f"{path.name}: {notice}")
        else:
            _tell_board(path.name, reading)
        if overlays is not None:
            overlays.write(path.stem, draw_reading(image, reading))
    return status


def reading_json(name: str, reading: BoardReading, scale: float) -> dict[str, Any]:
    """Return the line of `read --json` for one photograph that was decoded at `scale`."""
    corners = (reading.corners + 0.5) / scale - 0.5
    return {
        "image": name,
        "found": True,
        "corners": np.round(corners, 2).tolist(),
        "letters": reading.letters(),
        "heights": reading.heights().tolist(),
        "confidence": np.round(reading.confidence(), 4).tolist(),
        "occluded": reading.find_occluded().tolist(),
        "seconds": round(reading.seconds, 4),
    }


def _notices(reading: BoardReading) -> Iterator[str]:
    """Yield a sentence for each thing that is wrong with the picture as a whole."""
    if reading.said_doubt is not None:
        yield reading.said_doubt.value
    if reading.cut_off is not None:
        yield reading.cut_off.text()
    if reading.camera_text is not None:
        yield reading.camera_text.text()


def _tell_board(name: str, reading: BoardReading) -> None:
    """Print the board: letters with their heights, ? where the reading is in doubt, # where something hides it."""
    letters, heights, confidence = reading.letters(), reading.heights(), reading.confidence()
    hidden = reading.find_occluded()
    tell(f"{name}:")
    for notice in _notices(reading):
        tell(f"     {notice}")
    tell("     " + "".join(f"{chr(ord('a') + col):5}" for col in range(reading.size)).rstrip())
    for row in range(reading.size):
        cells = []
        for letter, height, sure, hides in zip(letters[row], heights[row], confidence[row], hidden[row], strict=True):
            doubt = "?" if sure < _SURE else ""
            cells.append("#" if hides else f"{letter}{height}{doubt}" if height else ".")
        tell(f"{row + 1:3}  " + "".join(f"{cell:5}" for cell in cells).rstrip())
