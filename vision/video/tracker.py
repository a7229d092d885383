"""Hands-free play: find a video's turns by stillness, read them and commit them.

A play is committed when the board has lain free and still for `PATIENCE` seconds. In shorter pauses, players reach for
their rack in the middle of a word. A play that goes on after it was committed is amended.

The states of watching, and what leads from one to the next:

    sought ── the board is found ──> in motion
    in motion ── nothing moves, nothing reaches over the edge ──> lies free
    lies free ── after EARLY ──> a glance shows a play, and decides nothing
              ── after PATIENCE ──> it is read
              ── all of the view flickers, for _FLICKER at most ──> lies free as before
              ── a hand comes ──> in motion; a rest of _A_TURN that nobody read is read now, a shorter one remembered
              ── the film stalls, ends or is turned, or the camera is lost ──> the same
    it is read ── sure ──> committed, read and done until something moves
               ── in doubt ──> read again, until DOUBT_PATIENCE ──> asked
               ── a hand comes before that ──> the look joins the belief; asked if it shows a new play
    in motion ── a still hand for _RETRY, or _UNREST of motion ──> looked again: a hand, or a bumped board
              ── no board there, twice ──> sought, with longer and longer pauses; a turn may be made meanwhile

First come the plays that go on, then the `Tracker` itself.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine import Board, Play
from vision.errors import BoardNotFound
from vision.geometry.camera import Camera
from vision.hidden.occlusion import VISIBLE
from vision.images import Image
from vision.letters.orientation import MIRRORED
from vision.pipeline import BoardReader, Hints
from vision.reading import BoardReading
from vision.turn.belief import Belief
from vision.turn.finding import Finding, Outcome
from vision.turn.observe import observe, shows_entered_board
from vision.turn.prior import FRESH, UNWATCHED, GameSettings, Gap
from vision.turn.reasons import SURE, Doubt, Reason, is_about
from vision.turn.steps import decide, with_room
from vision.turn.story import Story
from vision.video.film import fuse
from vision.video.motion import MotionGate
from vision.video.watch_state import TOO_SELDOM, Lull, Rests, SearchSchedule, TrackedFinding, WatchState, Where

_AMEND_WITHIN = 6.0
"""Seconds within which a lawful play is taken for the whole of the last one, if what lay there first was not lawful: a
part of a word. If it was, one player may have added to the other's word. That is asked. [by eye]"""
_MAY_GO_ON = 20.0
"""Seconds within which it is asked. Of 424 pairs of turns in a row in the development sets one would make a lawful
play. Supposed: no table was timed. [by eye]"""


@dataclass(frozen=True)
class Committed:
    """A play that was committed at `time`, in seconds of the video, on the board `before` it."""

    time: float
    before: Board
    play: Play


def whole_play(last: Committed | None, time: float, finding: Finding, settings: GameSettings) -> Committed | None:
    """Return the last play and the new finding as one play, if the same turn goes on; else None."""
    if last is None or time - last.time > _AMEND_WITHIN or finding.kind != "play" or finding.play is None:
        return None
    if finding.outcomes[0].revises:
        longer = set(last.play.tiles) < set(finding.play.tiles) and finding.before == last.before
        return replace(last, play=finding.play) if longer else None
    if len(finding.outcomes[0].changes) != 1 or settings.verdict(last.before, last.play).legal:
        return None
    return _join(last, finding.play, settings)


def perhaps_whole(last: Committed | None, time: float, finding: Finding, settings: GameSettings) -> Finding | None:
    """Return the finding as a question if its first play may be the rest of the last one; else None."""
    if last is None or time - last.time > _MAY_GO_ON or finding.kind != "play":
        return None
    best = finding.outcomes[0]
    first, *more = best.changes or (None,)
    whole = None if best.revises or first is None else _join(last, first, settings)
    if whole is None:
        return None
    kept = max(best.kept - 1, 0)  # where the table has decided since, the last play is part of the start
    one = Outcome(Story((*best.events[:kept], whole.play, *more)), kept, 1, best.share)
    outcomes = (best, one, *(finding.outcomes[1:] if finding.needs_review else ()))
    return replace(finding, outcomes=outcomes, needs_review=True, square=None, reason=Doubt(Reason.GOES_ON))


def _join(last: Committed, play: Play, settings: GameSettings) -> Committed | None:
    """Return the last play with the tiles of the next one added, if that makes one legal play; else None."""
    if {*last.play.squares} & {*play.squares}:
        return None
    whole = last.play.with_tiles(play.tiles)
    return replace(last, play=whole) if settings.verdict(last.before, whole).legal else None


def amend_finding(finding: Finding, whole: Committed) -> tuple[Finding, Board]:
    """Return the finding and the board with the whole play in place of the last one.

    The whole play explains why a part broke a rule or an earlier turn looked different. Whatever the picture leaves in
    doubt stays in doubt.
    """
    doubt = finding.doubt or (Doubt(Reason.DOUBT) if finding.confidence < SURE else None)
    outcome = Outcome.of(whole.play, replaces=1, share=finding.confidence)
    found = Finding.played((outcome,), whole.before, whole.play, doubt)
    return replace(found, reading=finding.reading), whole.before.with_play(whole.play)


def _is_new_play(finding: Finding) -> bool:
    """Return whether a play was found that isn't on the scoresheet, not just a doubt about whether there is one."""
    if finding.kind != "play" or is_about(finding.reason, Reason.NOTHING_SURE):
        return False
    best = finding.outcomes[0]
    return len(best.changes) > best.replaces


def _is_under_hand(reading: BoardReading) -> bool:
    """Return whether a hand rests on the board."""
    return int((reading.under_hand > VISIBLE.hidden).sum()) >= _HAND


@dataclass(frozen=True)
class _Rest:
    """A pause in which the board lay still but wasn't read.

    It ended at `until`; it has a picture and a length in `seconds`.
    """

    image: Image
    until: float
    seconds: float


EARLY = 0.3
"""Seconds of stillness after which an early look may show a play, before it is decided. Hands hardly pause over the
board for less. [by eye]"""
PATIENCE = 1.87
"""Seconds of stillness after which what lies there is a turn. [by eye]"""
DOUBT_PATIENCE = 3.4
"""Seconds after which a doubtful turn is reported anyway. [by eye]"""
_A_TURN = 1.57
"""Seconds of stillness after which a turn may be over: if the next hand comes before a look, one is taken then. In
eleven films the rests within 110 plays were at most 1.54 s, and 99 rests between turns at least 1.6 s.
[by hand, eleven films]"""
_SLOWEST = 0.25
"""Longest time between two frames, seconds, by which a rest is taken to be longer than it was seen. [by eye]"""
_LONG = 10.0
"""Rest, as a share of the usual one, from which a longer one says no more: turns may have been made. [by eye]"""
_FLICKER = 0.45
"""Longest motion, in seconds, that doesn't end a rest if nothing reaches over the board's edge: a camera focuses, or a
lamp flickers. [by hand, films]"""
_SETTLING = 0.45
"""Seconds from one look to the next at least. [by eye]"""
_STEP = 0.055
"""Seconds between frames that are looked at, at least. Films of 15 frames a second were tuned on; of faster ones some
frames are passed over, so that motion from frame to frame means the same. A frame that is shown again is no other.
[by hand, sets]"""
_FUSED = 0.25
"""Seconds of still frames that are averaged into the picture that is read. [by eye]"""
_OFTEN_LATE = 5
"""Frames in a row that came later than `PATIENCE`, after which people are told. [by eye]"""
_RETRY = 1.0
"""Seconds between attempts to tell a bumped board from a resting hand. [by eye]"""
_BUMPED = 0.12
"""Squares by which the corners must have moved for the board to have been bumped. [by eye]"""
_HAND = 3
"""Hidden squares from which a hand is believed to rest on the board. [by eye]"""
_EDGE_HIDES = 1.0
"""Squares that something over the board's edge hides, as the sum of their probabilities, from which it is a hand. If
it hides fewer, the board was bumped, or the thing is part of the table. [by hand, drawn films]"""
_UNREST = 12.0
"""Seconds of motion without a pause after which it is looked whether the board is in view at all: the longest play in
the films that this was tuned on takes 8. [by hand, sets]"""


class Tracker:
    """Follows a game on film. Feed it frames in order; it returns the turns that it has become sure of.

    `belief` is the belief about the game. Call `believe` after each finding and each decision. If you give `corners`
    (4, 2) px, TL TR BR BL with the letters upright, frames of the first one's shape need no search for the board.
    """

    def __init__(
        self, reader: BoardReader, belief: Belief, settings: GameSettings, corners: npt.ArrayLike | None = None
    ) -> None:
        self._reader, self._corners = reader, corners
        self._missed = Gap(rested=UNWATCHED if belief.sheet_board.is_empty else _LONG)
        self.belief = replace(belief, gap=belief.gap.widen(self._missed))
        self._rests = Rests()
        self._settings = replace(settings, watched=True)
        self._gate: MotionGate | None = None
        self._search = SearchSchedule()
        self._lull = Lull()
        self._recent: deque[tuple[Image, float]] = deque()
        self._now: tuple[Image, float] | None = None
        self._state: WatchState | None = None
        self._doubtful: TrackedFinding | None = None
        self._cut_short: TrackedFinding | None = None
        self._unread: _Rest | None = None
        self._since: float | None = None
        self._looked = self._read_at = -np.inf
        self._lost_at: float | None = None
        self._late = 0
        self._glanced: float | None = None
        self._covered: float | None = None
        self._unrest: float | None = None
        self._fresh = True
        self._last: Committed | None = None
        self._asked = False
        self._found = False
        self._notice = ""

    @property
    def found(self) -> bool:
        """True if the board has been found at all."""
        return self._found

    @property
    def notice(self) -> str:
        """The problem to show to people, as why no board was found, or that the camera writes text over it; or ""."""
        return TOO_SELDOM if self._late >= _OFTEN_LATE else self._notice

    @property
    def lull(self) -> str:
        """A sentence for people if, for a minute, no turn was seen or every look was doubtful; else ""."""
        return "" if self._now is None else self._lull.text(self._now[1])

    def feed(self, frame: Image, time: float) -> TrackedFinding | None:
        """Take the next frame, at `time` in seconds. Return a finding if it decides a turn."""
        return self.read() if self.watch(frame, time).due else None

    def watch(self, frame: Image, time: float) -> WatchState:
        """Look at the next frame, at `time` in seconds. Return the state, which says whether to `read` this frame."""
        before, self._cut_short = self._now, None
        if self._unread is not None:
            self._pass_over_rest()
        if before is not None and self._state is not None:
            turned = frame.shape != before[0].shape
            if not turned and 0.0 <= time - before[1] < _STEP:
                return replace(self._state, due=False, early=False)
            late = not 0.0 <= time - before[1] <= PATIENCE
            if turned or late:
                if self._end_rest(before[1]):
                    return replace(self._state, due=True, early=False)  # the next frame goes on from here
                if turned:
                    # a phone was turned, or it is another camera: nothing is where it was
                    self._corners = None
                    if self._found:
                        self._lose("", before[1])
                else:
                    self._miss(time)
            self._late = self._late + 1 if late else 0
        self._now = frame, time
        state = self._watch(frame, time, 0.0 if before is None else max(time - before[1], 0.0))
        self._state = replace(state, notice=self.notice or self.lull)
        return self._state

    def _watch(self, frame: Image, time: float, seconds: float) -> WatchState:
        """Look at a frame that came `seconds` after the last one."""
        if self._gate is None:
            return WatchState(self._board, False, 0.0, False, due=self._search.due(frame, time))
        state = self._gate.look(frame, seconds)
        self._unrest = (time if self._unrest is None else self._unrest) if not state.still else None
        if state.still and state.free:
            return self._lies_free(frame, time)
        if self._since is not None and state.free and state.spread and time - self._recent[-1][1] <= _FLICKER:
            return WatchState(self._board, False, time - self._since, not self._fresh, due=False)
        ended = self._end_rest(time)
        self._covered = (time if self._covered is None else self._covered) if state.still else None
        return WatchState(self._board, True, 0.0, False, due=ended or self._is_unsettled(time))

    def finish(self) -> TrackedFinding | None:
        """Return the turn that lies there once no frame is to come any more, as at the end of a film."""
        if self._now is None or not (self._unread is not None or self._end_rest(self._now[1])):
            return None
        return self.read()

    def _end_rest(self, time: float) -> bool:
        """End the rest, if the board lay still until now. Return whether to `read` what lay there."""
        self._cut_short = self._keep_doubt()
        rest = self._unread_for(time)
        if rest >= _A_TURN:
            self._unread = _Rest(fuse(frame for frame, _ in self._recent), self._recent[-1][1], rest)
        else:
            self._remember_rest(time)
        self._since, self._fresh = None, True
        self._recent.clear()
        return self._cut_short is not None or self._unread is not None

    def read(self) -> TrackedFinding | None:
        """Read the board in the frame watched last, when that is due. Return the finding if it settles a turn.

        When the next hand comes, this reads the board as it lay before. A play that is still in doubt then settles a
        turn, too, since perhaps no other look shows it by itself.
        """
        assert self._now is not None, "a frame is watched before it is read"
        frame, time = self._now
        if self._unread is not None:
            return self._read_rest(self._unread)
        if self._cut_short is not None:
            return self._commit(self._cut_short._replace(time=time))
        if self._gate is None:
            self._start(frame, time)
        elif self._since is None:
            self._look_again(self._gate.camera, frame, time)
        else:
            image = fuse(frame for frame, _ in self._recent)
            return self._consider(time, time - self._since, image)
        return None

    def _read_rest(self, rest: _Rest) -> TrackedFinding | None:
        """Read the board as it lay in a pause that the next hand has ended."""
        found = self._consider(rest.until, rest.seconds, rest.image)
        self._fresh = True
        self._unread = None
        if found is None:
            cut = self._keep_doubt()
            found = None if cut is None else self._commit(cut)
        if found is not None and self._committed_since(rest.until):
            self._rests = self._rests.then(rest.seconds)
        return found

    def _pass_over_rest(self) -> None:
        """Go on after a pause in which no board was read: a turn may have been made that nobody saw."""
        self._widen_gap(Gap(unseen=1))
        self._unread = None

    def glance(self) -> Finding | None:
        """Return the play that lies there after a short pause, if one look is sure of it. Decide nothing."""
        self._glanced = self._since
        image, time = fuse(frame for frame, _ in self._recent), self._recent[-1][1]
        _, finding = observe(self._reader, self.belief, image, self._settings, self._corners)
        whole = None if self._asked else whole_play(self._last, time, finding, self._settings)
        if whole is not None:
            finding, _ = amend_finding(finding, whole)
        elif perhaps_whole(self._last, time, finding, self._settings) is not None:
            return None
        return finding if finding.kind == "play" and not finding.needs_review else None

    def believe(self, belief: Belief, *, again: bool = True) -> None:
        """Go on from this belief. With `again` the table has decided something, and the board is looked at again.

        The table decides about looks that it knows. What was missed since the newest of these stays missed. Without
        `again` the table has taken the newest look.
        """
        if not again:
            self.belief, self._missed = belief, FRESH
            return
        last = self._last
        if last is not None and belief.sheet_board != last.before.with_play(last.play):
            self._last = None
        self._asked = self._asked and belief.gap.open and belief.sheet_board == self.belief.sheet_board
        self.belief = replace(belief, gap=belief.gap.widen(self._missed))
        self._fresh, self._doubtful = True, None
        if self._now is not None:
            self._lull.record_decision(self._now[1])

    def _widen_gap(self, missed: Gap) -> None:
        """Record what was missed since the last look, also in case the table decides about an earlier one."""
        self.belief = replace(self.belief, gap=self.belief.gap.widen(missed))
        self._missed = self._missed.widen(missed)

    @property
    def _board(self) -> Where:
        if self._gate is None or self._search.failed:
            return "lost" if self._found else "sought"
        return "in view"

    def _rested_for(self, time: float) -> float:
        """Return the seconds that the board has lain still, if this ended between the last still frame and `time`.

        A film of few frames shows neither the begin nor the end of a rest. Both lie half a frame off on average.
        """
        if self._since is None:
            return 0.0
        still_at = self._recent[-1][1]
        return still_at - self._since + min(max(time - still_at, 0.0), _SLOWEST)

    def _unread_for(self, time: float) -> float:
        """Return the seconds that it has lain still without being read; 0 if it moved, or was read meanwhile."""
        return 0.0 if self._since is None or self._read_at >= self._since else self._rested_for(time)

    def _remember_rest(self, time: float) -> None:
        """Remember how long the board rested until the next hand came: after a turn, or without being read."""
        rest = self._rested_for(time)
        # where a clock was set back, shorter rests seem to hold the last turn
        if rest >= _A_TURN and (self._cut_short is not None or self._committed_since(self._recent[-1][1] - rest)):
            self._rests = self._rests.then(rest)
        self._widen_gap(self._rested(self._unread_for(time)))

    def _rested(self, seconds: float) -> Gap:
        """Return the gap in which the board may have lain free for so long without being read."""
        return Gap(rested=min(seconds / self._rests.usual, _LONG))

    def _committed_since(self, time: float) -> bool:
        return self._last is not None and self._last.time >= time

    def _lose(self, why: str, since: float) -> None:
        """Look for the board again, and say why. Frames of its old place are not mixed with new ones.

        `since` is the time from which nobody sees whether a turn is made.
        """
        self._gate, self._notice = None, why
        self._lost_at = since if self._lost_at is None else min(self._lost_at, since)
        self._since = None
        self._recent.clear()

    def _miss(self, time: float) -> None:
        """Go on after a stretch that was not seen, or a clock set back: a turn may have been made that nobody saw."""
        self._lost_at = None if self._lost_at is None else min(self._lost_at, time)
        if not (self.belief.gap.unseen and self._missed.unseen):
            self._widen_gap(Gap(unseen=1))
        self._looked = self._read_at = -np.inf
        self._covered = self._unrest = None

    def _keep_doubt(self) -> TrackedFinding | None:
        """Add the last doubtful look to the belief. Return it if it shows a new play, since the next hand ended it."""
        doubtful, self._doubtful = self._doubtful, None
        if doubtful is None:
            return None
        self.belief = doubtful.belief
        # the table doesn't know this look: if it decides about an earlier one, this one is lost, with the gap before it
        self._missed = self._missed.widen(Gap(open=True, merged=1))
        return doubtful if _is_new_play(doubtful.finding) else None

    def _lies_free(self, frame: Image, time: float) -> WatchState:
        self._covered = None
        self._recent.append((frame, time))
        while time - self._recent[0][1] > _FUSED:
            self._recent.popleft()
        self._since = time if self._since is None else self._since
        if not self._fresh:
            self._lull.lies_read(time)
        waited = time - self._since
        ready = self._fresh and waited >= PATIENCE and time - self._looked >= _SETTLING
        due = ready and (not self._search.failed or self._search.due(frame, time))
        early = self._fresh and waited >= EARLY and self._glanced != self._since
        return WatchState(
            self._board, False, waited, not self._fresh, due, early=early and not (due or self._search.failed)
        )

    def _is_unsettled(self, time: float) -> bool:
        """Return whether to look again: something lies still over the board's edge, or the board itself has moved."""
        since, patience = (self._covered, _RETRY) if self._covered is not None else (self._unrest, _UNREST)
        return since is not None and time - since >= patience and time - self._looked >= patience

    def _look_again(self, before: Camera, frame: Image, time: float) -> None:
        """Find out whether a resting hand lies over the board's edge, or the board itself has moved.

        If the board still looks as it did `before`, it isn't searched for.
        """
        self._looked = time
        try:
            edition = self._settings.edition
            size, hints = edition.size, Hints(camera=before, alphabet=edition.alphabet)
            reading = self._reader.read(frame, size, corners=self._corners, hints=hints)
        except BoardNotFound as error:
            if self._search.fail(frame, time):
                self._lose(str(error), time)
            return
        self._search.succeed()
        if self._unrest is None and float(reading.under_hand.sum()) < _EDGE_HIDES:
            bumped = self._gate is not None and self._gate.displacement(reading.corners) > _BUMPED
            self._gate = MotionGate(reading.camera, size, frame)
            if bumped and self._covered is not None:
                # nothing covered the edge: the board has lain free since it was bumped
                self._since, self._looked = self._covered, -np.inf
                self._recent.append((frame, time))

    def _start(self, frame: Image, time: float) -> None:
        """Look for the board. Its very first picture shows what is printed on it, unless it shows a play."""
        self._looked = time
        before = self.belief
        after, finding = observe(self._reader, before, frame, self._settings, self._corners)
        if finding.reading is None:
            self._search.fail(frame, time)
            self._notice = str(finding.reason)
            return
        if self._notice == MIRRORED and _is_under_hand(finding.reading):
            # what a hand leaves in view may be too little to show the mirror
            self._search.fail(frame, time)
            return
        self._search.succeed()
        self._notice = ""
        first = not self._found and before.reference is None and not before.looks
        if first and after.to_lift is None and shows_entered_board(before, finding):
            self.belief = decide(after, before.sheet_board, before.last_play, shown=True)
            self._missed = FRESH
        if self._lost_at is not None:
            self._widen_gap(self._rested(time - self._lost_at))
            self._lost_at = None
        self._gate = MotionGate(finding.reading.camera, self._settings.edition.size, frame)
        self._found, self._since, self._fresh = True, None, True
        self._lull.record_found(time)

    def _consider(self, time: float, waited: float, image: Image) -> TrackedFinding | None:
        """Read the still board. Commit a turn, wait for a longer look, or find that nothing changed."""
        self._looked = time
        after, finding = observe(self._reader, self.belief, image, self._settings, self._corners)
        if finding.reading is None:
            if self._unread is not None:
                self._pass_over_rest()
            if not self._search.fail(image, time):
                return None
            cut_short = self._keep_doubt()
            self._lose(str(finding.reason), time if self._since is None else self._since)
            return None if cut_short is None else self._commit(cut_short._replace(time=time))
        self._doubtful, self._read_at = None, time
        self._search.succeed()
        self._lull.record_look(time, sure=not finding.needs_review, turn=finding.kind in ("play", "removed"))
        if finding.kind == "none" and finding.lifted is None:
            return self._handle_unchanged(time, waited, finding, after, image)
        whole = None if self._asked else whole_play(self._last, time, finding, self._settings)
        # a doubt from an open question is settled by its answer, not by a longer look
        earlier = self.belief.gap.open or (finding.doubt is None and is_about(finding.reason, Reason.REVISED))
        follows = finding.kind == "removed" or (finding.kind == "play" and earlier)
        if finding.needs_review and whole is None and not follows and waited < DOUBT_PATIENCE:
            self._doubtful = TrackedFinding(time, finding, after, False, image)
            return None
        self._settle(image, finding.reading)
        if whole is not None:
            return self._amend(time, finding, after, image, whole)
        # while that question waits, a new play may be the rest, however long ago it was asked
        since = self._last.time if self._last is not None and self._asked else time
        question = perhaps_whole(self._last, since, finding, self._settings)
        if question is not None:
            return self._ask(time, question, after, image)
        return self._commit(TrackedFinding(time, finding, after, False, image))

    def _handle_unchanged(
        self, time: float, waited: float, finding: Finding, after: Belief, image: Image
    ) -> TrackedFinding | None:
        """Handle a look without a change. Report it if that settles an open question."""
        was_open, sure = self.belief.gap.open, not finding.needs_review
        if sure:
            self.belief, self._missed = after, FRESH
        else:
            self._doubtful = TrackedFinding(time, finding, after, False, image)
        if finding.reading is not None and (sure or waited >= DOUBT_PATIENCE):
            self._settle(image, finding.reading)
        return TrackedFinding(time, finding, self.belief, False, image) if was_open and sure else None

    def _commit(self, tracked: TrackedFinding) -> TrackedFinding:
        finding = tracked.finding
        self.belief, self._last = tracked.belief, None
        if finding.kind == "play" and finding.play is not None:
            self._last = Committed(tracked.time, finding.before, finding.play)
        return tracked

    def _amend(self, time: float, finding: Finding, after: Belief, image: Image, last: Committed) -> TrackedFinding:
        """Replace the committed play by the whole play."""
        finding, board = amend_finding(finding, last)
        self.belief, self._last = decide(after, board, last.play, shown=True), replace(last, time=time)
        return TrackedFinding(time, finding, self.belief, True, image)

    def _ask(self, time: float, finding: Finding, after: Belief, image: Image) -> TrackedFinding:
        """Ask whether the finding is the rest of the last play. Nothing is entered before the answer."""
        assert self._last is not None, "a play may only go on where there was one"
        before = with_room(self.belief)
        stories = tuple(o.story for o in finding.outcomes if o.kept + o.replaces <= len(before.entered))
        self.belief, self._asked = before.doubting(after.looks[-1], stories), True
        return TrackedFinding(time, finding, self.belief, False, image)

    def _settle(self, image: Image, reading: BoardReading) -> None:
        """Remember the look of the board as it was read, and the camera's place."""
        self._fresh = False
        self._notice = "" if reading.camera_text is None else reading.camera_text.text()
        if self._gate is None or self._gate.displacement(reading.corners) > _BUMPED:
            self._gate = MotionGate(reading.camera, self._settings.edition.size, image)
        else:
            self._gate.mark_free(image)
