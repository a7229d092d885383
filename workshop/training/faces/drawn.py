"""Faces for the letter network: drawn in two dimensions, fast and without end.

Each sample is the window of one square (1.0 cell wide) as the pipeline cuts it: the moulded face with rim and
shelf, the letter, light, a neighbour's edge, the small misplacements of a real cut, the loss of detail of a
foreshortened view, blur and noise. Rejects show what must not pass for an upright letter.

    python -m workshop.training.faces.drawn --out FILE.npz --count N --seed S [--fonts CACHE]
"""

from __future__ import annotations

import argparse
from collections.abc import Container, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from engine import FACES
from vision.letters.classifier import FACE_PX
from vision.letters.eyes import LATIN
from workshop.training.faces.files import NO_LETTER, passes_turned
from workshop.training.faces.flat_tiles import (
    DRAW,
    Colour,
    box,
    print_ink,
    print_mark,
    rim,
    underline_glyph,
    wear,
    wood_grain,
)
from workshop.training.faces.fonts import NO_FONTS, signs_in, unseen_fonts, usable_fonts
from workshop.training.faces.made import Point, Value, random_moulding, random_value, value_glyph
from workshop.training.faces.photographed import photograph
from workshop.training.faces.typeface import FontFace, inked_rows, render_glyph

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

_GLYPH = 48
_INKS = ((40, 20, 90), (25, 25, 28), (120, 50, 20), (40, 30, 170), (30, 60, 100), (60, 40, 40), (40, 90, 30))
_BODIES = (
    (190, 222, 240), (235, 238, 240), (90, 200, 235), (175, 180, 182), (140, 180, 210), (215, 230, 235),
    (110, 150, 200), (60, 100, 165),
)  # fmt: skip
_DARK_BODIES = ((130, 60, 25), (30, 28, 28), (30, 30, 140), (60, 90, 20), (40, 30, 70), (90, 90, 90))
_LIGHT_INKS = ((240, 242, 245), (200, 225, 240), (90, 200, 240), (180, 220, 225))
_ANY_COLOURS, _LEAST_CONTRAST = 0.2, 40.0
"""Share of the sets whose print and body have any two colours, and by how much these differ at least (mean of BGR).
[by eye]"""
_UNDERLINED, _UNDERLINED_SHARE = "MWNZ", 0.15
"""Letters that some sets underline, as they pass for each other when turned, and the share of them that are.
[by eye]"""
_UNDERLINED_REJECTS = 0.08
"""Share of the turned faces that are such letters, underlined: a line above it says that an M is a W. [by eye]"""
_MARKED = 0.7
"""Share of the bare squares shown that bear a print: dots and rings must not pass for an O. [by eye]"""
_SCORED, _MOULDED, _WOODEN = 0.45, 0.3, 0.12
"""Shares of sets that print a value beside the letter, that show marks of their mould, and the grain of wood.
[by eye]"""
_LONE_Q = 0.3
"""Share of the sets that have a Q without its u, as most games but this have: it was read as O. [by eye]"""
_SLENDER, _SLENDER_SHARE = "ITLFEJ", 0.12
"""Letters that one stroke more or less turns into each other, and the share of faces that show one of them besides
their own: real tiles were misread among them most. [by eye]"""


_KINDS = (0.45, 0.42, 0.13)
"""Shares of single letters A to Z, letters beyond these, and faces of several letters, where all are drawn. [by eye]"""
_ALL_CAPITALS, _LOW_LETTERS = 0.6, 0.5
"""Shares of the faces of several letters that are printed in capitals alone, and of the letters beyond A to Z that are
printed in the middle of the tile with their mark, not by their capital alone. [by eye]"""
_SMALLER = (0.6, 0.72, 1.0)
"""Least height, against that of a letter A to Z, of a face of several letters and of a letter beyond, and the most.
[by eye]"""


class FaceArtist:
    """Draws faces in the typefaces given; glyph masks are rendered once each.

    `faces` are those that are drawn, FACES or LATIN.
    """

    def __init__(self, fonts: list[FontFace], rng: np.random.Generator, faces: Sequence[str] = FACES) -> None:
        self._faces = tuple(faces)
        self._drawable = {face: [k for k, font in enumerate(fonts) if signs_in(font, face)] for face in faces[26:]}
        self._pools = _pools(self._faces, {face for face, able in self._drawable.items() if able})
        weights = np.array([(2.2 if f.bold else 0.8) * (1.7 if f.serif else 1.0) for f in fonts])
        self._fonts = fonts
        self._weights = weights / weights.sum()
        self._rng = rng
        self._glyphs: dict[tuple[str, int, str], Pixels] = {}

    def sample(self) -> tuple[Pixels, int]:
        """Return one window (FACE_PX, FACE_PX, 3) BGR and its label, an index of LATIN, or NO_LETTER."""
        rng = self._rng
        if rng.random() < 0.18:
            return self._reject(), NO_LETTER
        label = self._random_label()
        if rng.random() < _SLENDER_SHARE:
            label = FACES.index(str(rng.choice(list(_SLENDER))))
        canvas = self._tile(self._faces[label])
        angle = rng.normal(0, 2.5)
        off = np.clip(rng.normal(0, 0.045, 2), -0.13, 0.13)
        return photograph(self._cut(canvas, angle, off), rng), label

    def _random_label(self) -> int:
        if len(self._pools) == 1:
            return int(self._rng.integers(len(self._faces)))
        shares = np.array([share if pool else 0.0 for share, pool in zip(_KINDS, self._pools, strict=True)])
        pool = self._pools[int(self._rng.choice(len(shares), p=shares / shares.sum()))]
        return int(self._rng.choice(pool))

    def _reject(self) -> Pixels:
        rng = self._rng
        kind = rng.random()
        face = self._faces[self._random_label()]
        if kind < 0.55:
            turn = int(rng.integers(1, 4))
            underlined = rng.random() < _UNDERLINED_REJECTS
            if underlined:
                face = str(rng.choice(list(_UNDERLINED)))
            while not underlined and passes_turned(face, turn):
                face = self._faces[self._random_label()]
            canvas = np.ascontiguousarray(np.rot90(self._tile(face, underlined=underlined), turn))
            angle, off = rng.normal(0, 3), np.clip(rng.normal(0, 0.05, 2), -0.13, 0.13)
            return photograph(self._cut(canvas, angle, off), rng)
        if kind < 0.75:
            angle = rng.uniform(0, 2 * np.pi)
            off = rng.uniform(0.33, 0.6) * np.array([np.cos(angle), np.sin(angle)])
            return photograph(self._cut(self._tile(face), rng.normal(0, 3), off), rng)
        if kind < 0.82:
            return photograph(self._cut(self._tile(""), rng.normal(0, 3), rng.normal(0, 0.2, 2)), rng)
        ground = self._ground()
        if rng.random() < _MARKED:
            print_mark(ground, rng)
        middle = ground[DRAW : 2 * DRAW, DRAW : 2 * DRAW]
        empty = cv2.resize(middle, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
        return photograph(np.asarray(empty, dtype=np.float32), rng)

    def _glyph(self, face: str, font: int) -> Pixels:
        rng = self._rng
        form = ""
        if face == "Qu":
            form = str(rng.choice(["small", "text", "caps", "low"], p=[0.7, 0.18, 0.06, 0.06]))
            face = "Q" if rng.random() < _LONE_Q else face
        elif face in self._drawable and face != "Q":
            face, form = self._foreign_sign(face, font)
        key = (face, font, form)
        if key not in self._glyphs:
            glyph = render_glyph(face, self._fonts[font], _GLYPH, form or "small")
            self._glyphs[key] = inked_rows(glyph) if form == "middle" else glyph
        return self._glyphs[key]

    def _foreign_sign(self, face: str, font: int) -> tuple[str, str]:
        """Return what is written for a face beyond A to Z, and how: "middle" if its mark counts to its height."""
        rng = self._rng
        if len(face) > 1:
            return (face.upper() if rng.random() < _ALL_CAPITALS or face == "Ij" else face), ""
        signs = signs_in(self._fonts[font], face)
        return str(rng.choice(list(signs))), "middle" if rng.random() < _LOW_LETTERS else ""

    def _ground(self) -> Floats:
        rng = self._rng
        size = 3 * DRAW
        colour = rng.uniform(15, 225, 3)
        canvas = np.empty((size, size, 3), np.float32)
        canvas[:] = colour
        width = rng.uniform(0.8, 0.97) * DRAW
        shade = rng.uniform(0.6, 1.25)
        for i in range(3):
            for j in range(3):
                x, y = (j + 0.5) * DRAW, (i + 0.5) * DRAW
                box(canvas, (x, y), width, rng.uniform(0.05, 0.2) * DRAW, tuple(colour * shade))
        return canvas

    def _colours(self, any_colours: float = _ANY_COLOURS) -> tuple[Colour, Colour]:
        """Return body and print of a set, BGR 0..255: `any_colours` is the share of sets that have any two."""
        rng = self._rng
        if rng.random() < any_colours:
            while True:
                body, ink = rng.uniform(10, 250, (2, 3))
                if np.abs(body - ink).mean() >= _LEAST_CONTRAST:
                    return body, ink
        dark = rng.random() < 0.25
        bodies, inks = (_DARK_BODIES, _LIGHT_INKS) if dark else (_BODIES, _INKS)
        body = bodies[int(rng.integers(len(bodies)))] + rng.normal(0, 14, 3)
        return body, inks[int(rng.integers(len(inks)))] + rng.normal(0, 10, 3)

    def _tile(self, face: str, *, underlined: bool = False) -> Floats:
        """Return a face in the middle of a 3 x 3 neighbourhood, (3 DRAW, 3 DRAW, 3)."""
        rng = self._rng
        canvas = self._ground()
        body, ink = self._colours()
        outer = rng.uniform(0.9, 0.98) * DRAW
        inner = rng.uniform(0.72, 0.93) * DRAW if rng.random() < 0.85 else 0.0
        corner = rng.uniform(0.04, 0.14) * DRAW
        rims = rng.uniform(0.72, 1.15, 4)
        frac = rng.uniform(0.4, 0.68)
        value = random_value(rng) if rng.random() < _SCORED else None
        contrast = float(np.abs(body - ink).mean() / body.mean())
        moulding = random_moulding(contrast, rng) if rng.random() < _MOULDED else None
        font = self._font_for(face)
        for i, j in self._neighbours():
            at = ((j + 0.5) * DRAW, (i + 0.5) * DRAW)
            if (i, j) != (1, 1):
                at = (at[0] + rng.normal(0, 0.03) * DRAW, at[1] + rng.normal(0, 0.03) * DRAW)
                at = (at[0] + rng.uniform(-0.2, 0.2) * DRAW, at[1] + rng.uniform(-0.2, 0.2) * DRAW)
            box(canvas, at, outer, corner, tuple(body * rng.uniform(0.8, 1.0)))
            if inner:
                rim(canvas, at, inner, corner, body, rims)
            letter = face if (i, j) == (1, 1) else FACES[int(rng.integers(len(FACES)))]
            if moulding:
                moulding.lay(canvas, at)
            if letter:
                glyph = self._glyph(letter, font)
                if letter in _UNDERLINED and (underlined or rng.random() < _UNDERLINED_SHARE):
                    glyph = underline_glyph(glyph, rng)
                high = frac * rng.uniform(_SMALLER[len(letter) == 1], _SMALLER[2]) if letter in self._drawable else frac
                self._print_all(canvas, at, (glyph, high), (value, font), ink)
        if rng.random() < _WOODEN:
            canvas *= wood_grain(rng)
        return canvas

    def _font_for(self, face: str) -> int:
        """Draw a typeface that has this face."""
        if face not in self._drawable:
            return int(self._rng.choice(len(self._fonts), p=self._weights))
        able = self._drawable[face]
        odds = self._weights[able] / self._weights[able].sum()
        return int(self._rng.choice(able, p=odds))

    def _neighbours(self) -> list[tuple[int, int]]:
        around = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (2, 2), (0, 2), (2, 0)]
        rng = self._rng
        some = [around[k] for k in range(8) if rng.random() < (0.35 if k < 4 else 0.1)]
        return [*some, (1, 1)]

    def _print_all(
        self, canvas: Floats, at: Point, letter: tuple[Pixels, float], value: tuple[Value | None, int], ink: Colour
    ) -> None:
        """Print a letter's glyph, with capitals of this height (cells), on the tile `at`, and its value."""
        rng = self._rng
        glyph, frac = letter
        style, font = value
        if style is None:
            self._print(canvas, at, self._ink(glyph, frac), ink)
            return
        number = value_glyph(lambda text: self._glyph(text, font), rng)
        drawn, beside = self._ink(glyph, frac), self._ink(number, frac * style.size)
        sizes = [(float(alpha.shape[1]), high * DRAW) for alpha, high in ((drawn, frac), (beside, frac * style.size))]
        shrink, *places = style.place(*sizes)
        for alpha, (x, y) in zip((drawn, beside), places, strict=True):
            size = (max(2, round(alpha.shape[1] * shrink)), max(2, round(alpha.shape[0] * shrink)))
            fitted = np.asarray(cv2.resize(alpha, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
            self._print(canvas, (at[0] + x, at[1] + y), fitted, ink)

    def _ink(self, glyph: Pixels, frac: float) -> Floats:
        """Return the ink (h, w) of a glyph with capitals of this height (cells), 0 to 1, slightly worn."""
        rng = self._rng
        scale = frac * DRAW / _GLYPH * rng.uniform(0.95, 1.05)
        sx = min(scale * rng.uniform(0.93, 1.07), 0.84 * DRAW / glyph.shape[1])
        size = (max(2, round(glyph.shape[1] * sx)), max(2, round(glyph.shape[0] * scale)))
        fitted = cv2.resize(glyph, size, interpolation=cv2.INTER_AREA)
        return wear(np.asarray(fitted, np.float32) / np.float32(255), rng)

    def _print(self, canvas: Floats, at: Point, alpha: Floats, ink: Colour) -> None:
        """Lay ink (h, w) on the canvas, its middle about `at`."""
        off = self._rng.normal(0, 0.01, 2) * DRAW
        print_ink(canvas, alpha, (at[0] + off[0], at[1] + off[1]), ink)

    def _cut(self, canvas: Floats, angle: float, off: npt.NDArray[np.float64]) -> Floats:
        """Return the middle square's window, misplaced by `off` cells, turned, sheared and stretched a little."""
        rng = self._rng
        turn = np.deg2rad(angle)
        c, s = np.cos(turn), np.sin(turn)
        shape = np.array([[c, -s], [s, c]]) @ np.array(
            [[rng.normal(1, 0.03), rng.normal(0, 0.03)], [0, rng.normal(1, 0.03)]]
        )
        shape *= rng.normal(1.0, 0.035) * DRAW / FACE_PX
        middle = np.array([1.5 * DRAW, 1.5 * DRAW]) + off * DRAW
        shift = middle - shape @ np.array([(FACE_PX - 1) / 2] * 2)
        matrix = np.column_stack([shape, shift]).astype(np.float32)
        how = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        out = cv2.warpAffine(canvas, matrix, (FACE_PX, FACE_PX), flags=how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(out, dtype=np.float32)


def _pools(faces: tuple[str, ...], drawable: Container[str]) -> list[list[int]]:
    """Return the labels of single letters A to Z, of letters beyond these and of faces of several letters.

    Those beyond are left out that no typeface has.
    """
    if faces == FACES:
        return [list(range(len(FACES)))]
    kinds = [0 if face in FACES or face == "Q" else min(len(face), 2) for face in faces]
    able = [face in FACES or face in drawable for face in faces]
    return [[k for k, each in enumerate(kinds) if each == kind and able[k]] for kind in range(3)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw faces for the letter network.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder in which the survey of fonts is kept")
    parser.add_argument("--latin", action="store_true", help="letters beyond A to Z, too, for the network of these")
    parser.add_argument("--unseen", action="store_true", help="in the typefaces kept from training, to measure with")
    args = parser.parse_args()
    fonts = unseen_fonts() if args.unseen else usable_fonts(args.fonts)
    if not fonts:
        parser.error(NO_FONTS)
    artist = FaceArtist(fonts, np.random.default_rng(args.seed), LATIN if args.latin else FACES)
    images = np.empty((args.count, FACE_PX, FACE_PX, 3), np.uint8)
    labels = np.empty(args.count, np.uint8)
    for k in range(args.count):
        images[k], labels[k] = artist.sample()
    np.savez(args.out, images=images, labels=labels)


if __name__ == "__main__":
    main()
