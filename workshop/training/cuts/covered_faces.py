"""Faces that nearer stacks cover part of, cut from rendered boards, with what the reader would take for covered.

    python -m workshop.training.cuts.covered_faces --data FOLDER --out FILE.npz [--seed S]

FOLDER was written by `workshop.training.generate`. FILE.npz has `covered` (m, FACE_PX, FACE_PX) beside the windows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.hidden.occlusion import mask_covered
from vision.letters.classifier import FACE_PX, cut_faces
from vision.letters.eyes import LATIN
from workshop.training.board_samples import BoardSample, boards_with_letters, jitter
from workshop.training.cuts.whole_faces import misplace
from workshop.training.faces.files import NO_LETTER, CoveredFaces, write_faces

Floats = npt.NDArray[np.float64]

_SEEN = 0.3
"""Share of a face that shows at least. [by eye]"""
_COVERED = (0.03, 0.75)
"""Share of the window that counts as covered, at least and at most. [by eye]"""
_MISJUDGED = 0.06
"""Share of the stacks whose height the reader would have one layer wrong. [by eye]"""
_BARE = 0.3
"""Share of the half-covered bare squares that are shown, as no letter. [by eye]"""


def cut_covered_faces(sample: BoardSample, faces: list[list[str]], rng: np.random.Generator) -> CoveredFaces:
    """Return the half-covered windows of one picture."""
    camera = jitter(sample.camera, sample.size, rng)
    places: list[Floats] = []
    labels: list[int] = []
    for row, col in sample.in_sight(_SEEN):
        height = sample.heights[row, col]
        if not height and rng.random() > _BARE:
            continue
        level = sample.elevations[row, col] if height else rng.uniform(0, 0.4)
        middle = np.array([col + 0.5, row + 0.5, level])
        places.append(misplace(middle, rng))
        labels.append(LATIN.index(faces[row][col]) if height and faces[row][col] else NO_LETTER)
    where = np.array(places).reshape(-1, 3)
    covered = mask_covered(camera, where, _judge_elevations(sample, rng), FACE_PX)
    share = covered.mean(axis=(1, 2))
    kept = np.flatnonzero((share > _COVERED[0]) & (share < _COVERED[1]))
    windows = cut_faces(sample.image, camera, sample.size, where[kept])
    return windows, [labels[k] for k in kept], covered[kept]


def _judge_elevations(sample: BoardSample, rng: np.random.Generator) -> Floats:
    """Return the elevations (n, n) of the stacks' faces as the reader might see them."""
    wrong = np.where(rng.random(sample.heights.shape) < _MISJUDGED, rng.choice([-1, 1]), 0)
    heights = np.where(sample.heights > 0, np.maximum(sample.heights + wrong, 0), 0)
    return np.where(heights > 0, sample.foot + sample.layer * heights, 0.0)


def windows_in(folder: Path, rng: np.random.Generator) -> Iterator[CoveredFaces]:
    """Yield windows, labels and what is covered of each picture in a folder."""
    for sample, faces in boards_with_letters(folder):
        yield cut_covered_faces(sample, faces, rng)


if __name__ == "__main__":
    write_faces("Cut half-covered faces from rendered boards.", "data", windows_in)
