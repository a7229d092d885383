"""How well single letters are read that no simulation has drawn: photographs of letter cubes, lying any way round.

FOLDER holds pictures and `annotations.csv` (filename, width, height, class, xmin, ymin, xmax, ymax; class a to z or
qu). The pictures are taken in the order of their names; every third of them, from the first on, was kept from training.
A cube is read at every angle, and the letter that is read most surely at any of them counts.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine import FACES
from vision.letters.classifier import REJECT, read_twice
from workshop.bench.record import Figures
from workshop.training.faces.cubes import TRAINED, Cube, cubes_of, views_of

_SURE = 0.95


def read_cubes(folder: Path) -> Figures:
    """Return how many cubes there are and how many are read correctly, and the same for those read surely."""
    read = [(cube.face, *best_letter(cube)) for cube in cubes_of(folder, {0, 1, 2} - TRAINED)]
    sure = [face == seen for face, seen, chance in read if chance >= _SURE]
    right = [face == seen for face, seen, _ in read]
    return {"cubes": len(right), "right": sum(right), "sure": len(sure), "sure right": sum(sure)}


def best_letter(cube: Cube) -> tuple[str, float]:
    """Return the face that is read most surely at any angle, and how surely."""
    windows, _ = views_of(cube)
    nothing_covered = np.zeros(windows.shape[:3], dtype=bool)
    chances = np.exp(read_twice(windows, nothing_covered))[:, :REJECT]
    return FACES[int(chances.max(axis=0).argmax())], float(chances.max())
