"""The intake: from a photograph to a turn on the scoresheet, or to a question for the table.

First come the looks that leave nothing to ask, and the changes that answers make. Then come photographs that are late
or sent twice: they take nothing back, and the page says which turn they show. `Intake` takes the photographs.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from engine import Board, Game, Play, Revision, Square, UpscoreError, Verdict, format_play, parse_play
from engine.game.events import BoardTaken, Exchanged, Passed, Played
from engine.game.seen_board import with_height
from engine.squares import square_names
from engine.wording import join_texts, phrase, plural
from vision import Belief, Finding, GameSettings, Outcome
from vision.images import Image
from vision.overlay import crop_square, draw_turn, quarter_turns, upright
from vision.reading import BoardReading
from vision.turn.belief import anew
from vision.turn.finding import explain_hidden
from vision.turn.prior import Gap
from vision.turn.reasons import SURE, Doubt, Reason, is_about
from vision.turn.steps import decide
from vision.turn.withdrawn import names_of
from vision.video.watch_state import TrackedFinding
from webui.errors import Outdated, WebError
from webui.ports import Corners, TurnQuery, TurnReader
from webui.storage.database import PhotoRow, utc_now
from webui.storage.photo_shelf import PhotoShelf
from webui.storage.report_file import dump_reading
from webui.storage.store import Store
from webui.table.games import Games, OpenGame, by_place, confirm_belief, entry_of, play_to_take_back
from webui.table.question import Question, find_framed_square


def shows_only_lift(finding: Finding) -> bool:
    """Return whether nothing is new on the board except that the tiles to lift are off."""
    return is_as_before(finding) and finding.lifted is not None


def settle_belief(belief: Belief, finding: Finding, open_game: OpenGame) -> Belief | None:
    """Return the belief that ends the waiting question, if the board lies as the scoresheet has it; else None.

    Either nothing new lies there, or tiles that were taken off lie there again.
    """
    game, last = open_game.game, play_to_take_back(open_game.game)
    if open_game.question is not None and open_game.question.kind == "none":
        return None
    if finding.kind == "none":
        return decide(belief, game.board, last, shown=False)
    best = finding.outcomes[0] if finding.outcomes else None
    if best is None or last is None or best.revision != Revision((None, last)) or best.share < SURE:
        return None
    return decide(belief, game.board, last, shown=True)


def is_as_before(finding: Finding) -> bool:
    """Return whether the board surely lies as the scoresheet has it."""
    return finding.kind == "none" and not finding.needs_review


def repeats_question(finding: Finding, question: Question, last: Play | None = None) -> bool:
    """Return whether a look only repeats the waiting question."""
    asked = Question.of(finding, question.photo, last)
    same = [each.revision for each in asked.outcomes] == [each.revision for each in question.outcomes]
    return finding.needs_review and same and (asked.kind, asked.reason) == (question.kind, question.reason)


def keep_asking(belief: Belief, finding: Finding, open_game: OpenGame) -> tuple[Belief, Finding]:
    """Return the finding of a photograph while the table is asked whether a play goes on: no picture answers that."""
    question, sure = open_game.question, finding.kind == "play" and not finding.needs_review
    if question is None or not is_about(question.reason, Reason.GOES_ON) or not sure:
        return belief, finding
    same = finding.outcomes[0].revision == question.outcomes[0].revision
    outcomes = question.outcomes if same else finding.outcomes
    asked = replace(finding, outcomes=outcomes, needs_review=True, reason=Doubt(Reason.GOES_ON))
    return open_game.belief, asked


def is_short_round(finding: Finding, open_game: OpenGame) -> bool:
    """Return whether a table that photographs every round surely shows fewer words than are left of the round.

    Then somebody passed, and it isn't known who.
    """
    if not open_game.every_round or finding.kind != "play" or finding.needs_review or finding.outcomes[0].replaces:
        return False
    game = open_game.game
    done = (game.players.index(game.current_player) - game.setup.first) % len(game.players)
    return done + len(finding.outcomes[0].changes) < len(game.players)


def _ask_who_passed(finding: Finding, game: Game) -> Finding:
    assert game.current_player is not None, "a photograph is taken while the game goes on"
    return replace(finding, needs_review=True, reason=Doubt(Reason.PERHAPS_PASSED, (game.current_player,)))


def answers(open_game: OpenGame) -> tuple[Callable[[Game], Game], ...]:
    """Return the change of the game for each answer to the waiting question."""
    question = open_game.question
    if question is None:
        return ()
    if question.kind == "none":
        return (Game.pass_turn,)
    return tuple(map(act_of, question.outcomes))


def after(open_game: OpenGame, choice: int) -> Game:
    """Return the game after answer number `choice`; raises WebError if there is no such answer."""
    acts = answers(open_game)
    if not 0 <= choice < len(acts):
        raise WebError(phrase("That isn't one of the answers. Check the question again."))
    return acts[choice](open_game.game)


def keep_possible(belief: Belief, finding: Finding, open_game: OpenGame) -> tuple[Belief, Finding]:
    """Return the finding without what this game can't record, so that every outcome is an answer.

    If that drops the likeliest outcome, the belief from before stays.
    """
    outcomes = tuple(outcome for outcome in finding.answers if _fits(outcome, open_game.game))
    if finding.kind in ("none", "unclear") or (outcomes and outcomes[0] == finding.outcomes[0]):
        return belief, replace(finding, outcomes=outcomes)
    if outcomes and finding.kind == "play":
        return open_game.belief, replace(finding, outcomes=outcomes, needs_review=True)
    reason = finding.reason or Doubt(Reason.NOT_ON_SHEET)
    unclear = replace(finding, kind="unclear", outcomes=(), needs_review=True, square=None, reason=reason)
    return open_game.belief, unclear


def _keep_entered(belief: Belief, finding: Finding) -> Belief:
    """Return the belief with tiles that were surely taken back still entered: people are asked about lost points."""
    if finding.kind != "removed" or finding.needs_review:
        return belief
    return replace(belief, entered=belief.entered[:-1], gap=Gap(open=True))


def _fits(outcome: Outcome, game: Game) -> bool:
    """Return whether an outcome is possible and changes something. Otherwise it isn't an answer."""
    try:
        return bool(outcome.changes or outcome.replaces) and bool(act_of(outcome)(game))
    except UpscoreError:
        return False


def act_of(outcome: Outcome) -> Callable[[Game], Game]:
    """Return the change that an answer makes to the game.

    A play that only went on is entered again with its photograph.
    """
    revision = outcome.revision

    def act(game: Game) -> Game:
        last = game.log[-1] if game.log else None
        if revision.replaces == 1 and len(revision.events) == 1 and isinstance(last, Played):
            return Revision(revision.events).apply(game.undo())
        return revision.apply(game)

    return act


def is_asked_about(play: Play, question: Question) -> bool:
    """Return whether a play entered by hand answers a question: it was asked about, and it is all that was played."""
    best = question.outcomes[0].revision if question.outcomes else Revision(())
    if question.kind != "play" or best.replaces or len(best.events) != 1:
        return False
    asked = [outcome.changes for outcome in question.outcomes]
    whole = [event.squares for event, *more in asked if event is not None and not more]
    if len(whole) < len(asked):
        return play.squares in whole  # it may be only the first of two turns
    return any({*squares} & {*play.squares} for squares in whole)


def find_line_shown(reading: BoardReading | None, game: Game) -> int | None:
    """Return the newest line of the sheet after which the board lay as it was read; 0 is the start, None means never.

    Squares under a hand are left out.
    """
    if reading is None:
        return None
    letters, hidden = reading.letters(), reading.find_occluded()
    for line in range(len(game.turns), -1, -1):
        board = game.board_after(line)
        squares = (square for square in board.squares() if not hidden[square.row, square.col])
        if all((board.top(square) or "") == letters[square.row][square.col] for square in squares):
            return line
    return None


def _line_name(game: Game, line: int) -> str:
    return phrase("turn %(number)s", number=game.turns[line - 1].number) if line else phrase("the start")


@dataclass(frozen=True)
class Taken:
    """The result of a photograph: the game afterwards, and a message for the page, or None.

    The message says that the board is right again, what the photograph shows, or what to watch out for in the next one.
    """

    open_game: OpenGame
    message: str | None


def _say_lifted(lifted: Play, game: Game) -> str:
    """Return the message that tiles to lift are off the board now."""
    off = plural("%(tiles)s is off.", "%(tiles)s are off.", len(lifted.tiles), tiles=names_of(lifted))
    return join_texts((off, next_up(game)))


def next_up(game: Game) -> str:
    """Return the sentence that says who plays next, "" if the game is over."""
    name = game.current_player
    if name is None:
        return ""
    return (
        phrase("%(name)s plays another word or passes.", name=name)
        if game.state.again is not None
        else phrase("%(name)s is next.", name=name)
    )


_READ_ALREADY = phrase("This photo was read already.")
_EMPTY = phrase("The board is still empty. Photograph it again after the first word.")
_ON_SHEET = phrase("This turn is already on the scoresheet. To pass, tap “Pass”.")
_CHANGED = phrase("The game changed while the photo was being read. Take it again if you still need it.")
_CLOSE_PX = 400
"""Side of the close look at the square in question, px: twice what a page shows, for phones' finer screens. [by eye]"""
_KEYS = 64
"""Keys of cancelled and of arrived photographs remembered: those on their way are far fewer. [by eye]"""


@dataclass(frozen=True)
class _Photo:
    """A photograph, (h, w, 3) BGR, where it came from and when: the hash of its file, and its sender's key."""

    image: Image
    source: str
    digest: str | None = None
    sent_as: str | None = None
    taken_at: str = field(default_factory=utc_now)


class Intake:
    """Takes turns from photographs, one at a time. `lessons` returns what was learned about the tiles of an edition."""

    def __init__(
        self, games: Games, store: Store, shelf: PhotoShelf, reader: TurnReader,
        lessons: Callable[[str], tuple[str, ...]],
    ) -> None:  # fmt: skip
        self._games, self._store, self._shelf, self._reader, self._lessons = games, store, shelf, reader, lessons
        self._reading, self._entering = threading.Lock(), threading.Lock()
        self._cancelled: deque[tuple[int, str]] = deque(maxlen=_KEYS)
        self._arrived: deque[tuple[int, str]] = deque(maxlen=_KEYS)

    def take(
        self, game_id: int, image: Image, source: str, digest: str | None = None,
        corners: Corners | None = None, sent_as: str | None = None, age_s: float = 0.0,
    ) -> Taken:  # fmt: skip
        """Read a photograph of the board after a turn, (h, w, 3) BGR, and enter the turn if it is certain.

        An uncertain turn becomes the game's question. A newer photograph replaces the question, and leaves none if
        tiles that were gone lie there again. `corners` are those of a camera (`TurnQuery`). If the same photograph is
        sent again, by its `digest` it changes nothing until something was decided, by its sender's key `sent_as` it
        never does. `age_s` is how long ago it was taken, s. A photograph older than the newest one read takes nothing
        back. Raises WebError if the game is over, if the photograph was cancelled, or if meanwhile the game was changed
        twice or a pass was entered.
        """
        photo = _Photo(image, source, digest, sent_as, utc_now(age_s))
        if sent_as is not None:
            self._arrived.append((game_id, sent_as))
        with self._reading:
            if sent_as is not None and (before := self._result_of_repeat(game_id, sent_as, digest)) is not None:
                return before
            open_game = self._under_way(game_id)
            if digest is not None and (said := self._repeat_text(open_game, digest)) is not None:
                return Taken(open_game, said)
            (belief, finding), first = self._look(image, open_game, corners), open_game
            if self._games.version(game_id) != open_game.row.version:
                # somebody answered or typed meanwhile, so the picture is read again against the new game
                open_game = self._under_way(game_id)
                since = open_game.game.events[len(first.game.events) :]
                if any(isinstance(event, Passed | Exchanged) for event in since):  # the picture may be from before that
                    raise Outdated(_CHANGED)
                belief, finding = self._look(image, open_game, corners)
            with self._entering:
                if (game_id, sent_as) in self._cancelled:
                    raise WebError(phrase("Photo cancelled. Nothing was scored."))
                if age_s and self._is_late(game_id, photo.taken_at, finding):
                    return self._keep_late(open_game, photo, finding)
                key = self._keep(open_game, photo, finding)
                try:
                    entered_before = open_game is not first or (source != "camera" and self._by_camera(open_game))
                    taken = self._settle(open_game, belief, finding, key)
                    return taken or self._enter(open_game, belief, finding, key, entered_before)
                except Outdated:
                    raise Outdated(_CHANGED) from None

    def _look(self, image: Image, open_game: OpenGame, corners: Corners | None) -> tuple[Belief, Finding]:
        belief, finding = self._reader.read_turn(image, self.query(open_game, corners))
        belief, finding = keep_asking(*keep_possible(_keep_entered(belief, finding), finding, open_game), open_game)
        return (
            (open_game.belief, _ask_who_passed(finding, open_game.game))
            if is_short_round(finding, open_game)
            else (belief, finding)
        )

    def has_arrived(self, game_id: int, sent_as: str) -> bool:
        """Return whether the photograph of that key has arrived. It may still be read, or be entered already."""
        return (game_id, sent_as) in tuple(self._arrived)

    def cancel(self, game_id: int, sent_as: str) -> bool:
        """Ignore the photograph of that key, which may be on its way or being read.

        Return False if it is already entered.
        """
        with self._entering:
            if self._store.find_photo_sent_as(game_id, sent_as) is not None:
                return False
            self._cancelled.append((game_id, sent_as))
            return True

    def take_followed(self, game_id: int, followed: TrackedFinding, version: int) -> OpenGame:
        """Enter a turn that was found by following the table since `version` of the game, or ask about it.

        A waiting question is asked again with everything played since, or settles itself if the board lies as on the
        scoresheet again. A look that only repeats it joins the belief, and the page stays as it is. Raises Outdated if
        the game was changed meanwhile, WebError if it is over.
        """
        with self._reading:
            open_game = self._under_way(game_id)
            if open_game.row.version != version:
                raise Outdated(phrase("The game changed while the board was being read. Upscore is reading it again."))
            after = _keep_entered(followed.belief, followed.finding)
            belief, finding = keep_possible(after, followed.finding, open_game)
            if open_game.question is not None and (ended := settle_belief(belief, finding, open_game)) is not None:
                return self._games.change(open_game, lambda game: game, belief=ended)
            if open_game.question is not None and repeats_question(
                finding, open_game.question, play_to_take_back(open_game.game)
            ):
                return self._games.hold_belief(open_game, belief)  # many doubtful looks add up
            if open_game.question is None and is_as_before(finding) and finding.lifted is None:
                # that question was skipped before, so don't ask it again: the table enters a pass itself
                return self._games.change(open_game, lambda game: game, belief=belief)
            key = self._keep(open_game, _Photo(followed.image, "camera"), finding)
            return self._enter(open_game, belief, finding, key).open_game

    def answer(self, open_game: OpenGame, choice: int, version: int) -> OpenGame:
        """Settle the waiting question by one of its answers; raises WebError when there is no such answer."""
        question = _question_of(open_game)
        if version != open_game.row.version:
            raise Outdated
        photo = None if question.kind == "removed" else question.photo
        if is_about(question.reason, Reason.PERHAPS_THERE):
            # with this answer they are off, and nobody asks again
            open_game = replace(open_game, belief=replace(open_game.belief, to_lift=None))
        now = after(open_game, choice)
        return self._games.change(
            _know_stacks(open_game, now.turns[-1].verdict if now.turns else None),
            lambda _: now,
            version=version,
            photo=photo,
            shown=question.lying is None,
        )

    def say_height(self, open_game: OpenGame, square: Square, height: int, version: int) -> OpenGame:
        """Go on from the game in which an open stack has the height that the table says. The question stays."""
        question, belief = _question_of(open_game), open_game.belief
        if square not in open_game.open_stacks:
            raise Outdated
        now = with_height(open_game.game, square, height)
        if now.board.height(square) == open_game.game.board.height(square):
            return open_game
        question = replace(question, outcomes=tuple(outcome for outcome in question.outcomes if _fits(outcome, now)))
        if is_about(question.reason, Reason.COUNTED_HEIGHT):  # another height is counted now
            question = replace(question, reason=Doubt(Reason.OPEN_STACK, (square_names(open_game.open_stacks),)))
        open_game = replace(open_game, belief=replace(belief, assumed=belief.assumed | {square}))
        return self._games.change(open_game, lambda _: now, version=version, question=question)

    def enter(self, open_game: OpenGame, play: Play, version: int) -> OpenGame:
        """Enter a play by hand. It settles a waiting question, whose photograph then shows this turn."""
        question = open_game.question
        shown = question is not None and is_asked_about(play, question)
        return self._games.change(
            _know_stacks(open_game, open_game.game.judge(play)) if shown else open_game,
            lambda game: game.play(play),
            version=version,
            photo=None if question is None else question.photo,
            shown=shown,
        )

    def enter_and_read_on(self, open_game: OpenGame, play: Play, version: int) -> OpenGame:
        """Enter a play by hand, and read the photograph again if it seems to show a second turn."""
        entered = self.enter(open_game, play, version)
        outcomes = () if open_game.question is None else open_game.question.outcomes
        plays = [[event for event in outcome.changes if event is not None] for outcome in outcomes]
        is_first_of_two = any(len(each) > 1 and {*each[0].squares} == {*play.squares} for each in plays)
        return self.read_again(open_game, entered) if is_first_of_two else entered

    def take_board(
        self, open_game: OpenGame, board: Board, assumed: frozenset[Square], player: int, version: int
    ) -> OpenGame:
        """Go on from the board that the photograph of the question shows; player number `player` (from 0) is next.

        The heights of the stacks on `assumed` squares are in doubt.
        """
        question = _question_of(open_game)
        taken = BoardTaken.of(board, player)
        return self._games.change(
            open_game,
            lambda game: game.with_event(taken),
            version=version,
            photo=question.photo,
            belief=replace(anew(open_game.belief, board), assumed=assumed),
        )

    def read_again(self, was: OpenGame, now: OpenGame) -> OpenGame:
        """Read the photograph of a question once more, after a change of the game that dropped the question.

        It leaves a question without answers alone, because that photograph did not show enough.
        """
        question = was.question
        if question is None or not question.outcomes or not self._shelf.has(question.photo):
            return now
        photo = self._store.photo(question.photo)
        image = self._shelf.load(question.photo)
        with self._reading, self._entering:
            open_game = self._under_way(now.row.id)
            # the looks so far were this photograph's, too, and would count twice
            fresh = replace(confirm_belief(open_game.belief, open_game.game), to_lift=open_game.belief.to_lift)
            belief, finding = self._look(image, replace(open_game, belief=fresh), None)
            if finding.kind == "none" or not finding.outcomes:
                return open_game
            again = _Photo(image, photo.source, photo.digest, taken_at=photo.taken_at)
            key = self._keep(open_game, again, finding)
            with suppress(Outdated):  # somebody was quicker: the change stands
                return self._enter(open_game, belief, finding, key).open_game
            return open_game

    def dismiss(self, open_game: OpenGame, version: int) -> OpenGame:
        """Skip the waiting question; the game stays as it is.

        For a play this says that nothing was played. After an unclear picture the doubt stays.
        """
        asked = _question_of(open_game).kind in ("play", "removed")
        return self._games.change(open_game, lambda game: game, version=version, shown=asked)

    def confirm_lifted(self, open_game: OpenGame, version: int) -> OpenGame:
        """Record that none of the tiles to lift lies on the board. A question about other tiles stays."""
        question, belief = open_game.question, replace(open_game.belief, to_lift=None)
        if question is None or question.lying is not None:
            question, belief = None, confirm_belief(open_game.belief, open_game.game)
        return self._games.change(open_game, lambda game: game, version=version, question=question, belief=belief)

    def query(self, open_game: OpenGame, corners: Corners | None = None) -> TurnQuery:
        """Return what a reader needs to know of an open game, the camera's corners, and the family's tiles."""
        setup = open_game.game.setup
        settings = GameSettings(
            setup.edition, open_game.game.lexicon, setup.rules, plays_between=open_game.plays_expected
        )
        # the tiles of a demo are not the table's
        lessons = () if open_game.row.demo else self._lessons(setup.edition.name)
        return TurnQuery(open_game.belief, settings, corners, lessons)

    def _under_way(self, game_id: int) -> OpenGame:
        open_game = self._games.open(game_id)
        open_game.check_under_way()
        return open_game

    def _result_of_repeat(self, game_id: int, sent_as: str, digest: str | None) -> Taken | None:
        """Return the result of the photograph of that key, or None if there was none."""
        photo = self._store.find_photo_sent_as(game_id, sent_as)
        if photo is None:
            return None
        if photo.digest != digest:
            raise WebError("Another photograph was sent with this key: give each photograph a key of its own.")
        open_game = self._games.open(game_id)
        return Taken(open_game, None if photo.lifted is None else _say_lifted(parse_play(photo.lifted), open_game.game))

    def _repeat_text(self, open_game: OpenGame, digest: str) -> str | None:
        """Return what to say about a photograph that the game already has, or None if it is new.

        The newest photograph counts unless something was decided since, an earlier one if it shows a turn on the sheet.
        """
        newest = self._store.newest_photo(open_game.row.id)
        if newest is not None and newest.digest == digest:
            return _READ_ALREADY if newest.version == open_game.row.version else None
        for line, photo in by_place(open_game.game, self._store.photos(open_game.row.id)).items():
            if photo.digest == digest:
                return join_texts((_READ_ALREADY, phrase("It shows %(turn)s.", turn=_line_name(open_game.game, line))))
        return None

    def _is_late(self, game_id: int, taken_at: str, finding: Finding) -> bool:
        """Return whether a photograph was taken before the newest that was read.

        A photograph that surely shows a new play on top of everything on the sheet isn't late.
        """
        newest = self._store.find_newest_taken(game_id)
        is_new_play = finding.kind == "play" and not finding.needs_review and not finding.outcomes[0].replaces
        return newest is not None and taken_at < newest and not is_new_play

    def _keep_late(self, open_game: OpenGame, photo: _Photo, finding: Finding) -> Taken:
        """Keep a photograph that was taken before the newest one. It goes with its turn, unless that has one."""
        line = find_line_shown(finding.reading, open_game.game)
        entry = entry_of(open_game.game, line) if line is not None else None
        if entry in self._store.photos(open_game.row.id):
            entry = None
        self._keep(open_game, photo, finding, entry=entry, version=open_game.row.version)
        text = phrase("This is an earlier photo. Nothing was changed.")
        if line is not None:
            turn = _line_name(open_game.game, line)
            text = phrase("This is an earlier photo: it shows %(turn)s. Nothing was changed.", turn=turn)
        return Taken(open_game, text)

    def _keep(
        self,
        open_game: OpenGame,
        photo: _Photo,
        finding: Finding,
        *,
        entry: int | None = None,
        version: int | None = None,
    ) -> str:
        turns = 0 if finding.reading is None else quarter_turns(finding.reading.corners)
        overlay, close_up = _overlay(photo.image, finding, open_game), _close_up(photo.image, finding, open_game)
        key = self._shelf.keep(photo.image, overlay, close_up, turns=turns)
        summary = finding.kind if finding.reason is None else f"{finding.kind}: {finding.reason}"
        lifted = format_play(finding.lifted) if shows_only_lift(finding) and finding.lifted else None
        row = PhotoRow(key, open_game.row.id, photo.taken_at, photo.source, entry, summary, photo.digest)
        read = dump_reading(finding.reading)
        self._store.add_photo(replace(row, version=version, sent_as=photo.sent_as, lifted=lifted, reading=read))
        return key

    def _settle(self, open_game: OpenGame, belief: Belief, finding: Finding, key: str) -> Taken | None:
        """End a question about tiles that were gone (taken back, knocked off, or of another board); None if it stays.

        A photograph usually stands for a turn, so one without a change may show a pass. It doesn't if it answers such a
        question, or if the tiles were laid again.
        """
        question, looks = open_game.question, open_game.belief.looks
        asked_for_tiles = question is not None and (
            question.kind == "removed" or (question.kind == "unclear" and bool(looks) and looks[-1].is_blank)
        )
        may_be_pass = finding.kind == "none" and (finding.needs_review or not asked_for_tiles)
        ended = None if may_be_pass else settle_belief(belief, finding, open_game)
        if ended is None:
            return None
        changed = self._games.change(open_game, lambda game: game, taken=key, belief=ended)
        if finding.lifted is not None:
            return Taken(changed, _say_lifted(finding.lifted, changed.game))
        right_again = join_texts((phrase("The board is right again."), next_up(changed.game)))
        return Taken(changed, _notice(finding) or right_again)

    def _by_camera(self, open_game: OpenGame) -> bool:
        """Return whether a camera showed what was entered last. Another photograph of that doesn't show a pass."""
        photo = self._store.photos(open_game.row.id).get(len(open_game.game.log) - 1)
        return photo is not None and photo.source == "camera"

    def _enter(
        self, open_game: OpenGame, belief: Belief, finding: Finding, key: str, entered_before: bool = False
    ) -> Taken:
        if finding.kind == "play" and not finding.needs_review:
            act = act_of(finding.outcomes[0])
            changed = self._games.change(open_game, act, photo=key, taken=key, belief=belief)
            return Taken(changed, _notice(finding))
        # before the first word, an empty board is not a turn and needs no question
        first = is_as_before(finding) and not open_game.game.turns and open_game.game.board.is_empty
        entered_before = entered_before and is_as_before(finding)
        clear = shows_only_lift(finding)
        question = (
            None if clear or first or entered_before else Question.of(finding, key, play_to_take_back(open_game.game))
        )
        changed = self._games.change(open_game, lambda game: game, question=question, taken=key, belief=belief)
        if clear and finding.lifted is not None:
            return Taken(changed, _say_lifted(finding.lifted, changed.game))
        return Taken(changed, _EMPTY if first else _ON_SHEET if entered_before else _notice(finding))


def _know_stacks(open_game: OpenGame, verdict: Verdict | None) -> OpenGame:
    """Return the game after the table has said what was played. The open stacks that this counts are known, too."""
    counted = {square for word in verdict.words for square in word.squares} if verdict is not None else set()
    assumed = open_game.belief.assumed - (counted & {*open_game.open_stacks})
    return replace(open_game, belief=replace(open_game.belief, assumed=assumed))


def _question_of(open_game: OpenGame) -> Question:
    if open_game.question is None:
        raise Outdated(phrase("That question has already been answered. Check the game again."))
    return open_game.question


def _overlay(image: Image, finding: Finding, open_game: OpenGame) -> Image | None:
    """Draw the reading on the photograph. It shows only the points of words, since nobody has challenged them.

    Tiles of an undone play may lie there correctly, so they are drawn as the play that the page asks about.
    """
    reading, game, verdict = finding.reading, open_game.game, None
    if reading is None:
        return None
    if finding.lying is not None and finding.outcomes and open_game.find_taken_off(finding.lying) is None:
        finding = replace(finding, kind="play", play=finding.outcomes[0].play, reason=None)
    if finding.kind == "play" and finding.play is not None:
        settings = GameSettings(game.setup.edition, game.lexicon, game.setup.rules)
        verdict = settings.verdict(finding.before, finding.play)
        verdict = replace(verdict, violations=verdict.breaches)
    return draw_turn(*upright(image, reading), finding, verdict)


def _close_up(image: Image, finding: Finding, open_game: OpenGame) -> Image | None:
    """Return a close-up of the square that decides the question, upright; None if there is none."""
    square = find_framed_square(Question.of(finding, "", play_to_take_back(open_game.game)))
    if finding.reading is None or square is None:
        return None
    height, hidden = finding.board.height(square), explain_hidden(finding.reading, finding.board, square) is not None
    return crop_square(image, finding.reading, square, height, _CLOSE_PX, hidden=hidden)


def _notice(finding: Finding) -> str | None:
    """Return a message about what to watch out for in the next photograph, unless the question already says it."""
    cut_off = not is_about(finding.reason, Reason.CUT_OFF)
    return None if finding.reading is None else finding.reading.notice(cut_off=cut_off)
