"""Train the face network on drawn faces (files that the modules of `workshop.training.faces` write).

python -m workshop.training.fitting.train_faces --data A.npz B.npz --steps 6000 --out faces.pt --onnx faces.onnx

With `--closely` the network is trained that reads again what the other is not sure of: twice as wide, and told what
nearer stacks cover of a face (files of `workshop.training.cuts.covered_faces` say so).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision.images import Image
from vision.letters.classifier import FACE_PX, SMOOTHING, with_covered
from vision.networks import standardise
from workshop.training.faces.behind import Masks, some_behind
from workshop.training.faces.photographed import bleach, cover, glare, grainy, smear
from workshop.training.faces.processed import unfocus
from workshop.training.fitting.loop import Batch, Task, fit, options
from workshop.training.fitting.networks import FaceNet, close_net

BATCH = 192
_HARDSHIPS = (
    (glare, 0.08), (cover, 0.1), (unfocus, 0.2), (smear, 0.14), (bleach, 0.1), (grainy, 0.12),
)  # fmt: skip
"""Changes made to windows anew each time, and the share of windows with each. [by eye]"""


def batches(files: list[Path], rng: np.random.Generator, closely: bool = False) -> Iterator[Batch]:
    """Yield endless shuffled batches, each window a little changed in light, colour and place.

    `closely`: with what is covered of each as a fourth plane, for the network that looks closely.
    """
    loaded = [np.load(file) for file in files]
    images = np.concatenate([f["images"] for f in loaded])
    labels = np.concatenate([f["labels"] for f in loaded])
    masks = np.concatenate([_masks(f) for f in loaded]) if closely else None
    while True:
        order = rng.permutation(len(images))
        for start in range(0, len(order) - BATCH, BATCH):
            chosen = order[start : start + BATCH]
            windows = _change(images[chosen], rng)
            planes = _planes(windows, None if masks is None else masks[chosen], rng)
            yield torch.from_numpy(planes), torch.from_numpy(labels[chosen].astype(np.int64))


def _planes(windows: Image, covered: Masks | None, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return what the network sees: with what is covered, and more of it, where that is told."""
    return standardise(windows) if covered is None else with_covered(*some_behind(windows, covered, rng))


def _masks(file: Mapping[str, npt.NDArray[Any]]) -> Masks:
    """Return what is covered (m, FACE_PX, FACE_PX) of a file's windows: nothing where it does not say."""
    shape = (len(file["labels"]), FACE_PX, FACE_PX)
    return np.asarray(file["covered"]) if "covered" in file else np.zeros(shape, dtype=np.bool_)


def _change(windows: Image, rng: np.random.Generator) -> Image:
    count = len(windows)
    values = windows.astype(np.float32) * rng.uniform(0.7, 1.2, (count, 1, 1, 3))
    values += rng.normal(0, rng.uniform(0, 8), values.shape)
    mixed = rng.random(count) < 0.5
    values[mixed] = values[mixed][..., rng.permutation(3)]
    for k in np.flatnonzero(rng.random(count) < 0.3):
        values[k] = np.roll(values[k], rng.integers(-1, 2, 2), axis=(0, 1))
    for hardship, share in _HARDSHIPS:
        for k in np.flatnonzero(rng.random(count) < share):
            values[k] = hardship(values[k], rng)
    return np.clip(values, 0, 255).astype(np.uint8)


class Faces(IterableDataset[Batch]):  # type: ignore[misc, unused-ignore]
    """The same batches, as several workers prepare them at once."""

    def __init__(self, files: list[Path], seed: int, closely: bool) -> None:
        self._files, self._seed, self._closely = files, seed, closely

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        seeds = [self._seed, worker.id] if worker else self._seed
        return batches(self._files, np.random.default_rng(seeds), self._closely)


def loss(net: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    windows, labels = batch
    logits = net(windows)
    right = float((logits.argmax(1) == labels).float().mean())
    return F.cross_entropy(logits, labels, label_smoothing=SMOOTHING), {"right": right}


TASK = Task(FaceNet, loss, (1, 3, FACE_PX, FACE_PX), {0: "count"})
CLOSE_TASK = Task(close_net, loss, (1, 4, FACE_PX, FACE_PX), {0: "count"})


def main() -> None:
    parser = options("Train the face network.")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--closely", action="store_true", help="train the network that looks closely")
    parser.add_argument("--workers", type=int, default=0)
    parser.set_defaults(steps=6000, rate=3e-3)
    args = parser.parse_args()
    drawn = DataLoader(Faces(args.data, args.seed, args.closely), batch_size=None, num_workers=args.workers)
    fit(CLOSE_TASK if args.closely else TASK, drawn, args)


if __name__ == "__main__":
    main()
