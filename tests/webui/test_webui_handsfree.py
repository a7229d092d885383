"""Hands-free play: what the camera's frames settle is entered, asked about, amended; people come first."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from clockkit import Clock
from flask.testing import FlaskClient
from presencekit import there
from readings import camera as view_from
from readings import reading_of, tear
from webkit import (
    EXAMPLE,
    ScriptedReader,
    because,
    doubt,
    finding,
    make_finding,
    make_tracked,
    outcome,
    picture,
    really,
    sure,
    until,
)

from engine import EDITIONS, Board, parse_play
from engine.game.events import Passed
from vision import Belief, BoardReader, BoardReading, Finding, Video, certain
from vision.geometry.camera import corners_of
from vision.images import Image
from vision.video.motion import view_thumbnail
from vision.video.watch_state import TrackedFinding, WatchState
from webui.errors import CameraError
from webui.live.camera import BaseCamera, Camera, CameraStatus, Frame, parse_source
from webui.live.cameras import CameraView
from webui.live.hands_free import GivenCorners, HandsFree, _is_locked
from webui.live.table_state import TableState
from webui.ports import Aim, Corners, Follower, TurnQuery
from webui.services import Services
from webui.table.games import OpenGame
from webui.table.intake import repeats_question
from webui.table.question import Question, turns_waiting
from webui.table.reader import Following
from webui.views.game import view_game

WAITING = WatchState("in view", False, 2.0, False, due=True)


@dataclass(frozen=True)
class Early:
    """The finding that an early look is sure of, None for none."""

    finding: Finding | None


@dataclass
class Script:
    """Follows by script: what each frame settles, None where it settles nothing; remembers what it is told."""

    events: list[TrackedFinding | Exception | Early | None]
    told: list[tuple[Belief, bool]] = field(default_factory=list)

    def watch(self, frame: Image, time: float) -> WatchState:
        early = bool(self.events) and isinstance(self.events[0], Early)
        return replace(WAITING, due=not early, early=early)

    def glance(self) -> Finding | None:
        early = self.events.pop(0)
        assert isinstance(early, Early)
        return early.finding

    def read(self) -> TrackedFinding | None:
        event = self.events.pop(0) if self.events else None
        assert not isinstance(event, Early)
        if isinstance(event, Exception):
            raise event
        return event

    def finish(self) -> TrackedFinding | None:
        return self.read()

    def believe(self, belief: Belief, *, again: bool) -> None:
        self.told.append((belief, again))


@dataclass
class Reader(ScriptedReader):
    """Follows by the next script each time, and remembers from where."""

    scripts: list[Script] = field(default_factory=list)
    followed: list[TurnQuery] = field(default_factory=list)

    def follow(self, query: TurnQuery) -> Follower:
        self.followed.append(query)
        return self.scripts.pop(0) if self.scripts else Script([])

    def find_grid(self, image: Image, query: TurnQuery) -> Corners:
        raise NotImplementedError

    def aim(self, image: Image, query: TurnQuery, before: Corners | None) -> Aim:
        raise NotImplementedError


class Lens(BaseCamera):
    """A camera that has a new frame at every look, unless it is lost."""

    def __init__(self, *, lost: bool = False) -> None:
        super().__init__("the webcam", lambda: None)
        self.lost, self.frames = lost, 0

    @property
    def status(self) -> CameraStatus:
        return CameraStatus("lost", "It is gone.") if self.lost else CameraStatus("live", "It is live.")

    def next(self, timeout_s: float) -> Frame | None:
        if self.lost:
            raise CameraError("The camera gives no picture.")
        self.frames += 1
        return Frame(picture(), self.frames / 10)

    def newest(self) -> Image:
        return picture()


@pytest.fixture
def reader() -> Reader:
    return Reader()


Follow = Callable[..., HandsFree]


@pytest.fixture
def follow(services: Services, reader: Reader, game: OpenGame) -> Iterator[Follow]:
    """Follows the game hands free, through a lens unless another camera is given, until the test is over."""
    with ExitStack() as following:

        def start(camera: BaseCamera | None = None, **settings: Any) -> HandsFree:
            hands = HandsFree(camera or Lens(), services.games, services.intake, reader, services.announcer, **settings)
            following.callback(hands.close)
            hands.follow(game.row.id)
            return hands

        yield start


@pytest.fixture
def watch(services: Services, game: OpenGame, follow: Follow) -> Callable[..., OpenGame]:
    """Look so many times at the game, and return it as it then stands."""
    hands = follow()

    def looks(times: int) -> OpenGame:
        for _ in range(times):
            hands.look()
        return services.games.open(game.row.id)

    return looks


def board_of(tiles: str) -> Board:
    return Board.empty(8).with_play(parse_play(tiles))


def test_a_game_that_changes_to_another_board_is_followed_anew(
    services: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    """A follower knows one board; nothing of that is of use for the other."""
    services.games.change_board(watch(1), EDITIONS["10x10"], 1)
    watch(1)
    assert [query.settings.edition.name for query in reader.followed] == ["8x8", "10x10"]
    assert reader.followed[1].belief.sheet_board == Board.empty(10)


def test_turns_are_entered_as_they_are_found(reader: Reader, watch: Callable[..., OpenGame]) -> None:
    reader.scripts = [Script([None, make_tracked(sure(EXAMPLE[0])), None, make_tracked(sure(EXAMPLE[1]))])]
    after = watch(5)
    assert [turn.points for turn in after.game.turns] == [8, 8]
    assert len(reader.followed) == 1


def test_what_is_played_while_a_question_waits_joins_it(
    services: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    both = replace(really(*EXAMPLE[:2], replaces=0), reason=because("Two plays."))
    reader.scripts = [Script([make_tracked(doubt(EXAMPLE[0], "M@b4 O@c4")), None, make_tracked(both), None])]
    asked = watch(1)
    assert turns_waiting(there(asked.question)) == 1
    asked = watch(3)
    assert turns_waiting(there(asked.question)) == 2
    assert not asked.game.turns
    after = services.intake.answer(asked, 0, asked.row.version)
    assert [turn.points for turn in after.game.turns] == [8, 8]
    assert len(reader.followed) == 1, "it is followed all along"


def test_a_question_settles_itself_when_a_later_look_is_certain(reader: Reader, watch: Callable[..., OpenGame]) -> None:
    reader.scripts = [Script([make_tracked(doubt(EXAMPLE[0], "M@b4 O@c4")), make_tracked(sure(EXAMPLE[0]))])]
    after = watch(2)
    assert after.question is None
    assert [turn.points for turn in after.game.turns] == [8]


def test_a_reminder_is_given_anew_where_a_play_lies_beside_the_tiles() -> None:
    """Or what was seen of that play would be forgotten, and pass for a part of the next."""
    reminder = replace(make_finding("unclear", "Still on the board.", "X@b4"), lying=parse_play("X@b4"))
    question = Question.of(reminder, "photograph")
    assert repeats_question(reminder, question)
    assert not repeats_question(replace(reminder, reason=because("Others lie there with them.")), question)


def test_a_question_that_was_answered_is_shown_no_longer_while_the_board_is_read(
    services: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    reader.scripts = [Script([make_tracked(doubt(EXAMPLE[0], "M@b4 O@c4"))])]
    asked = watch(1)
    camera = CameraView(
        "", (), "the webcam", CameraStatus("live", "It is live."), TableState("question", waiting=1), True, 0
    )

    def read_line(open_game: OpenGame) -> str:
        state = there(view_game(open_game, {}, kinds=lambda key: (), camera=camera).state)
        return state.headline

    assert read_line(asked) == "Question waiting"
    assert read_line(services.intake.answer(asked, 0, asked.row.version)) == "Watching"


def test_the_same_question_is_asked_once(reader: Reader, watch: Callable[..., OpenGame]) -> None:
    reader.scripts = [Script([make_tracked(doubt(EXAMPLE[0], "M@b4 O@c4")) for _ in range(3)])]
    first, last = watch(1), watch(2)
    assert (last.row.version, last.question) == (first.row.version, first.question)


@dataclass
class DrawnTable(BaseCamera):
    """A camera over a drawn table, five frames a second, and a reader that knows the `board` on it.

    `first` are the probabilities of the letters on b4, once a tile lies there.
    """

    board: Board = field(default_factory=lambda: Board.empty(8))
    first: dict[str, float] = field(default_factory=dict)
    frames: int = 0
    hand: bool = False

    def __post_init__(self) -> None:
        super().__init__("the webcam", lambda: None)
        self.ground = np.full((960, 1280, 3), 120, dtype=np.uint8)
        cv2.fillConvexPoly(self.ground, corners_of(view_from(8), 8).astype(np.int32), (60, 40, 110))
        self.reader = BoardReader(without={"tesseract"})
        self.reader.read = self.read  # type: ignore[method-assign]

    @property
    def status(self) -> CameraStatus:
        return CameraStatus("live", "It is live.")

    def next(self, timeout_s: float) -> Frame | None:
        self.frames += 1
        image = self.ground + np.random.default_rng(self.frames % 5).normal(0, 2, (960, 1280, 1))
        if self.hand:
            cv2.line(image, (700, 960), (620 + 24 * (self.frames % 3), 420), (140, 170, 210), 90)
        return Frame(np.clip(image, 0, 255).astype(np.uint8), self.frames / 5)

    def newest(self) -> Image:
        return self.ground

    def read(self, image: Image, size: int, **hints: Any) -> BoardReading:
        reading = reading_of(self.board)
        return tear(reading, 3, 1, **self.first) if self.first else reading


Visit = Callable[..., OpenGame]


@pytest.fixture
def visit(services: Services, reader: Reader, game: OpenGame, follow: Follow) -> Visit:
    """Reach over a drawn table, perhaps with tiles, then let it rest. Return the game as it then stands."""
    table = DrawnTable()
    reader.follow = lambda query: Following(table.reader, query)  # type: ignore[method-assign]
    hands = follow(table)

    def look(seconds: float, *, hand: bool) -> None:
        table.hand = hand
        for _ in range(round(5 * seconds)):
            hands.look()

    def reach(tiles: str = "", **first: float) -> OpenGame:
        look(1.0, hand=True)
        if tiles:
            table.board, table.first = table.board.with_play(parse_play(tiles)), first
        look(4.4, hand=False)
        return services.games.open(game.row.id)

    look(2.6, hand=False)
    return reach


@pytest.mark.slow
def test_a_play_that_many_looks_show_in_doubt_is_entered_from_their_sum(visit: Visit) -> None:
    """Each look is too weak for it, and the page stays as it is until then."""
    asked = visit(EXAMPLE[0], M=0.85, W=0.1)
    looks = [visit() for _ in range(2)]
    assert asked.question is not None
    assert [(look.row, look.question) for look in looks] == [(asked.row, asked.question)] * 2
    after = visit()
    assert [turn.points for turn in after.game.turns] == [8]
    assert after.question is None


@pytest.mark.slow
def test_an_answer_is_about_all_looks_that_repeat_the_question(services: Services, visit: Visit) -> None:
    """No turn was missed in them, and the next play is one."""
    visit(EXAMPLE[0], M=0.7, W=0.25)
    asked = [visit() for _ in range(3)][-1]
    assert len(asked.belief.looks) == 4
    answered = services.intake.answer(asked, 0, asked.row.version)
    assert not answered.belief.in_doubt
    after = visit(EXAMPLE[1])
    assert [turn.points for turn in after.game.turns] == [8, 8]
    assert after.question is None


@dataclass
class Hands:
    """Hands-free play by script, and its clock."""

    follows: HandsFree
    clock: Clock

    def look_once(self) -> tuple[tuple[str, ...], int, bool] | None:
        """Look once; return the words and points that are shown then, and whether they are provisional."""
        self.follows.look()
        score = self.follows.state.score
        return None if score is None else (score.words, score.points, score.provisional)


@pytest.fixture
def hands(follow: Follow) -> Hands:
    clock = Clock(0.0)
    return Hands(follow(clock=clock), clock)


def test_a_play_is_shown_before_it_is_entered_and_for_three_seconds_afterwards(
    services: Services, reader: Reader, game: OpenGame, hands: Hands
) -> None:
    begun, whole = Early(sure("M@b4 O@c4")), Early(sure(EXAMPLE[0]))
    reader.scripts = [Script([begun, whole, make_tracked(sure(EXAMPLE[0])), None, None])]
    assert hands.look_once() == (("MO",), 4, True)
    assert hands.look_once() == (("MOOD",), 8, True)
    before = services.games.open(game.row.id)
    assert (before.row.version, before.game.turns) == (game.row.version, ()), "nothing of it is stored"
    assert hands.look_once() == (("MOOD",), 8, False)
    hands.clock.now = 3.4  # the page has fetched it by 0.4 s
    assert hands.look_once() == (("MOOD",), 8, False)
    hands.clock.now = 3.6
    assert hands.look_once() is None


def test_a_play_that_turns_out_otherwise_is_shown_no_longer(
    services: Services, reader: Reader, game: OpenGame, hands: Hands
) -> None:
    early = Early(sure(EXAMPLE[0]))
    unsure, asked = Early(None), make_tracked(doubt(EXAMPLE[0], "M@b4 O@c4"))
    reader.scripts = [Script([early, unsure, early, None, early, asked])]
    mood = (("MOOD",), 8, True)
    assert [hands.look_once() for _ in range(6)] == [mood, None, mood, None, mood, None]
    assert services.games.open(game.row.id).game.turns == ()


@pytest.mark.parametrize("shown", [Early(sure(EXAMPLE[0])), make_tracked(sure(EXAMPLE[0]))], ids=["early", "entered"])
def test_a_change_by_hand_takes_the_score_away(
    services: Services, reader: Reader, game: OpenGame, hands: Hands, shown: Early | TrackedFinding
) -> None:
    """The sheet may say otherwise now, as when the question about that play was answered."""
    reader.scripts = [Script([shown])]
    assert hands.look_once() is not None
    services.games.change(services.games.open(game.row.id), lambda begun: begun.with_event(Passed()))
    assert hands.look_once() is None


def test_a_play_that_goes_on_after_it_was_entered_is_shown_for_its_player(reader: Reader, hands: Hands) -> None:
    whole = really(EXAMPLE[0], asked=False)
    reader.scripts = [Script([make_tracked(sure("M@b4 O@c4")), Early(whole), Early(sure(EXAMPLE[1]))])]
    hands.look_once()
    assert hands.look_once() == (("MOOD",), 8, True)
    score = there(hands.follows.state.score)
    assert score.player == "Red"


def test_what_would_not_be_one_play_alone_is_not_shown(reader: Reader, hands: Hands) -> None:
    two = really(*EXAMPLE[:2], replaces=0, asked=False)
    reader.scripts = [Script([Early(two)])]
    assert hands.look_once() is None


def test_where_looks_take_long_there_are_no_early_ones(reader: Reader, hands: Hands) -> None:
    """They would keep the frames waiting, so that stillness is missed."""
    script = Script([None, Early(sure(EXAMPLE[0]))])
    read = script.read

    def slow() -> TrackedFinding | None:
        hands.clock.now += 2.0
        return read()

    script.read = slow  # type: ignore[method-assign]
    reader.scripts = [script]
    assert [hands.look_once(), hands.look_once()] == [None, None]
    assert len(script.events) == 1, "the early look was left out"


def back_and_again(confidence: float, tiles: str = EXAMPLE[0]) -> TrackedFinding:
    """What was taken back, and another play in its place."""
    both = outcome(None, tiles, share=confidence)
    return make_tracked(finding("play", both, asked=True, reason=because("Taken back?")))


def as_before() -> TrackedFinding:
    """The board lies as the scoresheet has it."""
    return make_tracked(finding("none"), certain(board_of(EXAMPLE[0])))


@pytest.mark.parametrize("later", [as_before(), back_and_again(0.99)])
def test_a_question_about_tiles_taken_back_answers_itself_when_they_are_laid_again(
    reader: Reader, watch: Callable[..., OpenGame], later: TrackedFinding
) -> None:
    reader.scripts = [Script([make_tracked(sure(EXAMPLE[0])), make_tracked(make_finding("removed")), later])]
    asked = watch(2)
    assert asked.question is not None
    after = watch(1)
    assert after.question is None
    assert [(turn.player, turn.points) for turn in after.game.turns] == [("Red", 8)]
    assert after.game.current_player == "Blue"
    assert after.belief.sheet_board == board_of(EXAMPLE[0])


def test_after_a_question_was_put_aside_a_board_as_before_is_not_asked_about(
    services: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    reader.scripts = [Script([make_tracked(sure(EXAMPLE[0])), make_tracked(make_finding("unclear")), as_before()])]
    asked = watch(2)
    assert asked.question is not None
    aside = services.intake.dismiss(asked, asked.row.version)
    assert aside.question is None
    after = watch(1)
    assert after.question is None, "a table that follows its board passes by saying so"
    assert [turn.kind for turn in after.game.turns] == ["play"]


@pytest.mark.parametrize("later", [back_and_again(0.9), back_and_again(0.99, "M@b4 O@c4")])
def test_what_was_laid_instead_of_tiles_taken_back_is_asked_about(
    reader: Reader, watch: Callable[..., OpenGame], later: TrackedFinding
) -> None:
    reader.scripts = [Script([make_tracked(sure(EXAMPLE[0])), make_tracked(make_finding("removed")), later])]
    after = watch(3)
    assert str(there(after.question).reason) == "Taken back?"
    assert len(after.game.turns) == 1


def test_what_is_read_while_somebody_answers_counts_for_nothing_and_is_read_again(
    services: Services, reader: Reader, game: OpenGame, watch: Callable[..., OpenGame]
) -> None:
    script = Script([make_tracked(sure(EXAMPLE[0]))])
    reader.scripts = [script]
    read = script.read

    def slow() -> TrackedFinding | None:
        services.games.change(services.games.open(game.row.id), lambda begun: begun.with_event(Passed()))
        script.read = read  # type: ignore[method-assign]
        return read()

    script.read = slow  # type: ignore[method-assign]
    assert [turn.kind for turn in watch(1).game.turns] == ["pass"]
    assert script.told[-1][1], "the board is looked at again"


def test_a_play_that_goes_on_takes_the_place_of_what_was_entered(
    services: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    begun, whole = "M@b4 O@c4", EXAMPLE[0]
    reader.scripts = [Script([make_tracked(sure(begun)), make_tracked(really(whole, asked=False))])]
    after = watch(2)
    assert [turn.points for turn in after.game.turns] == [8]
    assert after.game.board == board_of(whole)
    assert len(reader.followed) == 1
    newest = there(services.store.newest_photo(after.row.id))
    assert services.photos(after)[1].key == newest.key


def test_a_play_that_may_have_gone_on_is_put_right_with_a_tap(
    services: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    reader.scripts = [Script([make_tracked(sure("M@b4 O@c4")), make_tracked(really(EXAMPLE[0]))])]
    asked = watch(2)
    assert asked.question is not None
    assert len(asked.game.turns[0].play.tiles) == 2  # type: ignore[union-attr]
    after = services.intake.answer(asked, 0, asked.row.version)
    assert [turn.play for turn in after.game.turns] == [parse_play(EXAMPLE[0])]
    assert services.photos(after)[1].key == asked.question.photo


def test_what_cannot_be_amended_is_asked_about(reader: Reader, watch: Callable[..., OpenGame]) -> None:
    two = really(EXAMPLE[0], EXAMPLE[1], replaces=2, asked=False)
    reader.scripts = [Script([make_tracked(sure(EXAMPLE[0])), make_tracked(two)])]
    after = watch(2)
    assert len(after.game.turns) == 1
    assert after.question is not None
    assert (after.question.kind, after.question.outcomes) == ("unclear", ())
    assert "doesn't fit the scoresheet" in str(after.question.reason)


def test_an_earlier_turn_that_looks_like_another_is_put_right_with_a_tap(
    services: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    misread = "M@b4 O@c4 O@d4 N@e4"
    reader.scripts = [Script([make_tracked(sure(misread)), make_tracked(really(EXAMPLE[0], EXAMPLE[1]))])]
    asked = watch(2)
    assert "earlier turn" in str(there(asked.question).reason)
    after = services.intake.answer(services.games.open(asked.row.id), 0, asked.row.version)
    assert [turn.points for turn in after.game.turns] == [8, 8]
    assert after.game.board == board_of(EXAMPLE[0]).with_play(parse_play(EXAMPLE[1]))


def test_tiles_taken_back_and_two_turns_at_once_are_asked_about_and_followed_on(
    services: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    both = replace(really(*EXAMPLE[:2], replaces=0), reason=because("Two plays."))
    script = Script([make_tracked(both), make_tracked(make_finding("removed"))])
    reader.scripts = [script]
    asked = watch(1)
    after = services.intake.answer(asked, 0, asked.row.version)
    assert [turn.player for turn in after.game.turns] == ["Red", "Blue"]
    asked = watch(1)
    assert asked.question is not None
    after = services.intake.answer(asked, 0, asked.row.version)
    assert (after.game.current_player, after.game.board) == ("Blue", board_of(EXAMPLE[0]))
    watch(1)
    belief, again = script.told[-1]
    assert (belief.sheet_board, again) == (board_of(EXAMPLE[0]), True)


def test_a_change_by_hand_is_followed_from_there(
    services: Services, reader: Reader, watch: Callable[..., OpenGame]
) -> None:
    script = Script([None, make_tracked(sure(EXAMPLE[0]))])
    reader.scripts = [script]
    before = watch(1)
    services.games.change(before, lambda game: game.with_event(Passed()))
    after = watch(2)
    assert after.game.turns[-1].points == 8
    assert [again for _, again in script.told] == [True, False]


def test_a_game_that_is_over_is_left_alone(services: Services, reader: Reader, watch: Callable[..., OpenGame]) -> None:
    reader.scripts = [Script([make_tracked(sure(EXAMPLE[0]))])]
    game = there(services.games.newest())
    services.games.change(services.games.open(game.id), lambda begun: begun.end("agreed", (0, 0)))
    assert not watch(3).game.turns
    assert not reader.followed


def test_a_turn_that_lay_there_when_the_camera_was_lost_is_entered(
    services: Services, reader: Reader, game: OpenGame, follow: Follow
) -> None:
    reader.scripts = [Script([None, make_tracked(sure(EXAMPLE[0]))])]
    lens = Lens()
    hands = follow(lens)
    hands.look()
    lens.lost = True
    for _ in range(2):
        with pytest.raises(CameraError):
            hands.look()
    assert [turn.points for turn in services.games.open(game.row.id).game.turns] == [8]
    assert hands.state.kind == "gone"


def test_a_lost_camera_is_said_and_does_no_harm(follow: Follow) -> None:
    lens = Lens(lost=True)
    hands = follow(lens)
    with pytest.raises(CameraError):
        hands.look()
    assert (hands.state.kind, hands.state.text) == ("gone", "It is gone.")
    lens.lost = False
    hands.look()
    assert hands.state.kind == "reading"
    hands.follow(None)
    assert (hands.game_id, hands.state.kind) == (None, "off")


@pytest.mark.parametrize(("code", "locked"), [(5, True), (6, True), (5 | 2 << 8, True), (11, False), (None, True)])
def test_a_locked_store_is_known_by_its_code(code: int | None, locked: bool) -> None:
    error = sqlite3.OperationalError("database is locked")
    if code is not None:
        setattr(error, "sqlite_errorcode", code)  # noqa: B010, the attribute came with Python 3.11
    assert _is_locked(error) is locked
    assert not _is_locked(ValueError("locked"))


def test_a_locked_store_is_survived_and_said_and_the_turn_is_entered_afterwards(
    services: Services, reader: Reader, game: OpenGame, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = iter([True, True, False])
    keep = services.store.save_game

    def save(*args: object, **changes: object) -> object:
        if next(locked, False):
            raise sqlite3.OperationalError("database is locked")
        return keep(*args, **changes)  # type: ignore[arg-type]

    monkeypatch.setattr(services.store, "save_game", save)
    reader.scripts = [Script([make_tracked(sure(EXAMPLE[0]))]) for _ in range(3)]
    hands = follow(pauses_s=(0.001, 0.002))
    hands.start()
    until(lambda: len(services.games.open(game.row.id).game.turns) == 1)
    assert hands.state.kind == "restarted"
    assert "locked" in hands.state.text
    hands.close()
    assert len(reader.followed) == 3


def test_whatever_breaks_is_survived_and_said(
    services: Services, reader: Reader, game: OpenGame, follow: Follow
) -> None:
    reader.scripts = [Script([ZeroDivisionError("odd")]), Script([make_tracked(sure(EXAMPLE[0]))])]
    hands = follow(pauses_s=(0.001, 0.002))
    hands.start()
    until(lambda: len(services.games.open(game.row.id).game.turns) == 1)
    hands.close()
    assert "Check that the last turn is on the scoresheet" in hands.state.text


def test_the_page_needs_a_camera_for_it(client: FlaskClient, game: OpenGame) -> None:
    answer = client.post(f"/games/{game.row.id}/follow", data={"on": "1"})
    assert answer.status_code == 503
    assert "--camera" in answer.get_data(as_text=True)


class Covered(Script):
    """Sees a hand in every frame, as where corners lie beside the board, and settles a play where it is asked."""

    def watch(self, frame: Image, time: float) -> WatchState:
        return replace(WAITING, hand=True)

    def read(self) -> TrackedFinding | None:
        return make_tracked(sure(EXAMPLE[0]))


@pytest.mark.parametrize("follows", [Script, Covered])
def test_given_corners_hold_until_the_camera_moves(
    services: Services, reader: Reader, game: OpenGame, follow: Follow, follows: type[Script]
) -> None:
    reader.scripts = [follows([])]
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    rng = np.random.default_rng(5)
    blurred = cv2.GaussianBlur(rng.integers(0, 255, (480, 640, 3), dtype=np.uint8), (9, 9), 0)
    scene = np.asarray(blurred, dtype=np.uint8)
    kept: dict[int, GivenCorners] = {8: GivenCorners(corners, view_thumbnail(scene))}
    lens = Lens()
    shown = scene
    at = iter(range(100))
    lens.next = lambda timeout_s: Frame(shown, 2.0 * next(at))  # type: ignore[method-assign]
    hands = follow(lens, corners=kept.get, moved=kept.__delitem__)
    for _ in range(6):
        hands.look()
    assert reader.followed[-1].corners == corners
    shown = np.roll(scene, 12, axis=1)
    told = len(services.games.open(game.row.id).game.turns)
    for _ in range(2):
        hands.look()
    assert kept, "a hand or a jolt is not enough"
    lens.lost, frames = True, lens.next
    lens.next = lambda timeout_s: Lens.next(lens, timeout_s)  # type: ignore[method-assign]
    with pytest.raises(CameraError):
        hands.look()
    lens.lost, lens.next = False, frames  # type: ignore[method-assign]
    assert len(services.games.open(game.row.id).game.turns) == told, "nothing is read between corners in doubt"
    for _ in range(2):
        hands.look()
    assert kept == {}
    assert reader.followed[-1].corners is None


class Witness(Script):
    """Reads slowly, and remembers which frames it was shown, and when they were taken."""

    def __init__(self) -> None:
        super().__init__([])
        self.seen: list[tuple[float, int]] = []

    def watch(self, frame: Image, time: float) -> WatchState:
        self.seen.append((round(time, 3), round(float(frame.mean()))))
        return replace(WAITING, due=len(self.seen) % 9 == 0)

    def read(self) -> TrackedFinding | None:
        time.sleep(0.1)
        return None


@pytest.mark.slow
def test_page_and_command_see_the_same_frames_of_a_film_however_slow_the_reader_is(
    reader: Reader, follow: Follow, tmp_path: Path
) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50.0, (64, 48))
    for number in range(60):
        writer.write(np.full((48, 64, 3), 4 * number, np.uint8))
    writer.release()
    command = [(round(at, 3), round(float(frame.mean()))) for at, frame in Video(path).frames()]
    witness = Witness()
    reader.scripts = [witness]
    camera = Camera(parse_source(str(path)))
    camera.start()
    until(lambda: camera.status.state == "live")
    hands = follow(camera)
    hands.start()
    until(lambda: len(witness.seen) == len(command))
    hands.close()
    camera.close()
    assert witness.seen == command
    assert camera.dropped == 0
