"""Tiles off any board are found by their letters: in a row whichever way it lies, and light on dark, too."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from engine import FACES, Alphabet
from vision.images import Image
from vision.letters.loose_tiles import LooseTile, find_loose_tiles
from workshop.bench.reading.spoiled import dark

TABLE, TILE, INK = (110, 80, 60), (235, 222, 190), (110, 25, 40)
STEP = 110


def row(
    letters: Sequence[str],
    angle: float = 0.0,
    ink: tuple[int, int, int] = INK,
    tile: tuple[int, int, int] = TILE,
    size: int = 70,
) -> Image:
    """Return a picture (600, 1000, 3) of tiles in a row about its middle, turned clockwise by `angle` degrees."""
    picture = PillowImage.new("RGB", (1000, 600), TABLE)
    draw = ImageDraw.Draw(picture)
    for at, letter in enumerate(letters):
        x = 500 + STEP * (at - (len(letters) - 1) / 2)
        draw.rounded_rectangle((x - 50, 250, x + 50, 350), 10, fill=tile)
        font = ImageFont.load_default(size * (0.75 if len(letter) > 1 else 1))
        draw.text((x, 300), letter, font=font, fill=ink, anchor="mm")
    turned = picture.rotate(-angle, PillowImage.Resampling.BICUBIC, fillcolor=TABLE)
    return np.ascontiguousarray(np.asarray(turned)[..., ::-1])


def faces(tiles: tuple[LooseTile, ...]) -> set[str]:
    return {FACES[int(np.argmax(tile.chances))] for tile in tiles}


@pytest.mark.parametrize("angle", [0, 25, 90, 200])
def test_a_row_is_read_whichever_way_it_lies(angle: int) -> None:
    tiles = find_loose_tiles(row("RAEK", angle))
    assert (len(tiles), faces(tiles)) == (4, {"R", "A", "E", "K"})
    for tile in tiles:
        away = (np.degrees(tile.turn) - angle + 180) % 360 - 180
        assert abs(away) <= 20
        assert len(tile.chances) == len(FACES)
        assert sum(tile.chances) == pytest.approx(1.0)


def in_order(tiles: tuple[LooseTile, ...]) -> str:
    return "".join(FACES[int(np.argmax(tile.chances))] for tile in tiles)


def test_they_are_told_from_left_to_right_however_wide_their_letters_are() -> None:
    assert in_order(find_loose_tiles(row("EWAR"))) == "EWAR"
    assert in_order(find_loose_tiles(row("KEWR", 8))) == "KEWR"
    two_rows = np.concatenate([row("RAWE")[150:360], row("KEG")[240:450]])
    assert in_order(find_loose_tiles(two_rows)) == "RAWEKEG"


@pytest.mark.parametrize("share", [0.15, 0.05])
def test_they_are_read_in_the_dark(share: float) -> None:
    assert in_order(find_loose_tiles(dark(row("EWAR"), share))) == "EWAR"


def test_where_they_are_is_told() -> None:
    left, right = find_loose_tiles(row("RK"))
    assert (left.x, left.y) == pytest.approx((0.445, 0.5), abs=0.008)
    assert (right.x, right.y) == pytest.approx((0.555, 0.5), abs=0.008)
    assert 0.07 < left.side < 0.14


def test_light_letters_on_dark_tiles_are_read_too() -> None:
    tiles = find_loose_tiles(row("RAEK", 10, ink=(240, 240, 235), tile=(40, 45, 60)))
    assert faces(tiles) == {"R", "A", "E", "K"}


def test_places_are_shares_of_a_large_photograph_too() -> None:
    large = cv2.resize(row("RK"), (4000, 2400), interpolation=cv2.INTER_CUBIC)
    (tile, _) = find_loose_tiles(np.asarray(large, dtype=np.uint8))
    assert (tile.x, tile.y) == pytest.approx((0.445, 0.5), abs=0.0075)


def test_what_may_lie_either_way_up_stays_open() -> None:
    (tile,) = find_loose_tiles(row("N", 90))
    chances = dict(zip(FACES, tile.chances, strict=True))
    assert chances["N"] + chances["Z"] > 0.5
    assert max(chances["N"], chances["Z"]) < 0.95


def test_an_empty_table_has_no_tiles() -> None:
    assert find_loose_tiles(row("")) == ()
    grain = np.random.default_rng(1).normal(0, 6, (400, 500, 3)) + 120
    assert find_loose_tiles(grain.astype(np.uint8)) == ()


SPANISH = Alphabet(("A", "C", "Ch", "D", "E", "H", "K", "L", "Ll", "R", "Rr", "S", "W"))


def test_a_tile_of_several_letters_is_one_tile() -> None:
    tiles = find_loose_tiles(row(["S", "CH", "A", "LL", "E", "RR", "D"], 6), SPANISH)
    assert [SPANISH.faces[int(np.argmax(tile.chances))] for tile in tiles] == ["S", "Ch", "A", "Ll", "E", "Rr", "D"]
    assert not any(tile.is_odd for tile in tiles)


def test_in_long_rows_a_tile_that_lies_otherwise_is_odd_and_hides_no_other() -> None:
    rows = [row(letters)[240:360] for letters in ("NEWARK", "GRANKS", "RAWNEK")]
    rows[1] = np.concatenate([rows[1][:, :300], np.rot90(rows[1][:, 300:420]), rows[1][:, 420:]], axis=1)
    tiles = find_loose_tiles(np.concatenate(rows))
    assert [FACES[int(np.argmax(tile.chances))] for tile in tiles if not tile.is_odd] == list("NEWARKGANKSRAWNEK")
    assert [at for at, tile in enumerate(tiles) if tile.is_odd] == [7]
