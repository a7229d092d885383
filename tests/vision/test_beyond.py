"""Grids taken a square beside the board's own: the letters left outside tell, where the lattice allows for it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawn import BOARD, laid
from readings import along_columns, played, reading_of, veiled

import sample_images
from engine.board import Board
from engine.play import parse_play
from vision.beyond import shows_more, step_to_tiles
from vision.fitting import CameraFit
from vision.images import load_image
from vision.lattice import STEPS, Lattice, lattices_beside
from vision.lettering import FaceReader
from vision.pipeline import BoardReader
from vision.reading import BoardReading
from vision.stacks import StackReading
from vision.sweep import SLICES

LAYER = 0.25
VIEW = along_columns(0.75)
TRUE = Lattice(CameraFit(VIEW, 1.0), 0.02, 0.0, 0.0)
SAMPLE = Path(sample_images.__file__).parent / "blue_10x10" / "11.jpg"
"""Two tiles of it lie on the first column."""


def reader(tiles: dict[tuple[int, int], str]) -> FaceReader:
    """What is read of a plain board with tiles at (row, column), one beyond its sides among them."""
    picture, around = np.full((960, 1280, 3), BOARD, np.uint8), np.zeros((10, 10))
    for row, col in sorted(tiles):
        laid(picture, VIEW, (row, col), LAYER, tiles[row, col])
        around[row + 1, col + 1] = LAYER
    nothing, elevations = np.zeros((8, 8)), np.zeros((8, 8, SLICES))
    stacks = StackReading(elevations, nothing, nothing, np.zeros(57), np.zeros((8, 8, 6)), LAYER, around)
    return FaceReader(picture, 8, VIEW, stacks)


@pytest.mark.parametrize(
    ("tiles", "step"),
    [
        ({(3, -1): "T", (4, -1): "E", (5, 0): "N"}, (-1.0, 0.0)),
        ({(3, 8): "T", (6, 8): "E"}, (1.0, 0.0)),
        ({(-1, 2): "T", (-1, 3): "E", (4, 8): "N"}, (0.0, -1.0)),
        ({(8, 2): "T", (8, 3): "E", (-1, 3): "N"}, (0.0, 1.0)),
        ({(3, 0): "T", (4, 0): "E"}, None),  # on the grid
        ({(3, -1): "T", (4, 8): "E"}, None),  # one each beyond two sides
        ({(3, -1): "", (4, -1): ""}, None),  # a rim without letters
        ({(-1, -1): "T", (8, 8): "E"}, None),  # a corner belongs to no side
    ],
)
def test_letters_beyond_a_side_call_for_a_step(
    tiles: dict[tuple[int, int], str], step: tuple[float, float] | None
) -> None:
    assert step_to_tiles(reader(tiles)) == step


def test_a_lattice_is_a_rival_that_the_picture_bears_out_nearly_as_well() -> None:
    assert replace(TRUE, spread=0.025).is_rival_of(TRUE)
    assert not replace(TRUE, spread=0.035).is_rival_of(TRUE)
    assert not replace(TRUE, spread=0.01, astray=1.2).is_rival_of(TRUE)


def test_rivals_and_much_out_of_the_picture_leave_a_lattice_in_doubt() -> None:
    assert not TRUE.in_doubt
    assert not replace(TRUE, outside=0.1).in_doubt
    assert replace(TRUE, outside=0.3).in_doubt
    assert replace(TRUE, rivals=((1.0, 0.0),)).in_doubt


def test_letters_on_a_rim_do_not_hang_together_with_those_of_the_game() -> None:
    mood = played(Board.empty(8), "M@b4 O@c4 O@d4 D@e4")
    rim = mood.with_play(parse_play("W@c8 O@d8 R@e8 D@f8"))
    more = mood.with_play(parse_play("Y@f4 E@f5"))
    assert not shows_more(reading_of(rim), reading_of(mood))
    assert shows_more(reading_of(more), reading_of(mood))
    assert not shows_more(reading_of(mood), reading_of(mood))


def test_what_a_hand_hides_may_join_letters() -> None:
    mood = played(Board.empty(8), "M@b4 O@c4 O@d4 D@e4")
    more = mood.with_play(parse_play("R@e6 E@e7"))
    apart = reading_of(more)
    assert not shows_more(apart, reading_of(mood))
    assert shows_more(veiled(apart, (4, 4)), reading_of(mood))


def read_from(step: tuple[float, float], monkeypatch: pytest.MonkeyPatch) -> tuple[BoardReading, np.ndarray]:
    """The sample read from the lattice a `step` beside the true one, and the true corners."""
    image, true = load_image(SAMPLE)[0], json.loads(SAMPLE.with_suffix(".json").read_text())["grid_corners"]
    reader = BoardReader(second_opinion=False)
    upright = reader.read(image, 10).camera
    beside = lattices_beside(image, CameraFit(upright, 1.0), 10)[STEPS.index(step)]
    monkeypatch.setattr(reader, "find", lambda *_, **__: beside)
    return reader.read(image, 10), np.array(true)


def test_the_grid_moves_back_to_the_tiles_that_were_left_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, true = read_from((1.0, 0.0), monkeypatch)
    pitch = float(np.linalg.norm(true[1] - true[0])) / 10
    assert float(np.abs(reading.corners - true).max()) < 0.2 * pitch


def test_the_grid_stays_where_nothing_was_left_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, true = read_from((-1.0, 0.0), monkeypatch)
    pitch = float(np.linalg.norm(true[1] - true[0])) / 10
    assert float(np.abs(reading.corners - true).max()) > 0.5 * pitch
