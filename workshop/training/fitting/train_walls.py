"""Train the wall network on walls whose width is known (files written by `workshop.training.cuts.walls`).

python -m workshop.training.fitting.train_walls --data A.npz B.npz --steps 8000 --out walls.pt --onnx walls.onnx
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.heights.walls import TAILS, WALL_ERRORS, WALL_PX, WALL_UNIT
from vision.networks import standardise
from workshop.training.cuts.processing import Processing
from workshop.training.fitting.loop import Batch, Task, train_on_files
from workshop.training.fitting.networks import MeasureNet

WALLS = 192
"""Windows to a batch. [by eye]"""


def batches(files: list[Path], rng: np.random.Generator) -> Iterator[Batch]:
    """Yield endless batches of windows and how wide their walls show, squares."""
    loaded = [np.load(file) for file in files]
    windows = np.concatenate([f["windows"] for f in loaded])
    widths = np.concatenate([f["widths"] for f in loaded])
    while True:
        chosen = rng.integers(len(windows), size=WALLS)
        yield _change(windows[chosen], rng), torch.from_numpy(widths[chosen])


def _change(windows: npt.NDArray[np.uint8], rng: np.random.Generator) -> Tensor:
    """Mirror, change light and colours, by worse cameras: none of it changes a width."""
    values = np.stack([Processing.draw(rng).apply(window, rng) for window in windows])
    flipped = rng.random(len(values)) < 0.5
    values[flipped] = values[flipped][:, :, ::-1]
    mixed = rng.random(len(values)) < 0.4
    values[mixed] = values[mixed][..., rng.permutation(3)]
    return torch.from_numpy(standardise(np.clip(values, 0, 255).astype(np.uint8)))


def wall_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Return the negative log likelihood by Student's distribution: some walls cannot be told from what lies beside
    them."""
    windows, widths = batch
    out = net(windows).float()
    error = out[:, 1].clamp(*WALL_ERRORS)
    off = out[:, 0] - widths / WALL_UNIT
    value = (error + 0.5 * (TAILS + 1.0) * torch.log1p((off * torch.exp(-error)) ** 2 / TAILS)).mean()
    return value, {"off": float(off.abs().median().detach()) * WALL_UNIT}


TASK = Task(MeasureNet, wall_loss, (1, 3, WALL_PX, WALL_PX), {0: "count"})


if __name__ == "__main__":
    train_on_files("Train the wall network.", TASK, batches)
