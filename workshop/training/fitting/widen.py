"""Weights for a wider network, from those of a trained one: more channels, and the same outcome.

    python -m workshop.training.fitting.widen close_faces faces.pt --seed 1 --out close_faces.pt
    python -m workshop.training.fitting.widen wide_stacks stacks.pt --seed 1 --out wide_stacks.pt

Every channel is there twice, and each half as strong in the next layer; layers that are new add nothing yet, and the
plane that says what is covered of a face counts for nothing (T. Chen et al., "Net2Net: accelerating learning via
knowledge transfer", 2016). A little noise lets the two channels part.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from workshop.training.fitting.tasks import TASKS

_NOISE = 0.05
"""Noise on the weights of convolutions, share of their deviation: as many letters of drawn faces are wrong with it, and
the loss of stacks stays as it is. [by hand]"""
_JOINED = {"whole.weight": 2, "hidden.0.0.weight": 2}
"""Layers whose inputs are several kinds of all channels, one kind after another."""
_NO_INPUTS = "place"
"""What has channels along its second axis, but takes none in."""
_ADDS = "among.1.weight"
"""The scale of what a block adds: 0 in one that is new."""


def widen(weights: Mapping[str, Tensor], net: nn.Module) -> dict[str, Tensor]:
    """Return `weights` of a narrower network in the shapes of `net`, with the same outcome."""
    wide = {}
    for name, value in net.state_dict().items():
        if name in weights:
            wide[name] = _fit(name, weights[name], value.shape)
        else:
            wide[name] = torch.zeros_like(value) if name.endswith(_ADDS) else value
    return wide


def _fit(name: str, value: Tensor, shape: torch.Size) -> Tensor:
    """Return a layer's weights (outputs, inputs, ...) with as many outputs and inputs as `shape` has."""
    if name == _NO_INPUTS:
        return value if value.shape == shape else torch.cat([value, value], 1)
    if value.dim() > 1 and shape[1] == 2 * value.shape[1]:  # inputs that occur twice count half
        kinds = value.chunk(_JOINED.get(name, 1), 1)
        value = torch.cat([half for kind in kinds for half in (kind, kind)], 1) / 2.0
    elif value.dim() > 1 and shape[1] > value.shape[1]:
        value = torch.cat([value, torch.zeros(value.shape[0], shape[1] - value.shape[1], *value.shape[2:])], 1)
    return value if value.shape == shape else torch.cat([value, value], 0)


def make_differ(net: nn.Module, seed: int) -> nn.Module:
    """Return `net`, its convolutions' weights a little changed, so that channels that are alike learn different
    things."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for layer in net.modules():
            if isinstance(layer, nn.Conv2d):
                noise = torch.randn(layer.weight.shape, generator=generator)
                layer.weight.add_(noise * layer.weight.std() * _NOISE)
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description="Widen a trained network.")
    parser.add_argument("kind", choices=("close_faces", "wide_stacks"), help="what it is widened to")
    parser.add_argument("weights", type=Path, help="of faces, or of stacks")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    net = TASKS[args.kind].network()
    net.load_state_dict(widen(torch.load(args.weights, weights_only=True), net))
    torch.save(make_differ(net, args.seed).state_dict(), args.out)


if __name__ == "__main__":
    main()
