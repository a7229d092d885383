"""Take up training where the weights that ship ended: an exported network as weights to start from.

    python -m workshop.training.fitting.revive faces --data A.npz B.npz \
        --onnx vision/weights/faces.onnx --out faces.pt
    python -m workshop.training.fitting.revive stacks --data FOLDER --onnx vision/weights/stacks.onnx --out stacks.pt

Exported networks have their batch normalisation folded into the convolutions. It is measured anew on what
training will see, and set so that the network's outcome stays the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.letters.eyes import LATIN
from workshop.training.board_examples import Boards
from workshop.training.board_samples import TRAINED_ON
from workshop.training.fitting.loop import HALF, Batch
from workshop.training.fitting.tasks import TASKS
from workshop.training.fitting.train_boards import TASKS as BOARD_TASKS
from workshop.training.fitting.train_faces import batches as letter_batches
from workshop.training.fitting.train_sizes import batches as size_batches
from workshop.training.fitting.train_walls import batches as wall_batches

REVIVABLE = tuple(kind for kind, task in TASKS.items() if not task.told)
"""The networks that this serves: those that look, and are told nothing besides."""
_SAMPLE = 24
"""Batches on which the normalisation is measured. [by eye]"""
_BATCH = 8
_Batches = Callable[[list[Path], np.random.Generator], Iterator[Batch]]
_BATCHES: dict[str, _Batches] = {
    "faces": letter_batches,
    "close_faces": partial(letter_batches, closely=True),
    "latin_faces": partial(letter_batches, closely=True, faces=LATIN),
    "sizes": size_batches,
    "walls": wall_batches,
}
"""What the networks that look at single faces learn from."""


def revive(net: nn.Module, path: Path, sample: Tensor) -> nn.Module:
    """Return `net` with the weights exported to `path`, normalising as is usual on `sample`, a batch of its inputs."""
    graph = onnx.load(str(path)).graph
    values = {w.name.removesuffix(HALF): numpy_helper.to_array(w).astype(np.float32) for w in graph.initializer}
    stored = {name: torch.from_numpy(value) for name, value in values.items()}
    named = dict(net.named_parameters())
    folded = [node.input[1:3] for node in graph.node if node.op_type == "Conv" and node.input[1] not in named]
    layers = [m for m in net.modules() if isinstance(m, nn.Conv2d) and m.bias is None]
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    net.eval()
    with torch.no_grad():
        for name in named.keys() & stored.keys():
            named[name].copy_(stored[name])
        for layer, (weight, _) in zip(layers, folded, strict=True):
            layer.weight.copy_(stored[weight])
        hooks = [
            norm.register_forward_pre_hook(partial(_measure, stored[bias]))
            for norm, (_, bias) in zip(norms, folded, strict=True)
        ]
        net(sample)
    for hook in hooks:
        hook.remove()
    return net


def _measure(bias: Tensor, norm: Any, inputs: tuple[Tensor]) -> None:
    """Set a normalisation so that it adds `bias` (c,) to its first input (m, c, h, w) and changes nothing else."""
    spread, mean = torch.var_mean(inputs[0], (0, 2, 3))
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(spread)
    norm.weight.copy_((spread + norm.eps).sqrt())
    norm.bias.copy_(bias + mean)


def _inputs(kind: str, data: list[Path], seed: int) -> Tensor:
    """Return inputs of one shape, as training draws them."""
    drawn: Iterator[Batch]
    if kind in BOARD_TASKS:
        drawn = iter(Boards(data[0], kind, _BATCH, seed, TRAINED_ON))
    else:
        drawn = _BATCHES[kind](data, np.random.default_rng(seed))
    inputs = [batch[0] for batch in islice(drawn, _SAMPLE)]
    return torch.cat([each for each in inputs if each.shape == inputs[0].shape])


def main() -> None:
    parser = argparse.ArgumentParser(description="Weights to start from, of an exported network.")
    parser.add_argument("kind", choices=REVIVABLE)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--onnx", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.kind in BOARD_TASKS and len(args.data) > 1:
        parser.error(f"{args.kind} is trained on one folder of boards: give --data one folder")
    sample = _inputs(args.kind, args.data, args.seed)
    torch.save(revive(TASKS[args.kind].network(), args.onnx, sample).state_dict(), args.out)


if __name__ == "__main__":
    main()
