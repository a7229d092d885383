"""`upscore read`: each photograph on its own, with no history."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np

from upscore.commands.console import DONE, PARTLY, say, tell, tell_json
from upscore.commands.inputs import chosen_edition
from upscore.commands.lone_q import has_lone_q
from upscore.commands.pictures import calibration_in, corners_at, overlays_in, parse_corners
from upscore.words.loader import load_lexicon
from vision import BoardNotFound, BoardReader, BoardReading, ImageError, load_image
from vision.geometry.lens import LensError
from vision.overlay import draw_reading

_SURE = 0.95
"""Squares given less are marked with a question mark. [by eye]"""
_FEW = 3
"""Photographs up to which no progress is reported. [by eye]"""


def run(args: argparse.Namespace) -> int:
    """Read every photograph; PARTLY when one could not be read or shows no board."""
    edition, corners = chosen_edition(args), parse_corners(args.corners)
    other_game = has_lone_q(edition)
    overlays = overlays_in(args.overlay, photographs={path.parent for path in args.images})
    reader = BoardReader(words=load_lexicon(), calibration=calibration_in(args.profile, edition))
    status = DONE
    for number, path in enumerate(args.images, start=1):
        if len(args.images) > _FEW:
            say(f"reading {path.name} ({number} of {len(args.images)})")
        try:
            image, scale = load_image(path)
            reading = reader.read(image, edition.size, corners=corners_at(corners, scale), other_game=other_game)
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
        "occluded": reading.occluded().tolist(),
        "seconds": round(reading.seconds, 4),
    }


def _notices(reading: BoardReading) -> Iterator[str]:
    """Yield what is wrong with the picture as a whole, a sentence each."""
    if reading.said_doubt is not None:
        yield reading.said_doubt.value
    if reading.cut_off is not None:
        yield reading.cut_off.text()
    if reading.camera_text is not None:
        yield reading.camera_text.text()


def _tell_board(name: str, reading: BoardReading) -> None:
    """Print the board: letters with their heights, ? where the reading is in doubt, # where something hides it."""
    letters, heights, confidence = reading.letters(), reading.heights(), reading.confidence()
    hidden = reading.occluded()
    tell(f"{name}:")
    for notice in _notices(reading):
        tell(f"     {notice}")
    tell("     " + "".join(f"{chr(ord('a') + col):5}" for col in range(reading.size)).rstrip())
    for row in range(reading.size):
        cells = [
            f"{letter}{height}{'?' if sure < _SURE else ''}" if height else "."
            for letter, height, sure in zip(letters[row], heights[row], confidence[row], strict=True)
        ]
        cells = ["#" if hid else cell for cell, hid in zip(cells, hidden[row], strict=True)]
        tell(f"{row + 1:3}  " + "".join(f"{cell:5}" for cell in cells).rstrip())
