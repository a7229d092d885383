"""Train the locate, lattice or stacks network on rendered boards.

python -m workshop.training.fitting.train_boards stacks --data FOLDER --steps 4000 --out stacks.pt --onnx stacks.onnx
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from vision.board.detect import LOCATE_SIDE
from vision.board.sightings import LATTICE_CHANNELS, LATTICE_MARGIN, LATTICE_PX
from vision.heights.plane_sweep import CHANNELS, SLICES, SWEEP_MARGIN, SWEEP_PX
from workshop.training.board_examples import Boards
from workshop.training.board_samples import TRAINED_ON
from workshop.training.fitting.loop import Batch, Task, fit, options
from workshop.training.fitting.networks import LatticeNet, LocateNet, StackNet, wide_stack_net


def locate_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Return the focal loss on the corner map (Law and Deng, "CornerNet", 2018, eq. 1) and cross entropy on the
    mask."""
    planes, target = batch
    logits = net(planes)
    heat, mask = target[:, 0], target[:, 1]
    p = torch.sigmoid(logits[:, 0]).clamp(1e-5, 1 - 1e-5)
    peak = heat > 0.85  # at least the nearest cell of every corner, wherever in the cell it lies
    near = -((1 - p) ** 2 * torch.log(p))[peak].sum()
    far = -((1 - heat) ** 4 * p**2 * torch.log(1 - p))[~peak].sum()
    corner = (near + far) / max(int(peak.sum()), 1)
    area = F.binary_cross_entropy_with_logits(logits[:, 1], mask)
    both = ((logits[:, 1] > 0) & (mask > 0.5)).sum() / ((logits[:, 1] > 0) | (mask > 0.5)).sum().clamp(min=1)
    return corner + 2.0 * area, {"corner": float(corner.detach()), "iou": float(both)}


def lattice_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Return the von Mises likelihood of the phases and cross entropy of lying inside the grid."""
    planes, target = batch
    out = net(planes)
    weight, inside = target[:, 2], target[:, 3]
    value = F.binary_cross_entropy_with_logits(out[:, 4], inside)
    figures = {"border": float(((out[:, 4] > 0) != (inside > 0.5)).float().mean())}
    for axis in (0, 1):
        a, b = out[:, 2 * axis], out[:, 2 * axis + 1]
        angle = 2 * torch.pi * target[:, axis]
        length = torch.sqrt(a * a + b * b + 1e-6)
        likelihood = a * torch.cos(angle) + b * torch.sin(angle) - length - torch.log(torch.special.i0e(length))
        value = value - (likelihood * weight).sum() / weight.sum()
        turn = torch.atan2(b, a) / (2 * torch.pi) - target[:, axis]
        off = (turn - turn.round()).abs().detach()[inside > 0.5]
        figures["off" + "xy"[axis]] = float(off.median())
    return value, figures


def stack_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of the elevation, the truth shared between the two slices beside it, and of being hidden."""
    planes, target = batch
    out = net(planes)
    elevation, inside = target[:, 0].clamp(0, SLICES - 1), target[:, 3] > 0.5
    tiles, weight = elevation > 0, target[:, 2] * inside
    slices = torch.arange(SLICES, device=out.device)[None, :, None, None]
    shares = (1.0 - (elevation[:, None] - slices).abs()).clamp(min=0)
    entropy = -(shares * torch.log_softmax(out[:, :SLICES], 1)).sum(1)
    # tall stacks are rare, and matter as much
    balance = weight * torch.where(tiles, 1.0 + 0.2 * elevation, 0.5)
    value = (entropy * balance).sum() / balance.sum().clamp(min=1)
    hidden = F.binary_cross_entropy_with_logits(out[:, SLICES], target[:, 1], reduction="none")[inside].mean()
    guess = out[:, :SLICES].argmax(1)
    counted = tiles & (weight > 0.5)
    near = ((guess - elevation).abs() < 1.0)[counted]
    figures = {
        "near": float(near.float().mean()) if bool(counted.any()) else 1.0,
        "false": float((guess > 0)[inside & ~tiles & (weight > 0)].float().mean().nan_to_num()),
        "hidden": float(hidden.detach()),
    }
    return value + hidden, figures


_OF_ANY_SIZE = {2: "h", 3: "w"}
_SWEEP = (1, CHANNELS, *((10 + 2 * SWEEP_MARGIN) * SWEEP_PX,) * 2)
_LOCATE = Task(LocateNet, locate_loss, (1, 3, LOCATE_SIDE, LOCATE_SIDE), {})
TASKS = {
    "locate": _LOCATE,
    "locate_again": _LOCATE,
    "lattice": Task(
        LatticeNet, lattice_loss, (1, LATTICE_CHANNELS, *((10 + 2 * LATTICE_MARGIN) * LATTICE_PX,) * 2), _OF_ANY_SIZE
    ),
    "stacks": Task(StackNet, stack_loss, _SWEEP, _OF_ANY_SIZE),
    "wide_stacks": Task(wide_stack_net, stack_loss, _SWEEP, _OF_ANY_SIZE),
}


def main() -> None:
    parser = options("Train a network on rendered boards.")
    parser.add_argument("kind", choices=list(TASKS))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    boards = Boards(args.data, args.kind, args.batch, args.seed, TRAINED_ON)
    loader = DataLoader(boards, batch_size=None, num_workers=args.workers, prefetch_factor=4)
    fit(TASKS[args.kind], loader, args)


if __name__ == "__main__":
    main()
