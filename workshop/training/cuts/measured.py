"""Windows with a figure each, from the pictures of some folders to one file: what the cuts of sizes and walls share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.images import Image
from workshop.training.board_samples import BoardSample, boards_with_faces

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MeasuredWindows:
    """Windows (m, px, px, 3) of one picture, and the figure (m,) of each that a network is to tell."""

    windows: Image
    figures: Floats


Cut = Callable[[BoardSample, Floats, np.random.Generator], MeasuredWindows | None]
"""What cuts windows from a picture whose top faces have given corners (n, n, 4, 2), px; None if there are none."""


def windows_in(folders: list[Path], cut: Cut, rng: np.random.Generator) -> Iterator[MeasuredWindows]:
    """Yield the windows of every picture of some folders that is not held out."""
    for sample, corners in boards_with_faces(folders):
        made = cut(sample, corners, rng)
        if made is not None:
            yield made


def write_windows(description: str, name: str, cut: Cut) -> None:
    """Run the command that writes windows of folders as FILE.npz, with their figures as `name` and their pictures."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = list(windows_in(args.data, cut, np.random.default_rng(args.seed)))
    counts = [len(each.figures) for each in found]
    parts = {
        "windows": np.concatenate([each.windows for each in found]),
        name: np.concatenate([each.figures for each in found]).astype(np.float32),
        "pictures": np.repeat(np.arange(len(found)), counts),
    }
    np.savez(args.out, allow_pickle=False, **parts)
    print(f"{sum(counts)} windows of {len(found)} pictures")
