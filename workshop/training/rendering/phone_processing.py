"""From linear light to a phone's picture: exposure, lens, sensor, tone and sharpening."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.training.rendering.scene_arrays import Byte, Float


def develop(rng: np.random.Generator, light: Float) -> Byte:
    """Return an 8-bit BGR picture of `light` (h, w, 3 linear BGR)."""
    image = _expose(rng, light)
    image = _blur(rng, image)
    image = _sensor(rng, image)
    image = _tone(rng, image)
    return np.asarray(np.clip(image * 255 + 0.5, 0, 255), np.uint8)


def _expose(rng: np.random.Generator, light: Float) -> Float:
    """Meter on a mix of mean and highlights, miss a little, and balance white roughly."""
    small = cv2.resize(light, (64, 48), interpolation=cv2.INTER_AREA)
    grey = small.mean(axis=2)
    meter = 0.6 * float(np.mean(np.minimum(grey, np.percentile(grey, 95)))) + 0.4 * float(np.percentile(grey, 85))
    gain = rng.uniform(0.22, 0.5) / max(meter, 1e-4) * 2.0 ** rng.normal(0, 0.35)
    cast = small.reshape(-1, 3).mean(axis=0)
    cast = cast / cast.mean()
    balance = cast ** -rng.uniform(0.0, 0.6) * (1 + rng.normal(0, 0.05, 3))
    image = light * (gain * balance).astype(np.float32)
    return np.asarray(image * _vignette(rng, *light.shape[:2]), np.float32)


def _vignette(rng: np.random.Generator, height: int, width: int) -> Float:
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * (height / width)
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    strength = rng.uniform(0, 0.35) if rng.random() < 0.6 else 0.0
    return np.asarray((1 / (1 + strength * (x * x + y * y)))[..., None], np.float32)


def _blur(rng: np.random.Generator, image: Float) -> Float:
    pick = rng.random()
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.35, 0.75)), np.float32)
    if pick < 0.2:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.6, 2.0)), np.float32)
    elif pick < 0.35:
        length = int(rng.integers(3, 9))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        middle = (length - 1) / 2
        for t in np.linspace(-middle, middle, 4 * length):
            kernel[round(middle + t * np.sin(angle)), round(middle + t * np.cos(angle))] += 1
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)
    if rng.random() < 0.3:  # light that strays in the lens
        glow = cv2.GaussianBlur(np.minimum(image, 4.0), (0, 0), image.shape[1] * 0.02)
        share = rng.uniform(0.02, 0.12)
        image = np.asarray(image * (1 - share) + glow * share, np.float32)
    return image


def _sensor(rng: np.random.Generator, image: Float) -> Float:
    level = rng.uniform(0.0, 0.008) if rng.random() < 0.75 else rng.uniform(0.008, 0.02)
    spread = np.sqrt(np.maximum(image, 0) * level * 0.5 + level * level * 0.3)
    image = np.asarray(image + spread * rng.standard_normal(image.shape, dtype=np.float32), np.float32)
    if rng.random() < 0.4:  # phones smooth dark areas
        encoded = np.asarray(np.clip(image, 0, 1.5) ** np.float32(0.45), np.float32)
        smooth = cv2.bilateralFilter(encoded, 5, rng.uniform(0.03, 0.12), 2.0)
        image = np.asarray(smooth ** np.float32(1 / 0.45), np.float32)
    return image


def _tone(rng: np.random.Generator, image: Float) -> Float:
    image = np.maximum(image, 0)
    knee = rng.uniform(0.6, 0.95)
    image = np.where(image > knee, knee + (1 - knee) * np.tanh((image - knee) / (1 - knee)), image)
    image = image ** np.float32(1 / 2.2)
    contrast = rng.uniform(0, 0.7)
    curve: NDArray[np.float32] = image * image * (3 - 2 * image)
    image = image * (1 - contrast) + curve * contrast
    grey = image.mean(axis=2, keepdims=True)
    image = grey + (image - grey) * rng.uniform(0.75, 1.3)
    if rng.random() < 0.6:
        amount = rng.uniform(0.2, 1.2)
        soft = cv2.GaussianBlur(np.asarray(image, np.float32), (0, 0), rng.uniform(0.7, 1.6))
        image = image + amount * (image - soft)
    return np.asarray(image, np.float32)
