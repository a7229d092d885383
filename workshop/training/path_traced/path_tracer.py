"""A scene as a camera with a real lens sees it, by light that bounces; denoised."""

from __future__ import annotations

import importlib
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.training.path_traced.mitsuba_scene import HAND, build, mirror, missing, mitsuba
from workshop.training.path_traced.room import Room, random_room
from workshop.training.rendering.ray_marcher import Camera
from workshop.training.rendering.scene_arrays import Float
from workshop.training.scene.build import Scene

__all__ = ["LONGEST", "SAMPLES", "merge", "missing", "trace"]

LONGEST = (900, 1100)
"""Range of the picture's longer side in games, px: what fifteen seconds on a core are enough for. [by eye]"""
SAMPLES = 9
"""Paths a pixel, in three rows and columns; the denoiser makes up for the rest. Of 1,080 pixels with 9 a pixel, letters
and edges came out sharper than of 800 with 16, at the same cost. [by eye]"""
_BOUNCES = 4
_BRIGHTEST = 15.0
"""No path brings more than this, so that a lucky one leaves no speck. [by eye]"""
_WHITE = 3.2
"""How much brighter than the light metered anything can get: phones merge exposures, and hardly ever burn out a board.
Without it a fifth of the board was white in 4 of 15 pictures, with the ray marcher's light in 1 of 168. [by eye]"""


def trace(
    rng: np.random.Generator, scene: Scene, camera: Camera, samples: int = SAMPLES
) -> tuple[Float, NDArray[np.bool_]]:
    """Return the picture (h, w, 3 linear BGR) of a scene in a random room, and which pixels show a hand (h, w)."""
    room = random_room(rng, scene.arrays, scene.span, camera)
    mi, dr = mitsuba(), importlib.import_module("drjit")
    world = build(scene.arrays, room)
    sampler = mi.load_dict({"type": "multijitter", "sample_count": samples})
    sampler.set_samples_per_wavefront(samples)
    count = camera.width * camera.height * samples
    sampler.seed(int(rng.integers(1 << 31)), count)
    ray = _rays(mi, dr, camera, room, sampler, count, samples)
    met = world.ray_intersect(ray)
    tracer = mi.load_dict({"type": "path", "max_depth": _BOUNCES, "rr_depth": 3})
    light, _, _ = tracer.sample(world, sampler, ray)
    light = dr.minimum(light, _BRIGHTEST)
    colour = dr.select(met.is_valid(), met.bsdf(ray).eval_diffuse_reflectance(met), 0.0)
    normal = dr.select(met.is_valid(), met.sh_frame.n, 0.0)
    held = [shape for shape in world.shapes() if shape.id() == HAND]
    touched = mi.Float(met.shape == mi.ShapePtr(held[0])) if held else mi.Float(0.0)
    dr.eval(light, colour, normal, touched)
    shape = (camera.height, camera.width, samples, -1)
    means = [np.array(values).T.reshape(shape).mean(axis=2) for values in (light, colour, normal)]
    shown = np.broadcast_to(np.array(touched), (count,)).reshape(shape[:3]).mean(axis=2) > 0.5
    return merge(_denoise(*means)[..., ::-1]), shown


def _rays(mi: Any, dr: Any, camera: Camera, room: Room, sampler: Any, count: int, samples: int) -> Any:
    """Return rays through the lens, `samples` after each other a pixel, the lens's distortion undone as the marcher
    does."""
    index = dr.arange(mi.UInt32, count) // samples
    spot, opening = sampler.next_2d(), mi.warp.square_to_uniform_disk_concentric(sampler.next_2d())
    # numbers that are not compiled in, so that the code is compiled once for all cameras
    cx, cy, fx, fy, k1, k2, radius, far = (dr.opaque(mi.Float, float(value)) for value in (
        *camera.matrix[:2, 2], camera.matrix[0, 0], camera.matrix[1, 1], *camera.dist, room.aperture, room.focus
    ))  # fmt: skip
    right, down, forward, centre = (
        mi.Vector3f(*(dr.opaque(mi.Float, float(value)) for value in mirror(axis)))
        for axis in (*camera.rotation, camera.centre)
    )
    wide = dr.opaque(mi.UInt32, camera.width)
    xd = (mi.Float(index % wide) + spot.x - (0.5 + cx)) / fx
    yd = (mi.Float(index // wide) + spot.y - (0.5 + cy)) / fy
    x, y = xd, yd
    for _ in range(5):
        square = x * x + y * y
        scale = 1 + k1 * square + k2 * square * square
        x, y = xd / scale, yd / scale
    aside = (right * opening.x + down * opening.y) * radius
    sharp = (right * x + down * y + forward) * far
    return mi.Ray3f(mi.Point3f(centre) + aside, dr.normalize(sharp - aside))


def merge(light: Float) -> Float:
    """Return the light (h, w, 3) with its highlights pressed together, as exposures of several lengths give it."""
    grey = cv2.resize(np.ascontiguousarray(light), (64, 48), interpolation=cv2.INTER_AREA).mean(axis=2)
    meter = 0.6 * float(np.median(grey)) + 0.4 * float(np.percentile(grey, 85))
    bright = np.maximum(light.mean(axis=2, keepdims=True), 0) / max(meter, 1e-6)
    return np.ascontiguousarray(light / np.sqrt(1 + (bright / _WHITE) ** 2), np.float32)


def _denoise(light: Float, colour: Float, normal: Float) -> Float:
    denoise: Any = importlib.import_module("mitsuba_oidn").denoise
    parts = [np.ascontiguousarray(part, np.float32) for part in (light, np.clip(colour, 0, 1), normal)]
    return np.asarray(denoise(parts[0], albedo=parts[1], normal=parts[2], hdr=True), np.float32)
