"""Second opinions on letters: another look at those that may owe a stroke to something else, and Tesseract's word.

A stroke may be that of a dimple, or of the value of the letter.

Letters are ink: darker than their tile or lighter, never both, and one piece. Moulded dimples are light on one side,
dark on the other, and paler than ink. In both upper corners they make a T of an I. Values are small and lie apart: a 1
at the foot of an I makes it an L. Each is painted over, and the letter is read once more. If a stroke is gone that the
other letter lacks, the new reading counts.

Tesseract checks the few faces in doubt. It never overrules the network. It counts as a witness who is right about two
times in three, and who has always been right when it agreed with the network. Without Tesseract the reader does without
this evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from shutil import which

import cv2
import numpy as np
import numpy.typing as npt
import pytesseract

from engine import Alphabet
from vision.arrays import Flags, Floats, softmax
from vision.geometry.rectify import ReducedView
from vision.hidden.occlusion import VISIBLE, measure_covered
from vision.images import Image
from vision.letters.classifier import FACE_PX, LEGIBLE, REJECT, read_closely
from vision.letters.faces import WindowState, cut, face_places
from vision.letters.joining import LetterState

_DIMPLED = {"T": ("I",)}
"""Letters, and what is left of them without what dimples add. On ten sources of real pictures and the development sets
(10,800 tiles) all 112 T's that become I's are I's. [by hand, sets]"""
_VALUED = {"L": ("I",), "J": ("I",), "F": ("I",), "Qu": ("O", "C"), "D": ("T",), "B": ("E",)}
"""Letters, and what is left of them without a value. Of 10,800 tiles on real pictures and the development sets eight
are put right, and none goes wrong. [by hand, sets]"""
_PALE, _INK = 0.1, 0.3
"""Contrast, against that of the ink, up to which a pixel is painted over, and from which it stays. With 0.2 and 0.45
all 1,424 letters of a dimpled set are right instead of 1,421, but thin strokes of others break. [by hand, sets]"""
_MIDDLE = slice(6, FACE_PX - 6)
"""Pixels of a window that lie on its tile, though it may lie askew. [by eye]"""
_HEAD = slice(4, FACE_PX // 2), slice(4, FACE_PX - 4)
_LIGHTEST, _GLARING = 4, -0.2
"""Rows and columns around a letter's head, and the contrast, against that of the ink, to which its lightest pixels
(percentile) may differ the other way. All 106 dimpled I's have -0.17 or more; of nine T's in noise or glare, whose bars
would be painted over, eight have less. [by hand, sets and drawn faces]"""
_LARGE, _PIECES, _LOW = 96, (0.25, 0.45, 0.6), 0.75
"""Pixels a side at which pieces of ink are told apart, the contrasts from which they are ink, each tried if the one
before parts no value from its letter, and the height of a value against that of its letter. [by eye]"""
_RIM, _OFF_CENTRE, _BELOW, _SPECK, _OVERLAP = 9, 26, 50, 12, 3
"""Pixels of `_LARGE`: the rim in which nothing counts, the farthest that a letter's middle lies from that of the
window, the row below which values lie unless they lie beside the letter, the area up to which a piece is a speck, and
by how much a value beside a letter may reach into its columns. [by eye]"""
_AROUND = np.array([24.0, 12.0])
"""Pixels of `_LARGE`, along and down, within which the values of one set lie of their common place. [by eye]"""
_HAVE_VALUES, _FEWEST = 0.7, 5
"""Share of a picture's letters that have a value at one place, from which the set is taken to have values, and the
fewest letters that tell. Of nine sources with values all but a few pictures have 0.73 or more; of the development sets
nine pictures in ten have 0.2 or less. [by hand, sets]"""


@dataclass(frozen=True)
class _Ink:
    """How far pixels of windows are ink: `share` (m, px, px), 0 (tile) to 1 (ink), and the colour `tile` (m, 3) BGR."""

    share: Floats
    tile: Floats


@dataclass(frozen=True)
class _Parts:
    """Pieces of ink of one window, in pixels of `_LARGE`.

    Attributes:
        pieces: which piece each pixel (px, px) belongs to; 0 is the tile.
        letter: the piece that is the letter.
        small: which pieces (k) may be its value.
        centres: their middles (k, 2), x and y.
    """

    pieces: npt.NDArray[np.int32]
    letter: int
    small: Flags
    centres: Floats


def second_look_log_odds(view: ReducedView, state: WindowState) -> Floats:
    """Return log odds (m, F + 1) that correct letters to which dimples or values add a stroke; 0 elsewhere."""
    odds = np.zeros_like(state.log_probs)
    dimpled, valued = _read_as(state, _DIMPLED), _read_as(state, _VALUED)
    if len(dimpled):
        dimpled = dimpled[_is_clear_print(_ink_of(state.windows[dimpled]))]
    if len(dimpled):
        windows = state.windows[dimpled]
        plain = _without_shading(windows, _ink_of(windows))
        _put_right(odds, state, dimpled, plain, _DIMPLED)
    place = _place_of_values(state) if len(valued) else None
    if place is not None:
        windows = state.windows[valued]
        plain = _without_values(windows, _ink_of(windows), place)
        _put_right(odds, state, valued, plain, _VALUED)
    return odds


def _is_clear_print(ink: _Ink) -> Flags:
    """Return in which windows the ink stands out far more than light and noise around the top of a letter."""
    head = ink.share[:, _HEAD[0], _HEAD[1]].reshape(len(ink.share), -1)
    return np.asarray(np.percentile(head, _LIGHTEST, axis=1) > _GLARING)


def _without_shading(windows: Image, ink: _Ink) -> Image:
    """Paint over what is paler than ink in windows (m, px, px, 3), or differs from the tile in the other direction."""
    kept = np.clip((ink.share - _PALE) / (_INK - _PALE), 0.0, 1.0)[..., None]
    return np.asarray(ink.tile[:, None, None] * (1.0 - kept) + windows * kept, dtype=np.uint8)


def _without_values(windows: Image, ink: _Ink, place: Floats) -> Image:
    """Paint over small pieces of ink in windows (m, px, px, 3), if they lie around `place` apart from the letter."""
    values = np.stack([_value(share, place) for share in ink.share])[..., None]
    return np.asarray(ink.tile[:, None, None] * values + windows * (1.0 - values), dtype=np.uint8)


def _ink_of(windows: Image) -> _Ink:
    grey = windows.mean(axis=-1)
    middle = grey[:, _MIDDLE, _MIDDLE].reshape(len(windows), -1)
    dark, tile, light = np.percentile(middle, (3, 60, 97), axis=1)
    ink = np.where(tile - dark > light - tile, dark, light)
    contrast = np.where(ink == tile, 1.0, ink - tile)
    colours = windows[:, _MIDDLE, _MIDDLE].reshape(len(windows), -1, 3)
    return _Ink((grey - tile[:, None, None]) / contrast[:, None, None], np.median(colours, axis=1))


def _value(share: Floats, place: Floats) -> Floats:
    """Return how far each pixel (px, px) belongs to the value around `place`; 0 if none lies apart from the letter."""
    for least in _PIECES:
        parts = _split(share, least)
        near = parts.small & _is_near(parts.centres, place)
        if near.any():
            value = cv2.dilate(near[parts.pieces].astype(np.uint8), np.ones((9, 9)))
            value[cv2.dilate((parts.pieces == parts.letter).astype(np.uint8), np.ones((5, 5))) > 0] = 0
            return np.asarray(cv2.resize(value.astype(np.float64), share.shape, interpolation=cv2.INTER_AREA))
    return np.zeros_like(share)


def _split(share: Floats, least: float) -> _Parts:
    """Return the connected pieces of pixels (px, px) that are ink by at least this `share`."""
    large = cv2.resize(share, (_LARGE, _LARGE), interpolation=cv2.INTER_CUBIC)
    ink = (large > least).astype(np.uint8)
    ink[:_RIM] = ink[-_RIM:] = ink[:, :_RIM] = ink[:, -_RIM:] = 0
    _, pieces, sizes, centres = cv2.connectedComponentsWithStats(ink)
    left, wide, high = (sizes[:, each] for each in (cv2.CC_STAT_LEFT, cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT))
    areas = sizes[:, cv2.CC_STAT_AREA]
    letters = np.where(np.hypot(*(centres - (_LARGE - 1) / 2).T) < _OFF_CENTRE, areas, 0)
    letters[0] = 0  # the tile itself
    letter = int(letters.argmax())
    aside = (centres[:, 1] > _BELOW) | (left > left[letter] + wide[letter] - _OVERLAP)
    small = (high < _LOW * high[letter]) & (areas > _SPECK) & aside & bool(letters[letter])
    small[[0, letter]] = False
    return _Parts(np.asarray(pieces, dtype=np.int32), letter, small, np.asarray(centres, dtype=np.float64))


def _is_near(centres: Floats, place: Floats) -> Flags:
    """Return which `centres` (k, 2) lie where values around `place` (x, y) lie."""
    return np.asarray((np.abs((centres - place) / _AROUND) < 1.0).all(axis=1))


def _place_of_values(state: WindowState) -> Floats | None:
    """Return the place (x, y) at which most clear letters have a value; None if they have none."""
    plain = np.flatnonzero(np.exp(state.log_probs[:, :REJECT]).max(axis=1) > LEGIBLE)
    if len(plain) < _FEWEST:
        return None
    parts = [_split(share, _PIECES[0]) for share in _ink_of(state.windows[plain]).share]
    values = [each.centres[each.small] for each in parts]
    if not any(len(each) for each in values):
        return None
    place = np.median(np.concatenate(values), axis=0)
    have = np.mean([_is_near(each, place).any() for each in values])
    return np.asarray(place) if have >= _HAVE_VALUES else None


def _read_as(state: WindowState, letters: Mapping[str, tuple[str, ...]]) -> npt.NDArray[np.intp]:
    """Return the windows of which one of these letters is the likeliest reading."""
    number = state.alphabet.number
    indices = [number[face] for face in letters if face in number]
    return np.flatnonzero(np.isin(state.log_probs.argmax(axis=1), indices))


def _put_right(
    odds: Floats, state: WindowState, chosen: npt.NDArray[np.intp], plain: Image, letters: Mapping[str, tuple[str, ...]]
) -> None:
    """Give the `chosen` windows the reading of the `plain` ones, if `letters` allows it after the first reading."""
    log_probs, faces = state.log_probs, state.alphabet.faces
    again = read_closely(plain, np.zeros(plain.shape[:3], dtype=bool), state.alphabet)
    first, second = log_probs[chosen].argmax(axis=1), again.argmax(axis=1)
    for window, was, now, reading in zip(chosen, first, second, again, strict=True):
        if now < len(faces) and faces[now] in letters[faces[was]]:
            odds[window] = reading - log_probs[window]


_MAX_FACES = 2
"""Most faces of a picture that Tesseract is asked about: one takes about a tenth of a second. [by hand]"""
_WINDOW_PX = 96
"""Pixels to which a window is enlarged: its capitals are then some 50 high. [by eye]"""
_NAMED_LOG_ODDS = float(np.log(5.0))
"""Log odds of a face that Tesseract names: of the faces in doubt it reads about two in three correctly. [by hand]"""
_MAX_DOUBTFUL_PROBABILITY = 0.6
"""Probability of a face below which Tesseract is asked. [by eye]"""
_MAX_DARK_GREY = 110
"""Grey level of a window's median below which its letter may be light on dark. [by eye]"""
_CONFIG = "--psm 10 --oem 1 -c tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZu"
"""Tesseract's options: one character (`psm 10`), the neural engine (`oem 1`), and only the letters of tiles."""


def tesseract_log_odds(view: ReducedView, state: LetterState) -> Floats:
    """Return log odds (n, n, F) of the faces that are in doubt and in view, by Tesseract; 0 for all others.

    It knows no more than A to Z, and is asked in English sets alone.
    """
    odds = np.zeros_like(state.faces.face_probs)
    alphabet = state.faces.alphabet
    if not alphabet.is_english or not _is_installed(pytesseract.pytesseract.tesseract_cmd):
        return odds
    for square in doubtful_squares(view, state)[:_MAX_FACES]:
        high = int(state.heights.logits[square].argmax())
        named = _ask_tesseract(cut(view, face_places(state.heights, [square], [high]))[0], alphabet)
        if named is not None:
            odds[square][alphabet.number[named]] = _NAMED_LOG_ODDS
    return odds


@cache
def _is_installed(command: str) -> bool:
    return which(command) is not None


def _ask_tesseract(window: Image, alphabet: Alphabet) -> str | None:
    try:
        text = str(pytesseract.image_to_string(_prepare(window), config=_CONFIG, timeout=2)).strip()
    except (pytesseract.TesseractError, RuntimeError, OSError, UnboundLocalError):
        # Tesseract cannot start, or the disk has no room for its files. If pytesseract 0.3 cannot create even one, it
        # raises UnboundLocalError
        return None
    named = "Qu" if text in ("Q", "Qu", "QU") else text
    return named if named in alphabet.number else None


def doubtful_squares(view: ReducedView, state: LetterState) -> list[tuple[int, int]]:
    """Return the squares (row, col) whose face is in view but doubtful, the most doubtful first."""
    heights, faces, hidden = state.heights, state.faces.face_probs, state.seen.hidden
    chance = softmax(heights.logits)
    high = chance.argmax(axis=-1)
    shares = measure_covered(view.camera, heights.face_elevations(high), heights.median_tops(chance))
    unsure = (high > 0) & (faces.max(axis=-1) < _MAX_DOUBTFUL_PROBABILITY)
    unsure &= (hidden < VISIBLE.hidden) & (shares < VISIBLE.covered_face)
    squares = [(int(row), int(col)) for row, col in np.argwhere(unsure)]
    return sorted(squares, key=lambda square: float(faces[square].max()))


def _prepare(window: Image) -> npt.NDArray[np.uint8]:
    """Return the letter dark on white, large, without the tile's rim, as Tesseract reads best."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
    large = cv2.resize(grey, (_WINDOW_PX, _WINDOW_PX), interpolation=cv2.INTER_CUBIC)
    rim = _WINDOW_PX // 7
    middle = large[rim:-rim, rim:-rim]
    if float(np.median(middle)) < _MAX_DARK_GREY and float(np.median(middle)) < float(middle.mean()):
        middle = 255 - middle
    framed = cv2.copyMakeBorder(middle, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=float(np.median(middle)))
    return np.asarray(cv2.normalize(framed, np.empty(0, np.uint8), 0, 255, cv2.NORM_MINMAX), dtype=np.uint8)
