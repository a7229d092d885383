"""The tracker on drawn frames: a board that lies still, hands that come and go, and a reader that knows the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from readings import camera, played, reading_of

from engine.board import Board
from engine.editions import edition_named
from engine.lexicon.lexicon import Lexicon
from vision.geometry.camera import Camera, corners_of
from vision.images import Image
from vision.pipeline import BoardReader
from vision.reading import BoardReading
from vision.turn.belief import certain
from vision.turn.context import Context
from vision.turn.steps import assumed
from vision.video.motion_gate import MotionGate
from vision.video.tracker import Tracker, TrackerEvent

CLASSIC = edition_named("8x8")
WORDS = Lexicon.from_words(["MOOD", "WOOD", "DEAR", "DEARS"], name="test")
RATE = 15
MOOD = played(Board.empty(8), "M@b4 O@c4 O@d4 D@e4")


class KnowingReader(BoardReader):
    """Reads whatever board the test says lies on the table."""

    def __init__(self) -> None:
        super().__init__(without={"tesseract"})
        self.board = Board.empty(8)
        self.hand = 0.0
        self.looks = 0
        self.near: list[Camera | None] = []

    def read(self, image: Image, size: int, **known: Any) -> BoardReading:
        self.looks += 1
        self.near.append(known["known"].camera)
        hidden = np.zeros((size, size))
        hidden[4:, 3:5] = self.hand
        return replace(reading_of(self.board), hidden=hidden)


class Table:
    """A drawn table: `wait` feeds frames, with or without a hand reaching in."""

    def __init__(self) -> None:
        self.reader = KnowingReader()
        self.tracker = Tracker(self.reader, certain(Board.empty(8)), Context(CLASSIC, WORDS))
        self.time = 0.0
        self.noise = np.random.default_rng(3)
        ground = np.full((960, 1280, 3), 120, dtype=np.uint8)
        cv2.fillConvexPoly(ground, corners_of(camera(8), 8).astype(np.int32), (60, 40, 110))
        self.ground = ground

    def wait(
        self, seconds: float, hand: bool = False, light: float = 1.0, resting: bool = False
    ) -> list[TrackerEvent]:
        events = []
        for k in range(round(seconds * RATE)):
            frame = self.ground.astype(np.float32) * light + self.noise.normal(0, 2, (960, 1280, 1))
            if hand:
                reach = 620 if resting else 620 + 8 * (k % 7)
                cv2.line(frame, (700, 960), (reach, 420), (140, 170, 210), 90)
            event = self.tracker.feed(np.clip(frame, 0, 255).astype(np.uint8), self.time)
            self.time += 1 / RATE
            if event is not None:
                events.append(event)
                self._take_for_now(event)
        return events

    def _take_for_now(self, event: TrackerEvent) -> None:
        """Nobody answers at this table: what is likeliest is entered."""
        finding = event.seen.finding
        if finding.needs_review and finding.kind == "play" and not event.amends:
            self.tracker.belief = assumed(event.belief, finding.outcomes[0])


@pytest.fixture
def table() -> Table:
    table = Table()
    assert table.wait(0.4) == []
    return table


def play(table: Table, board: Board, seconds: float = 1.0) -> list[TrackerEvent]:
    events = table.wait(seconds, hand=True)
    table.reader.board = board
    return events


def test_a_play_is_committed_after_the_hand_has_left(table: Table) -> None:
    assert play(table, MOOD) == []
    left = table.time
    (event,) = table.wait(3.0)
    assert event.seen.finding.kind == "play"
    assert event.seen.board == MOOD
    assert 1.5 < event.time - left <= 2.05


def test_a_short_pause_in_mid_play_commits_nothing(table: Table) -> None:
    play(table, played(Board.empty(8), "M@b4 O@c4"))
    assert table.wait(1.5) == []
    assert play(table, MOOD) == []
    (event,) = table.wait(3.0)
    assert event.seen.board == MOOD
    assert not event.amends


def test_hands_that_change_nothing_are_not_reported(table: Table) -> None:
    assert play(table, Board.empty(8)) == []
    assert table.wait(3.0) == []


def test_under_a_resting_hand_the_board_is_looked_for_where_it_was(table: Table) -> None:
    table.reader.near.clear()
    table.reader.hand = 0.9
    assert table.wait(4.0, hand=True, resting=True) == []
    assert len(table.reader.near) >= 2
    assert all(near is not None for near in table.reader.near)


def test_drifting_light_is_no_hand(table: Table) -> None:
    for light in np.linspace(1.0, 0.8, 6):
        assert table.wait(0.4, light=float(light)) == []
    table.reader.board = MOOD
    play(table, MOOD)
    (event,) = table.wait(3.0, light=0.8)
    assert event.seen.board == MOOD


def test_tiles_taken_back(table: Table) -> None:
    play(table, MOOD)
    table.wait(3.0)
    play(table, Board.empty(8))
    (event,) = table.wait(3.0)
    assert event.seen.finding.kind == "removed"
    assert event.seen.board == Board.empty(8)


def test_a_play_that_goes_on_amends_the_one_before(table: Table) -> None:
    play(table, MOOD)
    table.wait(3.0)
    play(table, played(MOOD, "E@e5"))
    (first,) = table.wait(4.0)
    assert not first.amends
    play(table, played(MOOD, "E@e5 A@e6 R@e7"))
    (second,) = table.wait(3.0)
    assert second.amends
    assert second.seen.finding.play is not None
    assert {t.face for t in second.seen.finding.play.tiles} == {"E", "A", "R"}
    assert second.seen.finding.before == MOOD


def test_a_bumped_board_is_told_from_one_that_lies_still() -> None:
    view = camera(8)
    gate = MotionGate(view, 8, np.full((960, 1280, 3), 100, dtype=np.uint8))
    corners = corners_of(view, 8)
    assert gate.displaced(np.roll(corners, 1, axis=0)) == pytest.approx(0.0, abs=1e-6)
    assert gate.displaced(corners + 30.0) > 0.2
