"""Things on the table round the board: racks, coins, books, score pads, pens, cups."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine import FACES
from workshop.training.faces.typeface import FontFace, render_glyph
from workshop.training.rendering.scene_arrays import ATLAS, Float
from workshop.training.scene.canvas import METAL, PAPER, PLASTIC, Canvas, box_depth, coverage, paint, ramp, stamp
from workshop.training.scene.textures import Colour, hsv
from workshop.training.scene.tiles import TileStyle, letter_mask

Place = tuple[float, float, float]
"""Board point x, y, and turn in radians."""
Mask = NDArray[np.bool_]


def scatter(rng: np.random.Generator, canvas: Canvas, count: int, reach: float) -> list[Place]:
    """Return up to `count` free places (x, y, turn) on the table, `reach` cells from other things."""
    out: list[Place] = []
    low, high = -4.5, canvas.n + 4.5
    for _ in range(count * 6):
        if len(out) == count:
            break
        x, y = rng.uniform(low, high, 2)
        area = canvas.window(x, y, reach)
        apart = all(np.hypot(x - u, y - v) > 1.9 * reach for u, v, _ in out)
        if apart and (canvas.material[area] == 0).all():
            out.append((float(x), float(y), float(rng.uniform(0, 2 * np.pi))))
    return out


def draw_clutter(
    rng: np.random.Generator, canvas: Canvas, tiles: TileStyle, font: FontFace, most_loose: int = 15
) -> list[Place]:
    """Draw random things; return places for up to `most_loose` loose tiles."""
    canvas.materials[PAPER] = (0.9, 0.05)
    canvas.materials[METAL] = (0.25, 1.0)
    if rng.random() < 0.6:
        for _ in range(int(rng.integers(1, 5))):
            _rack(rng, canvas, tiles)
    if rng.random() < 0.35:
        _slab(rng, canvas, font, book=False)
    if rng.random() < 0.3:
        _slab(rng, canvas, font, book=True)
    for place in scatter(rng, canvas, int(rng.integers(0, 6)) * int(rng.random() < 0.4), 0.8):
        _disc(rng, canvas, place, rng.uniform(0.4, 0.7), 0.12, METAL)
    if rng.random() < 0.2:
        for place in scatter(rng, canvas, 1, 2.2):
            _disc(rng, canvas, place, rng.uniform(1.4, 2.1), rng.uniform(2.0, 4.0), PLASTIC)
    if rng.random() < 0.3:
        _pen(rng, canvas)
    loose = int(rng.integers(1, most_loose + 1)) if rng.random() < 0.5 else 0
    return scatter(rng, canvas, loose, 0.75)


@dataclass(frozen=True)
class _Spot:
    """A place on the table, and the map around it: coordinates `u`, `v` (h, w) in cells along a thing turned there."""

    x: float
    y: float
    turn: float
    area: tuple[slice, slice]
    u: Float
    v: Float

    @staticmethod
    def at(canvas: Canvas, place: Place, reach: float) -> _Spot:
        """Return the spot of a thing that reaches no farther than `reach` from its middle."""
        x, y, turn = place
        area = canvas.window(x, y, reach)
        dx, dy = canvas.x[area] - x, canvas.y[area] - y
        c, s = np.cos(turn), np.sin(turn)
        u, v = np.asarray(c * dx + s * dy, np.float32), np.asarray(c * dy - s * dx, np.float32)
        return _Spot(x, y, turn, area, u, v)

    def point(self, u: float, v: float) -> tuple[float, float]:
        """Return the board point (x, y) of (u, v)."""
        c, s = float(np.cos(self.turn)), float(np.sin(self.turn))
        return self.x + c * u - s * v, self.y + s * u + c * v

    def plain(self, colour: Colour) -> Float:
        """Return a picture (h, w, 3) of one colour."""
        albedo = np.empty((*self.u.shape, 3), np.float32)
        albedo[:] = colour
        return albedo

    def free(self, canvas: Canvas, shape: Float) -> Mask:
        """Return where a shape (depth, h, w) covers bare table."""
        return np.asarray((shape > 0) & (canvas.material[self.area] == 0), np.bool_)


def _put(canvas: Canvas, spot: _Spot, solid: Mask, height: Float | float, albedo: Float, material: int) -> None:
    """Set the part `solid` (h, w) of a spot to a height over the table, a picture and a material."""
    area = spot.area
    canvas.ground[area] = np.where(solid, canvas.table_z + height, canvas.ground[area])
    canvas.albedo[area] = np.where(solid[..., None], albedo, canvas.albedo[area])
    canvas.material[area] = np.where(solid, material, canvas.material[area])


def _rack(rng: np.random.Generator, canvas: Canvas, tiles: TileStyle) -> None:
    """Lay a wedge with a ledge along one side of the board, tiles leaning on its slope, to be read from outside."""
    half, deep = rng.uniform(3.5, 5.0), rng.uniform(0.6, 1.1)
    side = rng.integers(4)
    away = canvas.clear + rng.uniform(1.6, 4.5) + deep
    turn = float(side * np.pi / 2 + rng.normal(0, 0.12))
    along = rng.normal(0, 1.2)
    cx = canvas.n / 2 + away * np.cos(turn) - along * np.sin(turn)
    cy = canvas.n / 2 + away * np.sin(turn) + along * np.cos(turn)
    spot = _Spot.at(canvas, (float(cx), float(cy), turn), half + 1.5)
    away_from_board, sideways = spot.u, spot.v
    depth = box_depth(sideways, away_from_board, half, deep, 0.08)
    if depth.size == 0 or (canvas.material[spot.area][depth > 0] > 0).any():
        return
    tall = rng.uniform(0.8, 1.5)
    ledge = 0.25 * tall
    slope = np.clip((deep - away_from_board) / (2 * deep), 0, 1)
    profile = np.where(away_from_board > 0.7 * deep, ledge, ledge + (tall - ledge) * np.minimum(1, slope * 1.4))
    back = tall * np.clip((away_from_board + deep) / (0.25 * deep) + 0.3, 0, 1)
    profile = np.where(away_from_board < -0.75 * deep, back, profile)
    albedo = spot.plain(hsv(rng, (0, 1), (0, 0.9), (0.1, 0.9)))
    count = int(rng.integers(0, 8))
    for k in range(count):
        face = FACES[int(rng.integers(len(FACES)))]
        tile = _leaning_tile(canvas, spot, tiles, face, ((k - (count - 1) / 2) * 1.02, deep), albedo)
        profile = profile + 0.16 * ramp(tile, 0.05)
    _put(canvas, spot, depth > 0, np.asarray(profile * ramp(depth, 0.06), np.float32), albedo, PLASTIC)


def _leaning_tile(
    canvas: Canvas, spot: _Spot, tiles: TileStyle, face: str, place: tuple[float, float], albedo: Float
) -> Float:
    """Print a tile on a rack's picture, `place` = (its offset, the rack's depth); return its shape (depth, h, w)."""
    offset, deep = place
    tile = box_depth(spot.v - offset, spot.u - 0.05 * deep, 0.47, 0.55 * deep, 0.06)
    paint(albedo, coverage(tile), tiles.face)
    squash = min(1.0, 0.55 * deep / 0.47)  # a tile that leans is foreshortened as seen from above
    letter = cv2.resize(letter_mask(tiles, face), (ATLAS, round(ATLAS * squash)), interpolation=cv2.INTER_AREA)
    x, y = spot.point(0.05 * deep, offset)
    ink = stamp(canvas, np.asarray(letter, np.uint8), x, y, spot.turn - np.pi / 2, squash)[spot.area]
    paint(albedo, ink * coverage(tile), tiles.ink)
    return tile


def _slab(rng: np.random.Generator, canvas: Canvas, font: FontFace, book: bool) -> None:
    """Lay a score pad with lines and writing, or a book with a title."""
    half_w, half_h = (rng.uniform(1.5, 3.5), rng.uniform(2, 4))
    places = scatter(rng, canvas, 1, 1.2)
    if not places:
        return
    x, y, turn = places[0]
    away = np.array([x - canvas.n / 2, y - canvas.n / 2])
    x, y = np.array([x, y]) + away / (np.linalg.norm(away) + 1e-6) * half_w
    spot = _Spot.at(canvas, (float(x), float(y), turn), half_w + half_h)
    solid = spot.free(canvas, box_depth(spot.u, spot.v, half_w, half_h, 0.05))
    colour = hsv(rng, (0, 1), (0.2, 0.9), (0.1, 0.9)) if book else hsv(rng, (0, 1), (0, 0.15), (0.8, 0.98))
    albedo = spot.plain(colour)
    if not book:
        rule = np.abs(((spot.v * 2.5) % 1) - 0.5) < 0.04
        albedo[rule] = hsv(rng, (0.5, 0.7), (0.2, 0.6), (0.6, 0.9))
    height = rng.uniform(0.3, 1.2) if book else rng.uniform(0.02, 0.3)
    _put(canvas, spot, solid, height, albedo, PLASTIC if book and rng.random() < 0.5 else PAPER)
    ink = hsv(rng, (0, 1), (0, 0.7), (0.02, 0.4)) if colour.mean() > 110 else np.full(3, 235, np.float32)
    here = np.zeros(canvas.ground.shape, bool)
    here[spot.area] = solid
    for k in range(int(rng.integers(1, 3) if book else rng.integers(1, 6))):
        mask = render_glyph(_scribble(rng, numbers=not book), font, 24)
        high = rng.uniform(0.7, 1.5) if book else rng.uniform(0.4, 0.8)
        high = min(high, 1.7 * half_w * mask.shape[0] / mask.shape[1])
        px, py = spot.point(-0.1 * half_w, -half_h * 0.6 + k * (0.9 if book else 0.55))
        paint(canvas.albedo, stamp(canvas, mask, px, py, turn, high) * here, ink)


def _scribble(rng: np.random.Generator, *, numbers: bool) -> str:
    """Return a few random letters, with a score behind them now and then when `numbers`."""
    text = "".join(chr(65 + int(c)) for c in rng.integers(0, 26, int(rng.integers(3, 8))))
    text = text.title() if rng.random() < 0.5 else text
    return f"{text} {int(rng.integers(2, 40))}" if numbers and rng.random() < 0.5 else text


def _disc(rng: np.random.Generator, canvas: Canvas, place: Place, radius: float, height: float, material: int) -> None:
    """Lay a coin, or a cup standing open with a drink in it."""
    spot = _Spot.at(canvas, place, radius + 0.2)
    depth = np.asarray(radius - np.hypot(spot.u, spot.v), np.float32)
    tall = height * ramp(depth, 0.05)
    metal = hsv(rng, (0.05, 0.14), (0.1, 0.6), (0.4, 0.8))
    albedo = spot.plain(metal if material == METAL else hsv(rng, (0, 1), (0, 0.9), (0.1, 0.97)))
    if material == METAL:
        tall = tall + 0.02 * np.sin(spot.u * 9 + rng.uniform(0, 6)) * np.cos(spot.v * 8) * (depth > 0.1)
    else:
        drink = depth > 0.3
        tall = np.where(drink, height * rng.uniform(0.5, 0.9), tall)
        albedo[drink] = hsv(rng, (0.02, 0.12), (0.3, 0.9), (0.1, 0.8))
    _put(canvas, spot, depth > 0, np.asarray(tall, np.float32), albedo, material)


def _pen(rng: np.random.Generator, canvas: Canvas) -> None:
    for place in scatter(rng, canvas, 1, 1.0):
        half = rng.uniform(2.0, 3.2)
        spot = _Spot.at(canvas, place, half + 0.3)
        solid = spot.free(canvas, box_depth(spot.u, spot.v, half, 0.17, 0.05))
        tall = np.sqrt(np.maximum(0.0, 0.17**2 - spot.v**2)) * 2
        colour = hsv(rng, (0, 1), (0, 0.95), (0.05, 0.95))
        tip = hsv(rng, (0.1, 0.12), (0.2, 0.5), (0.6, 0.9))
        albedo = np.where((spot.u > half - 0.5)[..., None], tip, colour)
        _put(canvas, spot, solid, tall, albedo, PLASTIC)
