"""What a look comes to: what may have happened, as changes of the scoresheet, and whether it is asked about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

import numpy as np

from engine import Board, Play, Square
from vision.turn.prior import Context
from vision.turn.reasons import HARDLY_LESS, Doubt
from vision.turn.story import Event, Start, Story, WeighedStory, without_tries

Kind = Literal["play", "none", "removed", "unclear"]


@dataclass(frozen=True)
class Outcome:
    """What the scoresheet would say.

    Attributes:
        story: all events since the certain board.
        kept: how many events on the scoresheet since then are the story's first ones.
        replaces: how many after these were really others.
        share: probability, 0 to 1.
    """

    story: Story
    kept: int
    replaces: int
    share: float

    @property
    def events(self) -> tuple[Event, ...]:
        """All events since the certain board."""
        return self.story.events

    @property
    def changes(self) -> tuple[Event, ...]:
        """The events that take the place of those replaced, and those after them."""
        return self.events[self.kept :]

    @property
    def turns(self) -> int:
        """How many turns its events come to: a play that was taken back is none, its player plays anew."""
        return sum(1 if event is not None else -1 for event in self.events)

    @property
    def revises(self) -> bool:
        """Whether an event on the scoresheet was really another."""
        return self.replaces > 0


@dataclass(frozen=True)
class Finding:
    """What a look found.

    Attributes:
        kind: "play", "none" (nothing changed), "removed" (tiles were taken back) or "unclear".
        outcomes: what may have happened, likeliest first; the first is what was found.
        confidence: probability of the first.
        needs_review: the table should be asked; when False, the turn is right.
        question: the one square whose answer decides, if a square does.
        reason: why it is asked.
        before: the board that the play, or what was taken back, lay on.
        play: the tiles of the last event, or those taken back; None for "none" and "unclear".
        unexplained: more has changed than turns explain.
        play_share: probability of the last play and its points, in whichever turn it was made; 0 where none was.
        doubt: what the picture itself leaves in doubt of the play, whatever the rules say of it.
        lying: tiles that came off the scoresheet and still lie there; they are asked about, kind "unclear".
        lifted: tiles that came off the scoresheet, and are seen to be off the board now.
    """

    kind: Kind
    outcomes: tuple[Outcome, ...]
    confidence: float
    needs_review: bool
    question: Square | None
    reason: Doubt | None
    before: Board
    play: Play | None
    unexplained: bool = False
    play_share: float = 0.0
    doubt: Doubt | None = None
    lying: Play | None = None
    lifted: Play | None = None


def outcomes_of(
    stories: Iterable[WeighedStory], entered: Sequence[Event], total: float
) -> tuple[Outcome, ...]:
    """Return stories as changes of a scoresheet that has the events `entered`, likeliest first.

    `total` is the log probability of everything. Tiles that were laid and taken up again before anything was entered
    don't count.
    """
    shares: dict[Story, float] = {}
    for each in stories:
        story = without_tries(each.story, len(entered))
        shares[story] = shares.get(story, 0.0) + float(np.exp(each.log - total))
    ranked = sorted(shares, key=lambda story: -shares[story])
    same = {story: _alike(story.events, entered) for story in ranked}
    return tuple(Outcome(story, same[story], len(entered) - same[story], shares[story]) for story in ranked)


def _alike(events: Sequence[Event], entered: Sequence[Event]) -> int:
    """Return how many events two begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(events, entered, strict=False)))


def share_of_play(found: Finding, outcomes: tuple[Outcome, ...], start: Start, context: Context) -> float:
    """Return the probability of those outcomes, from `start`, that end with the play found, for the same points."""
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


def agreed_share(found: Finding, start: Start, context: Context) -> float:
    """Return the probability of what the best outcome adds or takes back, whatever came before it."""
    best, play = found.outcomes[0], found.play
    if found.kind == "removed":
        left = best.story.board(start)
        return sum(o.share for o in found.outcomes if None in o.events and o.story.board(start) == left)
    if len(best.changes) - best.replaces > 1 or play is None:
        return best.share
    same_turn = tuple(outcome for outcome in found.outcomes if outcome.turns == best.turns)
    return share_of_play(found, same_turn, start, context)


def share_in_sight(outcomes: tuple[Outcome, ...], start: Start, board: Board) -> float:
    """Return the probability that stacks are as high as on a board with the same letters on top."""
    lying = _in_sight(board)
    return sum(outcome.share for outcome in outcomes if _in_sight(outcome.story.board(start)) == lying)


def sheet_first(outcomes: tuple[Outcome, ...], start: Start) -> tuple[Outcome, ...]:
    """Return the outcomes with the scoresheet's own before others that are hardly likelier.

    No later look tells which of two plays came first, nor what lies buried, so what was entered stays. It also stays
    where what then lies in sight is likelier, with everything that may be buried there taken together.
    """
    board = outcomes[0].story.board(start)
    for plain in (o for o in outcomes if outcomes[0].revises and not o.revises):
        lying = plain.story.board(start)
        likely = plain.share > HARDLY_LESS * outcomes[0].share and lying == board
        stays, changed = (share_in_sight(outcomes, start, there) for there in (lying, board))
        if likely or stays > changed:
            return (plain, *(other for other in outcomes if other is not plain))
    return outcomes


def _in_sight(board: Board) -> tuple[tuple[int, str], ...]:
    """Return the height and the top letter of each stack, row by row."""
    return tuple((len(stack), stack[-1] if stack else "") for row in board.stacks for stack in row)
