"""Grids taken a square beside the board's own: the letters left outside tell, where the lattice allows for it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawn import BOARD, laid
from readings import along_columns

import sample_images
from vision.beyond import step_to_tiles, still_rivalled
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


def test_a_rival_has_room_for_all_tiles() -> None:
    tiles = np.zeros((8, 8), dtype=bool)
    for step in STEPS:
        assert still_rivalled(replace(TRUE, rivals=(step,)), tiles)
    tiles[3, 0] = True
    assert not still_rivalled(replace(TRUE, rivals=((1.0, 0.0),)), tiles)
    assert still_rivalled(replace(TRUE, rivals=((1.0, 0.0), (-1.0, 0.0))), tiles)
    assert not still_rivalled(TRUE, tiles)


def test_a_lattice_is_a_rival_that_the_picture_bears_out_nearly_as_well() -> None:
    assert replace(TRUE, spread=0.025).is_rival_of(TRUE)
    assert not replace(TRUE, spread=0.035).is_rival_of(TRUE)
    assert not replace(TRUE, spread=0.01, astray=1.2).is_rival_of(TRUE)


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
