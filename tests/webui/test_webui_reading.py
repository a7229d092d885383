"""What the page is told of a reading: plays and their rivals, pictures to check it with, doubtful squares."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from readings import written_over
from webkit import EXAMPLE, EXAMPLE_WORDS, Words, because, picture, play_of

from engine import FACES, Board, HouseRules, Revision, edition_named, parse_square
from vision import Belief, BoardReader, BoardReading, Camera, Finding, GridDoubt, Kind, Outcome, certain
from vision.geometry.camera import corners_of
from vision.hidden.picture_edge import CutOff
from vision.images import Image
from vision.turn.observe import Observation
from vision.turn.reasons import Doubt, Reason
from vision.turn.steps import decided
from vision.turn.story import Story
from webui.ports import TurnQuery
from webui.table import reader as reading
from webui.table.reader import VisionReader

LEXICON = Words("standard", frozenset(EXAMPLE_WORDS.split()))
EDITION = edition_named("8x8")
FIRST = play_of(EXAMPLE[0])
PLAYED = Board.empty(8).with_play(FIRST)


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
        size=8, corners=corners_of(camera, 8), camera=camera, layer_thickness=0.28, base_offset=0.0,
        elevations=np.zeros((8, 8, 17)),
        height_probs=heights, face_probs=faces, hidden=np.zeros((8, 8)), covered=np.zeros((8, 8)),
        upright=1.0, lone_q=False, seconds=0.1,
    )  # fmt: skip


@dataclass
class Eyes:
    """Stands in for vision's look at a picture: sees what the test says, and remembers what was believed."""

    sees: Observation | None = None
    after: Belief | None = None
    believed: list[Belief] = field(default_factory=list)
    corners: list[object] = field(default_factory=list)

    def observe(
        self, reader: object, belief: Belief, image: Image, context: object, corners: object
    ) -> tuple[Belief, Observation]:
        assert self.sees is not None
        self.believed.append(belief)
        self.corners.append(corners)
        return self.after or belief, self.sees

    def show(self, board: Board | None, kind: Kind, *outcomes: Outcome, **changes: object) -> None:
        """See this board, None for no board at all, with what is found there."""
        play = outcomes[0].events[-1] if outcomes and outcomes[0].events else None
        found = Finding(kind, outcomes, 0.9, True, None, None, Board.empty(8), play)
        found = replace(found, **changes)  # type: ignore[arg-type]
        self.sees = Observation(None if board is None else read_board(board), found, board or Board.empty(8))


@pytest.fixture
def eyes(monkeypatch: pytest.MonkeyPatch) -> Eyes:
    made = Eyes()
    monkeypatch.setattr(reading, "observe", made.observe)
    return made


@pytest.fixture
def reader(eyes: Eyes) -> VisionReader:
    return VisionReader(without={"tesseract"})


def query(belief: Belief) -> TurnQuery:
    return TurnQuery(belief, EDITION, LEXICON, HouseRules())


EMPTY = certain(Board.empty(8))


def test_a_play_comes_with_its_rivals_and_pictures(reader: VisionReader, eyes: Eyes) -> None:
    rival = play_of("M@b4 O@c4 O@d4 B@e4")
    outcomes = (Outcome(Story((FIRST,)), 0, 0, 0.9), Outcome(Story((rival,)), 0, 0, 0.1))
    after = eyes.after = decided(EMPTY, PLAYED, FIRST, shown=False)
    eyes.show(PLAYED, "play", *outcomes, question=parse_square("e4"), reason=because("D or B?"))
    sighting = reader.read_turn(picture(240, 320), query(EMPTY))
    assert [(choice.play, choice.confidence) for choice in sighting.choices] == [(FIRST, 0.9), (rival, 0.1)]
    assert (sighting.needs_review, str(sighting.reason), sighting.belief) == (True, "D or B?", after)
    assert sighting.overlay is not None
    assert sighting.overlay.shape[1] == 320
    assert sighting.square is not None
    assert sighting.square.shape == (400, 400, 3)
    assert eyes.believed == [EMPTY]


def test_a_photograph_that_the_reader_fails_at_is_unclear_and_not_sent_for_ever(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> tuple[Belief, Observation]:
        raise TypeError("a fault in the reader")

    monkeypatch.setattr(reading, "observe", fail)
    sighting = reader.read_turn(picture(), query(EMPTY))
    assert (sighting.kind, sighting.needs_review) == ("unclear", True)
    assert sighting.reason is not None
    assert "take another" in str(sighting.reason)
    assert sighting.belief is not None
    assert sighting.belief.gap.unseen == 1


def test_what_changes_the_sheet_is_a_choice_whole(reader: VisionReader, eyes: Eyes) -> None:
    second = play_of(EXAMPLE[1])
    both, other_way = Story((FIRST, second)), Story((second, FIRST))
    eyes.show(PLAYED.with_play(second), "play", Outcome(both, 0, 0, 0.6), Outcome(other_way, 0, 0, 0.4))
    choices = reader.read_turn(picture(), query(EMPTY)).choices
    assert [choice.revision for choice in choices] == [Revision((FIRST, second)), Revision((second, FIRST))]
    eyes.show(PLAYED.with_play(second), "play", Outcome(both, 0, 1, 0.9))
    (choice,) = reader.read_turn(picture(), query(EMPTY)).choices
    assert choice.revision == Revision((FIRST, second), replaces=1)
    eyes.show(PLAYED.with_play(second), "play", Outcome(both, 1, 0, 0.9))
    (choice,) = reader.read_turn(picture(), query(EMPTY)).choices
    assert choice.revision == Revision((second,))


def test_tiles_taken_back_are_the_choice_and_count_as_taken_only_once_the_table_says_so(
    reader: VisionReader, eyes: Eyes
) -> None:
    believed = certain(PLAYED, FIRST)
    eyes.after = replace(believed, entered=((None, 0),))
    eyes.show(
        Board.empty(8), "removed", Outcome(Story((None,)), 0, 0, 0.99), needs_review=False, before=PLAYED
    )
    sighting = reader.read_turn(picture(), query(believed))
    assert [choice.revision for choice in sighting.choices] == [Revision((None,))]
    assert sighting.belief is not None
    assert sighting.belief.sheet_board == PLAYED


def test_corners_that_were_given_are_handed_on_in_pixels(reader: VisionReader, eyes: Eyes) -> None:
    eyes.show(Board.empty(8), "none")
    shares = ((0.25, 0.5), (1.0, 0.5), (1.0, 1.0), (0.25, 1.0))
    reader.read_turn(picture(240, 320), replace(query(EMPTY), corners=shares))
    reader.read_turn(picture(240, 320), query(EMPTY))
    given, none = eyes.corners
    assert np.asarray(given).tolist() == [[80, 120], [320, 120], [320, 240], [80, 240]]
    assert none is None


def test_a_picture_without_a_board_says_why_and_has_no_overlay(reader: VisionReader, eyes: Eyes) -> None:
    eyes.show(None, "unclear", reason=because("No board."))
    sighting = reader.read_turn(picture(), query(EMPTY))
    assert (sighting.kind, str(sighting.reason), sighting.overlay, sighting.square) == (
        "unclear",
        "No board.",
        None,
        None,
    )


def test_that_nothing_changed_has_no_choices(reader: VisionReader, eyes: Eyes) -> None:
    eyes.show(Board.empty(8), "none", Outcome(Story(), 0, 0, 0.99))
    assert reader.read_turn(picture(), query(EMPTY)).choices == ()


def test_a_start_position_names_what_to_look_at(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board.empty(8).with_play(FIRST)
    read = read_board(board, unsure="c4")
    monkeypatch.setattr(BoardReader, "read", lambda *_, **__: read)
    sighting = reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON)
    assert sighting.tops == board.tops()
    assert sighting.heights[3] == (0, 1, 1, 1, 1, 0, 0, 0)
    assert sighting.doubtful == (parse_square("c4"),)
    assert sighting.overlay is not None


def test_what_is_out_of_the_picture_is_told_once(reader: VisionReader, eyes: Eyes) -> None:
    cut = np.zeros((8, 8), dtype=bool)
    cut[:, 7] = True
    cut_off = CutOff(cut, ("right",))
    for reason in (None, Doubt(Reason.CUT_OFF, (cut_off.text(),))):
        eyes.show(Board.empty(8), "none", Outcome(Story(), 0, 0, 0.99), reason=reason)
        assert eyes.sees is not None
        assert eyes.sees.reading is not None
        eyes.sees = replace(eyes.sees, reading=replace(eyes.sees.reading, cut_off=cut_off))
        notice = reader.read_turn(picture(240, 320), query(EMPTY)).notice
        assert notice == (None if reason else cut_off.text())
    eyes.show(Board.empty(8), "none", Outcome(Story(), 0, 0, 0.99))
    assert reader.read_turn(picture(240, 320), query(EMPTY)).notice is None


def test_text_of_the_camera_is_told_beside_what_is_out_of_the_picture(
    reader: VisionReader, eyes: Eyes
) -> None:
    cut_off = CutOff(np.eye(8, dtype=bool), ("right",))
    eyes.show(Board.empty(8), "none", Outcome(Story(), 0, 0, 0.99))
    assert eyes.sees is not None
    assert eyes.sees.reading is not None
    seen = replace(written_over(eyes.sees.reading, (0, 1)), cut_off=cut_off)
    eyes.sees = replace(eyes.sees, reading=seen)
    assert seen.camera_text is not None
    notice = reader.read_turn(picture(240, 320), query(EMPTY)).notice
    assert notice == f"{cut_off.text()} {seen.camera_text.text()}"


def test_a_start_position_that_is_cut_off_says_so(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_off = CutOff(np.eye(8, dtype=bool), ("top",))
    read = replace(read_board(Board.empty(8)), cut_off=cut_off)
    monkeypatch.setattr(BoardReader, "read", lambda *_, **__: read)
    assert reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON).notice == cut_off.text()


def test_a_start_position_on_a_grid_that_looks_printed_says_so(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = replace(read_board(Board.empty(8)), grid_doubt=GridDoubt.PRINTED)
    monkeypatch.setattr(BoardReader, "read", lambda *_, **__: read)
    sighting = reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON)
    assert sighting.notice == GridDoubt.PRINTED.value
    assert not sighting.border_in_doubt


def test_a_start_position_on_a_grid_in_doubt_says_so_and_doubts_no_square_for_it(
    reader: VisionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_board(Board.empty(8).with_play(FIRST))
    monkeypatch.setattr(BoardReader, "read", lambda *_, **__: replace(read, grid_doubt=GridDoubt.BORDER))
    sighting = reader.read_position(picture(240, 320), edition=EDITION, lexicon=LEXICON)
    assert sighting.border_in_doubt
    assert sighting.doubtful == ()
