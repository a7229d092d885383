"""Things put down on a board: sheets, cards, phones, books, cloths, cups, pasted over a drawn picture.

The renderer draws hands alone. A prism of any outline and print teaches what matters: squares are hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.training.board_samples import BoardSample
from vision.geometry.camera import Camera
from vision.images import Image

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.floating[Any]]

_MOST = 0.5
"""Share of the squares that a thing may hide."""
_THICK, _THICK_SHARES = ((0.01, 0.08), (0.1, 0.5), (0.5, 3.0)), (0.4, 0.4, 0.2)
"""How thick things are, cells: sheets and cards, telephones and books, cups; and how often they are so."""
_TEXTURE_PX = 160
"""Side of what is printed on a thing, pixels."""
_U, _V = (np.ravel(part) for part in np.meshgrid(*[np.linspace(0.1, 0.9, 5)] * 2))
_SPOTS: Floats = np.stack([_U, _V], axis=-1)
"""(25, 2) points all over a square."""


@dataclass(frozen=True)
class Thing:
    """A prism from `bottom` to `top` above a board with the corners `outline` (m, 2), all in cells.

    Its lid shows `print_on` (_TEXTURE_PX, _TEXTURE_PX, 3) BGR, its sides the colour `wall` (3)."""

    outline: Floats
    bottom: float
    top: float
    print_on: Picture
    wall: Floats


def with_thing(sample: BoardSample, rng: np.random.Generator) -> BoardSample:
    """The sample with a thing on its board, or as it is where the thing would hide too much of it."""
    thing = _random_thing(sample, rng)
    image, mask = _pasted(sample.image, sample.camera, thing, rng)
    hidden = _shares_within(sample, mask)
    if (hidden > 0.4).mean() > _MOST:
        return sample
    return replace(
        sample,
        image=image,
        visible=sample.visible * (1.0 - hidden),
        hand=np.maximum(sample.hand, hidden),
    )


def _random_thing(sample: BoardSample, rng: np.random.Generator) -> Thing:
    outline = _OUTLINES[int(rng.integers(len(_OUTLINES)))](rng)
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    outline = outline @ np.array([[c, s], [-s, c]]) + rng.uniform(-0.5, sample.size + 0.5, 2)
    bottom = _highest_under(sample, outline) if rng.random() < 0.8 else 0.0
    thinnest, thickest = _THICK[int(rng.choice(len(_THICK), p=_THICK_SHARES))]
    ground = _ground_colour(sample, outline, rng)
    printed: Picture = np.full((_TEXTURE_PX, _TEXTURE_PX, 3), ground)
    if rng.random() < 0.57:
        printed = _PRINTS[int(rng.integers(len(_PRINTS)))](printed, rng)
    return Thing(
        outline, bottom, bottom + rng.uniform(thinnest, thickest), printed, ground * rng.uniform(0.4, 1.0)
    )


def _ground_colour(sample: BoardSample, outline: Floats, rng: np.random.Generator) -> Floats:
    """Any colour, that of paper, that of telephones, or nearly that of the board where the thing lies."""
    kind = rng.random()
    if kind < 0.25:
        return np.asarray(rng.uniform(190, 250) + rng.normal(0, 6, 3))
    if kind < 0.5:
        return np.asarray(rng.uniform(8, 60) + rng.normal(0, 4, 3)).clip(3, 250)
    if kind < 0.7:
        height, width = sample.image.shape[:2]
        x, y = np.clip(_projected(sample.camera, outline[:1], 0.0)[0], 0, (width - 1, height - 1)).astype(int)
        return np.asarray(np.clip(sample.image[y, x] + rng.normal(0, 18, 3), 3, 250), dtype=np.float64)
    return np.asarray(rng.uniform(8, 245, 3))


def _highest_under(sample: BoardSample, outline: Floats) -> float:
    """How high, cells, the tiles lie on which the thing comes to rest."""
    tiles = np.argwhere(sample.heights > 0)
    shape = outline.astype(np.float32)
    under = [
        int(sample.heights[row, col])
        for row, col in tiles
        if cv2.pointPolygonTest(shape, (float(col) + 0.5, float(row) + 0.5), measureDist=True) > -0.4
    ]
    return sample.foot + sample.layer * max(under) if under else 0.0


def _rectangle(rng: np.random.Generator) -> Floats:
    """A card, a sheet, a phone, a book."""
    half = np.array([rng.uniform(0.4, 2.2), rng.uniform(0.4, 3.2)])
    return np.asarray(half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), dtype=np.float64)


def _round(rng: np.random.Generator) -> Floats:
    """A cup, a bowl, a coaster, seen from above."""
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return np.asarray(rng.uniform(0.4, 2.0) * np.stack([np.cos(angles), np.sin(angles)], axis=-1))


def _crumpled(rng: np.random.Generator) -> Floats:
    """A cloth, a bag, a toy: a random outline without corners."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    radius = np.full(angles.shape, 1.0)
    for wave in range(2, 6):
        radius += rng.normal(0, 0.35 / wave) * np.cos(wave * angles + rng.uniform(0, 2 * np.pi))
    radius = rng.uniform(0.6, 2.2) * np.maximum(radius, 0.25)
    stretched = np.array([1.0, rng.uniform(0.4, 1.0)])
    return np.asarray(stretched * radius[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1))


def _striped(picture: Picture, rng: np.random.Generator) -> Picture:
    """Lines of a pad, stripes of a cloth, checks."""
    y, x = np.mgrid[0:_TEXTURE_PX, 0:_TEXTURE_PX] / _TEXTURE_PX
    ways = [x, y] if rng.random() < 0.3 else [x]
    ink, wide, many = rng.uniform(8, 245, 3), rng.uniform(0.1, 0.5), rng.uniform(3, 16)
    lined = np.any([(way * many) % 1 < wide for way in ways], axis=0)
    return np.where(lined[..., None], ink, picture)


def _framed(picture: Picture, rng: np.random.Generator) -> Picture:
    """A screen, a cover, a card: a field in a frame."""
    rim = int(rng.uniform(0.03, 0.2) * _TEXTURE_PX)
    framed = picture.copy()
    framed[rim:-rim, rim:-rim] = rng.uniform(5, 245, 3)
    return framed


def _written_on(picture: Picture, rng: np.random.Generator) -> Picture:
    """Words and numbers, as on covers and packets."""
    written = np.ascontiguousarray(picture, dtype=np.float32)
    ink = tuple(float(part) for part in rng.uniform(5, 250, 3))
    for _ in range(int(rng.integers(1, 7))):
        text = "".join(chr(int(code)) for code in rng.integers(48, 91, int(rng.integers(2, 10))))
        at = (int(rng.integers(0, _TEXTURE_PX // 2)), int(rng.integers(20, _TEXTURE_PX)))
        cv2.putText(
            written, text, at, int(rng.integers(0, 5)), rng.uniform(0.4, 1.6), ink, int(rng.integers(1, 4))
        )
    return written


def _mottled(picture: Picture, rng: np.random.Generator) -> Picture:
    """A photograph's blotches, a pattern without edges."""
    coarse = int(rng.integers(3, 24))
    blotches = rng.normal(0, rng.uniform(10, 60), (coarse, coarse, 3)).astype(np.float32)
    return picture + cv2.resize(blotches, (_TEXTURE_PX, _TEXTURE_PX), interpolation=cv2.INTER_CUBIC)


_PRINTS = (_striped, _framed, _written_on, _mottled)
_OUTLINES: tuple[Callable[[np.random.Generator], Floats], ...] = (_rectangle, _rectangle, _round, _crumpled)


def _pasted(
    image: Image, camera: Camera, thing: Thing, rng: np.random.Generator
) -> tuple[Image, npt.NDArray[np.uint8]]:
    """The picture (h, w, 3) with the thing and its shade in it, and where it shows (h, w), 0 to 255."""
    height, width = image.shape[:2]
    low, high = _projected(camera, thing.outline, thing.bottom), _projected(camera, thing.outline, thing.top)
    walls, lid = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
    for k in range(len(low)):
        after = (k + 1) % len(low)
        _fill(walls, np.array([low[k], low[after], high[after], high[k]]))
    _fill(walls, low)
    _fill(lid, high)
    out: Picture = _shaded(image.astype(np.float32), camera, thing, rng)
    soft = rng.uniform(0.4, 1.2)
    shown, top = (_soft(part, soft) for part in (np.maximum(walls, lid), lid))
    out = out + shown * (thing.wall * rng.uniform(0.5, 1.0) - out)
    out = out + top * (_lit(_warped(camera, thing, (width, height)), rng) - out)
    noisy = out + (shown > 0) * rng.normal(0, rng.uniform(0, 5), out.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), np.maximum(walls, lid)


def _projected(camera: Camera, outline: Floats, elevation: float) -> Floats:
    """Pixels (m, 2) of an outline (m, 2) that lies at an elevation, cells."""
    return camera.project(np.column_stack([outline, np.full(len(outline), elevation)]))


def _fill(mask: npt.NDArray[np.uint8], corners: Floats) -> None:
    cv2.fillPoly(mask, [np.round(np.clip(corners, -8000, 8000) * 8).astype(np.int32)], 255, cv2.LINE_AA, 3)


def _soft(mask: npt.NDArray[np.uint8], sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma)[..., None] / np.float32(255), dtype=np.float32)


def _shaded(image: Picture, camera: Camera, thing: Thing, rng: np.random.Generator) -> Picture:
    """The picture with the shade that the thing throws on the board."""
    off = rng.normal(0, 0.6, 2) * (thing.top - 0.5 * thing.bottom) + rng.normal(0, 0.05, 2)
    shade = np.zeros(image.shape[:2], np.uint8)
    _fill(shade, _projected(camera, thing.outline + off, 0.0))
    pitch = float(
        np.linalg.norm(np.diff(_projected(camera, np.array([[0.0, 0.0], [1.0, 0.0]]), 0.0), axis=0))
    )
    return np.asarray(
        image * (1.0 - rng.uniform(0.0, 0.55) * _soft(shade, 0.5 + rng.uniform(0.02, 0.3) * pitch))
    )


def _lit(picture: Picture, rng: np.random.Generator) -> Picture:
    """Light that falls off across the picture (h, w, 3)."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    lit = picture * (1.0 + rng.normal(0, 0.15) * x + rng.normal(0, 0.15) * y)[..., None]
    return np.asarray(lit, dtype=np.float32)


def _warped(camera: Camera, thing: Thing, size: tuple[int, int]) -> Picture:
    """What is printed on the thing's top, as the camera sees it, in a picture of `size` (width, height)."""
    low, high = thing.outline.min(axis=0), thing.outline.max(axis=0)
    box = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    corners = _projected(camera, box, thing.top).astype(np.float32)
    flat = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * _TEXTURE_PX
    matrix = cv2.getPerspectiveTransform(flat, corners)
    seen = cv2.warpPerspective(
        thing.print_on.astype(np.float32),
        matrix,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(seen, dtype=np.float32)


def _shares_within(sample: BoardSample, mask: npt.NDArray[np.uint8]) -> Floats:
    """(n, n) shares of the top faces that lie behind what shows in `mask` (h, w)."""
    n, (height, width) = sample.size, mask.shape
    rows, cols = np.indices((n, n))
    elevation = np.where(sample.heights > 0, sample.foot + sample.layer * sample.heights, 0.0)
    x, y = (part[..., None] + spots for part, spots in ((cols, _SPOTS[:, 0]), (rows, _SPOTS[:, 1])))
    places = np.stack([x, y, np.broadcast_to(elevation[..., None], x.shape)], axis=-1)
    at = np.round(sample.camera.project(places.reshape(-1, 3))).astype(np.int64).reshape(n, n, -1, 2)
    inside = (at >= 0).all(axis=-1) & (at < (width, height)).all(axis=-1)
    within = np.clip(at, 0, (width - 1, height - 1))
    return np.asarray((inside & (mask[within[..., 1], within[..., 0]] > 127)).mean(axis=-1), dtype=np.float64)
