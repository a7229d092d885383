"""Weights for the face network that looks closely, from those of the other: twice as wide, and the same outcome.

    python -m calibration.training.fitting.widen faces.pt --seed 1 --out faces_close.pt

Every channel is there twice, and each half as strong in the next layer (T. Chen et al., "Net2Net: accelerating learning
via knowledge transfer", 2016); the plane that says what is covered counts for nothing yet. A little noise lets the two
part.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from calibration.training.fitting.networks import close_net

_NOISE = 0.05
"""Noise on the weights of convolutions, share of their deviation: as many letters of drawn faces are wrong with it."""


def widened(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights of a FaceNet in the network that looks closely, with the same outcome."""
    shapes = {name: value.shape for name, value in close_net().state_dict().items()}
    return {name: _fitted(value, shapes[name]) for name, value in weights.items()}


def _fitted(value: Tensor, shape: torch.Size) -> Tensor:
    """A layer's weights (outputs, inputs, ...) with as many outputs and inputs as `shape` has."""
    if value.dim() > 1 and shape[1] == 2 * value.shape[1]:  # inputs that are there twice count half
        value = torch.cat([value, value], 1) / 2.0
    elif value.dim() > 1 and shape[1] > value.shape[1]:
        value = torch.cat(
            [value, torch.zeros(value.shape[0], shape[1] - value.shape[1], *value.shape[2:])], 1
        )
    return value if value.shape == shape else torch.cat([value, value], 0)


def parted(net: nn.Module, seed: int) -> nn.Module:
    """`net`, its convolutions' weights a little changed, so that channels that are alike learn different things."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for layer in net.modules():
            if isinstance(layer, nn.Conv2d):
                noise = torch.randn(layer.weight.shape, generator=generator)
                layer.weight.add_(noise * layer.weight.std() * _NOISE)
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description="Double the width of a trained face network.")
    parser.add_argument("weights", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    net = close_net()
    net.load_state_dict(widened(torch.load(args.weights, weights_only=True)))
    torch.save(parted(net, args.seed).state_dict(), args.out)


if __name__ == "__main__":
    main()
