"""Tesseract as a check on the few faces in doubt.

It never overrules the network: it is weighed as a witness that is right about two times in three and who, when in
agreement with the network, has always been right. Where Tesseract is not installed its opinion is simply missing.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytesseract

from engine import FACES
from vision.geometry.rectify import ReducedView
from vision.hidden.occlusion import VISIBLE, covered_shares
from vision.images import Image
from vision.letters.faces import cut, face_places
from vision.letters.joining import LetterState
from vision.probability import softmax

Floats = npt.NDArray[np.float64]

_MOST = 2
"""Faces of a picture that are asked about: one look takes about a tenth of a second."""
_SIDE = 96
"""Pixels to which a window is enlarged: its capitals are then some 50 high. By eye, not measured."""
_FAVOUR = float(np.log(5.0))
"""Log odds of a face that Tesseract names: of the faces in doubt it is right about two times in three."""
_DOUBTFUL = 0.6
"""Probability of a face below which Tesseract is asked. By eye, not measured."""
_DARK_TILE = 110
"""Grey level of a window's median below which its letter may be light on dark. By eye, not measured."""
_CONFIG = "--psm 10 --oem 1 -c tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZu"


class TesseractCheck:
    """Asks Tesseract; where it turns out not to be installed, once."""

    def __init__(self) -> None:
        self._there = True

    def log_odds(self, view: ReducedView, state: LetterState) -> Floats:
        """Log odds (n, n, 26) of the faces that are in doubt and in view; 0 for all others."""
        odds = np.zeros_like(state.faces.face_probs)
        for square in doubtful_squares(view, state)[:_MOST]:
            high = int(state.heights.logits[square].argmax())
            named = self._ask(cut(view, face_places(state.heights, [square], [high]))[0])
            if named is not None:
                odds[square][FACES.index(named)] = _FAVOUR
        return odds

    def _ask(self, window: Image) -> str | None:
        if not self._there:
            return None
        try:
            text = str(pytesseract.image_to_string(_prepared(window), config=_CONFIG, timeout=2)).strip()
        except pytesseract.TesseractNotFoundError:
            self._there = False
            return None
        except (pytesseract.TesseractError, RuntimeError, OSError, UnboundLocalError):
            # it may not be started, or there is no room for the files that it is asked by; where not even one can be
            # begun, pytesseract 0.3 stumbles over the name that it has not given it
            return None
        named = "Qu" if text in ("Q", "Qu", "QU") else text
        return named if named in FACES else None


def doubtful_squares(view: ReducedView, state: LetterState) -> list[tuple[int, int]]:
    """The squares (row, col) whose face is in doubt although it can be seen, most doubtful first."""
    heights, faces, hidden = state.heights, state.faces.face_probs, state.seen.hidden
    chance = softmax(heights.logits)
    high = chance.argmax(axis=-1)
    shares = covered_shares(view.camera, heights.face_elevations(high), heights.median_tops(chance))
    unsure = (high > 0) & (faces.max(axis=-1) < _DOUBTFUL)
    unsure &= (hidden < VISIBLE.hidden) & (shares < VISIBLE.covered_face)
    squares = [(int(row), int(col)) for row, col in np.argwhere(unsure)]
    return sorted(squares, key=lambda square: float(faces[square].max()))


def _prepared(window: Image) -> npt.NDArray[np.uint8]:
    """The letter dark on white, large, without the tile's rim: what Tesseract was made for."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
    large = cv2.resize(grey, (_SIDE, _SIDE), interpolation=cv2.INTER_CUBIC)
    rim = _SIDE // 7
    middle = large[rim:-rim, rim:-rim]
    if float(np.median(middle)) < _DARK_TILE and float(np.median(middle)) < float(middle.mean()):
        middle = 255 - middle
    framed = cv2.copyMakeBorder(middle, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=float(np.median(middle)))
    return np.asarray(cv2.normalize(framed, np.empty(0, np.uint8), 0, 255, cv2.NORM_MINMAX), dtype=np.uint8)
