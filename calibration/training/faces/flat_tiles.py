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
"""Pixels a cell while drawing."""


def box(
    canvas: Floats, at: tuple[float, float], width: float, corner: float, colour: tuple[float, ...]
) -> None:
    half = width / 2 - corner
    for dx, dy in ((half + corner, half), (half, half + corner)):
        start = (round((at[0] - dx) * 8), round((at[1] - dy) * 8))
        end = (round((at[0] + dx) * 8), round((at[1] + dy) * 8))
        cv2.rectangle(canvas, start, end, colour, -1, cv2.LINE_AA, shift=3)
    for sx in (-half, half):
        for sy in (-half, half):
            centre = (round((at[0] + sx) * 8), round((at[1] + sy) * 8))
            cv2.circle(canvas, centre, round(corner * 8), colour, -1, cv2.LINE_AA, 3)


def score(canvas: Floats, at: tuple[float, float], ink: Colour, rng: np.random.Generator) -> None:
    """The small number that other games print in a corner of the face."""
    number = str(rng.choice(["1", "1", "1", "2", "3", "4", "5", "8", "10"]))
    place = (at[0] + rng.uniform(0.16, 0.3) * DRAW, at[1] + rng.uniform(0.26, 0.4) * DRAW)
    start = (round(place[0]), round(place[1]))
    kind, size = cv2.FONT_HERSHEY_SIMPLEX, rng.uniform(0.26, 0.36)
    cv2.putText(canvas, number, start, kind, size, tuple(ink), 1, cv2.LINE_AA)


def wood_grain(rng: np.random.Generator) -> Floats:
    """Shade (size, size, 1) of wood: streaks along one direction."""
    size = 3 * DRAW
    streaks = rng.normal(0, 1, (size, int(rng.integers(3, 9)))).astype(np.float32)
    stretched = cv2.resize(streaks, (size, size), interpolation=cv2.INTER_CUBIC)
    smooth = cv2.GaussianBlur(stretched, (0, 0), sigmaX=2.0, sigmaY=rng.uniform(0.6, 2.5))
    shade = 1.0 + rng.uniform(0.05, 0.2) * smooth / (float(smooth.std()) + 1e-3)
    return np.asarray(shade if rng.random() < 0.5 else shade.T, dtype=np.float32)[..., None]


def rim(
    canvas: Floats, at: tuple[float, float], inner: float, corner: float, body: Colour, rims: Colour
) -> None:
    """The step around the plateau: each of its sides lit differently."""
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


def worn(ink: Floats, rng: np.random.Generator) -> Floats:
    """The share of ink (h, w) of a letter printed a little fat or thin, rubbed off in places, and fading."""
    if rng.random() < 0.3:
        spread = cv2.dilate if rng.random() < 0.6 else cv2.erode
        ink = np.asarray(spread(ink, np.ones((2, 2), np.uint8)), dtype=np.float32)
    if rng.random() < 0.4:
        spots = rng.random((6, 6)).astype(np.float32)
        wear = cv2.resize(spots, ink.shape[::-1], interpolation=cv2.INTER_CUBIC)
        ink *= np.clip(1.0 - rng.uniform(0, 0.9) * (wear > rng.uniform(0.6, 0.95)), 0, 1)
    ink *= rng.uniform(0.7, 1.0)
    return ink
