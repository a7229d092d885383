"""Stacks that a question left open which nobody answered: what is played through them is provisional."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.board import Board
from engine.rules.referee import Verdict
from engine.squares import Square, centre_squares, square_names
from vision.letters.classifier import PRINT_LIKE
from vision.turn.finding import Finding, Outcome
from vision.turn.inference.story import Event, Start
from vision.turn.memory.steps import LOOKS_BACK
from vision.turn.thresholds import SURE

_PROVISIONAL = "Nobody has said what lies at {}, and this play counts it: check it."


@dataclass(frozen=True)
class OpenStacks:
    """Squares whose stacks may be others than the scoresheet has there.

    Attributes:
        heights: those whose height is open, with the looks that may still settle it; after them it stays open.
        faces: the same of the letters on top, which are open until others cover them.
    """

    heights: Mapping[Square, int] = field(default_factory=dict)
    faces: Mapping[Square, int] = field(default_factory=dict)

    def after(
        self, finding: Finding, start: Start, covered: frozenset[Square], verdict: Verdict | None,
        asked: frozenset[Square],
    ) -> OpenStacks:  # fmt: skip
        """What is open after a look, whose outcomes begin at `start`, and in which nearer stacks hid `covered` squares.

        `asked` are the squares of plays that were asked about before.

        A stack is settled where hardly any outcome of a later look that saw it has another there, as long as looks are
        remembered that could tell. Of a play that is asked about, heights that were not seen are open. A play of which
        the `verdict` is that it makes no words settles no stack of theirs: what was misread there may be its height.
        Nor does any look settle whether a tile or only its mark lies on a marked square: it looks the same each time.
        Nor whether another tile lies on one that was asked about or that one was misread, where none showed it coming.
        """
        if finding.kind not in ("play", "removed"):
            return OpenStacks(_remembered(self.heights), _remembered(self.faces))
        boards = _boards(finding.outcomes, start)
        unseen = covered & (self.heights.keys() | _asked_about(finding))
        unseen |= self.heights.keys() & _in_no_words(verdict)
        uncertain, new = _doubtful(boards, Board.height), _surely_played(finding)
        faces = {square: left for square, left in self.faces.items() if square not in new}
        return OpenStacks(
            {
                **_still_open(self.heights, uncertain | unseen),
                **_marks(finding, boards, uncertain),
                **dict.fromkeys(asked & _not_seen_coming(finding), 0),
            },
            _still_open(faces, _doubtful(boards, Board.top)),
        )

    def counted_by(self, verdict: Verdict) -> str | None:
        """Why a play is provisional, None where it is not."""
        counted = {square for word in verdict.words for square in word.squares}
        opened = counted & (self.heights.keys() | self.faces.keys())
        return _PROVISIONAL.format(square_names(sorted(opened))) if opened else None


def _surely_played(finding: Finding) -> frozenset[Square]:
    """The squares of a play that is not asked about."""
    play = finding.outcomes[0].events[-1] if finding.outcomes[0].events else None
    return frozenset() if play is None or finding.needs_review else frozenset(play.squares)


def _asked_about(finding: Finding) -> frozenset[Square]:
    """The squares of the plays that are asked about."""
    return _squares_of(finding.outcomes[0].changes if finding.needs_review else ())


def _not_seen_coming(finding: Finding) -> frozenset[Square]:
    """The squares of new plays that are asked about and that no look showed before the next."""
    best = finding.outcomes[0]
    return _squares_of(best.changes[:-1] if finding.needs_review and not best.revises else ())


def _squares_of(events: Sequence[Event]) -> frozenset[Square]:
    """The squares of the plays among some events."""
    return frozenset(square for play in events if play is not None for square in play.squares)


def _marks(
    finding: Finding, boards: Sequence[tuple[Board, float]], uncertain: frozenset[Square]
) -> dict[Square, int]:
    """Those `uncertain` squares of plays that are asked about where a mark may pass for a tile, with no looks left."""
    if not boards:
        return {}
    best, _ = boards[0]
    asked = uncertain & _asked_about(finding) & centre_squares(best.size)
    return {each: 0 for each in asked if best.height(each) == 1 and best.top(each) in PRINT_LIKE}


def _in_no_words(verdict: Verdict | None) -> frozenset[Square]:
    """The squares of a play's words where some of them are in no list."""
    if verdict is None or not any(violation.of_words for violation in verdict.violations):
        return frozenset()
    return frozenset(square for word in verdict.words for square in word.squares)


def _boards(outcomes: Sequence[Outcome], start: Start) -> list[tuple[Board, float]]:
    """The board that each outcome leads to and its share, none where there is no choice."""
    return [(o.story.board(start), o.share) for o in outcomes] if len(outcomes) > 1 else []


def _remembered(looks_left: Mapping[Square, int]) -> dict[Square, int]:
    """One look later, which told nothing."""
    return {square: max(left - 1, 0) for square, left in looks_left.items()}


def _still_open(looks_left: Mapping[Square, int], doubtful: frozenset[Square]) -> dict[Square, int]:
    """What is open one look later, which leaves some squares in doubt and settles what it can of the others."""
    left = {square: left for square, left in looks_left.items() if left == 0 or square in doubtful}
    return {**dict.fromkeys(doubtful, LOOKS_BACK), **_remembered(left)}


def _doubtful(
    boards: Sequence[tuple[Board, float]], part: Callable[[Board, Square], object]
) -> frozenset[Square]:
    """The squares where a part of the stack is not sure to be that of the first of some boards with their shares."""
    if not boards:
        return frozenset()
    best, _ = boards[0]

    def otherwise(square: Square) -> float:
        return sum(share for board, share in boards if part(board, square) != part(best, square))

    return frozenset(square for square in best.squares() if otherwise(square) > 1.0 - SURE)
