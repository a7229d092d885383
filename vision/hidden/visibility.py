"""How hidden is hidden: every threshold on what a hand, a stack or the picture's edge hides, by what it decides.

Two measures are kept apart everywhere: `hidden` is the probability that a hand, an object or the picture's edge hides a
square, `covered` the share of a face that nearer stacks hide.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Visibility:
    """Thresholds; on probabilities of `hidden` unless said otherwise.

    Attributes:
        hidden: from which a square counts as hidden: what is not there more likely than not is not read.
        reference: up to which a square is clear enough that others are compared with it or learned from; chosen by eye,
            not measured.
        covered_face: share of a face that stacks may cover while its letter still counts as in view. Letters covered by
            less are read rightly in 97 % of the faces, up to 0.5 in 70 %; asking Tesseract about the others took 115 ms
            and told nothing (development sets).
        covered_ground: share of a bare square that stacks may cover while its ground counts as in view; chosen by eye,
            not measured.
        covered_stack: share of a face that stacks may cover while the height of its stack counts as seen. On the
            development sets and in rendered games 2 % of the heights of squares covered by 0.5 to 0.7 were wrong, 4 %
            up to 0.9, 18 % of the 652 beyond that.
        least_seen: share of a window that must be in view for its ground's colour to be known; chosen by eye, not
            measured.
    """

    hidden: float = 0.5
    reference: float = 0.3
    covered_face: float = 0.3
    covered_ground: float = 0.2
    covered_stack: float = 0.7
    least_seen: float = 0.3


VISIBLE = Visibility()
