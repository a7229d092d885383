"""How far a picture can be trusted to show a new letter: as far as it shows the letters that are known.

White glare, darkness and blur leave shapes that the letter network takes for letters, at times for the wrong ones.
The tiles that lay on the board before tell of it: where many of them can no longer be read, a new one may be
misread, or missed, as well.
"""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from engine.board import Board
from engine.faces import FACES
from engine.squares import Square
from vision.reading import BoardReading

_READ = 0.5
"""Probability of the letter that lies there, from which it counts as read."""
_LEAST = 4
"""Tiles in view, below which nothing is concluded from them."""
_HIDDEN = 0.3
_DEMANDS = ((0.1, 0.3), (0.0, 0.99))
"""Shares of the known letters that cannot be read, and the confidence that is demanded of a turn then."""


def unread(reading: BoardReading, before: Board, played: Container[Square]) -> float:
    """The share, 0 to 1, of the letters known to lie in view that the picture does not show; `played` on are left out.

    0 where too few are in view to tell.
    """
    chances = [
        float(reading.face_probs[s.row, s.col, FACES.index(before.top(s))])
        for s in before.occupied()
        if s not in played and max(reading.hidden[s.row, s.col], reading.covered[s.row, s.col]) < _HIDDEN
    ]
    return float(np.mean(np.array(chances) < _READ)) if len(chances) >= _LEAST else 0.0


def demanded(share: float) -> float:
    """The confidence from which a turn is taken, where `share` of the known letters cannot be read."""
    return float(np.interp(share, *_DEMANDS))
