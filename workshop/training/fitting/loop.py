"""One training loop for all networks, and its options: AdamW, one cycle of the learning rate, averaged weights."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

Batch = tuple[Tensor, ...]
Loss = Callable[[nn.Module, Batch], tuple[Tensor, dict[str, float]]]

HALF = "_16"
"""What the names of weights end with that are stored in 16 bits."""
_REPORTED = 100
"""Steps of which the mean figures are printed."""
_WARMING = 0.12
"""Share of the way on which the learning rate rises. [by eye]"""
_COLD = 1 / 25
"""The rate at the start, as a share of its peak. [by eye]"""


@dataclass(frozen=True)
class Task:
    """A network, its loss, the shape of its input, and the axes of it that are free.

    `told` is the shape of what it is told of each row of the input besides, (k, rows, facts); its axis 1 is as free as
    the input's first. The weights of `half` are stored in 16 bits, which halves the file; it calculates in 32.
    """

    network: Callable[[], nn.Module]
    loss: Loss
    shape: tuple[int, ...]
    free: dict[int, str]
    told: tuple[int, ...] | None = None
    half: bool = False

    @property
    def examples(self) -> tuple[Tensor, ...]:
        """What it is exported with."""
        return tuple(torch.zeros(shape) for shape in (self.shape, self.told) if shape)


@dataclass(frozen=True)
class Course:
    """How long a training takes, and how.

    Attributes:
        steps: batches, where no time is given.
        minutes: how long it takes instead, however many batches that are: for a machine that is lent by the hour.
        rate: the learning rate at its peak.
        device: "cpu", or "cuda" for a graphics card.
        bfloat16: multiplies in 16 bits: two to three times faster where the processor has units for it.
    """

    steps: int
    rate: float
    minutes: float | None = None
    device: str = "cpu"
    bfloat16: bool = False

    def measure_progress(self, step: int, seconds: float) -> float:
        """Return the share of the training that is done after this many steps and seconds; 1 and more at the end."""
        return step / self.steps if self.minutes is None else seconds / (60.0 * self.minutes)

    def rate_at(self, passed: float) -> float:
        """Return the learning rate at that share of the way: one cycle, rising and falling like a cosine.

        After L. Smith and N. Topin, "Super-convergence", 2019.
        """
        if passed < _WARMING:
            return self.rate * (_COLD + (1 - _COLD) * _ease(passed / _WARMING))
        return self.rate * (1 - _ease((passed - _WARMING) / (1 - _WARMING)))


def _ease(share: float) -> float:
    """Ease from 0 to 1 as `share` goes from 0 to 1, slowly at both ends."""
    return (1 - math.cos(math.pi * share)) / 2


def train(
    net: nn.Module, batches: Iterable[Batch], loss: Loss, course: Course, *, save: Path, start: Path | None = None
) -> nn.Module:
    """Train on `batches`; the exponentially averaged weights are saved to `save` (and every 500 steps)."""
    if start:
        net.load_state_dict(torch.load(start, weights_only=True))
    net = net.to(course.device, memory_format=torch.channels_last)  # type: ignore[call-overload, unused-ignore]
    net.train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=0.02)
    decay: Any = torch.optim.swa_utils.get_ema_multi_avg_fn  # carries no annotations
    averaged = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=decay(0.995), use_buffers=True)
    sums: dict[str, float] = {}
    began = time.monotonic()
    for step, batch in enumerate(batches):
        passed = course.measure_progress(step, time.monotonic() - began)
        if passed >= 1.0:
            break
        for group in optimiser.param_groups:
            group["lr"] = course.rate_at(passed)
        with torch.autocast(course.device, torch.bfloat16, enabled=course.bfloat16):
            value, figures = loss(net, tuple(part.to(course.device, non_blocking=True) for part in batch))
        optimiser.zero_grad(set_to_none=True)
        torch.autograd.backward(value)
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        averaged.update_parameters(net)
        for name, figure in ({"loss": float(value.detach())} | figures).items():
            sums[name] = sums.get(name, 0.0) + figure
        if (step + 1) % _REPORTED == 0:
            _report(f"step {step + 1}, {passed:.0%}", sums, time.monotonic() - began)
        if (step + 1) % 500 == 0:
            _keep(averaged.module, save)
    _keep(averaged.module, save)
    averaged.module.to("cpu").eval()
    return averaged.module


def _keep(net: nn.Module, path: Path) -> None:
    """Save a network's weights so that a machine without a graphics card can load them."""
    torch.save({name: value.cpu() for name, value in net.state_dict().items()}, path)


def _report(step: str, sums: dict[str, float], seconds: float) -> None:
    """Print the mean figures of the steps since the last report, and begin anew."""
    means = " ".join(f"{name} {total / _REPORTED:.4f}" for name, total in sums.items())
    print(f"{step} {means} {seconds:.0f} s", flush=True)
    sums.clear()


def export(net: nn.Module, task: Task, path: Path) -> None:
    """Write the network as ONNX (opset 17, float32) with input `x`, output `y`, and `told` where it is told more."""
    net.eval()
    free = {"x": task.free, "y": {axis: f"out_{name}" for axis, name in task.free.items()}}
    if task.told:
        free |= {"told": {1: task.free[0]}, "y": {1: f"out_{task.free[0]}"}}
    torch.onnx.export(
        net, task.examples, str(path), input_names=[name for name in free if name != "y"], output_names=["y"],
        opset_version=17, dynamo=False, dynamic_axes=free,
    )  # fmt: skip
    if task.half:
        _store_in_half(path)


def _store_in_half(path: Path) -> None:
    """Store the weights of an exported network in 16 bits, each followed by what makes 32 of them."""
    model = onnx.load(str(path))
    graph, casts = model.graph, []
    for weight in graph.initializer:
        if weight.data_type == onnx.TensorProto.FLOAT:
            small = numpy_helper.to_array(weight).astype(np.float16)
            stored = f"{weight.name}{HALF}"
            casts.append(onnx.helper.make_node("Cast", [stored], [weight.name], to=onnx.TensorProto.FLOAT))
            weight.CopyFrom(numpy_helper.from_array(small, stored))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.save(model, str(path))


def options(description: str) -> argparse.ArgumentParser:
    """Return the options that every training has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--minutes", type=float, help="how long, instead of how many steps")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"), help="cuda: a graphics card")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--onnx", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bfloat16", action="store_true", help="faster on processors with units for it")
    return parser


def fit(task: Task, batches: Iterable[Batch], args: argparse.Namespace) -> None:
    """Train a task's network as `options` say, and export it."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    course = Course(args.steps, args.rate, args.minutes, args.device, args.bfloat16)
    trained = train(task.network(), batches, task.loss, course, save=args.out, start=args.start)
    export(trained, task, args.onnx)


def train_on_files(
    description: str, task: Task, batches: Callable[[list[Path], np.random.Generator], Iterator[Batch]]
) -> None:
    """Run the command that trains a task's network on what `batches` draws from files of windows."""
    parser = options(description)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    args = parser.parse_args()
    fit(task, batches(args.data, np.random.default_rng(args.seed)), args)
