"""Looking on at a game of which nobody answers questions: each turn is entered as it looks, and may prove another."""

from __future__ import annotations

from engine.board import Board
from upscore.commands.pictures import Corners
from vision.images import Image
from vision.pipeline import BoardReader
from vision.turn.context import Context
from vision.turn.finding import Finding
from vision.turn.memory.belief import Belief, certain
from vision.turn.memory.decisions import decided
from vision.turn.memory.steps import assumed
from vision.turn.observe import Observation, observe


def first_look(
    reader: BoardReader, start: Board, image: Image, context: Context, corners: Corners | None = None
) -> tuple[Belief, Observation]:
    """The belief at the start, and what its picture shows: it teaches what is printed on the board.

    From one that plainly shows a play nothing is learned: it is not of the start.
    """
    before = certain(start)
    after, seen = observe(reader, before, image, context, corners)
    if seen.finding.kind == "play" and not seen.finding.needs_review:
        return before, seen
    return decided(after, start, shown=True), seen


def next_look(
    reader: BoardReader, belief: Belief, image: Image, context: Context, corners: Corners | None = None
) -> tuple[Belief, Observation]:
    """The belief after the next picture, and what was seen in it."""
    after, seen = observe(reader, belief, image, context, corners)
    return taken_for_now(after, seen.finding), seen


def taken_for_now(belief: Belief, finding: Finding) -> Belief:
    """The belief where a question is left open: what is likeliest is entered, its alternatives stay in mind."""
    if finding.needs_review and finding.kind in ("play", "removed"):
        return assumed(belief, finding.outcomes[0])
    return belief
