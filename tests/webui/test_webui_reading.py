"""What the page is told of a reading: plays and their rivals, pictures to check it with, doubtful squares."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import pytest
from webkit import EXAMPLE, EXAMPLE_WORDS, Words, picture, play_of

from engine.board import Board
from engine.editions import edition_named
from engine.faces import FACES
from engine.houserules import HouseRules
from engine.play import Play
from engine.squares import parse_square
from vision.camera import Camera
from vision.images import Image
from vision.infer import Alternative, TurnInference
from vision.reading import BoardReading, corners_of
from vision.session import Observation
from webui import reading
from webui.ports import Facts
from webui.reading import VisionReader

LEXICON = Words("standard", frozenset(EXAMPLE_WORDS.split()))
EDITION = edition_named("8x8")
FIRST = play_of(EXAMPLE[0])


def read_board(board: Board, unsure: str = "") -> BoardReading:
    """A board read from straight above without doubt, but for one square."""
    heights = np.zeros((8, 8, 6))
    faces = np.full((8, 8, 26), 1 / 26)
    for square in board.squares():
        heights[square.row, square.col, board.height(square)] = 1.0
        if board.top(square):
            faces[square.row, square.col] = np.eye(26)[FACES.index(board.top(square))]
    if unsure:
        square = parse_square(unsure)
        heights[square.row, square.col] = (0.0, 0.6, 0.4, 0.0, 0.0, 0.0)
    camera = Camera(100.0, (160.0, 120.0), 0.0, np.eye(3), np.array([-4.0, -4.0, 5.0]))
    return BoardReading(
        size=8, corners=corners_of(camera, 8), camera=camera, layer=0.28, foot=0.0, elevations=np.zeros((8, 8, 17)),
        height_probs=heights, face_probs=faces, hidden=np.zeros((8, 8)), covered=np.zeros((8, 8)),
        grid=1.0, upright=1.0, lone_q=False, seconds=0.1,
    )  # fmt: skip


def inferred(kind: str, play: Play, **changes: object) -> TurnInference:
    settings: dict[str, object] = {
        "confidence": 0.9,
        "needs_review": True,
        "alternatives": (),
        "question": None,
        "reason": None,
        "earlier": None,
        "log_evidence": 0.0,
        **changes,
    }
    return TurnInference(kind=kind, play=play, **settings)  # type: ignore[arg-type]


@dataclass
class Watch:
    """Stands in for vision's watch of a game: sees what the test says, and remembers what it was told."""

    made: ClassVar[list[Watch]] = []
    sees: ClassVar[Observation]
    settled: list[tuple[Board, Play | None]] = field(default_factory=list)
    unconfirmed = False

    def __init__(self, _: object, board: Board, *, last_play: Play | None, **__: object) -> None:
        self.settled, self.board, self.last_play = [], board, last_play
        Watch.made.append(self)

    def settle(self, board: Board, last_play: Play | None = None) -> None:
        self.settled.append((board, last_play))

    def observe(self, image: Image) -> Observation:
        return Watch.sees


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> VisionReader:
    Watch.made.clear()
    monkeypatch.setattr(reading, "GameWatch", Watch)
    return VisionReader(second_opinion=False)


def facts(board: Board, last_play: Play | None = None, game_id: int = 1) -> Facts:
    return Facts(game_id, board, EDITION, LEXICON, HouseRules(), last_play)


def test_a_play_comes_with_its_rivals_and_pictures(reader: VisionReader) -> None:
    empty = Board.empty(8)
    rival = play_of("M@b4 O@c4 O@d4 B@e4")
    inference = inferred(
        "play", FIRST, alternatives=(Alternative(rival, 0.1),), question=parse_square("e4"), reason="D or B?"
    )
    Watch.sees = Observation(
        read_board(empty.with_play(FIRST)), empty, inference, empty.with_play(FIRST), False
    )
    sighting = reader.read_turn(picture(240, 320), facts(empty))
    assert [(choice.play, choice.confidence) for choice in sighting.choices] == [(FIRST, 0.9), (rival, 0.1)]
    assert sighting.needs_review
    assert sighting.overlay is not None
    assert sighting.overlay.shape[1] == 320
    assert sighting.square is not None
    assert sighting.square.shape == (320, 320, 3)


def test_two_plays_are_offered_in_either_order(reader: VisionReader) -> None:
    empty, second = Board.empty(8), play_of(EXAMPLE[1])
    inference = inferred("play", second, confidence=0.5, earlier=FIRST)
    after = empty.with_play(FIRST).with_play(second)
    Watch.sees = Observation(read_board(after), empty, inference, after, False)
    sighting = reader.read_turn(picture(), facts(empty))
    assert [(choice.earlier, choice.play) for choice in sighting.choices] == [
        (FIRST, second),
        (second, FIRST),
    ]


def test_tiles_taken_back_are_the_choice(reader: VisionReader) -> None:
    before = Board.empty(8).with_play(FIRST)
    Watch.sees = Observation(read_board(Board.empty(8)), before, inferred("removed", FIRST), before, False)
    (choice,) = reader.read_turn(picture(), facts(before, FIRST)).choices
    assert choice.play == FIRST


def test_a_picture_without_a_board_says_why_and_has_no_overlay(reader: VisionReader) -> None:
    empty = Board.empty(8)
    Watch.sees = Observation(None, empty, inferred("unclear", Play(()), reason="No board."), empty, False)
    sighting = reader.read_turn(picture(), facts(empty))
    assert (sighting.kind, sighting.reason, sighting.overlay, sighting.square) == (
        "unclear",
        "No board.",
        None,
        None,
    )


def test_every_table_has_its_own_watch_which_is_told_the_board(reader: VisionReader) -> None:
    empty = Board.empty(8)
    Watch.sees = Observation(None, empty, inferred("unclear", Play(()), reason="No board."), empty, False)
    after = empty.with_play(FIRST)
    reader.read_turn(picture(), facts(empty))
    reader.read_turn(picture(), facts(after, FIRST))
    reader.read_turn(picture(), facts(empty, game_id=2))
    assert [watch.settled for watch in Watch.made] == [[(empty, None), (after, FIRST)], [(empty, None)]]
    for game_id in range(3, 30):
        reader.read_turn(picture(), facts(empty, game_id=game_id))
    assert len(Watch.made) == 29


def test_a_turn_taken_without_a_question_may_still_prove_to_have_been_another(reader: VisionReader) -> None:
    empty = Board.empty(8)
    after, really = empty.with_play(FIRST), empty.with_play(play_of("M@b4 O@c4 O@d4 B@e4"))
    Watch.sees = Observation(None, empty, inferred("unclear", Play(()), reason="No board."), empty, False)
    reader.read_turn(picture(), facts(empty))
    watch = Watch.made[0]
    watch.unconfirmed, watch.board, watch.last_play, watch.settled = True, after, FIRST, []
    Watch.sees = Observation(read_board(after), really, inferred("play", play_of(EXAMPLE[1])), really, True)
    assert reader.read_turn(picture(), facts(after, FIRST)).before == really
    assert not watch.settled
    reader.read_turn(picture(), facts(after, None))
    assert watch.settled == [(after, None)]


def test_a_start_position_names_what_to_look_at(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board.empty(8).with_play(FIRST)
    read = read_board(board, unsure="c4")
    monkeypatch.setattr(reading.BoardReader, "read", lambda *_, **__: read)
    sighting = reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON)
    assert sighting.tops == board.tops()
    assert sighting.heights[3] == (0, 1, 1, 1, 1, 0, 0, 0)
    assert sighting.doubtful == (parse_square("c4"),)
    assert sighting.overlay is not None


def test_a_start_position_on_a_grid_in_doubt_says_so_and_doubts_no_square_for_it(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_board(Board.empty(8).with_play(FIRST))
    monkeypatch.setattr(reading.BoardReader, "read", lambda *_, **__: replace(read, grid=0.6))
    sighting = reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON)
    assert sighting.border_in_doubt
    assert sighting.doubtful == ()
