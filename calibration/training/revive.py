"""Take up training where the weights that ship ended: an exported network as weights to start from.

    python -m calibration.training.revive --data A.npz B.npz --onnx vision/weights/faces.onnx --out faces.pt

Exported networks have their batch normalisation folded into the convolutions. It is measured anew on the windows that
training will see, and set so that the network's outcome stays the same.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from calibration.training.networks import FaceNet
from calibration.training.train_faces import batches

_SAMPLE = 24
"""Batches on which the normalisation is measured."""


def revived(path: Path, sample: Tensor) -> nn.Module:
    """The face network exported to `path`, normalising as is usual on `sample` (m, 3, FACE_PX, FACE_PX)."""
    graph = onnx.load(str(path)).graph
    stored = {w.name: torch.from_numpy(numpy_helper.to_array(w).copy()) for w in graph.initializer}
    folded = [node.input[1:3] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    net = FaceNet().eval()
    layers = [m for m in net.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    with torch.no_grad():
        for layer, (weight, _) in zip(layers, folded, strict=True):
            layer.weight.copy_(stored[weight])
        dict(net.named_parameters())["head.2.bias"].copy_(stored[folded[-1][1]])
        hooks = [
            norm.register_forward_pre_hook(partial(_measure, stored[bias]))
            for norm, (_, bias) in zip(norms, folded[:-1], strict=True)
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Weights to start from, of an exported face network.")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--onnx", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    drawn = batches(args.data, np.random.default_rng(args.seed))
    sample = torch.cat([next(drawn)[0] for _ in range(_SAMPLE)])
    torch.save(revived(args.onnx, sample).state_dict(), args.out)


if __name__ == "__main__":
    main()
