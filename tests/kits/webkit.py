"""A table for tests of the page: word lists, a judge, a reader that says what it is told, the sheets' example game."""

from __future__ import annotations

import io
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from enginekit import game_after
from flask import Flask
from flask.testing import FlaskClient
from readings import reading_of
from werkzeug.test import TestResponse

from engine import (
    ENGLISH,
    SHEET_RULES,
    Alphabet,
    Board,
    Edition,
    Game,
    Lexicon,
    LexiconError,
    Square,
    WordList,
    find_edition,
    parse_play,
)
from engine.lexicon.lexicon import WordVerdict
from engine.wording import phrase
from vision import Belief, BoardNotFound, Finding, Kind, Outcome, certain
from vision.images import Image
from vision.letters.loose_tiles import LooseTile
from vision.turn.reasons import Doubt, Reason
from vision.video.watch_state import TrackedFinding
from webui.app import services_of
from webui.ports import AppConfig, PositionReading, SettledTurn, Tour, TourStep, TurnQuery
from webui.services import Services
from webui.storage.store import FILE_NAME, Store
from webui.table.announcer import Announcer
from webui.table.games import Games, OpenGame

# The rule sheets' example on 8x8, MOOD beginning at row 3, column 1 (both from 0).
EXAMPLE = (
    "M@b4 O@c4 O@d4 D@e4",
    "E@e5 A@e6 R@e7",
    "N@d5 T@f5",
    "W@b4",
    "L@e4 P@e7",
    "S@d7 N@e7 A@f7 C@g7 K@h7",
    "P@g2 L@g3 U@g4 S@g5",
)
EXAMPLE_POINTS = (8, 8, 10, 5, 12, 14, 16)
EXAMPLE_WORDS = "MOOD DEAR NET ON WOOD WOOL LEAP SNACK LEAN PLUS NETS CATER BELATED CAT CATS DOG QUIT HELLO NEAR"


@dataclass(frozen=True)
class Words:
    """A word list held in memory."""

    name: str
    words: frozenset[str]

    def __contains__(self, word: object) -> bool:
        return word in self.words


class Shelf:
    """Two word lists: "standard", and "tiny", which has one word."""

    def names(self) -> tuple[str, ...]:
        return ("standard", "tiny")

    def load(self, name: str, alphabet: Alphabet = ENGLISH) -> WordList:
        words = {"standard": EXAMPLE_WORDS, "tiny": "MOOD"}
        if name not in words:
            raise LexiconError(f"There is no word list {name}.")
        return Words(name, frozenset(words[name].split()))


@dataclass(frozen=True)
class SearchableShelf:
    """One word list, which the solver can search."""

    words: str = "ON TO TOO ONTO ONE ABCDEFG CAT CAR BAT BIT"

    def names(self) -> tuple[str, ...]:
        return ("standard",)

    def load(self, name: str, alphabet: Alphabet = ENGLISH) -> Lexicon:
        return Lexicon.from_words(self.words.split(), name=name)


def judge(word: str, lexicon_name: str, alphabet: Alphabet = ENGLISH) -> WordVerdict:
    """Judges by the shelf; knows what MOOD means."""
    shown = word.upper()
    if shown in Shelf().load(lexicon_name):
        meaning = "a state of mind" if shown == "MOOD" else None
        return WordVerdict(shown, True, phrase("%(word)s is playable.", word=shown), None, meaning)
    reason = phrase("not in the word list %(list)s", list=lexicon_name)
    sentence = phrase("%(word)s is not playable: %(reason)s.", word=shown, reason=reason)
    return WordVerdict(shown, False, sentence, reason, None)


def picture(height: int = 120, width: int = 160) -> Image:
    """A photograph of nothing in particular, (height, width, 3) BGR."""
    rows, cols = np.mgrid[0:height, 0:width]
    # up and down again without a step, and grainy: steps across a smooth JPEG look like damage
    channels = [255 - np.abs(levels % 510 - 255) for levels in (rows, cols, rows + cols)]
    grain = np.random.default_rng(1).integers(-12, 13, (height, width, 1))
    return np.clip(np.stack(channels, axis=-1) + grain, 0, 255).astype(np.uint8)


def jpeg(height: int = 120, width: int = 160) -> bytes:
    """The same as the bytes of a JPEG file."""
    done, data = cv2.imencode(".jpg", picture(height, width))
    assert done
    return data.tobytes()


def because(text: str) -> Doubt:
    """Return a doubt of which nothing but its sentence is known."""
    return Doubt(Reason.OTHER, (text,))


READING = reading_of(Board.empty(8))
"""What a photograph shows, as far as the page minds."""


def finding(kind: Kind, *outcomes: Outcome, asked: bool = False, **more: Any) -> Finding:
    """Return the finding of a photograph with these outcomes."""
    return replace(
        Finding(kind, outcomes, sum(each.share for each in outcomes[:1]), asked, None, None, Board.empty(8), None),
        **more,
    )


def outcome(*tiles: str | None, replaces: int = 0, share: float = 0.99) -> Outcome:
    """Plays in notation that may have been made, None if one was taken back."""
    events = (None if text is None else parse_play(text) for text in tiles)
    return Outcome.of(*events, replaces=replaces, share=share)


def sure(tiles: str) -> Finding:
    """A play seen without doubt."""
    return finding("play", outcome(tiles), reading=READING)


def really(*tiles: str, replaces: int = 1, asked: bool = True) -> Finding:
    """The last plays were really others, and went on so."""
    reason = Doubt(Reason.REVISED) if asked else None
    return finding("play", outcome(*tiles, replaces=replaces), asked=asked, reason=reason, reading=READING)


def doubt(*tiles: str, question: Square | None = None) -> Finding:
    """Several plays that it may have been."""
    outcomes = (outcome(text, share=0.9 / (at + 1)) for at, text in enumerate(tiles))
    reason = because("It is not certain.")
    return finding("play", *outcomes, asked=True, square=question, reason=reason, reading=READING)


def make_finding(kind: Kind, reason: str | None = None, *tiles: str) -> Finding:
    """Nothing changed, tiles taken back, or an unclear picture, perhaps with plays that it may show."""
    plays = (outcome(text, share=0.4 / (at + 1)) for at, text in enumerate(tiles))
    outcomes = (outcome(None),) if kind == "removed" else plays
    return finding(kind, *outcomes, asked=True, reason=None if reason is None else because(reason))


def make_tracked(found: Finding, belief: Belief | None = None) -> TrackedFinding:
    """Return what a follower yields: a finding, and the belief after it, by default that of an empty board."""
    return TrackedFinding(0.0, found, belief or certain(Board.empty(8)), False, picture())


@dataclass
class ScriptedReader:
    """Says of each photograph what the script has next, and remembers what it was told of the table.

    Without a belief in the script, it believes what it was told.
    """

    script: list[Finding | tuple[Belief, Finding]] = field(default_factory=list)
    queries: list[TurnQuery] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    position: PositionReading | None = None
    rack: tuple[LooseTile, ...] = ()
    lesson: str | None = None
    corner_doubt: str | None = None
    taught: list[tuple[SettledTurn, ...]] = field(default_factory=list)

    def say(self, script: Iterable[Finding | tuple[Belief, Finding]]) -> None:
        self.script.extend(script)

    def read_turn(self, image: Image, query: TurnQuery) -> tuple[Belief, Finding]:
        self.queries.append(query)
        self.images.append(image)
        said = self.script.pop(0)
        return (query.belief, said) if isinstance(said, Finding) else said

    def check_corners(self, image: Image, query: TurnQuery) -> str | None:
        self.queries.append(query)
        return self.corner_doubt

    def read_rack(self, image: Image, alphabet: Alphabet = ENGLISH) -> tuple[LooseTile, ...]:
        self.images.append(image)
        return self.rack

    def learn(self, turns: Iterable[SettledTurn], lexicon: WordList | None, known: tuple[str, ...]) -> str | None:
        self.taught.append(tuple(turns))
        return self.lesson

    def read_position(self, image: Image, *, edition: Edition, lexicon: WordList | None) -> PositionReading:
        if self.position is None:
            raise BoardNotFound("No board was found in the picture: show the whole board.")
        return self.position


def empty_position(size: int = 8) -> PositionReading:
    """An empty board, read without doubt."""
    return PositionReading(((("", 0),) * size,) * size)


def config(tmp_path: Path, reader: ScriptedReader, **changes: object) -> AppConfig:
    """The configuration of a page over a fresh data folder."""
    numbers = count(1)
    settings: dict[str, object] = {
        "data_dir": tmp_path / "data",
        "lexicons": Shelf(),
        "judge": judge,
        "new_game_id": lambda: next(numbers),  # so that tests can say /games/1
        **changes,
    }
    return AppConfig(reader=reader, **settings)  # type: ignore[arg-type]


def store_game(folder: Path, player: str, *, demo: bool = False) -> None:
    """Add a game of that player to the store in a folder."""
    store = Store(folder)
    Games(store, Shelf(), Announcer()).start(
        edition="8x8", players=(player,), rules=SHEET_RULES, lexicon="standard", demo=demo
    )
    store.close()


def leave_unclosed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a store as earlier versions left it at a kill: its game, of Ann, is in the log alone."""
    made = folder.parent / f"{folder.name} made"
    with monkeypatch.context() as patch:
        patch.setattr("webui.storage.database._empty_log", lambda _: None)
        held = Store(made)
        store_game(made, "Ann")
    folder.mkdir()
    for name in (FILE_NAME, f"{FILE_NAME}-wal"):
        shutil.copyfile(made / name, folder / name)
    held.close()
    shutil.rmtree(made)


def sample_tour(tmp_path: Path, *steps: str) -> Tour:
    """A tour of these steps; `turn` stands for a photograph, and every step says its own number."""
    folder = tmp_path / "sample"
    folder.mkdir()
    for name in ("start", "turn"):
        (folder / name).write_bytes(jpeg())
    told = tuple(TourStep(step, f"Step {at}.") for at, step in enumerate(steps, start=1))
    return Tour(folder, "8x8", ("Red", "Blue"), "standard", "start", "The beginning.", told)


def edit_store(store: Path, statement: str, *values: object) -> None:
    """Change a file of games behind the store's back."""
    with closing(sqlite3.connect(store)) as connection:
        connection.execute(statement, values)
        connection.commit()


def until(condition: Callable[[], bool], seconds: float = 15.0) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"it did not come about within {seconds:.0f} seconds"
        time.sleep(0.005)


FORM = {"player0": "Red", "player1": "Blue", "edition": "8x8", "lexicon": "standard"}
"""What the form for a new game sends."""


BY_SCRIPT = {"Accept": "application/json"}
"""Headers of what the page's scripts send: they are answered in JSON."""


STANDARD = Words("standard", frozenset(EXAMPLE_WORDS.split()))


def new_game(*players: str, edition: str = "8x8", **more: Any) -> Game:
    """A game without a turn, by default of Red and Blue."""
    return Game.start(find_edition(edition), players or ("Red", "Blue"), lexicon=STANDARD, **more)


def example(*players: str, turns: int = len(EXAMPLE), **more: Any) -> Game:
    """The example, or its first turns."""
    return game_after(new_game(*players, **more), *EXAMPLE[:turns])


def start_game(services: Services, *players: str, edition: Edition | str = "8x8", **more: Any) -> OpenGame:
    """Start a game on the page, by default of Red and Blue on 8x8 by the page's own rules."""
    settings: dict[str, Any] = {"rules": services.config.rules, "lexicon": "standard", **more}
    return services.games.start(edition=edition, players=players or ("Red", "Blue"), **settings)


def after_plays(services: Services, open_game: OpenGame, *plays: str) -> OpenGame:
    """A game of the page after some plays."""
    for play in map(parse_play, plays):
        open_game = services.games.change(open_game, partial(Game.play, play=play))
    return open_game


OpenPage = Callable[..., Flask]
"""Opens the page over the data folder of a test, with other settings if wanted."""


def submit(client: FlaskClient, what: str, headers: dict[str, str] | None = None, /, **fields: str) -> TestResponse:
    """Send a form of the first game, by what follows its address, as of the game's newest version."""
    form = {"version": str(services_of(client.application).games.version(1)), **fields}
    return client.post(f"/games/1/{what}", data=form, headers=headers)


def enter_plays(services: Services, open_game: OpenGame, *plays: str) -> OpenGame:
    """Enter plays by hand, as people do on the page; return the game as it then stands."""
    for play in map(parse_play, plays):
        open_game = services.intake.enter(open_game, play, open_game.row.version)
    return open_game


def upload(client: FlaskClient, url: str, data: bytes, name: str = "board.jpg", **fields: str) -> TestResponse:
    form = {"photo": (io.BytesIO(data), name), **fields}
    return client.post(url, data=form, content_type="multipart/form-data")


def photograph(client: FlaskClient, reader: ScriptedReader, *says: Finding | tuple[Belief, Finding]) -> TestResponse:
    """Send a photograph of the first game, of which the reader says this."""
    reader.say(says)
    return upload(client, "/games/1/photo", jpeg())


def version(services: Services, game: OpenGame) -> str:
    """The version of the game that a page loaded now would send."""
    return str(services.games.open(game.row.id).row.version)


def text(response: TestResponse) -> str:
    """The body of an answer."""
    with response:
        return response.get_data(as_text=True)


def read_error(response: TestResponse) -> str:
    """Return the line that says what is wrong."""
    found = re.search(r'id="problem">(.*?)</p>', text(response))
    assert found, text(response)
    return found[1]


class Hosted:
    """A game on the page and its scripted reader, however the page is reached."""

    services: Services
    reader: ScriptedReader
    game: OpenGame

    def now(self) -> OpenGame:
        """Return the game as it stands."""
        return self.services.games.open(self.game.row.id)

    def enter(self, *plays: str) -> OpenGame:
        """Enter plays by hand; return the game as it then stands."""
        return enter_plays(self.services, self.now(), *plays)

    def take(
        self, *says: Finding | tuple[Belief, Finding], source: str = "upload", image: Image | None = None
    ) -> OpenGame:
        """Take a photograph for each thing that the reader says; return the game as it then stands."""
        self.reader.say(says)
        for _ in says:
            self.services.intake.take(self.game.row.id, picture() if image is None else image, source)
        return self.now()


@dataclass(frozen=True)
class Lobby:
    """A page before its first game, a browser at the computer, and the scripted reader."""

    app: Flask
    client: FlaskClient
    services: Services
    reader: ScriptedReader

    def photograph(self, *says: Finding | tuple[Belief, Finding]) -> TestResponse:
        return photograph(self.client, self.reader, *says)

    def submit(self, what: str, headers: dict[str, str] | None = None, /, **fields: str) -> TestResponse:
        return submit(self.client, what, headers, **fields)

    def upload(self, url: str, data: bytes, name: str = "board.jpg", **fields: str) -> TestResponse:
        return upload(self.client, url, data, name, **fields)


@dataclass(frozen=True)
class Site(Lobby, Hosted):
    """A page with a game of Red and Blue on 8x8. `game` is as it was before the first turn."""

    game: OpenGame

    def after_plays(self, *plays: str) -> OpenGame:
        return after_plays(self.services, self.game, *plays)
