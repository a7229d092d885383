"""One random scene: table, board, clutter, tiles, light and hand put together for the renderer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import FACES
from workshop.training.faces.fonts import drawable
from workshop.training.faces.typeface import FontFace
from workshop.training.rendering.scene_arrays import Float, SceneArrays
from workshop.training.scene.board import draw_board
from workshop.training.scene.board_style import BoardStyle, Restyle, random_board_style
from workshop.training.scene.canvas import MARGIN, PLASTIC, RES, TABLE, TILE, Canvas
from workshop.training.scene.clutter import draw_clutter
from workshop.training.scene.content import Content, random_content
from workshop.training.scene.hand import no_hand, random_hand
from workshop.training.scene.height_maps import coarse_maps, shade_maps
from workshop.training.scene.light import random_light
from workshop.training.scene.textures import Picture, table_texture
from workshop.training.scene.tiles import TileStyle, face_textures, lay_tiles, random_tile_style

Place = tuple[float, float, float, float, int]
"""A stack: board point x, y, turn in radians, height of its foot, layers."""

Top = Callable[[np.random.Generator], Picture]
"""What draws a table's top."""

KINDS = {"classic": 0.2, "pads": 0.2, "recessed": 0.4, "lines": 0.1, "premium": 0.1}
"""Kinds of board and how often they are drawn. [by eye]"""
NO_BOARD = 0.06
"""Share of scenes that show a table, things, racks and loose tiles, but no board. [by eye]"""
HAND = 0.2
"""Share of scenes with a hand. [by eye]"""


@dataclass(frozen=True)
class Scene:
    """A scene and its truth.

    `n` is the size of the grid, 0 without a board; `span` the cells across the middle that a camera should frame;
    `face_half` half the width of the flat top face, cells.
    """

    n: int
    span: int
    content: Content
    board: BoardStyle | None
    tiles: TileStyle
    arrays: SceneArrays
    has_hand: bool
    face_half: float

    def face_height(self, layers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return z of the top face for tile counts (0 = the square itself)."""
        return np.where(layers > 0, self.tiles.foot + layers * self.tiles.shape.layer_h, 0.0)

    def describe(self) -> dict[str, Any]:
        """Return what was drawn, for JSON."""
        return {
            "board": self.board.kind if self.board else "none",
            "flat": self.tiles.points or self.tiles.shape.layer_h < 0.19,
            "font": self.tiles.font.family,
            "hand": self.has_hand,
            "tile": round(2 * self.tiles.shape.half, 4),
            "face": round(2 * self.face_half, 4),
        }


def random_scene(
    rng: np.random.Generator,
    fonts: list[FontFace],
    restyle: Restyle | None = None,
    top: Top = table_texture,
    letters: Sequence[str] = FACES,
) -> Scene:
    """Draw a scene; one in sixteen shows no board. `restyle` changes the boards' style once it is drawn.

    Of `letters` those are on the tiles that the typeface has.
    """
    if rng.random() < NO_BOARD:
        return bare_scene(rng, fonts, top)
    return board_scene(rng, fonts, restyle, top, letters)


@dataclass(frozen=True)
class Setting:
    """A table laid for a game: the board and things around it, before any tile is played."""

    n: int
    flat: bool
    canvas: Canvas
    board: BoardStyle
    tiles: TileStyle
    loose: list[tuple[float, float, float]]


def random_setting(
    rng: np.random.Generator, fonts: list[FontFace], n: int | None = None, restyle: Restyle | None = None
) -> Setting:
    """Draw a table with a board on it and things around it; `n` asks for a size, of a game whose tiles stack.

    `restyle` changes the board's style once it is drawn.
    """
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    flat = n is None and (kind == "premium" or (kind == "lines" and rng.random() < 0.4))
    n = _grid_size(rng, flat) if n is None else n
    board = random_board_style(rng, kind)
    board = restyle(rng, board) if restyle else board
    tiles = random_tile_style(rng, fonts, flat)
    canvas = Canvas.blank(n, -board.thickness)
    font = fonts[int(rng.integers(len(fonts)))]
    draw_board(rng, canvas, board, font)
    return Setting(n, flat, canvas, board, tiles, draw_clutter(rng, canvas, tiles, font))


def lay_table(
    rng: np.random.Generator, setting: Setting, content: Content, hand: float = HAND, top: Top = table_texture
) -> Scene:
    """Return the table with these tiles on the board, under a random light; `hand` is the probability of one."""
    return _scene(rng, setting.canvas, setting.board, setting.tiles, content, setting.loose, hand, top)


def board_scene(
    rng: np.random.Generator,
    fonts: list[FontFace],
    restyle: Restyle | None = None,
    top: Top = table_texture,
    letters: Sequence[str] = FACES,
) -> Scene:
    """Draw a table with a board, tiles on it and things around it."""
    setting = random_setting(rng, fonts, restyle=restyle)
    letters = drawable(setting.tiles.font, letters)
    return lay_table(rng, setting, random_content(rng, setting.n, setting.flat, letters), top=top)


def bare_scene(rng: np.random.Generator, fonts: list[FontFace], top: Top = table_texture) -> Scene:
    """Draw a table without a board: things, racks and loose tiles lie all over it."""
    canvas = Canvas.blank(int(rng.integers(8, 13)), 0.0, board=False)
    canvas.materials[PLASTIC] = (rng.uniform(0.06, 0.55), rng.uniform(0.1, 1.0))
    tiles = random_tile_style(rng, fonts, flat=bool(rng.random() < 0.2))
    loose = draw_clutter(rng, canvas, tiles, fonts[int(rng.integers(len(fonts)))], most_loose=50)
    return _scene(rng, canvas, None, tiles, Content(np.zeros((0, 0), np.int64), ()), loose, top=top)


def _scene(
    rng: np.random.Generator,
    canvas: Canvas,
    board: BoardStyle | None,
    tiles: TileStyle,
    content: Content,
    loose: list[tuple[float, float, float]],
    hand_share: float = HAND,
    top: Top = table_texture,
) -> Scene:
    """Put tiles and perhaps a hand over what is drawn."""
    places: list[Place] = []
    faces: list[str] = []
    for row, col in np.argwhere(content.heights > 0):
        places.append((col + 0.5, row + 0.5, 0.0, tiles.foot, int(content.heights[row, col])))
        faces.append(content.faces[row][col])
    for x, y, turn in loose:
        places.append((x, y, turn, canvas.table_z + (tiles.shape.shelf if tiles.shape.nested else 0.0), 1))
        faces.append(FACES[int(rng.integers(len(FACES)))] if rng.random() < 0.6 else "")
    if not places:  # the renderer wants at least one: far below the table
        places.append((0.5, 0.5, 0.0, -50.0, 1))
        faces.append("")
    has_hand = bool(rng.random() < hand_share)
    hand = random_hand(rng, canvas.n, np.argwhere(content.heights > 0)) if has_hand else no_hand()
    arrays = scene_arrays(rng, canvas, tiles, places, faces, hand, top)
    face_half = tiles.shape.half - tiles.shape.plateau
    return Scene(len(content.heights), canvas.n, content, board, tiles, arrays, has_hand, face_half)


def _grid_size(rng: np.random.Generator, flat: bool) -> int:
    if flat:
        return int(rng.choice([15, 15, 11, 13, 8, 10, 9]))
    return int(rng.choice([8, 10, 5, 6, 7, 9, 11, 12], p=[0.42, 0.42, 0.02, 0.03, 0.03, 0.04, 0.02, 0.02]))


def scene_arrays(
    rng: np.random.Generator,
    canvas: Canvas,
    style: TileStyle,
    places: list[Place],
    faces: list[str],
    hand: tuple[Float, Float, Float],
    top: Top,
) -> SceneArrays:
    """Put the drawn maps, stacks of tiles (one place and one top face each) and a hand into a lit room."""
    stacks, tiles, bodies = lay_tiles(rng, style, places)
    atlas = face_textures(rng, style, faces)
    tops, ids = coarse_maps(canvas, style, stacks, tiles)
    near, far = shade_maps(canvas, style, stacks, tiles)
    sky, lights = random_light(rng, canvas.n)
    capsules, ball, skins = hand
    return SceneArrays(
        x0=-float(MARGIN),
        y0=-float(MARGIN),
        res=float(RES),
        table_z=canvas.table_z,
        ztop=max(float(tops.max()), 0.05) + 0.01,
        ground=canvas.ground,
        albedo=np.clip(canvas.albedo, 3, 252).astype(np.uint8),
        material=canvas.material,
        materials=_materials(rng, canvas, style),
        shade_near=near,
        shade_far=far,
        coarse_top=tops,
        coarse_ids=ids,
        stacks=stacks,
        tiles=tiles,
        bodies=bodies,
        shape=style.shape,
        atlas=atlas,
        emboss=float(style.emboss),
        glow=float(style.glow),
        reach=float(style.reach),
        tile_material=TILE,
        table=top(rng),
        table_px=float(512 / rng.uniform(6, 20)),
        capsules=capsules,
        ball=ball,
        skins=skins,
        sky=sky,
        lights=lights,
    )


def _materials(rng: np.random.Generator, canvas: Canvas, style: TileStyle) -> Float:
    """Return roughness and gloss (m, 2) of each material."""
    materials = np.zeros((TILE + 1, 2), np.float32)
    materials[TABLE] = rng.uniform(0.08, 0.7), rng.choice([0.0, rng.uniform(0.1, 1.0)])
    for row, values in canvas.materials.items():
        materials[row] = values
    materials[TILE] = style.rough, style.gloss
    return materials
