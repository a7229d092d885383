"""The game that a replay records: which turns were asked about, and what later pictures correct.

`OpenStacks` holds the stacks that an unanswered question left open: plays that count them are provisional. `ReplayGame`
enters findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine import Board, Game, Play, Revision, Square, TurnRecord, UpscoreError, Verdict, referee
from engine.game.events import Event, Passed, Played
from engine.squares import centre_squares, square_names
from vision import Finding, Kind, Outcome
from vision.board.grid_doubt import GridDoubt
from vision.letters.classifier import PRINT_LIKE
from vision.turn.reasons import SURE, Doubt, Reason, grid_doubt, is_about
from vision.turn.steps import LOOKS_BACK
from vision.turn.story import CertainBoard, Story
from vision.turn.story import Event as StoryEvent


@dataclass(frozen=True)
class OpenStacks:
    """Squares whose stacks may differ from the scoresheet.

    Attributes:
        heights: squares whose height is open, with the number of looks that may still settle it. After these it stays
            open.
        faces: squares whose top letter is open, in the same way, until another letter covers it.
        prints: squares of plays with hardly a legible letter, while these plays are on the scoresheet.
    """

    heights: Mapping[Square, int] = field(default_factory=dict)
    faces: Mapping[Square, int] = field(default_factory=dict)
    prints: frozenset[Square] = frozenset()

    def after(
        self,
        finding: Finding,
        start: CertainBoard,
        unseen: frozenset[Square],
        verdict: Verdict | None,
        asked: frozenset[Square],
    ) -> OpenStacks:
        """Return the stacks that are open after a look.

        The outcomes of the look begin at `start`, and it didn't show the heights of `unseen` squares. `asked` are the
        squares of plays that were asked about before.

        A later look that saw a stack settles it if hardly any outcome disagrees. Heights of a play that is asked about
        are open unless they were seen. If a `verdict` says that words are in no list, their stacks stay open, since a
        height may be misread. Three things no look settles: whether a marked square holds a tile or its mark, a square
        with hardly a legible letter, and whether another tile lies on one that was asked about and that no look had
        shown before.
        """
        if finding.kind not in ("play", "removed"):
            return OpenStacks(_count_empty_look(self.heights), _count_empty_look(self.faces), self.prints)
        boards = _boards(finding.outcomes, start)
        still = unseen & (self.heights.keys() | _find_asked_about(finding))
        still |= self.heights.keys() & _in_no_words(verdict)
        uncertain, new = _doubtful(boards, Board.height), _find_surely_played(finding)
        faces = {square: left for square, left in self.faces.items() if square not in new}
        return OpenStacks(
            {
                **_still_open(self.heights, uncertain | still),
                **_marks(finding, boards, uncertain),
                **dict.fromkeys(asked & _find_never_shown_alone(finding), 0),
            },
            _still_open(faces, _doubtful(boards, Board.top)),
            self._prints_after(finding, start),
        )

    def _prints_after(self, finding: Finding, start: CertainBoard) -> frozenset[Square]:
        prints = self.prints | _find_unlettered(finding)
        return prints & frozenset(finding.outcomes[0].story.board(start).list_occupied()) if prints else prints

    def settle(self, play: Play) -> OpenStacks:
        """Return the stacks that are open once a play that was asked about is sure."""

        def rest(looks_left: Mapping[Square, int]) -> dict[Square, int]:
            return {square: left for square, left in looks_left.items() if not left or square not in play.squares}

        return OpenStacks(rest(self.heights), rest(self.faces), self.prints)

    def find_doubt(self, play: Play, verdict: Verdict, weighed: frozenset[Square] = frozenset()) -> Doubt | None:
        """Return why a play is provisional, None if it is not.

        It is provisional if it counts an open stack, or lies beside an open square on which a tile would change its
        words. A letter on which the outcomes of its look still differ was `weighed`: the points are the same with each.
        """
        counted = {square for word in verdict.words for square in word.squares}
        faces = {square for square, left in self.faces.items() if not left or square not in weighed}
        opened = (counted | _beside(play, verdict)) & (self.heights.keys() | faces) | (counted & self.prints)
        return Doubt(Reason.OPEN_STACK, (square_names(sorted(opened)),)) if opened else None


def _beside(play: Play, verdict: Verdict) -> frozenset[Square]:
    """Return the squares beside the tiles of a play and at the ends of its words."""
    near = {(s.row + by, s.col + to) for s in play.squares for by, to in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    for word in verdict.words:
        first, last = word.squares[0], word.squares[-1]
        by = int(first.col == last.col)
        near |= {(first.row - by, first.col - 1 + by), (last.row + by, last.col + 1 - by)}
    return frozenset(Square(row, col) for row, col in near if min(row, col) >= 0)


def _find_surely_played(finding: Finding) -> frozenset[Square]:
    """Return the squares of a play that is not asked about."""
    play = finding.outcomes[0].events[-1] if finding.outcomes[0].events else None
    return frozenset() if play is None or finding.needs_review else frozenset(play.squares)


def _find_asked_about(finding: Finding) -> frozenset[Square]:
    return _squares_of(finding.outcomes[0].changes if finding.needs_review else ())


def _find_unlettered(finding: Finding) -> frozenset[Square]:
    """Return the squares of plays that are asked about because they may be print on the board."""
    return _find_asked_about(finding) if finding.reason == grid_doubt(GridDoubt.UNLETTERED) else frozenset()


def _find_never_shown_alone(finding: Finding) -> frozenset[Square]:
    """Return the squares of plays that are asked about and that no look showed by themselves, before the next play."""
    best = finding.outcomes[0]
    return _squares_of(best.changes[:-1] if finding.needs_review and not best.revises else ())


def _squares_of(events: Sequence[StoryEvent]) -> frozenset[Square]:
    return frozenset(square for play in events if play is not None for square in play.squares)


def _marks(finding: Finding, boards: Sequence[tuple[Board, float]], uncertain: frozenset[Square]) -> dict[Square, int]:
    """Return the `uncertain` squares of plays that are asked about on which a printed mark may look like a tile.

    No look is left to settle them.
    """
    if not boards:
        return {}
    best, _ = boards[0]
    asked = uncertain & _find_asked_about(finding) & centre_squares(best.size)
    return {each: 0 for each in asked if best.height(each) == 1 and best.top(each) in PRINT_LIKE}


def _in_no_words(verdict: Verdict | None) -> frozenset[Square]:
    """Return the squares of a play's words if any of these is in no list."""
    if verdict is None or not any(violation.of_words for violation in verdict.violations):
        return frozenset()
    return frozenset(square for word in verdict.words for square in word.squares)


def _boards(outcomes: Sequence[Outcome], start: CertainBoard) -> list[tuple[Board, float]]:
    """Return the board that each outcome leads to and its share, or nothing if there is only one."""
    return [(o.story.board(start), o.share) for o in outcomes] if len(outcomes) > 1 else []


def _count_empty_look(looks_left: Mapping[Square, int]) -> dict[Square, int]:
    """Count one more look that showed nothing."""
    return {square: max(left - 1, 0) for square, left in looks_left.items()}


def _still_open(looks_left: Mapping[Square, int], doubtful: frozenset[Square]) -> dict[Square, int]:
    """Count one more look, which leaves some squares in doubt and settles what it can of the others."""
    still_open = {square: left for square, left in looks_left.items() if left == 0 or square in doubtful}
    return {**dict.fromkeys(doubtful, LOOKS_BACK), **_count_empty_look(still_open)}


def _doubtful(boards: Sequence[tuple[Board, float]], part: Callable[[Board, Square], object]) -> frozenset[Square]:
    """Return the squares where boards, weighed by their shares, may differ from the first on a part of the stack."""
    if not boards:
        return frozenset()
    best, _ = boards[0]

    def otherwise(square: Square) -> float:
        return sum(share for board, share in boards if part(board, square) != part(best, square))

    return frozenset(square for square in best.squares() if otherwise(square) > 1.0 - SURE)


_MIN_SETTLED_CONFIDENCE = 0.8
"""Confidence below which a play of a film stays to be checked: its camera stands still, and later looks repeat what the
first one misread. Of twelve plays that a later look settled, eleven of 0.87 and more were right; one of 0.49 was wrong.
[by hand, eleven films and seeds 291102, 291103]"""


@dataclass(frozen=True)
class Entry:
    """A finding as entered on the scoresheet, and its line there. If no play was seen, that line is a pass.

    Attributes:
        others: the outcomes that were not entered, likeliest first.
        earlier: the lines of earlier plays that this look was the first to show, or that it moved to another turn.
        revised: the line of the first turn that was put right, or that was asked about and is sure now.
        revision_sure: that line is sure; otherwise it is still to be checked.
        again: the look shows the turn before once more, and isn't a turn of its own.
    """

    finding: Finding
    record: TurnRecord
    others: tuple[Outcome, ...] = ()
    earlier: tuple[TurnRecord, ...] = ()
    revised: TurnRecord | None = None
    revision_sure: bool = True
    again: bool = False


@dataclass(frozen=True)
class ReplayGame:
    """The game of a replay so far. `reviews` counts the questions that were asked.

    Each look stands for `turns_a_look` turns: a player whose play it doesn't show has passed. It is 0 for a film, where
    a look may show no turn. `asked` says for each event of the game whether something else may have happened. Plays in
    `unsettled` stay to be checked, whatever later looks say.
    """

    game: Game
    turns_a_look: int
    asked: tuple[bool, ...] = ()
    unsettled: frozenset[Play] = frozenset()
    reviews: int = 0
    open_stacks: OpenStacks = field(default_factory=OpenStacks)

    @property
    def turns(self) -> int:
        """Number of turns so far."""
        return self.game.state.number - 1

    def board_before(self, record: TurnRecord) -> Board:
        """Return the board on which a play was made."""
        return Game.from_log(self.game.setup, self.game.events[: record.event], None).board

    def enter(
        self,
        finding: Finding,
        start: CertainBoard,
        unseen: frozenset[Square],
        *,
        amends: bool = False,
        again: bool = False,
    ) -> tuple[ReplayGame, Entry]:
        """Enter what was found. Return the game after it, and the entry.

        The outcomes of the finding begin at `start`. Its look didn't show the heights of `unseen` squares. With
        `amends`, the finding is the whole last turn. With `again`, the look is of the same turn as the one before it.
        """
        try:
            after, entry = self._enter(finding, amends, again)
        except UpscoreError:
            misfit = replace(finding, kind="unclear", needs_review=True, reason=Doubt(Reason.MISFIT))
            after, entry = self._no_play(misfit, again)
        entry = replace(entry, others=finding.outcomes[finding.kind in ("play", "removed") :])
        asked = self._find_asked_squares()
        opened = self.open_stacks.after(finding, start, unseen, entry.record.verdict, asked)
        after = replace(after, open_stacks=opened)
        if entry.finding.kind == "play" and not entry.finding.needs_review:
            after, entry = after._settle(start, entry)
            after, entry = after._mark(start, entry)
        return replace(after, reviews=after.reviews + entry.finding.needs_review), entry

    def _find_asked_squares(self) -> frozenset[Square]:
        events = (event for event, was in zip(self.game.events, self.asked, strict=False) if was)
        return _squares_of([event.play for event in events if isinstance(event, Played)])

    def points_if(self, changes: tuple[Play | None, ...], replaces: int) -> int:
        """Return the points of the last play if these events happened. Raises UpscoreError if they do not fit."""
        correction, added = self._split(changes, replaces)
        right = self._put_right(correction, correction.places(self.game))
        game = Revision(added).apply((right._making_room(added) if added else right).game)
        return next(line.points for line in reversed(game.turns) if line.play is not None)

    def _settle(self, start: CertainBoard, entry: Entry) -> tuple[ReplayGame, Entry]:
        """Settle a turn that was asked about, if this look is sure of its own turn. Return the game and the entry."""
        outcomes = entry.finding.outcomes
        events = outcomes[0].events
        places = Revision(events, len(events)).places(self.game)
        for number, at in enumerate(places[:-1]):
            play = events[number]
            is_told = entry.revised is None or entry.revised.event == at
            if play is None or not (_is_play(self.game.events[at], play) and self.asked[at] and is_told):
                continue
            if play in self.unsettled:
                continue
            opened = self.open_stacks.settle(play)
            (line,) = (line for line in self.game.turns if line.event == at and line.play == play)
            if line.taken_back or line.verdict is None or opened.find_doubt(play, line.verdict) is not None:
                continue  # its points stay in doubt, however sure its letters are
            if any(not violation.of_words for violation in line.verdict.violations):
                continue  # no picture tells whether people broke a rule, or played twice
            if self._share_of_event(number, outcomes, start) >= SURE:
                asked = (*self.asked[:at], False, *self.asked[at + 1 :])
                after = replace(self, asked=asked, open_stacks=opened)
                return after, replace(entry, revised=line, revision_sure=True)
        return self, entry

    def _share_of_event(self, number: int, outcomes: tuple[Outcome, ...], start: CertainBoard) -> float:
        """Return the probability that event `number` is the best outcome's play, with the same player and points."""
        best, setup = outcomes[0].events[: number + 1], self.game.setup

        def points(events: tuple[StoryEvent, ...]) -> int:
            before, play = Story(events[:-1]).board(start), events[-1]
            assert play is not None
            return referee(before, play, edition=setup.edition, lexicon=self.game.lexicon, rules=setup.rules).points

        alike = [
            outcome
            for outcome in outcomes
            if len(outcome.events) > number
            and outcome.events[number] == best[-1]
            and outcome.events[:number].count(None) == best[:-1].count(None)
            and points(outcome.events[: number + 1]) == points(best)
        ]
        return sum(outcome.share for outcome in alike)

    def _mark(self, start: CertainBoard, entry: Entry) -> tuple[ReplayGame, Entry]:
        """Mark the entry to be checked if it counts a stack that is open."""
        finding, play, verdict = entry.finding, entry.record.play, entry.record.verdict
        if play is None or verdict is None:
            return self, entry
        weighed = _doubtful(_boards(finding.outcomes, start), Board.top)
        reason = self.open_stacks.find_doubt(play, verdict, weighed)
        if reason is None:
            return self, entry
        at = entry.record.event
        asked = (*self.asked[:at], True, *self.asked[at + 1 :])
        finding = replace(finding, needs_review=True, reason=reason)
        return replace(self, asked=asked), replace(entry, finding=finding)

    def _enter(self, finding: Finding, amends: bool, again: bool) -> tuple[ReplayGame, Entry]:
        if finding.kind in ("none", "unclear"):
            return self._no_play(finding, again)
        changes, replaces = finding.outcomes[0].changes, finding.outcomes[0].replaces
        if amends:
            return self._amend(Revision(changes, replaces), finding)
        correction, added = self._split(changes, replaces)
        places = correction.places(self.game)
        right = self._put_right(correction, places)
        asked = finding.needs_review and not self._settles(finding, correction, added, right)
        right = replace(right, asked=tuple(was or (asked and at in places) for at, was in enumerate(right.asked)))
        entered = replace(finding, needs_review=asked, reason=finding.reason if asked else None)
        after, entry = right._keep_open(entered, correction.events)._add(entered, added, again)
        if not places:
            return after, entry
        # a line that is sure of its turn leaves the others to be checked as they were told
        earlier = after._lines_to_tell(self, places[0], entry.record.event) if asked else entry.earlier
        # a line that settled a moved play would be taken for one about the turn that had its number
        told = {line.play for line in self.game.turns if line.play is not None}
        after = replace(after, unsettled=after.unsettled | (told & {line.play for line in earlier}))
        revised, sure = right._line_put_right(self, places[0]), finding.outcomes[0].share >= SURE
        return after, replace(entry, earlier=earlier, revised=revised, revision_sure=sure)

    def _lines_to_tell(self, before: ReplayGame, first: int, last: int) -> tuple[TurnRecord, ...]:
        """Return the lines of plays between events `first` and `last` that the game `before` had otherwise or not."""
        told = {(line.play, line.number, line.points) for line in before.game.turns}
        lines = (line for line in self.game.turns if first < line.event < last and line.play and not line.taken_back)
        return tuple(line for line in lines if (line.play, line.number, line.points) not in told)

    def _keep_open(self, finding: Finding, plays: Iterable[Play | None]) -> ReplayGame:
        """Return the game in which these plays of a film stay to be checked, if the finding is hardly likely."""
        if not finding.needs_review or finding.confidence >= _MIN_SETTLED_CONFIDENCE or self.turns_a_look:
            return self
        return replace(self, unsettled=self.unsettled | {play for play in plays if play is not None})

    def _split(self, changes: tuple[Play | None, ...], replaces: int) -> tuple[Revision, tuple[Play | None, ...]]:
        """Split the changes into those that correct the last events of the game, one for each, and new events.

        The last change is new if its tiles lie above everything on the sheet: then it wasn't among the misread plays.
        """
        last = changes[-1] if 0 < len(changes) <= replaces else None
        corrected = min(replaces, len(changes))
        if last is not None:
            after = replace(self, game=Revision(changes, replaces).apply(self.game))
            before, known = after.board_before(after.game.turns[-1]), self.game.board
            if all(before.height(square) >= known.height(square) for square in last.squares):
                corrected -= 1
        return Revision(changes[:corrected], replaces), changes[corrected:]

    def _put_right(self, revision: Revision, places: tuple[int, ...]) -> ReplayGame:
        """Return the game with its last plays corrected. A look whose play was never made counts as a pass."""
        never = places[len(revision.events) :]
        game = revision.correct(self.game)
        asked = tuple(was for at, was in enumerate(self.asked) if at not in never)
        for _ in never if self.turns_a_look else ():
            game, asked = game.pass_turn(), (*asked, True)
        return replace(self, game=game, asked=asked)

    def _amend(self, revision: Revision, finding: Finding) -> tuple[ReplayGame, Entry]:
        """Enter the last turn again. A question about it no longer counts."""
        at, game = revision.places(self.game)[-1], revision.apply(self.game)
        asked = (*self.asked[:at], finding.needs_review, *self.asked[at + 1 :])
        after = replace(self, game=game, asked=asked, reviews=self.reviews - self.asked[at])
        last = game.turns[-1]
        return after._keep_open(finding, [last.play]), Entry(replace(finding, kind="play", play=last.play), last)

    def _settles(
        self, finding: Finding, correction: Revision, added: tuple[Play | None, ...], right: ReplayGame
    ) -> bool:
        """Return whether the last play is sure, even if earlier ones, which were asked about, stay in doubt."""
        if not is_about(finding.reason, Reason.REVISED, Reason.DOUBT) or len(added) != 1 or added[0] is None:
            return False
        alike = len(correction.events) == correction.replaces
        put_right = is_about(finding.reason, Reason.REVISED) and finding.confidence >= SURE and alike
        same = self.turns_a_look > 0 and finding.play_share >= SURE and self._are_other_ways_asked(finding)
        if not (same or (put_right and self._is_asked(correction))):
            return False
        return right.game.judge(added[0]).legal

    def _are_other_ways_asked(self, finding: Finding) -> bool:
        """Return whether every turn was asked about on which other stories that end in the last play differ."""
        ways = [o for o in finding.outcomes if o.changes and o.changes[-1] == finding.play]
        return all(self._is_asked(Revision(way.changes[:-1], way.replaces)) for way in ways)

    def _is_asked(self, way: Revision) -> bool:
        """Return whether every turn was asked about on which a story differs, up to the end that both share."""
        places, events = list(way.places(self.game)), list(way.events)
        while places and events and _is_play(self.game.events[places[-1]], events[-1]):
            places.pop(), events.pop()
        others = [
            at
            for number, at in enumerate(places)
            if number >= len(events) or not _is_play(self.game.events[at], events[number])
        ]
        return all(self.asked[at] for at in others) and (bool(places) or not events)

    def _line_put_right(self, before: ReplayGame, at: int) -> TurnRecord:
        """Return the line of event number `at` as it is now, or an empty line if that play was never made."""
        events = self.game.events
        if isinstance(before.game.events[at], Played) and not isinstance((*events[at:], None)[0], Played):
            (line,) = (line for line in before.game.turns if line.event == at)
            return replace(line, play=None, verdict=None, points=0)
        return [line for line in self.game.turns if line.event <= at and line.kind == "play"][-1]

    def _add(self, finding: Finding, added: tuple[Play | None, ...], again: bool) -> tuple[ReplayGame, Entry]:
        if not added:
            return self._no_play(replace(finding, kind="none"), again)
        ready = self._making_room(added, again)
        game = Revision(added).apply(ready.game)
        after = replace(ready, game=game, asked=(*ready.asked, *(finding.needs_review for _ in added)))
        last = game.turns[-1]
        new = [line for line in game.turns if line.event >= len(ready.game.events)]
        after = after._keep_open(finding, (line.play for line in new))
        earlier = tuple(line for line in new[:-1] if not line.taken_back)
        kind: Kind = "removed" if last.taken_back else "play"
        if last.taken_back and after.asked[last.event] and not finding.needs_review:
            # that the tiles are gone is sure, but which tiles they were is not
            finding = replace(finding, needs_review=True, reason=Doubt(Reason.DOUBT))
        entry = Entry(replace(finding, kind=kind, play=last.play), last, earlier=earlier)
        left = self.turns_a_look - 1 - len(earlier)
        return (after, entry) if left <= 0 or kind == "removed" or again else after._with_short_round(entry, left)

    def _with_short_round(self, entry: Entry, left: int) -> tuple[ReplayGame, Entry]:
        """Let the `left` players pass whose plays a round lacks, and ask who passed."""
        after, finding = self._passing(left, asked=True), entry.finding
        if not finding.needs_review:
            finding = replace(finding, needs_review=True, reason=Doubt(Reason.SHORT_ROUND))
        return after, replace(entry, finding=finding)

    def _passing(self, turns: int, *, asked: bool) -> ReplayGame:
        game = self.game
        for _ in range(turns):
            game = game.pass_turn()
        return replace(self, game=game, asked=(*self.asked, *(asked for _ in range(turns))))

    def _making_room(self, added: tuple[Play | None, ...], again: bool = False) -> ReplayGame:
        """Remove passes at the end of the game that, by these events, were plays.

        If there are more plays than a look stands for, the first were made when nobody could say what was played. After
        a pass nothing is taken back. With `again`, the last look already showed this turn, so it wasn't a pass.
        """
        passes = 0
        for event, asked in zip(reversed(self.game.events), reversed(self.asked), strict=True):
            if not isinstance(event, Passed) or not (asked or added[0] is None):
                break
            passes += 1
        if added[0] is not None:
            plays = sum(event is not None for event in added)
            passes = min(passes, max(plays - self.turns_a_look, 0))
        if again and self.game.events and isinstance(self.game.events[-1], Passed):
            passes = max(passes, 1)
        game = self.game
        for _ in range(passes):
            game = game.remove(len(game.events) - 1).game
        return replace(self, game=game, asked=self.asked[: len(game.events)])

    def _no_play(self, finding: Finding, again: bool) -> tuple[ReplayGame, Entry]:
        """Enter a look in which no play is seen. In a folder it is a pass, unless it shows the turn before `again`.

        A look that stands for a round is a pass of everybody.

        No picture can distinguish a pass from a second photograph of the same turn. It counts as a pass, since each
        photograph of a folder stands for a turn. People can take a second photograph out of the folder, but couldn't
        put a pass in.
        """
        finding, passed = replace(finding, play=None), self.game.pass_turn()
        if not self.turns_a_look:
            return self, Entry(finding, passed.turns[-1])
        if again:
            shown = (self.game.turns or passed.turns)[-1]
            return self, Entry(finding, replace(shown, play=None, verdict=None, points=0), again=True)
        after = self._passing(self.turns_a_look, asked=finding.needs_review)
        if finding.kind == "none" and not finding.needs_review:
            finding = replace(finding, needs_review=True, reason=Doubt(Reason.PASS_OR_AGAIN))
        return after, Entry(finding, after.game.turns[-1])


def _is_play(event: Event, play: Play | None) -> bool:
    return play is not None and event == Played(play)
