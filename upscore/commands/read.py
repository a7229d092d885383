"""`upscore read`: each photograph on its own, with no history."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import numpy.typing as npt

from engine.editions import Edition
from engine.errors import UpscoreError
from upscore.commands.common import (
    DONE,
    PARTLY,
    add_seeing,
    chosen_edition,
    overlay_folder,
    parse_corners,
    say,
)  # fmt: skip
from upscore.words.loader import load_lexicon
from vision.errors import BoardNotFound, ImageError
from vision.images import Image, load_image
from vision.overlay import draw_reading
from vision.pipeline import BoardReader
from vision.reading import BoardReading

if TYPE_CHECKING:
    from upscore.commands.common import Commands


def add(commands: Commands) -> None:
    parser = commands.add_parser("read", help="read photographs, each on its own")
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each image")
    add_seeing(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    edition, corners = chosen_edition(args), parse_corners(args.corners)
    overlays = overlay_folder(args.overlay)
    reader = BoardReader(words=load_lexicon())
    status = DONE
    for number, path in enumerate(args.images, start=1):
        if len(args.images) > 3:
            say(f"reading {path.name} ({number} of {len(args.images)})")
        try:
            image, reading, scale = _read(reader, path, edition, corners)
        except (ImageError, BoardNotFound) as error:
            status = PARTLY
            _report_failure(path, error, args.json)
            continue
        print(
            json.dumps(reading_json(path.name, reading, scale)) if args.json else _plain(path.name, reading),
            flush=True,
        )
        if overlays is not None:
            cv2.imwrite(str(overlays / f"{path.stem}.jpg"), draw_reading(image, reading))
    return status


def _read(
    reader: BoardReader, path: Path, edition: Edition, corners: npt.NDArray[np.float64] | None
) -> tuple[Image, BoardReading, float]:
    image, scale = load_image(path)
    inside = None if corners is None else (corners + 0.5) * scale - 0.5
    return image, reader.read(image, edition.size, corners=inside, lone_q=not edition.tile_total), scale


def reading_json(name: str, reading: BoardReading, scale: float) -> dict[str, Any]:
    """The line of `read --json` for one image that was decoded at `scale`."""
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


def _report_failure(path: Path, error: UpscoreError, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"image": path.name, "found": False, "reason": str(error)}), flush=True)
    say(f"{path.name}: {error}")


def _plain(name: str, reading: BoardReading) -> str:
    """The board as text: letters with their heights, a question mark where the reading is in doubt."""
    letters, heights, confidence = reading.letters(), reading.heights(), reading.confidence()
    lines = [f"{name}:", "     " + "  ".join(f"{chr(97 + c):3}" for c in range(reading.size))]
    for row in range(reading.size):
        cells = []
        for col in range(reading.size):
            if not heights[row, col]:
                cells.append(" .  ")
                continue
            doubt = "?" if confidence[row, col] < 0.95 else ""
            cells.append(f"{letters[row][col]}{heights[row, col]}{doubt}".ljust(4))
        lines.append(f"{row + 1:3}  " + " ".join(cells))
    return "\n".join(lines)
