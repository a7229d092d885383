"""One typeface, and the ink of a tile's face in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]


@dataclass(frozen=True, order=True)
class FontFace:
    """One typeface of a file (`index` inside a collection).

    `stem` is the width of the I's stem, `width` that of the H, both over the capitals' height.
    """

    path: str
    index: int
    family: str
    style: str
    serif: bool
    stem: float
    width: float

    @property
    def bold(self) -> bool:
        """True for the weights that sets of tiles use most (about 500 and more)."""
        return self.stem >= (0.165 if self.serif else 0.15)


def render_glyph(face: str, font: FontFace, size: int, qu_form: str = "small") -> Mask:
    """Return the ink of one tile face, uint8 (h, w), 255 = ink; `face` is "A".."Z", "Qu" or any short text.

    `size` is the height of the capital H in pixels. The middle of the capitals' height is the middle row of
    the mask (h = 1.9 `size`, room for the Q's tail) and the ink is tight left and right, so that pasting the
    mask by its centre puts the letter where a moulder would. For "Qu", `qu_form` is "small" (u at 0.72),
    "text" (plain lower case), "caps" (QU) or "low" (a small u set below the base line).
    """
    if face == "Qu" and qu_form != "text":
        return _render_qu(font, size, qu_form)
    return _render_text(face, font, size)


def inked_rows(glyph: Mask) -> Mask:
    """Return the rows of a glyph (h, w) from its first to its last ink, so that it is pasted by its middle."""
    rows = np.flatnonzero(glyph.max(axis=1) > 8)
    return glyph[rows[0] : rows[-1] + 1] if rows.size else glyph


def _render_text(text: str, font: FontFace, size: int) -> Mask:
    pil, cap = _load_sized(font.path, font.index, size)
    rows = round(1.9 * size)
    left, _, right, _ = pil.getbbox(text, anchor="ls")
    canvas = Image.new("L", (max(1, int(right - left) + 4), rows))
    ImageDraw.Draw(canvas).text((2 - left, rows / 2 + cap / 2), text, fill=255, font=pil, anchor="ls")
    mask = np.asarray(canvas, dtype=np.uint8)
    ink = np.flatnonzero(mask.max(axis=0) > 8)
    return mask[:, ink[0] : ink[-1] + 1].copy() if ink.size else mask.copy()


def _render_qu(font: FontFace, size: int, qu_form: str) -> Mask:
    capital = _render_text("Q", font, size)
    second, scale = ("U", 1.0) if qu_form == "caps" else ("u", 0.72 if qu_form == "small" else 0.62)
    small = _render_text(second, font, max(4, round(size * scale)))
    gap = max(1, round(0.06 * size))
    out = np.zeros((capital.shape[0], capital.shape[1] + gap + small.shape[1]), np.uint8)
    out[:, : capital.shape[1]] = capital
    # both share the base line, which lies half a capital below each mask's middle row
    shift = round(size / 2 * (1 - scale)) + (round(0.12 * size) if qu_form == "low" else 0)
    top = out.shape[0] // 2 - small.shape[0] // 2 + shift
    small = small[: out.shape[0] - top]
    out[top : top + small.shape[0], capital.shape[1] + gap :] = small
    return out


@lru_cache(maxsize=256)
def _load_sized(path: str, index: int, size: int) -> tuple[ImageFont.FreeTypeFont, float]:
    """Return the font scaled so that H is `size` pixels high, and H's exact height."""
    probe = ImageFont.truetype(path, 200, index=index)
    _, top, _, bottom = probe.getbbox("H", anchor="ls")
    high = bottom - top
    points = max(2, round(200 * size / max(high, 1)))
    return ImageFont.truetype(path, points, index=index), high * points / 200
