"""Ten of the eleven small networks, as trained (PyTorch) and exported (ONNX).

locate   whole photograph   -> corner heat map and mask of the playing grid
locate_again  the same, of other boards
lattice  rectified board    -> where each square really is, and how sure
stacks   plane sweep        -> elevation of every stack's top face, hidden squares
wide_stacks  the same, on its mirror image
sizes    one face           -> how large it looks
walls    one wall           -> how wide it shows
faces    one face           -> which letter, or none that stands upright
close_faces  the same, and what is covered of it
latin_faces  the same, with letters beyond A to Z

The eleventh, `comparison`, is in `workshop.training.fitting.comparison_network`.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import normalize

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from engine import FACES
from vision.board.sightings import LATTICE_CHANNELS
from vision.heights.comparison import SIZE_PX
from vision.heights.plane_sweep import SLICES, SWEEP_PX, VIEW
from vision.letters.eyes import LATIN

# `unused-ignore`: a type checker without PyTorch at hand sees Any where one with it sees classes


def conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Return a convolution, batch normalisation and ReLU that keep the size (divided by the stride)."""
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
        self.down4 = nn.Sequential(conv(4 * w, 6 * w, 3, 2), Residual(6 * w), Residual(6 * w, 2), Residual(6 * w, 3))
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
    """(b, 5, 16k, 16k), a rectified board and its parallax, to (b, 5, k, k).

    For each square the displacement of the lattice as two phases, each a vector (cosine, sine of 2 pi times the
    displacement in cells) whose length is the concentration of a von Mises distribution; and a logit of lying
    inside the grid. A phase is a local matter, quickly learned, and knows no wrong side of half a square.
    """

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            conv(LATTICE_CHANNELS, w, 5, 2), conv(w, 2 * w, 3, 2), Residual(2 * w),
            conv(2 * w, 3 * w, 3, 2), Residual(3 * w),
            conv(3 * w, 5 * w, 3, 2), Residual(5 * w), Residual(5 * w, 2), Residual(5 * w, 3), Residual(5 * w),
        )  # fmt: skip
        self.head = nn.Conv2d(5 * w, 5, 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body(x))
        return out


class StackNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """(b, CHANNELS, (n+2) px, same) plane sweep to (b, SLICES + 1, n+2, n+2).

    Every slice passes the same eyes, which look for a face lying exactly on its square; the slices of a square are
    then compared along the elevation and with those of its neighbours, the whole board in view. Channels of the output:
    logits of the slice in which the square's top face lies (0: the square is empty), and of being hidden. The eyes are
    what costs time, and `width` channels wide; comparing, `wide` channels in `blocks` steps, is cheap.
    """

    def __init__(self, width: int = 24, wide: int = 24, blocks: int = 4) -> None:
        super().__init__()
        w = width
        self.eyes = nn.Sequential(
            nn.Conv2d(1, w, 8, 4, 2, bias=False), nn.BatchNorm2d(w), nn.ReLU(inplace=True), Residual(w),
            nn.Conv2d(w, wide, SWEEP_PX // 4, SWEEP_PX // 4, bias=False), nn.BatchNorm2d(wide), nn.ReLU(),
        )  # fmt: skip
        self.colour = nn.Sequential(
            nn.AvgPool2d(SWEEP_PX // 4), conv(2, w // 2), nn.MaxPool2d(4), conv(w // 2, wide, 1)
        )
        self.view = nn.Linear(VIEW, wide)
        self.place = nn.Parameter(torch.zeros(1, wide, SLICES, 1))
        self.blocks = nn.ModuleList([VolumeBlock(wide) for _ in range(blocks)])
        self.whole = nn.Linear(2 * wide, wide)
        self.head = nn.Conv2d(wide, 1, 1)
        self.hidden = nn.Sequential(conv(2 * wide, w, 1), nn.Conv2d(w, 1, 1))

    def forward(self, x: Tensor) -> Tensor:
        count, side = x.shape[0], x.shape[-1]
        cells = side // SWEEP_PX
        with torch.autocast(x.device.type, enabled=False):  # 16 bits lose the difference between one slice and the next
            seen = self.eyes(x[:, :SLICES].reshape(-1, 1, side, side))
        volume = seen.reshape(count, SLICES, -1, cells * cells).transpose(1, 2)
        colour = self.colour(x[:, SLICES : SLICES + 2]).flatten(2)[:, :, None]
        volume = volume + colour + self.view(x[:, SLICES + 2 :, 0, 0])[:, :, None, None] + self.place
        for k, block in enumerate(self.blocks):
            volume = block(volume, cells)
            if k == 1:
                board = self.whole(torch.cat([volume.mean((2, 3)), volume.amax((2, 3))], 1))
                volume = volume + board[:, :, None, None]
        square = torch.cat([volume.mean(2), volume.amax(2)], 1).reshape(count, -1, cells, cells)
        elevation = self.head(volume).reshape(count, SLICES, cells, cells)
        return torch.cat([elevation, self.hidden(square)], 1)


class VolumeBlock(nn.Module):  # type: ignore[misc, unused-ignore]
    """A residual block on (b, channels, elevations, squares): along the elevation, then among neighbours."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.along = nn.Sequential(
            nn.Conv2d(channels, channels, (5, 1), padding=(2, 0), bias=False), nn.BatchNorm2d(channels), nn.ReLU()
        )
        self.among = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, volume: Tensor, cells: int) -> Tensor:
        count, channels, slices, _ = volume.shape
        planes = self.along(volume).transpose(1, 2).reshape(-1, channels, cells, cells)
        out = self.among(planes).reshape(count, slices, channels, cells * cells).transpose(1, 2)
        return F.relu(volume + out)


class MeasureNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """(b, 3, SIZE_PX, SIZE_PX) window to (b, 2): a measure and the logarithm of its error, in a unit of its own.

    The size of a face, or the width of a wall.
    """

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            conv(3, w, 5, 2), Residual(w), conv(w, 2 * w, 3, 2), Residual(2 * w), conv(2 * w, 3 * w, 3, 2),
            Residual(3 * w),
        )  # fmt: skip
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(3 * w * (SIZE_PX // 8) ** 2, 96), nn.ReLU(), nn.Linear(96, 2))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body(x))
        return out


class SharedHead(nn.Module):  # type: ignore[misc, unused-ignore]
    """(b, inputs) features to (b, faces + 1) logits: an output of its own for each, plus those shared with other faces.

    Ä and Ö share what tells two dots, Ä and Å what tells an A. So a mark is learned from all its letters at once.
    """

    def __init__(self, inputs: int, faces: Sequence[str]) -> None:
        super().__init__()
        parts = [parts_of(face) for face in faces]
        shared = sorted({part for each in parts for part in each})
        has = [[1.0 * (part in each) for part in shared] for each in [*parts, ()]]
        self.outputs = nn.Linear(inputs, len(faces) + 1 + len(shared))
        self.register_buffer("shares", torch.cat([torch.eye(len(faces) + 1), torch.tensor(has)], 1).T.contiguous())

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.outputs(x) @ self.shares
        return out


_STRUCK, _JOINED = {"Ð": "D", "Ł": "L", "Ø": "O"}, {"Æ": "Ae", "Œ": "Oe"}


def parts_of(face: str) -> tuple[str, ...]:
    """Return what a face has in common with others: its first letter, its mark, and its further letters."""
    face = _JOINED.get(face, face)
    marked = normalize("NFD", _STRUCK.get(face[0], face[0]))
    struck = ("stroke",) if face[0] in _STRUCK else ()
    return (*marked, *struck, *(f"and {letter}" for letter in normalize("NFD", face[1:])))


class FaceNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """(b, planes, FACE_PX, FACE_PX) face to (b, faces + 1): one logit a face, and one for "no upright face"."""

    def __init__(self, width: int = 16, planes: int = 3, faces: Sequence[str] = FACES) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            conv(planes, w), conv(w, w), conv(w, 2 * w, 3, 2), Residual(2 * w),
            conv(2 * w, 4 * w, 3, 2), Residual(4 * w), conv(4 * w, 6 * w, 3, 2), Residual(6 * w),
        )  # fmt: skip
        english = len(faces) == len(FACES)
        last = nn.Linear(6 * w * 16, len(faces) + 1) if english else SharedHead(6 * w * 16, faces)
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), last)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body(x))
        return out


def wide_stack_net() -> StackNet:
    """Return the other of the two networks of stacks: it compares twice as widely, in two steps more."""
    return StackNet(24, 48, 6)


def close_net() -> FaceNet:
    """Return the face network that looks closely: twice as wide, and a fourth plane says what is covered of the
    face."""
    return FaceNet(32, 4)


def latin_net() -> FaceNet:
    """Return the network of letters beyond A to Z: like `close_net`, with an output for each face of LATIN."""
    return FaceNet(32, 4, LATIN)
