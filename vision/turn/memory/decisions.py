"""How a decision of the table changes what is believed of a game."""

from __future__ import annotations

from dataclasses import replace

from engine.board import Board
from engine.errors import PositionError
from engine.play import Play
from vision.turn.inference.prior import Gap
from vision.turn.inference.story import differing
from vision.turn.memory.belief import Belief, anew
from vision.turn.withdrawn import on_squares, to_lift, with_withdrawn


def decided(belief: Belief, board: Board, last_play: Play | None = None, *, shown: bool) -> Belief:
    """The belief after a decision of the table: this board lies there.

    `shown` says that it is what the newest look shows, as an answer to a question about it does. Where nothing shows
    it, tiles that come off the scoresheet may still lie there, and what looks left in doubt stays so.
    """
    if shown and (turns := _turns_shown(belief, board)):
        knowledge = replace(belief.knowledge, pace=belief.knowledge.pace.then(turns))
        belief = replace(belief, knowledge=knowledge)
    lying = with_withdrawn(belief.sheet_board, belief.to_lift)
    lift = to_lift(lying, board)
    after = replace(anew(belief, board, last_play), to_lift=lift)
    if not shown or _goes_further(belief, board):
        entered = _is_entered(belief.sheet_board, board, last_play)
        typed = last_play if entered and not shown else None
        return _still_in_doubt(belief, replace(after, typed=typed), entered=entered)
    if lift is not None:
        # the answer tells of what was played; whether these tiles are off the board only a look that shows it
        after = replace(after, to_lift=on_squares(lift, belief.to_lift))
    return replace(after, reference=belief.referred(board, belief.looks[-1])) if belief.looks else after


def _turns_shown(belief: Belief, board: Board) -> int:
    """Return how many turns lie between the scoresheet's board and this one; 0 where no story tells."""
    for story in belief.stories:
        new = story.events[len(belief.entered) :]
        if new and None not in new and story.board(belief.start) == board:
            return len(new)
    return 0


def _goes_further(belief: Belief, board: Board) -> bool:
    """Whether the looks show that more was played after it came to this board."""
    return board in belief.stories[0].boards(belief.start)[len(belief.entered) + 1 : -1]


def _still_in_doubt(belief: Belief, after: Belief, *, entered: bool) -> Belief:
    """The belief `after` a decision that the newest look does not show, with what looks had left in doubt.

    A play that is `entered` answers one of them, unless they show more than that play; it answers none once it comes
    off again. Looks that show tiles to lift cannot be kept, since those would pass for plays: a turn may have been
    made that nobody saw.
    """
    looks, gaps, board = belief.looks[belief.open_from :], belief.gaps[belief.open_from :], after.start.board
    if not belief.in_doubt:
        return after if after.to_lift is None else replace(after, gap=belief.answered)
    if board == with_withdrawn(belief.sheet_board, belief.to_lift) != belief.sheet_board:
        return replace(after, gap=belief.gap)  # what came off is back, which answers nothing
    if entered:
        likeliest, here = ({*differing(belief.sheet_board, other)} for other in (belief.board, board))
        more = likeliest - here
        beyond = belief.board != board and belief.board.lies_on(board)
        if not looks or not (beyond or (more and looks[-1].shows(more))):
            others = 0 if looks else max(belief.gap.unseen - 1, 0)
            return replace(after, gap=Gap(unseen=others), answered=belief.gap)
        gaps = (Gap(open=True), *gaps[1:])
    elif after.to_lift is not None:
        was, now = belief.answered, belief.gap
        return replace(
            after, gap=Gap(unseen=max(1, was.unseen, now.unseen), passed=max(was.passed, now.passed))
        )
    return replace(after, looks=looks, gaps=gaps, gap=belief.gap)


def _is_entered(sheet: Board, board: Board, last_play: Play | None) -> bool:
    """Whether the last play was put on the scoresheet's board, and nothing else was changed to come to this one."""
    if last_play is None:
        return False
    try:
        return sheet.with_play(last_play) == board
    except PositionError:
        return False
