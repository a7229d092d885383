"""Faces whose size is known, for the size network."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from presencekit import there

pytest.importorskip("torch", reason="PyTorch is not installed (the `train` extra)")

import torch
from torch import nn

from vision import Camera
from vision.heights.comparison import SIZE_PX, SIZE_SPAN, SIZE_UNIT
from workshop.training.board_samples import BoardSample
from workshop.training.cuts import measured
from workshop.training.cuts.measured import MeasuredWindows, write_windows
from workshop.training.cuts.sizes import cut_sized_faces
from workshop.training.fitting.train_sizes import FACES, PICTURES, batches, size_loss

pytestmark = pytest.mark.slow

ABOVE = Camera(1200.0, (799.5, 799.5), 0.0, np.eye(3), np.array([-4.0, -4.0, 10.0]))
TILES = {(0, 0): 1, (2, 3): 4, (5, 5): 2, (7, 1): 1}
WIDTH = 0.8


def board(camera: Camera = ABOVE) -> tuple[BoardSample, np.ndarray]:
    """Return a board with bright tiles on a dark ground and the corners (8, 8, 4, 2) of their faces."""
    heights = np.zeros((8, 8), np.int64)
    picture = np.full((1600, 1600, 3), 40, np.uint8)
    quads = np.zeros((8, 8, 4, 2))
    for (row, col), height in TILES.items():
        heights[row, col] = height
        at = [(col + 0.5 + x * WIDTH / 2, row + 0.5 + y * WIDTH / 2, 0.25 * height)
              for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]  # fmt: skip
        quads[row, col] = camera.project(at)
        corners = np.round(quads[row, col] * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, corners, (220, 220, 220), cv2.LINE_AA, 4)
    shown = np.ones((8, 8))
    return BoardSample(picture, 8, camera, 0.25, 0.0, heights, shown, np.zeros((8, 8))), quads


def test_a_face_is_as_large_in_its_window_as_it_is_said_to_be() -> None:
    for seed in range(5):
        found = there(cut_sized_faces(*board(), np.random.default_rng(seed)))
        bright = (found.windows[..., 0].astype(float) - 40.0) / 180.0
        seen = np.sqrt(bright.mean(axis=(1, 2))) * SIZE_SPAN
        # drawn tiles are some hundredths larger than asked for
        assert np.ptp(np.log(seen) - found.figures) < 0.02
        assert np.log(seen) == pytest.approx(found.figures, abs=0.04)


def test_the_sizes_of_one_picture_differ_widely() -> None:
    found = [cut_sized_faces(*board(), np.random.default_rng(seed)) for seed in range(20)]
    sizes = [each.figures for each in found if each is not None]
    assert len(sizes) == 20
    assert np.mean([each.std() for each in sizes]) > 0.04


def test_pictures_from_the_side_or_with_few_faces_are_left_out() -> None:
    rng = np.random.default_rng(1)
    c, s = np.cos(0.8), np.sin(0.8)
    lean = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    aside = Camera(1200.0, (799.5, 799.5), 0.0, lean, np.array([0, 0, 10]) - lean @ (4.0, 4.0, 0.0))
    assert cut_sized_faces(*board(aside), rng) is None
    assert cut_sized_faces(*board(), rng, fewest=5) is None


def test_what_is_cut_from_folders_is_written_with_the_number_of_its_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = [(board()[0], np.full((8, 8, 4, 2), count)) for count in (2, 0, 3)]
    monkeypatch.setattr(measured, "boards_with_faces", lambda folders: iter(pictures))
    monkeypatch.setattr("sys.argv", ["cut", "--data", "a", "b", "--out", str(tmp_path / "cut.npz")])

    def cut(sample: BoardSample, corners: np.ndarray, rng: np.random.Generator) -> MeasuredWindows | None:
        count = int(corners.flat[0])
        return MeasuredWindows(np.zeros((count, 4, 4, 3), np.uint8), np.full(count, 0.5)) if count else None

    write_windows("Cut.", "sizes", cut)
    written = np.load(tmp_path / "cut.npz")
    assert written["windows"].shape == (5, 4, 4, 3)
    assert written["sizes"].dtype == np.float32
    assert written["pictures"].tolist() == [0, 0, 1, 1, 1]
    assert capsys.readouterr().out == "5 windows of 2 pictures\n"


def test_a_batch_tells_which_faces_are_of_one_picture(tmp_path: Path) -> None:
    files = []
    for number, pictures in enumerate(([0, 0, 1, 1, 1], [0, 0, 0])):
        count = len(pictures)
        files.append(tmp_path / f"{number}.npz")
        saved = (10 * number + np.array(pictures)).astype(np.float32)
        np.savez(files[-1], windows=np.zeros((count, SIZE_PX, SIZE_PX, 3), np.uint8), sizes=saved, pictures=pictures)
    windows, sizes, numbers = next(batches(files, np.random.default_rng(2)))
    assert len(windows) == len(sizes) == len(numbers) <= PICTURES * FACES
    assert {len(set(sizes[numbers == k].tolist())) for k in range(PICTURES)} == {1}
    assert set(sizes.tolist()) == {0.0, 1.0, 10.0}


def test_the_loss_asks_for_differences_not_for_the_width_of_a_set() -> None:
    sizes = torch.tensor([-0.2, -0.15, -0.12, -0.3, -0.22])
    numbers = torch.tensor([0, 0, 0, 1, 1])

    def loss(guess: torch.Tensor) -> float:
        out = torch.stack([guess / SIZE_UNIT, torch.full_like(guess, -2.0)], dim=1)
        return float(size_loss(cast(nn.Module, lambda windows: out), (sizes, sizes, numbers))[0])

    right = loss(sizes)
    other_sets = loss(sizes + torch.tensor([0.05, 0.05, 0.05, -0.08, -0.08]))
    wrong = loss(sizes.flip(0))
    assert right == pytest.approx(-2.0, abs=0.01)
    assert other_sets == pytest.approx(right, abs=0.5)
    assert wrong > right + 5.0
