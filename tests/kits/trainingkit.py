"""Typefaces and small scenes that the training tests share."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import GlyphCoordinates
from PIL import ImageFont

if TYPE_CHECKING:
    from workshop.training.faces.typeface import FontFace
    from workshop.training.rendering.ray_marcher import Camera
    from workshop.training.scene.build import Scene
    from workshop.training.scene.tiles import TileStyle

CAPITALS = 700
"""Height of the capitals in units of the typeface that Pillow carries."""


def write_font(path: Path, family: str, *, bend: float = 1.0, bars: str = "") -> Path:
    """Write Pillow's own typeface under another name.

    `bend` other than 1 moves bars and bowls up or down, which makes it another drawing; the letters in `bars`
    become upright bars.
    """
    own = ImageFont.load_default(20)
    assert isinstance(own, ImageFont.FreeTypeFont)
    font = TTFont(BytesIO(own.font_bytes))
    for record in font["name"].names:
        if record.nameID in (1, 16):
            record.string = family
    glyphs, names = font["glyf"], font.getBestCmap()
    for name in font.getGlyphOrder():
        glyph = glyphs[name]
        if glyph.numberOfContours <= 0:
            continue
        moved = [(x, round(CAPITALS * (y / CAPITALS) ** bend) if y > 0 else y) for x, y in glyph.coordinates]
        if name in {names[ord(letter)] for letter in bars}:
            moved = [((40, 80)[k // 2 % 2], (0, CAPITALS)[(k + 1) // 2 % 2]) for k in range(len(moved))]
        glyph.coordinates = GlyphCoordinates(moved)
        glyph.recalcBounds(glyphs)
    font.save(path)
    return path


def write_typefaces(folder: Path) -> Path:
    """Write three typefaces to draw and train with."""
    for number, bend in enumerate((0.75, 1.0, 1.4)):
        write_font(folder / f"{number}.ttf", f"Made Up {number}", bend=bend)
    return folder


GREEN, RED, BLUE, GREY = ((30, 200, 30), (30, 30, 200), (220, 40, 40), (60, 60, 60))
"""Colours of faces, sides of tiles, marks and board, BGR."""


def colour(picture: np.ndarray, channel: int) -> np.ndarray:
    """The pixels (h, w) of a picture (h, w, 3) in which one channel outshines the others by far."""
    others = np.delete(picture, channel, axis=2).max(axis=2)
    return np.asarray(picture[..., channel] > 2.0 * others)


def middle_of(mask: np.ndarray) -> np.ndarray:
    """The mean position (x, y) of the pixels of a mask."""
    rows, cols = np.nonzero(mask)
    return np.array([cols.mean(), rows.mean()])


def plain_tiles(typefaces: list[FontFace]) -> TileStyle:
    """A set of tiles with matt green faces and red sides, 0.25 cells a layer, not worn."""
    from workshop.training.scene.tiles import random_tile_style

    style = random_tile_style(np.random.default_rng(4), typefaces, flat=False)
    shape = style.shape._replace(half=0.46, layer_h=0.25, shelf=0.0, nested=0.0, plateau=0.0, bevel=0.01)
    green, red = np.array(GREEN, np.float32), np.array(RED, np.float32)
    style = replace(style, shape=shape, foot=0.0, body=red, face=green)
    return replace(style, looseness=0.0, twist=0.0, wear=0.0, gloss=0.0, grain=False, glow=0.0, marks=None)


def plain_scene(
    typefaces: list[FontFace],
    stacks: dict[tuple[int, int], int],
    *,
    n: int = 8,
    mark: tuple[float, float] | None = None,
    hand: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
) -> Scene:
    """A grey slab with blank tiles, {(row, col): layers}, a blue disc at the point `mark`, and a hand."""
    from workshop.training.scene.build import Scene, scene_arrays
    from workshop.training.scene.canvas import PLASTIC, Canvas
    from workshop.training.scene.content import Content
    from workshop.training.scene.hand import no_hand
    from workshop.training.scene.textures import table_texture

    canvas = Canvas.blank(n, -0.3)
    area = canvas.window(n / 2, n / 2, n / 2 + 0.3)
    canvas.ground[area], canvas.albedo[area], canvas.material[area] = 0.0, GREY, PLASTIC
    canvas.materials[PLASTIC] = (1.0, 0.0)
    if mark:
        canvas.albedo[np.hypot(canvas.x - mark[0], canvas.y - mark[1]) < 0.3] = BLUE
    style = plain_tiles(typefaces)
    heights = np.zeros((n, n), np.int64)
    for square, layers in stacks.items():
        heights[square] = layers
    squares = [(int(row), int(col)) for row, col in np.argwhere(heights > 0)]
    places = [(col + 0.5, row + 0.5, 0.0, style.foot, int(heights[row, col])) for row, col in squares]
    places = places or [(0.5, 0.5, 0.0, -50.0, 1)]
    rng = np.random.default_rng(7)
    arrays = scene_arrays(rng, canvas, style, places, [""] * len(places), hand or no_hand(), table_texture)
    content = Content(heights, tuple(("",) * n for _ in range(n)))
    return Scene(n, n, content, None, style, arrays, hand is not None, style.shape.half)


def small_camera(
    n: int,
    *,
    tilt: float,
    turn: float = 40.0,
    roll: float = 0.0,
    dist: tuple[float, float] = (0.0, 0.0),
    hfov: float = 50.0,
) -> Camera:
    """A camera of 160 x 120 pixels that sees an n x n grid, its angles in degrees."""
    from workshop.training.rendering.ray_marcher import look_at

    a, b = np.radians([tilt, turn])
    away = np.array([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)])
    middle = np.array([n / 2, n / 2, 0.0])
    reach = 0.89 * n / np.tan(np.radians(hfov) / 2)
    return look_at(160, 120, hfov, dist, middle + reach * away, middle, roll)
