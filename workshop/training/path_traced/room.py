"""The room round the table, beyond what the marcher knows of it: walls to be mirrored, floor, who takes the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workshop.training.path_traced.ground import FLOOR
from workshop.training.path_traced.surface import Floats, Surface, box, join, parallelogram
from workshop.training.path_traced.windows import Light, lights, sun
from workshop.training.rendering.ray_marcher import Camera
from workshop.training.rendering.scene_arrays import SceneArrays

DOME = (96, 192)
"""Height and width of the picture of what is far away, px. [by eye]"""
_PHONE = (3.3, 6.8)
"""A phone's measures in cells. [by eye]"""
_HEAD, _CHEST = np.array([3.3, 3.3, 4.5]), np.array([6.0, 6.0, 9.0])
"""Half of what somebody measures, cells. [by eye]"""
_SOFT, _SHALLOW = (0.01, 0.07), (0.08, 0.22)
"""Radius of the lens's opening, cells: as phones have it, and where depth of field is plain to see. [by eye]"""


@dataclass(frozen=True)
class Room:
    """`dome` (h, w, 3 linear BGR) rows from the zenith down; `blockers` are matt; `beyond` is the table's size.

    `aperture` is the radius of the lens's opening, `focus` how far off, along the camera's axis, it is sharp (cells).
    """

    dome: Floats
    lights: list[Light]
    blockers: Surface
    beyond: Floats
    aperture: float
    focus: float


def random_room(rng: np.random.Generator, scene: SceneArrays, span: int, camera: Camera) -> Room:
    """Draw a room around a scene whose middle part is `span` cells wide."""
    middle = np.array([span / 2, span / 2, 0.0])
    ambient = float(scene.sky[:2].mean())
    suns, slats = sun(rng, ambient, middle, camera.centre)
    blockers = [*slats, _floor(rng, scene, middle)]
    if rng.random() < 0.7:
        blockers += _photographer(rng, camera)
    return Room(
        _dome(rng, scene.sky.astype(float)),
        [*lights(rng, scene.lights.astype(float), middle, camera.centre), *suns],
        join(blockers),
        rng.uniform(0, 12, 4) if rng.random() < 0.4 else rng.uniform(8, 60, 4),
        float(rng.uniform(*(_SHALLOW if rng.random() < 0.15 else _SOFT))),
        _focus(rng, camera, span),
    )


def _dome(rng: np.random.Generator, sky: Floats) -> Floats:
    """Draw zenith, horizon and the light from below as the marcher has them, with walls, doors and furniture on
    it."""
    rows, cols = DOME
    rise = np.sin(np.linspace(np.pi / 2, -np.pi / 2, rows))[:, None]
    share = np.where(rise >= 0, np.sqrt(np.abs(rise)), np.minimum(1.0, -2 * rise))
    away = np.where(rise[..., None] >= 0, sky[0], sky[2])
    dome = np.repeat(sky[1] * (1 - share[..., None]) + away * share[..., None], cols, axis=1)
    corners = np.sort(rng.integers(0, cols, 4))
    for first, last in zip(corners, [*corners[1:], corners[0] + cols], strict=True):
        wall = rng.uniform(0.55, 1.3) * (1 + rng.normal(0, 0.05, 3))
        top = int(rows * rng.uniform(0.22, 0.34))
        dome[top:, np.arange(first, last) % cols] *= wall
    for _ in range(int(rng.integers(3, 12))):
        wide, high = int(rng.integers(4, 30)), int(rng.integers(4, 26))
        left, low = int(rng.integers(cols)), int(rng.integers(rows // 3, rows // 2 + 4))
        dome[max(low - high, 0) : low, np.arange(left, left + wide) % cols] *= rng.uniform(0.15, 1.2, 3) * rng.uniform(
            0.4, 1
        )
    return dome


def _floor(rng: np.random.Generator, scene: SceneArrays, middle: Floats) -> Surface:
    colour = rng.uniform(0.05, 0.5) * np.array([rng.uniform(0.5, 1), rng.uniform(0.7, 1), 1.0])
    place = np.array([*middle[:2], scene.table_z - FLOOR])
    up = np.array([0.0, 0.0, 1.0])
    return parallelogram(place, np.array([200.0, 0, 0]), np.array([0, 200.0, 0]), up, colour)


def _photographer(rng: np.random.Generator, camera: Camera) -> list[Surface]:
    """Draw a phone behind the lens, and mostly somebody behind the phone: both shade the board and are mirrored in
    it."""
    right, down, forward = camera.rotation
    half = np.array(_PHONE) / 2
    u, v = (right, down) if rng.random() < 0.5 else (down, right)
    place = camera.centre - forward * 0.2 + rng.uniform(-1, 1) * v * half[1] * 0.8
    phone = parallelogram(place, u * half[0], v * half[1], forward, np.full(3, rng.uniform(0.01, 0.1)))
    if rng.random() < 0.4:
        return [phone]
    head = camera.centre - forward * rng.uniform(12, 18) + np.array([0, 0, rng.uniform(-2, 4)])
    tone = rng.uniform(0.1, 0.7)
    skin = np.array([0.5, 0.65, 1.0]) * tone
    body = head - np.array([0, 0, 14.0])
    shirt = rng.uniform(0.02, 0.7, 3)
    person = [box(head - _HEAD, head + _HEAD, skin)]
    if forward[2] > -0.9:  # somebody bent over the board has the chest beside the head, not under it
        person.append(box(body - _CHEST, body + _CHEST, shirt))
    return [phone, *[part for part in person if _behind(part, camera)]]


def _behind(part: Surface, camera: Camera) -> bool:
    return bool(((part.points - camera.centre) @ camera.rotation[2] < -0.3).all())


def _focus(rng: np.random.Generator, camera: Camera, span: int) -> float:
    spot = np.array([*(span / 2 + rng.uniform(-0.35, 0.35, 2) * span), 0.3])
    return float(max(camera.rotation[2] @ (spot - camera.centre), 1.0))
