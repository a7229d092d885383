"""Walls whose width is known, for the wall network."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (the `train` extra)")

import torch
from torch import nn

from vision import Camera
from vision.heights.walls import WALL_PX, WALL_UNIT, find_walls
from workshop.training.board_samples import BoardSample
from workshop.training.cuts.measured import MeasuredWindows
from workshop.training.cuts.walls import cut_seen_walls
from workshop.training.fitting.train_walls import WALLS, batches, wall_loss

pytestmark = pytest.mark.slow

ABOVE = Camera(1200.0, (799.5, 799.5), 0.0, np.eye(3), np.array([-4.0, -4.0, 10.0]))
TILES = {(0, 0): 1, (2, 3): 4, (5, 5): 2, (7, 1): 1}
WIDTH, LAYER = 0.9, 0.25


def walls(camera: Camera, seed: int) -> MeasuredWindows | None:
    """Return the walls of a board with a few stacks of tiles."""
    heights, corners = np.zeros((8, 8), np.int64), np.zeros((8, 8, 4, 2))
    for (row, col), height in TILES.items():
        heights[row, col] = height
        face = [(col + 0.5 + x * WIDTH / 2, row + 0.5 + y * WIDTH / 2, LAYER * height)
                for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]  # fmt: skip
        corners[row, col] = camera.project(face)
    picture = np.full((1600, 1600, 3), 40, np.uint8)
    sample = BoardSample(picture, 8, camera, LAYER, 0.0, heights, np.ones((8, 8)), np.zeros((8, 8)))
    return cut_seen_walls(sample, corners, np.random.default_rng(seed))


def test_windows_lie_beside_their_faces_and_have_the_width_that_shows_there() -> None:
    found = [walls(ABOVE, seed) for seed in range(5)]
    widths = np.array([each.figures for each in found if each is not None])
    assert widths.shape[0] == 5
    expected = [
        wall.width(LAYER * height)
        for square, height in sorted(TILES.items())
        for wall in find_walls(ABOVE.position, square, LAYER * height, WIDTH / 2) * 3
    ]
    assert widths.mean(axis=0) == pytest.approx(expected, rel=0.1)
    assert widths.std(axis=0).min() > 0.001
    assert found[0] is not None
    assert found[0].windows.shape == (widths.shape[1], WALL_PX, WALL_PX, 3)


def test_views_from_the_side_are_left_out() -> None:
    c, s = np.cos(0.8), np.sin(0.8)
    lean = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    aside = Camera(1200.0, (799.5, 799.5), 0.0, lean, np.array([0, 0, 10]) - lean @ (4.0, 4.0, 0.0))
    assert walls(aside, 1) is None
    assert walls(ABOVE, 1) is not None


def test_a_batch_has_windows_of_all_files(tmp_path: Path) -> None:
    files = []
    for number in range(2):
        files.append(tmp_path / f"{number}.npz")
        np.savez(files[-1], windows=np.zeros((5, WALL_PX, WALL_PX, 3), np.uint8),
            widths=np.full(5, number, np.float32))  # fmt: skip
    windows, widths = next(batches(files, np.random.default_rng(2)))
    assert windows.shape == (WALLS, 3, WALL_PX, WALL_PX)
    assert set(widths.tolist()) == {0.0, 1.0}


def test_the_loss_is_least_for_the_right_width_and_bounded_for_hopeless_ones() -> None:
    widths = torch.tensor([0.02, 0.1, 0.3])

    def loss(guess: torch.Tensor, error: float) -> float:
        out = torch.stack([guess / WALL_UNIT, torch.full_like(guess, error)], dim=1)
        return float(wall_loss(cast(nn.Module, lambda windows: out), (widths, widths))[0])

    assert loss(widths, -1.0) == pytest.approx(-1.0)
    assert loss(widths + 0.02, -1.0) > loss(widths, -1.0) + 0.5
    assert loss(widths + 2.0, -1.0) < 30.0
