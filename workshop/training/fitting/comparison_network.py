"""The network that compares all stacks of a board seen from above."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engine import MAX_HEIGHT
from vision.heights.comparison import COMPARED_PX, FACTS, NOISE_DEVIATION
from workshop.training.fitting.networks import Residual, conv

# `unused-ignore`: a type checker without PyTorch at hand sees Any where one with it sees classes

_PLANES, _FIGURES = 5, 4
_APART = -1e4
"""What is added to the attention between stacks of different pictures."""


class Comparing(nn.Module):  # type: ignore[misc, unused-ignore]
    """A step of a transformer (A. Vaswani et al., "Attention is all you need", 2017), normalised before each part."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * width, width))

    def forward(self, x: Tensor, apart: Tensor | None) -> Tensor:
        count, stacks, width = x.shape
        parts = self.qkv(self.n1(x)).reshape(count, stacks, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        near = (q @ k.transpose(-1, -2)) * (width // self.heads) ** -0.5
        if apart is not None:
            near = near + apart
        seen = (near.softmax(-1) @ v).transpose(1, 2).reshape(count, stacks, width)
        x = x + self.out(seen)
        out: Tensor = x + self.mlp(self.n2(x))
        return out


class ComparisonNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """Planes (m, 5, px, px) of the stacks of one picture and facts (k, m, FACTS) to (k, m, 5 + 4).

    A logit of each height; the elevation of the face, quarter cells, and the logarithm of its error; the logarithm of
    the thickness of a layer, in LAYER_SPREAD, and that of its error. The last four serve training alone.
    """

    def __init__(self, eyes: int = 32, width: int = 160, steps: int = 5) -> None:
        super().__init__()
        w = eyes
        self.eyes = nn.Sequential(
            conv(_PLANES, w, 5, 2), Residual(w), conv(w, 2 * w, 3, 2), Residual(2 * w), conv(2 * w, 3 * w, 3, 2),
            Residual(3 * w),
        )  # fmt: skip
        self.flat = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), nn.Linear(3 * w * (COMPARED_PX // 8) ** 2, width))
        self.told = nn.Sequential(nn.Linear(FACTS, width), nn.GELU(), nn.Linear(width, width))
        self.blocks = nn.ModuleList([Comparing(width, 8) for _ in range(steps)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, MAX_HEIGHT + _FIGURES)

    def forward(self, x: Tensor, told: Tensor) -> Tensor:
        return self._compare(self.flat(self.eyes(x)) + self.told(told), None)

    def of_pictures(self, windows: Tensor, facts: Tensor, counts: Tensor) -> Tensor:
        """Return the same (m, 9) of the stacks of several pictures at once, `counts` (b,) of each."""
        picture = torch.repeat_interleave(torch.arange(len(counts), device=counts.device), counts)
        planes = _normalise(windows, facts, picture, counts)
        each = (self.flat(self.eyes(planes)) + self.told(facts)).float()
        most = int(counts.max())
        at = torch.arange(len(picture), device=counts.device) - (counts.cumsum(0) - counts)[picture]
        x = torch.zeros(len(counts), most, each.shape[1], device=each.device).index_put((picture, at), each)
        there = torch.arange(most, device=counts.device)[None] < counts[:, None]
        apart = torch.where(there, 0.0, _APART)[:, None, None, :]
        out: Tensor = self._compare(x, apart).float()[picture, at]
        return out

    def _compare(self, x: Tensor, apart: Tensor | None) -> Tensor:
        for block in self.blocks:
            x = block(x, apart)
        out: Tensor = self.head(self.norm(x))
        return out


def _normalise(windows: Tensor, facts: Tensor, picture: Tensor, counts: Tensor) -> Tensor:
    """Return planes (m, 5, px, px), picture by picture, as `make_compared_planes` of `vision.heights.from_above` makes
    them."""
    values = windows.permute(0, 3, 1, 2).float()

    def mean_of(each: Tensor) -> Tensor:
        return torch.zeros(len(counts), device=each.device).index_add(0, picture, each) / counts

    mean = mean_of(values.mean((1, 2, 3)))
    spread = (mean_of((values**2).mean((1, 2, 3))) - mean**2).clamp(min=0.0).sqrt() + NOISE_DEVIATION
    colours = (values - mean[picture, None, None, None]) / spread[picture, None, None, None]
    slants = facts[:, :2, None, None].expand(-1, -1, *colours.shape[2:])
    return torch.cat([colours, slants], 1).contiguous(memory_format=torch.channels_last)
