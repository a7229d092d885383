"""What the makers of windows have in common: which turned letters still pass, their options and their files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from vision.images import Image

Faces = tuple[Image, list[int]]
"""Windows (m, FACE_PX, FACE_PX, 3) and their labels (m): indices of FACES, or REJECT."""

_PASSES_HALF_TURN = frozenset("HINOSXZMW")
_PASSES_QUARTER_TURN = frozenset("HINOXZEMWCU")


def passes_turned(face: str, quarters: int) -> bool:
    """Whether a face may pass for an upright letter when turned: never used as a reject that way."""
    return face in (_PASSES_HALF_TURN if quarters % 4 == 2 else _PASSES_QUARTER_TURN)


def write_faces(
    description: str, source: str, make: Callable[[Path, np.random.Generator], Iterable[Faces]]
) -> None:
    """The command that writes what `make` makes of the folder of the option `source` as FILE.npz."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(f"--{source}", dest="folder", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    images, labels = zip(*make(args.folder, np.random.default_rng(args.seed)), strict=True)
    np.savez(args.out, images=np.concatenate(images), labels=np.concatenate(labels).astype(np.uint8))
    print(f"{sum(map(len, labels))} windows")


def cutting_options(description: str) -> argparse.Namespace:
    """The options of a command that cuts windows from rendered boards: folders `data`, a file `out`, a `seed`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()
