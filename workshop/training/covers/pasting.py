"""Pastes things on drawn pictures of boards, and tells which squares they hide."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision import Camera
from vision.images import Image
from workshop.training.board_samples import BoardSample
from workshop.training.covers.things import TEXTURE_PX, Floats, Picture, Thing, project, random_thing

_MOST = 0.5
"""Share of the squares that a thing may hide: a board that is hidden more is for nobody to read. [by eye]"""
_U, _V = (np.ravel(part) for part in np.meshgrid(*[np.linspace(0.1, 0.9, 5)] * 2))
_SPOTS: Floats = np.stack([_U, _V], axis=-1)
"""(25, 2) points all over a square."""


def with_thing(sample: BoardSample, rng: np.random.Generator) -> BoardSample:
    """Return the sample with a thing on its board, or as it is where the thing would hide too much of it."""
    thing = random_thing(sample, rng)
    image, mask = _paste(sample.image, sample.camera, thing, rng)
    hidden = _shares_within(sample, mask)
    if (hidden > 0.4).mean() > _MOST:
        return sample
    return replace(sample, image=image, visible=sample.visible * (1.0 - hidden), hand=np.maximum(sample.hand, hidden))


def _paste(image: Image, camera: Camera, thing: Thing, rng: np.random.Generator) -> tuple[Image, npt.NDArray[np.uint8]]:
    """Return the picture (h, w, 3) with the thing and its shade in it, and where it shows (h, w), 0 to 255."""
    height, width = image.shape[:2]
    low, high = project(camera, thing.outline, thing.bottom), project(camera, thing.outline, thing.top)
    walls, lid = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
    for k in range(len(low)):
        after = (k + 1) % len(low)
        _fill(walls, np.array([low[k], low[after], high[after], high[k]]))
    _fill(walls, low)
    _fill(lid, high)
    out: Picture = _shade(image.astype(np.float32), camera, thing, rng)
    soft = rng.uniform(0.4, 1.2)
    shown, top = (_soft(part, soft) for part in (np.maximum(walls, lid), lid))
    out = out + shown * (thing.wall * rng.uniform(0.5, 1.0) - out)
    out = out + top * (_lit(_warp(camera, thing, (width, height)), rng) - out)
    noisy = out + (shown > 0) * rng.normal(0, rng.uniform(0, 5), out.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), np.maximum(walls, lid)


def _fill(mask: npt.NDArray[np.uint8], corners: Floats) -> None:
    within = np.clip(corners, -8000, 8000)
    cv2.fillPoly(mask, [np.round(within * 8).astype(np.int32)], 255, cv2.LINE_AA, 3)


def _soft(mask: npt.NDArray[np.uint8], sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma)[..., None] / np.float32(255), dtype=np.float32)


def _shade(image: Picture, camera: Camera, thing: Thing, rng: np.random.Generator) -> Picture:
    """Return the picture with the shade that the thing throws on the board."""
    off = rng.normal(0, 0.6, 2) * (thing.top - 0.5 * thing.bottom) + rng.normal(0, 0.05, 2)
    shade = np.zeros(image.shape[:2], np.uint8)
    _fill(shade, project(camera, thing.outline + off, 0.0))
    pitch = float(np.linalg.norm(np.diff(project(camera, np.array([[0.0, 0.0], [1.0, 0.0]]), 0.0), axis=0)))
    return np.asarray(image * (1.0 - rng.uniform(0.0, 0.55) * _soft(shade, 0.5 + rng.uniform(0.02, 0.3) * pitch)))


def _lit(picture: Picture, rng: np.random.Generator) -> Picture:
    """Light that falls off across the picture (h, w, 3), and at times the image of a lamp."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    lit = picture * (1.0 + rng.normal(0, 0.15) * x + rng.normal(0, 0.15) * y)[..., None]
    if rng.random() < 0.2:
        at, wide = rng.uniform(-0.6, 0.6, 2), rng.uniform(0.05, 0.3, 2)
        spot = np.exp(-(((x - at[0]) / wide[0]) ** 2) - ((y - at[1]) / wide[1]) ** 2)
        lit = lit + rng.uniform(30, 200) * spot[..., None]
    return np.asarray(lit, dtype=np.float32)


def _warp(camera: Camera, thing: Thing, size: tuple[int, int]) -> Picture:
    """Return what is printed on the thing's top, as the camera sees it, in a picture of `size` (width, height)."""
    low, high = thing.outline.min(axis=0), thing.outline.max(axis=0)
    box = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    corners = project(camera, box, thing.top).astype(np.float32)
    flat = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * TEXTURE_PX
    matrix = cv2.getPerspectiveTransform(flat, corners)
    seen = cv2.warpPerspective(
        thing.print_on.astype(np.float32), matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, dtype=np.float32)


def _shares_within(sample: BoardSample, mask: npt.NDArray[np.uint8]) -> Floats:
    """Return (n, n) shares of the top faces that lie behind what shows in `mask` (h, w)."""
    n, (height, width) = sample.size, mask.shape
    rows, cols = np.indices((n, n))
    x, y = (part[..., None] + spots for part, spots in ((cols, _SPOTS[:, 0]), (rows, _SPOTS[:, 1])))
    places = np.stack([x, y, np.broadcast_to(sample.elevations[..., None], x.shape)], axis=-1)
    at = np.round(sample.camera.project(places.reshape(-1, 3))).astype(np.int64).reshape(n, n, -1, 2)
    inside = (at >= 0).all(axis=-1) & (at < (width, height)).all(axis=-1)
    within = np.clip(at, 0, (width - 1, height - 1))
    return np.asarray((inside & (mask[within[..., 1], within[..., 0]] > 127)).mean(axis=-1), dtype=np.float64)
