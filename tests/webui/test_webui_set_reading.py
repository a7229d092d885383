"""What the sample game teaches of its set, by the real reader, and that another set is noticed and left aside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from presencekit import there

import sample_images
from calibration.lessons import Lessons, dump_lessons, load_lessons
from engine import FACES, Board, find_edition
from upscore.words.loader import load_lexicon
from vision import BoardReader, BoardReading, GameSettings, certain, load_image
from vision.images import Image
from vision.letters.templates import SIDE, SetFaces
from webui.ports import SettledTurn, TurnQuery
from webui.table.reader import VisionReader

pytestmark = pytest.mark.slow

CLASSIC = Path(sample_images.__file__).parent / "classic_8x8"
WORDS = load_lexicon("standard")
SETTINGS = GameSettings(find_edition("8x8"), WORDS)
BOARDS = [
    Board.of(tuple(tuple(map(tuple, row)) for row in move["board"]))
    for move in json.loads((CLASSIC / "game.json").read_text(encoding="utf-8"))["moves"]
]
READER = VisionReader(without={"tesseract"})


def turns(wrong: bool = False) -> Iterator[SettledTurn]:
    """Turns 8 to 12 of the sample; `wrong`: the sheet has the board before in the place of each."""
    for turn in range(8, 13):
        yield SettledTurn(load_image(CLASSIC / f"{turn:02d}.jpg")[0], BOARDS[0 if wrong else turn - 1])


@pytest.fixture(scope="module", autouse=True)
def _each_picture_is_read_once() -> Iterator[None]:
    """Cache the readings of a reader without knowledge of the set, since several tests learn from the same turns."""
    read, readings = BoardReader.read, dict[tuple[bytes, Board | None], BoardReading]()

    def remember(self: BoardReader, image: Image, size: int, **more: Any) -> BoardReading:
        if type(self) is not BoardReader:
            return read(self, image, size, **more)
        key = (image.tobytes(), more["hints"].board)
        if key not in readings:
            readings[key] = read(self, image, size, **more)
        return readings[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BoardReader, "read", remember)
        yield


@pytest.fixture(scope="module")
def lesson() -> str:
    taught = there(READER.learn(turns(), WORDS, ()))
    return taught


def other_tiles() -> str:
    """Return the lessons of a game whose tiles bear no letters."""
    noise = np.random.default_rng(1).normal(size=(26, SIDE, SIDE))
    noise /= np.linalg.norm(noise.reshape(26, -1), axis=1)[:, None, None]
    return dump_lessons(Lessons(SetFaces(noise, np.full(len(FACES), 9)), (), 9, 234))


def test_settled_turns_teach_the_letters_that_they_show(lesson: str) -> None:
    lessons = load_lessons(lesson)
    assert lessons.turns == 5
    assert lessons.faces is not None
    lying = {stack[-1] for board in BOARDS[7:12] for row in board.stacks for stack in row if stack}
    learned = {face for face, count in zip(FACES, lessons.faces.counts, strict=True) if count}
    assert learned
    assert learned <= lying
    assert lessons.examples >= 20


def test_pictures_that_do_not_show_the_sheet_s_board_teach_nothing() -> None:
    assert READER.learn(turns(wrong=True), WORDS, ()) is None


def test_a_game_of_other_tiles_than_those_known_teaches_nothing(lesson: str) -> None:
    assert READER.learn(turns(), WORDS, (lesson,)) is not None
    assert READER.learn(turns(), WORDS, (other_tiles(),)) is None


def test_the_next_game_is_read_with_what_was_taught_unless_other_tiles_lie_there(lesson: str) -> None:
    image = load_image(CLASSIC / "13.jpg")[0]
    for lessons, other in (((lesson,), False), ((other_tiles(),), True), (("damaged",), False)):
        query = TurnQuery(certain(BOARDS[11]), SETTINGS, lessons=lessons)
        belief, found = READER.read_turn(image, query)
        assert (found.kind, found.needs_review) == ("play", False)
        assert belief.sheet_board == BOARDS[12]
        assert belief.knowledge.other_set is other
