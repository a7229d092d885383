"""Procedural surfaces: tileable pictures of wood, cloth, stone and print. Colours are sRGB bytes, BGR order."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Field = NDArray[np.float32]
Colour = NDArray[np.float32]


def hsv(
    rng: np.random.Generator, hue: tuple[float, float], sat: tuple[float, float], val: tuple[float, float]
) -> Colour:
    """Return a random colour, BGR 0..255, within ranges of hue (turns), saturation and value (0..1)."""
    red, green, blue = colorsys.hsv_to_rgb(rng.uniform(*hue) % 1.0, rng.uniform(*sat), rng.uniform(*val))
    return np.array([blue, green, red], np.float32) * 255


def noise(rng: np.random.Generator, size: int, cells: int, octaves: int = 4, stretch: int = 1) -> Field:
    """Return tileable value noise (size, size), about 0..1; `stretch` lengthens it along x."""
    out = np.zeros((size, size), np.float32)
    weight, total = 1.0, 0.0
    for _ in range(octaves):
        across = max(1, cells // stretch)
        if cells > size // 2:
            break
        grid = rng.random((cells, across)).astype(np.float32)
        grid = np.pad(grid, 3, mode="wrap")
        big = cv2.resize(
            grid, ((across + 6) * size // across, (cells + 6) * size // cells), interpolation=cv2.INTER_CUBIC
        )
        y, x = 3 * size // cells, 3 * size // across
        out += weight * big[y : y + size, x : x + size]
        total += weight
        weight *= 0.55
        cells *= 2
    return np.asarray(out / total, np.float32)


def blend(first: Colour, second: Colour, share: Field) -> Field:
    """Mix two colours by a field (h, w) of shares 0..1 of the second."""
    return first + (second - first) * np.clip(share, 0, 1)[..., None]


def wood(rng: np.random.Generator, size: int) -> Field:
    light = hsv(rng, (0.04, 0.12), (0.25, 0.75), (0.35, 0.85))
    dark = light * rng.uniform(0.45, 0.85)
    grain = noise(rng, size, int(rng.integers(24, 64)), 3, stretch=int(rng.integers(8, 16)))
    wave = noise(rng, size, 4, 3, stretch=2)
    rings = np.asarray(0.5 + 0.5 * np.sin((wave * rng.uniform(4, 14) + grain * 1.5) * 2 * np.pi), np.float32)
    out = blend(light, dark, rings * rng.uniform(0.2, 0.7) + grain * rng.uniform(0.1, 0.6))
    planks = int(rng.integers(0, 7))
    if planks:
        step = size // planks
        for i in range(planks):
            out[i * step : (i + 1) * step] *= rng.uniform(0.85, 1.1)
            out[i * step : i * step + max(1, size // 300)] *= rng.uniform(0.3, 0.8)
    return out if rng.random() < 0.5 else out.transpose(1, 0, 2)


def cloth(rng: np.random.Generator, size: int) -> Field:
    most = 0.7 if rng.random() < 0.35 else 0.3
    base = hsv(rng, (0, 1), (0.0, most), (0.25, 0.95))
    other = hsv(rng, (0, 1), (0.0, most), (0.25, 0.95)) if rng.random() < 0.5 else np.full(3, 240, np.float32)
    count = int(rng.choice([2, 4, 6, 8, 12, 16, 24]))
    phase = np.asarray(np.arange(size, dtype=np.float32) / size * count, np.float32)
    stripe = ((phase % 1) < rng.uniform(0.15, 0.6)).astype(np.float32)
    out = blend(base, other, _weave(rng, phase, stripe))
    weave = np.add.outer(np.arange(size) % 4 < 2, np.arange(size) % 4 < 2) % 2
    return out * (
        1 + rng.uniform(0, 0.1) * (weave[..., None] - 0.5) + 0.08 * (noise(rng, size, 64, 2) - 0.5)[..., None]
    )


def _weave(rng: np.random.Generator, phase: Field, stripe: Field) -> Field:
    """Return the shares (size, size) of the second colour: stripes, gingham, checks or dots."""
    kind = rng.integers(4)
    if kind == 0:
        return np.repeat(stripe[:, None], len(stripe), axis=1)
    if kind == 1:
        return np.asarray((stripe[:, None] + stripe[None, :]) / 2, np.float32)
    if kind == 2:
        return np.asarray(np.abs(stripe[:, None] - stripe[None, :]), np.float32)
    cell = (phase % 1) - 0.5
    return np.asarray(np.hypot(cell[:, None], cell[None, :]) < rng.uniform(0.15, 0.4), np.float32)


def marble(rng: np.random.Generator, size: int) -> Field:
    base = hsv(rng, (0, 1), (0, 0.2), (0.15, 0.95))
    vein = np.clip(base + rng.choice([-1, 1]) * rng.uniform(20, 90), 0, 255).astype(np.float32)
    field = noise(rng, size, int(rng.integers(2, 6)), 5)
    return blend(base, vein, np.exp(-np.abs(field - 0.5) * rng.uniform(20, 80)) + 0.3 * (field - 0.3))


def speckle(rng: np.random.Generator, size: int) -> Field:
    base = hsv(rng, (0, 1), (0, 0.5), (0.15, 0.9))
    other = hsv(rng, (0, 1), (0, 0.5), (0.05, 0.95))
    field = noise(rng, size, int(rng.choice([32, 64, 128])), 3)
    return blend(base, other, (field - rng.uniform(0.45, 0.65)) * rng.uniform(3, 12))


def plain(rng: np.random.Generator, size: int) -> Field:
    pick = rng.random()
    if pick < 0.25:
        base = hsv(rng, (0, 1), (0, 0.8), (0.06, 0.97))
    elif pick < 0.6:
        base = hsv(rng, (0, 1), (0, 0.1), (0.35, 1))
    else:
        base = hsv(rng, (0.03, 0.15), (0.1, 0.5), (0.15, 0.95))
    return base * (1 + 0.1 * (noise(rng, size, 4, 5) - 0.5)[..., None])


def carpet(rng: np.random.Generator, size: int) -> Field:
    base = hsv(rng, (0, 1), (0, 0.6), (0.15, 0.7))
    out = base * (0.6 + 0.8 * noise(rng, size, size // 4, 2)[..., None])
    if rng.random() < 0.5:
        other = hsv(rng, (0, 1), (0.1, 0.7), (0.2, 0.8))
        out = out + (other - base) * (noise(rng, size, 6, 2) > 0.55)[..., None]
    return out


def pattern(rng: np.random.Generator, size: int) -> Field:
    """Draw scattered shapes, tiles or lines, like printed oilcloth or a tiled table."""
    out = np.empty((size, size, 3), np.float32)
    out[:] = hsv(rng, (0, 1), (0, 0.6), (0.3, 0.97))
    shapes = [hsv(rng, (0, 1), (0.1, 0.9), (0.2, 0.95)).tolist() for _ in range(3)]
    count = int(rng.choice([3, 4, 6, 8]))
    step = size // count
    kind = rng.integers(4)
    for i in range(count):
        for j in range(count):
            centre = (int((j + 0.5) * step + rng.integers(-4, 5)), int((i + 0.5) * step))
            colour = shapes[(i * 2 + j) % 3]
            if kind == 0:
                cv2.circle(out, centre, int(step * rng.uniform(0.1, 0.4)), colour, -1, cv2.LINE_AA)
            elif kind == 1:
                cv2.rectangle(out, (j * step, i * step), ((j + 1) * step, (i + 1) * step), colour, max(1, step // 20))
            elif kind == 2:
                axes = (int(step * 0.4), int(step * 0.14))
                for turn in (0, 60, 120):
                    cv2.ellipse(out, centre, axes, turn + 10 * i, 0, 360, colour, -1, cv2.LINE_AA)
            elif (i + j) % 2:
                cv2.rectangle(out, (j * step, i * step), ((j + 1) * step, (i + 1) * step), colour, -1)
    return out


def lay_tiles(rng: np.random.Generator, size: int) -> Field:
    """Draw square tiles and grout, in one line or shifted by half, all alike, in two colours or each its own."""
    count = int(rng.choice([4, 6, 8, 10, 12]))
    step = size // count
    own = rng.uniform(0, 0.1) if rng.random() < 0.5 else rng.uniform(0.1, 0.5)
    first, second = _floor_colour(rng), _floor_colour(rng)
    chequered, shifted = rng.random() < 0.4, rng.random() < 0.3
    grout = np.full(3, rng.uniform(20, 245), np.float32)
    gap = max(1, round(step * rng.uniform(0.02, 0.14)))
    out = np.empty((size, size, 3), np.float32)
    for i in range(count):
        for j in range(count):
            colour = (second if chequered and (i + j) % 2 else first) * rng.uniform(1 - own, 1 + own / 3)
            out[i * step : (i + 1) * step, j * step : (j + 1) * step] = colour
    at = np.arange(size) % step < gap
    lines = at[:, None] | at[None, :]
    if shifted:
        odd = np.arange(size) // step % 2 == 1
        lines = at[:, None] | np.where(odd[:, None], np.roll(at, step // 2)[None, :], at[None, :])
    out[lines] = grout
    if count * step < size:  # the rest of the picture, so that it repeats without a seam
        out = np.asarray(cv2.resize(out[: count * step, : count * step], (size, size)), np.float32)
    return out * (1 + rng.uniform(0, 0.12) * (noise(rng, size, 16, 4) - 0.5)[..., None])


def windowpane(rng: np.random.Generator, size: int) -> Field:
    """Draw bands of one or two widths that cross, where they cross of another shade: plaids, lattices, printed
    lines."""
    count = int(rng.choice([3, 4, 6, 8, 12, 16]))
    base, band = _floor_colour(rng), _floor_colour(rng)
    phase = np.asarray(np.arange(size, dtype=np.float32) / size * count % 1, np.float32)
    wide, thin = rng.uniform(0.03, 0.4), rng.uniform(0.02, 0.08)
    on = phase < wide
    if rng.random() < 0.5:
        on |= np.abs(phase - wide - rng.uniform(0.1, 0.4)) < thin
    crossing = 1.0 if rng.random() < 0.5 else rng.uniform(0.3, 1.6)
    share = np.where(on[:, None] & on[None, :], crossing, (on[:, None] | on[None, :]) * 1.0)
    out = base + (band - base) * np.asarray(share, np.float32)[..., None]
    return np.asarray(out * (1 + 0.08 * (noise(rng, size, 32, 3) - 0.5)[..., None]), np.float32)


def parquet(rng: np.random.Generator, size: int) -> Field:
    """Draw blocks of wooden strips, every other one turned by a quarter."""
    count, strips = int(rng.choice([4, 6, 8])), int(rng.integers(3, 7))
    block = size // count
    strip = max(2, block // strips)
    light = hsv(rng, (0.04, 0.12), (0.2, 0.7), (0.35, 0.9))
    dark = light * rng.uniform(0.3, 0.8)
    out = np.empty((size, size, 3), np.float32)
    out[:] = light
    for i in range(count):
        for j in range(count):
            piece = np.empty((block, block, 3), np.float32)
            piece[:] = light
            for k in range(0, block, strip):
                piece[k : k + strip] *= rng.uniform(0.75, 1.1)
                piece[k : k + max(1, strip // 12)] = dark
            turned = piece if (i + j) % 2 else piece.transpose(1, 0, 2)
            out[i * block : (i + 1) * block, j * block : (j + 1) * block] = turned
    return out * (1 + 0.25 * (noise(rng, size, 48, 3) - 0.5)[..., None])


def _floor_colour(rng: np.random.Generator) -> Colour:
    """Draw a colour: half are pale and warm, as many boards are."""
    if rng.random() < 0.5:
        return hsv(rng, (0.05, 0.17), (0.05, 0.4), (0.6, 0.98))
    return hsv(rng, (0, 1), (0.0, 0.6), (0.1, 0.95))


_PATTERNED = (lay_tiles, lay_tiles, windowpane, parquet, cloth, pattern)
_TABLES = (*(wood,) * 5, *(plain,) * 4, *(cloth,) * 2, marble, speckle, carpet, pattern)
"""Most tables are wooden or of one colour. [by eye]"""


def table_texture(rng: np.random.Generator, size: int = 512) -> Picture:
    """Return a tileable table top (size, size, 3)."""
    return _paint(_TABLES[int(rng.integers(len(_TABLES)))](rng, size))


def draw_pattern(rng: np.random.Generator, size: int = 512) -> Picture:
    """Return one (size, size, 3) on which lines cross, as those of a grid do: tiled floors, plaids, parquet."""
    return _paint(_PATTERNED[int(rng.integers(len(_PATTERNED)))](rng, size))


def _paint(field: Field) -> Picture:
    # in rows: compiled code is built anew for every layout of its arrays
    return np.ascontiguousarray(np.clip(field, 4, 250).astype(np.uint8))
