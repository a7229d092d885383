"""The review of a look: whether its turn is entered or the table is asked, why, and with which answers.

`review_look` decides what kind of finding a look makes. `_reason` and `_doubt` list every reason to ask, in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine import MAX_HEIGHT, Board, PlacedTile, Play, Square, Verdict, square_name
from engine.squares import square_names
from engine.wording import number_word
from vision.arrays import Floats
from vision.board.grid_doubt import SPOILED, GridDoubt
from vision.reading import BoardReading
from vision.turn.alternatives import HeightDoubt, find_mistyped, higher_neighbour, legal_ways, other_height, with_tile
from vision.turn.belief import Belief
from vision.turn.finding import (
    Finding,
    Outcome,
    ask_way_up,
    breaks_a_rule,
    choose_offered,
    deciding_square,
    find_knocked_off,
    measure_agreement,
    outcomes_of,
    question_at,
    share_of_play,
    sheet_first,
    shows_more_tiles,
)
from vision.turn.look import PLACE_OUTSIDE, Look, find_sure_heights, still_there
from vision.turn.prior import MOST_PLAYS, GameSettings
from vision.turn.reasons import ENOUGH_TILES, GUESS, HIDDEN, MANY_HIDDEN, PLACE_KNOWN, SURE, Doubt, Reason, grid_doubt
from vision.turn.story import Story, differing, state_of
from vision.turn.story_search import Explained

_SURE_OF_TWO = 0.98
"""Confidence from which two plays, one for each of two looks, are taken if every way to them was weighed: in 55 games
(the development sets, own2612, own2613, traced2811) all 16 from here on were right, and all 7 from 0.9 on; in 48 others
all 3 from 0.96 on, and in 8 more (path traced, seed 3491) one at 0.971 was wrong: a buried letter was never seen.
[by hand, sets]"""
_SURE_OF_BOARD = 7.0
"""Log odds of a board in a single look, against that with a play fewer and that with a play more, from which it lay so.
Without this rule, four clear plays of dev00 waited in one question until the film's end. [by eye]"""
SURE_OF_REMOVAL = 0.99
"""Confidence from which tiles are believed to have been taken back: points off a sheet need more. [by eye]"""
_SURE_OF_ONE_TURN = 0.99
"""Confidence that no turn was missed besides the one found, be it under its tiles or out of sight. At 0.985, one more
of 402 pictures with a turn that nobody photographed is wrong in silence, and five fewer of 574 others are asked about.
[by hand, dev and seed 301131]"""
SURE_OF_NO_WORD = 0.97
"""Confidence from which a play with a word that is in no list is taken. [by eye]"""
SURE_AFTER_DOUBT = 0.995
"""Confidence needed after a picture in doubt or without a board, where two turns may look like one. Of eight such plays
in simulated games, each a turn later, seven were wrong at confidences of 0.85 to 0.99. [by hand, sets]"""
_MIN_PLAYS_SHARE = 0.1
"""Share of all plays together from which it is asked which was played, where likelier nothing was. [by eye]"""
_LETTER_IN_SIGHT = 0.35
"""How far a letter must be seen (`Look.legible`) for its tile to be in sight: letters of which nearer stacks hide more
than 0.79 aren't. [by eye]"""
_LETTER_READ = 0.2
"""Probability of a letter, by a look at its face alone, from which that look has read it. Below, the words alone choose
the letter. Of dev's 409 photographs no other is asked about. [by hand, dev]"""
_SURE_OF_WAY_UP = 0.8
"""Probability that the letters stand the right way up from which that is believed, where no letters are known yet. Of
78 boards with their first word (the development sets, seven sets of rendered games) NOSH gave least, 0.88, except for
one of which a part was out of sight, 0.42; words that are words on their heads, too, as ON and OH, give 0.5. [by hand,
sets]
"""


@dataclass(frozen=True)
class ReviewInput:
    """The input of a review.

    Attributes:
        belief: the belief before the newest look.
        explained: the stories that explain the looks.
        look: the newest look.
        table: (n, n, 6, F) its log likelihood, less the bias of earlier looks.
        reading: the reading behind the newest look.
        settings: edition, words and rules.
    """

    belief: Belief
    explained: Explained
    look: Look
    table: Floats
    reading: BoardReading
    settings: GameSettings

    @property
    def much_hidden(self) -> bool:
        """True if so much is hidden or missing in the picture that a turn may be overlooked."""
        under_a_hand = int((self.reading.under_hand > HIDDEN).sum()) >= MANY_HIDDEN
        return under_a_hand or self.reading.grid_doubt in SPOILED


def review_look(seen: ReviewInput) -> Finding:
    """Return the finding of the newest look, and whether to ask about it."""
    finding = _find_change(seen)
    if not _is_all_print(seen, finding):
        return finding
    return Finding.unclear(grid_doubt(GridDoubt.UNLETTERED), seen.belief.sheet_board)


def _find_change(seen: ReviewInput) -> Finding:
    total = seen.explained.total
    outcomes = sheet_first(outcomes_of(seen.explained.stories, seen.belief.events, total), seen.belief.start)
    best, board = outcomes[0], outcomes[0].story.board(seen.belief.start)
    missing = find_knocked_off(seen.table, board)
    if float(np.exp(seen.explained.unexplained - total)) > best.share or _has_too_many_plays(seen, best, board):
        unclear = _unclear(seen, outcomes, missing or Doubt(Reason.INEXPLICABLE))
        return replace(unclear, before=board, unexplained=True)
    if missing is not None and not seen.much_hidden:
        return _ask_about_missing(seen, outcomes, missing)
    if board == seen.belief.sheet_board and None not in best.changes:
        return _report_unchanged(seen, outcomes)
    found = _find(seen, outcomes)
    doubt = _reason(seen, found)
    if doubt is None:
        return found
    hidden = (found.confidence < GUESS or found.kind == "removed") and seen.much_hidden
    if hidden or doubt.reason is Reason.PASSED:
        return _unclear(seen, outcomes, what_hides(seen.reading) if hidden else doubt)
    return _ask(seen, found, doubt)


def _has_too_many_plays(seen: ReviewInput, best: Outcome, board: Board) -> bool:
    """Return whether a tile is left over on a bare square after as many plays as are thought of between the looks."""
    plays = sum(event is not None for event in best.changes)
    blank = sum(look.is_blank for look in seen.belief.open_looks)
    return plays >= MOST_PLAYS * (seen.belief.doubts - blank + 1) and shows_more_tiles(seen.table, board)


def _is_all_print(seen: ReviewInput, found: Finding) -> bool:
    """Return whether print on an empty board passes for a play: more tiles than a rack holds, none of them plain."""
    rack, plays = seen.settings.edition.rack_size, [play for best in found.outcomes[:1] for play in best.events if play]
    if not seen.belief.sheet_board.is_empty or all(len(play.tiles) <= rack for play in plays):
        return False
    # not `confidence`: a doubt about the grid, or about which way is up, makes no tile look printed
    plain = seen.reading.height_probs.max(axis=-1) * seen.reading.face_probs.max(axis=-1)
    return not bool((plain[seen.reading.heights() > 0] > SURE).any())


def _offer(seen: ReviewInput, outcomes: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
    return choose_offered(outcomes, seen.belief.start, seen.settings)


def _unclear(seen: ReviewInput, outcomes: tuple[Outcome, ...], doubt: Doubt) -> Finding:
    """Return the finding that it isn't clear what was played.

    Its answers are the plays that are possible. A spoiled picture, which shows next to nothing, has no answers.
    """
    spoiled = seen.reading.grid_doubt in SPOILED
    answers = () if spoiled else tuple(o for o in _offer(seen, outcomes) if None not in o.changes)
    return Finding.unclear(doubt, seen.belief.sheet_board, answers)


def what_hides(reading: BoardReading) -> Doubt:
    """Say why the turn is hidden: usually by a hand, otherwise because the picture is bad or cuts it off."""
    if reading.grid_doubt is not None and reading.grid_doubt in SPOILED:
        return grid_doubt(reading.grid_doubt)
    cut_off, hidden = reading.cut_off, reading.under_hand > HIDDEN
    if cut_off is not None and 2 * int((hidden & cut_off.squares).sum()) > int(hidden.sum()):
        return Doubt(Reason.CUT_OFF, (cut_off.text(),))
    return Doubt(Reason.HAND)


def _find(seen: ReviewInput, outcomes: tuple[Outcome, ...]) -> Finding:
    """Return the likeliest outcome as a finding without a question."""
    best = outcomes[0]
    boards = best.story.boards(seen.belief.start)
    if best.changes == (None,) and not best.revises:
        gone = best.story.last_play(seen.belief.start)
        found = Finding.removed(outcomes, boards[-2], gone)
    else:
        before = boards[-2] if len(boards) > 1 else boards[-1]
        last = best.events[-1] if best.events else None
        found = Finding.played(outcomes, before, last)
    share = share_of_play(found, outcomes, seen.belief.start, seen.settings)
    weighed = replace(found, confidence=measure_agreement(found, seen.belief.start, seen.settings), play_share=share)
    return replace(weighed, doubt=_doubt(seen, weighed))


def _ask(seen: ReviewInput, found: Finding, doubt: Doubt) -> Finding:
    """Return the finding with its question and the answers to it."""
    answers = _offer(seen, found.outcomes)
    reason = doubt.reason
    by_letter = found.kind == "play" and reason in (Reason.DOUBT, Reason.PLAYED_AT)
    square = deciding_square(answers) if by_letter else None
    if square is not None:
        doubt = question_at(answers, square)
    elif reason is Reason.DOUBT and _one_or_two(answers):
        doubt = Doubt(Reason.ONE_OR_TWO if seen.belief.in_doubt else Reason.MISSED)
    elif reason is Reason.PLAYED_AT and (unseen := _unseen_tile(seen, found)) is not None:
        square = unseen.square
    elif (higher := _higher(seen, found)) is not None and doubt == higher.doubt:
        square = higher.square
        if higher.by_one:
            answers = (*answers, with_tile(seen.table, answers[0], found.before, square))
    elif reason is Reason.TYPED and (other := _find_mistyped(seen, found)) is not None:
        answers = (*answers[:1], other, *answers[1:])
    elif reason is Reason.SEVERAL and _orders_differ(answers):
        doubt = replace(doubt, reason=Reason.WHICH_FIRST)
    elif reason is Reason.EITHER_WAY_UP:
        return ask_way_up(replace(found, outcomes=answers), seen.reading.upright)
    return replace(found, outcomes=answers, needs_review=True, square=square, reason=doubt)


def _one_or_two(answers: tuple[Outcome, ...]) -> bool:
    """Return whether the likeliest answer is one play, and the next answer has a turn more."""
    return len(answers) > 1 and len(answers[0].changes) == 1 and answers[1].turns > answers[0].turns


def _orders_differ(answers: tuple[Outcome, ...]) -> bool:
    """Return whether another answer has the plays of the likeliest one on the same squares, in another order."""
    best, *others = ([play and frozenset(play.squares) for play in answer.changes] for answer in answers)
    return any(other != best and Counter(other) == Counter(best) for other in others)


def _several(seen: ReviewInput, plays: int) -> Doubt:
    """Return the question about several plays at once. A turn was missed if the pictures so far would show fewer."""
    expected = seen.settings.plays_between * (seen.belief.doubts + 1)
    return Doubt(Reason.TWO if plays <= expected else Reason.SEVERAL, (number_word(plays),))


def _reason(seen: ReviewInput, found: Finding) -> Doubt | None:
    """Return the first reason that holds to ask about a turn; None if it can be entered."""
    best = found.outcomes[0]
    if best.revises:
        return Doubt(Reason.REVISED)
    if seen.belief.gap.passed and found.kind == "play":
        return Doubt(Reason.PASSED)
    if len(best.changes) > 1:
        certain = _one_a_look(seen, found) or _were_seen_one_by_one(seen, found)
        several = None if certain else _several(seen, len(best.changes))
        return Doubt(Reason.AGAIN) if None in best.changes else several
    if found.kind == "removed":
        known = _is_anchored(seen, found) and seen.reading.grid_doubt is not GridDoubt.FAINT
        return None if known and found.confidence >= SURE_OF_REMOVAL else Doubt(Reason.BACK)
    assert found.play is not None
    verdict = seen.settings.verdict(found.before, found.play)
    fouls = [violation for violation in verdict.violations if not violation.of_words]
    if fouls:
        return Doubt(Reason.RULE, (fouls[0].text,))
    return found.doubt


def _doubt(seen: ReviewInput, found: Finding) -> Doubt | None:
    """Return the doubt that the picture leaves about a play, apart from the rules; None if there is none."""
    if found.kind != "play" or found.play is None:
        return None
    verdict, doubt = seen.settings.verdict(found.before, found.play), seen.reading.grid_doubt
    if doubt is not None and (doubt is GridDoubt.FAINT or not _is_anchored(seen, found)):
        return Doubt(Reason.BORDER) if doubt is GridDoubt.BORDER else grid_doubt(doubt)
    if not _stands_upright(seen, found):
        return Doubt(Reason.EITHER_WAY_UP)
    after = found.before.with_play(found.play)
    height = _odd_height(seen, found, (found.before, after), (found.play,))
    if height is not None:
        return height.doubt
    if _find_mistyped(seen, found) is not None:
        return Doubt(Reason.TYPED)
    if (unseen := _unseen_tile(seen, found)) is not None:
        return Doubt(Reason.PLAYED_AT, (unseen.face, square_name(unseen.square)))
    if seen.belief.in_doubt:
        # an unseen turn is likelier than an illegal play: two turns together look like one
        return Doubt(Reason.DOUBT) if found.confidence < SURE_AFTER_DOUBT or not verdict.legal else None
    if (missed := _find_missed(seen, found)) is not None:
        return missed
    if not verdict.legal and _leaves_picture(seen.reading, verdict):
        return Doubt(Reason.OUT_OF_SIGHT)  # a letter that would make it a word may be out of the picture
    demanded = SURE if verdict.legal and seen.settings.lexicon is not None else SURE_OF_NO_WORD
    return None if found.confidence >= demanded else Doubt(Reason.DOUBT)


def _leaves_picture(reading: BoardReading, verdict: Verdict) -> bool:
    """Return whether a stack in the words of a play would leave the picture if it were higher than it is read."""
    outside = reading.outside_above(MAX_HEIGHT)
    least = PLACE_OUTSIDE[0][0]
    return any(outside[square.row, square.col] > least for word in verdict.words for square in word.squares)


def _find_missed(seen: ReviewInput, found: Finding) -> Doubt | None:
    """Return the question about another turn that no picture shows; None if it is unlikely."""
    more_turns = sum(outcome.share for outcome in found.outcomes if outcome.turns > found.outcomes[0].turns)
    out_of_sight = float(np.exp(seen.explained.out_of_sight - seen.explained.total))
    if more_turns + out_of_sight <= 1.0 - _SURE_OF_ONE_TURN:
        return None
    return Doubt(Reason.MISSED if more_turns > out_of_sight else Reason.OUT_OF_SIGHT)


def _unseen_tile(seen: ReviewInput, found: Finding) -> PlacedTile | None:
    """Return a tile of the play whose letter no look has shown. That a word fits doesn't mean that it was played."""
    return None if found.play is None else _unseen_of(seen, (found.before, found.board), (found.play,))


def _unseen_of(seen: ReviewInput, boards: Sequence[Board], plays: Sequence[Play]) -> PlacedTile | None:
    """Return a tile of the plays whose letter isn't in sight in any look that shows a tile there.

    `boards` are those before each play, and the last one.
    """
    looks = (seen.look, *seen.belief.open_looks)
    for before, play, after in zip(boards, plays, boards[1:], strict=False):
        for tile in play.tiles:
            at = tile.square.row, tile.square.col
            was, now = state_of(before, tile.square), state_of(after, tile.square)
            if not any(
                look.legible[at] >= _LETTER_IN_SIGHT
                and look.face_probs[at][now[1]] >= _LETTER_READ
                and look.table[at][now] > look.table[at][was]
                for look in looks
            ):
                return tile
    return None


def _odd_height(
    seen: ReviewInput, found: Finding, boards: Sequence[Board], plays: Sequence[Play]
) -> HeightDoubt | None:
    """Return a stack that the plays lay or count and that doesn't look as high as they leave it.

    `boards` are those before each play, and the last one. A game that began from a photograph may count a stack that
    was misread then. If that photograph left it in doubt, a look must be sure of it.
    """
    played = [square for play in plays for square in play.squares]
    verdicts = [seen.settings.verdict(before, play) for before, play in zip(boards, plays, strict=False)]
    counted = sorted({square for verdict in verdicts for word in verdict.words for square in word.squares})
    return (
        _find_assumed(seen, boards[-1], counted)
        or other_height(seen.table, boards[-1], played)
        or _higher(seen, found)
        or other_height(seen.table, boards[-1], counted, Reason.COUNTED_HEIGHT)
    )


def _find_assumed(seen: ReviewInput, after: Board, counted: Sequence[Square]) -> HeightDoubt | None:
    """Return the question about `counted` stacks whose height is assumed and that this look doesn't surely show.

    What earlier looks favoured isn't subtracted from it, since that takes the assumed heights for the true ones.
    """
    assumed = [square for square in counted if square in seen.belief.assumed]
    surely = find_sure_heights(seen.reading, seen.look, after, assumed)
    unsure = [square for square in assumed if square not in surely]
    if not unsure:
        return None
    open_stack = HeightDoubt(unsure[0], Doubt(Reason.OPEN_STACK, (square_names(unsure),)))
    return other_height(seen.look.table, after, unsure, Reason.COUNTED_HEIGHT) or open_stack


def _higher(seen: ReviewInput, found: Finding) -> HeightDoubt | None:
    """Return the stack beside the play that looks higher than before."""
    return None if found.play is None else higher_neighbour(seen.table, found.before, found.play)


def _find_mistyped(seen: ReviewInput, found: Finding) -> Outcome | None:
    """Return the outcome in which the play entered by hand had other letters."""
    typed = seen.belief.typed
    return None if typed is None else find_mistyped(seen.table, found.outcomes[0], found.before, typed)


def _one_a_look(seen: ReviewInput, found: Finding) -> bool:
    """Return whether two plays are certain, one for this look and one for the only doubtful look before it.

    They are certain only if all other ways to lay these tiles were weighed, too.
    """
    best, play, one_doubt = found.outcomes[0], found.play, seen.belief.gap.open and seen.belief.doubts == 1
    if play is None or found.confidence < _SURE_OF_TWO or not one_doubt or seen.reading.grid_doubt is not None:
        return False
    first, *more = best.changes
    if first is None or more != [play] or seen.settings.lexicon is None or not _stands_upright(seen, found):
        return False
    boards = best.story.boards(seen.belief.start)
    if _odd_height(seen, found, boards[-3:], (first, play)) is not None:
        return False
    if _unseen_of(seen, boards[-3:], (first, play)) is not None:
        return False
    covered = {*first.squares} & {*play.squares}
    if not all(any(look.legible[s.row, s.col] >= PLACE_KNOWN for look in seen.belief.open_looks) for s in covered):
        return False  # no look showed the letters under the second play
    ways = legal_ways(boards[-3], first, play, seen.settings)
    known = {outcome.story for outcome in found.outcomes} | seen.explained.ruled_out
    return best.changes in ways and all(Story((*best.events[:-2], *way)) in known for way in ways)


def _were_seen_one_by_one(seen: ReviewInput, found: Finding) -> bool:
    """Return whether a watching camera saw each of several plays before the next, as while a question waits.

    Then it is known which came first, and that they weren't one play.
    """
    if not seen.settings.watched or not seen.belief.gap.open or found.confidence < _SURE_OF_TWO:
        return False
    if seen.reading.grid_doubt is not None or seen.settings.lexicon is None or not _stands_upright(seen, found):
        return False
    best = found.outcomes[0]
    boards = best.story.boards(seen.belief.start)[-len(best.changes) - 1 :]
    plays = [play for play in best.changes if play is not None]
    verdicts = map(seen.settings.verdict, boards, plays)
    if len(plays) < len(best.changes) or not all(verdict.legal for verdict in verdicts):
        return False
    if _odd_height(seen, found, boards, plays) is not None:
        return False
    if _unseen_of(seen, boards, plays) is not None:
        return False
    looks = iter(seen.belief.open_looks)  # each play was seen after the one before it
    return all(
        any(min(_favour(look, at, before), _favour(look, at, after)) > _SURE_OF_BOARD for look in looks)
        for before, at, after in zip(boards, boards[1:], boards[2:], strict=False)
    )


def _favour(look: Look, board: Board, other: Board) -> float:
    """Return the log likelihood of a board in a look, less that of the other, by the squares on which they differ."""
    squares = differing(board, other)
    return sum(
        float(look.table[square.row, square.col][state_of(board, square)])
        - float(look.table[square.row, square.col][state_of(other, square)])
        for square in squares
    )


def _stands_upright(seen: ReviewInput, found: Finding) -> bool:
    """Return whether it is known which way is up, from the letters or from tiles on the scoresheet."""
    if seen.reading.upright >= _SURE_OF_WAY_UP or found.play is None:
        return True
    return still_there(seen.reading, seen.belief.sheet_board, found.play) >= ENOUGH_TILES


def _report_unchanged(seen: ReviewInput, outcomes: tuple[Outcome, ...]) -> Finding:
    """Return the finding that nothing new lies there, or the question about whether something does.

    The order in which the tiles were laid does not matter.
    """
    board = seen.belief.sheet_board
    if seen.much_hidden:
        return _unclear(seen, outcomes, what_hides(seen.reading))
    same = sum(o.share for o in outcomes if o.story.board(seen.belief.start) == board)
    washed_out = seen.reading.said_doubt is GridDoubt.UNLETTERED  # it has tiles, but hardly a legible letter
    if same >= SURE and not washed_out:
        return Finding.unchanged(board, same, outcomes)
    unsure = grid_doubt(GridDoubt.UNLETTERED) if washed_out else Doubt(Reason.NOTHING_SURE)
    plays = tuple(o for o in outcomes if o.changes and o.changes[-1] and o.story.board(seen.belief.start) != board)
    if sum(o.share for o in plays) > _MIN_PLAYS_SHARE:
        answers = _offer(seen, plays)
        before, play = answers[0].story.boards(seen.belief.start)[-2], answers[0].changes[-1]
        return Finding.played(answers, before, play, unsure)
    return Finding.unchanged(board, same, _offer(seen, outcomes), unsure)


def _ask_about_missing(seen: ReviewInput, outcomes: tuple[Outcome, ...], missing: Doubt) -> Finding:
    """Return the question about missing tiles. If plays were made as well, they are its answers."""
    foul = breaks_a_rule(outcomes[0], seen.belief.start, seen.settings)
    answers = tuple(o for o in _offer(seen, outcomes) if o.changes and None not in o.changes)
    doubt = Doubt(Reason.INEXPLICABLE) if foul else missing
    return replace(Finding.unclear(doubt, seen.belief.sheet_board, answers), unexplained=True)


def _is_anchored(seen: ReviewInput, found: Finding) -> bool:
    """Return whether the picture certainly shows this game's board: other tiles lie as before."""
    return found.play is not None and still_there(seen.reading, found.before, found.play) >= ENOUGH_TILES
