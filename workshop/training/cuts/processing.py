"""Windows in another light and by worse cameras: none of it changes how large or how wide what they show is.

Windows are (px, px, 3), BGR, 0 to 255.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Light = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Processing:
    """What light and camera do to all windows of a picture.

    Attributes:
        gains: factor of each channel.
        gamma: exponent of the tone curve.
        blur: standard deviation, pixels, of what softens or sharpens; 0 does neither.
        sharpening: how much of what the blur takes away is added; None if it softens.
        noise: standard deviation of the noise.
    """

    gains: tuple[float, float, float]
    gamma: float = 1.0
    blur: float = 0.0
    sharpening: float | None = None
    noise: float = 0.0

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Processing:
        """Draw any processing: half have another tone curve, 40 % are softened, 20 % sharpened, half are noisy."""
        gains = rng.uniform(0.7, 1.25, 3)
        gamma = float(rng.uniform(0.6, 1.6)) if rng.random() < 0.5 else 1.0
        kind = rng.random()
        return cls(
            (float(gains[0]), float(gains[1]), float(gains[2])), gamma,
            float(rng.uniform(0.4, 1.2)) if kind < 0.6 else 0.0,
            float(rng.uniform(0.3, 1.2)) if 0.4 <= kind < 0.6 else None,
            float(rng.uniform(1, 9)) if rng.random() < 0.5 else 0.0,
        )  # fmt: skip

    def apply(self, window: npt.NDArray[np.uint8], rng: np.random.Generator) -> Light:
        """Return the window processed so, its noise drawn anew."""
        values = window.astype(np.float32) * np.array(self.gains, np.float32)
        if self.gamma != 1.0:
            values = 255.0 * (np.clip(values, 0, 255) / 255.0) ** np.float32(self.gamma)
        if self.blur:
            soft = np.asarray(cv2.GaussianBlur(values, (0, 0), self.blur), np.float32)
            sharp = self.sharpening
            values = soft if sharp is None else values + np.float32(sharp) * (values - soft)
        if self.noise:
            values = values + rng.normal(0, self.noise, values.shape).astype(np.float32)
        return np.asarray(values, dtype=np.float32)
