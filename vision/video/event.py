"""What a tracker has to tell the table."""

from __future__ import annotations

from dataclasses import dataclass

from vision.images import Image
from vision.turn.memory.belief import Belief
from vision.turn.observe import Observation


@dataclass(frozen=True)
class TrackerEvent:
    """Something to tell the table: a turn (a play or tiles taken back), or an amendment of the last one.

    A finding of kind "none" says, while something is open, that the board lies as the scoresheet has it.

    Attributes:
        time: seconds of the video.
        seen: what happened.
        amends: it takes, whole, the place of the turn before it.
        image: the fused picture.
        belief: what is believed now.
    """

    time: float
    seen: Observation
    amends: bool
    image: Image
    belief: Belief
