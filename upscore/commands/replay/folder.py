"""The part of `upscore replay` that takes folders: one photograph after each turn."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.board import Board
from upscore.commands.console import DONE, PARTLY, say
from upscore.commands.pictures import Corners, corners_at
from upscore.commands.replay.sheet import ReplaySheet
from upscore.commands.replay.unattended import first_look, next_look
from upscore.errors import UsageError
from vision.errors import ImageError
from vision.geometry.lens import LensError
from vision.images import Image, load_image
from vision.pipeline import BoardReader
from vision.turn.context import Context
from vision.turn.memory.belief import Belief, certain
from vision.turn.memory.steps import with_room
from vision.turn.observe import Observation, not_read

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".mpo", ".heic", ".heif"})


def photographs(folder: Path) -> list[Path]:
    """The photographs in a folder in the order of their names, 2 before 10; raises UsageError where there are none."""
    try:
        found = [
            path
            for path in folder.iterdir()
            if path.suffix.lower() in PICTURES and not path.name.startswith(".")
        ]
    except OSError as error:
        raise UsageError(f"{folder} cannot be opened ({error.strerror}): check its permissions.") from None
    if not found:
        raise UsageError(f"{folder} holds no photographs: give the folder with the game's JPEG or PNG files.")
    return sorted(found, key=lambda path: (_in_order(path.name), path.name))


def replay_folder(
    pictures: Sequence[Path],
    looking: Looking,
    start: Board,
    sheet: ReplaySheet,
) -> int:
    """Replay photographs, the first of which shows the start; PARTLY when one could not be read."""
    status, belief = DONE, certain(start)
    for number, path in enumerate(pictures):
        say(f"looking at {path.name} ({number + 1} of {len(pictures)})")
        began, told_from = time.perf_counter(), with_room(belief).start
        belief, seen, picture = looking.look(belief, path, first=not number)
        if seen.reading is None:
            status = PARTLY
            say(f"{path.name}: {seen.finding.reason}")
        if number == 0:
            _check_start(path, seen)
            continue
        seconds = round(time.perf_counter() - began, 4)
        sheet.enter(seen, told_from, picture, path.stem, {"image": path.name}, seconds=seconds)
    sheet.conclude()
    return status


@dataclass(frozen=True)
class Looking:
    """How photographs are looked at."""

    reader: BoardReader
    context: Context
    corners: Corners | None

    def look(self, belief: Belief, path: Path, *, first: bool) -> tuple[Belief, Observation, Image | None]:
        """The belief after a photograph, and what it shows; one that cannot be read is a turn that is unclear."""
        try:
            picture, scale = load_image(path)
            corners = corners_at(self.corners, scale)
            if first:
                return (*first_look(self.reader, belief.board, picture, self.context, corners), picture)
            return (*next_look(self.reader, belief, picture, self.context, corners), picture)
        except (ImageError, LensError) as error:
            return (*not_read(belief, str(error)), None)


def _check_start(path: Path, seen: Observation) -> None:
    """The first photograph shows the start: it teaches the camera and the set, and is held against the board."""
    if seen.finding.kind not in ("none", "unclear"):
        say(
            f"warning: {path.name} does not seem to show the start: use --start for a game that is under way."
        )


def _in_order(name: str) -> list[tuple[str, int]]:
    """A key that sorts names with numbers in them by the numbers."""
    parts = re.findall(r"(\D*)(\d*)", name)
    return [(text, int(digits) if digits else -1) for text, digits in parts]
