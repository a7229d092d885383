"""Faces for the letter network, cut from rendered boards as the reader cuts them: tilted, stacked, in shade and glare.

    python -m workshop.training.cuts.whole_faces --data FOLDER --out FILE.npz [--seed S]

FOLDER was written by `workshop.training.generate`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.images import Image
from vision.letters.classifier import cut_faces
from vision.letters.eyes import LATIN
from workshop.training.board_samples import BoardSample, boards_with_letters, jitter
from workshop.training.faces.files import NO_LETTER, Faces, passes_turned, write_faces

Floats = npt.NDArray[np.float64]

_SEEN = 0.7
_ALONG, _UP = 0.025, 0.04
"""Standard deviations, cells, of where along the board and at which elevation a face is cut. [by eye]"""
_TURNED, _BESIDE, _EMPTY = 0.15, 0.1, 0.1
"""Shares of the tiles that are shown turned and cut beside their place, and of the bare squares that are shown.
[by eye]"""


def windows_of(sample: BoardSample, faces: list[list[str]], rng: np.random.Generator) -> Faces:
    """Return windows (m, FACE_PX, FACE_PX, 3) and labels (m) of one picture."""
    camera = jitter(sample.camera, sample.size, rng)
    places: list[Floats] = []
    labels: list[int] = []
    for row, col in sample.in_sight(_SEEN):
        middle = np.array([col + 0.5, row + 0.5, 0.0])
        if sample.heights[row, col]:
            lifted = middle + np.array([0.0, 0.0, sample.elevations[row, col]])
            places.append(misplace(lifted, rng))
            labels.append(LATIN.index(faces[row][col]) if faces[row][col] else NO_LETTER)
            if rng.random() < _BESIDE:
                turn = rng.uniform(0, 2 * np.pi)
                off = rng.uniform(0.35, 0.6) * np.array([np.cos(turn), np.sin(turn), 0.0])
                places.append(lifted + off)
                labels.append(NO_LETTER)
        elif rng.random() < _EMPTY and _lonely(sample, row, col):
            places.append(middle + np.array([*rng.normal(0, 0.05, 2), rng.uniform(0, 0.4)]))
            labels.append(NO_LETTER)
    if not places:
        return cut_faces(sample.image, camera, sample.size, []), []
    return _turn_some(cut_faces(sample.image, camera, sample.size, places), labels, rng)


def misplace(place: Floats, rng: np.random.Generator) -> Floats:
    """Return the board point (3,) at which the reader might cut a face that lies at `place` (3,)."""
    return place + rng.normal(0, 1, 3) * (_ALONG, _ALONG, _UP)


def _lonely(sample: BoardSample, row: int, col: int) -> bool:
    """Return whether no tile stands on the squares around."""
    return not sample.heights[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2].any()


def _turn_some(windows: Image, labels: list[int], rng: np.random.Generator) -> Faces:
    """Turn some of the faces on their side or upside down: those are no upright letters."""
    windows, labels = windows.copy(), list(labels)
    for k in np.flatnonzero(rng.random(len(labels)) < _TURNED):
        turn = int(rng.integers(1, 4))
        if labels[k] != NO_LETTER and not passes_turned(LATIN[labels[k]], turn):
            windows[k], labels[k] = np.rot90(windows[k], turn), NO_LETTER
    return windows, labels


def windows_in(folder: Path, rng: np.random.Generator) -> Iterator[Faces]:
    """Yield windows and labels of each picture in a folder."""
    for sample, faces in boards_with_letters(folder):
        yield windows_of(sample, faces, rng)


if __name__ == "__main__":
    write_faces("Cut faces from rendered boards.", "data", windows_in)
