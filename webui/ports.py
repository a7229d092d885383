"""What the page needs from outside: a reader of photographs, word lists, a judge of words, demo games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from engine.board import Board
from engine.editions import Edition
from engine.houserules import SHEET_RULES, HouseRules
from engine.play import Play
from engine.revision import Revision
from engine.squares import Square
from engine.words import WordList
from vision.images import Image

SightingKind = Literal["play", "none", "removed", "unclear"]


@dataclass(frozen=True)
class Facts:
    """What is known of the table when a photograph is taken.

    `game_id` lets a reader remember what it learned of this table's camera and tiles. `last_play` is the play
    that can still be taken back, None where there is none.
    """

    game_id: int
    before: Board
    edition: Edition
    lexicon: WordList | None
    rules: HouseRules
    last_play: Play | None


@dataclass(frozen=True)
class Choice:
    """One explanation of what was seen, with its probability.

    `earlier` is a play that came before `play`, where two turns were made since the last photograph. `revision` is
    what an earlier turn must really have been.
    """

    play: Play
    confidence: float
    earlier: Play | None = None
    revision: Revision | None = None


@dataclass(frozen=True)
class Sighting:
    """What a photograph says about the turn.

    `choices` are ranked, the most probable first: plays for the kind "play", the tiles taken off for
    "removed", none otherwise. `question` is the one square whose answer decides between them. `reason` is a
    sentence for the kind "unclear". The pictures are what a person checks the reading with; `square` shows
    the square in question from near, letters upright. `before` is the board that the turn began from, as it looks by
    now: an earlier turn may have been read wrongly. None where it is the one that was told.
    """

    kind: SightingKind
    choices: tuple[Choice, ...]
    needs_review: bool
    question: Square | None
    reason: str | None
    overlay: Image | None
    square: Image | None
    before: Board | None = None


@dataclass(frozen=True)
class PositionSighting:
    """A whole board read from one photograph, with no history: `tops` and `heights` by row.

    `doubtful` are the squares that a person should look at before a game starts from here; `border_in_doubt` says that
    all may lie a square beside.
    """

    tops: tuple[tuple[str, ...], ...]
    heights: tuple[tuple[int, ...], ...]
    doubtful: tuple[Square, ...]
    overlay: Image | None
    border_in_doubt: bool = False


@dataclass(frozen=True)
class Followed:
    """A turn found by following the table: `amends` when it takes, whole, the place of the turn before it."""

    sighting: Sighting
    image: Image
    amends: bool


class Follower(Protocol):
    """Follows one game from its board on, frame by frame."""

    def feed(self, frame: Image, time: float) -> Followed | None:
        """The next frame, (h, w, 3) BGR, at `time` in seconds; the turn that it settles, if it does."""


class TurnReader(Protocol):
    """Reads photographs. Called from several threads at once."""

    def read_turn(self, image: Image, facts: Facts) -> Sighting:
        """What was played since `facts.before`; a picture without a board is a Sighting of kind "unclear"."""

    def follow(self, facts: Facts) -> Follower:
        """One who follows the table from `facts.before` on; turns come when the hands have left."""

    def read_position(self, image: Image, *, edition: Edition, lexicon: WordList | None) -> PositionSighting:
        """The board as it lies there; raises BoardNotFound, an UpscoreError, when there is none."""


class LexiconShelf(Protocol):
    """The word lists that a game can be played with."""

    def names(self) -> tuple[str, ...]:
        """The lists to choose from, the usual one first."""

    def load(self, name: str) -> WordList:
        """The list of that name; raises UpscoreError when there is none."""


@dataclass(frozen=True)
class WordVerdict:
    """Whether a word may be played, what it means, and why not."""

    word: str
    playable: bool
    meaning: str | None
    reason: str | None


Judge = Callable[[str, str], WordVerdict]
"""Judges a word by the list of a name: ``judge("quiet", "standard")``."""


@dataclass(frozen=True)
class DemoGame:
    """A folder of photographs to play, sorted by name: the first shows the start, each other a turn."""

    title: str
    folder: Path
    edition: str
    players: tuple[str, ...]


@dataclass(frozen=True)
class AppConfig:
    """All that the page is made of. `camera` is the SOURCE of `serve`; `rules` preset a new game's form."""

    data_dir: Path
    reader: TurnReader
    lexicons: LexiconShelf
    judge: Judge
    camera: str | None = None
    rules: HouseRules = SHEET_RULES
    demos: tuple[DemoGame, ...] = field(default=())
    demo_pace_s: float = 6.0
    max_upload_bytes: int = 64 * 1024 * 1024
