"""Steps from belief to belief, as pure functions.

First come the steps for looks: `take_look`, `unseen` and `assume`, then what a look teaches, and the limit on kept
looks. `decide`, the step for a decision of the table, comes last.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine import Board, Play
from engine.errors import PositionError
from vision.arrays import Floats
from vision.heights.thickness import THICKNESSES, relative_weights, thickness_evidence
from vision.hidden.bare_squares import BareSquares, plainly_bare
from vision.reading import BoardReading
from vision.turn.belief import Belief, Reference, anew
from vision.turn.candidates import board_arrays
from vision.turn.finding import Finding, Outcome
from vision.turn.look import Look, LookHistory, find_sure_heights, measure_garbled
from vision.turn.prior import FRESH, GameSettings, Gap, Pace, most_plays
from vision.turn.reasons import ENOUGH_TILES, Reason, is_about
from vision.turn.review import ReviewInput, review_look
from vision.turn.story import CertainBoard, Story, StoryModel, differing
from vision.turn.story_search import KEPT, Explained, explain
from vision.turn.withdrawn import doubt_lift, find_lift, on_squares, reminder, stands_alone, to_lift

LOOKS_BACK = 2
"""Looks, besides the newest, whose turns a later look may still revise. [by eye]"""
_UPRIGHT = 0.99
"""Probability of upright letters from which the camera's place is remembered. [by eye]"""
_MAX_LOOKS = 4
"""Looks kept while questions stay unanswered. The oldest is dropped first. [by eye]"""


def unseen(belief: Belief) -> Belief:
    """Return the belief after a picture without a board: it may have missed a turn."""
    return replace(belief, gap=replace(belief.gap, unseen=belief.gap.unseen + 1))


def assume(belief: Belief, outcome: Outcome) -> Belief:
    """Enter an outcome provisionally, since nobody answers. A later look may revise it.

    The turns of all but the last few looks become certain.
    """
    kept = belief.entered[: outcome.kept]
    now = len(belief.looks) - 1
    entered = (*kept, *((event, now) for event in outcome.changes))
    entered_now = replace(belief, entered=entered, gap=FRESH, typed=None)
    return _without_looks(entered_now, len(belief.looks) - LOOKS_BACK)


def take_look(belief: Belief, reading: BoardReading, settings: GameSettings) -> tuple[Belief, Finding]:
    """Return the belief after a look, and its finding: a certain turn, or a question.

    A certain turn counts as entered on the scoresheet; if it was not, `decide` corrects that. Tiles that came off the
    scoresheet and still lie there don't count as a turn. The table is asked about them until a look shows that they are
    gone.
    """
    belief = replace(with_room(belief), answered=FRESH)
    if reading.other_set and not belief.knowledge.other_set:
        belief = replace(belief, knowledge=replace(belief.knowledge, other_set=True))
    after, finding, table = _follow(belief, reading, settings)
    if belief.to_lift is None:
        return after, finding
    lying, lifted = find_lift(table, belief.sheet_board, belief.to_lift, finding)
    if lying is not None:
        there = anew(belief, belief.sheet_board.with_play(lying))
        seen, besides, _ = _follow(there, reading, settings)
        asked = reminder(belief.sheet_board, belief.events, lying, besides)
        if besides.kind == "none" and not besides.needs_review:
            return belief, asked
        if not stands_alone(besides, belief.sheet_board, lying, settings):
            return unseen(belief), asked
        # this play stays when the other tiles are lifted, and must not count as part of the next play
        told = Story((*belief.events, *seen.stories[0].events))
        return belief.doubting(seen.looks[-1].blank(lying.squares), (told,)), asked
    if lifted:
        return replace(after, to_lift=None), replace(finding, lifted=belief.to_lift)
    if finding.kind != "play":
        return after, finding
    look = after.looks[-1].blank(belief.to_lift.squares)
    return belief.doubting(look, (finding.outcomes[0].story,)), doubt_lift(finding, belief.to_lift)


def _follow(belief: Belief, reading: BoardReading, settings: GameSettings) -> tuple[Belief, Finding, Floats]:
    """Return the belief after a look, its finding, and its log likelihoods (n, n, 6, F).

    Tiles that came off the scoresheet are ignored.
    """
    plays = _most_plays(belief, settings)
    model, explained = _explain(belief, Look.of(reading, plays=plays), settings)
    likeliest = explained.stories[0].story.board(belief.start)
    garbled = measure_garbled(reading, belief.board, set(differing(belief.board, likeliest)))
    if garbled > 0.0:
        model, explained = _explain(belief, Look.of(reading, garbled, plays), settings)
    look, table = model.looks.looks[-1], model.looks.newest
    seen = ReviewInput(belief, explained, look, table, reading, settings)
    finding = review_look(seen)
    stories = tuple(each.story for each in explained.stories)[:KEPT]
    if finding.unexplained:
        # the picture may show another board, so this look shows neither the order of plays nor what lies there
        look, stories = look.blank(), belief.stories
    elif is_about(finding.doubt, Reason.EITHER_WAY_UP):
        look = look.blank()  # upside down, this look would describe other squares and letters
    belief = replace(belief, assumed=belief.assumed - find_sure_heights(reading, look, likeliest, belief.assumed))
    after = replace(belief, looks=(*belief.looks, look), gaps=(*belief.gaps, belief.gap), stories=stories)
    if finding.kind == "none" and not finding.needs_review:
        same = _nothing_new(belief, look)
        if not settings.watched and not belief.sheet_board.is_empty:  # a camera looks after every hand
            same = replace(same, knowledge=replace(same.knowledge, pace=same.knowledge.pace.then(0)))
        return _learn_squares(same, reading), finding, table
    if finding.needs_review or finding.kind == "unclear":
        return replace(after, gap=Gap(open=finding.needs_review, passed=belief.gap.passed)), finding, table
    entered = assume(after, finding.outcomes[0])
    if belief.doubts and seen.much_hidden:
        # the doubtful picture may show this turn, and the hand may hide the next one
        entered = replace(entered, gap=Gap(unseen=1))
    return _learn(entered, reading, len(finding.outcomes[0].changes)), finding, table


def _most_plays(belief: Belief, settings: GameSettings) -> int:
    """Return how many plays the next look may well show."""
    return most_plays(
        belief.gap,
        is_first=not belief.looks and belief.start.board.is_empty,
        pace=belief.knowledge.pace,
        watched=settings.watched,
        plays_between=settings.plays_between,
    )


def _nothing_new(belief: Belief, look: Look) -> Belief:
    """Drop the doubtful looks after a look that certainly shows the scoresheet's board.

    Remember how an empty board looks.
    """
    seen, sheet = belief.open_from, Story(belief.events)
    others = (story for story in belief.stories if len(story.events) <= len(sheet.events))
    empty = belief.start.board.is_empty and not belief.entered
    return replace(
        belief,
        looks=belief.looks[:seen],
        gaps=belief.gaps[:seen],
        gap=FRESH,
        stories=tuple(dict.fromkeys((sheet, *others))),
        reference=Reference(belief.start.board, look) if empty else belief.reference,
        typed=None,
    )


def _explain(belief: Belief, look: Look, settings: GameSettings) -> tuple[StoryModel, Explained]:
    """Return the model with one more look, and the stories that explain all looks."""
    bias = belief.reference.bias(belief.start.board) if belief.reference is not None else None
    looks = LookHistory((*belief.looks, look), (*belief.gaps, belief.gap), bias)
    known = dict.fromkeys((*belief.stories, Story(belief.events)))
    model = StoryModel(belief.start, looks, settings, belief.knowledge.pace)
    return model, explain(model, tuple(known), Story(belief.events))


def _learn(belief: Belief, reading: BoardReading, turns: int) -> Belief:
    """Return the belief with what a picture of known turns teaches about set, camera and pace."""
    heights, knowledge = board_arrays(belief.sheet_board)[0], belief.knowledge
    for square in belief.assumed:
        heights[square.row, square.col] = 0  # it teaches nothing about the tiles
    before = np.array(knowledge.thickness_weights or (0.0,) * len(THICKNESSES))
    layers = relative_weights(before + thickness_evidence(reading.elevations, reading.hidden, heights))
    camera = reading.camera if _is_upright(belief, reading) else knowledge.camera
    weights, pace = tuple(map(float, layers)), knowledge.pace.then(turns)
    learned = replace(knowledge, thickness_weights=weights, camera=camera, pace=pace)
    return _learn_squares(replace(belief, knowledge=learned), reading)


def _learn_squares(belief: Belief, reading: BoardReading) -> Belief:
    """Remember the colours of certainly bare squares, if the reading is upright."""
    board, knowledge = belief.sheet_board, belief.knowledge
    if reading.colours is None or not _is_upright(belief, reading):
        return belief
    bare = plainly_bare(reading.height_probs[..., 0], reading.ground_in_view) & (board_arrays(board)[0] == 0)
    seen = (knowledge.bare or BareSquares.unseen(board.size)).with_colours(reading.colours, bare)
    return replace(belief, knowledge=replace(knowledge, bare=seen))


def _is_upright(belief: Belief, reading: BoardReading) -> bool:
    """Return whether the letters are certainly upright, with enough tiles to show it."""
    return reading.upright > _UPRIGHT and len(tuple(belief.sheet_board.list_occupied())) >= ENOUGH_TILES


def with_room(belief: Belief) -> Belief:
    """Drop old looks to make room for one more. Outcomes of that look begin at the new start."""
    return _without_looks(belief, len(belief.looks) + 1 - _MAX_LOOKS)


def _without_looks(belief: Belief, count: int) -> Belief:
    """Drop the `count` oldest looks. The events that they showed become certain.

    Dropped looks after the last of these events may show plays that are still in doubt. They widen the gap.
    """
    if count <= 0:
        return belief
    past = tuple(event for event, at in belief.entered if at < count)
    open_from = belief.entered[len(past) - 1][1] + 1 if past else 0
    boards = Story(past).boards(belief.start)
    last = past[-1] if past else belief.start.last_play
    stories = [Story(s.events[len(past) :]) for s in belief.stories if s.events[: len(past)] == past]
    kept = tuple((event, at - count) for event, at in belief.entered[len(past) :])
    gaps = belief.gaps[count:]
    if gaps:
        united = belief.gaps[open_from : count + 1]
        merged = count - open_from + sum(gap.merged for gap in united)
        unnoticed, rested = sum(gap.unseen for gap in united), max(gap.rested for gap in united)
        gaps = (replace(gaps[0], unseen=unnoticed, merged=merged, rested=rested), *gaps[1:])
    sheet = Story(tuple(event for event, _ in kept))
    return replace(
        belief,
        start=CertainBoard(boards[-1], last),
        entered=kept,
        looks=belief.looks[count:],
        gaps=gaps,
        stories=tuple(dict.fromkeys(stories)) or (sheet,),
        reference=belief.choose_reference(boards[-1], belief.looks[open_from - 1]) if past else belief.reference,
    )


def decide(belief: Belief, board: Board, last_play: Play | None = None, *, shown: bool) -> Belief:
    """Return the belief after the table decided that this board lies there.

    With `shown`, the newest look shows this board: the table answered a question about it. Otherwise tiles that come
    off the scoresheet may still lie there, and the doubts of earlier looks remain.
    """
    after = _decide(belief, board, last_play, shown=shown)
    pace = _pace(belief, after, last_play, shown=shown)
    return replace(after, knowledge=replace(after.knowledge, pace=pace))


def _decide(belief: Belief, board: Board, last_play: Play | None, *, shown: bool) -> Belief:
    lift = to_lift(belief.board_with_tiles_to_lift(), board)
    after = replace(anew(belief, board, last_play), to_lift=lift)
    # the likeliest story may go on after it reaches this board
    if not shown or board in belief.stories[0].boards(belief.start)[len(belief.entered) + 1 : -1]:
        entered = _is_entered(belief.sheet_board, board, last_play)
        typed = last_play if entered and not shown else None
        return _still_in_doubt(belief, replace(after, typed=typed), entered=entered)
    if lift is not None:
        # the answer says what was played; only a look can show that these tiles are off the board
        after = replace(after, to_lift=on_squares(lift, belief.to_lift))
    return replace(after, reference=belief.choose_reference(board, belief.looks[-1])) if belief.looks else after


def _pace(belief: Belief, after: Belief, last_play: Play | None, *, shown: bool) -> Pace:
    """Return how often the table forgets to photograph a turn, after a decision that led to the belief `after`.

    If several turns are entered by hand after a picture in doubt, the picture shows one and the others were missed.
    Turns entered without such a picture don't count, since a table may like to enter turns by hand.
    """
    pace, board = belief.knowledge.pace, after.sheet_board
    if shown:
        stories = (story for story in belief.stories if story.board(belief.start) == board)
        new = (story.events[len(belief.entered) :] for story in stories)
        turns = next((len(events) for events in new if events and None not in events), 0)
        return pace.then(turns) if turns else pace
    pictured = belief.in_doubt or not belief.answered.is_fresh
    if not pictured or belief.to_lift is not None or not _is_entered(belief.sheet_board, board, last_play):
        return pace
    settled = belief.in_doubt and not after.in_doubt
    return pace.then(1) if settled else replace(pace, missed=pace.missed + 1)


def _still_in_doubt(belief: Belief, after: Belief, *, entered: bool) -> Belief:
    """Return the belief `after` a decision that the newest look does not show. The doubts of earlier looks remain.

    An `entered` play settles one doubt, unless the looks show more than that play. The doubt returns once the play
    comes off again. Looks that show tiles to lift are dropped, since those tiles would count as plays. The gap then
    records that a turn may have been missed.
    """
    looks, gaps, board = belief.looks[belief.open_from :], belief.gaps[belief.open_from :], after.start.board
    if not belief.in_doubt:
        return after if after.to_lift is None else replace(after, gap=belief.answered)
    if board == belief.board_with_tiles_to_lift() != belief.sheet_board:
        return replace(after, gap=belief.gap)  # the tiles that came off are back, which removes no doubt
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
        return replace(after, gap=Gap(unseen=max(1, was.unseen, now.unseen), passed=max(was.passed, now.passed)))
    return replace(after, looks=looks, gaps=gaps, gap=belief.gap)


def _is_entered(sheet: Board, board: Board, last_play: Play | None) -> bool:
    """Return whether the last play alone turns the scoresheet's board into this one."""
    if last_play is None:
        return False
    try:
        return sheet.with_play(last_play) == board
    except PositionError:
        return False
