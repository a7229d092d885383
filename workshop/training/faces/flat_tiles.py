"""What flat faces are drawn with: tiles, rims, numbers, wear, the grain of wood, prints on bare squares.

Canvases are (h, w, 3) float32, BGR from 0 to 255; places and lengths are in their pixels, DRAW to a cell.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Colour = npt.NDArray[np.float64]

DRAW = 48
"""Pixels a cell while drawing. [by eye]"""
_BARS = 0.6
"""Share of the underlined letters that have a bar below them; the others have three dots. [by eye]"""

_STRUCK_TWICE = 0.06
"""Share of the letters that were printed twice, a little beside each other. [by eye]"""


def box(canvas: Floats, at: tuple[float, float], width: float, corner: float, colour: tuple[float, ...]) -> None:
    half = width / 2 - corner
    for dx, dy in ((half + corner, half), (half, half + corner)):
        start = (round((at[0] - dx) * 8), round((at[1] - dy) * 8))
        end = (round((at[0] + dx) * 8), round((at[1] + dy) * 8))
        cv2.rectangle(canvas, start, end, colour, -1, cv2.LINE_AA, shift=3)
    for sx in (-half, half):
        for sy in (-half, half):
            centre = (round((at[0] + sx) * 8), round((at[1] + sy) * 8))
            cv2.circle(canvas, centre, round(corner * 8), colour, -1, cv2.LINE_AA, 3)


def print_ink(canvas: Floats, ink: Floats, at: tuple[float, float], colour: Colour) -> None:
    """Lay ink, shares (h, w), over the canvas with its middle at `at`; what lies outside is cut off."""
    high, wide = ink.shape
    x0, y0 = round(at[0] - wide / 2), round(at[1] - high / 2)
    h, w = canvas.shape[:2]
    left, top, right, low = max(x0, 0), max(y0, 0), min(x0 + wide, w), min(y0 + high, h)
    if right > left and low > top:
        patch = canvas[top:low, left:right]
        patch += ink[top - y0 : low - y0, left - x0 : right - x0, None] * (colour - patch)


def underline_glyph(glyph: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Draw a glyph (h, w), 255 where there is ink, with a bar or three dots under it."""
    high, wide = glyph.shape
    inked = np.flatnonzero(glyph.any(axis=1))
    tall = inked[-1] + 1 - inked[0]
    gap, thick = (max(1, round(tall * rng.uniform(*share))) for share in ((0.08, 0.2), (0.06, 0.12)))
    top = inked[-1] + 1 + gap
    under = np.zeros((max(high, top + thick), wide), np.uint8)
    under[:high] = glyph
    if rng.random() < _BARS:
        under[top : top + thick] = 255
    else:
        for start in (round(wide * share) for share in (0.15, 0.45, 0.75)):
            under[top : top + thick, start : start + thick] = 255
    return under


def wood_grain(rng: np.random.Generator) -> Floats:
    """Shade (size, size, 1) of wood: streaks along one direction."""
    size = 3 * DRAW
    streaks = rng.normal(0, 1, (size, int(rng.integers(3, 9)))).astype(np.float32)
    stretched = cv2.resize(streaks, (size, size), interpolation=cv2.INTER_CUBIC)
    smooth = cv2.GaussianBlur(stretched, (0, 0), sigmaX=2.0, sigmaY=rng.uniform(0.6, 2.5))
    shade = 1.0 + rng.uniform(0.05, 0.2) * smooth / (float(smooth.std()) + 1e-3)
    return np.asarray(shade if rng.random() < 0.5 else shade.T, dtype=np.float32)[..., None]


def rim(canvas: Floats, at: tuple[float, float], inner: float, corner: float, body: Colour, rims: Colour) -> None:
    """Draw the step around the plateau: each of its sides lit differently."""
    half = inner / 2
    step = max(1.5, 0.03 * DRAW)
    for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
        middle = (at[0] + dx * half, at[1] + dy * half)
        wide, high = (half, step) if dy else (step, half)
        start = (round((middle[0] - wide) * 8), round((middle[1] - high) * 8))
        end = (round((middle[0] + wide) * 8), round((middle[1] + high) * 8))
        cv2.rectangle(canvas, start, end, tuple(body * rims[side]), -1, cv2.LINE_AA, shift=3)
    box(canvas, at, inner - step, corner * 0.8, tuple(body))


def print_mark(ground: Floats, rng: np.random.Generator) -> None:
    """Print on a bare square what boards show in their middle: a dot, a ring or a frame."""
    at = (round(1.5 * DRAW), round(1.5 * DRAW))
    reach = round(rng.uniform(0.12, 0.34) * DRAW)
    line = int(rng.integers(1, 6))
    bright = ground[at[1], at[0]] * rng.uniform(0.3, 2.0)
    colour = tuple(float(c) for c in (bright if rng.random() < 0.5 else rng.uniform(5, 250, 3)))
    kind = rng.random()
    if kind < 0.7:
        cv2.circle(ground, at, reach, colour, -1, cv2.LINE_AA)
    elif kind < 0.85:
        cv2.circle(ground, at, reach, colour, line, cv2.LINE_AA)
    else:
        low, high = (at[0] - reach, at[1] - reach), (at[0] + reach, at[1] + reach)
        cv2.rectangle(ground, low, high, colour, line, cv2.LINE_AA)


def wear(ink: Floats, rng: np.random.Generator) -> Floats:
    """Return the share of ink (h, w) of a letter printed fat, thin or twice, rubbed off in places, and fading."""
    if rng.random() < _STRUCK_TWICE:
        right, down = rng.normal(0, 0.03, 2) * DRAW
        moved = cv2.warpAffine(ink, np.array([[1, 0, right], [0, 1, down]]), ink.shape[::-1])
        ink = np.maximum(ink, np.float32(rng.uniform(0.2, 0.8)) * moved)
    if rng.random() < 0.3:
        spread = cv2.dilate if rng.random() < 0.6 else cv2.erode
        ink = np.asarray(spread(ink, np.ones((2, 2), np.uint8)), dtype=np.float32)
    if rng.random() < 0.4:
        spots = rng.random((6, 6)).astype(np.float32)
        wear = cv2.resize(spots, ink.shape[::-1], interpolation=cv2.INTER_CUBIC)
        ink *= np.clip(1.0 - rng.uniform(0, 0.9) * (wear > rng.uniform(0.6, 0.95)), 0, 1)
    ink *= rng.uniform(0.7, 1.0)
    return ink
