"""What the shape of a picture, its width over its height, tells of where it comes from."""

from __future__ import annotations

_TAKEN = (11 / 9, 5 / 4, 4 / 3, 3 / 2, 16 / 10, 16 / 9, 2.0, 18.5 / 9, 19 / 9, 19.5 / 9, 20 / 9, 21 / 9)
"""Longer side over shorter of pictures as sensors see them, and phones show them: one of another shape, a square one,
too, was cropped as a rule."""
_SENSORS = (4 / 3, 16 / 9)
"""Width over height of what sensors of cameras for films see."""
_SQUEEZED_INTO = (8 / 9, 11 / 9, 5 / 4, 4 / 3, 22 / 15, 3 / 2, 16 / 9)
"""Width over height of the pictures into which it is squeezed: those of television (ITU-R BT.601), of recorders that
keep half the columns, and the sensors' own."""
_SAME = 0.01
"""Relative difference up to which two shapes are one: sizes are rounded. By eye, not measured."""


def same_shape(first: float, second: float) -> bool:
    """Whether two widths over heights are the same."""
    return abs(first / second - 1.0) < _SAME


def is_as_taken(image_size_wh: tuple[float, float]) -> bool:
    """Whether a picture of that width and height has a shape in which cameras take pictures."""
    longer, shorter = max(image_size_wh), min(image_size_wh)
    return any(same_shape(longer / shorter, taken) for taken in _TAKEN)


def possible_stretches(image_size_wh: tuple[int, int]) -> list[float]:
    """How many times as wide as with square pixels a picture of that width and height may be, but for 1.

    Empty where no camera squeezes pictures into that shape.
    """
    shape = image_size_wh[0] / image_size_wh[1]
    if not any(same_shape(shape, known) for known in _SQUEEZED_INTO):
        return []
    return [shape / sensor for sensor in _SENSORS if not same_shape(shape, sensor)]
