"""The page over the sample photographs, read by the real reader: what lands on the scoresheet is what lay there."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from presencekit import there
from webkit import BY_SCRIPT, jpeg, upload

import sample_images
from engine import ENGLISH, SQUARES, Alphabet, Game, HouseRules, Lexicon, PlacedTile, Play, find_edition, format_play
from upscore.commands.serve import TOUR, judge
from upscore.words.loader import load_lexicon
from webui.app import create_app, services_of
from webui.live.demo import DemoStatus
from webui.ports import AppConfig
from webui.table.reader import VisionReader
from webui.views.answers import view_answers

pytestmark = pytest.mark.slow

SAMPLES = Path(sample_images.__file__).parent
CLASSIC, BLUE = SAMPLES / "classic_8x8", SAMPLES / "blue_10x10"
PLAYERS = ("Ada", "Ben")
GAME = "/api/v1/games/1"

MOVES: dict[Path, list[dict[str, Any]]] = {
    folder: json.loads((folder / "game.json").read_text(encoding="utf-8"))["moves"] for folder in (CLASSIC, BLUE)
}
OUT_OF_VIEW: dict[Path, set[int]] = {CLASSIC: {7}, BLUE: {6}}
"""Turns of which a hand or a stack hides more than 0.3 of a tile: to ask is right there."""


class Shelf:
    """The usual word list."""

    def names(self) -> tuple[str, ...]:
        return ("standard",)

    def load(self, name: str, alphabet: Alphabet = ENGLISH) -> Lexicon:
        return load_lexicon(name)


@pytest.fixture(scope="module")
def eyes() -> VisionReader:
    """One reader for all tests: it holds nothing of any game."""
    return VisionReader()


@pytest.fixture
def serve(tmp_path: Path, eyes: VisionReader) -> Iterator[Callable[[], Flask]]:
    """Start the application on the test's own data folder."""
    started: list[Flask] = []
    numbers = count(1)

    def start() -> Flask:
        settings = AppConfig(
            *(tmp_path, eyes, Shelf(), judge), tour=TOUR, demo_pace_s=3600.0, new_game_id=lambda: next(numbers)
        )
        started.append(create_app(settings))
        return started[-1]

    yield start
    for app in started:
        services_of(app).close()


def truth(turns: int, folder: Path = CLASSIC) -> Game:
    """Return the game as it was played, up to this many turns."""
    edition = find_edition(folder.name.rpartition("_")[2])
    game = Game.start(edition, PLAYERS, HouseRules(), lexicon=load_lexicon("standard"))
    for move in MOVES[folder][:turns]:
        tiles = (PlacedTile(SQUARES[tile["row"]][tile["col"]], tile["letter"]) for tile in move["move"])
        game = game.play(Play(tuple(tiles)))
    return game


_TAKEN = count()


def take_anew(number: int, folder: Path = CLASSIC) -> bytes:
    """A sample photograph as a file of its own, as if the board had been photographed again."""
    return (folder / f"{number:02}.jpg").read_bytes() + str(next(_TAKEN)).encode()


def photograph(client: FlaskClient, number: int, folder: Path = CLASSIC) -> Any:
    """The state of the game after a sample photograph."""
    response = upload(client, f"{GAME}/photos", take_anew(number, folder))
    assert response.status_code == 200
    return response.get_json()


def post(client: FlaskClient, path: str, body: dict[str, object]) -> Any:
    return client.post(path, data=json.dumps(body)).get_json()


def begin(client: FlaskClient, edition: str = "8x8") -> None:
    post(client, "/api/v1/games", {"edition": edition, "players": list(PLAYERS)})


@pytest.mark.parametrize("folder", [CLASSIC, BLUE], ids=lambda folder: folder.name)
def test_a_whole_game_of_photographs_lands_on_the_sheet_as_it_was_played(
    serve: Callable[[], Flask], folder: Path
) -> None:
    client = serve().test_client()
    begin(client, folder.name.rpartition("_")[2])
    asked: set[int] = set()
    turns = len(list(folder.glob("*.jpg"))) - 1
    for number, move in enumerate(MOVES[folder][:turns], start=1):
        told = photograph(client, number, folder)
        if told["question"] is not None:
            asked.add(number)
            tiles = format_play(truth(number, folder).turns[-1].play or Play(()))
            body = {"version": told["version"], "kind": "play", "tiles": tiles}
            told = post(client, f"{GAME}/turns", body)
        assert told["stacks"] == move["board"], f"the board after turn {number}"
        assert told["totals"] == truth(number, folder).totals, f"the totals after turn {number}"
        assert told["turns"][-1]["points"] == truth(number, folder).turns[-1].points
    assert asked <= OUT_OF_VIEW[folder]


TABLECLOTH = jpeg(480, 640)


@pytest.mark.parametrize("folder", [CLASSIC, BLUE], ids=lambda folder: folder.name)
def test_a_photograph_without_a_board_before_each_turn_makes_no_turn_wrong(
    serve: Callable[[], Flask], folder: Path
) -> None:
    """Somebody taps the shutter too soon: the turn is entered as it was played, or asked about with it among the
    answers."""
    client = serve().test_client()
    begin(client, folder.name.rpartition("_")[2])
    turns = len(list(folder.glob("*.jpg"))) - 1
    for number, move in enumerate(MOVES[folder][:turns], start=1):
        assert upload(client, f"{GAME}/photos", TABLECLOTH).status_code == 200
        told = photograph(client, number, folder)
        if told["question"] is not None:
            boards = [choice["stacks"] for choice in told["question"]["choices"]]
            assert move["board"] in boards or number in OUT_OF_VIEW[folder]
            tiles = format_play(truth(number, folder).turns[-1].play or Play(()))
            told = post(client, f"{GAME}/turns", {"version": told["version"], "kind": "play", "tiles": tiles})
        assert (told["stacks"], told["totals"]) == (move["board"], truth(number, folder).totals)


@pytest.mark.parametrize("folder", [CLASSIC, BLUE], ids=lambda folder: folder.name)
def test_the_empty_board_may_be_photographed_first(serve: Callable[[], Flask], folder: Path) -> None:
    client = serve().test_client()
    begin(client, folder.name.rpartition("_")[2])
    for _ in range(2):
        told = photograph(client, 0, folder)
        assert (told["question"], told["turns"]) == (None, [])
    first = photograph(client, 1, folder)
    assert first["question"] is None
    assert first["stacks"] == MOVES[folder][0]["board"]


def test_the_sheet_is_as_the_turns_were_and_what_is_believed_outlives_the_server(serve: Callable[[], Flask]) -> None:
    app = serve()
    begin(app.test_client())
    for number in (1, 2):
        assert photograph(app.test_client(), number)["question"] is None
    believed = services_of(app).games.open(1).belief
    assert len(believed.looks) == 2
    services_of(app).close()
    app = serve()
    assert services_of(app).games.open(1).belief == believed
    for number in (3, 4):
        told = photograph(app.test_client(), number)
        assert (told["question"], told["totals"]) == (None, truth(number).totals)
        assert told["stacks"] == MOVES[CLASSIC][number - 1]["board"]


def test_a_turn_that_was_undone_and_lies_there_still_is_asked_about(serve: Callable[[], Flask]) -> None:
    client = serve().test_client()
    begin(client)
    told = photograph(client, 1)
    undone = post(client, f"{GAME}/undo", {"version": told["version"]})
    assert undone["totals"] == {"Ada": 0, "Ben": 0}
    again = photograph(client, 1)
    assert again["totals"] == undone["totals"]
    assert again["question"]["lying"] == undone["to_lift"] == told["turns"][0]["tiles"]
    entered = post(client, f"{GAME}/answer", {"version": again["version"], "choice": 0})
    assert (entered["totals"], "to_lift" in entered) == (truth(1).totals, False)


@pytest.mark.parametrize("how", ["undo", "challenge"])
def test_the_next_play_is_never_scored_on_tiles_that_should_be_gone(serve: Callable[[], Flask], how: str) -> None:
    """A play comes off the sheet, lies there still, and the next player goes on: nothing is entered in silence."""
    app = serve()
    client = app.test_client()
    begin(client)
    for number in (1, 2, 3, 4):
        told = photograph(client, number)
    player = told["turns"][-1]["player"]
    if how == "undo":
        off = post(client, f"{GAME}/undo", {"version": told["version"]})
    else:
        by = next(name for name in PLAYERS if name != player)
        turn = {"version": told["version"], "kind": "challenge", "upheld": True, "by": by}
        off = post(client, f"{GAME}/turns", turn)
    assert (off["totals"], off["to_play"]) == (truth(3).totals, player)
    services_of(app).close()
    client = serve().test_client()
    lying = photograph(client, 5)
    assert (lying["totals"], lying["stacks"]) == (truth(3).totals, MOVES[CLASSIC][2]["board"])
    assert lying["question"]["lying"] == off["to_lift"] == told["turns"][3]["tiles"]
    lifted = photograph(client, 3)
    assert (lifted["question"], lifted["totals"], "to_lift" in lifted) == (None, truth(3).totals, False)
    again = photograph(client, 4)
    assert (again["question"], again["totals"]) == (None, truth(4).totals)


def test_the_tour_shows_a_question_a_challenge_and_a_winner(serve: Callable[[], Flask]) -> None:
    services = services_of(serve())
    demo = there(services.demo)
    game_id, asked = demo.start(), 0

    def step() -> DemoStatus:
        before, deadline = demo.status, time.monotonic() + 30
        demo.step()
        while demo.status == before:
            assert time.monotonic() < deadline, "nothing happened within 30 seconds"
            time.sleep(0.02)
        assert demo.status is not None
        return demo.status

    while (status := step()).state != "done":
        assert status.state in ("playing", "waiting")
        open_game = services.games.open(game_id)
        if open_game.question is not None:
            asked += 1
            words = [answer.words for answer in view_answers(open_game, open_game.question)]
            assert [each.split()[1:3] for each in words] == [["Ada", "QUEUE"], ["Ada", "LYNX"]]
    game = services.games.open(game_id).game
    assert asked == 1
    assert game.board == truth(10).board
    assert game.turns[4].refused_challenges == ("Ben",)
    assert (game.totals, game.winners) == ({"Ada": 46, "Ben": 42}, ("Ada",))


def test_a_turn_taken_back_and_laid_again_is_entered_again(serve: Callable[[], Flask]) -> None:
    client = serve().test_client()
    begin(client)
    for number in (1, 2, 3, 4, 5):
        photograph(client, number)
    asked = photograph(client, 4)
    assert asked["question"]["kind"] == "removed"
    assert len(asked["question"]["choices"]) == 1
    taken_back = post(client, f"{GAME}/answer", {"version": asked["version"], "choice": 0})
    assert taken_back["totals"] == truth(4).totals
    again = photograph(client, 5)
    assert again["question"] is None
    assert again["totals"] == truth(5).totals


@pytest.mark.parametrize("gone", [4, 3], ids=["taken back", "knocked off"])
def test_tiles_that_lie_there_again_leave_no_question(serve: Callable[[], Flask], gone: int) -> None:
    client = serve().test_client()
    begin(client)
    for number in (1, 2, 3, 4, 5):
        photograph(client, number)
    asked = photograph(client, gone)
    assert asked["question"]["kind"] == ("removed" if gone == 4 else "unclear")
    form = {"photo": (io.BytesIO(take_anew(5)), "05.jpg")}
    again = client.post("/games/1/photo", data=form, headers=BY_SCRIPT)
    assert again.get_json()["message"] == "The board is right again. Ben is next."
    told = client.get(GAME).get_json()
    assert (told["question"], told["turns"]) == (None, asked["turns"])
    assert told["totals"] == truth(5).totals
    assert photograph(client, 6)["totals"] == truth(6).totals
