"""Things on the table round the board: racks, coins, books, score pads, pens, cups."""

from __future__ import annotations

import numpy as np

from calibration.training.fonts import FontFace, render_glyph
from calibration.training.scene import METAL, PAPER, PLASTIC, Canvas, box_depth, coverage, paint, ramp, stamp
from calibration.training.scene_tiles import TileStyle
from calibration.training.textures import hsv

Place = tuple[float, float, float]


def scatter(rng: np.random.Generator, canvas: Canvas, count: int, reach: float) -> list[Place]:
    """Return up to `count` free places (x, y, turn) on the table, `reach` cells from the board's plate."""
    out: list[Place] = []
    low, high = -4.5, canvas.n + 4.5
    for _ in range(count * 6):
        if len(out) == count:
            break
        x, y = rng.uniform(low, high, 2)
        area = canvas.window(x, y, reach)
        if (canvas.material[area] == 0).all():
            out.append((float(x), float(y), float(rng.uniform(0, 2 * np.pi))))
    return out


def draw_clutter(rng: np.random.Generator, canvas: Canvas, tiles: TileStyle, font: FontFace) -> list[Place]:
    """Draw random things; return places for loose tiles."""
    canvas.materials[PAPER] = (0.9, 0.05, 0.0)
    canvas.materials[METAL] = (0.25, 1.0, 0.0)
    if rng.random() < 0.6:
        for _ in range(int(rng.integers(1, 5))):
            _rack(rng, canvas, tiles)
    if rng.random() < 0.35:
        _slab(rng, canvas, font, book=False)
    if rng.random() < 0.3:
        _slab(rng, canvas, font, book=True)
    for x, y, _ in scatter(rng, canvas, int(rng.integers(0, 6)) * int(rng.random() < 0.4), 0.8):
        _disc(rng, canvas, x, y, rng.uniform(0.4, 0.7), 0.12, METAL)
    if rng.random() < 0.2:
        for x, y, _ in scatter(rng, canvas, 1, 2.2):
            _disc(rng, canvas, x, y, rng.uniform(1.4, 2.1), rng.uniform(2.0, 4.0), PLASTIC)
    if rng.random() < 0.3:
        _pen(rng, canvas)
    loose = int(rng.integers(1, 16)) if rng.random() < 0.5 else 0
    return scatter(rng, canvas, loose, 0.75)


def _local(canvas: Canvas, x: float, y: float, turn: float, reach: float):  # type: ignore[no-untyped-def]
    area = canvas.window(x, y, reach)
    dx, dy = canvas.x[area] - x, canvas.y[area] - y
    c, s = np.cos(turn), np.sin(turn)
    return area, c * dx + s * dy, c * dy - s * dx


def _rack(rng: np.random.Generator, canvas: Canvas, tiles: TileStyle) -> None:
    """A wedge with a ledge along one side of the board, tiles leaning on its slope."""
    n = canvas.n
    half = rng.uniform(3.5, 5.0)
    deep = rng.uniform(0.6, 1.1)
    side = rng.integers(4)
    away = n / 2 + rng.uniform(1.6, 4.5) + deep
    turn = side * np.pi / 2 + rng.normal(0, 0.12)
    along = rng.normal(0, 1.2)
    cx = n / 2 + away * np.cos(turn) - along * np.sin(turn)
    cy = n / 2 + away * np.sin(turn) + along * np.cos(turn)
    area, v, u = _local(canvas, cx, cy, turn, half + 1.5)
    if u.size == 0 or (canvas.material[area][box_depth(u, v, half, deep, 0.05) > 0] > 0).any():
        return
    tall = rng.uniform(0.8, 1.5)
    depth = box_depth(u, v, half, deep, 0.08)
    # v grows away from the board; players look at the slope from outside
    ledge = 0.25 * tall
    slope = np.clip((deep - v) / (2 * deep), 0, 1)
    profile = np.where(v > 0.7 * deep, ledge, ledge + (tall - ledge) * np.minimum(1, slope * 1.4))
    profile = np.where(v < -0.75 * deep, tall * np.clip((v + deep) / (0.25 * deep) + 0.3, 0, 1), profile)
    colour = hsv(rng, (0, 1), (0, 0.9), (0.1, 0.9))
    albedo = np.empty((*u.shape, 3), np.float32)
    albedo[:] = colour
    count = int(rng.integers(0, 8))
    for k in range(count):
        offset = (k - (count - 1) / 2) * 1.02
        tile = box_depth(u - offset, v - 0.05 * deep, 0.47, 0.55 * deep, 0.06)
        profile = profile + 0.16 * ramp(np.asarray(tile, np.float32), 0.05)
        paint(albedo, coverage(np.asarray(tile, np.float32)), tiles.face)
        bar = coverage(np.asarray(0.05 - np.abs(np.hypot(u - offset, v - 0.05 * deep) - 0.17), np.float32))
        paint(albedo, bar * coverage(np.asarray(tile, np.float32)), tiles.ink)
    solid = depth > 0
    canvas.ground[area] = np.where(solid, canvas.table_z + profile * ramp(depth, 0.06), canvas.ground[area])
    canvas.albedo[area] = np.where(solid[..., None], albedo, canvas.albedo[area])
    canvas.material[area] = np.where(solid, PLASTIC, canvas.material[area])


def _slab(rng: np.random.Generator, canvas: Canvas, font: FontFace, book: bool) -> None:
    """A score pad with lines and writing, or a book with a title."""
    half_w, half_h = (rng.uniform(1.5, 3.5), rng.uniform(2, 4))
    places = scatter(rng, canvas, 1, 1.2)
    if not places:
        return
    x, y, turn = places[0]
    away = np.array([x - canvas.n / 2, y - canvas.n / 2])
    x, y = np.array([x, y]) + away / (np.linalg.norm(away) + 1e-6) * half_w
    area, u, v = _local(canvas, x, y, turn, half_w + half_h)
    depth = box_depth(u, v, half_w, half_h, 0.05)
    solid = (depth > 0) & (canvas.material[area] == 0)
    colour = hsv(rng, (0, 1), (0.2, 0.9), (0.1, 0.9)) if book else hsv(rng, (0, 1), (0, 0.15), (0.8, 0.98))
    albedo = np.empty((*u.shape, 3), np.float32)
    albedo[:] = colour
    if not book:
        rule = np.abs(((v * 2.5) % 1) - 0.5) < 0.04
        albedo[rule] = hsv(rng, (0.5, 0.7), (0.2, 0.6), (0.6, 0.9))
    canvas.ground[area] = np.where(
        solid,
        canvas.table_z + (rng.uniform(0.3, 1.2) if book else rng.uniform(0.02, 0.3)),
        canvas.ground[area],
    )
    canvas.albedo[area] = np.where(solid[..., None], albedo, canvas.albedo[area])
    canvas.material[area] = np.where(
        solid, PLASTIC if book and rng.random() < 0.5 else PAPER, canvas.material[area]
    )
    ink = hsv(rng, (0, 1), (0, 0.7), (0.02, 0.4)) if colour.mean() > 110 else np.full(3, 235, np.float32)
    here = np.zeros(canvas.ground.shape, bool)
    here[area] = solid
    for k in range(int(rng.integers(1, 3) if book else rng.integers(1, 6))):
        text = "".join(chr(65 + int(c)) for c in rng.integers(0, 26, int(rng.integers(3, 8))))
        text = text.title() if rng.random() < 0.5 else text
        if not book and rng.random() < 0.5:
            text += " " + str(int(rng.integers(2, 40)))
        across, down = -0.1 * half_w, -half_h * 0.6 + k * (0.9 if book else 0.55)
        px = x + np.cos(turn) * across - np.sin(turn) * down
        py = y + np.sin(turn) * across + np.cos(turn) * down
        mask = render_glyph(text, font, 24)
        high = rng.uniform(0.7, 1.5) if book else rng.uniform(0.4, 0.8)
        high = min(high, 1.7 * half_w * mask.shape[0] / mask.shape[1])
        paint(canvas.albedo, stamp(canvas, mask, px, py, turn, high) * here, ink)


def _disc(
    rng: np.random.Generator, canvas: Canvas, x: float, y: float, radius: float, height: float, material: int
) -> None:
    """A coin, or a cup standing open with a drink in it."""
    area, u, v = _local(canvas, x, y, 0.0, radius + 0.2)
    far = np.hypot(u, v)
    depth = np.asarray(radius - far, np.float32)
    tall = height * ramp(depth, 0.05)
    metal = hsv(rng, (0.05, 0.14), (0.1, 0.6), (0.4, 0.8))
    colour = metal if material == METAL else hsv(rng, (0, 1), (0, 0.9), (0.1, 0.97))
    albedo = np.empty((*u.shape, 3), np.float32)
    albedo[:] = colour
    if material == METAL:
        tall = tall + 0.02 * np.sin(u * 9 + rng.uniform(0, 6)) * np.cos(v * 8) * (depth > 0.1)
    else:
        drink = depth > 0.3
        tall = np.where(drink, height * rng.uniform(0.5, 0.9), tall)
        albedo[drink] = hsv(rng, (0.02, 0.12), (0.3, 0.9), (0.1, 0.8))
    solid = depth > 0
    canvas.ground[area] = np.where(solid, canvas.table_z + tall, canvas.ground[area])
    canvas.albedo[area] = np.where(solid[..., None], albedo, canvas.albedo[area])
    canvas.material[area] = np.where(solid, material, canvas.material[area])


def _pen(rng: np.random.Generator, canvas: Canvas) -> None:
    for x, y, turn in scatter(rng, canvas, 1, 1.0):
        half = rng.uniform(2.0, 3.2)
        area, u, v = _local(canvas, x, y, turn, half + 0.3)
        depth = box_depth(u, v, half, 0.17, 0.05)
        solid = (depth > 0) & (canvas.material[area] == 0)
        tall = np.sqrt(np.maximum(0.0, 0.17**2 - v**2)) * 2
        colour = hsv(rng, (0, 1), (0, 0.95), (0.05, 0.95))
        canvas.ground[area] = np.where(solid, canvas.table_z + tall, canvas.ground[area])
        albedo = np.where((u > half - 0.5)[..., None], hsv(rng, (0.1, 0.12), (0.2, 0.5), (0.6, 0.9)), colour)
        canvas.albedo[area] = np.where(solid[..., None], albedo, canvas.albedo[area])
        canvas.material[area] = np.where(solid, PLASTIC, canvas.material[area])
