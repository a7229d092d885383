"""Typefaces for the letters of simulated tiles: found in the system's font folders, judged by their pixels.

A typeface is taken when it is upright, has A..Z, `u` and the digits, is neither very narrow nor very light,
and when its capitals look like capitals: each glyph is compared with the median glyph of all candidates, which
drops scripts, blackletter, pixel letters, outlines and symbol fonts without a list of names.
"""

from __future__ import annotations

import json
import re
import string
import struct
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from fontTools.ttLib import TTFont, TTLibError
from numpy.typing import NDArray

from workshop.training.faces.typeface import FontFace, Mask, render_glyph

FONT_FOLDERS = (Path("/usr/share/fonts"),)
_SAME_LOOK = {"Ș": "ȘŞ", "Ț": "ȚŢ", "Ð": "ÐĐ"}
"""Letters that other languages write with another sign, which looks the same on a tile."""
NO_FONTS = "no usable typefaces in /usr/share/fonts: install some, for example fonts-urw-base35 and fonts-noto-core"
UNSEEN_FAMILIES = (
    "Roboto Condensed",
    "Nimbus Roman",
    "Liberation Sans",
    "Open Sans",
    "Lato",
    "League Spartan",
    "DejaVu Serif",
    "P052",
    "Roboto Slab",
    "Courier Prime",
)
"""Families kept out of training, so that validation has typefaces no network has seen."""

_NOT_PLAIN = re.compile(
    r"italic|oblique|slanted|inclined|script|symbol|outline|small ?caps|initials|keyboard|quran|emoji|music"
    r"|upright ?it|variants|integrals|stixsize|condensed light|hairline|thin\b|extra ?light",
    re.IGNORECASE,
)
_CHARS = string.ascii_uppercase + string.digits + "u"
_CACHE_NAME = "fonts.json"
_THUMB = 24
_MIN_LIKENESS = 0.56
_ODD_LETTERS = 4
_MIN_ODD_LIKENESS = 0.34
"""The letters least like the others' may be so unlike them: old swash forms pass, square pixel letters do not.
[by eye]"""
_CLONE_LIKENESS = 0.955


def usable_fonts(cache_dir: Path | None = None, folders: Sequence[Path] = FONT_FOLDERS) -> list[FontFace]:
    """Return the accepted typefaces in a fixed order.

    The survey takes about a minute; with `cache_dir` its result is kept there as JSON and read the next time.
    Delete that file after installing fonts.
    """
    cache = cache_dir / _CACHE_NAME if cache_dir else None
    if cache and cache.is_file():
        return [FontFace(**entry) for entry in json.loads(cache.read_text(encoding="utf-8"))]
    faces = _survey(folders)
    if cache:
        cache.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=cache.parent, delete=False, encoding="utf-8") as file:
            json.dump([asdict(face) for face in faces], file, indent=0)
        Path(file.name).replace(cache)
    return faces


def unseen_fonts() -> list[FontFace]:
    """Return the installed typefaces that no training picture shows, of `UNSEEN_FAMILIES`; looked for each time."""
    return [face for face, _ in _find_fonts(FONT_FOLDERS) if _is_unseen(face.family)]


def fonts_in(folder: Path) -> list[FontFace]:
    """Return the typefaces in a folder that have all letters, however odd they look."""
    return [face for face, _ in _find_fonts([folder], odd=True)]


@lru_cache(maxsize=1024)
def signs_in(font: FontFace, face: str) -> str:
    """Return the signs, "" if none, with which a typeface can draw a face: one a character for a letter."""
    known = _signs(font.path, font.index)
    if len(face) > 1:
        return face if all(each in known for each in face + face.upper()) else ""
    return "".join(sign for sign in _SAME_LOOK.get(face, face) if sign in known)


def drawable(font: FontFace, faces: Sequence[str]) -> list[str]:
    """Return those of the faces that a typeface has."""
    return [face for face in faces if signs_in(font, face)]


@lru_cache(maxsize=1024)
def _signs(path: str, index: int) -> frozenset[str]:
    with Path(path).open("rb") as file, TTFont(file, fontNumber=index, lazy=True) as font:
        return frozenset(map(chr, font.getBestCmap() or {}))


def _find_fonts(folders: Sequence[Path], *, odd: bool = False) -> list[tuple[FontFace, Mask]]:
    files = sorted(
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix.lower() in {".ttf", ".otf", ".ttc", ".otc"}
    )
    return [(face, sheet) for path in files for face, sheet in _candidates(path, odd)]


def _survey(folders: Sequence[Path]) -> list[FontFace]:
    found = _find_fonts(folders)
    if not found:
        return []
    stack = np.stack([sheet for _, sheet in found]).astype(np.float32)
    median = np.median(stack, axis=0)
    plain = [_looks_plain(_likenesses(sheet, median)) for sheet in stack]
    unseen = [sheet for (face, _), sheet in zip(found, stack, strict=True) if _is_unseen(face.family)]
    kept: list[FontFace] = []
    sheets: list[NDArray[np.float32]] = list(unseen)
    for (face, _), sheet, is_plain in zip(found, stack, plain, strict=True):
        if not is_plain or _is_unseen(face.family):
            continue
        if sheets and max(float(_likenesses(sheet, other).mean()) for other in sheets) > _CLONE_LIKENESS:
            continue  # the same drawing under another name, or a clone of an unseen face
        kept.append(face)
        sheets.append(sheet)
    return kept


def _is_unseen(family: str) -> bool:
    return family.startswith(UNSEEN_FAMILIES)


def _candidates(path: Path, odd: bool) -> Iterable[tuple[FontFace, Mask]]:
    count = 1
    if path.suffix.lower() in {".ttc", ".otc"}:
        count = 8
    for index in range(count):
        try:
            names = _names(path, index, odd=odd)
            if names is None:
                continue
            measured = _measure(path, index, *names, odd=odd)
        except (OSError, TTLibError, ValueError, KeyError, AttributeError, AssertionError, struct.error):
            return  # a damaged or foreign file is no candidate
        if measured is not None:
            yield measured


def _names(path: Path, index: int, *, odd: bool) -> tuple[str, str] | None:
    """Return family and style when the tables say: upright and Latin, else None."""
    with path.open("rb") as file, TTFont(file, fontNumber=index, lazy=True) as font:
        cmap = font.getBestCmap() or {}
        if any(ord(char) not in cmap for char in _CHARS):
            return None
        leans = "post" in font and abs(font["post"].italicAngle) > 1
        if not odd and (leans or ("OS/2" in font and font["OS/2"].fsSelection & 1)):
            return None
        table = font["name"]
        family = str(table.getDebugName(16) or table.getDebugName(1) or path.stem)
        style = str(table.getDebugName(17) or table.getDebugName(2) or "")
    if not odd and _NOT_PLAIN.search(f"{family} {style} {path.stem}"):
        return None
    return family, style


def _measure(path: Path, index: int, family: str, style: str, *, odd: bool) -> tuple[FontFace, Mask] | None:
    plain = FontFace(str(path), index, family, style, False, 0.0, 0.0)
    size = 48
    glyphs = [render_glyph(char, plain, size) for char in string.ascii_uppercase]
    letter_i, letter_h = glyphs[8] > 127, glyphs[7] > 127
    if not all(glyph.max() > 200 for glyph in glyphs):
        return None
    widths = letter_i.sum(axis=1)
    middle = len(widths) // 2
    stem = float(np.median(widths[middle - 6 : middle + 7])) / size
    ink_h = letter_h.sum(axis=1)
    foot = float(np.max(ink_h[middle + size // 2 - 5 : middle + size // 2 + 2]))
    legs = float(np.median(ink_h[middle + size // 4 - 3 : middle + size // 4 + 4]))
    width = letter_h.shape[1] / size
    if not odd and not (0.09 <= stem <= 0.42 and 0.6 <= width <= 1.35):
        return None
    heights = [int(np.ptp(np.flatnonzero(glyph.max(axis=1) > 127))) for glyph in glyphs if glyph is not glyphs[16]]
    if not odd and (min(heights) < 0.85 * size or max(heights) > 1.35 * size):
        return None
    face = FontFace(str(path), index, family, style, foot > 1.3 * legs, round(stem, 4), round(width, 4))
    return face, np.stack([_thumb(glyph) for glyph in glyphs])


def _thumb(glyph: Mask) -> Mask:
    """Scale a glyph to a small square picture, its proportions kept up to the narrow I."""
    rows = np.flatnonzero(glyph.max(axis=1) > 127)
    body = glyph[rows[0] : rows[-1] + 1]
    pad = max(0, body.shape[0] // 2 - body.shape[1]) // 2
    body = np.pad(body, ((0, 0), (pad, pad)))
    return np.asarray(cv2.resize(body, (_THUMB, _THUMB), interpolation=cv2.INTER_AREA), np.uint8)


def _likenesses(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the overlap (soft intersection over union) of each of the glyphs (26, h, w) of two sheets."""
    low = np.minimum(first, second).sum(axis=(1, 2))
    high = np.maximum(first, second).sum(axis=(1, 2))
    return np.asarray(low / np.maximum(high, 1), np.float32)


def _looks_plain(likenesses: NDArray[np.float32]) -> bool:
    """Tell from its letters' likenesses to the median sheet whether a typeface has ordinary capitals."""
    odd = np.sort(likenesses)[:_ODD_LETTERS]
    return bool(likenesses.mean() >= _MIN_LIKENESS and odd.mean() >= _MIN_ODD_LIKENESS)
