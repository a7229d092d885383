"""Blend two trainings of one network: the mean of weights that one run reached from the other's.

    python -m workshop.training.fitting.blend stacks FIRST.pt SECOND.pt --share 0.6 \
        --out stacks.pt --onnx stacks.onnx

The method is the "model soup" of M. Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models
improves accuracy without increasing inference time", 2022.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from workshop.training.fitting.loop import export
from workshop.training.fitting.tasks import TASKS

Weights = Mapping[str, Tensor]


def blend(first: Weights, second: Weights, share: float) -> dict[str, Tensor]:
    """Return weights that lie `share` of the way from `first` to `second`; whole numbers are the second's."""
    return {
        name: first[name] * (1.0 - share) + value * share if value.is_floating_point() else value
        for name, value in second.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Blend two trainings of one network.")
    parser.add_argument("kind", choices=list(TASKS))
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the second, 0 to 1")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--onnx", type=Path, required=True)
    args = parser.parse_args()
    both = [torch.load(path, weights_only=True) for path in (args.first, args.second)]
    weights = blend(both[0], both[1], args.share)
    task = TASKS[args.kind]
    network = task.network()
    network.load_state_dict(weights)
    torch.save(weights, args.out)
    export(network, task, args.onnx)


if __name__ == "__main__":
    main()
