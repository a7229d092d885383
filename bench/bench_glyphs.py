"""How well single letters are read that no simulation has drawn: photographs of letter cubes, lying any way round.

    python bench/bench_glyphs.py FOLDER [--third 0]

FOLDER holds pictures and `annotations.csv` (filename, width, height, class, xmin, ymin, xmax, ymax; class a to z or
qu). The pictures are taken in the order of their names; every third of them is measured, from `--third` on.
A cube is read at every angle, and the letter that is read most surely at any of them counts.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from calibration.training.faces.glyphs import Cube, cubes_of, views_of
from engine.faces import FACES
from vision.letters.classifier import REJECT, read_faces


def best_letter(cube: Cube) -> tuple[str, float]:
    """The face that is read most surely at any angle, and how surely."""
    windows, _ = views_of(cube)
    chances = np.exp(read_faces(windows))[:, :REJECT]
    return FACES[int(chances.max(axis=0).argmax())], float(chances.max())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--third", type=int, default=0, choices=(0, 1, 2))
    args = parser.parse_args()
    read = [(cube.face, *best_letter(cube)) for cube in cubes_of(args.folder, {args.third})]
    right = [face == seen for face, seen, _ in read]
    print(f"{len(read)} letters, read rightly {100 * float(np.mean(right)):.2f} %")
    sure = [ok for ok, (_, _, chance) in zip(right, read, strict=True) if chance >= 0.95]
    print(f"of {len(sure)} read with 0.95 or more, rightly {100 * float(np.mean(sure)):.2f} %")
    wrong = Counter((face, seen) for face, seen, _ in read if face != seen)
    print("taken for another:", ", ".join(f"{a} for {b}: {n}" for (b, a), n in wrong.most_common(12)))


if __name__ == "__main__":
    main()
