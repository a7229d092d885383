"""What the page needs from outside: a reader of photographs, word lists, a judge of words, the tour."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Protocol

from engine import ENGLISH, SHEET_RULES, Alphabet, Board, Edition, HouseRules, Square, WordList
from engine.game.seen_board import TopsAndHeights
from engine.lexicon.lexicon import WordVerdict
from vision import Belief, Finding, GameSettings
from vision.images import Image
from vision.video.watch_state import TrackedFinding, WatchState

if TYPE_CHECKING:
    from vision.letters.loose_tiles import LooseTile

Corners = tuple[tuple[float, float], ...]


def file_name(path: str) -> str:
    """Return the name of a file without its folder. The path may come from another system."""
    return PureWindowsPath(path).name  # it knows both kinds of slashes


@dataclass(frozen=True)
class TurnQuery:
    """Everything that a table knows when it takes a photograph: the belief about its game, and the settings.

    `corners` are those that a person gave: TL, TR, BR, BL of the grid with the letters upright, as shares of the
    picture's width and height; None if the board is to be found. `lessons` were learned from the tiles of earlier games
    (`TurnReader.learn`).
    """

    belief: Belief
    settings: GameSettings
    corners: Corners | None = None
    lessons: tuple[str, ...] = ()


@dataclass(frozen=True)
class SettledTurn:
    """A photograph, (h, w, 3) BGR, and the board that it shows, which is settled.

    Nothing is learned from the letters on the squares `by_hand`.
    """

    image: Image
    board: Board
    by_hand: frozenset[Square] = frozenset()


@dataclass(frozen=True)
class PositionReading:
    """A whole board read from one photograph without history, or corrected by people.

    `doubtful` are the squares that a person should look at before a game starts from here; `border_in_doubt` says that
    everything may be a square off, `notice` which part of the board is out of the picture. `turns` are the quarter
    turns, against the clock, that bring the photograph upright; the `overlay` is upright already.
    """

    squares: TopsAndHeights
    doubtful: tuple[Square, ...] = ()
    overlay: Image | None = None
    border_in_doubt: bool = False
    notice: str | None = None
    turns: int = 0


@dataclass(frozen=True)
class Aim:
    """The view of a camera held over the board: the grid, if found, and what to do for a good photograph.

    Without a `hint` the photograph is good now.
    """

    corners: Corners | None
    hint: str | None


class Follower(Protocol):
    """Follows one game, frame by frame, from a belief about it."""

    def watch(self, frame: Image, time: float) -> WatchState:
        """Look at the next frame, (h, w, 3) BGR, at `time` in seconds. Return whether to `read` it."""

    def read(self) -> TrackedFinding | None:
        """Read the frame watched last, which is due. Return the turn that it settles, if it does."""

    def finish(self) -> TrackedFinding | None:
        """Return the turn that lies there once no frame is to come any more."""

    def glance(self) -> Finding | None:
        """Return the play that an early look at the frame watched last is sure of. This decides nothing."""

    def believe(self, belief: Belief, *, again: bool) -> None:
        """Go on from this belief. With `again` the table has decided something, and the board is looked at again."""


class TurnReader(Protocol):
    """Reads photographs. Called from several threads at once."""

    def read_turn(self, image: Image, query: TurnQuery) -> tuple[Belief, Finding]:
        """Return the belief after a picture, and the finding: "unclear" if it shows no board."""

    def follow(self, query: TurnQuery) -> Follower:
        """Return a follower of the table that starts from a belief. Turns come when the hands have left."""

    def find_grid(self, image: Image, query: TurnQuery) -> Corners:
        """Find the board's grid, as `TurnQuery.corners`; raises BoardNotFound."""

    def check_corners(self, image: Image, query: TurnQuery) -> str | None:
        """Return a sentence if the picture shows the squares elsewhere than the query's corners do, None if not."""

    def aim(self, image: Image, query: TurnQuery, before: Corners | None) -> Aim:
        """Say what a small picture from a hand-held camera shows. `before` are the corners in the picture before it."""

    def read_position(self, image: Image, *, edition: Edition, lexicon: WordList | None) -> PositionReading:
        """Read the board as it lies there; raises BoardNotFound if there is none."""

    def read_rack(self, image: Image, alphabet: Alphabet) -> tuple[LooseTile, ...]:
        """Read the tiles that lie in a picture, off any board."""

    def learn(self, turns: Iterable[SettledTurn], lexicon: WordList | None, known: tuple[str, ...]) -> str | None:
        """Return what a game's turns teach about its tiles, as text to be stored.

        Return None if that is too little, or if these tiles differ from those `known` from earlier games.
        """


class LexiconShelf(Protocol):
    """The word lists that a game can be played with."""

    def names(self) -> tuple[str, ...]:
        """Return the lists to choose from, the usual one first."""

    def load(self, name: str, alphabet: Alphabet = ENGLISH) -> WordList:
        """Return the list of that name as tiles of an alphabet spell it; raises UpscoreError when there is none."""


class Judge(Protocol):
    """Judges words."""

    def __call__(self, word: str, lexicon_name: str, alphabet: Alphabet = ENGLISH) -> WordVerdict:
        """Judge a word by the list of a name, spelled with tiles of an alphabet: ``judge("quiet", "both")``."""


@dataclass(frozen=True)
class TourStep:
    """A step of the tour: `does` is the name of a photograph, "challenge" or "end", and `says` explains it."""

    does: str
    says: str


@dataclass(frozen=True)
class Tour:
    """A sample game that explains itself, from an empty board.

    `start` is the photograph of that board in `folder`, and `says` introduces the game. `lexicon` judges its words.
    """

    folder: Path
    edition: str
    players: tuple[str, ...]
    lexicon: str
    start: str
    says: str
    steps: tuple[TourStep, ...]


def unguessable_id() -> int:
    """Return a number for a game whose address nobody can guess: 53 bits, as many as a browser's numbers hold."""
    return secrets.randbelow(2**53 - 2**40) + 2**40


@dataclass(frozen=True)
class AppConfig:
    """The configuration of the page. `cameras` are the SOURCEs of `serve`; `rules` preset a new game's form.

    `names` are hosts that the server answers for besides its own; `new_game_id` numbers a new game, and none that is in
    use is taken. With `behind_proxy` nobody counts as sitting at this computer. `list_labels` says of word lists, by
    name, what they are called and what they are, each in words; `lists_note` what holds of all. `get_ready` loads what
    the first photograph would wait for: called in the background of a page that is served. `suggest` says whether a
    best play may show a word, in capitals; without it all may. `word_language` returns the code of a word list's
    language, "" if nobody knows it, so that a voice can pronounce its words.
    """

    data_dir: Path
    reader: TurnReader
    lexicons: LexiconShelf
    judge: Judge
    cameras: tuple[str, ...] = ()
    rules: HouseRules = SHEET_RULES
    tour: Tour | None = None
    demo_pace_s: float = 8.0
    max_upload_bytes: int = 64 * 1024 * 1024
    names: tuple[str, ...] = ()
    behind_proxy: bool = False
    new_game_id: Callable[[], int] = unguessable_id
    get_ready: Callable[[], object] | None = None
    list_labels: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    lists_note: str = ""
    suggest: Callable[[str], bool] | None = None
    word_language: Callable[[str], str] = lambda _: ""

    def list_label(self, name: str) -> str:
        """Return the name of a word list for people.

        A list without a label goes by its file's name, without the folder.
        """
        return self.list_labels[name][0] if name in self.list_labels else file_name(name)
