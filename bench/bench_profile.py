"""How many errors a set's own profile removes, on folders of boards with known truth.

    python bench/bench_profile.py DATA [--sets dev04,dev09]

DATA holds a folder for each set: NN.jpg with NN.json, a game in order, 00 the empty board. What calibration can know
is learned from the first half of a game as `upscore calibrate tiles --from-game` does it; its second half is then read,
each picture on its own, without and with it. The thickness a ruler would give and the camera's lens are tried too.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from truth import SEEN, pictures

from calibration.lessons import Lessons
from calibration.thickness import layers_of
from engine.board import Board
from engine.editions import EDITIONS
from upscore.commands.replay.unattended import first_look, next_look
from upscore.words.loader import load_lexicon
from vision.calibration_data import Owned
from vision.errors import BoardNotFound
from vision.geometry.lens import Lens
from vision.images import Image, load_image
from vision.pipeline import BoardReader
from vision.reading import BoardReading
from vision.turn.context import Context

_HERE = 0.25
"""Squares by which the corners may be off in a reading that counts."""


def lessons_of(game: list[tuple[Path, dict[str, Any]]]) -> Lessons:
    """What a replay of the game teaches."""
    edition, words = _edition(game[0][1]), load_lexicon()
    reader = BoardReader(words=words, second_opinion=False)
    context, lessons = Context(edition, words), Lessons()
    belief, _ = first_look(reader, Board.empty(edition.size), load_image(game[0][0])[0], context)
    for path, _ in game[1:]:
        image, _ = load_image(path)
        belief, seen = next_look(reader, belief, image, context)
        lessons = lessons.after(image, seen)
    return lessons


def variants(lessons: Lessons, truth: dict[str, Any]) -> Iterator[tuple[str, Owned]]:
    """What may be known of the set and the camera."""
    size, pitch = truth["edition"], truth["pitch_cm"]
    ruler = layers_of(5 * truth["layer_cm"], size * pitch, size)
    matrix = truth["K"]
    lens = Lens(
        matrix[0][0], (matrix[0][2], matrix[1][2]), truth["dist"][0], (truth["width"], truth["height"])
    )
    yield "nothing", Owned()
    yield "game: letters", Owned(faces=lessons.faces)
    yield "game: letters, layers", Owned(faces=lessons.faces, layers=lessons.layers())
    yield "ruler, lens", Owned(lens=lens, layers=ruler)
    yield "game: letters, layers; lens", Owned(lens, lessons.faces, lessons.layers())


def errors(reading: BoardReading, truth: dict[str, Any]) -> Counter[str]:
    """Tiles in view of a reading, and how many of their letters and heights are wrong."""
    letters, heights, tally = reading.letters(), reading.heights(), Counter[str]()
    for cell in truth["cells"]:
        row, col = cell["row"], cell["col"]
        if cell["height"] and max(cell["hand"], cell["occluded"]) <= SEEN:
            tally["tiles"] += 1
            tally["letters"] += letters[row][col] != cell["top"]
            tally["heights"] += int(heights[row, col]) != cell["height"]
    return tally


def compare(folder: Path) -> dict[str, Counter[str]]:
    """The errors in the second half of a set's game, for each thing that may be known."""
    game = pictures(folder)
    half = len(game) // 2
    lessons = lessons_of(game[:half])
    found: dict[str, Counter[str]] = {}
    for path, truth in game[half:]:
        image, scale = load_image(path)
        each = {name: _tried(image, truth, scale, owned) for name, owned in variants(lessons, truth)}
        if all(tally is not None for tally in each.values()):
            for name, tally in each.items():
                found[name] = found.get(name, Counter()) + (tally or Counter())
    return found


def _tried(image: Image, truth: dict[str, Any], scale: float, owned: Owned) -> Counter[str] | None:
    """The errors of a reading, None where the board was not found in its place."""
    try:
        reading = BoardReader(second_opinion=False, owned=owned).read(image, truth["edition"])
    except BoardNotFound:
        return None
    corners: npt.NDArray[np.float64] = np.array(truth["grid_corners"]) * scale
    pitch = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()) / truth["edition"]
    off = float(np.linalg.norm(reading.corners - corners, axis=1).mean())
    return errors(reading, truth) if off < _HERE * pitch else None


def _edition(truth: dict[str, Any]) -> Any:
    return EDITIONS[f"{truth['edition']}x{truth['edition']}"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the errors that a profile removes.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", help="names of folders, separated by commas; all when not given")
    args = parser.parse_args()
    total: dict[str, Counter[str]] = {}
    for folder in sorted(path for path in args.data.iterdir() if (path / "00.json").is_file()):
        if args.sets and folder.name not in args.sets.split(","):
            continue
        for name, tally in compare(folder).items():
            total[name] = total.get(name, Counter()) + tally
            print(
                f"{folder.name:8} {name:28} {tally['letters']:4} letters, {tally['heights']:4} heights wrong of "
                f"{tally['tiles']}",
                flush=True,
            )
    for name, tally in total.items():
        print(
            f"{'ALL':8} {name:28} {tally['letters']:4} letters, {tally['heights']:4} heights wrong of {tally['tiles']}"
        )


if __name__ == "__main__":
    main()
