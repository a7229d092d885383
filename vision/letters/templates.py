"""The letters of one set of tiles, as they look: what a set that was shown to the program adds to the face network.

Every letter has a template, the mean of its examples cut from photographs. A window is held against the templates by
normalised correlation, at the best of a few shifts; only differences between letters count, and only where some
letter of the set fits at all, since a window that was cut beside its face resembles none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine import FACES
from vision.images import Image
from vision.letters.classifier import FACE_PX, REJECT
from vision.probability import logsumexp

Floats = npt.NDArray[np.float64]

RIM = 5
"""Pixels around a window that show the tile's rim and its neighbours."""
SIDE = FACE_PX - 2 * RIM
"""Side, pixels, of the part of a window that is compared."""
_SHIFT = 3
"""Pixels by which a window may lie off its face. By eye, not measured."""
_BLUR = 1.0
"""Standard deviation, pixels, of the blur that evens out how sharp pictures are. By eye, not measured."""
_STRENGTH = 30.0
"""Log odds between two letters for a difference of one in correlation, as measured on sets not trained on."""
_FITS, _FITS_WELL = 0.85, 0.95
"""Correlation of the best letter from which the set has a say, and from which it has its full say. By eye,
not measured."""
_NOT_SEEN = 0.88
"""What a letter that the set has no example of is taken to correlate at most: less than most that are right. By
eye, not measured."""
_SURE = np.log(0.98)
"""Log probability from which the network is sure of a face; this and the next by eye, not measured."""
_LEAST_SURE = 5
"""Faces the network is sure of from which it can be told whether this is another set."""
_LIKE_OWN = 0.85
"""Median correlation of these with whichever letter they are likest: on four rendered sets of odd typefaces, each
against itself and the others, 0.95 to 0.98 by set with its own letters (0.92 at least in a picture), 0.66 to 0.82 with
another typeface's (0.83 at most), 0.91 and 0.92 with another set of the same typeface."""
_LIKE_SET = 0.9
"""The same of two sets' templates of a letter, shifted to agree: of twelve games with these four sets 0.95 to 0.99 with
the same set, 0.87 at most with another typeface's, 0.90 to 0.93 with another set of the same typeface."""
WELL_KNOWN = 3
"""Examples from which it is known how a set's letter looks. By eye, not measured."""


@dataclass(frozen=True)
class SetFaces:
    """The templates of a set.

    Attributes:
        templates: (26, SIDE, SIDE) of zero mean and unit length, in the order of FACES; zero where there is none.
        counts: (26,) number of examples of each letter.
        doubt: probability that these are not the letters in view: they never make surer than that.
        named: share of this set's faces that the network names rightly by itself; so far it is believed.
    """

    templates: Floats
    counts: npt.NDArray[np.int64]
    doubt: float = 0.0
    named: float = 1.0

    @property
    def letters(self) -> str:
        """The letters that the set has examples of."""
        return "".join(face for face, count in zip(FACES, self.counts, strict=True) if count)

    def correlations(self, windows: Image) -> Floats:
        """(m, 26) correlation of each window (m, FACE_PX, FACE_PX, 3) with each letter; 0 for letters not seen."""
        found = np.zeros((len(windows), len(FACES)))
        seen = self.counts > 0
        flat = self.templates[seen].reshape(int(seen.sum()), -1).T
        for number, window in enumerate(windows):
            found[number, seen] = (shifted_patches(window) @ flat).max(axis=0)
        return found

    def log_odds(self, windows: Image, logs: npt.ArrayLike) -> Floats:
        """Log odds (m, 27) of each letter from the set's own, given the network's log probabilities `logs` (m, 27).

        Whether an upright letter is there at all stays as it is: added to `logs`, they leave probabilities.
        """
        table = np.asarray(logs, dtype=np.float64)
        odds = np.zeros_like(table)
        if not len(table) or not self.counts.any():
            return odds
        match = self.correlations(windows)
        best = match.max(axis=1, where=self.counts > 0, initial=0.0)
        match = np.where(self.counts > 0, match, np.minimum(best, _NOT_SEEN)[:, None])
        say = _STRENGTH * np.clip((best - _FITS) / (_FITS_WELL - _FITS), 0.0, 1.0)
        letters = table[:, :REJECT]
        weighed = self._believed(letters) + say[:, None] * match
        weighed += (logsumexp(letters) - logsumexp(weighed))[:, None]
        if self.doubt > 0.0:
            weighed = np.logaddexp(weighed + np.log1p(-self.doubt), letters + np.log(self.doubt))
        odds[:, :REJECT] = weighed - letters
        return odds

    def _believed(self, letters: Floats) -> Floats:
        """What the network says of letters, as log probabilities (m, 26), as far as it knows this set's."""
        if self.named >= 1.0:
            return letters
        share = (1.0 - self.named) / letters.shape[1]
        total = logsumexp(letters)[:, None]
        return np.asarray(np.logaddexp(letters + np.log(self.named), total + np.log(share)), dtype=np.float64)

    def is_other_than(self, known: SetFaces) -> bool:
        """Whether these are the letters of another set than those known: of both, only well-known letters count."""
        both = (self.counts >= WELL_KNOWN) & (known.counts >= WELL_KNOWN)
        if int(both.sum()) < _LEAST_SURE:
            return False
        _, match = aligned(self.templates[both], known.templates[both])
        return bool(np.median(match) < _LIKE_SET)

    def disagrees(self, windows: Image, logs: npt.ArrayLike) -> bool:
        """Whether the faces of which the network (m, 27) is sure look like those of another set."""
        table = np.asarray(logs, dtype=np.float64)[:, :REJECT]
        named = table.argmax(axis=1)
        sure = (table.max(axis=1) > _SURE) & (self.counts[named] > 0)
        if int(sure.sum()) < _LEAST_SURE:
            return False
        return bool(np.median(self.correlations(windows[sure]).max(axis=1)) < _LIKE_OWN)


def aligned(templates: Floats, to: Floats) -> tuple[Floats, Floats]:
    """Templates (k, SIDE, SIDE) shifted to agree best with others, and their correlations (k,) with them.

    Each game's lie a little otherwise: its windows were cut by its own grids.
    """
    best, match = templates, np.full(len(templates), -1.0)
    for down in range(-_SHIFT, _SHIFT + 1):
        for right in range(-_SHIFT, _SHIFT + 1):
            moved = _unit(_moved(templates, down, right))
            agrees = (moved * to).sum(axis=(1, 2))
            best = np.where((agrees > match)[:, None, None], moved, best)
            match = np.maximum(match, agrees)
    return best, match


def _moved(templates: Floats, down: int, right: int) -> Floats:
    """Templates (k, SIDE, SIDE) moved by whole pixels; what comes in from beyond is as their rim is."""
    wide = np.pad(templates, ((0, 0), (_SHIFT, _SHIFT), (_SHIFT, _SHIFT)), mode="edge")
    top, left = _SHIFT - down, _SHIFT - right
    return wide[:, top : top + SIDE, left : left + SIDE]


def _unit(templates: Floats) -> Floats:
    """Templates (k, SIDE, SIDE) of zero mean and unit length."""
    middled = templates - templates.mean(axis=(1, 2), keepdims=True)
    return np.asarray(
        middled / (np.linalg.norm(middled, axis=(1, 2), keepdims=True) + 1e-9), dtype=np.float64
    )


def shifted_patches(window: Image) -> Floats:
    """(k, SIDE * SIDE) of one window: a row for each shift, the middle one unshifted, of zero mean and unit length."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY).astype(np.float32)
    smooth = cv2.GaussianBlur(grey, (0, 0), _BLUR)
    around = np.lib.stride_tricks.sliding_window_view(smooth, (SIDE, SIDE))
    span = slice(RIM - _SHIFT, RIM + _SHIFT + 1)
    rows = around[span, span].reshape(-1, SIDE * SIDE).astype(np.float64)
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-3), dtype=np.float64)
