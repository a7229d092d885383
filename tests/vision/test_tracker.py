"""The tracker on drawn frames: a board that lies still, hands that come and go, and a reader that knows the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from enginekit import play_all
from readings import camera, reading_of, tear, write_over
from turnkit import DEAR, EAR, EMPTY, notate, texts

from engine import Board, Lexicon, Play, find_edition, parse_play
from vision import BoardNotFound, BoardReader, BoardReading, Camera, GameSettings, Tracker, certain
from vision.board.grid_doubt import GridDoubt
from vision.geometry.camera import corners_of
from vision.images import Image
from vision.letters.orientation import MIRRORED
from vision.turn.belief import Belief, dump_belief, load_belief
from vision.turn.prior import UNWATCHED, Gap
from vision.turn.reasons import Doubt, Reason, is_about
from vision.turn.steps import assume, decide
from vision.video.motion import MOVED_SHARE, MotionGate, view_shift, view_thumbnail
from vision.video.watch_state import IN_DOUBT, NO_TURN, TOO_SELDOM, Lull, SearchSchedule, TrackedFinding, WatchState
from webui.ports import TurnQuery
from webui.table.reader import Following

pytestmark = pytest.mark.slow

CLASSIC = find_edition("8x8")
WORDS = Lexicon.from_words(["MOOD", "WOOD", "DEAR", "DEARS"], name="test")
RATE = 15
MOOD = play_all(Board.empty(8), "M@b4 O@c4 O@d4 D@e4")
NO_BOARD = "No board was found in the picture."


class KnowingReader(BoardReader):
    """Reads whatever board the test says lies on the table."""

    def __init__(self) -> None:
        super().__init__(without={"tesseract"})
        self.board = Board.empty(8)
        self.hand, self.faint = 0.0, 1.0
        self.aside = 0
        self.doubt: GridDoubt | None = None
        self.first_letter: dict[str, float] = {}
        self.trace: Play | None = None
        self.looks = 0
        self.gone = ""
        self.near: list[Camera | None] = []
        self.corners: list[object] = []
        self.clock: tuple[tuple[int, int], ...] = ()

    def read(self, image: Image, size: int, **hints: Any) -> BoardReading:
        self.looks += 1
        self.near.append(hints["hints"].camera)
        self.corners.append(hints["corners"])
        if self.gone:
            raise BoardNotFound(self.gone)
        hidden = np.zeros((size, size))
        hidden[4:, 3:5] = self.hand
        reading = reading_of(self.board)
        if self.first_letter:
            reading = tear(reading, 3, 1, **self.first_letter)
        if self.trace is not None:
            reading = hint_at(reading, self.trace)
        even = np.full_like(reading.face_probs, 1 / reading.face_probs.shape[-1])
        faces = self.faint * reading.face_probs + (1 - self.faint) * even
        reading = replace(reading, hidden=hidden, face_probs=faces, grid_doubt=self.doubt)
        x, y = reading.camera.centre
        at = replace(reading.camera, centre=(x + self.aside, y))
        reading = replace(reading, camera=at, corners=corners_of(at, size))
        return write_over(reading, *self.clock) if self.clock else reading


def hint_at(reading: BoardReading, play: Play) -> BoardReading:
    """Return the reading with traces of a play: perhaps tiles lie there, and their letters are hard to read."""
    seen = reading_of(Board.empty(8).with_play(play), sure=0.6)
    for square in play.squares:
        reading.height_probs[square.row, square.col] = (0.55, *[0.45 / 5] * 5)
        reading.face_probs[square.row, square.col] = seen.face_probs[square.row, square.col]
    return reading


class Table:
    """A drawn table: `wait` feeds frames, with or without a hand reaching in.

    Where frames are repeated, as `rate` has it, the first of each may be `blended` with the frame before.
    """

    def __init__(
        self, corners: object = None, words: Lexicon = WORDS, rate: int = RATE, *, blended: bool = False
    ) -> None:
        self.reader = KnowingReader()
        self.tracker = Tracker(self.reader, certain(Board.empty(8)), GameSettings(CLASSIC, words), corners)  # type: ignore[arg-type]
        self.states: list[WatchState] = []
        self.answers = self.tells = True
        self.rate, self.blended = rate, blended
        self.before: Image | None = None
        self.time = 0.0
        noise = np.random.default_rng(3)
        self.noise = [noise.normal(0, 2, (960, 1280, 1)).astype(np.float32) for _ in range(5)]
        ground = np.full((960, 1280, 3), 120, dtype=np.uint8)
        cv2.fillConvexPoly(ground, corners_of(camera(8), 8).astype(np.int32), (60, 40, 110))
        self.ground = ground.astype(np.float32)

    def wait(
        self, seconds: float, hand: bool = False, light: float = 1.0, resting: bool = False, aside: int = 0
    ) -> list[TrackedFinding]:
        events = []
        for k in range(round(seconds * RATE)):
            repeats = max(self.rate // RATE, 1)
            if k % max(RATE // self.rate, 1):
                continue
            frame = self.ground * np.float32(light) + self.noise[len(self.states) % 5]
            if hand:
                reach = 620 if resting else 620 + 8 * (k % 7)
                cv2.line(frame, (700, 960), (reach, 420), (140, 170, 210), 90)
            shown = np.clip(np.roll(frame, aside, axis=1), 0, 255).astype(np.uint8)
            frames = [shown] * repeats
            if self.blended and self.before is not None:
                frames[0] = np.asarray(cv2.addWeighted(self.before, 0.5, shown, 0.5, 0), dtype=np.uint8)
            self.before = shown
            for each in frames:
                event = self.show(each, 1 / self.rate)
                if event is not None:
                    events.append(event)
        return events

    def show(self, frame: Image, seconds: float = 1 / RATE) -> TrackedFinding | None:
        """Feed one frame, and wait this long for the next."""
        self.states.append(self.tracker.watch(frame, self.time))
        event = self.tracker.read() if self.states[-1].due else None
        self.time += seconds
        if event is not None:
            self._take_for_now(event)
        return event

    def _take_for_now(self, event: TrackedFinding) -> None:
        """Enter what is likeliest, unless questions are left alone at this table."""
        finding, belief = event.finding, event.belief
        if self.answers and finding.needs_review and finding.kind == "play" and not event.amends:
            belief = assume(belief, finding.outcomes[0])
        if self.tells:
            self.tracker.believe(belief, again=False)


@pytest.fixture
def table() -> Table:
    table = Table()
    assert table.wait(0.4) == []
    return table


def blur(noise: Image) -> Image:
    """Noise as a scene with something to see in it."""
    return np.asarray(cv2.GaussianBlur(noise, (15, 15), 0), dtype=np.uint8)


def plain(height: int, width: int, grey: int = 120) -> Image:
    """Return a frame of one grey."""
    return np.full((height, width, 3), grey, dtype=np.uint8)


def play(table: Table, board: Board, seconds: float = 1.0) -> list[TrackedFinding]:
    events = table.wait(seconds, hand=True)
    table.reader.board = board
    return events


def test_a_play_is_committed_after_the_hand_has_left(table: Table) -> None:
    assert play(table, MOOD) == []
    left = table.time
    (event,) = table.wait(3.0)
    assert event.finding.kind == "play"
    assert event.belief.board == MOOD
    assert 1.5 < event.time - left <= 2.05


def test_a_short_pause_in_mid_play_commits_nothing(table: Table) -> None:
    play(table, play_all(Board.empty(8), "M@b4 O@c4"))
    assert table.wait(1.5) == []
    assert play(table, MOOD) == []
    (event,) = table.wait(3.0)
    assert event.belief.board == MOOD
    assert not event.amends


@pytest.mark.parametrize(
    ("place", "levels", "entered"), [(np.s_[:, :], 9, 1), (np.s_[460:560, 590:690], 30, 0)], ids=["everywhere", "there"]
)
def test_motion_everywhere_ends_no_rest_and_motion_in_one_place_does(
    table: Table, place: tuple[slice, slice], levels: int, entered: int
) -> None:
    """As a camera that focuses, or a lamp that flickers, and not a hand beside the board that adds a tile."""
    play(table, MOOD)
    assert table.wait(1.1) == []
    stir = np.zeros((960, 1280, 1), dtype=np.float32)
    noise = np.random.default_rng(1).normal(0, levels, (120, 160))
    stir[place] = cv2.resize(noise, (1280, 960))[..., None][place]
    for _ in range(2):
        assert table.show(np.clip(table.ground + stir, 0, 255).astype(np.uint8)) is None
    events = table.wait(1.1)
    assert len(events) == entered
    assert all(event.belief.board == MOOD for event in events)


def test_hands_that_change_nothing_are_not_reported(table: Table) -> None:
    assert play(table, Board.empty(8)) == []
    assert table.wait(3.0) == []


def test_under_a_resting_hand_the_board_is_looked_for_where_it_was(table: Table) -> None:
    table.reader.near.clear()
    table.reader.hand = 0.975
    assert table.wait(4.0, hand=True, resting=True) == []
    assert len(table.reader.near) >= 2
    assert all(near is not None for near in table.reader.near)


def test_drifting_light_is_no_hand(table: Table) -> None:
    for light in np.linspace(1.0, 0.8, 6):
        assert table.wait(0.4, light=float(light)) == []
    table.reader.board = MOOD
    play(table, MOOD)
    (event,) = table.wait(3.0, light=0.8)
    assert event.belief.board == MOOD


def test_tiles_taken_back(table: Table) -> None:
    play(table, MOOD)
    table.wait(3.0)
    play(table, Board.empty(8))
    (event,) = table.wait(3.0)
    assert event.finding.kind == "removed"
    assert event.belief.board == Board.empty(8)


def test_under_a_hand_no_first_word_is_surely_taken_back(table: Table) -> None:
    play(table, MOOD)
    table.wait(3.0)
    play(table, Board.empty(8))
    table.reader.hand = 0.9
    (event,) = table.wait(4.0)
    assert event.finding.needs_review
    assert is_about(event.finding.reason, Reason.HAND)
    assert event.belief.sheet_board == MOOD


def test_a_play_that_goes_on_amends_the_one_before(table: Table) -> None:
    play(table, MOOD)
    table.wait(3.0)
    play(table, play_all(MOOD, "E@e5"))
    (first,) = table.wait(4.0)
    assert not first.amends
    play(table, play_all(MOOD, "E@e5 A@e6 R@e7"))
    (second,) = table.wait(3.0)
    assert second.amends
    assert second.finding.play is not None
    assert {t.face for t in second.finding.play.tiles} == {"E", "A", "R"}
    assert second.finding.before == MOOD


def pause(seconds: float, *, answers: bool = True) -> tuple[Table, list[TrackedFinding]]:
    """Return a table at which MOOD lies, DE is laid on it, and after a pause the rest of DEAR; what was told since
    MOOD."""
    table = Table(words=Lexicon.from_words(["MOOD", "DE", "DEAR", "DEARS"], name="test"))
    table.answers = answers
    play(table, MOOD)
    table.wait(25.0)
    play(table, play_all(MOOD, "E@e5"))
    events = table.wait(seconds)
    play(table, DEAR)
    return table, events + table.wait(4.0)


@pytest.mark.parametrize("seconds", [2.5, 9.0])
def test_it_is_asked_whether_a_lawful_part_goes_on(seconds: float) -> None:
    """The next player may have added to the word, as in DE and DEAR, however soon."""
    table, (part, asked) = pause(seconds)
    assert not part.finding.needs_review
    assert (asked.amends, asked.finding.reason) == (False, Doubt(Reason.GOES_ON))
    two, one = asked.finding.outcomes[:2]
    assert (texts(two.changes), two.replaces) == (["A@e6 R@e7"], 0)
    assert (texts(one.changes), one.replaces) == (["E@e5 A@e6 R@e7"], 1)
    assert table.tracker.belief.sheet_board == DEAR


@pytest.mark.parametrize(("more", "wait"), [("", 1.0), ("S@e8", 1.0), ("S@e8", 30.0)])
def test_as_long_as_that_is_not_answered_nothing_is_entered(more: str, wait: float) -> None:
    """A hand passes over the board, soon or long after; or the next player goes on."""
    table, _ = pause(9.0, answers=False)
    table.wait(wait)
    play(table, play_all(DEAR, *filter(None, [more])), seconds=0.8)
    for event in table.wait(30.0):
        assert (event.finding.needs_review, event.amends) == (True, False)
        assert is_about(event.finding.reason, Reason.GOES_ON)
    assert table.tracker.belief.sheet_board == play_all(MOOD, "E@e5")


def test_what_is_kept_of_a_question_left_alone_can_be_saved_and_loaded() -> None:
    table, _ = pause(9.0, answers=False)
    for _ in range(5):
        play(table, DEAR, seconds=0.8)
        table.wait(5.0)
        belief = table.tracker.belief
        assert load_belief(dump_belief(belief)) == belief


def test_long_after_a_play_the_next_is_another_players() -> None:
    _, (part, other) = pause(25.0)
    assert not part.finding.needs_review
    assert (other.amends, other.finding.needs_review) == (False, False)
    assert notate(other.finding.outcomes[0])[-1] == "A@e6 R@e7"


def test_a_bumped_board_is_told_from_one_that_lies_still() -> None:
    view = camera(8)
    gate = MotionGate(view, 8, np.full((960, 1280, 3), 100, dtype=np.uint8))
    corners = corners_of(view, 8)
    assert gate.displacement(np.roll(corners, 1, axis=0)) == pytest.approx(0.0, abs=1e-6)
    assert gate.displacement(corners + 30.0) > 0.2


def test_the_watch_state_tells_hands_stillness_and_what_has_been_read(table: Table) -> None:
    table.wait(3.0)
    assert (table.states[-1].hand, table.states[-1].settled) == (False, True)
    table.wait(0.5, hand=True)
    assert (table.states[-1].hand, table.states[-1].still) == (True, 0.0)
    table.wait(1.0)
    assert table.states[-1].still == pytest.approx(0.9, abs=0.15)
    assert (table.states[-1].hand, table.states[-1].settled) == (False, False)


def test_text_of_the_camera_is_told_and_does_not_hold_a_turn_up(table: Table) -> None:
    table.reader.clock = ((0, 0), (0, 1), (0, 2), (0, 3))
    play(table, MOOD)
    (event,) = table.wait(3.0)
    assert (event.finding.board, event.finding.needs_review) == (MOOD, False)
    assert table.states[0].notice == ""
    assert table.states[-1].notice.startswith("The camera writes text over a1, b1, c1 and d1")


def test_a_bumped_board_is_found_under_text_of_the_camera(table: Table) -> None:
    table.reader.clock = ((0, 0), (0, 1), (0, 2), (0, 3))
    before = table.tracker._gate
    table.wait(4.0, aside=40)
    assert table.tracker._gate is not before, "nobody waits for the text to go, as for a hand"


def test_a_rest_goes_on_after_the_board_was_bumped(table: Table) -> None:
    play(table, MOOD)
    assert table.wait(0.7) == []
    bumped, table.reader.aside = table.time, 40
    (event,) = table.wait(2.3, aside=40)
    assert event.belief.board == MOOD
    assert event.time - bumped == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize(("rest", "read"), [(1.2, False), (1.7, True)])
def test_a_rest_after_a_bump_that_the_next_hand_ends_is_not_lost(table: Table, rest: float, read: bool) -> None:
    table.wait(2.6)
    play(table, MOOD)
    table.wait(0.5)
    table.reader.aside = 40
    assert table.wait(rest, aside=40) == []
    events = table.wait(0.4, hand=True, aside=40)
    assert [event.belief.board for event in events] == [MOOD] * read
    assert read or table.tracker.belief.gap.rested > 0.3


@pytest.mark.parametrize(("hidden", "read"), [(0.05, True), (0.4, False)])
def test_a_hand_that_is_hardly_seen_is_not_taken_for_a_part_of_the_table(
    table: Table, hidden: float, read: bool
) -> None:
    table.wait(2.6)
    table.reader.hand, table.reader.board = hidden, MOOD
    assert bool(table.wait(5.0, hand=True, resting=True)) == read


def test_a_board_out_of_view_is_said_and_found_again(table: Table) -> None:
    table.wait(3.0)
    table.reader.gone = NO_BOARD
    table.wait(6.0, aside=700)
    lost = table.states[-1].board
    table.reader.gone, table.reader.board = "", MOOD
    (event,) = table.wait(12.0)
    assert (lost, table.states[-1].board) == ("lost", "in view")
    assert event.belief.board == MOOD


@pytest.mark.parametrize("hand", [False, True], ids=["in a rest", "under a hand"])
def test_of_a_board_that_is_lost_the_tracker_says_why_until_it_is_found(table: Table, hand: bool) -> None:
    table.wait(3.0)
    play(table, MOOD)
    table.reader.gone = NO_BOARD
    table.wait(3.0, hand=hand, resting=hand)
    assert (table.states[-1].board, table.states[-1].notice) == ("lost", NO_BOARD)
    table.reader.gone = ""
    table.wait(12.0)
    assert (table.states[-1].board, table.states[-1].notice) == ("in view", "")


def test_a_mirrored_board_stays_lost_while_a_hand_hides_tiles(table: Table) -> None:
    """Under a hand too few tiles may be in view to show the mirror, and a play would be entered."""
    table.wait(3.0)
    play(table, MOOD)
    table.reader.gone = MIRRORED
    table.wait(3.0)
    assert (table.states[-1].board, table.states[-1].notice) == ("lost", MIRRORED)
    before, table.reader.gone, table.reader.hand = table.reader.looks, "", 0.975
    assert table.wait(3.0) == []
    assert table.reader.looks > before
    assert (table.states[-1].board, table.states[-1].notice) == ("lost", MIRRORED)
    table.reader.hand = 0.0
    (event,) = table.wait(9.0)
    assert event.belief.board == MOOD
    assert (table.states[-1].board, table.states[-1].notice) == ("in view", "")


def test_a_view_without_a_board_is_searched_seldom_and_another_view_soon() -> None:
    rng = np.random.default_rng(2)
    coarse = rng.integers(0, 255, (18, 32, 3), dtype=np.uint8)
    view = np.asarray(cv2.resize(coarse, (320, 180)), dtype=np.uint8)
    search, searched = SearchSchedule(), []
    for tenth in range(1200):
        if search.due(view, tenth / 10):
            searched.append(tenth / 10)
            search.fail(view, tenth / 10)
    assert searched == [0.0, 1.0, 3.0, 7.0, 37.0, 67.0, 97.0]
    assert search.failed
    assert search.due(np.roll(view, 60, axis=1), 120.0)
    search.succeed()
    assert not search.failed


def test_a_board_that_is_never_found_is_sought_for_hours() -> None:
    view, search = np.zeros((36, 64, 3), dtype=np.uint8), SearchSchedule()
    for half_minute in range(1200):
        assert search.due(view, 30.0 * half_minute)
        search.fail(view, 30.0 * half_minute)
    assert not search.due(view, 30.0 * 1199 + 7.9)


def test_while_no_board_is_found_the_tracker_says_why() -> None:
    table = Table()
    table.reader.gone = NO_BOARD
    table.wait(1.0)
    assert table.tracker.notice == table.states[-1].notice == NO_BOARD
    table.reader.gone = ""
    table.wait(9.0)
    assert table.tracker.found
    assert table.tracker.notice == ""


@pytest.mark.parametrize("shape", [(1280, 960), (480, 640)], ids=["turned", "smaller"])
def test_where_frames_take_another_shape_the_board_is_sought_anew(table: Table, shape: tuple[int, int]) -> None:
    table.wait(3.0)
    before = table.reader.looks
    table.show(plain(*shape))
    assert (table.states[-1].board, table.states[-1].due) == ("lost", True)
    table.show(plain(*shape))
    assert (table.states[-1].board, table.reader.looks) == ("in view", before + 1)


def test_frames_of_before_do_not_join_those_of_another_shape(table: Table) -> None:
    table.wait(1.0)
    table.reader.board = MOOD
    (event,) = [seen for _ in range(6) if (seen := table.show(plain(480, 640), seconds=1.0))]
    assert event.image.shape == (480, 640, 3)
    assert event.belief.board == MOOD


def test_frames_of_how_a_lost_board_lay_do_not_join_those_in_which_it_is_found(table: Table) -> None:
    table.wait(1.0)
    table.reader.gone = NO_BOARD
    while table.states[-1].board == "in view":
        table.show(plain(960, 1280))
    table.reader.gone, table.reader.board = "", MOOD
    (event,) = [seen for _ in range(40) if (seen := table.show(plain(960, 1280, 150), seconds=1.0))]
    assert int(event.image.min()) == 150


def test_given_corners_hold_for_frames_of_their_shape_alone() -> None:
    table = Table(corners := np.zeros((4, 2)))
    table.wait(0.4)
    assert table.reader.corners[-1] is corners
    table.show(plain(1280, 960))
    assert table.reader.corners[-1] is None


def test_a_first_picture_that_shows_a_play_teaches_nothing_and_the_play_is_found() -> None:
    table = Table()
    table.reader.board = MOOD
    (event,) = table.wait(4.0)
    assert table.tracker.belief.reference is None or table.tracker.belief.reference.board == MOOD
    assert (event.finding.kind, event.belief.board) == ("play", MOOD)


@pytest.mark.parametrize("doubt", [None, GridDoubt.UNLETTERED, GridDoubt.BORDER])
@pytest.mark.parametrize(("faint", "taught"), [(0.5, True), (1.0, False)])
def test_a_first_picture_with_more_faint_letters_than_a_rack_holds_shows_print(
    faint: float, taught: bool, doubt: GridDoubt | None
) -> None:
    table = Table()
    table.reader.board = play_all(Board.empty(8), "T@a3 E@b3 H@c3 T@e3 T@f3 E@g3 H@h3 T@a6 E@b6 H@c6")
    table.reader.faint, table.reader.doubt = faint, doubt
    table.wait(0.4)
    assert (table.tracker.belief.reference is not None) == taught


def test_in_mid_game_a_first_picture_in_doubt_teaches_nothing() -> None:
    table = Table()
    table.tracker.belief = certain(MOOD)
    table.reader.board = play_all(MOOD, "E@e5 A@e6 R@e7")
    table.reader.hand = 0.975
    table.wait(0.2)
    assert table.tracker.belief.reference is None


def test_corners_that_were_given_are_used_in_every_look() -> None:
    corners = [[0, 0], [60, 0], [60, 40], [0, 40]]
    table = Table(corners)
    table.wait(4.0)
    assert len(table.reader.corners) >= 2
    assert all(given == corners for given in table.reader.corners)


def test_while_something_is_open_it_is_told_that_the_board_lies_as_before(table: Table) -> None:
    assert play(table, Board.empty(8)) == []
    assert table.wait(3.0) == []
    table.tracker.belief = replace(table.tracker.belief, gap=Gap(open=True))
    play(table, Board.empty(8))
    (event,) = table.wait(2.2)
    assert event.finding.kind == "none"


def test_after_a_decision_of_the_table_the_board_is_looked_at_again(table: Table) -> None:
    play(table, MOOD)
    table.wait(3.0)
    looks = table.reader.looks
    assert table.wait(3.0) == []
    assert table.reader.looks == looks
    table.tracker.believe(decide(table.tracker.belief, Board.empty(8), shown=False))
    (event,) = table.wait(2.5)
    assert event.finding.lying is not None, "what was taken back still lies there"
    play(table, Board.empty(8))
    (event,) = table.wait(3.0)
    assert (event.finding.kind, event.belief.to_lift) == ("none", None)
    assert event.finding.lifted is not None


def test_a_camera_that_loses_its_focus_is_told_from_a_hand() -> None:
    view = camera(8)
    scene = plain(960, 1280)
    corners = corners_of(view, 8)
    rim = corners + 0.15 * (corners - corners.mean(axis=0))
    cv2.polylines(scene, [np.round(rim).astype(np.int32)], True, (250, 250, 250), 12)
    hand = np.asarray(cv2.line(scene.copy(), (700, 960), (650, 700), (140, 170, 210), 90), dtype=np.uint8)

    def is_free(frame: Image) -> bool:
        gate = MotionGate(view, 8, scene)
        gate.look(scene, 0.1)
        return gate.look(np.asarray(cv2.GaussianBlur(frame, (0, 0), 7), dtype=np.uint8), 0.1).free

    assert is_free(scene)
    assert not is_free(hand)


def test_a_camera_that_is_nudged_is_told_from_hands_and_light() -> None:
    noise = np.random.default_rng(4)
    scene = blur(noise.integers(0, 255, (960, 1280, 3), dtype=np.uint8))
    home = view_thumbnail(scene)
    hand = scene.copy()
    cv2.line(hand, (700, 960), (620, 420), (140, 170, 210), 90)
    assert view_shift(home, view_thumbnail(hand)) < MOVED_SHARE
    assert view_shift(home, view_thumbnail((scene * 0.7).astype(np.uint8))) < MOVED_SHARE
    assert view_shift(home, view_thumbnail(np.roll(scene, 16, axis=1))) > MOVED_SHARE
    assert view_shift(home, view_thumbnail(np.rot90(scene, 2).copy())) > MOVED_SHARE
    assert view_shift(home, view_thumbnail(scene[:720])) > MOVED_SHARE


def test_what_is_played_while_a_question_is_open_is_kept_although_the_next_hand_comes_soon(table: Table) -> None:
    play(table, MOOD)
    table.wait(3.0)
    play(table, Board.empty(8))
    (back,) = table.wait(2.2)
    left = replace(back.belief, entered=back.belief.entered[:-1], gap=Gap(open=True), to_lift=None)
    table.tracker.belief = left
    table.reader.hand = 0.975
    play(table, wood := play_all(Board.empty(8), "W@d4 O@d5 O@d6 D@d7"))
    (again,) = table.wait(2.2)
    assert again.finding.needs_review, "a look that would otherwise have taken its time"
    assert again.belief.board == wood


def test_a_question_that_was_put_aside_is_none_once_the_board_surely_lies_as_before(table: Table) -> None:
    play(table, MOOD)
    table.wait(3.0)
    table.tracker.believe(replace(table.tracker.belief, gap=Gap(open=True)))
    (event,) = table.wait(3.0)
    assert event.finding.kind == "none"
    assert table.tracker.belief.gap == Gap()
    play(table, MOOD)
    assert table.wait(4.0) == [], "it is told once"


def test_a_first_word_of_which_a_letter_is_in_doubt_is_no_print_on_the_board() -> None:
    table = Table()
    table.reader.board, table.reader.hand = play_all(Board.empty(8), "W@d4 O@d5 O@d6 D@d7"), 0.975
    (event, *_) = table.wait(5.0)
    assert table.tracker.belief.reference is None
    assert event.finding.needs_review
    assert event.belief.board == table.reader.board


@pytest.mark.parametrize(
    ("rate", "blended"), [(5, False), (30, False), (60, False), (120, False), (30, True), (60, True)]
)
def test_the_same_table_at_another_frame_rate_gives_the_same_turns(rate: int, blended: bool) -> None:
    """Frames are left out, repeated or blended; a resting hand does not become a part of the table any sooner."""
    turns = []
    for table in (Table(), Table(rate=rate, blended=blended)):
        table.wait(0.4)
        table.wait(1.0, hand=True)
        table.reader.board = MOOD
        events = table.wait(2.6)
        table.reader.board, table.reader.hand = DEAR, 0.9
        events += table.wait(5.0, hand=True, resting=True)
        table.reader.hand = 0.0
        events += table.wait(2.6)
        turns.append([(event.time, notate(event.finding.outcomes[0])) for event in events])
    (first, second), others = turns
    for (time, play), (other_time, other_play) in zip((first, second), others, strict=True):
        assert other_play == play
        assert other_time == pytest.approx(time, abs=0.7)


def test_a_doubtful_look_that_the_next_hand_cuts_short_is_kept(table: Table) -> None:
    table.answers = False
    table.reader.board = MOOD
    table.wait(1.0, hand=True)
    assert table.wait(2.6)
    table.reader.board, table.reader.hand = DEAR, 0.9
    table.wait(1.0, hand=True)
    assert table.wait(2.4) == []
    assert not table.tracker.belief.in_doubt
    table.wait(1.0, hand=True)
    assert table.tracker.belief.in_doubt
    table.reader.hand = 0.0
    (event,) = table.wait(2.6)
    assert event.belief.board == DEAR


def test_a_play_in_doubt_that_the_next_hand_cuts_short_is_told_before_the_next_play() -> None:
    table = Table()
    table.wait(0.4)
    play(table, MOOD)
    table.reader.first_letter = {"M": 0.5, "W": 0.4}
    assert table.wait(2.4) == []
    (cut,) = play(table, DEAR)
    assert (cut.finding.kind, cut.finding.needs_review, cut.amends) == ("play", True, False)
    assert cut.belief.board == MOOD
    assert cut.time < table.time - 0.8
    table.reader.first_letter = {}
    (event,) = table.wait(2.4)
    assert notate(event.finding.outcomes[0])[-1] == "E@e5 A@e6 R@e7"
    assert not event.finding.needs_review
    assert len(event.finding.outcomes[0].changes) == 1


def test_looks_that_hardly_show_a_play_are_added_up_until_it_is_asked_about(table: Table) -> None:
    play(table, MOOD)
    table.wait(2.6)
    table.reader.trace = parse_play(EAR)
    play(table, MOOD)
    assert table.wait(4.0) == [], "one such look shows next to nothing"
    play(table, MOOD)
    (asked,) = table.wait(4.0)
    assert asked.finding.reason == Doubt(Reason.NOTHING_SURE)
    assert notate(asked.finding.outcomes[0])[-1] == EAR
    assert len(asked.belief.open_looks) == 2


def test_glare_that_stays_enters_nothing_and_hides_no_later_play(table: Table) -> None:
    play(table, MOOD)
    table.wait(2.6)
    table.answers = False
    table.reader.trace = parse_play(EAR)
    for _ in range(6):
        play(table, MOOD)
        assert not any(event.finding.play and not event.finding.needs_review for event in table.wait(4.0))
    table.reader.trace = None
    play(table, wood := play_all(MOOD, "W@b4"))
    (event,) = table.wait(2.6)
    assert (event.finding.needs_review, event.belief.board) == (False, wood)


@pytest.mark.parametrize("ends", ["turned", "stalled", "out of view", "over"])
@pytest.mark.parametrize("read", [True, False], ids=["in doubt", "not read yet"])
def test_a_turn_that_lay_there_is_told_when_the_board_is_seen_no_longer(table: Table, ends: str, read: bool) -> None:
    table.wait(2.6)
    play(table, MOOD)
    table.reader.first_letter = {"M": 0.5, "W": 0.4} if read else {}
    assert table.wait(2.2 if read else 1.7) == []
    told: list[TrackedFinding | None] = []
    if ends == "turned":
        told = [table.show(plain(480, 640))]
    elif ends == "stalled":
        table.time += 5.0
        told = [table.show(plain(960, 1280))]
    elif ends == "over":
        told = [table.tracker.finish(), table.tracker.finish()]
        assert told.pop() is None, "nothing more lies there"
    else:
        table.reader.gone = NO_BOARD
        while table.states[-1].board == "in view" and not any(told):
            told += table.wait(1 / RATE, hand=not read)
            table.reader.gone = NO_BOARD if read else ""
    (event,) = [each for each in told if each is not None]
    assert event.finding.needs_review is read
    assert event.belief.board == MOOD


@pytest.mark.parametrize("ends", ["turned", "stalled", "over"])
def test_a_board_that_is_lost_while_it_lies_still_may_be_lost_in_another_way_too(table: Table, ends: str) -> None:
    table.wait(2.6)
    play(table, MOOD)
    table.reader.gone = NO_BOARD
    while table.states[-1].board == "in view":
        table.wait(1 / RATE)
    table.time += 5.0 if ends == "stalled" else 0.0
    if ends == "over":
        assert table.tracker.finish() is None
        return
    table.show(plain(480, 640) if ends == "turned" else plain(960, 1280))
    assert table.states[-1].board == "lost"


def test_the_time_since_the_board_was_lost_counts_though_the_phone_is_turned_or_its_clock_set_back(
    table: Table,
) -> None:
    table.wait(2.6)
    table.reader.gone = NO_BOARD
    while table.states[-1].board == "in view":
        table.wait(1 / RATE, aside=700)
    table.wait(6.0, aside=700)
    table.show(plain(480, 640))
    table.time -= 60.0
    table.wait(6.0)
    table.reader.gone = ""
    while table.states[-1].board == "lost":
        table.wait(1 / RATE)
    assert table.tracker.belief.gap.rested > 1.5


def test_a_phone_that_is_turned_before_the_board_is_found_misses_nothing() -> None:
    table = Table()
    for _ in range(5):
        table.show(plain(640, 480))
    table.wait(1.0)
    assert table.states[-1].board == "in view"
    assert table.tracker.belief.gap.rested < 1.0


@pytest.mark.parametrize("rate", [5, 15, 60, 120])
@pytest.mark.parametrize(("rest", "turns"), [(1.3, 1), (1.75, 2)])
def test_a_short_rest_between_two_turns_is_noticed_at_any_frame_rate(rate: int, rest: float, turns: int) -> None:
    table = Table(rate=rate)
    table.wait(2.6)
    play(table, MOOD)
    told = table.wait(rest)
    told += play(table, DEAR)
    told += table.wait(5.0)
    assert len(told) == turns


def test_while_the_board_is_lost_a_turn_may_be_made() -> None:
    table = Table(words=Lexicon.from_words(["MOOD", "MOODY", "YE"], name="test"))
    table.wait(0.4)
    play(table, MOOD)
    table.wait(3.0)
    table.reader.gone = NO_BOARD
    while table.states[-1].board == "in view":
        table.wait(1 / RATE, aside=700)
    table.wait(6.0, aside=700)
    table.reader.gone = ""
    table.reader.board = play_all(MOOD, "Y@f4", "E@f5")
    while table.states[-1].board == "lost":
        table.wait(1 / RATE)
    assert table.tracker.belief.gap.rested > 1.0
    (asked,) = table.wait(4.0)
    assert is_about(asked.finding.reason, Reason.MISSED)


def test_a_rest_in_which_one_look_found_no_board_was_not_read(table: Table) -> None:
    table.wait(2.6)
    play(table, MOOD)
    table.reader.gone = NO_BOARD
    while not table.states[-1].due:
        table.wait(1 / RATE)
    table.reader.gone = ""
    (event,) = play(table, DEAR)
    assert texts(event.finding.outcomes[0].changes) == ["M@b4 O@c4 O@d4 D@e4"]


def test_where_it_is_not_certain_that_anything_was_played_a_hand_cuts_nothing_short() -> None:
    table = Table()
    table.wait(0.4)
    play(table, MOOD)
    table.wait(2.6)
    play(table, MOOD)
    table.reader.hand = 0.9
    table.wait(2.4)
    assert play(table, MOOD) == []


@pytest.mark.parametrize(("rest", "entered"), [(1.2, []), (1.7, [["M@b4 O@c4 O@d4 D@e4"]])])
def test_a_rest_that_the_next_hand_ends_before_a_look_is_looked_at_then(
    table: Table, rest: float, entered: list[list[str]]
) -> None:
    table.wait(2.6)
    play(table, MOOD)
    assert table.wait(rest) == []
    events = play(table, DEAR)
    assert [texts(event.finding.outcomes[0].changes) for event in events] == entered
    assert not any(event.finding.needs_review for event in events)
    (event,) = table.wait(4.0)
    assert event.finding.needs_review != bool(entered)


@pytest.mark.parametrize(("board", "known", "rested"), [(EMPTY, 0.0, UNWATCHED), (EMPTY, 0.8, 0.8), (MOOD, 0.0, 10.0)])
def test_before_a_camera_watched_hands_may_have_rested(board: Board, known: float, rested: float) -> None:
    """A watch that begins anew forgets no longer rest that an earlier one saw. In mid-game turns may have been made."""
    before = replace(certain(board), gap=Gap(rested=known))
    tracker = Tracker(KnowingReader(), before, GameSettings(CLASSIC, WORDS))
    assert tracker.belief.gap == Gap(rested=rested)


def test_two_turns_made_before_a_camera_watched_are_not_taken_for_one() -> None:
    table = Table(words=Lexicon.from_words(["MOOD", "MOODY", "YE"], name="test"))
    table.tracker = Tracker(table.reader, certain(MOOD), table.tracker._settings)
    table.reader.board = play_all(MOOD, "Y@f4", "E@f5")
    (asked,) = table.wait(5.0)
    assert is_about(asked.finding.reason, Reason.MISSED)
    assert {tuple(notate(outcome)) for outcome in asked.finding.outcomes} >= {("Y@f4 E@f5",), ("Y@f4", "E@f5")}


@pytest.mark.parametrize("rest", [0.5, 1.3])
def test_a_rest_too_short_to_be_read_is_remembered_until_the_next_look(table: Table, rest: float) -> None:
    table.wait(2.6)
    play(table, MOOD)
    assert table.wait(rest) == []
    table.wait(0.4, hand=True)
    assert table.tracker.belief.gap.rested == pytest.approx(rest / 3.0, abs=0.05)
    table.wait(4.0)
    assert table.tracker.belief.gap == Gap()


@pytest.mark.parametrize("ended_unread", [False, True])
def test_rests_after_turns_teach_how_long_the_table_usually_rests(table: Table, ended_unread: bool) -> None:
    table.wait(2.6)
    play(table, MOOD)
    table.wait(1.7 if ended_unread else 12.0)
    play(table, DEAR)
    table.wait(2.6)
    assert table.tracker.belief.board == DEAR
    play(table, DEAR)
    assert table.wait(1.2) == []
    table.wait(0.4, hand=True)
    usual = 1.2 / table.tracker.belief.gap.rested
    assert (usual < 3.0) if ended_unread else (usual > 3.0), "the rest before the second turn was short, or long"


@pytest.mark.parametrize("rest", [1 / RATE, 0.5])
@pytest.mark.parametrize("resting", [False, True], ids=["in motion", "while the board lies free"])
def test_a_clock_that_is_set_back_ends_no_watch_and_teaches_no_short_rest(
    table: Table, rest: float, resting: bool
) -> None:
    table.wait(2.6)
    play(table, MOOD)
    table.wait(2.6)
    assert table.tracker.belief.board == MOOD
    table.wait(0.0 if resting else 0.4, hand=True)
    table.time -= 5.0
    for _ in range(2):
        table.wait(rest)
        table.wait(0.4, hand=True)
    table.wait(6.0)
    play(table, DEAR)
    table.wait(2.6)
    assert table.tracker.belief.board == DEAR
    play(table, DEAR)
    table.wait(1.2)
    table.wait(0.4, hand=True)
    assert table.tracker.belief.gap.rested < 1.2 / 3.0, "the rest after the second turn was long"


def test_after_a_clock_was_set_back_a_turn_is_read_as_soon_as_before(table: Table) -> None:
    table.wait(2.6)
    table.time -= 60.0
    (event,) = play(table, MOOD) or table.wait(2.6)
    assert event.belief.board == MOOD
    assert table.tracker.belief.gap == Gap()


@pytest.fixture(params=["replay", "page"])
def either(request: pytest.FixtureRequest, table: Table) -> Table:
    """A table that is watched by the command `replay`, or by the page."""
    if request.param == "page":
        table.tracker = Following(table.reader, TurnQuery(table.tracker.belief, GameSettings(CLASSIC, WORDS)))
    table.wait(2.6)
    return table


def answer(table: Table, asked: Belief) -> Gap:
    """Say that nothing new lay there in the look after which a question was asked. Return the gap after that."""
    table.tracker.believe(decide(asked, asked.sheet_board, shown=True))
    return table.tracker.belief.gap


def test_an_answer_does_not_forget_how_long_the_board_rested_since_the_look_that_it_is_about(either: Table) -> None:
    play(either, MOOD)
    asked = either.tracker.belief
    either.wait(1.3)
    either.wait(0.4, hand=True)
    assert answer(either, asked).rested == pytest.approx(1.3 / 3.0, abs=0.05)


def test_an_answer_does_not_forget_a_stretch_that_no_frame_showed_since(either: Table) -> None:
    asked = either.tracker.belief
    either.time += 6.0
    either.wait(0.2, hand=True)
    assert either.tracker.belief.gap.unseen == 1
    assert answer(either, asked).unseen == 1
    assert answer(either, asked).unseen == 1, "the same stretch, however often the table decides something"


def test_a_play_entered_by_hand_stands_for_an_earlier_picture_and_not_for_a_stretch_unseen_since(either: Table) -> None:
    before = replace(either.tracker.belief, gap=Gap(unseen=1))
    either.tracker.believe(before, again=False)
    either.time += 6.0
    either.wait(0.2, hand=True)
    either.tracker.believe(decide(before, MOOD, parse_play("M@b4 O@c4 O@d4 D@e4"), shown=False))
    assert either.tracker.belief.gap.unseen == 1


def test_an_answer_does_not_forget_that_a_later_look_was_in_doubt(either: Table) -> None:
    """That look is lost, but a turn may have come before it, and another one after it."""
    play(either, MOOD)
    either.wait(2.6)
    asked = either.tracker.belief
    assert asked.sheet_board == MOOD
    play(either, MOOD)
    either.reader.first_letter = {"M": 1e-3, "W": 0.99}
    assert either.wait(2.4) == []
    either.wait(0.4, hand=True)
    assert either.tracker.belief.looks[:-1] == asked.looks
    gap = answer(either, asked)
    assert (gap.open, gap.merged) == (True, 1)


def test_a_turn_that_could_not_be_entered_is_read_again_after_the_same_gap(either: Table) -> None:
    """As where somebody changes the game while the board is read."""
    before = either.tracker.belief
    play(either, MOOD)
    either.wait(1.3)
    either.wait(0.4, hand=True)
    rested = either.tracker.belief.gap.rested
    either.tells = False
    (event,) = either.wait(2.6)
    assert event.belief.board == MOOD
    either.tracker.believe(before)
    assert either.tracker.belief.gap.rested == rested > 0.3


def test_a_rest_right_after_a_look_under_a_hand_is_looked_at_too(table: Table) -> None:
    """A look under a hand that lies still reads no turn, however shortly before the rest it came."""
    table.wait(2.6)
    table.reader.hand = 0.9
    while not table.states[-1].due:
        table.wait(1 / RATE, hand=True, resting=True)
    table.reader.hand, table.reader.board = 0.0, MOOD
    assert table.wait(1.7) == []
    (event,) = play(table, DEAR)
    assert texts(event.finding.outcomes[0].changes) == ["M@b4 O@c4 O@d4 D@e4"]


def test_a_rest_in_which_no_board_was_read_may_hide_a_turn(table: Table) -> None:
    table.wait(2.6)
    play(table, MOOD)
    table.reader.gone = NO_BOARD
    table.wait(1.7)
    assert table.wait(0.4, hand=True) == []
    assert table.tracker.belief.gap.unseen == 1


def test_a_rest_that_nobody_read_may_hide_a_turn(table: Table) -> None:
    """As where the camera was moved meanwhile, and nothing is read between the old corners."""
    table.wait(2.6)
    play(table, MOOD)
    table.wait(1.7)
    frame = np.clip(table.ground, 0, 255).astype(np.uint8)
    cv2.line(frame, (700, 960), (620, 420), (140, 170, 210), 90)
    assert table.tracker.watch(frame, table.time).due
    table.tracker.watch(frame, table.time + 1 / RATE)
    assert table.tracker.belief.gap.unseen == 1


def test_it_is_asked_whether_a_turn_goes_on_after_such_a_rest(table: Table) -> None:
    play(table, MOOD)
    table.wait(8.0)
    play(table, DEAR)
    table.wait(1.7)
    (first,) = play(table, play_all(DEAR, "S@e8"))
    assert texts(first.finding.outcomes[0].changes) == ["E@e5 A@e6 R@e7"]
    (asked,) = table.wait(4.0)
    assert (asked.amends, asked.finding.reason) == (False, Doubt(Reason.GOES_ON))
    two, one = asked.finding.outcomes[:2]
    assert texts(two.changes) == ["S@e8"]
    assert texts(one.changes) == ["E@e5 A@e6 R@e7 S@e8"]


def test_a_rest_in_which_the_board_was_looked_at_misses_no_turn(table: Table) -> None:
    table.answers = False
    table.wait(2.6)
    play(table, MOOD)
    table.reader.first_letter = {"M": 0.5, "W": 0.4}
    table.wait(2.4)
    play(table, MOOD)
    assert (table.tracker.belief.gap.open, table.tracker.belief.gap.unseen) == (True, 0)


def test_a_sure_play_after_a_turn_that_looks_otherwise_now_waits_for_no_longer_look(table: Table) -> None:
    play(table, MOOD)
    table.reader.first_letter = {"M": 0.5, "W": 0.4}
    (asked,) = table.wait(4.0)
    assert asked.finding.needs_review
    table.reader.first_letter = {"M": 1e-3, "W": 0.99}
    play(table, play_all(MOOD, "E@e5 A@e6 R@e7"))
    (event,) = table.wait(2.2)
    finding = event.finding
    assert finding.reason == Doubt(Reason.REVISED)
    assert finding.doubt is None
    assert notate(finding.outcomes[0])[-1] == "E@e5 A@e6 R@e7"


def test_after_a_stretch_that_no_frame_showed_the_board_is_read_again(table: Table) -> None:
    table.time += 5.0  # the camera stalled, or the film is damaged
    table.wait(0.2)
    assert table.tracker.belief.gap.unseen == 1
    assert table.wait(2.6) == []
    assert not table.tracker.belief.in_doubt


class GlancingTable(Table):
    """A table at which early looks are taken whenever it is time for them; `early` is what they are sure of, if so."""

    def __init__(self, words: Lexicon) -> None:
        super().__init__(words=words, rate=5)
        self.early: list[tuple[float, list[str | None] | None]] = []

    def show(self, frame: Image, seconds: float = 1 / RATE) -> TrackedFinding | None:
        event = super().show(frame, seconds)
        if self.states[-1].early:
            before = self.tracker.belief
            finding = self.tracker.glance()
            assert self.tracker.belief is before, "nothing is decided by an early look"
            self.early.append((self.states[-1].still, None if finding is None else texts(finding.outcomes[0].changes)))
        return event


@pytest.fixture
def glancing() -> GlancingTable:
    words = Lexicon.from_words(["MOOD", "WOOD", "DE", "DEAR", "DEARS"], name="test")
    table = GlancingTable(words)
    table.wait(3.0)
    table.early.clear()
    return table


def test_one_early_look_in_a_rest_shows_the_play_before_it_is_committed(glancing: GlancingTable) -> None:
    play(glancing, MOOD)
    (event,) = glancing.wait(4.0)
    assert event.belief.board == MOOD
    ((still, plays),) = glancing.early
    assert 0.3 <= still <= 0.45
    assert plays == ["M@b4 O@c4 O@d4 D@e4"]
    assert glancing.wait(2.0, hand=True) == []
    assert glancing.wait(3.0) == []
    assert [plays for _, plays in glancing.early[1:]] == [None], "nothing new lies there"


@pytest.mark.parametrize(
    ("part", "shown"),
    [("E@e5 A@e6", ["E@e5 A@e6 R@e7"]), ("E@e5", None)],
    ids=["DEA goes on", "DE may go on: it will be asked"],
)
def test_an_early_look_shows_the_whole_of_a_play_that_goes_on(
    glancing: GlancingTable, part: str, shown: list[str] | None
) -> None:
    play(glancing, MOOD)
    glancing.wait(25.0)
    play(glancing, play_all(MOOD, part))
    glancing.wait(2.5)
    play(glancing, DEAR)
    events = glancing.wait(4.0)
    assert [event.amends for event in events][-1:] == [shown is not None]
    assert glancing.early[-1][1] == shown


def test_an_early_look_that_is_in_doubt_shows_nothing(glancing: GlancingTable) -> None:
    glancing.reader.first_letter = {"M": 0.5, "W": 0.5}
    play(glancing, MOOD)
    glancing.wait(1.0)
    assert [plays for _, plays in glancing.early] == [None]


def test_people_are_told_of_a_camera_that_sends_pictures_too_seldom(table: Table) -> None:
    for _ in range(7):
        table.show(plain(960, 1280), seconds=3.0)
    assert table.states[-1].notice == table.tracker.notice == TOO_SELDOM
    table.wait(0.5)
    assert table.states[-1].notice == ""


def test_a_minute_without_a_turn_is_told_until_one_comes() -> None:
    table = Table(rate=1)
    table.wait(58.0)
    assert table.states[-1].notice == ""
    table.wait(5.0)
    assert table.states[-1].notice == NO_TURN
    play(table, MOOD)
    table.wait(6.0)
    assert table.states[-1].notice == ""
    table.wait(90.0)
    assert table.states[-1].notice == "", "people may think for as long as they like"
    table.wait(62.0, hand=True)
    assert table.states[-1].notice == NO_TURN, "the board has not lain free for a minute"


@pytest.mark.parametrize(
    ("looks", "told"),
    [
        ([(5, False), (40, False), (64, False)], ""),
        ([(5, False), (40, False), (66, False)], IN_DOUBT),
        ([(5, False), (40, True), (66, False)], ""),
        ([(5, False), (66, False), (70, True)], ""),
    ],
)
def test_looks_that_are_in_doubt_for_a_minute_are_told(looks: list[tuple[float, bool]], told: str) -> None:
    lull = Lull()
    lull.record_found(0.0)
    for time, sure in looks:
        lull.record_look(time, sure=sure, turn=True)
    assert lull.text(looks[-1][0]) == told
    lull.record_decision(80.0)
    assert lull.text(139.0) == "", "the table has said what was played"
