"""Sets laid out on a table, drawn: every tile is in a picture, where its truth says, and most of them are read."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from presencekit import there

pytest.importorskip("numba", reason="numba is not installed (the `train` extra)")
pytest.importorskip("fontTools", reason="fontTools is not installed (the `train` extra)")

from trainingkit import write_font

from engine.editions import edition_from_data
from vision.letters.loose_tiles import find_loose_tiles
from workshop.training.faces.fonts import fonts_in
from workshop.training.laid_out import write_set
from workshop.training.scene.tiles import random_tile_style

pytestmark = pytest.mark.slow

COUNTS = dict.fromkeys("ABDEGHKLNRSTW", 6)


def test_every_tile_of_a_set_is_drawn_and_nearly_all_are_found(tmp_path: Path) -> None:
    write_font(tmp_path / "one.ttf", "Made Up")
    rng = np.random.default_rng(1)
    style = random_tile_style(rng, fonts_in(tmp_path), flat=False)
    tiles = {face: COUNTS.get(face, 0) for face in (*"ABCDEFGHIJKLMNOPRSTUVWXYZ", "Qu")}
    write_set(tmp_path / "set", rng, style, edition_from_data({"name": "Ours", "size": 9, "tiles": tiles}))
    told = {path: json.loads(path.read_text()) for path in sorted((tmp_path / "set").glob("*.json"))}
    assert Counter(tile["face"] for some in told.values() for tile in some) == Counter(COUNTS)
    assert len(told) == 2
    for path, some in told.items():
        picture = np.asarray(there(cv2.imread(str(path.with_suffix(".jpg")))), dtype=np.uint8)
        height, width = picture.shape[:2]
        found = [(tile.x * width, tile.y * height, tile.side * width) for tile in find_loose_tiles(picture)]
        at_tiles = [any(np.hypot(x - t["x"], y - t["y"]) < 0.4 * side for x, y, side in found) for t in some]
        assert sum(at_tiles) >= 0.9 * len(some)
