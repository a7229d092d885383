"""Train the face network on drawn faces (files that the modules of `workshop.training.faces` write).

python -m workshop.training.fitting.train_faces --data A.npz B.npz --steps 6000 --out faces.pt --onnx faces.onnx

With `--closely` the network is trained that reads again what the other is not sure of: twice as wide, and told what
nearer stacks cover of a face (files of `workshop.training.cuts.covered_faces` say so). With `--latin` it is
the one that reads letters beyond A to Z, as wide and told the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from engine import FACES
from vision.images import Image
from vision.letters.classifier import FACE_PX, SMOOTHING, with_covered
from vision.letters.eyes import LATIN
from vision.networks import standardise
from workshop.training.faces.behind import Masks, some_behind
from workshop.training.faces.files import NO_LETTER
from workshop.training.faces.photographed import bleach, cover, glare, grainy, smear
from workshop.training.faces.processed import unfocus
from workshop.training.fitting.loop import Batch, Task, fit, options
from workshop.training.fitting.networks import FaceNet, close_net, latin_net

BATCH = 192
_HARDSHIPS = (
    (glare, 0.08), (cover, 0.1), (unfocus, 0.2), (smear, 0.14), (bleach, 0.1), (grainy, 0.12),
)  # fmt: skip
"""Changes made to windows anew each time, and the share of windows with each. [by eye]"""


def batches(
    files: list[Path],
    rng: np.random.Generator,
    closely: bool = False,
    faces: Sequence[str] = FACES,
    hardship: float = 1.0,
    size: int = BATCH,
) -> Iterator[Batch]:
    """Yield endless shuffled batches of a `size`, each window a little changed in light, colour and place.

    `closely`: with what is covered of each as a fourth plane, for the networks that look closely. Labels are indices of
    `faces`, with which LATIN begins, and then "no upright face". `hardship` is how many are made hard to read, against
    the usual shares. Raises ValueError if the files show other faces.
    """
    loaded = [np.load(file) for file in files]
    images = np.concatenate([f["images"] for f in loaded])
    labels = np.concatenate([f["labels"] for f in loaded])
    if np.any((labels >= len(faces)) & (labels != NO_LETTER)):
        raise ValueError("letters beyond A to Z: train the network that reads them, with --latin")
    labels = np.minimum(labels, len(faces))
    masks = np.concatenate([_masks(f) for f in loaded]) if closely else None
    while True:
        order = rng.permutation(len(images))
        for start in range(0, len(order) - size, size):
            chosen = order[start : start + size]
            windows = _change(images[chosen], rng, hardship)
            planes = _planes(windows, None if masks is None else masks[chosen], rng)
            yield torch.from_numpy(planes), torch.from_numpy(labels[chosen].astype(np.int64))


def _planes(windows: Image, covered: Masks | None, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return what the network sees: with what is covered, and more of it, where that is told."""
    return standardise(windows) if covered is None else with_covered(*some_behind(windows, covered, rng))


def _masks(file: Mapping[str, npt.NDArray[Any]]) -> Masks:
    """Return what is covered (m, FACE_PX, FACE_PX) of a file's windows: nothing where it does not say."""
    shape = (len(file["labels"]), FACE_PX, FACE_PX)
    return np.asarray(file["covered"]) if "covered" in file else np.zeros(shape, dtype=np.bool_)


def _change(windows: Image, rng: np.random.Generator, hardship: float) -> Image:
    count = len(windows)
    values = windows.astype(np.float32) * rng.uniform(0.7, 1.2, (count, 1, 1, 3))
    values += rng.normal(0, rng.uniform(0, 8), values.shape)
    mixed = rng.random(count) < 0.5
    values[mixed] = values[mixed][..., rng.permutation(3)]
    for k in np.flatnonzero(rng.random(count) < 0.3):
        values[k] = np.roll(values[k], rng.integers(-1, 2, 2), axis=(0, 1))
    for change, share in _HARDSHIPS:
        for k in np.flatnonzero(rng.random(count) < hardship * share):
            values[k] = change(values[k], rng)
    return np.clip(values, 0, 255).astype(np.uint8)


class Faces(IterableDataset[Batch]):  # type: ignore[misc, unused-ignore]
    """The same batches, as several workers prepare them at once."""

    def __init__(
        self, files: list[Path], seed: int, closely: bool, faces: Sequence[str], hardship: float, size: int
    ) -> None:
        self._files, self._seed, self._how = files, seed, (closely, faces, hardship, size)

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        seeds = [self._seed, worker.id] if worker else self._seed
        return batches(self._files, np.random.default_rng(seeds), *self._how)


def loss(net: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    windows, labels = batch
    logits = net(windows)
    right = float((logits.argmax(1) == labels).float().mean())
    return F.cross_entropy(logits, labels, label_smoothing=SMOOTHING), {"right": right}


TASK = Task(FaceNet, loss, (1, 3, FACE_PX, FACE_PX), {0: "count"})
CLOSE_TASK = Task(close_net, loss, (1, 4, FACE_PX, FACE_PX), {0: "count"})
LATIN_TASK = Task(latin_net, loss, (1, 4, FACE_PX, FACE_PX), {0: "count"}, half=True)


def main() -> None:
    parser = options("Train the face network.")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--closely", action="store_true", help="train the network that looks closely")
    kinds.add_argument("--latin", action="store_true", help="train the network that reads letters beyond A to Z")
    parser.add_argument("--hardship", type=float, default=1.0, help="windows made hard to read, against the usual")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--workers", type=int, default=0)
    parser.set_defaults(steps=6000, rate=3e-3)
    args = parser.parse_args()
    faces = LATIN if args.latin else FACES
    drawn = Faces(args.data, args.seed, args.closely or args.latin, faces, args.hardship, args.batch)
    task = LATIN_TASK if args.latin else CLOSE_TASK if args.closely else TASK
    fit(task, DataLoader(drawn, batch_size=None, num_workers=args.workers), args)


if __name__ == "__main__":
    main()
