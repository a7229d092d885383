"""Drawing ground for a scene: height, colour and material maps in board coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.training.rendering.scene_arrays import Byte, Float

RES = 28
"""Map pixels a cell."""
MARGIN = 6
"""Cells of table mapped around the grid."""

TABLE, PLASTIC, PAPER, METAL, TILE = range(5)
"""Materials; skin and cloth of a hand shine as plastic does."""


@dataclass
class Canvas:
    """Maps being drawn; a map pixel (j, i) lies at board point (j / RES - MARGIN, i / RES - MARGIN).

    `n`: cells across the middle, which is the grid where there is a board; `clear`: half the width of the part of
    the middle that racks keep away from.
    """

    n: int
    clear: float
    table_z: float
    ground: Float
    albedo: Float
    material: Byte
    x: Float
    y: Float
    materials: dict[int, tuple[float, float]] = field(default_factory=dict)

    @staticmethod
    def blank(n: int, table_z: float, *, board: bool = True) -> Canvas:
        """Return an empty table, kept clear around the middle for a `board`; `table_z` is the table's height."""
        size = (n + 2 * MARGIN) * RES + 1
        axis = np.arange(size, dtype=np.float32) / RES - MARGIN
        x, y = np.meshgrid(axis, axis)
        return Canvas(
            n,
            n / 2 if board else 0.0,
            table_z,
            np.full((size, size), table_z, np.float32),
            np.zeros((size, size, 3), np.float32),
            np.zeros((size, size), np.uint8),
            np.asarray(x, np.float32),
            np.asarray(y, np.float32),
        )

    def window(self, cx: float, cy: float, reach: float) -> tuple[slice, slice]:
        """Return the map rows and columns within `reach` of a board point (may be empty)."""
        size = self.ground.shape[0]
        lo_x, hi_x = (int((c + MARGIN) * RES) for c in (cx - reach, cx + reach))
        lo_y, hi_y = (int((c + MARGIN) * RES) for c in (cy - reach, cy + reach))
        return (
            slice(min(max(lo_y, 0), size), min(max(hi_y + 2, 0), size)),
            slice(min(max(lo_x, 0), size), min(max(hi_x + 2, 0), size)),
        )

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the map pixel (x, y) of a board point."""
        return (x + MARGIN) * RES, (y + MARGIN) * RES


def box_depth(x: Float, y: Float, half_w: float, half_h: float, radius: float) -> Float:
    """Return the depth inside a rounded rectangle about the origin (negative outside), cells."""
    qx = np.abs(x) - (half_w - radius)
    qy = np.abs(y) - (half_h - radius)
    outer = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0)
    return np.asarray(radius - outer, np.float32)


def ramp(depth: Float, width: float) -> Float:
    """Return a smooth step from 0 at depth 0 to 1 at depth `width`."""
    t = np.clip(depth / max(width, 1e-3), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def coverage(depth: Float) -> Float:
    """Return antialiased ink for a depth field in cells."""
    return np.asarray(np.clip(depth * RES + 0.5, 0, 1), np.float32)


def paint(albedo: Float, ink: Float, colour: NDArray[np.float32]) -> None:
    """Lay `colour` (3,), or a picture (h, w, 3), over `albedo` (h, w, 3) in place by the shares `ink` (h, w)."""
    albedo += (colour - albedo) * ink[..., None]


def stamp(canvas: Canvas, mask: Byte, cx: float, cy: float, angle: float, height: float) -> Float:
    """Return a full-map ink field with `mask` (uint8) centred at a board point, `height` cells high, turned."""
    h, w = mask.shape
    scale = height * RES / h
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    px, py = canvas.pixel(cx, cy)
    move = np.array([[c, -s, px - c * w / 2 + s * h / 2], [s, c, py - s * w / 2 - c * h / 2]])
    size = canvas.ground.shape[::-1]
    if scale < 0.7:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.35 / scale), np.uint8)
    return np.asarray(cv2.warpAffine(mask, move, (size[0], size[1])) / np.float32(255), np.float32)
