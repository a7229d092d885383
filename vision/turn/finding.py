"""The finding of a look: what may have happened, as changes of the scoresheet, and whether to ask the table.

`Outcome` and `Finding` come first. The functions below weigh and order outcomes. Then come the questions to the table:
the answers worth offering, whole turns with the likeliest first, and the texts about squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from typing import Literal

import numpy as np

from engine import Board, PlacedTile, Play, Revision, Square, Violation, square_name
from engine.faces import HALF_TURNED
from engine.squares import square_names
from engine.wording import phrase
from vision.arrays import Floats
from vision.hidden.occlusion import VISIBLE, measure_hidden_by
from vision.reading import BoardReading
from vision.turn.candidates import board_arrays
from vision.turn.prior import GameSettings
from vision.turn.reasons import Doubt, Reason, is_about
from vision.turn.story import CertainBoard, Event, Story, WeighedStory, without_tries

Kind = Literal["play", "none", "removed", "unclear"]
Retake = Literal["", "hand", "side"]
"""How to photograph again, so that more is seen: without the hand or glare, from another side, or "" for neither."""

_KEEP_SHEET_RATIO = 0.1
"""Keep the scoresheet's story if it is at least this likely, relative to the best. [by eye]"""


@dataclass(frozen=True)
class Outcome:
    """One explanation of the looks, as the scoresheet would have it.

    Attributes:
        story: all events since the certain board.
        kept: how many events on the scoresheet since then agree with the first events of the story.
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
        """The changes that it makes on the scoresheet."""
        return Revision(self.changes, self.replaces)

    @property
    def play(self) -> Play | None:
        """The last play that it changes on the scoresheet; None if tiles were taken back last."""
        return self.changes[-1] if self.changes else None

    def face_at(self, square: Square | None) -> str:
        """Return the last face that it puts on a square, "" if it puts none there."""
        plays = [event for event in reversed(self.events) if event is not None]
        return next((tile.face for play in plays for tile in play.tiles if tile.square == square), "")

    @property
    def turns(self) -> int:
        """The number of turns in its events. A play that was taken back isn't a turn, since its player plays again."""
        return sum(1 if event is not None else -1 for event in self.events)

    @property
    def revises(self) -> bool:
        """True if it replaces an event on the scoresheet."""
        return self.replaces > 0


@dataclass(frozen=True)
class Finding:
    """The result of a photograph, or of a look.

    Attributes:
        kind: "play", "none" (nothing changed), "removed" (tiles were taken back) or "unclear".
        outcomes: what may have happened, likeliest first.
        confidence: probability of the first outcome.
        needs_review: whether to ask the table; when False, the turn is right.
        square: the one square whose letter decides between the outcomes, if there is one.
        reason: why the table is asked.
        before: the board under the play, or under the tiles that were taken back.
        play: the tiles of the last event, or those taken back; None for "none" and "unclear".
        unexplained: whether more has changed than turns can explain.
        play_share: probability of the last play and its points, in whichever turn it was made; 0 if there is none.
        doubt: what is doubtful about the play in the picture itself, apart from the rules.
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
        """Return the finding that nothing new lies on the scoresheet's board. With a `reason`, the table is asked."""
        return cls("none", outcomes, confidence, reason is not None, None, reason, board, None)

    @classmethod
    def unclear(cls, doubt: Doubt, board: Board, outcomes: tuple[Outcome, ...] = ()) -> Finding:
        """Return the finding that it isn't clear what was played. The `outcomes` are possible plays."""
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

    `total` is the log probability of all explanations together. Tiles that were laid and taken back before anything was
    entered don't count.
    """
    shares: dict[Story, float] = {}
    for each in stories:
        story = without_tries(each.story, len(entered))
        shares[story] = shares.get(story, 0.0) + float(np.exp(each.log - total))
    ranked = sorted(shares, key=lambda story: -shares[story])
    same = {story: _alike(story.events, entered) for story in ranked}
    return tuple(Outcome(story, same[story], len(entered) - same[story], shares[story]) for story in ranked)


def _alike(events: Sequence[Event], entered: Sequence[Event]) -> int:
    """Return how many events at the beginning of both are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(events, entered, strict=False)))


def share_of_play(found: Finding, outcomes: tuple[Outcome, ...], start: CertainBoard, settings: GameSettings) -> float:
    """Return the probability that the last play is the one found, for the same points.

    The `outcomes` begin at `start`. The result is 0 if the finding is no play.
    """
    play = found.play
    if play is None or found.kind != "play":
        return 0.0
    points, total = settings.verdict(found.before, play).points, 0.0
    for outcome in outcomes:
        if outcome.events[-1:] == (play,):
            before = Story(outcome.events[:-1]).board(start)
            same = before == found.before or settings.verdict(before, play).points == points
            total += outcome.share if same else 0.0
    return total


def measure_agreement(found: Finding, start: CertainBoard, settings: GameSettings) -> float:
    """Return the probability of the newest turn in the best outcome, whatever happened before it.

    A play must score the same points. Taking tiles back must leave the same board.
    """
    best, play = found.outcomes[0], found.play
    if found.kind == "removed":
        left = best.story.board(start)
        return sum(o.share for o in found.outcomes if None in o.events and o.story.board(start) == left)
    if len(best.changes) - best.replaces > 1 or play is None:
        return best.share
    same_turn = tuple(outcome for outcome in found.outcomes if outcome.turns == best.turns)
    return share_of_play(found, same_turn, start, settings)


def share_in_sight(outcomes: tuple[Outcome, ...], start: CertainBoard, board: Board) -> float:
    """Return the probability that the stacks have the heights and top letters of a board, whatever lies buried."""
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


_MIN_SHARE = 0.0005
"""Share from which an outcome is worth an answer. [by eye]"""
MAX_ANSWERS = 6
"""Answers that a phone shows without scrolling. [by eye]"""
_MIN_BLUFF_SHARE = 0.02
"""Share from which a turn with a word that is in no list is worth an answer. [by eye]"""
_MAX_KNOCKED = 3
"""Squares with missing tiles up to which they were knocked off. If more are missing, the board was cleared. [by eye]"""
_GONE_LOG_ODDS = 5.0
"""Log odds from which a stack counts as lower than it was, and a tile as put on a bare square. [by eye]"""


def choose_offered(outcomes: tuple[Outcome, ...], start: CertainBoard, settings: GameSettings) -> tuple[Outcome, ...]:
    """Return the outcomes that are worth an answer, at least the best one.

    A turn that breaks a rule of placing is offered only if it is the likeliest. Among turns with a word in no list,
    only the likelier ones are offered. A turn that was taken back long ago isn't, since nobody would have forgotten
    that.
    """
    worth = [o for o in outcomes[1:] if o.share > _MIN_SHARE and not (o.revises and None in o.changes)]
    chosen = (
        outcome
        for outcome in worth
        if all(foul.of_words and outcome.share > _MIN_BLUFF_SHARE for foul in _fouls(outcome, start, settings))
    )
    return (*outcomes[:1], *islice(chosen, MAX_ANSWERS - 1))


def ask_way_up(found: Finding, upright: float) -> Finding:
    """Ask which way up a play is: as it was read, or upside down if its letters allow that.

    `upright` is the probability that it was read the right way up.
    """
    best = found.outcomes[0]
    turned = None if found.play is None else _on_its_head(found.play, found.before)
    answers = [replace(best, share=best.share * upright)]
    if turned is not None:
        other = Story((*best.events[:-1], turned))
        answers.append(replace(best, story=other, share=best.share * (1.0 - upright)))
    sure = found.confidence * upright
    return replace(
        found,
        outcomes=tuple(answers),
        confidence=sure,
        needs_review=True,
        square=None,
        reason=Doubt(Reason.EITHER_WAY_UP),
    )


def _on_its_head(play: Play, before: Board) -> Play | None:
    """Return a first play as it reads upside down; None if it isn't a first play or a letter can't be turned."""
    last = before.size - 1
    if not before.is_empty or any(tile.face not in HALF_TURNED for tile in play.tiles):
        return None
    tiles = [
        PlacedTile(Square(last - tile.square.row, last - tile.square.col), HALF_TURNED[tile.face])
        for tile in play.tiles
    ]
    return Play(tuple(sorted(tiles)))


def breaks_a_rule(outcome: Outcome, start: CertainBoard, settings: GameSettings) -> bool:
    """Return whether a play that is new to the scoresheet breaks a rule other than the one about words."""
    return any(not foul.of_words for foul in _fouls(outcome, start, settings))


def _fouls(outcome: Outcome, start: CertainBoard, settings: GameSettings) -> list[Violation]:
    """Return the rules that plays new to the scoresheet break."""
    boards = outcome.story.boards(start)
    plays = list(zip(outcome.events, boards, strict=False))[outcome.kept :]
    verdicts = [settings.verdict(board, event) for event, board in plays if event is not None]
    return [violation for verdict in verdicts for violation in verdict.violations]


def deciding_square(outcomes: tuple[Outcome, ...]) -> Square | None:
    """Return the only square on which the best two answers differ; None if more squares, or the turns, differ."""
    if len(outcomes) < 2 or len(outcomes[0].events) != len(outcomes[1].events):
        return None
    differ: set[Square] = set()
    for one, other in zip(outcomes[0].events, outcomes[1].events, strict=True):
        if one is None or other is None:
            return None
        differ |= {tile.square for tile in {*one.tiles} ^ {*other.tiles}}
    square = next(iter(differ)) if len(differ) == 1 else None
    return square if square and outcomes[0].face_at(square) != outcomes[1].face_at(square) else None


def question_at(outcomes: tuple[Outcome, ...], square: Square) -> Doubt:
    """Return the question about the square on which the best two outcomes differ: "O or Q at d4?"."""
    here, there = (outcome.face_at(square) for outcome in outcomes[:2])
    if here and there:
        return Doubt(Reason.LETTER, (here, there, square_name(square)))
    return Doubt(Reason.PLAYED_AT, (here or there, square_name(square)))


def find_retake(finding: Finding) -> Retake:
    """Return how another photograph would show a tile that is asked about, and that this one doesn't show.

    A stack in front of it counts only if no look has shown whether the tile lies there.
    """
    reading, reason = finding.reading, finding.reason
    if reading is None or finding.kind != "play" or not finding.needs_review:
        return ""
    asked = np.full(reading.hidden.shape, is_about(reason, Reason.OUT_OF_SIGHT))
    for play in (event for outcome in finding.answers for event in outcome.changes if event is not None):
        for square in play.squares:
            asked[square.row, square.col] = True
    hidden = asked & (reading.out_of_sight > VISIBLE.hidden)
    if reading.camera_text is not None:
        hidden &= ~reading.camera_text.squares  # text stays in every picture
    in_picture = hidden if reading.cut_off is None else hidden & ~reading.cut_off.squares
    if in_picture.any():
        return "hand"
    unseen = is_about(reason, Reason.PLAYED_AT, Reason.OUT_OF_SIGHT)
    behind = asked & (reading.covered > VISIBLE.covered_stack)
    return "side" if hidden.any() or (unseen and behind.any()) else ""


def explain_hidden(reading: BoardReading, board: Board, square: Square) -> str | None:
    """Return a sentence that says what hides the letter on a square of the believed board; None if it is in view."""
    name, at = square_name(square), (square.row, square.col)
    if reading.camera_text is not None and reading.camera_text.squares[at]:
        return phrase("%(name)s can't be read. The camera writes text over it.", name=name)
    if reading.out_of_sight[at] > VISIBLE.hidden:
        return phrase("%(name)s can't be seen. Something lies over it, or it is outside the picture.", name=name)
    tops = reading.face_elevations(board_arrays(board)[0])
    place = np.array([square.col + 0.5, square.row + 0.5, tops[at]])
    shares = measure_hidden_by(reading.camera, place, tops)
    row, col = np.unravel_index(int(shares.argmax()), shares.shape)
    if shares[row, col] <= VISIBLE.covered_face:
        return None
    stack = square_name(Square(int(row), int(col)))
    if shares[row, col] > VISIBLE.covered_stack:
        return phrase("%(name)s is hidden behind the stack on %(square)s.", name=name, square=stack)
    return phrase("%(name)s is partly hidden behind the stack on %(square)s.", name=name, square=stack)


def shows_more_tiles(table: Floats, board: Board) -> bool:
    """Return whether a tile plainly lies on a bare square of a board.

    `table` (n, n, 6, F) is the log likelihood of what lies on each square.
    """
    bare = table[board_arrays(board)[0] == 0]
    return bool((bare[:, 1:].max(axis=(1, 2)) - bare[:, 0].max(axis=1) > _GONE_LOG_ODDS).any())


def find_knocked_off(table: Floats, board: Board) -> Doubt | None:
    """Return the question about tiles that were knocked off; None if no tile is missing or something else is odd, too.

    `table` (n, n, 6, F) is the log likelihood of what lies on each square.
    """
    gone: list[Square] = []
    for square in board.squares():
        here, height = table[square.row, square.col], board.height(square)
        if here.max() - here[height].max() > _GONE_LOG_ODDS:
            if int(here.max(axis=1).argmax()) >= height:
                return None
            gone.append(square)
    if not gone or len(gone) > _MAX_KNOCKED:
        return None
    return Doubt(Reason.TILES_GONE if len(gone) > 1 else Reason.TILE_GONE, (square_names(gone),))
