"""Rendered boards beside genuine ones, at the same pose and under the same light.

    python -m workshop.training.beside PICTURES... OUT

PICTURES are folders of photographs with `truth.json` (`genuine`). For the photographs of each folder that show most
tiles OUT gets FOLDER-NAME.png, the photograph with its likeness on the right. `figures.json` holds what tiles look like
in both, and `beside.svg` draws it, with rendered tiles below: of the photographs themselves it shows nothing.
"""

from __future__ import annotations

import argparse
import base64
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.geometry.rectify import pitch_of, square_places
from vision.images import Image
from workshop.training.beside.genuine import Genuine, pictures_in
from workshop.training.beside.likeness import Likeness, imitate, show
from workshop.training.beside.profiles import Profile, measure
from workshop.training.faces.fonts import NO_FONTS, usable_fonts
from workshop.training.faces.typeface import FontFace
from workshop.training.rendering.ray_marcher import Array

_SEEN = 0.98
"""Share of a face that has to be in view for it to be measured. [by eye]"""

_WIDE, _HIGH, _GAP, _LEFT, _TOP = 176, 84, 30, 48, 44
"""Size of a panel, the room between panels, and the margins, px. [by eye]"""
_PANELS = {"across": "left to right", "down": "top to bottom", "wall": "up a wall"}
_BRIGHTEST = 1.3
"""Brightness at the top of a panel. [by eye]"""
_GENUINE, _RENDERED = "#222", "#d95f02"
_QUALITY = 82
"""JPEG quality of the pieces. [by eye]"""


@dataclass(frozen=True)
class Comparison:
    """A photograph, its likeness as a picture, and what tiles look like in each. `title` names it in the chart."""

    title: str
    picture: Genuine
    likeness: Likeness
    rendered: Image
    genuine_profile: Profile
    rendered_profile: Profile

    def figures(self) -> dict[str, dict[str, float]]:
        """Return each figure of both, and how far the profiles lie apart (root mean square)."""
        pair = (self.genuine_profile, self.rendered_profile)
        both = zip(*(profile.figures().items() for profile in pair), strict=True)
        figures = {name: {"genuine": round(a, 4), "rendered": round(b, 4)} for (name, a), (_, b) in both}
        for name in ("across", "down", "wall"):
            a, b = (getattr(profile, name) for profile in pair)
            if len(a):
                figures[name] = {"apart": round(float(np.sqrt(np.nanmean((a - b) ** 2))), 4)}
        return figures


def compare(title: str, picture: Genuine, fonts: Sequence[FontFace]) -> Comparison:
    """Render a photograph's likeness and measure both."""
    likeness = imitate(picture, fonts)
    rendered = show(likeness)
    whole = likeness.squares[likeness.seen >= _SEEN]
    profiles = [measure(image, picture, whole, likeness.arrays, likeness.camera) for image in (picture.image, rendered)]
    return Comparison(title, picture, likeness, rendered, *profiles)


def _piece(done: Comparison) -> Image:
    """Return the part of the rendered picture, three squares wide, around the tile in the midst of all."""
    squares = done.likeness.squares
    tops = done.picture.heights[tuple(squares.T)] * done.likeness.arrays.shape.layer_h
    middles = done.picture.camera.project(square_places([(i, j) for i, j in squares.tolist()], tops))
    height, width = done.rendered.shape[:2]
    half = min(round(1.5 * pitch_of(done.picture.camera, done.picture.size)), height // 2, width // 2)
    midst = middles[np.linalg.norm(middles - middles.mean(axis=0), axis=1).argmin()]
    x, y = np.round(np.clip(midst, half, [width - half, height - half])).astype(int)
    return done.rendered[y - half : y + half, x - half : x + half]


def draw(columns: Sequence[Comparison]) -> str:
    """Return the chart as SVG, a column a photograph. It shows rendered pixels, and none of a photograph."""
    wide = _LEFT + len(columns) * (_WIDE + _GAP)
    high = _TOP + len(_PANELS) * (_HIGH + _GAP) + _WIDE + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="11">',
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="14" fill="{_GENUINE}">genuine</text>',
        f'<text x="{_LEFT + 60}" y="14" fill="{_RENDERED}">rendered</text>',
        f'<text x="{_LEFT + 130}" y="14">brightness over that of the plain plastic</text>',
    ]
    for k, column in enumerate(columns):
        parts += _column(column, _LEFT + k * (_WIDE + _GAP))
    return "\n".join([*parts, "</svg>\n"])


def _column(column: Comparison, left: int) -> Iterator[str]:
    yield f'<text x="{left}" y="{_TOP - 10}" font-weight="bold">{column.title}</text>'
    for row, (name, label) in enumerate(_PANELS.items()):
        top = _TOP + row * (_HIGH + _GAP)
        yield f'<path d="M{left} {top}V{top + _HIGH}H{left + _WIDE}" fill="none" stroke="#888"/>'
        yield f'<text x="{left + _WIDE / 2}" y="{top + _HIGH + 13}" text-anchor="middle" fill="#666">{label}</text>'
        for tick in (0, 1):
            up = top + _HIGH * (1 - tick / _BRIGHTEST) + 4
            yield f'<text x="{left - 4}" y="{up:.1f}" text-anchor="end">{tick}</text>'
        for profile, colour in ((column.genuine_profile, _GENUINE), (column.rendered_profile, _RENDERED)):
            yield _line(getattr(profile, name), left, top, colour)
    top = _TOP + len(_PANELS) * (_HIGH + _GAP)
    small = cv2.resize(_piece(column), (_WIDE, _WIDE), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    code = base64.b64encode(data.tobytes()).decode()
    yield f'<image x="{left}" y="{top}" width="{_WIDE}" height="{_WIDE}" href="data:image/jpeg;base64,{code}"/>'


def _line(values: Array, left: int, top: int, colour: str) -> str:
    places = [
        f"{left + _WIDE * (k + 0.5) / len(values):.1f},{top + _HIGH * (1 - min(value, _BRIGHTEST) / _BRIGHTEST):.1f}"
        for k, value in enumerate(values.tolist())
        if np.isfinite(value)
    ]
    return f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}" stroke-width="1.5"/>'


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pictures", type=Path, nargs="+", help="folders of photographs with truth.json")
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=1, help="photographs of a folder, those with most tiles")
    parser.add_argument("--cache", type=Path, help="folder for the survey of typefaces, so that it runs once")
    args = parser.parse_args()
    fonts = [font for font in usable_fonts(args.cache) if font.bold]
    if not fonts:
        parser.error(NO_FONTS)
    args.out.mkdir(parents=True, exist_ok=True)
    figures: dict[str, dict[str, dict[str, float]]] = {}
    columns: list[Comparison] = []
    for folder in args.pictures:
        pictures = sorted(pictures_in(folder), key=lambda each: (-int((each.heights > 0).sum()), -each.image.size))
        for picture in pictures[: args.count]:
            print(f"rendering {folder.name}/{picture.name}", flush=True)
            done = compare(folder.name, picture, fonts)
            beside = np.hstack([picture.image, done.rendered])
            cv2.imwrite(str(args.out / f"{folder.name}-{picture.name}.png"), beside)
            figures[f"{folder.name}/{picture.name}"] = done.figures()
            columns.append(done)
    (args.out / "figures.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")
    (args.out / "beside.svg").write_text(draw(columns), encoding="utf-8")


if __name__ == "__main__":
    main()
