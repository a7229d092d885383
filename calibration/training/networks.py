"""The four small networks, as trained (PyTorch) and exported (ONNX).

locate   whole photograph   -> corner heat map and mask of the playing grid
lattice  rectified board    -> where each square really is, and how sure
stacks   plane sweep        -> height of every stack, hidden squares, thickness of a layer
faces    one face           -> which letter, or none that stands upright
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision.sweep import SLICES, SWEEP_PX

# `unused-ignore`: a type checker without PyTorch at hand sees Any where one with it sees classes


def conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Convolution, batch normalisation, ReLU, keeping the size (divided by the stride)."""
    padding = dilation * (kernel // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):  # type: ignore[misc, unused-ignore]
    """Two convolutions with a shortcut."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(channels, channels, dilation=dilation),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.body(x))


class LocateNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """U-Net of stride 4: (b, 3, s, s) to (b, 2, s/4, s/4) logits of grid corner and of playing grid."""

    def __init__(self, width: int = 12) -> None:
        super().__init__()
        w = width
        self.down1 = nn.Sequential(conv(3, w, 5, 2), conv(w, 2 * w, 3, 2), conv(2 * w, 2 * w))
        self.down2 = nn.Sequential(conv(2 * w, 3 * w, 3, 2), Residual(3 * w))
        self.down3 = nn.Sequential(conv(3 * w, 4 * w, 3, 2), Residual(4 * w))
        self.down4 = nn.Sequential(
            conv(4 * w, 6 * w, 3, 2), Residual(6 * w), Residual(6 * w, 2), Residual(6 * w, 3)
        )
        self.up3 = nn.Sequential(conv(10 * w, 4 * w), Residual(4 * w))
        self.up2 = nn.Sequential(conv(7 * w, 3 * w), Residual(3 * w))
        self.up1 = nn.Sequential(conv(5 * w, 2 * w), conv(2 * w, 2 * w))
        self.head = nn.Conv2d(2 * w, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        a = self.down1(x)
        b = self.down2(a)
        c = self.down3(b)
        d = self.down4(c)
        c = self.up3(torch.cat([F.interpolate(d, scale_factor=2.0), c], 1))
        b = self.up2(torch.cat([F.interpolate(c, scale_factor=2.0), b], 1))
        a = self.up1(torch.cat([F.interpolate(b, scale_factor=2.0), a], 1))
        out: Tensor = self.head(a)
        return out


class LatticeNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """(b, 3, 16k, 16k) rectified board to (b, 5, k, k).

    For each square the displacement of the lattice as two phases, each a vector (cosine, sine of 2 pi times the
    displacement in cells) whose length is the concentration of a von Mises distribution; and a logit of lying
    inside the grid. A phase is a local matter, quickly learned, and knows no wrong side of half a square.
    """

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            conv(3, w, 5, 2), conv(w, 2 * w, 3, 2), Residual(2 * w), conv(2 * w, 3 * w, 3, 2), Residual(3 * w),
            conv(3 * w, 5 * w, 3, 2), Residual(5 * w), Residual(5 * w, 2), Residual(5 * w, 3), Residual(5 * w),
        )  # fmt: skip
        self.head = nn.Conv2d(5 * w, 5, 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body(x))
        return out


class StackNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """(b, CHANNELS, (n+2) px, same) plane sweep to (b, SLICES + 3, n+2, n+2).

    Every slice passes the same eyes, which look for a face lying exactly on its square; then the slices of a square
    are compared, with their neighbours and the whole board in view. Channels of the output: height logits (SLICES),
    hidden logit, log of (true layer / layer of the sweep) as seen at each square, and the log spread of that.
    """

    def __init__(self, width: int = 12) -> None:
        super().__init__()
        w = width
        self.eyes = nn.Sequential(
            conv(5, w, 3, 2), conv(w, 2 * w, 3, 2), Residual(2 * w), conv(2 * w, 4 * w, 3, 2), Residual(4 * w),
            nn.Conv2d(4 * w, 5 * w, SWEEP_PX // 8, SWEEP_PX // 8, bias=False), nn.BatchNorm2d(5 * w), nn.ReLU(),
        )  # fmt: skip
        self.colour = nn.Sequential(nn.AvgPool2d(SWEEP_PX // 4), conv(2, w), nn.MaxPool2d(4))
        self.join = nn.Sequential(conv(SLICES * 5 * w + w, 8 * w, 1), Residual(8 * w))
        self.whole = nn.Linear(16 * w, 8 * w)
        self.far = nn.Sequential(Residual(8 * w), Residual(8 * w))
        self.head = nn.Conv2d(8 * w, SLICES + 3, 1)
        self.slice_score = nn.Conv2d(5 * w, 1, 1)

    def forward(self, x: Tensor) -> Tensor:
        count, _, side, _ = x.shape
        slices = x[:, :SLICES].reshape(count * SLICES, 1, side, side)
        views = x[:, SLICES + 2 :].repeat_interleave(SLICES, 0)
        seen = self.eyes(torch.cat([slices, views], 1))
        cells = seen.shape[-1]
        scores = self.slice_score(seen).reshape(count, SLICES, cells, cells)
        together = seen.reshape(count, -1, cells, cells)
        joined = self.join(torch.cat([together, self.colour(x[:, SLICES : SLICES + 2])], 1))
        board = self.whole(torch.cat([joined.mean((2, 3)), joined.amax((2, 3))], 1))
        out = self.head(self.far(joined + board[:, :, None, None]))
        return torch.cat([out[:, :SLICES] + scores, out[:, SLICES:]], 1)


class FaceNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """(b, 3, FACE_PX, FACE_PX) face to (b, 27): one logit a face (order of FACES) and one for "no upright face"."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            conv(3, w), conv(w, w), conv(w, 2 * w, 3, 2), Residual(2 * w), conv(2 * w, 4 * w, 3, 2), Residual(4 * w),
            conv(4 * w, 6 * w, 3, 2), Residual(6 * w),
        )  # fmt: skip
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(6 * w * 16, 27))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body(x))
        return out
