"""A second look at letters that may owe a stroke to something else on the tile: a dimple, or the value of the letter.

Letters are ink: darker than their tile or lighter, never both, and one piece. Moulded dimples are light on one side,
dark on the other, and paler than ink. In both upper corners they make a T of an I. Values are small and lie apart: a 1
at the foot of an I makes it an L. Each is painted over, and the letter is read once more. If a stroke is gone that the
other letter lacks, the new reading counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine import FACES
from vision.arrays import Floats
from vision.geometry.rectify import ReducedView
from vision.images import Image
from vision.letters.classifier import FACE_PX, LEGIBLE, REJECT, read_closely
from vision.letters.faces import WindowState

_DIMPLED = {"T": ("I",)}
"""Letters, and what is left of them without what dimples add. On ten sources of real pictures and the development sets
(10,800 tiles) all 112 T's that become I's are I's. [by hand, sets]"""
_VALUED = {"L": ("I",), "J": ("I",), "Qu": ("O", "C"), "D": ("T",), "B": ("E",)}
"""Letters, and what is left of them without a value beside or below. Of those 10,800 tiles eight are put right, and one
L of the development sets became an I, where few tiles have a value. [by hand, sets]"""
_PALE, _INK = 0.1, 0.3
"""Contrast, against that of the ink, up to which a pixel is painted over, and from which it stays. With 0.2 and 0.45
all 1,424 letters of a dimpled set are right instead of 1,421, but thin strokes of others break. [by hand, sets]"""
_MIDDLE = slice(6, FACE_PX - 6)
"""Pixels of a window that lie on its tile, though it may lie askew. [by eye]"""
_LARGE, _PIECE, _SMALL = 96, 0.25, 0.35
"""Pixels a side at which pieces of ink are told apart, the contrast from which they are ink, and the area of a value
against that of its letter. [by eye]"""
_RIM, _OFF_CENTRE, _BELOW, _SPECK = 9, 26, 50, 12
"""Pixels of `_LARGE`: the rim in which nothing counts, the farthest that a letter's middle lies from that of the
window, the row below which values lie, and the area up to which a piece is a speck. [by eye]"""
_HAVE_VALUES, _FEWEST = 0.8, 5
"""Share of a picture's letters that have a value, from which the set is taken to have values, and the fewest letters
that tell. Of ten sources with values all but a few pictures have 0.83 or more; the median of the development sets is
0.15. [by hand, sets]"""


@dataclass(frozen=True)
class _Ink:
    """How far pixels of windows are ink: `share` (m, px, px), 0 as the tile and 1 as its ink, and `tile` (m, 3) BGR."""

    share: Floats
    tile: Floats


def second_look_log_odds(view: ReducedView, state: WindowState) -> Floats:
    """Return log odds (m, 27) that put right letters to which dimples or values add a stroke; 0 elsewhere."""
    odds = np.zeros_like(state.log_probs)
    dimpled, valued = _read_as(state.log_probs, _DIMPLED), _read_as(state.log_probs, _VALUED)
    if len(dimpled):
        windows = state.windows[dimpled]
        plain = _without_shading(windows, _ink_of(windows))
        _put_right(odds, state.log_probs, dimpled, plain, _DIMPLED)
    if len(valued) and _has_values(state):
        windows = state.windows[valued]
        plain = _without_values(windows, _ink_of(windows))
        _put_right(odds, state.log_probs, valued, plain, _VALUED)
    return odds


def _without_shading(windows: Image, ink: _Ink) -> Image:
    """Paint over all in windows (m, px, px, 3) that is paler than ink, or differs from its tile the other way."""
    kept = np.clip((ink.share - _PALE) / (_INK - _PALE), 0.0, 1.0)[..., None]
    return np.asarray(ink.tile[:, None, None] * (1.0 - kept) + windows * kept, dtype=np.uint8)


def _without_values(windows: Image, ink: _Ink) -> Image:
    """Paint over small pieces of ink below the middle of windows (m, px, px, 3), if they lie apart from the letter."""
    values = np.stack([_value(share) for share in ink.share])[..., None]
    return np.asarray(ink.tile[:, None, None] * values + windows * (1.0 - values), dtype=np.uint8)


def _ink_of(windows: Image) -> _Ink:
    grey = windows.mean(axis=-1)
    middle = grey[:, _MIDDLE, _MIDDLE].reshape(len(windows), -1)
    dark, tile, light = np.percentile(middle, (3, 60, 97), axis=1)
    ink = np.where(tile - dark > light - tile, dark, light)
    contrast = np.where(ink == tile, 1.0, ink - tile)
    colours = windows[:, _MIDDLE, _MIDDLE].reshape(len(windows), -1, 3)
    return _Ink((grey - tile[:, None, None]) / contrast[:, None, None], np.median(colours, axis=1))


def _value(share: Floats) -> Floats:
    """Return how far each pixel (px, px) belongs to a small piece of ink below the letter; 0 where there is none."""
    large = cv2.resize(share, (_LARGE, _LARGE), interpolation=cv2.INTER_CUBIC)
    ink = (large > _PIECE).astype(np.uint8)
    ink[:_RIM] = ink[-_RIM:] = ink[:, :_RIM] = ink[:, -_RIM:] = 0
    _, pieces, sizes, centres = cv2.connectedComponentsWithStats(ink)
    areas, off_centre = sizes[:, cv2.CC_STAT_AREA], np.hypot(*(centres - (_LARGE - 1) / 2).T)
    letters = np.where(off_centre < _OFF_CENTRE, areas, 0)
    letters[0] = 0  # the tile itself
    letter = int(letters.argmax())
    small = (areas < _SMALL * areas[letter]) & (areas > _SPECK) & (centres[:, 1] > _BELOW)
    small[[0, letter]] = False
    if not letters[letter] or not small.any():
        return np.zeros_like(share)
    value = cv2.dilate(small[pieces].astype(np.uint8), np.ones((9, 9)))
    value[cv2.dilate((pieces == letter).astype(np.uint8), np.ones((5, 5))) > 0] = 0
    return np.asarray(cv2.resize(value.astype(np.float64), share.shape, interpolation=cv2.INTER_AREA))


def _has_values(state: WindowState) -> bool:
    """Return whether most letters that are plain to see have a value beside or below."""
    plain = np.flatnonzero(np.exp(state.log_probs[:, :REJECT]).max(axis=1) > LEGIBLE)
    if len(plain) < _FEWEST:
        return False
    shares = _ink_of(state.windows[plain]).share
    return float(np.mean([_value(share).any() for share in shares])) >= _HAVE_VALUES


def _read_as(log_probs: Floats, letters: Mapping[str, tuple[str, ...]]) -> npt.NDArray[np.intp]:
    """Return the windows of which one of these letters is the likeliest reading."""
    return np.flatnonzero(np.isin(log_probs.argmax(axis=1), [FACES.index(face) for face in letters]))


def _put_right(
    odds: Floats, log_probs: Floats, chosen: npt.NDArray[np.intp], plain: Image, letters: Mapping[str, tuple[str, ...]]
) -> None:
    """Give the `chosen` windows the reading of the `plain` ones, where that is what `letters` leave of the first."""
    again = read_closely(plain, np.zeros(plain.shape[:3], dtype=bool))
    first, second = log_probs[chosen].argmax(axis=1), again.argmax(axis=1)
    for window, was, now, reading in zip(chosen, first, second, again, strict=True):
        if now != REJECT and FACES[now] in letters[FACES[was]]:
            odds[window] = reading - log_probs[window]
