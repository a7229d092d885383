"""Faces for the letter network: drawn in two dimensions, fast and without end.

Each sample is the window of one square (1.0 cell wide) as the pipeline cuts it: the moulded face with rim and
shelf, the letter, light, a neighbour's edge, the small misplacements of a real cut, the loss of detail of a
foreshortened view, blur and noise. Rejects show what must not pass for an upright letter.

    python -m calibration.training.facedata --out FILE.npz --count N --seed S [--fonts CACHE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.training.fonts import FontFace, render_glyph, usable_fonts
from calibration.training.networks import FACE_PX
from engine.faces import FACES

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

REJECT = len(FACES)
_DRAW = 48
"""Pixels a cell while drawing."""
_GLYPH = 48
_UNSURE_HALF_TURN = frozenset("HINOSXZMW")
"""Faces that may pass for an upright letter when turned by 180 degrees: never used as rejects that way."""
_UNSURE_QUARTER_TURN = frozenset("HINOXZEMWCU")
_INKS = ((40, 20, 90), (25, 25, 28), (120, 50, 20), (40, 30, 170), (30, 60, 100), (60, 40, 40), (40, 90, 30))
_BODIES = (
    (190, 222, 240), (235, 238, 240), (90, 200, 235), (175, 180, 182), (140, 180, 210), (215, 230, 235), (110, 150, 200),
    (60, 100, 165),
)  # fmt: skip
_DARK_BODIES = ((130, 60, 25), (30, 28, 28), (30, 30, 140), (60, 90, 20), (40, 30, 70), (90, 90, 90))
_LIGHT_INKS = ((240, 242, 245), (200, 225, 240), (90, 200, 240), (180, 220, 225))


class FaceArtist:
    """Draws faces in the typefaces given; glyph masks are rendered once each."""

    def __init__(self, fonts: list[FontFace], rng: np.random.Generator) -> None:
        weights = np.array([(2.5 if f.bold else 0.7) * (1.5 if f.serif else 1.0) for f in fonts])
        self._fonts = fonts
        self._weights = weights / weights.sum()
        self._rng = rng
        self._glyphs: dict[tuple[str, int, str], Pixels] = {}

    def sample(self) -> tuple[Pixels, int]:
        """One window (FACE_PX, FACE_PX, 3) BGR and its label, an index of FACES or REJECT."""
        rng = self._rng
        if rng.random() < 0.18:
            return self._reject(), REJECT
        label = int(rng.integers(len(FACES)))
        canvas = self._tile(FACES[label])
        angle = rng.normal(0, 2.5)
        off = np.clip(rng.normal(0, 0.045, 2), -0.13, 0.13)
        return self._finish(self._cut(canvas, angle, off)), label

    def _reject(self) -> Pixels:
        rng = self._rng
        kind = rng.random()
        face = FACES[int(rng.integers(len(FACES)))]
        if kind < 0.55:
            turn = int(rng.integers(1, 4))
            unsure = _UNSURE_HALF_TURN if turn == 2 else _UNSURE_QUARTER_TURN
            while face in unsure:
                face = FACES[int(rng.integers(len(FACES)))]
            canvas = np.ascontiguousarray(np.rot90(self._tile(face), turn))
            return self._finish(self._cut(canvas, rng.normal(0, 3), np.clip(rng.normal(0, 0.05, 2), -0.13, 0.13)))
        if kind < 0.8:
            angle = rng.uniform(0, 2 * np.pi)
            off = rng.uniform(0.33, 0.6) * np.array([np.cos(angle), np.sin(angle)])
            return self._finish(self._cut(self._tile(face), rng.normal(0, 3), off))
        if kind < 0.9:
            return self._finish(self._cut(self._tile(""), rng.normal(0, 3), rng.normal(0, 0.2, 2)))
        return self._finish(self._ground())

    def _glyph(self, face: str) -> Pixels:
        rng = self._rng
        font = int(rng.choice(len(self._fonts), p=self._weights))
        form = str(rng.choice(["small", "text", "caps", "low"], p=[0.7, 0.18, 0.06, 0.06])) if face == "Qu" else ""
        if face == "Qu" and rng.random() < 0.12:
            face = "Q"
        key = (face, font, form)
        if key not in self._glyphs:
            self._glyphs[key] = render_glyph(face, self._fonts[font], _GLYPH, form or "small")
        return self._glyphs[key]

    def _ground(self) -> Floats:
        rng = self._rng
        size = 3 * _DRAW
        colour = rng.uniform(15, 225, 3)
        canvas = np.empty((size, size, 3), np.float32)
        canvas[:] = colour
        width = rng.uniform(0.8, 0.97) * _DRAW
        shade = rng.uniform(0.6, 1.25)
        for i in range(3):
            for j in range(3):
                x, y = (j + 0.5) * _DRAW, (i + 0.5) * _DRAW
                _box(canvas, (x, y), width, rng.uniform(0.05, 0.2) * _DRAW, tuple(colour * shade))
        return canvas

    def _tile(self, face: str) -> Floats:
        """A face in the middle of a 3 x 3 neighbourhood, (3 _DRAW, 3 _DRAW, 3)."""
        rng = self._rng
        canvas = self._ground()
        dark = rng.random() < 0.25
        body = np.array((_DARK_BODIES if dark else _BODIES)[int(rng.integers(6))], np.float32) + rng.normal(0, 14, 3)
        inks = _LIGHT_INKS if dark else _INKS
        ink = np.array(inks[int(rng.integers(len(inks)))], np.float32) + rng.normal(0, 10, 3)
        outer = rng.uniform(0.9, 0.98) * _DRAW
        inner = rng.uniform(0.72, 0.93) * _DRAW if rng.random() < 0.85 else 0.0
        corner = rng.uniform(0.04, 0.14) * _DRAW
        rims = rng.uniform(0.72, 1.15, 4)
        frac = rng.uniform(0.4, 0.68)
        for i, j in self._neighbours():
            at = ((j + 0.5) * _DRAW, (i + 0.5) * _DRAW)
            if (i, j) != (1, 1):
                at = (at[0] + rng.normal(0, 0.03) * _DRAW, at[1] + rng.normal(0, 0.03) * _DRAW)
                at = (at[0] + rng.uniform(-0.2, 0.2) * _DRAW, at[1] + rng.uniform(-0.2, 0.2) * _DRAW)
            _box(canvas, at, outer, corner, tuple(body * rng.uniform(0.8, 1.0)))
            if inner:
                _rim(canvas, at, inner, corner, body, rims)
            letter = face if (i, j) == (1, 1) else FACES[int(rng.integers(len(FACES)))]
            if letter:
                self._print(canvas, at, letter, ink, frac, tuple(rng.normal(0, 0.018, 2)))
        return canvas

    def _neighbours(self) -> list[tuple[int, int]]:
        around = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (2, 2), (0, 2), (2, 0)]
        rng = self._rng
        some = [around[k] for k in range(8) if rng.random() < (0.35 if k < 4 else 0.1)]
        return [*some, (1, 1)]

    def _print(
        self, canvas: Floats, at: tuple[float, float], face: str, ink: Floats, frac: float, off: tuple[float, float]
    ) -> None:
        rng = self._rng
        glyph = self._glyph(face)
        scale = frac * _DRAW / _GLYPH * rng.uniform(0.95, 1.05)
        widest = 0.84 * _DRAW
        sx = min(scale * rng.uniform(0.93, 1.07), widest / glyph.shape[1])
        size = (max(2, round(glyph.shape[1] * sx)), max(2, round(glyph.shape[0] * scale)))
        alpha = cv2.resize(glyph, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        if rng.random() < 0.3:
            kernel = np.ones((2, 2), np.uint8)
            alpha = cv2.dilate(alpha, kernel) if rng.random() < 0.6 else cv2.erode(alpha, kernel)
        if rng.random() < 0.4:
            wear = cv2.resize(rng.random((6, 6)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
            alpha *= np.clip(1.0 - rng.uniform(0, 0.9) * (wear > rng.uniform(0.6, 0.95)), 0, 1)
        alpha *= rng.uniform(0.7, 1.0)
        x0 = round(at[0] + off[0] * _DRAW - size[0] / 2)
        y0 = round(at[1] + off[1] * _DRAW - size[1] / 2)
        h, w = canvas.shape[:2]
        left, top, right, low = max(x0, 0), max(y0, 0), min(x0 + size[0], w), min(y0 + size[1], h)
        if right <= left or low <= top:
            return
        a = alpha[top - y0 : low - y0, left - x0 : right - x0, None]
        patch = canvas[top:low, left:right]
        patch += a * (ink - patch)

    def _cut(self, canvas: Floats, angle: float, off: npt.NDArray[np.float64]) -> Floats:
        """The middle square's window, misplaced by `off` cells, turned, sheared and stretched a little."""
        rng = self._rng
        turn = np.deg2rad(angle)
        c, s = np.cos(turn), np.sin(turn)
        shape = np.array([[c, -s], [s, c]]) @ np.array([[rng.normal(1, 0.03), rng.normal(0, 0.03)], [0, rng.normal(1, 0.03)]])
        shape *= rng.normal(1.0, 0.035) * _DRAW / FACE_PX
        middle = np.array([1.5 * _DRAW, 1.5 * _DRAW]) + off * _DRAW
        shift = middle - shape @ np.array([(FACE_PX - 1) / 2] * 2)
        matrix = np.column_stack([shape, shift]).astype(np.float32)
        return np.asarray(
            cv2.warpAffine(canvas, matrix, (FACE_PX, FACE_PX), flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP,
                           borderMode=cv2.BORDER_REPLICATE), dtype=np.float32)  # fmt: skip

    def _finish(self, window: Floats) -> Pixels:
        rng = self._rng
        image = window
        if window.shape[0] != FACE_PX:
            image = cv2.resize(window[_DRAW : 2 * _DRAW, _DRAW : 2 * _DRAW], (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
        if rng.random() < 0.6:
            ramp = np.linspace(-1, 1, FACE_PX, dtype=np.float32)
            tilt = rng.normal(0, 0.14, 2)
            image = image * (1 + tilt[0] * ramp[None, :, None] + tilt[1] * ramp[:, None, None])
        if rng.random() < 0.15:
            image = _shadow(image, rng)
        if rng.random() < 0.12:
            image = _glare(image, rng)
        if rng.random() < 0.65:
            image = _coarsen(image, rng)
        if rng.random() < 0.45:
            image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.3))
        if rng.random() < 0.12:
            image = _smear(image, rng)
        image = (image - 128) * rng.uniform(0.45, 1.1) + 128 + rng.uniform(-50, 40)
        image = image * rng.uniform(0.85, 1.15, 3) + rng.normal(0, rng.uniform(0, 9), image.shape)
        return np.clip(image, 0, 255).astype(np.uint8)


def _box(canvas: Floats, at: tuple[float, float], width: float, corner: float, colour: tuple[float, ...]) -> None:
    half = width / 2 - corner
    for dx, dy in ((half + corner, half), (half, half + corner)):
        start = (round((at[0] - dx) * 8), round((at[1] - dy) * 8))
        end = (round((at[0] + dx) * 8), round((at[1] + dy) * 8))
        cv2.rectangle(canvas, start, end, colour, -1, cv2.LINE_AA, shift=3)
    for sx in (-half, half):
        for sy in (-half, half):
            cv2.circle(canvas, (round((at[0] + sx) * 8), round((at[1] + sy) * 8)), round(corner * 8), colour, -1, cv2.LINE_AA, 3)


def _rim(canvas: Floats, at: tuple[float, float], inner: float, corner: float, body: Floats, rims: npt.NDArray[np.float64]) -> None:
    """The step around the plateau: each of its sides lit differently."""
    half = inner / 2
    step = max(1.5, 0.03 * _DRAW)
    for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
        middle = (at[0] + dx * half, at[1] + dy * half)
        wide, high = (half, step) if dy else (step, half)
        start = (round((middle[0] - wide) * 8), round((middle[1] - high) * 8))
        end = (round((middle[0] + wide) * 8), round((middle[1] + high) * 8))
        cv2.rectangle(canvas, start, end, tuple(body * rims[side]), -1, cv2.LINE_AA, shift=3)
    _box(canvas, at, inner - step, corner * 0.8, tuple(body))


def _shadow(image: Floats, rng: np.random.Generator) -> Floats:
    normal = rng.normal(0, 1, 2)
    y, x = np.mgrid[0:FACE_PX, 0:FACE_PX].astype(np.float32) / FACE_PX - 0.5
    edge = (x * normal[0] + y * normal[1]) / np.linalg.norm(normal) - rng.uniform(-0.4, 0.4)
    soft = 1 / (1 + np.exp(-edge / rng.uniform(0.01, 0.1)))
    return np.asarray(image * (1 - rng.uniform(0.2, 0.65) * soft[..., None]), dtype=np.float32)


def _glare(image: Floats, rng: np.random.Generator) -> Floats:
    y, x = np.mgrid[0:FACE_PX, 0:FACE_PX].astype(np.float32) / FACE_PX
    at, size = rng.uniform(0, 1, 2), rng.uniform(0.1, 0.6, 2)
    spot = np.exp(-(((x - at[0]) / size[0]) ** 2 + ((y - at[1]) / size[1]) ** 2))
    return np.asarray(image + rng.uniform(20, 170) * spot[..., None], dtype=np.float32)


def _coarsen(image: Floats, rng: np.random.Generator) -> Floats:
    """The loss of a foreshortened or distant view: fewer pixels along one direction or both."""
    wide = int(rng.integers(13, FACE_PX + 1))
    high = int(np.clip(wide * rng.uniform(0.6, 1.0), 11, FACE_PX))
    if rng.random() < 0.5:
        wide, high = high, wide
    small = cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (FACE_PX, FACE_PX), interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def _smear(image: Floats, rng: np.random.Generator) -> Floats:
    angle, length = rng.uniform(0, np.pi), rng.uniform(1.5, 4.5)
    kernel = np.zeros((7, 7), np.float32)
    dx, dy = np.cos(angle) * length / 2, np.sin(angle) * length / 2
    cv2.line(kernel, (round((3 - dx) * 16), round((3 - dy) * 16)), (round((3 + dx) * 16), round((3 + dy) * 16)), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), dtype=np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw faces for the letter network.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder in which the survey of fonts is kept")
    args = parser.parse_args()
    artist = FaceArtist(usable_fonts(args.fonts), np.random.default_rng(args.seed))
    images = np.empty((args.count, FACE_PX, FACE_PX, 3), np.uint8)
    labels = np.empty(args.count, np.uint8)
    for k in range(args.count):
        images[k], labels[k] = artist.sample()
    np.savez(args.out, images=images, labels=labels)


if __name__ == "__main__":
    main()
