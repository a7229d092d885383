"""The chart of genuine against rendered tiles. It holds rendered pixels, and none of a photograph."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.images import Image
from workshop.training.beside.profiles import Profile
from workshop.training.rendering.ray_marcher import Array

_WIDE, _HIGH, _GAP, _LEFT, _TOP = 176, 84, 30, 48, 44
"""Size of a panel, the room between panels, and the margins, px. [by eye]"""
_PANELS = {"across": "left to right", "down": "top to bottom", "wall": "up a wall"}
_BRIGHTEST = 1.3
"""Brightness at the top of a panel. [by eye]"""
_GENUINE, _RENDERED = "#222", "#d95f02"
_QUALITY = 82
"""JPEG quality of the pieces. [by eye]"""


@dataclass(frozen=True)
class Column:
    """What one photograph's tiles look like there and rendered, and a piece (h, w, 3) of the rendered picture."""

    title: str
    genuine: Profile
    rendered: Profile
    piece: Image


def draw(columns: list[Column]) -> str:
    """Return the chart as SVG, a column a photograph."""
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


def _column(column: Column, left: int) -> Iterator[str]:
    yield f'<text x="{left}" y="{_TOP - 10}" font-weight="bold">{column.title}</text>'
    for row, (name, label) in enumerate(_PANELS.items()):
        top = _TOP + row * (_HIGH + _GAP)
        yield f'<path d="M{left} {top}V{top + _HIGH}H{left + _WIDE}" fill="none" stroke="#888"/>'
        yield f'<text x="{left + _WIDE / 2}" y="{top + _HIGH + 13}" text-anchor="middle" fill="#666">{label}</text>'
        for tick in (0, 1):
            up = top + _HIGH * (1 - tick / _BRIGHTEST) + 4
            yield f'<text x="{left - 4}" y="{up:.1f}" text-anchor="end">{tick}</text>'
        for profile, colour in ((column.genuine, _GENUINE), (column.rendered, _RENDERED)):
            yield _line(getattr(profile, name), left, top, colour)
    top = _TOP + len(_PANELS) * (_HIGH + _GAP)
    small = cv2.resize(column.piece, (_WIDE, _WIDE), interpolation=cv2.INTER_AREA)
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
