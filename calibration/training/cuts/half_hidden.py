"""Faces that nearer stacks hide part of, cut from rendered boards, with what the reader would take for hidden.

    python -m calibration.training.cuts.half_hidden --data FOLDER --out FILE.npz [--seed S]

FOLDER was written by `calibration.training.generate`. FILE.npz has `covered` (m, FACE_PX, FACE_PX) beside the windows.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt

from calibration.training.board_samples import HELD_OUT, BoardSample, jittered, load_board
from engine.faces import FACES
from vision.hidden.occlusion import covered_masks
from vision.images import Image
from vision.letters.classifier import FACE_PX, REJECT, cut_faces

Floats = npt.NDArray[np.float64]
Masks = npt.NDArray[np.bool_]
Windows = tuple[Image, list[int], Masks]
"""Windows (m, FACE_PX, FACE_PX, 3), their labels (m), what is hidden of them (m, FACE_PX, FACE_PX)."""

_SEEN = 0.3
"""Share of a face that shows at least."""
_HIDDEN = (0.03, 0.75)
"""Share of the window that counts as hidden, at least and at most."""
_ALONG, _UP = 0.025, 0.04
"""Standard deviations, cells, of where along the board and at which elevation a face is cut."""
_MISJUDGED = 0.06
"""Share of the stacks whose height the reader would have one layer wrong."""
_BARE = 0.3
"""Share of the half-hidden bare squares that are shown, as no letter."""


def half_hidden(sample: BoardSample, faces: list[list[str]], rng: np.random.Generator) -> Windows:
    """The half-hidden windows of one picture."""
    camera = jittered(sample.camera, sample.size, rng)
    places: list[Floats] = []
    labels: list[int] = []
    for (row, col), height in np.ndenumerate(sample.heights):
        if sample.visible[row, col] < _SEEN or sample.hand[row, col] > 0:
            continue
        if not height and rng.random() > _BARE:
            continue
        level = sample.elevations[row, col] if height else rng.uniform(0, 0.4)
        middle = np.array([col + 0.5, row + 0.5, level])
        places.append(middle + rng.normal(0, 1, 3) * (_ALONG, _ALONG, _UP))
        labels.append(FACES.index(faces[row][col]) if height and faces[row][col] else REJECT)
    where = np.array(places).reshape(-1, 3)
    hidden = covered_masks(camera, where, _judged(sample, rng), FACE_PX)
    share = hidden.mean(axis=(1, 2))
    kept = np.flatnonzero((share > _HIDDEN[0]) & (share < _HIDDEN[1]))
    windows = cut_faces(sample.image, camera, sample.size, where[kept])
    return windows, [labels[k] for k in kept], hidden[kept]


def _judged(sample: BoardSample, rng: np.random.Generator) -> Floats:
    """The elevations (n, n) of the stacks' faces as the reader might see them."""
    wrong = np.where(rng.random(sample.heights.shape) < _MISJUDGED, rng.choice([-1, 1]), 0)
    heights = np.where(sample.heights > 0, np.maximum(sample.heights + wrong, 0), 0)
    return np.where(heights > 0, sample.foot + sample.layer * heights, 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Cut half-hidden faces from rendered boards.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    cuts = []
    for record in sorted(args.data.glob("*.json")):
        sample = load_board(record)
        if int(record.stem) >= HELD_OUT and sample.size:
            cuts.append(half_hidden(sample, json.loads(record.read_text())["faces"], rng))
    images, labels, covered = zip(*cuts, strict=True)
    np.savez(
        args.out, images=np.concatenate(images), labels=np.concatenate(labels).astype(np.uint8),
        covered=np.concatenate(covered),
    )  # fmt: skip
    print(f"{sum(map(len, labels))} windows")


if __name__ == "__main__":
    main()
