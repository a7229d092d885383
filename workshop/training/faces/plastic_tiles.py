"""Real letters for the letter network: photographs of plastic tiles whose outlines are known, turned upright.

    python -m workshop.training.faces.plastic_tiles --photos FOLDER --out FILE.npz [--seed S]

FOLDER holds NNN.jpg and NNN.txt, a tile a line: its class, then its outline as x y x y ... in shares of the picture's
width and height, as of "ban-seg" (github.com/Zawaer/bananagrams-assistant, CC BY 4.0). Which way up a tile lies is not
told there: as with letter cubes, it is taken from how the network for letters reads it best.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from engine import FACES
from vision.images import Image
from vision.letters.classifier import FACE_PX, read_faces
from workshop.training.faces.files import NO_LETTER, Faces, label, passes_turned, write_faces

Floats = npt.NDArray[np.float64]

CLASSES = (
    "A", "", "B", "D", "E", "G", "H", "I", "J", "K", "L", "M", "N", "O", "", "P", "R", "S", "T", "U", "V", "Y",
)  # fmt: skip
"""The face of each class; "" for letters of another language, which are no letter of ours."""
TRAINED = frozenset({1, 2})
"""Thirds of the pictures that are trained on; the first is kept for measuring."""
LONG = 0.95
"""The tile's longer side in windows: a tile fills that much of a square. [by eye]"""
_RATIO = 1.16
"""The longer side over the shorter, as the tiles measure that were photographed from straight above."""
_SURE = 0.5
_COPIES = 10
_REJECTS = 3


@dataclass(frozen=True)
class OutlinedTile:
    """A tile in a picture (h, w, 3): its outline's corners (4, 2), px, clockwise, and its face ("": none of ours)."""

    picture: Image
    corners: Floats
    face: str


@dataclass(frozen=True)
class Askew:
    """How a window lies beside its tile: turned (radians), larger, and off in windows x, y."""

    turn: float = 0.0
    scale: float = 1.0
    off: tuple[float, float] = (0.0, 0.0)


STRAIGHT = Askew()


def tiles_of(folder: Path, thirds: Collection[int]) -> Iterator[OutlinedTile]:
    """Yield the tiles in the pictures whose place by name modulo 3 is in `thirds`."""
    for place, outlines in enumerate(sorted(folder.glob("[0-9]*.txt"))):
        if place % 3 not in thirds:
            continue
        picture = np.asarray(cv2.imread(str(outlines.with_suffix(".jpg"))), dtype=np.uint8)
        high, wide = picture.shape[:2]
        for line in outlines.read_text(encoding="utf-8").splitlines():
            number, *shares = line.split()
            outline = np.array(shares, dtype=np.float64).reshape(-1, 2) * (wide, high) - 0.5
            yield OutlinedTile(picture, corners_of(outline), CLASSES[int(number)])


def corners_of(outline: Floats) -> Floats:
    """Return the four corners (4, 2) of an outline (m, 2), clockwise in the picture. A rounded corner counts as one."""
    hull = cv2.convexHull(outline.astype(np.float32))
    around = cv2.arcLength(hull, True)
    for share in np.arange(0.02, 0.12, 0.01):
        few = cv2.approxPolyDP(hull, float(share) * around, True)[:, 0]
        if len(few) <= 4:
            break
    corners = few if len(few) == 4 else cv2.boxPoints(cv2.minAreaRect(hull))
    middle = corners.mean(axis=0)
    order = np.argsort(np.arctan2(*(corners - middle).T[::-1]))
    return np.asarray(corners[order], dtype=np.float64)


def window(tile: OutlinedTile, quarter: int, askew: Askew = STRAIGHT) -> Image:
    """Return the tile (FACE_PX, FACE_PX, 3) with its corner number `quarter` (0 to 3) at the top left."""
    tall, wide = LONG / 2, LONG / 2 / _RATIO
    c, s = np.cos(askew.turn) / askew.scale, np.sin(askew.turn) / askew.scale
    square = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]])
    there = (square @ np.array([[c, s], [-s, c]]) - askew.off + 0.5) * FACE_PX - 0.5
    fine = 4
    shown = (there + 0.5) * fine - 0.5
    from_tile = np.roll(tile.corners, -quarter, axis=0).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(from_tile, shown.astype(np.float32))
    side = FACE_PX * fine
    large = cv2.warpPerspective(
        tile.picture, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.resize(large, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def upright(tile: OutlinedTile) -> int | None:
    """Return the quarter turn at which the tile is best read as its letter, None if it is not."""
    windows = np.stack([window(tile, quarter) for quarter in range(4)])
    chances = np.exp(read_faces(windows))[:, FACES.index(tile.face)]
    return int(chances.argmax()) if chances.max() > _SURE else None


def examples(tile: OutlinedTile, quarter: int, rng: np.random.Generator) -> list[Image]:
    """Return the tile upright, a little misplaced, turned and larger or smaller."""
    return [window(tile, quarter, _askew(rng)) for _ in range(_COPIES)]


def rejects(tile: OutlinedTile, quarter: int, rng: np.random.Generator) -> list[Image]:
    """Return the tile on its side or upside down, where its letter could not pass for another."""
    turns = [turn for turn in (1, 2, 3) if not passes_turned(tile.face, turn)]
    return [window(tile, (quarter + turn) % 4, _askew(rng)) for turn in turns[:_REJECTS]]


def _askew(rng: np.random.Generator) -> Askew:
    off = rng.normal(0, 0.035, 2)
    scale = float(np.exp(rng.normal(0.06, 0.1)))
    return Askew(float(rng.normal(0, 0.06)), scale, (float(off[0]), float(off[1])))


def windows_in(folder: Path, rng: np.random.Generator) -> Iterator[Faces]:
    """Yield windows and labels of each tile that is trained on."""
    for tile in tiles_of(folder, TRAINED):
        if not tile.face:
            foreign = [window(tile, quarter, _askew(rng)) for quarter in range(4)]
            yield np.stack(foreign), [NO_LETTER] * len(foreign)
            continue
        quarter = upright(tile)
        if quarter is not None:
            yield label(examples(tile, quarter, rng), rejects(tile, quarter, rng), tile.face)


if __name__ == "__main__":
    write_faces("Cut real tiles for the letter network.", "photos", windows_in)
