"""The look of one set's letters: what a known set adds to the face network.

Every letter has a template, the mean of its examples cut from photographs. A window is compared with the templates by
normalised correlation, at the best of a few shifts. Only differences between letters count, and only if some letter of
the set fits at all: a window that was cut beside its face resembles none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from engine import ENGLISH, Alphabet
from vision.arrays import Floats, Ints, logsumexp
from vision.images import Image
from vision.letters.classifier import FACE_PX, REJECT

RIM = 5
"""Pixels around a window that show the tile's rim and its neighbours."""
SIDE = FACE_PX - 2 * RIM
"""Side, pixels, of the part of a window that is compared."""
_MAX_SHIFT = 3
"""Pixels by which a window may lie off its face. [by eye]"""
_BLUR = 1.0
"""Standard deviation, pixels, of the blur that makes pictures about equally sharp. [by eye]"""
_CORRELATION_WEIGHT = 30.0
"""Log odds between two letters for a difference of one in correlation, measured on sets not trained on. [by hand]"""
_FIT_MIN, _FIT_FULL = 0.85, 0.95
"""Correlation of the best letter from which the set counts, and from which it counts in full. [by eye]"""
_MAX_UNSEEN_CORRELATION = 0.88
"""Largest assumed correlation of a letter without example: less than most correct ones. [by eye]"""
_SURE_LOG_PROBABILITY = np.log(0.98)
"""Log probability from which the network is sure of a face. [by eye]"""
_MIN_SURE_FACES = 5
"""Least number of faces (or of letters known to both sets) that can show that a set is another. [by eye]"""
_MIN_OWN_CORRELATION = 0.85
"""Least median correlation of sure faces with the likest letter of their own set. Four rendered sets of odd typefaces
were compared with themselves and each other. With its own letters a set has 0.95 to 0.98 (0.92 at least in a picture),
with another typeface's 0.66 to 0.82 (0.83 at most), with another set of the same typeface 0.91 and 0.92. [by hand]"""
_MIN_SET_CORRELATION = 0.9
"""Least median correlation of two templates of a letter, shifted to agree, that are of one set. In twelve games with
these four sets it is 0.95 to 0.99 with the same set, 0.87 at most with another typeface's, 0.90 to 0.93 with another
set of the same typeface. [by hand]"""
WELL_KNOWN = 3
"""Least number of examples that show how a set's letter looks. [by eye]"""


@dataclass(frozen=True)
class SetFaces:
    """The templates of a set.

    Attributes:
        templates: (F, SIDE, SIDE) of zero mean and unit length, in the order of the alphabet; zero for a letter without
            example.
        counts: (F,) number of examples of each letter.
        doubt: probability that the letters in view are another set's. It limits how sure a reading can get.
        named: share of this set's faces that the network alone reads correctly. It is trusted that far.
        alphabet: the faces of the set.
    """

    templates: Floats
    counts: Ints
    doubt: float = 0.0
    named: float = 1.0
    alphabet: Alphabet = ENGLISH

    @property
    def letters(self) -> str:
        """The letters of which the set has examples."""
        return "".join(face for face, count in zip(self.alphabet.faces, self.counts, strict=True) if count)

    def correlations(self, windows: Image) -> Floats:
        """Return the correlations (m, F) of windows (m, FACE_PX, FACE_PX, 3) with each letter; 0 without example."""
        match = np.zeros((len(windows), len(self.alphabet)))
        has_example = self.counts > 0
        flat = self.templates[has_example].reshape(int(has_example.sum()), -1).T
        for number, window in enumerate(windows):
            match[number, has_example] = (cut_shifted_patches(window) @ flat).max(axis=0)
        return match

    def log_odds(self, windows: Image, logs: npt.ArrayLike) -> Floats:
        """Return log odds (m, F + 1) of each letter from the set's own, given the network's log probabilities `logs`.

        The probability of "no upright letter" stays as it is: `logs` plus these odds are again log probabilities.
        """
        table = np.asarray(logs, dtype=np.float64)
        odds = np.zeros_like(table)
        if not len(table) or not self.counts.any():
            return odds
        match = self.correlations(windows)
        best = match.max(axis=1, where=self.counts > 0, initial=0.0)
        match = np.where(self.counts > 0, match, np.minimum(best, _MAX_UNSEEN_CORRELATION)[:, None])
        say = _CORRELATION_WEIGHT * np.clip((best - _FIT_MIN) / (_FIT_FULL - _FIT_MIN), 0.0, 1.0)
        letters = table[:, :REJECT]
        weighed = self._weigh_letters(letters) + say[:, None] * match
        weighed += (logsumexp(letters) - logsumexp(weighed))[:, None]
        if self.doubt > 0.0:
            weighed = np.logaddexp(weighed + np.log1p(-self.doubt), letters + np.log(self.doubt))
        odds[:, :REJECT] = weighed - letters
        return odds

    def _weigh_letters(self, letters: Floats) -> Floats:
        """Return the network's log probabilities (m, F) of letters, less sure if it reads this set badly."""
        if self.named >= 1.0:
            return letters
        share = (1.0 - self.named) / letters.shape[1]
        total = logsumexp(letters)[:, None]
        return np.asarray(np.logaddexp(letters + np.log(self.named), total + np.log(share)), dtype=np.float64)

    def is_other_than(self, known: SetFaces) -> bool:
        """Return whether these letters belong to another set than `known`. Only letters well known in both count."""
        if self.alphabet != known.alphabet:
            return True
        both = (self.counts >= WELL_KNOWN) & (known.counts >= WELL_KNOWN)
        if int(both.sum()) < _MIN_SURE_FACES:
            return False
        _, match = align(self.templates[both], known.templates[both])
        return bool(np.median(match) < _MIN_SET_CORRELATION)

    def disagrees(self, windows: Image, logs: npt.ArrayLike) -> bool:
        """Return whether the faces that the network (m, F + 1) is sure of look like those of another set."""
        table = np.asarray(logs, dtype=np.float64)[:, :REJECT]
        named = table.argmax(axis=1)
        sure = (table.max(axis=1) > _SURE_LOG_PROBABILITY) & (self.counts[named] > 0)
        if int(sure.sum()) < _MIN_SURE_FACES:
            return False
        return bool(np.median(self.correlations(windows[sure]).max(axis=1)) < _MIN_OWN_CORRELATION)


def align(templates: Floats, to: Floats) -> tuple[Floats, Floats]:
    """Shift templates (k, SIDE, SIDE) to agree best with others. Return them and their correlations (k,).

    Each game's templates are slightly displaced, because its own grids cut its windows.
    """
    best, match = templates, np.full(len(templates), -1.0)
    for down, right in product(range(-_MAX_SHIFT, _MAX_SHIFT + 1), repeat=2):
        moved = _normalise(_move(templates, down, right))
        agrees = (moved * to).sum(axis=(1, 2))
        best = np.where((agrees > match)[:, None, None], moved, best)
        match = np.maximum(match, agrees)
    return best, match


def _move(templates: Floats, down: int, right: int) -> Floats:
    """Move templates (k, SIDE, SIDE) by whole pixels. Their rim is repeated at the edge."""
    wide = np.pad(templates, ((0, 0), (_MAX_SHIFT, _MAX_SHIFT), (_MAX_SHIFT, _MAX_SHIFT)), mode="edge")
    top, left = _MAX_SHIFT - down, _MAX_SHIFT - right
    return wide[:, top : top + SIDE, left : left + SIDE]


def _normalise(templates: Floats) -> Floats:
    """Return templates (k, SIDE, SIDE) of zero mean and unit length."""
    middled = templates - templates.mean(axis=(1, 2), keepdims=True)
    return np.asarray(middled / (np.linalg.norm(middled, axis=(1, 2), keepdims=True) + 1e-9), dtype=np.float64)


def cut_shifted_patches(window: Image) -> Floats:
    """Return shifted patches (k, SIDE * SIDE) of a window, of mean 0 and length 1; the middle one is unshifted."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY).astype(np.float32)
    smooth = cv2.GaussianBlur(grey, (0, 0), _BLUR)
    around = np.lib.stride_tricks.sliding_window_view(smooth, (SIDE, SIDE))
    span = slice(RIM - _MAX_SHIFT, RIM + _MAX_SHIFT + 1)
    rows = around[span, span].reshape(-1, SIDE * SIDE).astype(np.float64)
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-3), dtype=np.float64)
