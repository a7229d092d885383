"""Rendered boards beside genuine ones, at the same pose and under the same light.

    python -m workshop.training.beside PICTURES... OUT

PICTURES are folders of photographs with `truth.json` (`genuine`). For the photographs of each folder that show most
tiles OUT gets FOLDER-NAME.png, the photograph with its likeness on the right. `figures.json` holds what tiles look like
in both, and `beside.svg` draws it, with rendered tiles below: of the photographs themselves it shows nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.geometry.rectify import pitch_of, square_places
from vision.images import Image
from workshop.training.beside.chart import Column, draw
from workshop.training.beside.genuine import Genuine, pictures_in
from workshop.training.beside.likeness import Likeness, imitate, show
from workshop.training.beside.profiles import Profile, measure
from workshop.training.faces.fonts import NO_FONTS, usable_fonts
from workshop.training.faces.typeface import FontFace

_SEEN = 0.98
"""Share of a face that has to be in view for it to be measured. [by eye]"""


@dataclass(frozen=True)
class Comparison:
    """A photograph, its likeness as a picture, and what tiles look like in each."""

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


def compare(picture: Genuine, fonts: Sequence[FontFace]) -> Comparison:
    """Render a photograph's likeness and measure both."""
    likeness = imitate(picture, fonts)
    rendered = show(likeness)
    whole = likeness.squares[likeness.seen >= _SEEN]
    profiles = [measure(image, picture, whole, likeness.arrays, likeness.camera) for image in (picture.image, rendered)]
    return Comparison(picture, likeness, rendered, *profiles)


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
    columns: list[Column] = []
    for folder in args.pictures:
        pictures = sorted(pictures_in(folder), key=lambda each: (-int((each.heights > 0).sum()), -each.image.size))
        for picture in pictures[: args.count]:
            print(f"rendering {folder.name}/{picture.name}", flush=True)
            done = compare(picture, fonts)
            beside = np.hstack([picture.image, done.rendered])
            cv2.imwrite(str(args.out / f"{folder.name}-{picture.name}.png"), beside)
            figures[f"{folder.name}/{picture.name}"] = done.figures()
            columns.append(Column(folder.name, done.genuine_profile, done.rendered_profile, _piece(done)))
    (args.out / "figures.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")
    (args.out / "beside.svg").write_text(draw(columns), encoding="utf-8")


if __name__ == "__main__":
    main()
