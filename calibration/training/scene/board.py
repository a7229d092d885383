"""Boards: plate, rim, squares in several styles, centre marks, print."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.training.faces.fonts import FontFace, render_glyph
from calibration.training.rendering.scene_arrays import Float
from calibration.training.scene.canvas import PLASTIC, RES, Canvas, box_depth, coverage, paint, ramp, stamp
from calibration.training.scene.textures import Colour, hsv, noise

_GAME_HUES = ((0.96, 1.03), (0.96, 1.03), (0.54, 0.68), (0.54, 0.68), (0.33, 0.47), (0.03, 0.09))
"""Reds, blues, greens and browns."""
_WORDS = (
    "UPWORDS",
    "WORDS",
    "STACK",
    "LETTERS",
    "UPWORDS",
    "Upwords",
    "WORD GAME",
    "BUILD",
    "HIGHER",
    "SPELL",
)


@dataclass(frozen=True)
class BoardStyle:
    """What one board looks like; lengths in cells, colours BGR 0..255."""

    kind: str
    thickness: float
    border: tuple[float, float]  # beyond the grid, across x and across y
    corner: float
    bevel: float
    rim: float  # height of the border over the squares
    rim_gap: float
    margin: float  # strip between the outermost lines and the border
    pad: float  # width of a pad or a recess
    pad_radius: float
    groove: float  # depth of grooves or height of ridges
    edge: float
    base: Colour
    square: Colour
    border_colour: Colour
    ink: Colour
    centre: str
    centre_colour: Colour
    mark: float  # radius of a dot or ring on the squares in the middle
    mark_colour: Colour
    frame: float  # distance of a printed frame line from the grid, 0 = none
    frame_width: float  # half of it
    logo: str
    logo_sides: int
    logo_moulded: bool
    fold: bool
    rough: float
    gloss: float
    grain: float


def random_board_style(rng: np.random.Generator, kind: str) -> BoardStyle:
    """Draw a board of the given kind."""
    recessed = kind == "recessed"
    base = _board_colour(rng)
    square = base.copy()
    if kind != "classic" and rng.random() < 0.4:
        square = np.clip(base * rng.uniform(0.6, 1.5) + rng.uniform(-20, 20), 8, 245).astype(np.float32)
    if kind in ("lines", "premium") and rng.random() < 0.6:
        square = hsv(rng, (0, 1), (0.0, 0.5), (0.5, 0.97))
    border_colour = base if rng.random() < 0.7 else _board_colour(rng)
    ink = _ink_for(rng, square)
    wide = rng.uniform(0.2, 0.75)
    flat = kind in ("lines", "premium")
    rim = 0.0 if rng.random() < 0.3 else rng.uniform(-0.04, 0.2)
    centre = str(rng.choice(["none", "notch", "dots", "dots", "ring", "tone", "tone", "print", "hatch"]))
    return BoardStyle(
        kind=kind,
        thickness=rng.uniform(0.06, 0.2) if flat and rng.random() < 0.5 else rng.uniform(0.15, 0.6),
        border=(wide, wide if rng.random() < 0.6 else float(np.clip(wide * rng.uniform(1, 2), 0.2, 1.1))),
        corner=rng.choice([0.02, rng.uniform(0.1, 0.7)]),
        bevel=rng.uniform(0.02, 0.2),
        rim=rim,
        rim_gap=rng.uniform(0.01, 0.1),
        margin=rng.uniform(0.0, 0.14) if rng.random() < 0.5 else 0.0,
        pad=rng.uniform(0.88, 1.0) if recessed else rng.uniform(0.80, 0.96),
        pad_radius=rng.uniform(0.0, 0.16),
        groove=rng.uniform(0.02, 0.1) if rng.random() < 0.7 else rng.uniform(0.08, 0.16),
        edge=rng.uniform(0.01, 0.1 if recessed else 0.05),  # ridges may be round
        base=base,
        square=square,
        border_colour=border_colour,
        ink=ink,
        centre=centre,
        centre_colour=_board_colour(rng)
        if rng.random() < 0.5
        else np.clip(square * rng.uniform(0.5, 1.6), 5, 250),
        mark=rng.uniform(0.12, 0.32),
        mark_colour=ink if rng.random() < 0.5 else np.clip(square * rng.uniform(0.5, 1.6), 5, 250),
        frame=_frame(rng, wide),
        frame_width=rng.uniform(0.015, 0.06),
        logo=str(rng.choice(_WORDS)) if rng.random() < 0.65 else "",
        logo_sides=int(rng.integers(1, 5)),
        logo_moulded=bool(rng.random() < 0.35),
        fold=bool(rng.random() < 0.2),
        rough=rng.uniform(0.06, 0.55),
        gloss=rng.uniform(0.1, 1.0),
        grain=rng.choice([0.0, rng.uniform(0, 0.08)]),
    )


def _frame(rng: np.random.Generator, border: float) -> float:
    """Draw where a frame line lies: in three of ten somewhere in the border, in two of ten along the squares."""
    pick = rng.random()
    if pick < 0.3:
        return float(rng.uniform(0.06, max(0.07, border - 0.1)))
    return float(rng.uniform(0.01, 0.1)) if pick < 0.5 else 0.0


def _board_colour(rng: np.random.Generator) -> Colour:
    """Draw dark grey, tan, white, one of the deep colours that games are moulded in, or (one in five) anything."""
    pick = rng.random()
    if pick < 0.2:
        return hsv(rng, (0, 1), (0.0, 0.2), (0.08, 0.45))
    if pick < 0.4:
        return hsv(rng, (0.05, 0.14), (0.1, 0.45), (0.45, 0.9))
    if pick < 0.48:
        return hsv(rng, (0, 1), (0, 0.1), (0.75, 0.97))
    if pick < 0.8:
        hue = _GAME_HUES[int(rng.integers(len(_GAME_HUES)))]
        return hsv(rng, hue, (0.3, 0.8), (0.18, 0.65))
    return hsv(rng, (0, 1), (0.4, 0.95), (0.2, 0.9))


def _ink_for(rng: np.random.Generator, ground: Colour) -> Colour:
    if rng.random() < 0.2:
        return hsv(rng, (0, 1), (0.3, 0.9), (0.3, 0.9))
    light = float(ground.mean()) < 120 if rng.random() < 0.9 else rng.random() < 0.5
    return (
        hsv(rng, (0.08, 0.17), (0, 0.35), (0.8, 1.0)) if light else hsv(rng, (0, 1), (0, 0.5), (0.02, 0.35))
    )


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


def _squares(
    rng: np.random.Generator, canvas: Canvas, style: BoardStyle, x: Float, y: Float
) -> tuple[Float, Float]:
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
