"""The part of `upscore replay` that takes folders: one photograph after each turn."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

from upscore.commands.console import DONE, PARTLY, say
from upscore.commands.replay_sheet import ReplaySheet
from upscore.commands.seeing import Corners, corners_at
from upscore.errors import UsageError
from upscore.ledger import NOTHING
from vision.errors import ImageError
from vision.images import Image, load_image
from vision.infer import TurnInference
from vision.session import GameWatch, Observation

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".mpo"})


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
    pictures: Sequence[Path], watch: GameWatch, sheet: ReplaySheet, corners: Corners | None
) -> int:
    """Replay photographs, the first of which shows the start; PARTLY when one could not be read."""
    status = DONE
    for number, path in enumerate(pictures):
        say(f"looking at {path.name} ({number + 1} of {len(pictures)})")
        began = time.perf_counter()
        picture, seen = _look(watch, path, corners)
        if seen.reading is None:
            status = PARTLY
            say(f"{path.name}: {seen.inference.reason}")
        if number == 0:
            _check_start(path, seen)
            watch.settle(seen.before)
            continue
        seconds = round(time.perf_counter() - began, 4)
        sheet.enter(seen, picture, path.stem, {"image": path.name}, seconds=seconds)
    sheet.conclude()
    return status


def _look(watch: GameWatch, path: Path, corners: Corners | None) -> tuple[Image | None, Observation]:
    """A photograph and what it shows; one that cannot be read is a turn that is unclear."""
    try:
        picture, scale = load_image(path)
    except ImageError as error:
        inference = TurnInference("unclear", NOTHING, 0.0, True, (), None, str(error), None, 0.0)
        return None, Observation(None, watch.board, inference, watch.board, False)
    return picture, watch.observe(picture, corners_at(corners, scale))


def _check_start(path: Path, seen: Observation) -> None:
    """The first photograph shows the start: it teaches the camera and the set, and is held against the board."""
    if seen.inference.kind not in ("none", "unclear"):
        say(
            f"warning: {path.name} does not seem to show the start: use --start for a game that is under way."
        )


def _in_order(name: str) -> list[tuple[str, int]]:
    """A key that sorts names with numbers in them by the numbers."""
    parts = re.findall(r"(\D*)(\d*)", name)
    return [(text, int(digits) if digits else -1) for text, digits in parts]
