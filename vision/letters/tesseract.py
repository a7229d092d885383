"""Tesseract's opinion on the few faces in doubt.

It never overrules the network: it is weighed as a witness that is right about two times in three and who, when in
agreement with the network, has always been right. Where Tesseract is not installed its opinion is simply missing.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt
import pytesseract

from engine.faces import FACES
from vision.images import Image

Floats = npt.NDArray[np.float64]

_MOST = 2
"""One look takes about a tenth of a second."""
_SIDE = 96
_WEIGHT = 5.0
"""How much likelier Tesseract is to name a face that is there than one of the others that look like it."""
_CONFIG = "--psm 10 --oem 1 -c tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZu"


class SecondOpinion:
    """Asks Tesseract, as long as it answers."""

    def __init__(self) -> None:
        self._there = True

    def weigh(self, windows: Mapping[tuple[int, int], Image], faces: Floats) -> Floats:
        """The face table (n, n, 26) with Tesseract's opinion on the given squares' windows joined in."""
        joined = faces.copy()
        doubtful = sorted(windows, key=lambda square: float(faces[square].max()))[:_MOST]
        for square in doubtful:
            named = self._ask(windows[square])
            if named is not None:
                joined[square][FACES.index(named)] *= _WEIGHT
                joined[square] /= joined[square].sum()
        return joined

    def _ask(self, window: Image) -> str | None:
        if not self._there:
            return None
        try:
            text = str(pytesseract.image_to_string(_prepared(window), config=_CONFIG, timeout=2)).strip()
        except pytesseract.TesseractNotFoundError:
            self._there = False
            return None
        except (pytesseract.TesseractError, RuntimeError):
            return None
        named = "Qu" if text in ("Q", "Qu", "QU") else text
        return named if named in FACES else None


def _prepared(window: Image) -> npt.NDArray[np.uint8]:
    """The letter dark on white, large, without the tile's rim: what Tesseract was made for."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
    large = cv2.resize(grey, (_SIDE, _SIDE), interpolation=cv2.INTER_CUBIC)
    rim = _SIDE // 7
    middle = large[rim:-rim, rim:-rim]
    if float(np.median(middle)) < 110 and float(np.median(middle)) < float(middle.mean()):
        middle = 255 - middle
    framed = cv2.copyMakeBorder(middle, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=float(np.median(middle)))
    return np.asarray(cv2.normalize(framed, np.empty(0, np.uint8), 0, 255, cv2.NORM_MINMAX), dtype=np.uint8)
