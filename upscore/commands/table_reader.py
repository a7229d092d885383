"""The page's eyes with a profile: at one table there may be several cameras, and games of several editions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy.typing as npt

from calibration import Profile
from engine import WordList, edition_named
from upscore.commands.console import say
from vision import NO_CALIBRATION, BoardReader, BoardReading, CalibrationData, Hints
from vision.geometry.lens import LensError
from vision.images import Image
from webui.table.reader import VisionReader


class TableReader(BoardReader):
    """Reads pictures with the camera and tiles of a profile where these are the ones, and without where not.

    What games have taught of the tiles, `learned`, is used where the profile has none of the board's size.
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
        self._profile, self._learned, self._without = profile, learned, without
        self._readers: dict[tuple[bool, bool], BoardReader] = {}
        self._said = False

    def read(
        self,
        image: Image,
        size: int,
        *,
        corners: npt.ArrayLike | None = None,
        known: Hints | None = None,
        lone_q: bool = False,
    ) -> BoardReading:
        """Read an n x n board as `BoardReader.read` does, except that no picture's shape is refused."""
        lens, tiles = self._profile.lens, self._profile.tiles
        try:
            fits = lens is not None and lens.of_picture((image.shape[1], image.shape[0])) is not None
        except LensError as error:
            fits = False
            if not self._said:
                self._said = True
                say(f"Read without the profile's lens. {error}")
        same = tiles is not None and edition_named(tiles.edition).size == size
        return self._reader(fits, same).read(image, size, corners=corners, known=known, lone_q=lone_q)

    def _reader(self, with_lens: bool, with_tiles: bool) -> BoardReader:
        key = (with_lens, with_tiles)
        if key not in self._readers:
            calibration = self._profile.calibration()
            tiles = calibration if with_tiles else self._learned
            lens = calibration.lens if with_lens else None
            self._readers[key] = BoardReader(
                words=self._words, without=self._without, calibration=replace(tiles, lens=lens)
            )
        return self._readers[key]


class TableVision(VisionReader):
    """The reader behind the page, with a profile."""

    def __init__(self, profile: Profile, *, without: Collection[str] = ()) -> None:
        super().__init__(without=without)
        self._profile = profile

    def _made(self, lexicon: WordList | None, known: CalibrationData) -> BoardReader:
        return TableReader(self._profile, known, words=lexicon, without=self._without)
