"""The finding of a look: what may have happened, as changes of the scoresheet, and whether to ask the table.

`Outcome` and `Finding` come first. The functions below weigh and order outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

import numpy as np

from engine import Board, Play, Revision, Square
from vision.reading import BoardReading
from vision.turn.prior import GameSettings
from vision.turn.reasons import Doubt
from vision.turn.story import CertainBoard, Event, Story, WeighedStory, without_tries

Kind = Literal["play", "none", "removed", "unclear"]

_KEEP_SHEET_RATIO = 0.1
"""Keep the scoresheet's story if it is at least this likely, relative to the best. [by eye]"""


@dataclass(frozen=True)
class Outcome:
    """One explanation of the looks, as the scoresheet would have it.

    Attributes:
        story: all events since the certain board.
        kept: how many events on the scoresheet since then agree with the story's first ones.
        replaces: how many events after these the story replaces.
        share: probability, 0 to 1.
    """

    story: Story
    kept: int
    replaces: int
    share: float

    @classmethod
    def of(cls, *events: Event, replaces: int = 0, share: float) -> Outcome:
        """Return the outcome that these events happened, in place of the last `replaces` on the scoresheet."""
        return cls(Story(events), 0, replaces, share)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events since the certain board."""
        return self.story.events

    @property
    def changes(self) -> tuple[Event, ...]:
        """The events that replace others on the scoresheet, and those that follow them."""
        return self.events[self.kept :]

    @property
    def revision(self) -> Revision:
        """What it changes on the scoresheet."""
        return Revision(self.changes, self.replaces)

    @property
    def play(self) -> Play | None:
        """The last play that it changes on the scoresheet; None if tiles were taken back last."""
        return self.changes[-1] if self.changes else None

    @property
    def turns(self) -> int:
        """The number of turns in its events. A play that was taken back is no turn: its player plays anew."""
        return sum(1 if event is not None else -1 for event in self.events)

    @property
    def revises(self) -> bool:
        """True if it replaces an event on the scoresheet."""
        return self.replaces > 0


@dataclass(frozen=True)
class Finding:
    """The finding of a photograph, or of a look.

    Attributes:
        kind: "play", "none" (nothing changed), "removed" (tiles were taken back) or "unclear".
        outcomes: what may have happened, likeliest first.
        confidence: probability of the first outcome.
        needs_review: whether to ask the table; when False, the turn is right.
        square: the one square whose letter decides between the outcomes, if there is one.
        reason: why the table is asked.
        before: the board under the play, or under the tiles that were taken back.
        play: the tiles of the last event, or those taken back; None for "none" and "unclear".
        unexplained: whether more has changed than turns explain.
        play_share: probability of the last play and its points, in whichever turn it was made; 0 if there is none.
        doubt: what the picture itself leaves in doubt about the play, apart from the rules.
        lying: tiles that came off the scoresheet and still lie there; the kind is then "unclear".
        lifted: tiles that came off the scoresheet and have now left the board.
        reading: what the photograph shows; None if no board was found in it.
    """

    kind: Kind
    outcomes: tuple[Outcome, ...]
    confidence: float
    needs_review: bool
    square: Square | None
    reason: Doubt | None
    before: Board
    play: Play | None
    unexplained: bool = False
    play_share: float = 0.0
    doubt: Doubt | None = None
    lying: Play | None = None
    lifted: Play | None = None
    reading: BoardReading | None = field(default=None, compare=False, repr=False)

    @classmethod
    def played(
        cls, outcomes: tuple[Outcome, ...], before: Board, play: Play | None, doubt: Doubt | None = None
    ) -> Finding:
        """Return the finding of a play on the board `before` it, as sure as the likeliest outcome.

        The table is asked if the picture leaves a `doubt`.
        """
        asked = doubt is not None
        return cls("play", outcomes, outcomes[0].share, asked, None, doubt, before, play, doubt=doubt)

    @classmethod
    def removed(cls, outcomes: tuple[Outcome, ...], before: Board, gone: Play | None) -> Finding:
        """Return the finding that tiles were taken back, as sure as the likeliest outcome."""
        return cls("removed", outcomes, outcomes[0].share, False, None, None, before, gone)

    @classmethod
    def unchanged(
        cls, board: Board, confidence: float, outcomes: tuple[Outcome, ...] = (), reason: Doubt | None = None
    ) -> Finding:
        """Return the finding that nothing new lies on the scoresheet's board. The table is asked for a `reason`."""
        return cls("none", outcomes, confidence, reason is not None, None, reason, board, None)

    @classmethod
    def unclear(cls, doubt: Doubt, board: Board, outcomes: tuple[Outcome, ...] = ()) -> Finding:
        """Return the finding that nobody can tell what was played. The `outcomes` are plays that are possible."""
        return cls("unclear", outcomes, 0.0, True, None, doubt, board, None)

    @property
    def answers(self) -> tuple[Outcome, ...]:
        """The outcomes that the table can choose from: all of them in doubt, else the likeliest; none for "none"."""
        if self.kind == "none":
            return ()
        return self.outcomes if self.needs_review else self.outcomes[:1]

    @property
    def board(self) -> Board:
        """The board with the play on it."""
        return self.before if self.kind != "play" or self.play is None else self.before.with_play(self.play)


def outcomes_of(stories: Iterable[WeighedStory], entered: Sequence[Event], total: float) -> tuple[Outcome, ...]:
    """Return stories as changes to a scoresheet with the events `entered`, likeliest first.

    `total` is the log probability of all explanations together. Tiles that were laid and taken up again before anything
    was entered do not count.
    """
    shares: dict[Story, float] = {}
    for each in stories:
        story = without_tries(each.story, len(entered))
        shares[story] = shares.get(story, 0.0) + float(np.exp(each.log - total))
    ranked = sorted(shares, key=lambda story: -shares[story])
    same = {story: _alike(story.events, entered) for story in ranked}
    return tuple(Outcome(story, same[story], len(entered) - same[story], shares[story]) for story in ranked)


def _alike(events: Sequence[Event], entered: Sequence[Event]) -> int:
    """Return how many events at the beginning are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(events, entered, strict=False)))


def share_of_play(found: Finding, outcomes: tuple[Outcome, ...], start: CertainBoard, context: GameSettings) -> float:
    """Return the probability that the last play is the one found, and is worth the same points.

    The `outcomes` begin at `start`. The result is 0 if the finding is no play.
    """
    play = found.play
    if play is None or found.kind != "play":
        return 0.0
    points, total = context.verdict(found.before, play).points, 0.0
    for outcome in outcomes:
        if outcome.events[-1:] == (play,):
            before = Story(outcome.events[:-1]).board(start)
            same = before == found.before or context.verdict(before, play).points == points
            total += outcome.share if same else 0.0
    return total


def agreed_share(found: Finding, start: CertainBoard, context: GameSettings) -> float:
    """Return the probability of the newest turn in the best outcome, whatever happened before it.

    A play must be worth the same points. Tiles taken back must leave the same board.
    """
    best, play = found.outcomes[0], found.play
    if found.kind == "removed":
        left = best.story.board(start)
        return sum(o.share for o in found.outcomes if None in o.events and o.story.board(start) == left)
    if len(best.changes) - best.replaces > 1 or play is None:
        return best.share
    same_turn = tuple(outcome for outcome in found.outcomes if outcome.turns == best.turns)
    return share_of_play(found, same_turn, start, context)


def share_in_sight(outcomes: tuple[Outcome, ...], start: CertainBoard, board: Board) -> float:
    """Return the probability that the stacks have the heights and top letters of a board, whatever they bury."""
    lying = _in_sight(board)
    return sum(outcome.share for outcome in outcomes if _in_sight(outcome.story.board(start)) == lying)


def sheet_first(outcomes: tuple[Outcome, ...], start: CertainBoard) -> tuple[Outcome, ...]:
    """Move an outcome that keeps the scoresheet to the front if the outcomes that change it are hardly likelier.

    No later look shows which of two plays came first, or what lies buried. So the entered events stay. They also stay
    if their visible board is likelier than that of the best outcome, summed over everything that may be buried.
    """
    board = outcomes[0].story.board(start)
    for plain in (o for o in outcomes if outcomes[0].revises and not o.revises):
        lying = plain.story.board(start)
        likely = plain.share > _KEEP_SHEET_RATIO * outcomes[0].share and lying == board
        stays, changed = (share_in_sight(outcomes, start, there) for there in (lying, board))
        if likely or stays > changed:
            return (plain, *(other for other in outcomes if other is not plain))
    return outcomes


def _in_sight(board: Board) -> tuple[tuple[int, str], ...]:
    """Return the height and the top letter of each stack, row by row."""
    return tuple((len(stack), stack[-1] if stack else "") for row in board.stacks for stack in row)
