"""What boards look like: kinds, measures and colours, drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from workshop.training.scene.textures import Colour, hsv

_GAME_HUES = ((0.96, 1.03), (0.96, 1.03), (0.54, 0.68), (0.54, 0.68), (0.33, 0.47), (0.03, 0.09))
"""Reds, blues, greens and browns. [by eye]"""
_WORDS = ("UPWORDS", "WORDS", "STACK", "LETTERS", "UPWORDS", "Upwords", "WORD GAME", "BUILD", "HIGHER", "SPELL")
_HARD = 0.4
"""Share of the boards that `harder` changes, half of them each way. [by eye]"""


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
    groove: float  # depth of grooves, or height of ridges
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


Restyle = Callable[[np.random.Generator, BoardStyle], BoardStyle]
"""Changes a board's style once it is drawn."""


def random_board_style(rng: np.random.Generator, kind: str) -> BoardStyle:
    """Draw a board of the given kind."""
    recessed = kind == "recessed"
    base = _board_colour(rng)
    square = _square_colour(rng, kind, base)
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
        centre_colour=_board_colour(rng) if rng.random() < 0.5 else np.clip(square * rng.uniform(0.5, 1.6), 5, 250),
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


def faint(rng: np.random.Generator, style: BoardStyle) -> BoardStyle:
    """Return the board in one colour, its grooves shallow, its rim wide."""
    wide = float(rng.uniform(0.5, 1.2))
    return replace(
        style, border=(wide, wide), square=style.base, border_colour=style.base, frame=0.0,
        groove=float(rng.uniform(0.008, 0.03)), rim=float(rng.uniform(-0.02, 0.1)), logo_moulded=True,
    )  # fmt: skip


def add_rim(rng: np.random.Generator, style: BoardStyle) -> BoardStyle:
    """Return the board with a rim of its own colour that might be one row of squares more."""
    wide = float(rng.uniform(0.85, 1.15))
    return replace(style, border=(wide, wide), border_colour=style.base, rim=float(rng.uniform(-0.02, 0.08)), frame=0.0)


def harder(rng: np.random.Generator, style: BoardStyle) -> BoardStyle:
    """Return the board as it is, or (two of five) one whose grid is hard to make out."""
    pick = rng.random()
    if pick < _HARD:
        return faint(rng, style) if pick < _HARD / 2 else add_rim(rng, style)
    return style


def _square_colour(rng: np.random.Generator, kind: str, base: Colour) -> Colour:
    """Draw the colour of the squares: the board's, a shade of it, or, where they are printed, mostly another."""
    square = base.copy()
    if kind != "classic" and rng.random() < 0.4:
        square = np.clip(base * rng.uniform(0.6, 1.5) + rng.uniform(-20, 20), 8, 245).astype(np.float32)
    if kind in ("lines", "premium") and rng.random() < 0.6:
        square = hsv(rng, (0, 1), (0.0, 0.5), (0.5, 0.97))
    return square


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
    return hsv(rng, (0.08, 0.17), (0, 0.35), (0.8, 1.0)) if light else hsv(rng, (0, 1), (0, 0.5), (0.02, 0.35))
