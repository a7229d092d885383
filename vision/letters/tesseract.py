"""Tesseract checks the few faces in doubt.

It never overrules the network. It counts as a witness who is right about two times in three, and who has always been
right when it agreed with the network. Without Tesseract the reader does without this evidence.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytesseract

from engine import FACES
from vision.arrays import Floats
from vision.geometry.rectify import ReducedView
from vision.hidden.occlusion import VISIBLE, covered_shares
from vision.images import Image
from vision.letters.faces import cut, face_places
from vision.letters.joining import LetterState
from vision.probability import softmax

_MAX_FACES = 2
"""Most faces of a picture that Tesseract is asked about: one takes about a tenth of a second. [by hand]"""
_WINDOW_PX = 96
"""Pixels to which a window is enlarged: its capitals are then some 50 high. [by eye]"""
_NAMED_LOG_ODDS = float(np.log(5.0))
"""Log odds of a face that Tesseract names: of the faces in doubt it reads about two in three rightly. [by hand]"""
_MAX_DOUBTFUL_PROBABILITY = 0.6
"""Probability of a face below which Tesseract is asked. [by eye]"""
_MAX_DARK_GREY = 110
"""Grey level of a window's median below which its letter may be light on dark. [by eye]"""
_CONFIG = "--psm 10 --oem 1 -c tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZu"
"""Tesseract's options: one character (`psm 10`), the neural engine (`oem 1`), and only the letters of tiles."""


class TesseractCheck:
    """Asks Tesseract, and remembers if it isn't installed."""

    def __init__(self) -> None:
        self._installed = True

    def log_odds(self, view: ReducedView, state: LetterState) -> Floats:
        """Return log odds (n, n, 26) of the faces that are in doubt and in view; 0 for all others."""
        odds = np.zeros_like(state.faces.face_probs)
        for square in doubtful_squares(view, state)[:_MAX_FACES]:
            high = int(state.heights.logits[square].argmax())
            named = self._ask(cut(view, face_places(state.heights, [square], [high]))[0])
            if named is not None:
                odds[square][FACES.index(named)] = _NAMED_LOG_ODDS
        return odds

    def _ask(self, window: Image) -> str | None:
        if not self._installed:
            return None
        try:
            text = str(pytesseract.image_to_string(_prepared(window), config=_CONFIG, timeout=2)).strip()
        except pytesseract.TesseractNotFoundError:
            self._installed = False
            return None
        except (pytesseract.TesseractError, RuntimeError, OSError, UnboundLocalError):
            # Tesseract cannot start, or the disk has no room for its files. If pytesseract 0.3 cannot create even one,
            # it raises UnboundLocalError
            return None
        named = "Qu" if text in ("Q", "Qu", "QU") else text
        return named if named in FACES else None


def doubtful_squares(view: ReducedView, state: LetterState) -> list[tuple[int, int]]:
    """Return the squares (row, col) whose face is in doubt although it is in view, most doubtful first."""
    heights, faces, hidden = state.heights, state.faces.face_probs, state.seen.hidden
    chance = softmax(heights.logits)
    high = chance.argmax(axis=-1)
    shares = covered_shares(view.camera, heights.face_elevations(high), heights.median_tops(chance))
    unsure = (high > 0) & (faces.max(axis=-1) < _MAX_DOUBTFUL_PROBABILITY)
    unsure &= (hidden < VISIBLE.hidden) & (shares < VISIBLE.covered_face)
    squares = [(int(row), int(col)) for row, col in np.argwhere(unsure)]
    return sorted(squares, key=lambda square: float(faces[square].max()))


def _prepared(window: Image) -> npt.NDArray[np.uint8]:
    """Return the letter dark on white, large, without the tile's rim, as Tesseract reads best."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
    large = cv2.resize(grey, (_WINDOW_PX, _WINDOW_PX), interpolation=cv2.INTER_CUBIC)
    rim = _WINDOW_PX // 7
    middle = large[rim:-rim, rim:-rim]
    if float(np.median(middle)) < _MAX_DARK_GREY and float(np.median(middle)) < float(middle.mean()):
        middle = 255 - middle
    framed = cv2.copyMakeBorder(middle, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=float(np.median(middle)))
    return np.asarray(cv2.normalize(framed, np.empty(0, np.uint8), 0, 255, cv2.NORM_MINMAX), dtype=np.uint8)
