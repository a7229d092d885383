"""Train the network that compares the stacks of boards seen from above.

python -m workshop.training.fitting.train_comparison --data FOLDER --out comparison.pt --onnx comparison.onnx
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from engine import MAX_HEIGHT
from vision.heights.comparison import COMPARED_PX, FACTS, LAYER_SPREAD
from vision.heights.thickness import COMPARED_THICKNESSES
from workshop.training.board_samples import TRAINED_ON
from workshop.training.comparison_examples import ComparedBoards
from workshop.training.fitting.comparison_network import ComparisonNet
from workshop.training.fitting.loop import Batch, Task, fit, options

_OF_ELEVATIONS, _OF_LAYERS = 0.2, 0.1
"""Weights of elevations and thicknesses beside heights: they are easier to learn first. [by eye]"""
_QUARTERS = 4.0
"""Elevations are told in quarters of a cell."""
_TAILS = 4.0
"""Degrees of freedom of Student's distribution of the errors of elevations. [by eye]"""


def comparison_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of the heights, and likelihoods of the faces' elevations and of the thickness of a layer."""
    windows, facts, truth, counts = batch
    out = net.of_pictures(windows, facts, counts)  # type: ignore[operator, unused-ignore]
    height, elevation, layer, weight = truth[:, 0].long(), truth[:, 1] * _QUARTERS, truth[:, 2], truth[:, 3]
    logits, figures = out[:, :MAX_HEIGHT], out[:, MAX_HEIGHT:]

    def mean(each: Tensor) -> Tensor:
        return (each * weight).sum() / weight.sum()

    entropy = mean(F.cross_entropy(logits, height, reduction="none"))
    error = figures[:, 1].clamp(-4.0, 3.0)
    off = (figures[:, 0] - elevation) * torch.exp(-error)
    lies = mean(0.5 * (_TAILS + 1.0) * torch.log1p(off**2 / _TAILS) + error)
    doubt = figures[:, 3].clamp(-3.0, 2.0)
    thick = (0.5 * ((figures[:, 2] - layer) * torch.exp(-doubt)) ** 2 + doubt).mean()
    value = entropy + _OF_ELEVATIONS * lies + _OF_LAYERS * thick
    return value, {
        "entropy": float(entropy.detach()),
        "right": float(mean((logits.argmax(1) == height).float())),
        "off": float((figures[:, 0] - elevation).abs().median().detach()) / _QUARTERS,
        "layer": float((figures[:, 2] - layer).abs().median().detach()) * LAYER_SPREAD,
    }


TASK = Task(
    ComparisonNet, comparison_loss, (5, 5, COMPARED_PX, COMPARED_PX), {0: "count"},
    told=(len(COMPARED_THICKNESSES), 5, FACTS),
)  # fmt: skip


def main() -> None:
    parser = options("Train the network that compares stacks.")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    boards = ComparedBoards(args.data, args.batch, args.seed, TRAINED_ON)
    loader = DataLoader(boards, batch_size=None, num_workers=args.workers, prefetch_factor=4)
    fit(TASK, loader, args)


if __name__ == "__main__":
    main()
