"""Train the size network on faces whose size is known (files written by `workshop.training.cuts.sizes`).

python -m workshop.training.fitting.train_sizes --data A.npz B.npz --steps 6000 --out sizes.pt --onnx sizes.onnx
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vision.heights.comparison import SIZE_ERRORS, SIZE_PX, SIZE_UNIT
from vision.networks import standardise
from workshop.training.cuts.processing import Processing
from workshop.training.fitting.loop import Batch, Task, train_on_files
from workshop.training.fitting.networks import MeasureNet

PICTURES, FACES = 10, 20
"""Pictures to a batch, and the most faces of each. [by eye]"""
_ANY_SIZE = 0.25
"""Precision, in the network's unit, with which the width of a set's tiles is known beforehand. [by eye]"""


def batches(files: list[Path], rng: np.random.Generator) -> Iterator[Batch]:
    """Yield endless batches of windows, their sizes, and the number in the batch of the picture each is from."""
    loaded = [np.load(file) for file in files]
    windows = np.concatenate([f["windows"] for f in loaded])
    sizes = np.concatenate([f["sizes"] for f in loaded])
    pictures: list[npt.NDArray[np.int64]] = []
    for f in loaded:
        before = sum(map(len, pictures))
        last = np.flatnonzero(np.diff(f["pictures"])) + 1
        pictures += [before + faces for faces in np.split(np.arange(len(f["pictures"])), last)]
    while True:
        drawn = [rng.permutation(pictures[k])[:FACES] for k in rng.integers(len(pictures), size=PICTURES)]
        chosen = np.concatenate(drawn)
        numbers = np.repeat(np.arange(PICTURES), [len(faces) for faces in drawn])
        yield (_change(windows[chosen], numbers, rng), torch.from_numpy(sizes[chosen]), torch.from_numpy(numbers))


def _change(windows: npt.NDArray[np.uint8], numbers: npt.NDArray[np.int64], rng: np.random.Generator) -> Tensor:
    """Turn, mirror, change light and colours, each picture's by one worse camera: none of it changes a size."""
    cameras = [Processing.draw(rng) for _ in range(PICTURES)]
    values = np.stack([
        np.rot90(cameras[number].apply(window, rng), int(rng.integers(4)))
        for window, number in zip(windows, numbers, strict=True)
    ])  # fmt: skip
    flipped = rng.random(len(values)) < 0.5
    values[flipped] = values[flipped][:, :, ::-1]
    mixed = rng.random(len(values)) < 0.4
    values[mixed] = values[mixed][..., rng.permutation(3)]
    return torch.from_numpy(standardise(np.clip(values, 0, 255).astype(np.uint8)))


def size_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Return the Gaussian profile likelihood of the sizes within each picture: how large a set's tiles are is not
    asked.

    The width of the tiles is put where it is most probable; so the errors come out a little small.
    """
    windows, sizes, numbers = batch
    out = net(windows).float()
    error = out[:, 1].clamp(*SIZE_ERRORS)
    off, sure = out[:, 0] - sizes / SIZE_UNIT, torch.exp(-2.0 * error)
    count = int(numbers.max()) + 1
    total = torch.zeros(count).index_add(0, numbers, sure * off)
    weight = torch.zeros(count).index_add(0, numbers, sure) + _ANY_SIZE
    left = off - (total / weight)[numbers]
    value = (0.5 * sure * left**2 + error).mean()
    return value, {"off": float(left.abs().median().detach()) * SIZE_UNIT}


TASK = Task(MeasureNet, size_loss, (1, 3, SIZE_PX, SIZE_PX), {0: "count"})


if __name__ == "__main__":
    train_on_files("Train the size network.", TASK, batches)
