"""All tiles of a set, laid out face up on a table and photographed.

    python -m workshop.training.laid_out --edition FILE --out DIR --count N --seed S

writes a folder a set: N.jpg is a photograph of some of its tiles, N.json says which `face` lies where, `x` and `y` in
pixels. Tiles lie in rows, touching or not, half of the sets in alphabetical order. Somebody photographs them from their
side of the table. The letters are of typefaces that no training picture shows.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from engine import EDITIONS, Edition
from engine.editions import parse_edition
from workshop.training.faces.fonts import NO_FONTS, drawable, unseen_fonts
from workshop.training.rendering.phone_processing import develop
from workshop.training.rendering.ray_marcher import Array, Camera, render
from workshop.training.rendering.scene_arrays import Byte
from workshop.training.scene.build import Place, scene_arrays
from workshop.training.scene.canvas import Canvas
from workshop.training.scene.hand import no_hand
from workshop.training.scene.textures import table_texture
from workshop.training.scene.tiles import TileStyle, random_tile_style
from workshop.training.views import Lens, aim_camera, direction, random_frame, random_lens

LONGEST = (1500, 2048)
"""The pictures' longer side, px: the page sends none larger. [by eye]"""
MAX_TILES = 64
"""The most tiles in one photograph. [by eye]"""
_COLUMNS = 9
_GAPS = (0.0, 0.35)
"""Range of the gap between tiles, in sides of a tile. [by eye]"""
_EDGE = 40
"""Least distance of a face's middle from the picture's edge, px. [by eye]"""


def photograph_tiles(rng: np.random.Generator, style: TileStyle, faces: list[str]) -> tuple[Byte, Array]:
    """Return a photograph (h, w, 3) of tiles in rows, and where the middles of their faces are, px (m, 2)."""
    side = 2 * style.shape.half
    across, down = side * (1 + rng.uniform(*_GAPS, 2))
    slack = min(across - side, down - side, 0.1) / 2
    foot = style.shape.shelf if style.shape.nested else 0.0
    places: list[Place] = []
    for at in range(len(faces)):
        row, column = divmod(at, _COLUMNS)
        x, y = (column + 0.5) * across + rng.normal(0, slack), (row + 0.5) * down + rng.normal(0, slack)
        places.append((float(x), float(y), float(rng.normal(0, slack)), foot, 1))
    points = np.array([[x, y, style.shape.layer_h] for x, y, *_ in places])
    span = int(np.ceil(points[:, :2].max() + side / 2))
    canvas = Canvas.blank(span, 0.0, board=False)
    arrays = scene_arrays(rng, canvas, style, places, faces, no_hand(), table_texture)
    camera = _hold_camera(rng, span, points)
    light, _ = render(arrays, camera, 2)
    return develop(rng, light), camera.project(points)


def _hold_camera(rng: np.random.Generator, span: int, points: Array) -> Camera:
    """Draw a camera that somebody holds over the table, with all points in its picture."""
    middle = (points[:, :2].min(axis=0) + points[:, :2].max(axis=0)) / 2
    while True:
        lens = Lens(*random_frame(rng, LONGEST), *random_lens(rng))
        away = direction(rng.uniform(0, 35), rng.normal(90, 15))
        camera = aim_camera(lens, span, away, rng.normal(0, 5), rng.uniform(0.8, 1.0), middle - span / 2)
        pixels = camera.project(points)
        if (pixels > _EDGE).all() and (pixels < [camera.width - _EDGE, camera.height - _EDGE]).all():
            return camera


def write_set(folder: Path, rng: np.random.Generator, style: TileStyle, edition: Edition) -> None:
    """Lay out a set and photograph it, as often as its tiles need."""
    tiles = [face for face, count in (edition.distribution or {}).items() for _ in range(count)]
    if rng.random() < 0.5:
        rng.shuffle(tiles)
    folder.mkdir(parents=True, exist_ok=True)
    for number, some in enumerate(np.array_split(np.array(tiles), -(-len(tiles) // MAX_TILES)), start=1):
        faces = [str(face) for face in some]
        image, pixels = photograph_tiles(rng, style, faces)
        truth = [{"face": face, "x": x, "y": y} for face, (x, y) in zip(faces, pixels.tolist(), strict=True)]
        cv2.imwrite(str(folder / f"{number}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(85, 96))])
        (folder / f"{number}.json").write_text(json.dumps(truth), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--edition", required=True, help="8x8, 10x10, or the file of a set")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=4, help="sets")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    edition = EDITIONS.get(args.edition) or parse_edition(Path(args.edition).read_text(encoding="utf-8"))
    letters = edition.alphabet.faces
    fonts = [font for font in unseen_fonts() if len(drawable(font, letters)) == len(letters)]
    if not fonts:
        parser.error(NO_FONTS)
    for number in range(args.count):
        rng = np.random.default_rng([args.seed, number])
        write_set(args.out / f"set{number:02d}", rng, random_tile_style(rng, fonts, flat=False), edition)


if __name__ == "__main__":
    main()
