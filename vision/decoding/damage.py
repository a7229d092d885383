"""Find where a JPEG is damaged, by its pixels: decoders warn of few damages, and say of none where it lies.

A wrong byte mostly makes other codes that are as good. The blocks that follow are shifted, and lighter, darker or of
another tint by a constant. So one row of blocks stands out from the row above from the damaged block on, and the next
row up to that block: exactly a row's length of steps, in the order in which blocks are coded. What is missing at the
end is grey.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage

from vision.arrays import Flags, Floats, Ints

MISSING = 128
"""Grey level of all channels where a picture is missing, as decoders have it too."""
_STEPS = (2.0, 5.0)
"""Least steps between blocks, grey levels, that are tried. [by eye]"""
_STANDS_OUT = 1.5
"""Ratio of a step to those between the rows of pixels beside it, from which it is no edge of something.
[by hand, dev]"""
_MARGIN = 0.1
"""Share of a row of blocks around the damaged one that is spoilt without a pattern. [by eye]"""
_MAX_EVEN = 0.8
"""Share of blocks as light as the next one, from which a row of pixels was drawn, as the black bars beside a film were.
[by eye]"""
_MIN_COLUMNS = 16
"""Blocks in a row that show a pattern. A board with fewer could not be read. [by eye]"""
_MIN_SHARE_GAP, _MIN_SHARE_GAP_ABOVE = 0.4, 0.48
"""Least gap between the share of steps within the row's length and outside, in the lower half of a picture and in the
upper one: for a damage there the photograph is refused, and no whole one may be. Of 100 whole ones made smaller as the
phone's page does (2,048 px, quality 90) the highest have 0.47, of 150 as they were taken 0.29. Of 95 with 100 zeroed
bytes none has less than 0.40. [by hand, dev, real photographs]"""

Levels = npt.NDArray[np.int16]


def damaged_from(picture: PillowImage.Image, block: tuple[int, int]) -> int | None:
    """Return the pixel row from which a decoded JPEG is damaged or missing; None if it is whole.

    `block` is the width and height in px of what is coded together, as decoded.
    """
    width, height = block
    columns, rows = picture.width // width, picture.height // height
    if min(columns, rows) < 2:
        return None
    whole = (0, 0, columns * width, rows * height)
    means = picture.resize((columns, rows * height), PillowImage.Resampling.BOX, box=whole)
    levels = np.asarray(means.convert("RGB"), dtype=np.int16)
    first = [row for row in (_missing_from(levels, height), _stepped_from(levels, height)) if row is not None]
    return min(first) * height if first else None


def _missing_from(levels: Levels, height: int) -> int | None:
    """Return the first row of blocks that is missing to the end of the picture, in part or in whole."""
    # decoders blend colours over the border between two rows of blocks
    inner = levels.reshape(-1, height, *levels.shape[1:])[:, height // 4 : height - height // 4]
    grey = (np.abs(inner - MISSING) <= 1).all(axis=(1, 3))
    shown = np.flatnonzero(~grey)
    last = int(shown[-1]) + 1 if len(shown) else grey.size
    # a few blocks may be of a grey thing in the corner
    return last // grey.shape[1] if grey.size - last > max(2, _MARGIN * grey.shape[1]) else None


def _stepped_from(levels: Levels, height: int) -> int | None:
    """Return the first row of blocks that steps off from the one above, as after a damage."""
    columns = levels.shape[1]
    if columns < _MIN_COLUMNS:
        return None
    tops = np.arange(height, len(levels) - 1, height)
    step, above, below = (levels[tops + k] - levels[tops + k - 1] for k in (0, -1, 1))
    usual = _STANDS_OUT * np.maximum(np.abs(above), np.abs(below))
    drawn = _are_even(levels[tops - 1]) | _are_even(levels[tops])
    margin = max(2, round(_MARGIN * columns))
    # the first row has none above it, and after a step in the last two rows there is nothing to compare
    starts = np.arange(columns, (len(tops) - 1) * columns)
    least_gap = np.where(starts < len(tops) * columns / 2, _MIN_SHARE_GAP_ABOVE, _MIN_SHARE_GAP)
    best, place = 0.0, None
    for least, sign in product(_STEPS, (1, -1)):
        steps = np.concatenate(
            [np.zeros((1, columns, 3), dtype=np.bool_), (sign * step > np.maximum(least, usual)) & ~drawn]
        )
        total = np.concatenate([np.zeros((1, 3)), np.cumsum(steps.reshape(-1, 3), axis=0)])
        within, before, after = (
            _share(total, starts + begin, starts + end)
            for begin, end in ((margin, columns), (margin - columns, -margin), (columns + margin, 2 * columns - margin))
        )
        gaps = (within - np.maximum(before, after)).max(axis=-1, initial=0.0)
        gaps = np.where(gaps > least_gap, gaps, 0.0)
        if len(gaps) and gaps.max() > best:
            best, place = float(gaps.max()), int(starts[gaps.argmax()])
    return None if place is None else max(place - margin, 0) // columns


def _are_even(rows: Levels) -> Flags:
    """Return which rows of pixels (m, columns, 3) hardly change from block to block: (m, 1, 1)."""
    return np.asarray((np.diff(rows, axis=1) == 0).mean(axis=(1, 2)) > _MAX_EVEN)[:, None, None]


def _share(total: Floats, begin: Ints, end: Ints) -> Floats:
    """Return the shares (m, 3) of steps from `begin` to `end` (m,), by the running totals of steps."""
    return np.asarray((total[end] - total[begin]) / (end - begin)[:, None], dtype=np.float64)
