"""Tiles: one set's shape, colours and lettering, and the stacks as arrays for the renderer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine import FACES
from workshop.training.faces.flat_tiles import DRAW
from workshop.training.faces.fonts import signs_in
from workshop.training.faces.made import draw_marks
from workshop.training.faces.typeface import FontFace, Mask, inked_rows, render_glyph
from workshop.training.rendering.scene_arrays import ATLAS, Byte, Float, TileShape
from workshop.training.scene.textures import Colour, hsv, noise

GLOWING, GLOW, GLOW_REACH = 0.6, (0.1, 0.6), (0.1, 0.5)
"""Share of the sets whose plastic lets light through, which share of their light comes through it, and how far it goes,
cells. [by eye, against the walls of genuine tiles]"""
MARKED, MARKS_STEEP = 0.1, (0.15, 0.5)
"""Share of the sets on whose faces a mould left dimples or studs, and how steep these are. [by eye, against genuine
tiles]"""
ROUND_FACES, FACE_CORNER, SLOPING = 0.6, (0.02, 0.12), 0.4
"""Shares of the sets with raised faces whose corners are round, by how much, cells, and whose sides slope. [by eye,
against genuine tiles]"""

_MAX_BEVEL_SHARE = 0.45
"""Most of the side below the shelf that the bevel takes up. [by eye]"""


@dataclass(frozen=True)
class TileStyle:
    """What one set of tiles looks like; lengths in cells, colours BGR 0..255."""

    shape: TileShape
    foot: float  # height of the lowest tile's layer boundary above z = 0
    body: Colour
    face: Colour
    ink: Colour
    font: FontFace
    letter: float  # height of the capitals
    stretch: float
    qu_form: str
    points: bool
    looseness: float  # slide, cells
    twist: float  # turn, radians
    wear: float
    fade: float
    rough: float
    gloss: float
    emboss: float  # how steep the moulded marks are, or, without any, the letters; sunk below 0
    grain: bool
    shift: float
    glow: float  # share of the light that comes through the plastic
    reach: float  # how far it goes in there, cells
    marks: Mask | None = None  # (ATLAS, ATLAS) dimples and studs that the mould left on every face


def random_tile_style(rng: np.random.Generator, fonts: list[FontFace], flat: bool) -> TileStyle:
    """Draw a set of tiles; `flat` ones are thin plates with sharp faces and often point values."""
    (looks,) = rng.spawn(1)  # a generator of its own leaves all that is drawn after it as it was
    size = rng.uniform(0.86, 0.96) if flat else rng.uniform(0.84, 0.98)
    body = _body_colour(rng)
    ink = _ink_colour(rng, body)
    shelf = 0.0 if flat or rng.random() < 0.3 else rng.uniform(0.03, 0.1)
    inset = rng.uniform(0.01, 0.045) if rng.random() < 0.5 else rng.uniform(0.045, 0.11)
    layer = rng.uniform(0.12, 0.25) if flat else rng.uniform(0.19, 0.32)
    bevel = rng.uniform(0.008, 0.05) if flat or shelf > 0 else rng.uniform(0.015, 0.1)
    shape = TileShape(
        half=size / 2,
        radius=rng.uniform(0.01, 0.13),
        layer_h=layer,
        shelf=shelf,
        nested=float(shelf > 0 and rng.random() < 0.75),
        plateau=inset if shelf > 0 else 0.0,
        bevel=min(bevel, _MAX_BEVEL_SHARE * (layer - shelf)),
        foot=rng.uniform(0.003, 0.03),
        draft=rng.uniform(0.0, 0.03),
        corner=looks.uniform(*FACE_CORNER) if shelf and looks.random() < ROUND_FACES else 0.0,
        slope=float(looks.random() < SLOPING),
    )
    serif = rng.random() < 0.5
    pool = [f for f in fonts if f.serif == serif and (f.bold or rng.random() < 0.25)] or fonts
    style = TileStyle(
        shape=shape,
        foot=0.0 if flat or rng.random() < 0.6 else rng.uniform(0.0, 0.05),
        body=body,
        face=np.clip(body * rng.uniform(0.97, 1.08), 0, 250) if rng.random() < 0.8 else _body_colour(rng, body),
        ink=ink,
        font=pool[int(rng.integers(len(pool)))],
        letter=rng.uniform(0.40, 0.66),
        stretch=rng.uniform(0.88, 1.12),
        qu_form=str(rng.choice(["small", "text", "low", "caps"], p=[0.5, 0.3, 0.12, 0.08])),
        points=bool(flat and rng.random() < 0.75),
        looseness=rng.uniform(0.0, 0.04),
        twist=np.radians(rng.uniform(0.0, 4.0)),
        wear=rng.choice([0.0, rng.uniform(0, 0.5)]),
        fade=rng.uniform(0.75, 1.0),
        rough=rng.uniform(0.1, 0.55),
        gloss=rng.uniform(0.1, 1.0),
        emboss=rng.choice([0.0, rng.uniform(-0.5, 0.5)]),
        grain=bool(rng.random() < (0.5 if flat else 0.08)),
        shift=rng.uniform(0.0, 0.035),
        glow=looks.uniform(*GLOW) if looks.random() < GLOWING else 0.0,
        reach=looks.uniform(*GLOW_REACH),
    )
    if looks.random() >= MARKED:
        return style
    return replace(style, emboss=looks.choice([-1, 1]) * looks.uniform(*MARKS_STEEP), marks=_mould(looks))


def set_thickness(style: TileStyle, layer: float) -> TileStyle:
    """Return the set with tiles that are `layer` cells thick."""
    shape = style.shape
    bevel = min(shape.bevel, _MAX_BEVEL_SHARE * (layer - shape.shelf))
    return replace(style, shape=shape._replace(layer_h=layer, bevel=bevel))


def _mould(rng: np.random.Generator) -> Mask:
    """Draw the marks of a mould on a face, (ATLAS, ATLAS), 255 where they are highest."""
    height = draw_marks(rng)
    margin = (len(height) - DRAW) // 2
    cell = cv2.resize(
        height[margin : margin + DRAW, margin : margin + DRAW], (ATLAS, ATLAS), interpolation=cv2.INTER_LINEAR
    )
    return np.asarray(cv2.GaussianBlur(cell, (0, 0), rng.uniform(1.0, 3.0)) * 255, np.uint8)


def _body_colour(rng: np.random.Generator, near: Colour | None = None) -> Colour:
    if near is not None:
        return np.clip(near * rng.uniform(0.8, 1.2, 3).astype(np.float32), 5, 250)
    pick = rng.random()
    if pick < 0.36:
        return hsv(rng, (0.09, 0.16), (0.05, 0.35), (0.78, 0.98))
    if pick < 0.48:
        return hsv(rng, (0, 1), (0.0, 0.06), (0.75, 0.98))
    if pick < 0.57:
        return hsv(rng, (0.11, 0.16), (0.45, 0.9), (0.7, 0.95))
    if pick < 0.66:
        return hsv(rng, (0.06, 0.11), (0.3, 0.6), (0.5, 0.85))
    if pick < 0.75:
        return hsv(rng, (0, 1), (0.0, 0.2), (0.05, 0.5))
    if pick < 0.87:  # deep colours of one tone, on which a stack's seams hardly show
        return hsv(rng, (0, 1), (0.6, 0.95), (0.2, 0.75))
    return hsv(rng, (0, 1), (0.2, 0.9), (0.2, 0.9))


def _ink_colour(rng: np.random.Generator, body: Colour) -> Colour:
    bright = float(body @ np.array([0.11, 0.59, 0.3], np.float32))
    if bright < 105 or (bright < 140 and rng.random() < 0.5):
        return hsv(rng, (0.08, 0.18), (0.0, 0.5), (0.85, 1.0))
    pick = rng.random()
    if pick < 0.3:
        return hsv(rng, (0, 1), (0.0, 0.4), (0.02, 0.2))
    if pick < 0.6:
        return hsv(rng, (0.92, 1.03), (0.5, 0.9), (0.2, 0.55))
    if pick < 0.75:
        return hsv(rng, (0.57, 0.7), (0.5, 0.95), (0.25, 0.7))
    if pick < 0.85:
        return hsv(rng, (0.97, 1.02), (0.7, 0.95), (0.6, 0.85))
    return hsv(rng, (0, 1), (0.4, 0.9), (0.1, 0.4))


def letter_mask(style: TileStyle, face: str) -> Mask:
    """Return the ink of a face, unjittered, (ATLAS, ATLAS): the letter centred, made to fit the raised face."""
    size = max(6, round(style.letter * ATLAS * 2))
    glyph = render_glyph(_sign(style, face), style.font, size, style.qu_form)
    wide = glyph.shape[1] * style.stretch
    room = (2 * style.shape.half - 2 * style.shape.plateau - 0.1) * ATLAS * 2
    squeeze = min(1.0, room / wide)
    scale_y = squeeze**0.4 if len(face) > 1 else 1.0
    if face not in FACES:  # a mark has to lie on the face, too
        glyph = inked_rows(glyph)
        scale_y = min(scale_y, room / glyph.shape[0])
    target = (max(1, round(wide * squeeze)), max(1, round(glyph.shape[0] * scale_y)))
    glyph = np.asarray(cv2.resize(glyph, target, interpolation=cv2.INTER_AREA), np.uint8)
    out = np.zeros((ATLAS * 2, ATLAS * 2), np.uint8)
    _paste(out, glyph, ATLAS, ATLAS)
    if style.points and len(face) == 1:
        value = render_glyph(str(1 + (ord(face[0]) * 7) % 10), style.font, max(5, round(size * 0.3)))
        at = round(2 * ATLAS * (0.5 + (style.shape.half - style.shape.plateau) * 0.68))
        _paste(out, value, at, at)
    return np.asarray(cv2.resize(out, (ATLAS, ATLAS), interpolation=cv2.INTER_AREA), np.uint8)


def _sign(style: TileStyle, face: str) -> str:
    """Return what is written for a face: a set prints all those of several letters alike."""
    if face in FACES:
        return face
    if len(face) > 1:
        return face.upper() if style.qu_form in ("small", "caps") else face
    return signs_in(style.font, face)[0]


def _paste(out: Mask, glyph: Mask, cx: int, cy: int) -> None:
    h, w = glyph.shape
    top, left = cy - h // 2, cx - w // 2
    y0, x0 = max(0, top), max(0, left)
    y1, x1 = min(out.shape[0], top + h), min(out.shape[1], left + w)
    if y1 > y0 and x1 > x0:
        view = out[y0:y1, x0:x1]
        np.maximum(view, glyph[y0 - top : y1 - top, x0 - left : x1 - left], out=view)


def face_textures(rng: np.random.Generator, style: TileStyle, faces: list[str]) -> Byte:
    """Return (m, ATLAS, ATLAS, 4) sRGB BGR + relief, one jittered, worn texture a tile; "" is a blank face."""
    masks = {face: letter_mask(style, face) for face in set(faces) if face}
    out = np.zeros((len(faces), ATLAS, ATLAS, 4), np.uint8)
    stain = noise(rng, ATLAS * 2, 6, 4)
    grain = noise(rng, ATLAS * 2, 32, 2, stretch=16)
    blank = np.zeros((ATLAS, ATLAS), np.uint8)
    for k, face in enumerate(faces):
        turn = rng.normal(0, 1.5)
        move = cv2.getRotationMatrix2D((ATLAS / 2 - 0.5, ATLAS / 2 - 0.5), turn, 1.0)
        move[:, 2] += ATLAS * rng.normal(0, style.shift * 0.5, 2).clip(-0.07, 0.07)
        ink = cv2.warpAffine(masks[face], move, (ATLAS, ATLAS)) if face else blank
        i, j = rng.integers(0, ATLAS, 2)
        spot = stain[i : i + ATLAS, j : j + ATLAS]
        share = ink.astype(np.float32) / 255 * style.fade
        share *= 1 - style.wear * np.clip((spot - 0.55) * 6, 0, 1)
        face_colour = style.face * (1 + rng.normal(0, 0.02)) * (0.96 + 0.08 * spot[..., None])
        if style.grain:
            face_colour = face_colour * (0.75 + 0.4 * grain[i : i + ATLAS, j : j + ATLAS, None])
        picture = face_colour + (style.ink - face_colour) * share[..., None]
        out[k, ..., :3] = np.clip(picture, 2, 252)
        out[k, ..., 3] = ink if style.marks is None else style.marks
    return out


def lay_tiles(
    rng: np.random.Generator, style: TileStyle, places: list[tuple[float, float, float, float, int]]
) -> tuple[Float, Float, Float]:
    """Return stacks (m, 3), tiles (m, 5, 4), bodies (m, 5, 3) for places (x, y, turn, foot z, layers)."""
    stacks = np.zeros((len(places), 3), np.float32)
    tiles = np.zeros((len(places), 5, 4), np.float32)
    bodies = np.zeros((len(places), 5, 3), np.float32)
    for k, (x, y, turn, foot, layers) in enumerate(places):
        stacks[k] = foot, layers, foot + layers * style.shape.layer_h
        for layer in range(5):
            slide = rng.normal(0, style.looseness * 0.5, 2).clip(-0.05, 0.05)
            angle = turn + rng.normal(0, style.twist * 0.5)
            tiles[k, layer] = x + slide[0], y + slide[1], np.cos(angle), np.sin(angle)
            tone = style.body * (1 + rng.normal(0, 0.02))
            bodies[k, layer] = (np.clip(tone, 2, 252) / 255) ** 2.2
    return stacks, tiles, bodies
