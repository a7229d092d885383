"""The reader of photographs behind the page: it asks vision what the page needs to know.

`TableReader` knows the calibration of each picture, `VisionReader` reads, and `Following` follows one table.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from calibration.errors import ProfileError
from calibration.lessons import (
    MIN_LEARNED_FACES,
    Lessons,
    dump_lessons,
    join_lessons,
    learn_calibration,
    load_lessons,
    shows_board,
)
from calibration.profile import Profile
from engine import SQUARES, Alphabet, Edition, UpscoreError, WordList
from engine.wording import phrase
from vision import (
    NO_CALIBRATION,
    Belief,
    BoardNotFound,
    BoardReader,
    CalibrationData,
    Finding,
    GridDoubt,
    Hints,
    Tracker,
)
from vision.board.grid_doubt import doubt_of_given
from vision.calibration_data import CalibrationCheck
from vision.geometry.camera import corner_gaps, side_lengths
from vision.geometry.lens import LensError
from vision.images import Image
from vision.letters.loose_tiles import LooseTile, find_loose_tiles
from vision.overlay import draw_reading, quarter_turns, upright
from vision.picture_quality import fault_of, lighten
from vision.reading import BoardReading
from vision.turn.observe import hints_of, not_read, observe
from vision.turn.reasons import HIDDEN
from vision.video.watch_state import WatchState
from webui.ports import Aim, Corners, PositionReading, SettledTurn, TurnQuery, TurnReader

_LOG = logging.getLogger(__name__)


NO_BOARD = phrase("Get the whole board into the picture.")
MORE_LIGHT = phrase("More light, please.")
LESS_LIGHT = phrase("Too bright. Turn a lamp away.")
NEARER = phrase("Nearer, please.")
CORNER_MISSING = phrase("Part of the board is outside the picture. Move back.")
HAND = phrase("Take your hand away.")
HOLD_STILL = phrase("Hold still.")
_SPOILED_HINTS = {GridDoubt.DARK: MORE_LIGHT, GridDoubt.BLURRED: HOLD_STILL, GridDoubt.DAZZLED: LESS_LIGHT}
MIN_BOARD_SIDE = 0.45
"""Mean side of the board, as a share of the picture's shorter side, below which the camera should come nearer. A square
of a 10 x 10 board then has 49 px in a picture of 1920 x 1080. [by eye]"""
MAX_DRIFT = 0.012
"""Distance that a corner may move from look to look, as a share of the picture's longer side. [by eye]"""
_FAILED = phrase("Something went wrong with this photo. Take another.")
SURE = 0.95
"""Squares of a start position given less than this are shown as doubtful. [by eye]"""


class TableReader(BoardReader):
    """Reads photographs for tables with several cameras, and for games of several editions.

    The lens of a profile is used for pictures of its shape, its tiles for boards of their size. For other boards,
    `learned` has the lessons from earlier games.
    """

    def __init__(
        self,
        profile: Profile,
        learned: CalibrationData = NO_CALIBRATION,
        *,
        words: WordList | None = None,
        without: Collection[str] = (),
    ) -> None:
        super().__init__(words=words, without=without)
        self._profile, self._learned = profile, learned
        self._checks: dict[tuple[bool, bool], CalibrationCheck] = {}
        self._said = False

    def calibration_of(self, image: Image, size: int) -> CalibrationCheck:
        """Return what the profile and earlier games say about the camera and the tiles.

        It refuses no picture for its shape.
        """
        tiles, has_lens = self._profile.tiles, self._has_lens_of(image)
        has_tiles = tiles is not None and tiles.edition.size == size
        known = self._profile.calibration() if has_tiles else self._learned
        calibration = replace(known, lens=self._profile.lens if has_lens else None)
        return self._checks.setdefault((has_lens, has_tiles), CalibrationCheck(calibration))

    def _has_lens_of(self, image: Image) -> bool:
        """Return whether the profile has a lens that fits the picture. If not, log the reason once."""
        try:
            if self._profile.lens is not None:
                self._profile.lens.of_picture((image.shape[1], image.shape[0]))
        except LensError as error:
            if not self._said:
                self._said = True
                _LOG.warning("Read without the profile's lens. %s", error)
            return False
        return self._profile.lens is not None


class VisionReader(TurnReader):
    """Reads turns and boards from photographs. It stores nothing about games."""

    def __init__(self, profile: Profile | None = None, *, without: Collection[str] = ()) -> None:
        self._profile, self._without = profile or Profile(), without
        self._readers: dict[tuple[str, Alphabet, tuple[str, ...]], BoardReader] = {}

    def read_turn(self, image: Image, query: TurnQuery) -> tuple[Belief, Finding]:
        """Return the belief after a picture, and the finding: "unclear" if it shows no board.

        It is also "unclear" if the reader fails: sent again, the picture would fail again, and later ones would wait
        forever.
        """
        reader, corners = self._reader_for(query), _pixels(query.corners, image)
        try:
            return observe(reader, query.belief, image, query.settings, corners)
        except UpscoreError:
            raise
        except Exception:
            _LOG.exception("A photograph could not be worked out")
            return not_read(query.belief, _FAILED)

    def follow(self, query: TurnQuery) -> Following:
        return Following(self._reader_for(query), query)

    def find_grid(self, image: Image, query: TurnQuery) -> Corners:
        reader = self._reader_for(query)
        return _shares(reader.read(image, query.settings.edition.size, hints=hints_of(query.belief)), image)

    def check_corners(self, image: Image, query: TurnQuery) -> str | None:
        size, corners = query.settings.edition.size, _pixels(query.corners, image)
        doubt = doubt_of_given(self._reader_for(query).find(lighten(image).image, size, corners=corners))
        return None if doubt is None else doubt.value

    def aim(self, image: Image, query: TurnQuery, before: Corners | None) -> Aim:
        reader = self._reader_for(query)
        try:
            reading = reader.read(image, query.settings.edition.size, hints=hints_of(query.belief))
        except BoardNotFound:
            return Aim(None, _hint_without_board(image))
        return Aim(_shares(reading, image), _hint_of(reading, image, _pixels(before, image)))

    def read_rack(self, image: Image, alphabet: Alphabet) -> tuple[LooseTile, ...]:
        return find_loose_tiles(image, alphabet)

    def read_position(self, image: Image, *, edition: Edition, lexicon: WordList | None) -> PositionReading:
        reader = self._reader(edition.alphabet, lexicon)
        reading = reader.read(image, edition.size, hints=Hints(alphabet=edition.alphabet))
        squares, doubt = replace(reading, grid_doubt=None), reading.said_doubt
        heights: list[list[int]] = reading.heights().tolist()
        doubtful = np.argwhere((squares.confidence() < SURE) | reading.find_occluded())
        return PositionReading(
            squares=tuple(tuple(zip(*row, strict=True)) for row in zip(reading.letters(), heights, strict=True)),
            doubtful=tuple(SQUARES[row][col] for row, col in doubtful),
            overlay=draw_reading(*upright(image, reading)),
            turns=quarter_turns(reading.corners),
            border_in_doubt=doubt is GridDoubt.BORDER,
            notice=reading.notice() if doubt in (None, GridDoubt.BORDER) else doubt.value,
        )

    def learn(self, turns: Iterable[SettledTurn], lexicon: WordList | None, known: tuple[str, ...]) -> str | None:
        """Return what a game's turns teach about its tiles. They are read without earlier lessons."""
        reader, lessons = BoardReader(words=lexicon, without=self._without), Lessons()
        for turn in turns:
            with suppress(BoardNotFound):
                reading = reader.read(turn.image, turn.board.size, hints=Hints(board=turn.board))
                if shows_board(reading, turn.board):
                    lessons = lessons.after_board(turn.image, reading, turn.board, turn.by_hand)
        if lessons.faces is None or lessons.examples < MIN_LEARNED_FACES:
            return None
        before = join_lessons(_load_all(known), lessons.faces.alphabet).faces
        are_other_tiles = before is not None and lessons.faces.is_other_than(before)
        return None if are_other_tiles else dump_lessons(lessons)

    def _reader_for(self, query: TurnQuery) -> BoardReader:
        return self._reader(query.settings.edition.alphabet, query.settings.lexicon, query.lessons)

    def _reader(self, alphabet: Alphabet, lexicon: WordList | None, lessons: tuple[str, ...] = ()) -> BoardReader:
        """Return the reader with a word list and lessons from games; readers with older lessons are dropped."""
        key = (lexicon.name if lexicon is not None else "", alphabet, lessons)
        if key not in self._readers:
            kept = {each: reader for each, reader in self._readers.items() if each[:2] != key[:2] or not each[2]}
            learned = learn_calibration(join_lessons(_load_all(lessons), alphabet))
            reader = TableReader(self._profile, learned, words=lexicon, without=self._without)
            self._readers = kept | {key: reader}
        return self._readers[key]


class Following(Tracker):
    """Follows one table. Corners that a person gave count from its first frame on."""

    def __init__(self, reader: BoardReader, query: TurnQuery) -> None:
        super().__init__(reader, query.belief, query.settings)
        self._given = query.corners

    def watch(self, frame: Image, time: float) -> WatchState:
        """Look at the next frame, as `Tracker.watch`."""
        if self._corners is None:
            self._corners = _pixels(self._given, frame)
        return super().watch(frame, time)


def _load_all(lessons: Sequence[str]) -> list[Lessons]:
    loaded = []
    for text in lessons:
        try:
            loaded.append(load_lessons(text))
        except ProfileError as error:
            _LOG.warning("%s", error)
    return loaded


def _hint_without_board(image: Image) -> str:
    """Return what to do about a picture (h, w, 3) BGR without a board."""
    photograph = lighten(image)
    fault = fault_of(photograph.image)
    if fault is None:
        return NO_BOARD if photograph.gain == 1.0 else MORE_LIGHT
    return _SPOILED_HINTS[GridDoubt[fault.name]]


def _hint_of(reading: BoardReading, image: Image, before: npt.NDArray[np.float64] | None) -> str | None:
    """Return what to do before this board is worth a photograph. `before` (4, 2) px has its corners a moment ago."""
    height, width = image.shape[:2]
    if reading.cut_off is not None or (reading.corners < 0).any() or (reading.corners > (width, height)).any():
        return CORNER_MISSING
    if side_lengths(reading.corners).mean() < MIN_BOARD_SIDE * min(height, width):
        return NEARER
    if (reading.under_hand > HIDDEN).any():
        return HAND
    if (doubt := reading.said_doubt) is not None:
        return _SPOILED_HINTS.get(doubt, doubt.value)
    moved = before is None or corner_gaps(reading.corners, before).max(axis=1).min() > MAX_DRIFT * max(height, width)
    return HOLD_STILL if moved else None


def _shares(reading: BoardReading, image: Image) -> Corners:
    """Return the corners of a reading as shares of the picture's width and height."""
    height, width = image.shape[:2]
    return tuple((float(x / width), float(y / height)) for x, y in reading.corners)


def _pixels(corners: Corners | None, image: Image) -> npt.NDArray[np.float64] | None:
    """Return corners, given as shares of a picture's width and height, as (4, 2) px."""
    if corners is None:
        return None
    return np.array(corners, dtype=np.float64) * (image.shape[1], image.shape[0])
