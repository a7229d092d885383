"""Stacks that a question left open which nobody answered: what is played through them is provisional."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.board import Board
from engine.rules.referee import Verdict
from engine.squares import Square, square_names
from vision.turn.finding import Finding, Outcome
from vision.turn.inference.story import Start
from vision.turn.steps import LOOKS_BACK
from vision.turn.thresholds import SURE

_PROVISIONAL = "Nobody has said what lies at {}, and this play counts it: check it."


@dataclass(frozen=True)
class OpenStacks:
    """Squares whose stacks may be others than the scoresheet has there.

    Attributes:
        looks_left: of each, the looks that may still settle it; after them what was likeliest stands, and is open.
    """

    looks_left: Mapping[Square, int] = field(default_factory=dict)

    def after(self, finding: Finding, start: Start) -> OpenStacks:
        """What is open after a look, whose outcomes begin at `start`.

        A stack is settled where hardly any outcome of a later look has another there, as long as looks are remembered
        that could tell.
        """
        told = finding.kind in ("play", "removed")
        doubtful = _doubtful(finding.outcomes, start) if told else frozenset()
        left = {
            square: max(looks - 1, 0)
            for square, looks in self.looks_left.items()
            if looks == 0 or not told or square in doubtful
        }
        return OpenStacks({**dict.fromkeys(doubtful, LOOKS_BACK), **left})

    def counted_by(self, verdict: Verdict) -> str | None:
        """Why a play is provisional, None where it is not."""
        counted = {square for word in verdict.words for square in word.squares} & self.looks_left.keys()
        return _PROVISIONAL.format(square_names(sorted(counted))) if counted else None


def _doubtful(outcomes: Sequence[Outcome], start: Start) -> frozenset[Square]:
    """The squares whose stack is not sure to be that of the first outcome."""
    if len(outcomes) < 2:
        return frozenset()
    best, *others = [(outcome.story.board(start), outcome.share) for outcome in outcomes]
    return frozenset(
        square for square in best[0].squares() if _otherwise(best[0], others, square) > 1.0 - SURE
    )


def _otherwise(board: Board, others: Iterable[tuple[Board, float]], square: Square) -> float:
    """Probability of the boards on which a stack is of another height, or shows another letter."""
    here = (board.height(square), board.top(square))
    return sum(share for other, share in others if (other.height(square), other.top(square)) != here)
