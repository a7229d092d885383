"""Drawing boards: plate, rim, squares in several styles, centre marks, print."""

from __future__ import annotations

import cv2
import numpy as np

from workshop.training.faces.typeface import FontFace, render_glyph
from workshop.training.rendering.scene_arrays import Float
from workshop.training.scene.board_style import BoardStyle
from workshop.training.scene.canvas import PLASTIC, RES, Canvas, box_depth, coverage, paint, ramp, stamp
from workshop.training.scene.textures import hsv, noise


def draw_board(rng: np.random.Generator, canvas: Canvas, style: BoardStyle, font: FontFace) -> None:
    """Draw plate, squares and print onto the canvas."""
    n = canvas.n
    bx, by = style.border
    reach = max(bx, by) + n / 2 + 0.2
    area = canvas.window(n / 2, n / 2, reach)
    x, y = canvas.x[area], canvas.y[area]
    plate = box_depth(x - n / 2, y - n / 2, n / 2 + bx, n / 2 + by, style.corner)
    edge = n / 2 + 0.02 + style.margin
    grid = box_depth(x - n / 2, y - n / 2, edge, edge, 0.02)
    on_grid = ramp(grid + style.rim_gap, max(style.rim_gap, 1.5 / RES))
    top = style.rim * (1 - on_grid)
    albedo = np.empty((*x.shape, 3), np.float32)
    albedo[:] = style.border_colour
    relief, colour = _squares(rng, canvas, style, x, y)
    inked = coverage(grid)
    paint(albedo, inked, colour)
    height = top + relief * inked
    if style.frame > 0:
        ring = box_depth(x - n / 2, y - n / 2, n / 2 + style.frame, n / 2 + style.frame, 0.05)
        paint(albedo, coverage(np.asarray(style.frame_width - np.abs(ring), np.float32)), style.ink)
    if style.fold:
        _crease(rng, x - n / 2 if rng.random() < 0.5 else y - n / 2, height, albedo)
    if style.grain > 0:
        rough = cv2.GaussianBlur(rng.standard_normal(x.shape).astype(np.float32), (0, 0), 1.3)
        height += style.grain * 0.12 * rough
        albedo *= 1 + style.grain * 2 * (noise(rng, x.shape[0], 16, 5)[:, : x.shape[1]] - 0.5)[..., None]
    whole = ramp(plate, style.bevel)
    solid = plate > 0
    body = canvas.table_z + (height - canvas.table_z) * (0.35 + 0.65 * whole)
    canvas.ground[area] = np.where(solid, body, canvas.ground[area])
    canvas.albedo[area] = np.where(solid[..., None], albedo, canvas.albedo[area])
    canvas.material[area] = np.where(solid, PLASTIC, canvas.material[area])
    canvas.materials[PLASTIC] = (style.rough, style.gloss)
    if style.logo:
        _logo(rng, canvas, style, font)


def _crease(rng: np.random.Generator, across: Float, height: Float, albedo: Float) -> None:
    """Press a crease into the board in place, dark or worn bright, one half perhaps a little higher than the other.

    `across` (h, w) is the distance from the crease, cells.
    """
    wide, seam = rng.uniform(0.02, 0.07), np.abs(across)
    step = rng.uniform(0.0, 0.04) if rng.random() < 0.4 else 0.0
    height += step * ramp(np.asarray(across + wide, np.float32), 2 * wide)
    height -= rng.uniform(0.02, 0.08) * (1 - ramp(seam, wide))
    tone = rng.uniform(0.2, 0.7) if rng.random() < 0.7 else rng.uniform(1.2, 1.8)
    albedo *= 1 + (tone - 1) * coverage(np.asarray(wide / 2 - seam, np.float32))[..., None]


def _squares(rng: np.random.Generator, canvas: Canvas, style: BoardStyle, x: Float, y: Float) -> tuple[Float, Float]:
    """Return relief (h, w) about z = 0 and colour (h, w, 3) of the playing field."""
    n = canvas.n
    u, v = x - np.floor(x) - 0.5, y - np.floor(y) - 0.5
    pad = box_depth(u, v, style.pad / 2, style.pad / 2, style.pad_radius)
    centre = _centre_mask(n, x, y)
    if style.centre == "notch":
        notch = 0.62 + 0.1 * rng.random() - (np.abs(u) + np.abs(v))
        pad = np.where(centre > 0, np.minimum(pad, notch), pad).astype(np.float32)
    colour = np.empty((*x.shape, 3), np.float32)
    colour[:] = style.base
    on_pad = ramp(pad, style.edge)
    if style.kind in ("classic", "pads"):
        relief = style.groove * (on_pad - 1)
    elif style.kind == "recessed":
        relief = style.groove * (1 - on_pad)
    else:
        relief = np.zeros_like(pad)
    if style.kind == "classic":
        colour[:] = style.square
    else:
        paint(colour, coverage(pad if style.kind != "lines" else np.ones_like(pad)), style.square)
    if style.kind == "premium":
        _premium(rng, n, x, y, colour, coverage(pad))
    if style.kind in ("lines", "premium") and (style.kind == "lines" or rng.random() < 0.7):
        thick = rng.uniform(0.012, 0.035)
        nearest = np.minimum(0.5 - np.abs(u), 0.5 - np.abs(v))
        paint(colour, coverage(np.asarray(thick - nearest, np.float32)), style.ink)
    return _mark_centre(style, u, v, pad, centre, relief.astype(np.float32), colour)


def _centre_mask(n: int, x: Float, y: Float) -> Float:
    low, high = (n // 2 - 1, n // 2 + 1) if n % 2 == 0 else (n // 2, n // 2 + 1)
    return np.asarray((x >= low) & (x < high) & (y >= low) & (y < high), np.float32)


def _mark_centre(
    style: BoardStyle, u: Float, v: Float, pad: Float, centre: Float, relief: Float, colour: Float
) -> tuple[Float, Float]:
    if style.centre == "tone" and style.kind != "classic":
        paint(colour, coverage(pad) * centre, style.centre_colour)
    elif style.centre == "dots":
        dot = coverage(np.asarray(style.mark - np.hypot(u, v), np.float32)) * centre
        if style.kind == "classic":
            relief = relief - 0.05 * dot
        else:
            paint(colour, dot, style.mark_colour)
    elif style.centre == "ring":
        ring = coverage(np.asarray(0.04 - np.abs(np.hypot(u, v) - style.mark), np.float32))
        paint(colour, ring * centre, style.mark_colour)
    elif style.centre == "print" and style.kind != "classic":
        ring = coverage(np.asarray(0.03 - np.abs(np.maximum(np.abs(u), np.abs(v)) - 0.3), np.float32))
        paint(colour, ring * centre, style.ink)
    elif style.centre == "hatch":
        lines = (np.sin((u + v) * 40) > 0).astype(np.float32) * centre * coverage(pad - 0.05)
        relief = relief - 0.03 * lines
        colour *= (1 - 0.15 * lines)[..., None]
    return relief, colour


def _premium(rng: np.random.Generator, n: int, x: Float, y: Float, colour: Float, ink: Float) -> None:
    """Colour some squares in the eightfold symmetry of other word games, with a hint of small print."""
    half = (n + 1) // 2
    kinds = np.zeros((half, half), int)
    for _ in range(int(half * half * 0.35)):
        i, j = int(rng.integers(half)), int(rng.integers(half))
        kinds[i, j] = kinds[j, i] = int(rng.integers(1, 5))
    fold = np.minimum(np.arange(n), n - 1 - np.arange(n))
    table = kinds[np.ix_(fold, fold)]
    palette = np.stack([hsv(rng, (0, 1), (0.25, 0.85), (0.45, 0.97)) for _ in range(5)])
    col = np.clip(np.floor(x).astype(int), 0, n - 1)
    row = np.clip(np.floor(y).astype(int), 0, n - 1)
    kind = table[row, col]
    picture = palette[kind]
    u, v = x - np.floor(x), y - np.floor(y)
    chars = np.sin(u * rng.uniform(50, 80) + 3 * np.sin(v * 40)) > 0.2
    rows = (np.abs(((v - 0.5) * 5) % 1 - 0.5) < 0.28) & (np.abs(v - 0.5) < 0.3) & (np.abs(u - 0.5) < 0.36)
    dark = rng.random() < 0.7
    picture = np.where((chars & rows)[..., None], 30.0 if dark else 240.0, picture)
    paint(colour, ink * (kind > 0), np.asarray(picture, np.float32))


def _logo(rng: np.random.Generator, canvas: Canvas, style: BoardStyle, font: FontFace) -> None:
    n = canvas.n
    outward = rng.random() < 0.7
    sides = [(n / 2, n + style.border[1] / 2, 0.0), (n / 2, -style.border[1] / 2, np.pi if outward else 0.0)]
    sides += [(-style.border[0] / 2, n / 2, np.pi / 2), (n + style.border[0] / 2, n / 2, -np.pi / 2)]
    mask = render_glyph(style.logo, font, 24)
    first = int(rng.integers(4))
    for q in range(style.logo_sides):
        x, y, angle = sides[(first + q * (1 if style.logo_sides != 2 else 2)) % 4 if q < 4 else q]
        wide = style.border[1] if angle in (0.0, np.pi) else style.border[0]
        high = min(wide * rng.uniform(0.4, 0.7), 0.6) * mask.shape[0] / 24
        ink = stamp(canvas, mask, x, y, angle, high) * (canvas.material == PLASTIC)
        if style.logo_moulded:
            canvas.ground += 0.035 * ink
        else:
            paint(canvas.albedo, ink, style.ink)
