"""What the makers of windows have in common: which turned letters still pass, their options and their files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.faces import HALF_TURNED
from vision.images import Image
from vision.letters.eyes import LATIN

NO_LETTER = len(LATIN)
"""Label of a window that shows no upright letter."""
Masks = npt.NDArray[np.bool_]
Faces = tuple[Image, list[int]]
"""Windows (m, FACE_PX, FACE_PX, 3) and their labels (m): indices of LATIN, or NO_LETTER."""
CoveredFaces = tuple[Image, list[int], Masks]
"""The same, and what nearer stacks cover of them (m, FACE_PX, FACE_PX)."""
_PARTS = ("images", "labels", "covered")
"""What the parts are called in a file; the last is there where it was made."""

_PASSES_QUARTER_TURN = frozenset("HINOXZEMWCU")


def passes_turned(face: str, quarters: int) -> bool:
    """Return whether a face may pass for an upright letter when turned: never used as a reject that way."""
    if len(face) > 1 and quarters % 4 == 2:
        return turns_into(face) in LATIN
    return face in (HALF_TURNED if quarters % 4 == 2 else _PASSES_QUARTER_TURN) or face == "Ø"


def turns_into(face: str) -> str:
    """Return what the capitals of a face of several letters show upside down: Zs for Sz."""
    return "".join(HALF_TURNED.get(letter, "?") for letter in reversed(face.upper())).capitalize()


def label(good: list[Image], bad: list[Image], face: str) -> Faces:
    """Return windows that show a face upright, and some that show none."""
    return np.stack(good + bad), [LATIN.index(face)] * len(good) + [NO_LETTER] * len(bad)


def write_faces(
    description: str, source: str, make: Callable[[Path, np.random.Generator], Iterable[Faces] | Iterable[CoveredFaces]]
) -> None:
    """Run the command that writes what `make` makes of the folder of the option `source` as FILE.npz."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(f"--{source}", dest="folder", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    made = zip(*make(args.folder, np.random.default_rng(args.seed)), strict=True)
    parts = {name: np.concatenate(part) for name, part in zip(_PARTS, made, strict=False)}
    parts["labels"] = parts["labels"].astype(np.uint8)
    np.savez(args.out, allow_pickle=False, **parts)
    print(f"{len(parts['labels'])} windows")
