"""What a tile looks like, in numbers: brightness across it and up its walls, its ink, its grain, its rims.

Brightness is linear light over that of the plain plastic in the middle of the same tiles.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.rectify import resample
from vision.images import Image
from workshop.training.beside.genuine import Genuine, faces_of, to_light
from workshop.training.rendering.ray_marcher import Array, Camera, points_seen
from workshop.training.rendering.scene_arrays import SceneArrays

PX = 96
"""Pixels of a square. [by eye]"""
STEPS = 48
"""Points of a profile across a tile, a square wide. [by eye]"""
WALL_STEPS = 8
"""Points of a profile up a wall, from the neighbour's top to the tile's own. [by eye]"""
_PLAIN = 0.32
"""Half the side of the flat face, cells. [by eye]"""
_FAINTEST = 0.15
"""What differs less from the plastic is no ink, of the plastic's light. [by eye]"""
_LEAST_PLAIN = 0.05
"""Share of a face's square that has to be plain plastic for the tile to be measured. [by eye]"""
_SIDES = np.array([(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)])


@dataclass(frozen=True)
class Profile:
    """What tiles of one picture look like.

    Attributes:
        across, down: (STEPS,) brightness from the left or upper to the right or lower edge of the square.
        wall: (WALL_STEPS,) brightness of walls in view from foot to top, empty if none is.
        ink: share of the light that ink takes away from plain plastic.
        edge: how wide ink's edge is, cells: its contrast over its steepest slopes.
        grain, mottle: spread of brightness within plain plastic, finer and coarser than a 25th of a cell.
        rim: the brightest and the darkest fiftieth around the face, brightness.
    """

    across: Array
    down: Array
    wall: Array
    ink: float
    edge: float
    grain: float
    mottle: float
    rim: tuple[float, float]

    def figures(self) -> dict[str, float]:
        """Return the figures that are no profiles, by name."""
        bright, dark = self.rim
        return {
            "ink takes": self.ink, "ink's edge, cells": self.edge, "grain": self.grain, "mottle": self.mottle,
            "rim, brightest": bright, "rim, darkest": dark,
        }  # fmt: skip


def measure(
    image: Image, picture: Genuine, squares: npt.NDArray[np.int64], arrays: SceneArrays, camera: Camera
) -> Profile:
    """Return what tiles (m, 2: row, column) look like in a picture: in the photograph, or in its likeness.

    The scene and the camera of the likeness say what is in view.
    """
    faces = to_light(faces_of(image, picture, squares, arrays.shape, PX)).mean(axis=3)
    step = (np.arange(PX) + 0.5) / PX - 0.5
    u, v = np.meshgrid(step, step)
    away = np.maximum(np.abs(u), np.abs(v))
    middle = away < _PLAIN
    plain = np.median(faces[:, middle], axis=1)[:, None, None]
    apart = np.abs(faces - plain) / plain
    inked = (apart > max(0.5 * np.percentile(apart[:, middle], 95), _FAINTEST)) & middle
    near_ink = np.stack([cv2.dilate(mask.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0 for mask in inked])
    told = (middle & ~near_ink).mean(axis=(1, 2)) > _LEAST_PLAIN
    faces, inked, near_ink = faces[told], inked[told], near_ink[told]
    plain = np.nanmedian(np.where(near_ink | ~middle, np.nan, faces), axis=(1, 2), keepdims=True)
    faces = faces / plain
    bare = np.where(near_ink, np.nan, faces)
    band = np.abs(step) < _PLAIN
    ring = (away > 0.34) & (away < 0.48)
    ink = float(np.median(faces[inked])) if inked.any() else 1.0
    grain, mottle = _spread(bare, middle)
    return Profile(
        across=_profile(bare[:, band], axis=1),
        down=_profile(bare[:, :, band], axis=2),
        wall=_measure_walls(image, picture, arrays, camera) / np.median(plain),
        ink=1 - ink,
        edge=_edge(faces, inked, abs(1 - ink)) if inked.any() else 0.0,
        grain=grain,
        mottle=mottle,
        rim=(float(np.percentile(faces[:, ring], 98)), float(np.percentile(faces[:, ring], 2))),
    )


def _profile(bare: npt.NDArray[np.float64], axis: int) -> Array:
    with warnings.catch_warnings():  # ink may fill a column of one tile
        warnings.simplefilter("ignore", RuntimeWarning)
        rows = np.nanmedian(bare, axis=axis)
    return np.asarray(np.nanmedian(rows, axis=0).reshape(STEPS, -1).mean(axis=1), np.float64)


def _edge(faces: npt.NDArray[np.float64], inked: npt.NDArray[np.bool_], contrast: float) -> float:
    slopes = [
        np.hypot(cv2.Sobel(face, cv2.CV_64F, 1, 0, scale=1 / 8), cv2.Sobel(face, cv2.CV_64F, 0, 1, scale=1 / 8))
        for face in faces
    ]
    edges = np.stack(
        [cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0 for mask in inked]
    )
    return contrast / float(np.percentile(np.stack(slopes)[edges], 75)) / PX


def _spread(bare: npt.NDArray[np.float64], middle: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Return the standard deviations of what is finer and what is coarser than a 25th of a cell: the tiles' means."""
    grain, mottle = [], []
    for face in bare:
        known = np.isfinite(face)
        filled, weight = np.where(known, face, 0.0), known.astype(np.float64)
        coarse = _soften(filled) / np.maximum(_soften(weight), 1e-3)
        inner = known & middle
        grain.append(float(np.std((filled - coarse)[inner])))
        mottle.append(float(np.std(coarse[inner])))
    return float(np.mean(grain)), float(np.mean(mottle))


def _soften(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), PX / 25), np.float64)


def _measure_walls(image: Image, picture: Genuine, arrays: SceneArrays, camera: Camera) -> Array:
    """Return the mean light (WALL_STEPS,) up the walls in view that stand a layer or more over their neighbour."""
    shape, heights = arrays.shape, picture.heights
    rise = (np.arange(WALL_STEPS) + 0.5) / WALL_STEPS
    along = np.linspace(-0.3, 0.3, 13)
    seen = []
    for row, col in np.argwhere(heights > 0):
        for side in _SIDES:
            low = np.array([row, col]) + side[::-1].astype(int)
            inside = ((low >= 0) & (low < picture.size)).all()
            foot = float(heights[tuple(low)] if inside else 0) * shape.layer_h
            top = heights[row, col] * shape.layer_h - shape.shelf
            if top - foot < 0.5 * shape.layer_h:
                continue
            middle = np.array([col + 0.5, row + 0.5]) + side * (shape.half + 0.004)
            flat = middle + along[:, None] * side[::-1]
            up = foot + rise * (top - foot)
            points = np.concatenate([
                np.broadcast_to(flat, (WALL_STEPS, len(along), 2)),
                np.broadcast_to(up[:, None, None], (WALL_STEPS, len(along), 1)),
            ], axis=2)  # fmt: skip
            if points_seen(arrays, camera, points)[0].mean() > 0.9:
                pixels = picture.camera.project(points).astype(np.float32)
                seen.append(to_light(resample(image, pixels, grey_outside=False)).mean(axis=(1, 2)))
    return np.asarray(np.mean(seen, axis=0)) if seen else np.zeros(0)
