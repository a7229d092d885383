"""Pictures that a person can check: the grid, what was read on each square, the play, and the board seen from above.

What was taken in the dark is shown lightened, as it was read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Picture
from PIL import ImageDraw

from engine import Square, Verdict, square_name
from vision.arrays import Floats
from vision.geometry.camera import Camera
from vision.geometry.rectify import outside, windows_at
from vision.images import Image
from vision.picture_quality import lighten, lighten_board
from vision.reading import BoardReading
from vision.system import bold_font
from vision.turn.finding import Finding

_SQUARE = 64
"""Side of a square in the flat view, px. [by eye]"""
_FONT_PX = 29
"""Size of the font in which other letters are as tall as OpenCV's at scale 1. [by eye]"""
_LINE = (77, 195, 255)
"""Colour of the grid's lines: blue, green, red."""


def flat_view(image: Image, corners: npt.ArrayLike, size: int) -> Image:
    """Draw the n x n board of a picture (h, w, 3) as seen from above, with its grid and half a square around it.

    `corners` (4, 2) px are the grid's corners in the order top left, top right, bottom right, bottom left.
    """
    margin, side = _SQUARE // 2, _SQUARE * size
    low, high = margin, margin + side
    outline = np.array([(low, low), (high, low), (high, high), (low, high)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, dtype=np.float32), outline)
    flat = cv2.warpPerspective(image, matrix, (side + 2 * margin, side + 2 * margin))
    for at in range(low, high + 1, _SQUARE):
        cv2.line(flat, (at, low), (at, high), _LINE, 1, cv2.LINE_AA)
        cv2.line(flat, (low, at), (high, at), _LINE, 1, cv2.LINE_AA)
    return np.asarray(flat, dtype=np.uint8)


Colour = tuple[int, int, int]

_GRID: Colour = (230, 200, 60)
_SURE: Colour = (80, 200, 60)
_DOUBT: Colour = (0, 165, 255)
_WRONG: Colour = (60, 60, 230)
_NEW: Colour = (255, 80, 220)
_INK: Colour = (20, 20, 20)
_PAPER: Colour = (250, 250, 250)
_SURE_CONFIDENCE = 0.95
"""Confidence from which a tile is framed as sure. Of 14,102 squares of the development sets given more, none was wrong.
[by hand, sets]"""
_STRAIGHT_QUOTES = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
"""Straight quotation marks for curly ones: OpenCV draws only ASCII letters."""
_CLOSE_UP_SQUARES = 2.6
"""Width of a close-up, squares: the one in question and most of those beside it. [by eye]"""
_DASHES = [(at / 9, (at + 1) / 9) for at in range(0, 9, 2)]
"""Ends of the dashes of a frame, shares of its side."""
_MAX_OUTSIDE = 0.5
"""Share of a face outside the picture above which its letter is not written. [by eye]"""
_LONG_SIDE = 1600
"""Longest side of an overlay, px: what a screen shows. [by eye]"""


def quarter_turns(corners: Floats) -> int:
    """Return the quarter turns, against the clock, that bring a board with `corners` (4, 2) px upright."""
    x, y = corners[1] - corners[0] + corners[2] - corners[3]
    return round(float(np.arctan2(y, x)) / (np.pi / 2)) % 4


def upright(image: Image, reading: BoardReading) -> tuple[Image, BoardReading]:
    """Return a photograph (h, w, 3) and its reading, both turned so that the board stands upright."""
    for _ in range(quarter_turns(reading.corners)):
        width = image.shape[1]
        corners = np.column_stack([reading.corners[:, 1], width - 1 - reading.corners[:, 0]])
        image = np.ascontiguousarray(np.rot90(image))
        reading = replace(reading, camera=reading.camera.turn_picture(width), corners=corners)
    return image, reading


def draw_reading(image: Image, reading: BoardReading) -> Image:
    """Draw the grid on the photograph (h, w, 3), and each tile's letter, height and confidence (in colour)."""
    canvas, camera = _resize(_as_read(image, reading), reading.camera)
    _draw_grid(canvas, camera, reading.size)
    letters, heights, confidence = reading.letters(), reading.heights(), reading.confidence()
    hidden = reading.find_occluded()
    # a label at the picture's edge would lie over a neighbour
    elevations = reading.face_elevations(heights)
    beyond = outside(canvas, camera, reading.size, elevations) > _MAX_OUTSIDE
    for row in range(reading.size):
        for col in range(reading.size):
            if hidden[row, col] or beyond[row, col]:
                _cross(canvas, camera, row, col)
            elif heights[row, col]:
                colour = _SURE if confidence[row, col] >= _SURE_CONFIDENCE else _DOUBT
                label, lift = f"{letters[row][col]}{heights[row, col]}", float(elevations[row, col])
                _draw_face(canvas, camera, Square(row, col), lift, colour, label=label)
    return canvas


def draw_turn(image: Image, reading: BoardReading, finding: Finding, verdict: Verdict | None) -> Image:
    """Draw a reading on the photograph (h, w, 3), frame the turn's tiles, and write its words and points below."""
    canvas = draw_reading(image, reading)
    camera = reading.camera.scale(canvas.shape[1] / image.shape[1])
    heights = reading.heights()
    marked = finding.play if finding.kind == "play" else None
    for tile in marked.tiles if marked is not None else ():
        height = max(1, int(heights[tile.square.row, tile.square.col]))
        outline = _face_outline(camera, tile.square, float(reading.face_elevations(height)), 0.5)
        cv2.polylines(canvas, [_points(outline)], True, _NEW, 3, cv2.LINE_AA, 4)
    return _caption(canvas, caption(finding, verdict), finding.needs_review)


def caption(finding: Finding, verdict: Verdict | None) -> list[str]:
    """Return what happened, in a few short lines."""
    if finding.kind == "play" and verdict is not None:
        words = " + ".join(f"{w.word} {w.points}" for w in verdict.words) or "no word"
        lines = [f"{words} = {verdict.points}"]
        lines += [] if verdict.legal else [violation.text for violation in verdict.violations]
    elif finding.kind == "removed" and finding.play is not None:
        lines = ["Tiles taken back: " + ", ".join(square_name(t.square) for t in finding.play.tiles)]
    else:
        lines = ["Nothing changed." if finding.kind == "none" else "Unclear."]
    return lines + ([str(finding.reason)] if finding.reason else [])


def crop_square(
    image: Image, reading: BoardReading, square: Square, height: int, side: int, *, hidden: bool = False
) -> Image:
    """Return a close-up (side, side, 3) of a square and its neighbours, upright, for a question about it.

    The face of a stack `height` high is framed, so that nobody mistakes a neighbour's letter for it. The frame is
    dashed if the square is `hidden`.
    """
    middle = (square.col + 0.5, square.row + 0.5, float(reading.face_elevations(height)))
    image = _as_read(image, reading)
    canvas = np.ascontiguousarray(windows_at(image, reading.camera, [middle], side, _CLOSE_UP_SQUARES)[0])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 0.5 / _CLOSE_UP_SQUARES
    sides = list(zip(corners, np.roll(corners, -1, axis=0), strict=True))
    shown = _DASHES if hidden else [(0.0, 1.0)]
    lines = [_points(((a + np.outer(ends, b - a)) + 0.5) * side - 0.5) for a, b in sides for ends in shown]
    for colour, width in ((_PAPER, side // 44), (_NEW, side // 80)):
        cv2.polylines(canvas, lines, False, colour, width, cv2.LINE_AA, 4)
    return canvas


def _as_read(image: Image, reading: BoardReading) -> Image:
    """Return the photograph (h, w, 3), lightened as its reader did."""
    return lighten_board(lighten(image).image, reading.corners).image


def _resize(image: Image, camera: Camera) -> tuple[Image, Camera]:
    factor = min(1.0, _LONG_SIDE / max(image.shape[:2]))
    if factor == 1.0:
        return image.copy(), camera
    size = (round(image.shape[1] * factor), round(image.shape[0] * factor))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), camera.scale(factor)


def _points(pixels: Floats) -> npt.NDArray[np.int32]:
    """Convert pixels to OpenCV's fixed-point drawing coordinates (4 bits of fraction)."""
    return np.round(np.clip(pixels, -4000, 20000) * 16).astype(np.int32)


def _draw_grid(canvas: Image, camera: Camera, size: int) -> None:
    along = np.linspace(0, size, 4 * size + 1)
    for k in range(size + 1):
        width = 2 if k in (0, size) else 1
        for line in ((along, np.full_like(along, k)), (np.full_like(along, k), along)):
            pixels = camera.project(np.column_stack([*line, np.zeros_like(along)]))
            cv2.polylines(canvas, [_points(pixels)], False, _GRID, width, cv2.LINE_AA, 4)


def _face_outline(camera: Camera, square: Square, height: float, half: float) -> Floats:
    middle = (square.col + 0.5, square.row + 0.5)
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    return camera.project([(middle[0] + x, middle[1] + y, height) for x, y in corners])


def _draw_face(canvas: Image, camera: Camera, square: Square, height: float, colour: Colour, *, label: str) -> None:
    outline = _face_outline(camera, square, height, 0.42)
    cv2.polylines(canvas, [_points(outline)], True, colour, 2, cv2.LINE_AA, 4)
    scale = max(0.35, float(np.linalg.norm(outline[2] - outline[0])) / 110)
    (width, high), base = _measure_text(label, scale, 1)
    x, y = (int(least) for least in outline.min(axis=0))
    cv2.rectangle(canvas, (x, y - high - base), (x + width + 2, y + base // 2), colour, -1)
    _write(canvas, label, (x + 1, y - base // 2), scale, 1)


def _measure_text(text: str, scale: float, weight: int) -> tuple[tuple[int, int], int]:
    """Return the width and height of a text, px, and how far it reaches below its line, as OpenCV measures it."""
    if text.isascii():
        (width, high), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
        return (width, high), base
    left, top, right, below = bold_font(round(_FONT_PX * scale)).getbbox(text, anchor="ls")
    return (round(right - left), round(-top)), max(round(below), round(4 * scale))


def _write(canvas: Image, text: str, at: tuple[int, int], scale: float, weight: int) -> None:
    """Write a text on a picture (h, w, 3), its line beginning `at` x, y. OpenCV has no letters beyond A to Z."""
    if text.isascii():
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, _INK, weight, cv2.LINE_AA)
        return
    picture = Picture.fromarray(canvas)
    ImageDraw.Draw(picture).text(at, text, _INK, bold_font(round(_FONT_PX * scale)), "ls")
    canvas[:] = np.asarray(picture)


def _cross(canvas: Image, camera: Camera, row: int, col: int) -> None:
    for ends in (((0.2, 0.2), (0.8, 0.8)), ((0.8, 0.2), (0.2, 0.8))):
        pixels = camera.project([(col + x, row + y, 0.0) for x, y in ends])
        cv2.polylines(canvas, [_points(pixels)], False, _WRONG, 1, cv2.LINE_AA, 4)


def _caption(canvas: Image, lines: Iterable[str], doubtful: bool) -> Image:
    lines = list(lines)
    step = 34
    strip = np.full((step * len(lines) + 14, canvas.shape[1], 3), _PAPER, dtype=np.uint8)
    cv2.rectangle(strip, (0, 0), (8, strip.shape[0]), _DOUBT if doubtful else _SURE, -1)
    for k, line in enumerate(lines):
        plain = line.translate(_STRAIGHT_QUOTES)
        room = canvas.shape[1] - 40
        width = _measure_text(plain, 0.8, 2)[0][0]
        scale = 0.8 * min(1.0, room / max(width, 1))
        _write(strip, plain, (20, step * (k + 1) - 6), scale, 2)
    return np.vstack([canvas, strip])
